/* Adding points to the database of a study.
 * SPDX-License-Identifier: MIT */
#ifndef PD_STUDY_DB_ADD_H
#define PD_STUDY_DB_ADD_H

#include "sweep/study/pd-study-db.h"

/**
 * pd_study_db_is_done:
 * @point: of its study
 *
 * Returns: whether that point is in the file; of one opened to be added to.
 */
gboolean pd_study_db_is_done (const PdStudyDb *self, gint64 point);

/**
 * pd_study_db_count:
 * Returns: how many points are in the file with that status; of one opened to be added to.
 */
gint64 pd_study_db_count (const PdStudyDb *self, PdPointStatus status);

/**
 * pd_study_db_add:
 * @result: of a point that is not done yet
 * @work: what it has taken
 * @error: return location for %PD_REPORT_ERROR_WRITE
 *
 * Adds a point. It is in the file after pd_study_db_commit().
 */
gboolean pd_study_db_add (PdStudyDb *self, const PdPointResult *result, const PdStudyWork *work,
                          GError **error);

/**
 * pd_study_db_commit:
 * @error: return location for %PD_REPORT_ERROR_WRITE; then the points since the last
 *   commit are not in the file
 */
gboolean pd_study_db_commit (PdStudyDb *self, GError **error);

/**
 * pd_study_db_get_best:
 * @point: (out): the one with the least execution time, the first of equal ones
 * @time: (out): that time
 *
 * Returns: whether there is any with a time; of a database opened to be added to.
 */
gboolean pd_study_db_get_best (const PdStudyDb *self, gint64 *point, PdTime *time);

#endif
