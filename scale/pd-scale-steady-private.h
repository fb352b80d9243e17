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
  guint64 n;                              /* times that the element came */
  guint64 turns[PD_SCALE_MOST_TURNS + 1]; /* of these, as each of the first repetitions */
} PdScaleState;

/* A node that is repeated. */
typedef struct
{
  const PdScaleWords *words;
  const PdScaleState *states; /* of the class's nodes */
  const PdScaleNode *node;
  gint64 k; /* the repetition of the loop around it; */
  gint64 m; /* its repetitions */
  gint64 n; /* those of the node itself, > 0 */
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
