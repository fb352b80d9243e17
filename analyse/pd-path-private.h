/* The critical path.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PATH_PRIVATE_H
#define PD_PATH_PRIVATE_H

#include "analyse/pd-analysis-private.h"
#include "analyse/pd-replay-private.h"
#include "base/memory/pd-vector.h"

/* A stretch of it on one rank. */
typedef struct
{
  guint32 rank;
  gint64 from;
  gint64 to;
} PdPathInterval;

/* It, and how far it has been shared among the intervals and call sites of the run. */
typedef struct
{
  PdAnalysis *analysis;
  PdVector intervals; /* PdPathInterval, by rank and time */
  guint next;         /* the first that may have to do with the present action, */
  gint64 from;        /* and where it begins, if it is on the present rank, */
  gint64 to;          /* and ends */
} PdPath;

/* Finds it. @blocks: (array length=n_ranks): PdBlock of each rank, in order. */
void pd_path_init (PdPath *self, PdAnalysis *analysis, const PdVector *blocks);
/* The actions of @rank come next: ranks ascend. */
void pd_path_begin_rank (PdPath *self, guint32 rank);
/* The present action of @replay, in @node; actions in their order. @site: (nullable): what it is a
 * call of; %NULL: it is no call. */
void pd_path_share_on (PdPath *self, const PdReplay *replay, guint32 node, PdCallSite *site,
                       gint64 share);
/* How much of it lies on stretches. */
gint64 pd_path_find_share (PdPath *self, const PdReplay *replay);
static inline void
pd_path_share (PdPath *self, const PdReplay *replay, guint32 node, PdCallSite *site)
{
  gint64 share = replay->leave - replay->enter;

  if (replay->leave <= self->from)
    return;
  if (replay->enter < self->from || replay->leave >= self->to)
    share = pd_path_find_share (self, replay);
  pd_path_share_on (self, replay, node, site, share);
}
void pd_path_clear (PdPath *self);

#endif
