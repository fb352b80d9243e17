/* Events of messages and waits. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_CRITICAL_PATH_EVENTS_H
#define PD_CRITICAL_PATH_EVENTS_H

#include "base/pd-time.h"
#include "comsys/coll/pd-coll-schedule.h"
#include "comsys/state/pd-comsys-data.h"

/**
 * pd_critical_call:
 * The rank calls at @when; what it wants begins after the overhead of the function.
 */
void pd_critical_call (PdComsys *self, guint32 rank, PdTime when);

/**
 * pd_critical_untracked:
 * It continues now, after events that are not followed.
 */
void pd_critical_untracked (PdComsys *self, guint32 rank);

/**
 * pd_critical_network_cpu:
 * Before it acts a network asks for time of its processor until @when.
 */
void pd_critical_network_cpu (PdComsys *self, const PdCall *call, PdTime when);

/**
 * pd_critical_send:
 * A send has been called for at @when, which asks the network at @ready; @copies: whoever
 * waits for it at once copies it.
 */
void pd_critical_send (PdComsys *self, guint32 send, PdTime when, PdTime ready, gboolean copies);

/**
 * pd_critical_post:
 * A receive is about to be posted by a call at @when.
 */
void pd_critical_post (PdComsys *self, guint32 recv, PdTime when);

/**
 * pd_critical_copy:
 * A message to oneself is copied until then.
 */
void pd_critical_copy (PdComsys *self, guint32 send, PdTime until);

/**
 * pd_critical_arrive:
 * What @send has asked its network for comes at @when.
 */
void pd_critical_arrive (PdComsys *self, guint32 send, gboolean control, PdTime when);

/**
 * pd_critical_deliver:
 * A network that knows only now when a message arrives notifies of it.
 */
void pd_critical_deliver (PdComsys *self, guint32 send, PdTime when);

/**
 * pd_critical_answer:
 * The announcement is there and the receive has been posted.
 */
void pd_critical_answer (PdComsys *self, guint32 send);

/**
 * pd_critical_match:
 * They are complete; the receive at @received.
 */
void pd_critical_match (PdComsys *self, const PdReq *send, const PdReq *recv, PdTime received);

/**
 * pd_critical_complete:
 * The request completes with the moment that its message has come to.
 */
void pd_critical_complete (PdComsys *self, guint32 req);

/**
 * pd_critical_await:
 * The acting rank waits for @req, which is complete.
 */
void pd_critical_await (PdComsys *self, guint32 req);

/**
 * pd_critical_wait:
 * And from @when on for all others that it has named; blocked until they are complete, or
 * not: then for @overhead. @is_any: there are such.
 */
void pd_critical_wait (PdComsys *self, const PdCall *call, PdTime overhead, gboolean is_any);

/**
 * pd_critical_wait_begin:
 * The next wait, for requests from @first on, ends with the overhead of waits.
 */
void pd_critical_wait_begin (PdComsys *self, guint32 first);

/**
 * pd_critical_choose:
 * A Waitany finds @req complete, or a test does: its moment is the latest so far.
 */
void pd_critical_choose (PdComsys *self, guint32 req);

/**
 * pd_critical_waitany_continue:
 * The Waitany of @rank continues with the request that it has chosen.
 */
void pd_critical_waitany_continue (PdComsys *self, guint32 rank, PdTime overhead);

/**
 * pd_critical_test:
 * A test, which costs the overhead of waits.
 */
void pd_critical_test (PdComsys *self, const PdCall *call);

/**
 * pd_critical_probe_found:
 * A probe of @rank has found @send, where it had to wait.
 */
void pd_critical_probe_found (PdComsys *self, guint32 rank, guint32 send, PdTime overhead);

/**
 * pd_critical_step:
 * A local step of an operation.
 */
void pd_critical_step (PdComsys *self, guint32 rank, PdTime when, const PdStep *step);

/**
 * pd_critical_advance_to_done:
 * The moment of the request becomes that of its completion.
 */
void pd_critical_advance_to_done (PdComsys *self, guint32 req);

/**
 * pd_critical_known:
 * @req is complete already: that is what @token stands for.
 */
void pd_critical_known (PdComsys *self, guint32 req, guint32 token);

#endif
