/* Which loops of a program that is made are the same in each repetition.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SCALE_STEADY_PRIVATE_H
#define PD_SCALE_STEADY_PRIVATE_H

#include "scale/pd-scale-model-private.h"

/* Where the numbers of a node have come to in the rank that is made. */
typedef struct
{
  PdColumnPlace numbers[PD_SCALE_N_COLUMNS]; /* that are literal */
  PdColumnPlace counts;
  guint64 n; /* times that the element came */
} PdScaleState;

/* Which repetition of the loops around it is at a node. */
typedef struct
{
  gint64 k, m;      /* of the innermost loop, and how many it has */
  gint64 l, levels; /* likewise, of the loop around that */
} PdScaleTurn;

/* Outside of all loops. */
#define PD_SCALE_NO_TURN ((PdScaleTurn){ 0, 1, 0, 1 })

/**
 * pd_scale_turn_in:
 * Returns: the turn of elements in the repetition @k of @m of @node, which is in @around.
 */
static inline PdScaleTurn
pd_scale_turn_in (const PdScaleNode *node, PdScaleTurn around, gint64 k, gint64 m)
{
  return node->once ? around : (PdScaleTurn){ k, m, around.k, around.m };
}

/**
 * pd_scale_turn_of_beat:
 * @period: after how many repetitions a loop in the innermost one begins again, > 0
 *
 * Returns: @turn with that loop.
 */
static inline PdScaleTurn
pd_scale_turn_of_beat (PdScaleTurn turn, gint64 period)
{
  if (turn.k < period)
    return turn;
  return (PdScaleTurn){ turn.k % period, period, turn.k / period, turn.m / period };
}

/* A node that is repeated. */
typedef struct
{
  const PdScaleWords *words;
  const PdScaleState *states; /* of the class's nodes */
  const PdScaleNode *node;
  PdScaleTurn turn; /* of the loops around it */
  gint64 n;         /* those of the node itself, > 0 */
} PdScaleRepeat;

/**
 * pd_scale_is_sampled:
 * Returns: whether @node is computation whose amount differs from one time to the next.
 */
gboolean pd_scale_is_sampled (const PdScaleWords *words, const PdScaleNode *node);

/**
 * pd_scale_has_samples:
 * Returns: whether @node is sampled, or one inside it.
 */
gboolean pd_scale_has_samples (const PdScaleWords *words, const PdScaleNode *node);

/**
 * pd_scale_repeat_is_steady:
 * @where: the rank that is made, without the repetition
 *
 * Returns: whether all repetitions are known to be equal, amounts of pd_scale_is_sampled() aside.
 *   %FALSE also where a nested loop has another number of repetitions each time.
 */
gboolean pd_scale_repeat_is_steady (const PdScaleRepeat *self, const PdRulePlace *where);

/**
 * pd_scale_repeat_skip:
 * @self: steady; the first repetition has been made
 * @states: goes on as if the others had been, too
 */
void pd_scale_repeat_skip (const PdScaleRepeat *self, const PdRulePlace *where,
                           PdScaleState *states);

#endif
