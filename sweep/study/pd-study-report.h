/* The results of a study as text with plots, a page, CSV.
 * SPDX-License-Identifier: MIT */
#ifndef PD_STUDY_REPORT_H
#define PD_STUDY_REPORT_H

#include "reports/emit/pd-columns.h"
#include "sweep/study/pd-study-chart.h"

/* How it is shown. */
typedef struct
{
  PdChart chart;   /* as asked for */
  gboolean all;    /* every point, not the best ones only */
  gboolean plots;  /* of text: with a plot in characters */
  gboolean priced; /* cost is in units of a price */
  guint width;     /* columns of the terminal */
} PdStudyView;

/**
 * pd_study_report_text:
 * @out: the text is appended
 * @error: return location for a #PdStudyError of the chart
 *
 * State of the study, the best points, the chart as a table and, if gnuplot is there, as a
 * plot; the front of time and cost.
 */
gboolean pd_study_report_text (const PdStudyTable *table, const PdStudyView *view, GString *out,
                               GError **error);

/**
 * pd_study_report_describe:
 * Returns: (transfer full): lines that say how many points are done, and what the axes are.
 */
char *pd_study_report_describe (const PdStudyTable *table);

/**
 * pd_study_report_add_row:
 * Adds row @row to the table of points, with its place on the axes.
 */
void pd_study_report_add_row (PdColumns *to, const PdStudyTable *table, guint row);

/**
 * pd_study_report_csv:
 * @out: one line for each point with a result is appended, with a heading: its values on the
 *   axes, then what it came to
 */
void pd_study_report_csv (const PdStudyTable *table, GString *out);

/**
 * pd_study_report_plot:
 * @path: .png or .svg
 * @error: return location for a #PdPlotError or a #PdStudyError
 *
 * Draws the chart.
 */
gboolean pd_study_report_plot (const PdStudyTable *table, const PdStudyView *view, const char *path,
                               GError **error);

#endif
