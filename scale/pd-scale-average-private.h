/* Sizes of operations whose ranks have a block for each member: the average of the blocks.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SCALE_AVERAGE_PRIVATE_H
#define PD_SCALE_AVERAGE_PRIVATE_H

#include "scale/pd-scale-numbers-private.h"

/**
 * pd_scale_is_averaged:
 * Returns: whether the size of the operation @op is the average of the blocks for each member.
 */
gboolean pd_scale_is_averaged (PdCollKind op);

/**
 * pd_scale_average_of:
 * @list: (element-type gint64): blocks of bytes
 *
 * Returns: the average, rounded down; 0 of an empty list.
 */
gint64 pd_scale_average_of (const GArray *list);

/**
 * pd_scale_average_fit:
 * @source: sizes of calls, with the blocks of these
 * @number: (out caller-allocated): follows the blocks
 *
 * Returns: whether each size is the average of the blocks of its call.
 */
gboolean pd_scale_average_fit (const PdScaleSource *source, PdScaleNumber *number);

#endif
