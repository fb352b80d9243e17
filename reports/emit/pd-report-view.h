/* Which intervals and processors the reader of a text report wants to see. Documents have all.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REPORT_VIEW_H
#define PD_REPORT_VIEW_H

#include "intervals/pd-interval.h"

#include <glib.h>

#define PD_REPORT_VIEW_ALL_LEVELS (-1)

/* All zero but for the level: nothing in particular. */
typedef struct
{
  gint level;  /* depth of the deepest intervals; %PD_REPORT_VIEW_ALL_LEVELS */
  char *file;  /* (nullable): of the intervals that are shown with all there is of them, … */
  gint64 line; /* … and their line */
  GArray *processors; /* (nullable): guint32: first and last of each range */
} PdReportView;

/**
 * pd_report_view_set_interval:
 * @text: "FILE:LINE"; the file may lack the folders that the trace has in front of it
 *
 * Returns: whether @text is of that form.
 */
gboolean pd_report_view_set_interval (PdReportView *self, const char *text);

/**
 * pd_report_view_set_processors:
 * @text: "0,4-7"
 *
 * Returns: whether @text is of that form.
 */
gboolean pd_report_view_set_processors (PdReportView *self, const char *text);

/**
 * pd_report_view_is_interval:
 * Returns: whether @result is one of the intervals that pd_report_view_set_interval() named.
 */
gboolean pd_report_view_is_interval (const PdReportView *self, const PdIntervalResult *result);

/**
 * pd_report_view_has_processor:
 * Returns: whether @processor is wanted; all are if none was named.
 */
gboolean pd_report_view_has_processor (const PdReportView *self, guint32 processor);

/**
 * pd_report_view_clear:
 * Frees what @self has.
 */
void pd_report_view_clear (PdReportView *self);

#endif
