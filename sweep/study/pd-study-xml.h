/* Studies as XML.
 * SPDX-License-Identifier: MIT */
#ifndef PD_STUDY_XML_H
#define PD_STUDY_XML_H

#include "sweep/study/pd-study.h"

/**
 * pd_study_is_file:
 * Returns: whether @path looks like a study file, and not like a trace.
 */
gboolean pd_study_is_file (const char *path);

/**
 * pd_study_read:
 * @self: gets what the file says; not complete yet
 * @bytes: the text
 * @name: what messages call it
 * @error: return location for %PD_STUDY_ERROR_FORMAT and those of the functions
 *   above
 */
gboolean pd_study_read (PdStudy *self, GBytes *bytes, const char *name, GError **error);

/**
 * pd_study_write:
 * @out: the text of a complete study is appended; pd_study_read() makes the same of
 *   it, and equal studies have equal texts
 */
void pd_study_write (const PdStudy *self, GString *out);

#endif
