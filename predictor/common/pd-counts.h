/* Lists of processor counts and grids, as -n takes them.
 * SPDX-License-Identifier: MIT */
#ifndef PD_COUNTS_H
#define PD_COUNTS_H

#include "predictor/dvm/layout/pd-dvm-layout.h"

/* One grid the user asked for. */
typedef struct
{
  guint rank; /* 1 to PD_MAX_GRID_RANK */
  gint64 sizes[PD_MAX_GRID_RANK];
} PdCount;

/* More processors are refused, and longer lists of grids. */
#define PD_MAX_COUNT  G_GINT64_CONSTANT (16777214)
#define PD_MAX_COUNTS 10000

/**
 * pd_counts_parse:
 * @text: items separated by commas: "8", "4x2", "1:64:x2" (1, 2, 4 … 64),
 *   "4:16:+4" (4, 8, 12, 16), "all:12" (every grid of 12 processors)
 * @rank: how many dimensions the grids of "all:12" may have, 1 to
 *   %PD_MAX_GRID_RANK
 * @error: return location for a %PD_USAGE_ERROR; the message quotes the item
 *
 * Returns: (transfer full) (nullable) (element-type PdCount): in order of the
 *   text, without repetitions.
 */
GArray *pd_counts_parse (const char *text, guint rank, GError **error);

/**
 * pd_counts_need_rank:
 * Returns: whether what @text means depends on the rank that pd_counts_parse()
 *   is given.
 */
gboolean pd_counts_need_rank (const char *text);

/**
 * pd_counts_new_all:
 * @n: processors, 1 to %PD_MAX_COUNT
 * @rank: dimensions, 1 to %PD_MAX_GRID_RANK
 *
 * Returns: (transfer full) (element-type PdCount): every grid of @n processors
 *   of at most @rank dimensions, once: 4x1 is 4, but 1x4 is another. Those of
 *   fewer dimensions first, then by their sizes. If there are more than
 *   %PD_MAX_COUNTS, one more than these.
 */
GArray *pd_counts_new_all (gint64 n, guint rank);

/**
 * pd_count_compare:
 * Returns: less than, equal to or more than 0, as @a comes before @b: by processors, dimensions,
 *   and sizes, the first one first.
 */
int pd_count_compare (const PdCount *a, const PdCount *b);

/**
 * pd_count_get_n:
 * Returns: the number of processors of @count.
 */
gint64 pd_count_get_n (const PdCount *count);

/**
 * pd_sizes_format:
 * @sizes: (array length=rank): of a grid, or of anything else
 *
 * Returns: (transfer full): "4x2".
 */
char *pd_sizes_format (const gint64 *sizes, guint rank);

#endif
