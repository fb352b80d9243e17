/* Statistics of waits, for reports: the time of operations before the wait for them, and
 * the time of receives and waits before the sends.
 * SPDX-License-Identifier: MIT */
#include "comsys/p2p/pd-wait-stats-internal.h"

#include "base/pd-time.h"
#include "comsys/p2p/pd-costs.h"
#include "comsys/p2p/pd-wait-stats.h"
#include "comsys/state/pd-lookup.h"

void
pd_comsys_set_wait_stats (PdComsys *self, PdWaitStats *waited, gboolean sends)
{
  self->waited = waited;
  self->waited_sends = sends;
}

void
pd_wait_stats_begin (PdComsys *self, guint32 rank, PdTime when)
{
  PdWaitStats *w = &self->waited[rank];

  w->since = w->latest = when;
}

PdTime
pd_wait_stats_send_began (const PdComsys *self, const PdReq *send)
{
  /* see pd_p2p_send(), pd_wait_stats_matched(); over networks with endpoint resources, when it was
   * launched */
  if (pd_time_is_pending (send->done))
    return PD_TIME (~send->done.ps);
  if (send->rendezvous && !send->detached)
    return send->began;
  PdTime spent = self->machine->software.send_overhead;
  if (send->endpoints)
    {
      const PdNetworkLevel *level = pd_p2p_level (self, send->rank, send->peer);
      gint64 bytes = pd_protocol_wire_bytes (&level->protocol, send->bytes);
      spent = pd_time_add (spent, level->class->endpoints->get_time (level->network, bytes, FALSE));
    }
  else if (self->has_costs)
    spent = pd_time_add (spent, pd_costs_of_send (self, send));
  return pd_time_sub (send->done, spent);
}

/* Both ready and order have served once the two halves are matched: the moments at
 * which the operations began take their place. */
void
pd_wait_stats_matched (PdComsys *self, PdReq *send, PdReq *recv)
{
  PdTime began = pd_wait_stats_send_began (self, send);
  PdTime posted = pd_time_sub (recv->ready, self->machine->software.recv_overhead);

  recv->began = pd_time_max (posted, began);
  if (send->rendezvous && !send->detached)
    send->began = began;
}

void
pd_wait_stats_note (PdComsys *self, const PdReq *req)
{
  PdWaitStats *w = &self->waited[req->rank];
  gboolean is_send = req->kind == PD_REQ_SEND;

  if (req->collective || req->is_null || req->probe || (!is_send && !req->matched))
    return;
  if (is_send && req->endpoints && req->step == PD_AT_REQUESTED) /* not launched yet */
    return;
  PdTime began = is_send ? pd_wait_stats_send_began (self, req) : req->began;
  gint64 overlap = pd_wait_stats_overlap (began.ps, w->since.ps);
  if (overlap > 0)
    w->overlap = pd_time_add (w->overlap, PD_TIME (overlap));
  if (is_send)
    return;
  gint64 late = pd_wait_stats_late (began.ps, w->latest.ps); /* never more than the rank's time */
  w->real_sync.ps += late;
  w->latest.ps += late;
  if (late > 0)
    w->last = req->peer;
}
