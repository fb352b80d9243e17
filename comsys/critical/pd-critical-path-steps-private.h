/* Functions of the critical path that its files call in each other. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_CRITICAL_PATH_STEPS_PRIVATE_H
#define PD_CRITICAL_PATH_STEPS_PRIVATE_H

#include "base/pd-time.h"
#include "comsys/critical/pd-critical-path-private.h"

/**
 * pd_critical_advance_to:
 * *@slot becomes a node at @when: what it is, or something else that leads there.
 */
void pd_critical_advance_to (PdCriticalPath *self, guint32 *slot, PdTime when, guint32 rank);

/**
 * pd_critical_notify_owner:
 * The request is complete at @when: notifies its owner, which may be blocked in a wait for it.
 */
void pd_critical_notify_owner (PdComsys *self, guint32 req, PdTime when);

/**
 * pd_critical_act:
 * @actor does at @when what it has called for.
 */
void pd_critical_act (PdCriticalPath *self, PdCriticalActor *actor, PdTime when);

/**
 * pd_critical_match_endpoints:
 * As pd_critical_match().
 */
void pd_critical_match_endpoints (PdComsys *self, const PdReq *send, const PdReq *recv,
                                  PdTime received);

/**
 * pd_critical_side:
 * Returns: a side of the adapter of an endpoint.
 */
guint32 *pd_critical_side (PdCriticalPath *self, guint32 level, guint32 endpoint,
                           gboolean receives);

/**
 * pd_critical_cpu:
 * Returns: that of @rank: where it submits operations, of the one that is submitted or tried.
 */
guint32 *pd_critical_cpu (PdComsys *self, guint32 rank);

/**
 * pd_critical_note_token:
 * @req is complete: that is what @token stands for.
 */
void pd_critical_note_token (PdComsys *self, guint32 req, guint32 token);

/**
 * pd_critical_note:
 * @node: (transfer full): what @rank has come to when @token comes
 */
void pd_critical_note (PdCriticalPath *self, guint32 rank, guint32 token, guint32 node);

/**
 * pd_critical_take_token:
 * Returns: (transfer full): what has been noted for @token; 0 = nothing.
 */
guint32 pd_critical_take_token (PdCriticalPath *self, guint32 rank, guint32 token);

#endif
