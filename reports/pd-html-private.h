/* Pieces of the page.
 * SPDX-License-Identifier: MIT */
#ifndef PD_HTML_PRIVATE_H
#define PD_HTML_PRIVATE_H

#include "reports/pd-report-private.h"

G_BEGIN_DECLS

/* @headings: (array zero-terminated=1): a column whose heading begins with "<" is
 * aligned to the left. */
void pd_html_begin_table (GString *out, const char *const *headings);
void pd_html_end_table (GString *out);

/* The first cell of a row, which it begins, of a tree. */
void pd_html_append_label (GString *out, const char *label, guint depth);
void pd_html_append_cell (GString *out, const char *text);
void pd_html_append_fixed (GString *out, gdouble value, int decimals);

/* ---- parts of the page, in pd-analysis-html.c */

/* What the analysis of @run says of the program, and where one looks first. */
void pd_html_append_diagnosis (GString *out, const PdReportRun *run);
/* Wait states and call sites of each interval. */
void pd_html_append_analysis (GString *out, const PdReportRun *run, gboolean ranks);

G_END_DECLS

#endif
