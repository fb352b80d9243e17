/* The analysis of a run for people: one screen, or for each interval a diagnosis in words and
 * the five sections of the 2005 analyser.
 * SPDX-License-Identifier: MIT */
#ifndef PD_ANALYSIS_TEXT_H
#define PD_ANALYSIS_TEXT_H

#include "reports/run/pd-report.h"

/* The parts to show. */
typedef struct
{
  gboolean full;        /* everything of each interval */
  guint top;            /* rows of each ranked table; 0 = all */
  gint64 level;         /* intervals up to this depth */
  gboolean per_process; /* what each rank has */
  gdouble by_cost;      /* call sites of at least so many per cent of the interval's */
  gdouble by_source;    /* communication, by cost and by place; 100 = none */
} PdAnalysisShow;

/**
 * pd_report_write_analysis:
 * @self: a report whose only run has an analysis
 * @show: what of it
 * @width: columns of the terminal; 0 = unknown
 * @out: the text is appended
 */
void pd_report_write_analysis (const PdReport *self, const PdAnalysisShow *show, guint width,
                               GString *out);

#endif
