/* What waits show, for reports: how long operations had been under way before they
 * were waited for, and how long receives and waits were there before the sends.
 * SPDX-License-Identifier: MIT */
#include "comsys/pd-comsys-private.h"

void
pd_comsys_set_waited (PdComsys *self, PdWaited *waited)
{
  self->waited = waited;
}

void
pd_waited_begin (PdComsys *self, guint32 rank, PdTime when)
{
  PdWaited *w = &self->waited[rank];

  w->since = w->latest = when;
}

PdTime
pd_waited_send_began (const PdComsys *self, const PdReq *send)
{
  /* see pd_p2p_send(), pd_waited_matched(); over networks with ends, when it was launched */
  if (pd_time_is_pending (send->done))
    return PD_TIME (~send->done.ps);
  if (send->rendezvous && !send->detached)
    return send->began;
  PdTime spent = self->machine->software.send_overhead;
  if (send->ends)
    {
      const PdLevel *level = pd_p2p_level (self, send->rank, send->peer);
      gint64 bytes = pd_protocol_wire_bytes (&level->protocol, send->bytes);
      spent = pd_time_add (spent, level->class->ends->get_time (level->network, bytes, FALSE));
    }
  else if (self->has_costs)
    spent = pd_time_add (spent, pd_costs_of_send (self, send));
  return pd_time_sub (send->done, spent);
}

/* Both ready and order have served once the two halves are matched: the moments at
 * which the operations began take their place. */
void
pd_waited_matched (PdComsys *self, PdReq *send, PdReq *recv)
{
  PdTime began = pd_waited_send_began (self, send);
  PdTime posted = pd_time_sub (recv->ready, self->machine->software.recv_overhead);

  recv->began = pd_time_max (posted, began);
  if (send->rendezvous && !send->detached)
    send->began = began;
}

void
pd_waited_note (PdComsys *self, const PdReq *req)
{
  PdWaited *w = &self->waited[req->rank];
  gboolean is_send = req->kind == PD_REQ_SEND;

  if (req->collective || req->is_null || req->probe || (!is_send && !req->matched))
    return;
  if (is_send && req->ends && req->step == PD_AT_REQUESTED) /* not launched yet */
    return;
  PdTime began = is_send ? pd_waited_send_began (self, req) : req->began;
  if (began.ps < w->since.ps)
    w->overlap = pd_time_add (w->overlap, pd_time_sub (w->since, began));
  else if (!is_send && began.ps > w->latest.ps)
    {
      w->real_sync = pd_time_add (w->real_sync, pd_time_sub (began, w->latest));
      w->latest = began;
    }
}
