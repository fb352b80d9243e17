/* Completion of requests. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_COMPLETION_H
#define PD_COMPLETION_H

#include "comsys/p2p/pd-scheduler-internal.h"
#include "comsys/p2p/pd-wait-stats-internal.h"
#include "comsys/state/pd-lookup.h"

/**
 * pd_req_notify_waiter:
 * Tells who waits for @req, which is complete at @when, unless that is a rank that waits
 * for all of several.
 */
void pd_req_notify_waiter (PdComsys *self, guint32 req, PdTime when);

/**
 * pd_completion_of_token:
 * Of PdHandlers: pd_comsys_next_event() gives the token of the request back.
 */
void pd_completion_of_token (PdComsys *self, guint32 req, PdTime when);

/**
 * pd_completion_unawaited:
 * Of PdHandlers: no rank waits for the request yet.
 */
void pd_completion_unawaited (PdComsys *self, guint32 req, PdTime when);

/**
 * pd_req_notify_unless_known:
 * @req: is released where its completion is known
 * @token: names it in the later notification
 *
 * Returns: the moment of completion; PENDING: its owner will be notified.
 */
PdTime pd_req_notify_unless_known (PdComsys *self, guint32 req, guint32 token);

/**
 * pd_req_complete:
 * A request is complete for its owner at @when.
 */
static inline void
pd_req_complete (PdComsys *self, guint32 req, PdTime when)
{
  PdReq *r = pd_req (self, req);

  r->done = when;
  if (!r->waited || r->nonblocking)
    {
      if (r->nonblocking || r->any || r->notify || self->is_thorough)
        pd_req_notify_waiter (self, req, when);
      return;
    }
  if (G_UNLIKELY (self->waited != NULL) && r->kind == PD_REQ_RECV)
    pd_wait_stats_note (self, r);
  pd_rank_completed (self, r->rank, when);
}

#endif
