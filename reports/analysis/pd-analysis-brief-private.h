/* An analysis on one screen.
 * SPDX-License-Identifier: MIT */
#ifndef PD_ANALYSIS_BRIEF_PRIVATE_H
#define PD_ANALYSIS_BRIEF_PRIVATE_H

#include "reports/analysis/pd-analysis-text-private.h"

/* The whole program: diagnosis, main figures with their extremes, and the largest
 * wait states, call sites and intervals. */
void pd_analysis_write_brief (PdAnalysisWriter *self);

#endif
