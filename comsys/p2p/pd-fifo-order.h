/* The order of events of one moment on networks of type dimemas, where transfers meet:
 * first in, first out, record by record, as in Dimemas' list of events.
 *
 * Before each call a rank goes to the end of the queue of the moment. A call that costs processor
 * time acts at its end, by an event of its own; when it has acted, or when its wait has ended, the
 * rank reaches its next action: the end of a computation is queued from there, for its own moment;
 * a call is queued for the same moment. That takes place before the next event, so a rank woken by
 * an event is queued before all later ones. A wait whose requests are complete is a call, too;
 * giving a request back is none. If no event is queued up to the moment in question, a rank runs
 * ahead to it: the order is the same. Not installed. SPDX-License-Identifier: MIT */
#ifndef PD_FIFO_ORDER_H
#define PD_FIFO_ORDER_H

#include "comsys/state/pd-comsys-data.h"

/**
 * pd_fifo_may_go_on:
 * Of PdResources: at its moment, if it has not called since; else if nothing is queued up to
 * @when.
 */
gboolean pd_fifo_may_go_on (const PdComsys *self, guint32 rank, PdTime when);

/**
 * pd_fifo_advance_to:
 * Of PdResources: the acting rank calls.
 */
void pd_fifo_advance_to (PdComsys *self, guint32 rank, PdTime when, gboolean is_ahead);

/**
 * pd_fifo_resume:
 * Of PdResources: it is queued for @when, once its call has returned.
 */
void pd_fifo_resume (PdComsys *self, guint32 rank, PdEvent event, PdTime when);

/**
 * pd_fifo_returned_event:
 * The event: it is queued.
 */
void pd_fifo_returned_event (PdComsys *self, guint32 rank, guint32 event);

/**
 * pd_fifo_reach:
 * @when: later than now: the acting rank's call acts then
 *
 * Returns: whether it does that at once, now being @when; else an event has to do it.
 */
gboolean pd_fifo_reach (PdComsys *self, PdTime when);

#endif
