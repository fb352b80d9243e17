/* Times that networks take of the processors at their ends, besides the software
 * parameters of the machine (#PdNetworkCosts).
 * SPDX-License-Identifier: MIT */
#include "comsys/p2p/pd-costs.h"

#include "base/pd-time.h"
#include "comsys/state/pd-lookup.h"
#include "comsys/state/pd-probe.h"

/* Between a rank and itself there is no network unless it says so; to any other it is the
 * outermost. */
static const PdNetworkCosts *
costs_between (const PdComsys *self, guint32 rank, guint32 peer)
{
  static const PdNetworkCosts nothing = { .send_per_byte = 0 };

  if (!self->has_costs)
    return &nothing;
  if (peer == G_MAXUINT32)
    return &self->levels[0].costs;
  const PdNetworkCosts *costs = &pd_p2p_level (self, rank, peer)->costs;
  return rank == peer && !costs->to_itself ? &nothing : costs;
}

PdTime
pd_costs_before (const PdComsys *self, guint32 rank, guint32 peer)
{
  return costs_between (self, rank, peer)->before;
}

PdTime
pd_costs_before_wait (PdComsys *self, guint32 first)
{
  PdTime sum = PD_TIME_ZERO;

  if (!self->has_costs)
    return sum;
  PD_PROBE (self, wait_begin, first);
  for (guint32 req = first; req != 0; req = pd_req (self, req)->link)
    {
      const PdReq *r = pd_req (self, req);
      if (r->kind == PD_REQ_RECV && !r->is_null)
        sum = pd_time_add (sum, pd_costs_before (self, r->rank, r->peer));
      else if (r->kind == PD_REQ_COLLECTIVE)
        sum = pd_time_add (sum, PD_TIME (r->bytes));
    }
  return sum;
}

PdTime
pd_costs_of_send (const PdComsys *self, const PdReq *send)
{
  const PdNetworkCosts *costs = costs_between (self, send->rank, send->peer);

  PdTime sum = pd_time_add (costs->before, costs->send_overhead);
  return costs->send_per_byte > 0
             ? pd_time_add (sum, pd_time_for_bytes (send->bytes, costs->send_per_byte))
             : sum;
}

PdTime
pd_costs_of_recv (const PdComsys *self, const PdReq *send)
{
  const PdNetworkCosts *costs = costs_between (self, send->peer, send->rank);

  return costs->recv_per_byte > 0 ? pd_time_add (
             costs->recv_overhead, pd_time_for_bytes (send->bytes, costs->recv_per_byte))
                                  : costs->recv_overhead;
}
