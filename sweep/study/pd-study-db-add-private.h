/* Adding points to the database of a study.
 * SPDX-License-Identifier: MIT */
#ifndef PD_STUDY_DB_ADD_PRIVATE_H
#define PD_STUDY_DB_ADD_PRIVATE_H

#include "sweep/study/pd-study-db-private.h"

/* Prepares the statements that add a point. */
gboolean pd_study_db_prepare (PdStudyDb *self, GError **error);

/* Adds a row to table @what. */
gboolean pd_study_db_insert (PdStudyDb *self, guint what, gconstpointer row);

/* Notes that @point is done. */
void pd_study_db_note (PdStudyDb *self, gint64 point, PdPointStatus status);

/* Notes its time. */
void pd_study_db_note_time (PdStudyDb *self, gint64 point, gint64 ps);

/* Notes that an interval is in the file. */
void pd_study_db_note_interval (PdStudyDb *self, gint64 id);

#endif
