/* Shared declarations of the writers of the advice.
 * SPDX-License-Identifier: MIT */
#ifndef PD_ADVICE_PRIVATE_H
#define PD_ADVICE_PRIVATE_H

#include "reports/advice/pd-advice.h"
#include "reports/run/pd-report-types.h"

/* The runs as lines of a table. */
typedef struct
{
  const PdAdvice *advice;
  GArray *lines; /* PdComparison, one per run */
  guint base;    /* of speed-up */
} PdAdviceView;

static inline const PdReportRun *
pd_advice_view_run (const PdAdviceView *view, guint i)
{
  return pd_report_run (view->advice->report, i);
}

#endif
