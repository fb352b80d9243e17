/* What-ifs that try several values: the number of portions of pipelines, the grid. And what all
 * what-ifs share.
 * SPDX-License-Identifier: MIT */
#ifndef PD_WHAT_IF_VARY_PRIVATE_H
#define PD_WHAT_IF_VARY_PRIVATE_H

#include "predictor/common/pd-counts.h"
#include "predictor/dvm/predict/pd-predict.h"
#include "reports/hints/pd-what-ifs.h"

typedef struct
{
  const PdPredictOptions *predict;
  const PdCount *count;
  PdReportRun *run;
  GArray *what_ifs; /* PdWhatIf */
  PdTime time;      /* without a change */
  gint64 portions;  /* likewise, facts of the program */
  guint n_speeds;
  gboolean is_recorded_grid;
  PdDvmFacts facts; /* of the last prediction */
} PdWhatIfSearch;

/* Those of the run, without what observes it; the facts go to @self. */
PdPredictOptions pd_what_if_options (PdWhatIfSearch *self);

/* Predicts. @time: (out): how long the run takes; pending: it cannot be predicted, which the run
 * notes. Returns FALSE with @error if one wants to stop. */
gboolean pd_what_if_run (PdWhatIfSearch *self, const PdPredictOptions *options,
                         const PdCount *count, PdTime *time, GError **error);

/* @what_if: its identifier, time and, (transfer full), its texts; @value may be NULL. */
void pd_what_if_add (PdWhatIfSearch *self, PdWhatIf what_if);

/* Doubles, else halves the number of portions while that helps. */
gboolean pd_what_if_vary_portions (PdWhatIfSearch *self, GError **error);

/* Other grids of as many processors and dimensions, the transposed ones first. */
gboolean pd_what_if_vary_grid (PdWhatIfSearch *self, GError **error);

#endif
