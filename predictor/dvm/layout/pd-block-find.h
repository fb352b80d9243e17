/* Finding lists in block files.
 * SPDX-License-Identifier: MIT */
#ifndef PD_BLOCK_FIND_H
#define PD_BLOCK_FIND_H

#include "predictor/dvm/layout/pd-block-file.h"

/**
 * pd_block_file_find:
 * @query: what for
 * @other: (out): a list that is for the place and the dimension, though for
 *   another number of processors, if there is no other; or %NULL
 *
 * The file's name matches as a whole, or, if the list gives no folder, by its
 * last part. A list fits if it is for that grid, and has as many values as the
 * dimension has coordinates (loads: at least as many). Of several that fit, one
 * for that grid goes before one for any, then sizes before weights before loads.
 *
 * Returns: (transfer none) (nullable): the list.
 */
const PdBlockList *pd_block_file_find (const PdBlockFile *self, const PdBlockQuery *query,
                                       const PdBlockList **other);

#endif
