/* Lists of processor counts and grids, as -n takes them.
 * SPDX-License-Identifier: MIT */
#ifndef PD_COUNTS_H
#define PD_COUNTS_H

#include "predictor/pd-dvm-layout.h"

G_BEGIN_DECLS

/* One grid the user asked for. */
typedef struct
{
  guint rank; /* 1 to PD_MAX_GRID_RANK */
  gint64 sizes[PD_MAX_GRID_RANK];
} PdCount;

/**
 * pd_counts_parse:
 * @text: items separated by commas: "8", "4x2", "1:64:x2" (1, 2, 4 … 64),
 *   "4:16:+4" (4, 8, 12, 16), "all:12" (every grid of 12 processors)
 * @error: return location for a %PD_USAGE_ERROR; the message quotes the item
 *
 * Returns: (transfer full) (nullable) (element-type PdCount): in order of the
 *   text, without repetitions.
 */
GArray *pd_counts_parse (const char *text, GError **error);

G_END_DECLS

#endif
