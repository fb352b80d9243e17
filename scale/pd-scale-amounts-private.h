/* How much is computed at a place of the program, on any number of ranks.
 *
 * The first repetitions of a loop may differ from the others, since what is in front of the loop is
 * a part of the first one, and so may those of the loop around it, as levels of a multigrid do:
 * they have times of their own then. What ranks, and repetitions, differ by is taken from the
 * largest recording. SPDX-License-Identifier: MIT */
#ifndef PD_SCALE_AMOUNTS_PRIVATE_H
#define PD_SCALE_AMOUNTS_PRIVATE_H

#include "scale/pd-scale-model-private.h"

/* Where amounts come from. */
typedef struct
{
  const GArray *members;          /* PdScaleMember: ranks of a class, those of fewer ranks first */
  const PdColumn *const *columns; /* of each member: the amounts */
  const PdColumn *const *visits;  /* of each member: how often the loop around them is repeated */
  const PdColumn *const *outer;   /* of each member: likewise, of the loop around that */
  const gint64 *periods; /* of each member: after how many repetitions a loop in that loop begins */
} PdScaleAmounts;

/**
 * pd_scale_amounts_fit:
 * @node: an element, with the least numbers of first repetitions that have times of their own; gets
 *   its times and their points, or its amounts, if they are the same in all ranks
 */
void pd_scale_amounts_fit (const PdScaleModel *model, const PdScaleAmounts *amounts,
                           PdScaleNode *node);

#endif
