/* A list of points as a CSV file.
 * SPDX-License-Identifier: MIT */
#ifndef PD_STUDY_LIST_H
#define PD_STUDY_LIST_H

#include "sweep/study/pd-study.h"

/**
 * pd_study_add_list:
 * @path: a CSV file: names of axes first, then a line for each point; "-" is
 *   standard input
 * @error: return location for %PD_STUDY_ERROR_OPEN, _FORMAT or _VALUES
 *
 * Adds axes and points.
 */
gboolean pd_study_add_list (PdStudy *self, const char *path, GError **error);

/**
 * pd_study_read_list:
 * @text: what such a file holds
 * @name: what messages call it
 * @error: return location for %PD_STUDY_ERROR_FORMAT or _VALUES
 *
 * As pd_study_add_list().
 */
gboolean pd_study_read_list (PdStudy *self, const char *text, const char *name, GError **error);

#endif
