/* Shared declarations of the files of "predictor report".
 * SPDX-License-Identifier: MIT */
#ifndef CMD_REPORT_PRIVATE_H
#define CMD_REPORT_PRIVATE_H

#include <glib.h>

#define PD_N_REPORT_STUDY_OPTIONS 10

/* Options for databases of studies, and charts of others; all zero at first. */
typedef struct
{
  char *chart;
  char *metric;
  char *x;
  char *by;
  char **where;
  char *price;
  gboolean all;
  char *plot;
  char *html;
  gboolean no_plot;
} PdReportStudyOptions;

/* Fills a table of %PD_N_REPORT_STUDY_OPTIONS and an end. */
void pd_report_study_fill (PdReportStudyOptions *self, GOptionEntry *entries);
void pd_report_study_clear (PdReportStudyOptions *self);
/* @output: (nullable): standard output. Returns the exit status. */
int pd_report_study_run (const PdReportStudyOptions *options, const char *path, const char *output,
                         gboolean csv, GError **error);

/* The same of results of single runs: charts and pages are written, what belongs to the text
 * is appended to @text (nullable). @run: its number; 0 = all. Returns the exit status. */
int pd_report_results_run (const PdReportStudyOptions *options, const char *path, gint64 run,
                           GString *text, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PdReportStudyOptions, pd_report_study_clear)

#endif
