/* A timeline of any length in a picture of bounded size: how long each group of
 * ranks was in each state, in each of a few bins of time.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TIMELINE_BINS_H
#define PD_TIMELINE_BINS_H

#include "timeline/pd-rank-groups.h"
#include "timeline/pd-timeline.h"

#define PD_TIMELINE_MAX_GROUPS 256
#define PD_TIMELINE_MAX_BINS   512
/* So many slices are kept as they are, too. */
#define PD_TIMELINE_MAX_EXACT 20000

/* Bin b is the time from b * width to (b + 1) * width; there are no more than reach
 * the last slice's end. Integer picoseconds: the bins of a state add up to its
 * slices. */
typedef struct
{
  PdTimelineFeed *feed; /* of the run, until it is over */
  PdRankGroups groups;
  guint32 n_cpus; /* of each rank */
  guint32 n_bins;
  PdTime width;
  PdTime end;         /* of the last slice */
  PdTimeSum *sum;     /* (array): [bin][group][state], see pd_timeline_bins_get() */
  GArray *exact;      /* (nullable): PdTimelineSlice, all that take time, in the order they came
                       * in; NULL: there were too many, or ranks have several CPUs */
  GPtrArray *regions; /* (nullable): when the run is over, names of the regions of @exact, by
                       * the numbers they have there, in the order of their first use */
} PdTimelineBins;

/* The consumer; @self is a #PdTimelineBins. */
extern const PdTimelineClass pd_timeline_bins_class;

/**
 * pd_timeline_bins_new:
 * Returns: (transfer full): for a run that is about to begin.
 */
PdTimelineBins *pd_timeline_bins_new (void);

/**
 * pd_timeline_bins_free:
 * @self: (nullable): the bins
 */
void pd_timeline_bins_free (PdTimelineBins *self);

/**
 * pd_timeline_bins_add:
 * @self: of a run that has begun; not one from pd_timeline_bins_coarsen()
 * @slice: of a rank of it; 0 <= begin <= end
 *
 * Costs the number of bins that @slice is in; where it ends behind the last bin there
 * can be, bins become twice as wide, in pairs, until it does not.
 */
void pd_timeline_bins_add (PdTimelineBins *self, const PdTimelineSlice *slice);

/**
 * pd_timeline_bins_get:
 * @self: the bins
 * @bin: < n_bins
 * @group: < groups.n
 *
 * Returns: (array length=PD_TL_N_STATES): how long its ranks were in each state.
 */
const PdTimeSum *pd_timeline_bins_get (const PdTimelineBins *self, guint32 bin, guint32 group);

/**
 * pd_timeline_bins_coarsen:
 * @self: the bins
 * @n_bins: > 0: so many are left at most
 * @n_groups: > 0: likewise, of groups
 *
 * Returns: (transfer full): the same time in fewer bins and groups, without exact
 *   slices.
 */
PdTimelineBins *pd_timeline_bins_coarsen (const PdTimelineBins *self, guint32 n_bins,
                                          guint32 n_groups);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdTimelineBins, pd_timeline_bins_free)

#endif
