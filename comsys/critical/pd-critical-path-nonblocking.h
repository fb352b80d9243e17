/* Barriers and nonblocking operations. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_CRITICAL_PATH_NONBLOCKING_H
#define PD_CRITICAL_PATH_NONBLOCKING_H

#include "base/pd-time.h"
#include "comsys/coll/pd-coll-schedule.h"
#include "comsys/state/pd-comsys-data.h"

/**
 * pd_critical_barrier_enter:
 * The caller meets others: *@latest (a node) becomes the latest who has come.
 */
void pd_critical_barrier_enter (PdComsys *self, const PdCall *call, guint32 *latest);

/**
 * pd_critical_barrier_leave:
 * All have come: @rank goes on at @when or, unless it is 0, @req is complete then.
 */
void pd_critical_barrier_leave (PdComsys *self, guint32 rank, guint32 req, guint32 latest,
                                PdTime when);

/**
 * pd_critical_nonblocking_start:
 * @nonblocking starts where its rank is at @when.
 */
void pd_critical_nonblocking_start (PdComsys *self, const PdNonblocking *nonblocking, PdTime when);

/**
 * pd_critical_nonblocking_completed:
 * @req, for which it waits or will wait, is complete.
 */
void pd_critical_nonblocking_completed (PdComsys *self, const PdNonblocking *nonblocking,
                                        guint32 req, PdAwaited awaited);

/**
 * pd_critical_nonblocking_step:
 * It begins a step that @waits: what ends with the overhead of waits.
 */
void pd_critical_nonblocking_step (PdComsys *self, gboolean waits);

/**
 * pd_critical_nonblocking_work:
 * It works until @when.
 */
void pd_critical_nonblocking_work (PdComsys *self, const PdNonblocking *nonblocking, PdTime when,
                                   const PdStep *step);

/**
 * pd_critical_nonblocking_wait:
 * It waits from @when on.
 */
void pd_critical_nonblocking_wait (PdComsys *self, const PdNonblocking *nonblocking, PdTime when,
                                   PdAwaited awaited);

/**
 * pd_critical_nonblocking_wait_end:
 * And that is over at @when.
 */
void pd_critical_nonblocking_wait_end (PdComsys *self, const PdNonblocking *nonblocking,
                                       PdTime when, PdAwaited awaited);

/**
 * pd_critical_nonblocking_end:
 * The operation is over at @when.
 */
void pd_critical_nonblocking_end (PdComsys *self, const PdNonblocking *nonblocking, PdTime when);

/**
 * pd_critical_switch_actor:
 * @nonblocking: (nullable): what acts instead of its rank from now on
 */
void pd_critical_switch_actor (PdComsys *self, const PdNonblocking *nonblocking);

/**
 * pd_critical_barrier_forget:
 * @latest: (inout): of pd_critical_barrier_enter(): becomes 0
 */
void pd_critical_barrier_forget (PdComsys *self, guint32 *latest);

#endif
