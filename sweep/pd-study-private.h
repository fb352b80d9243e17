/* What the files of a study share.
 * SPDX-License-Identifier: MIT */
#ifndef PD_STUDY_PRIVATE_H
#define PD_STUDY_PRIVATE_H

#include "sweep/pd-study.h"

G_BEGIN_DECLS

struct _PdStudy
{
  const PdStudyNames *names; /* (nullable) */
  GArray *parameters;        /* PdParameter */
  GPtrArray *axes;           /* PdAxis*, owned */
  PdPointsKind kind;
  gint64 n_sample; /* points of a sample that were asked for */
  guint32 seed;
  gint64 n_points; /* 0 until it is complete */
  GArray *indices; /* (element-type guint32): point by point, one for each axis; not of a product */
  GPtrArray *found; /* (element-type GHashTable): of each axis of a list, value to number + 1 */
  gboolean per_processor;
  gboolean complete;
};

/* ---- pd-study-values.c */

/* Appends the values of @text to @axis, which has its name only. */
gboolean pd_axis_expand (PdAxis *axis, const char *text, GError **error);

/* Appends a value as it is, and sees what the axis is then. */
void pd_axis_add (PdAxis *axis, const char *text);

/* The value that is the share @u (0 to 1) of the range of @axis. */
char *pd_axis_sample (const PdAxis *axis, gdouble u);

/* Once all values are there: the kind, the unit and the numbers. */
void pd_axis_measure (PdAxis *axis);

G_END_DECLS

#endif
