/* Calls in words, for refusals.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SCALE_CALLS_H
#define PD_SCALE_CALLS_H

#include "scale/fold/pd-fold.h"
#include "scale/pd-scale-words.h"

/**
 * pd_scale_name_shape:
 * @shape: of a call, or %PD_FOLD_LOOP
 * @text: gets the call, and where in the program it is
 */
void pd_scale_name_shape (const PdScaleWords *words, guint32 shape, GString *text);

/**
 * pd_scale_describe_difference:
 * @a: (element-type PdFoldNode): a sequence
 * @b: (element-type PdFoldNode): another one, of other structure
 *
 * Returns: (transfer full): the first calls that differ: "MPI_Send at a.c:3 and the end of a loop".
 */
char *pd_scale_describe_difference (const PdScaleWords *words, const GPtrArray *a,
                                    const GPtrArray *b);

#endif
