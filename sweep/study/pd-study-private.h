/* Shared declarations of the files of a study.
 * SPDX-License-Identifier: MIT */
#ifndef PD_STUDY_PRIVATE_H
#define PD_STUDY_PRIVATE_H

#include "sweep/study/pd-study.h"

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

#endif
