/* The main loop of a simulation: whose turn it is.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MAIN_LOOP_H
#define PD_MAIN_LOOP_H

#include "base/pd-time.h"
#include "comsys/state/pd-comsys-types.h"

G_BEGIN_DECLS

/**
 * pd_comsys_peek:
 * Returns: the rank of an event of this moment that is due soon; or a number
 *   beyond all ranks.
 */
guint32 pd_comsys_peek (const PdComsys *self);

/**
 * pd_comsys_expect:
 * @rank: a world rank
 *
 * The caller will soon send to @rank: has the memory loaded that this needs.
 * Changes nothing.
 */
void pd_comsys_expect (const PdComsys *self, guint32 rank);

/**
 * pd_comsys_expect_message:
 * @rank: the caller
 * @peer: world rank of the other end
 * @tag: of the message, on the communicator of all
 * @is_near: the caller will start it soon; else later
 *
 * Likewise, of a rank that exchanges messages with many: what it takes to match this one.
 */
void pd_comsys_expect_message (const PdComsys *self, guint32 rank, guint32 peer, gint32 tag,
                               gboolean is_send, gboolean is_near);

/**
 * pd_comsys_next:
 * @rank: (out): who is to act
 * @when: (out): at which moment
 *
 * Handles protocol events until a rank's turn comes: one that was made ready,
 * or whose pending call returns now.
 *
 * Returns: %FALSE if nothing is left to happen: all ranks have finished, or
 *   the rest is blocked for ever (see pd_comsys_get_blocked()).
 */
gboolean pd_comsys_next (PdComsys *self, guint32 *rank, PdTime *when);

/**
 * pd_comsys_next_event:
 * @turn: (out): who is to act, at which moment, and what for
 *
 * As pd_comsys_next(), for programs that use tokens.
 *
 * Returns: %FALSE if nothing is left to happen.
 */
gboolean pd_comsys_next_event (PdComsys *self, PdTurn *turn);

G_END_DECLS

#endif
