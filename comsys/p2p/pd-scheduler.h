/* Ranks are made ready, or go on at once; what they are blocked in.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SCHEDULER_H
#define PD_SCHEDULER_H

#include "base/pd-time.h"
#include "comsys/state/pd-comsys-types.h"

G_BEGIN_DECLS

/**
 * pd_comsys_ready:
 * @rank: a rank that is not blocked
 * @when: not before now
 *
 * Puts @rank into the queue: pd_comsys_next() will return it at @when; or later, where
 * messages keep the processor on which it has computed until then.
 */
void pd_comsys_ready (PdComsys *self, guint32 rank, PdTime when);

/**
 * pd_comsys_ready_token:
 * @token: less than %PD_TOKEN_NONE
 *
 * As pd_comsys_ready(), with a token that pd_comsys_next_event() gives back. A rank may
 * be in the queue several times.
 */
void pd_comsys_ready_token (PdComsys *self, guint32 rank, PdTime when, guint32 token);

/**
 * pd_comsys_may_go_on:
 * @rank: the rank that acts now
 * @when: the moment of its next action
 *
 * Returns: whether nothing can happen before that, so that the rank need not
 *   go through the queue; always so at the beginning of its turn and, unless
 *   messages keep processors, at the moment of its turn.
 */
gboolean pd_comsys_may_go_on (const PdComsys *self, guint32 rank, PdTime when);

/**
 * pd_comsys_is_due:
 *
 * Returns: whether the turn of the rank that acts now has come to @when. It may begin to compute
 *   then, whatever else is queued for that moment.
 */
gboolean pd_comsys_is_due (const PdComsys *self, PdTime when);

/**
 * pd_comsys_get_blocked:
 * @rank: a rank
 * @blocked: (out): what it waits for
 */
void pd_comsys_get_blocked (const PdComsys *self, guint32 rank, PdBlocked *blocked);

G_END_DECLS

#endif
