/* Programs that use tokens: what a rank goes on with when one comes.
 * SPDX-License-Identifier: MIT */
#ifndef PD_CRITICAL_PATH_TOKENS_H
#define PD_CRITICAL_PATH_TOKENS_H

#include "comsys/critical/pd-critical-path.h"

G_BEGIN_DECLS

/**
 * pd_critical_keep:
 * @rank: which acts
 *
 * What @rank has come to now is what it goes on with when @token comes.
 */
void pd_critical_keep (PdCriticalPath *self, guint32 rank, guint32 token);

/**
 * pd_critical_join:
 * @token: of a request that is complete: pd_comsys_notify_unless_known()
 *
 * The acting @rank also follows from the event of @token, for which no notification will come.
 */
void pd_critical_join (PdCriticalPath *self, guint32 rank, guint32 token);

/**
 * pd_critical_continue:
 *
 * Likewise it goes on with at once.
 */
void pd_critical_continue (PdCriticalPath *self, guint32 rank);

/**
 * pd_critical_begin_turn:
 * @turn: of a rank that ends when the last thing ends that it does
 */
void pd_critical_begin_turn (PdCriticalPath *self, const PdTurn *turn);

G_END_DECLS

#endif
