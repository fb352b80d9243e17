/* The critical path.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PATH_PRIVATE_H
#define PD_PATH_PRIVATE_H

#include "analyse/pd-analysis-private.h"
#include "base/pd-vector.h"

/* A stretch of it on one rank. */
typedef struct
{
  guint32 rank;
  gint64 from;
  gint64 to;
} PdPathInterval;

/* @blocks: (array length=n_ranks): PdBlock of each rank, in order. Returns: the
 * stretches, by rank and time. */
GArray *pd_path_find (PdAnalysis *analysis, const PdVector *blocks);

#endif
