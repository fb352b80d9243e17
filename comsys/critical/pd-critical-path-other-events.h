/* What else happens: who meets, nonblocking operations, and networks with endpoint resources. Not
 * installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_CRITICAL_PATH_OTHER_EVENTS_H
#define PD_CRITICAL_PATH_OTHER_EVENTS_H

#include "base/pd-time.h"
#include "comsys/coll/pd-coll-schedule.h"
#include "comsys/net/pd-network.h"
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
 * pd_critical_switch_actor:
 * @nonblocking: (nullable): what acts instead of its rank from now on
 */
void pd_critical_switch_actor (PdComsys *self, const PdNonblocking *nonblocking);

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
 * pd_critical_get_n_ranks:
 * Returns: the number of ranks that it is for.
 */
guint32 pd_critical_get_n_ranks (const PdCriticalPath *self);

/**
 * pd_critical_barrier_forget:
 * @latest: (inout): of pd_critical_barrier_enter(): becomes 0
 */
void pd_critical_barrier_forget (PdComsys *self, guint32 *latest);

/**
 * pd_critical_known:
 * @req is complete already: that is what @token stands for.
 */
void pd_critical_known (PdComsys *self, guint32 req, guint32 token);

/**
 * pd_critical_note_token:
 * @req is complete: that is what @token stands for.
 */
void pd_critical_note_token (PdComsys *self, guint32 req, guint32 token);

/**
 * pd_critical_init_endpoints:
 * Networks with endpoint resources: before anything happens.
 */
void pd_critical_init_endpoints (PdComsys *self);

/**
 * pd_critical_launch:
 * The send has left now, and arrives at @arrival.
 */
void pd_critical_launch (PdComsys *self, guint32 send, const PdTransfer *transfer, PdTime arrival);

/**
 * pd_critical_receive:
 * It is received from now on.
 */
void pd_critical_receive (PdComsys *self, guint32 send, const PdTransfer *transfer);

/**
 * pd_critical_post_after_send:
 * The receive of a Sendrecv is about to be posted now.
 */
void pd_critical_post_after_send (PdComsys *self, guint32 recv);

/**
 * pd_critical_hold_cpu:
 * What the acting rank does keeps its processor until @when; @computes: and nothing else.
 */
void pd_critical_hold_cpu (PdComsys *self, guint32 rank, PdTime when, gboolean computes);

/**
 * pd_critical_follow_cpu:
 * It goes on when its processor is free.
 */
void pd_critical_follow_cpu (PdComsys *self, guint32 rank);

/**
 * pd_critical_return_by_cpu:
 * The same of a rank that has been blocked.
 */
void pd_critical_return_by_cpu (PdComsys *self, guint32 rank);

/**
 * pd_critical_defer_compute:
 * The acting rank would compute from @begin to @when, but cannot yet.
 */
void pd_critical_defer_compute (PdComsys *self, guint32 rank, PdTime begin, PdTime when);

/**
 * pd_critical_compute:
 * And begins now.
 */
void pd_critical_compute (PdComsys *self, guint32 rank);

#endif
