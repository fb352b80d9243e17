/* Parts of both texts of an analysis.
 * SPDX-License-Identifier: MIT */
#ifndef PD_ANALYSIS_TEXT_PRIVATE_H
#define PD_ANALYSIS_TEXT_PRIVATE_H

#include "reports/analysis/pd-analysis-text.h"

typedef struct
{
  const PdReportRun *run;
  const PdAnalysisShow *show;
  gboolean with_waits;
  const PdIntervalResult *r; /* the interval, */
  guint at;                  /* which is this one of the results */
  guint width;
  int decimals;
  GString *out;
} PdAnalysisWriter;

/* The sentences about the present interval, with an empty line behind them. */
void pd_analysis_write_diagnosis (PdAnalysisWriter *self);
/* Its efficiency and the factors of that. Returns: whether it has any. */
gboolean pd_analysis_write_efficiencies (PdAnalysisWriter *self);

#endif
