/* Actions of a rank that are those of a loop's body once more. Internal to traces/program.
 * SPDX-License-Identifier: MIT */
#ifndef PD_FOLLOWER_PRIVATE_H
#define PD_FOLLOWER_PRIVATE_H

#include "traces/program/pd-program-private.h"

/* @loop: the last cell of a rank; @done: cells of its body that have been done once more, which are
 * at the beginning of no action but the first one that has not */
PdFollower *pd_follower_new (PdProgramCell *loop, gsize done);
/* Whether the next action is the one of @n @cells, which has been done then. */
gboolean pd_follower_take (PdFollower *self, const PdProgramCell *cells, gsize n);
/* (transfer full) @self: what has been done of the body is written behind the loop. */
void pd_follower_end (PdFollower *self, PdProgramRank *rank);

#endif
