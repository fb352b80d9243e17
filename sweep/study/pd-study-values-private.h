/* The values of an axis: lists, ranges and units.
 * SPDX-License-Identifier: MIT */
#ifndef PD_STUDY_VALUES_PRIVATE_H
#define PD_STUDY_VALUES_PRIVATE_H

#include "sweep/study/pd-study-private.h"

/* Appends the values of @text to @axis, which has its name only. */
gboolean pd_axis_expand (PdAxis *axis, const char *text, GError **error);

/* Appends a value as it is, and sees what the axis is then. */
void pd_axis_add (PdAxis *axis, const char *text);

/* The value that is the share @u (0 to 1) of the range of @axis. */
char *pd_axis_sample (const PdAxis *axis, gdouble u);

/* Once all values are there: the kind, the unit and the numbers. */
void pd_axis_measure (PdAxis *axis);

#endif
