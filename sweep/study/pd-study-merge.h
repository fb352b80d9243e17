/* One database of a study from several, which hold parts of it.
 * SPDX-License-Identifier: MIT */
#ifndef PD_STUDY_MERGE_H
#define PD_STUDY_MERGE_H

#include "sweep/study/pd-study-db.h"

/* The result of a merge. */
typedef struct
{
  gint64 n_points; /* of the study */
  gint64 n_done;   /* in the file */
  gint64 n_shared; /* that were in more than one */
  gint64 counts[PD_N_POINT_STATUSES];
  char *missing; /* points that are in none: "3, 7-9, …"; NULL = nothing is missing */
  gint64 best;   /* the point with the least execution time; -1 = none */
  PdTime best_time;
  char *best_text; /* its parameters */
} PdStudyMerged;

/**
 * pd_study_merged_clear:
 * Frees what @self holds.
 */
void pd_study_merged_clear (PdStudyMerged *self);

/**
 * pd_study_merge:
 * @out: the file; one of the same study that is there takes part, and is replaced
 * @paths: (array zero-terminated=1): databases of one study; empty ones, which
 *   were never begun, have no points
 * @names: (nullable): the meanings of names of parameters
 * @origin: its command line and date
 * @merged: (out caller-allocated): the result
 * @error: return location for %PD_STUDY_ERROR_DIFFERS, not the same study, or a point
 *   that is not the same in two of them; or a #PdReportError
 *
 * Points that are in several files must be the same in each. Until it is complete,
 * the file has another name: on an error @out is as before.
 */
gboolean pd_study_merge (const char *out, const char *const *paths, const PdStudyNames *names,
                         const PdStudyOrigin *origin, PdStudyMerged *merged, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PdStudyMerged, pd_study_merged_clear)

#endif
