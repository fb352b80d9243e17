/* The order of what happens at one moment on networks of type dimemas, where transfers meet:
 * first in, first out, record by record, as in Dimemas' list of events.
 *
 * A rank goes through the queue before each call, at the end of what is queued for the moment. A
 * call that costs processor time acts at its end, by an event of its own; when it has acted, or
 * when what it has waited for has happened, the rank comes to what it does next: computation ends
 * at a moment of its own, queued from there; a call is queued for the same moment. That takes
 * place before the next event, so who is woken by one is queued before all that come later.
 * Where nothing is queued up to the moment in question, a rank runs ahead to it: the order is the
 * same. Not installed.
 * SPDX-License-Identifier: MIT */
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
