/* Which intervals and processors the reader of a text report wants to see. Documents have all.
 * SPDX-License-Identifier: MIT */
#ifndef PD_VIEW_H
#define PD_VIEW_H

#include "intervals/pd-interval.h"

#include <glib.h>

#define PD_VIEW_ALL_LEVELS (-1)

/* All zero but for the level: nothing in particular. */
typedef struct
{
  gint level;  /* depth of the deepest intervals; %PD_VIEW_ALL_LEVELS */
  char *file;  /* (nullable): of the intervals that are shown with all there is of them, … */
  gint64 line; /* … and their line */
  GArray *processors; /* (nullable): guint32: first and last of each range */
} PdView;

/**
 * pd_view_set_interval:
 * @text: "FILE:LINE"; the file may lack the folders that the trace has in front of it
 *
 * Returns: whether @text is of that form.
 */
gboolean pd_view_set_interval (PdView *self, const char *text);

/**
 * pd_view_set_processors:
 * @text: "0,4-7"
 *
 * Returns: whether @text is of that form.
 */
gboolean pd_view_set_processors (PdView *self, const char *text);

/**
 * pd_view_is_interval:
 * Returns: whether @result is one of the intervals that pd_view_set_interval() named.
 */
gboolean pd_view_is_interval (const PdView *self, const PdIntervalResult *result);

/**
 * pd_view_has_processor:
 * Returns: whether @processor is wanted; all are if none was named.
 */
gboolean pd_view_has_processor (const PdView *self, guint32 processor);

/**
 * pd_view_clear:
 * Frees what @self has.
 */
void pd_view_clear (PdView *self);

#endif
