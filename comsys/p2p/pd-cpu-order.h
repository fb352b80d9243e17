/* The order of work on processors that messages keep busy; for networks with endpoint resources.
 * Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_CPU_ORDER_H
#define PD_CPU_ORDER_H

#include "base/pd-time.h"
#include "comsys/state/pd-comsys-data.h"

/**
 * pd_cpu_rendezvous:
 * The rendezvous of @send has been matched now: when its rank can go on.
 */
PdTime pd_cpu_rendezvous (PdComsys *self, const PdReq *send);

/**
 * pd_cpu_advance_to:
 * Of PdResources: it has come to @when, having computed perhaps; @is_ahead: as if by a turn.
 */
void pd_cpu_advance_to (PdComsys *self, guint32 rank, PdTime when, gboolean is_ahead);

/**
 * pd_cpu_compute:
 * Of PdResources: it computes until @when or, if its processor is not free, for so long.
 */
void pd_cpu_compute (PdComsys *self, guint32 rank, PdEvent event, PdTime when);

/**
 * pd_cpu_compute_event:
 * The event: a rank wants its processor.
 */
void pd_cpu_compute_event (PdComsys *self, guint32 rank, guint32 argument);

/**
 * pd_cpu_take_number:
 * The current action of the acting rank takes its number.
 */
guint64 pd_cpu_take_number (PdComsys *self);

/**
 * pd_cpu_is_first:
 * Whether nothing queued comes before what has been entered with @number (0 = a new one).
 */
gboolean pd_cpu_is_first (const PdComsys *self, PdTime when, guint64 number);

/**
 * pd_cpu_may_go_on:
 * Of PdResources: whether the acting rank may act at @when.
 */
gboolean pd_cpu_may_go_on (const PdComsys *self, guint32 rank, PdTime when);

/**
 * pd_cpu_begin_turn:
 * The rank's turn begins: it acts now.
 */
void pd_cpu_begin_turn (PdComsys *self, guint32 rank);

/**
 * pd_cpu_posts:
 * The acting rank posts a receive now.
 */
void pd_cpu_posts (PdComsys *self);

/**
 * pd_cpu_posted:
 * Of PdResources: it has posted @recv.
 */
void pd_cpu_posted (PdComsys *self, guint32 recv, PdTime *ret);

/**
 * pd_cpu_waited:
 * The acting rank has waited until @when; the last event that it waited for gives @number
 * to its next action.
 */
void pd_cpu_waited (PdComsys *self, PdTime when, guint64 number);

/**
 * pd_cpu_account:
 * The acting rank's call returns at @when.
 */
static inline void
pd_cpu_account (PdComsys *self, PdTime when)
{
  if (G_UNLIKELY (self->is_thorough))
    pd_cpu_waited (self, when, 0);
}

/**
 * pd_cpu_begin_deferred:
 * Nonblocking operations that have begun with a receive, which comes after a send of the
 * rank, do that now.
 */
static inline void
pd_cpu_begin_deferred (PdComsys *self)
{
  if (self->deferred != NULL)
    self->handlers->begin_deferred (self);
}

/**
 * pd_req_has_number:
 * Returns: %FALSE for a request without a number, since it was complete when it began.
 */
static inline gboolean
pd_req_has_number (const PdReq *req)
{
  return req->kind != PD_REQ_SEND || (req->endpoints && req->rendezvous && !req->detached);
}

/**
 * pd_req_number:
 * Of a request that is complete: what waited for it has been entered with.
 */
static inline guint64
pd_req_number (const PdReq *req)
{
  return pd_req_has_number (req) ? req->number : 0;
}

#endif
