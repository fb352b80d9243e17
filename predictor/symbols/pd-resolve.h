/* Call stacks of recorded archives: from addresses to lines.
 * SPDX-License-Identifier: MIT */
#ifndef PD_RESOLVE_H
#define PD_RESOLVE_H

#include <glib.h>

/* Calls by the cost of recording them, in the order of the archive's property. */
typedef enum
{
  PD_RECORDED_BLOCKING,
  PD_RECORDED_NON_BLOCKING,
  PD_RECORDED_COLLECTIVE,
  PD_RECORDED_TESTS, /* that found nothing */
  PD_RECORDED_OTHERS,
  PD_N_RECORDED_COSTS,
} PdRecordedCostKind;

typedef struct
{
  guint64 n_calls;
  gdouble each; /* ns; 0 = not given */
} PdRecordedCost;

/* The contents of the definitions of an archive. */
typedef struct
{
  guint32 n_ranks;
  guint32 n_threads; /* of all ranks, that called MPI at once */
  guint64 n_events;
  guint64 n_calls;                           /* of MPI; 0 = not given */
  gdouble length;                            /* seconds, from the first event to the last */
  PdRecordedCost costs[PD_N_RECORDED_COSTS]; /* of recording */
  char *call_costs;                          /* (nullable): the same as it is written */
  guint n_places;                            /* addresses of calls */
  guint n_found;                             /* of those, which have lines or functions now */
  char *truncated;   /* (nullable): ranks whose events end early, or the first of them */
  char *common_part; /* (nullable): until when all ranks were recorded, and the run's end */
  char *clock;       /* (nullable): what computation is measured in: "cpu" or "wall" */
  char *digests;     /* (nullable): of the definitions, then of each file of events */
} PdRecordedInfo;

/**
 * pd_resolve_archive:
 * @path: the anchor file of an archive of the recorder
 * @info: (out caller-allocated): what it holds; pd_recorded_info_clear() it
 * @error: return location for a #PdTraceError: OPEN or FORMAT if the definitions
 *   cannot be read or written
 *
 * Rewrites the definitions if there are addresses that can be resolved on this
 * machine; events stay as they are.
 *
 * Returns: %FALSE with @error set; the archive is as it was then.
 */
gboolean pd_resolve_archive (const char *path, PdRecordedInfo *info, GError **error);

/**
 * pd_recorded_info_get_overhead:
 * Returns: the share of the run, 0 to 1, that recording took of the mean rank; 0 if it is not
 *   known.
 */
gdouble pd_recorded_info_get_overhead (const PdRecordedInfo *self);

/**
 * pd_recorded_info_get_overhead_of:
 * Returns: likewise, for calls of @kind.
 */
gdouble pd_recorded_info_get_overhead_of (const PdRecordedInfo *self, PdRecordedCostKind kind);

/**
 * pd_recorded_cost_name:
 * Returns: "blocking": the name of @kind for people; static.
 */
const char *pd_recorded_cost_name (PdRecordedCostKind kind);

/**
 * pd_recorded_info_clear:
 * Releases what @info holds.
 */
void pd_recorded_info_clear (PdRecordedInfo *info);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PdRecordedInfo, pd_recorded_info_clear)

#endif
