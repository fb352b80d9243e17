/* How much is computed at a place of the program, on any number of ranks.
 *
 * The first repetitions of a loop may differ from the others, because the first one includes the
 * computation in front of the loop. The first repetitions of the loop around it may differ as well,
 * as levels of a multigrid do. Such repetitions have times of their own. The differences between
 * ranks, and between repetitions, are those of the largest recording.
 * SPDX-License-Identifier: MIT */
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
