/* Adding points to the database of a study.
 * SPDX-License-Identifier: MIT */
#include "sweep/study/pd-study-db-private.h"
#include "sweep/study/pd-study-db-add-private.h"
#include "sweep/study/pd-study-db-add.h"

#include <math.h>

static PdInsert *
prepare (PdStudyDb *self, guint what)
{
  PdInsert *insert = &self->inserts[what];

  if (insert->columns == NULL)
    *insert = pd_insert_into (self->db, &pd_study_records[what]);
  return insert;
}

gboolean
pd_study_db_prepare (PdStudyDb *self, GError **error)
{
  for (guint i = 0; i < PD_N_INSERTS; i++)
    if (!prepare (self, i)->ok)
      return pd_study_db_fail (self, PD_REPORT_ERROR_READ, error);
  return TRUE;
}

gboolean
pd_study_db_insert (PdStudyDb *self, guint what, gconstpointer row)
{
  return pd_insert_row (prepare (self, what), self->keys, row);
}

/* With the number @number. */
static gboolean
insert_numbered (PdStudyDb *self, guint what, gint64 number, gconstpointer row)
{
  self->keys[PD_STUDY_KEY_NUMBER] = number;
  return pd_study_db_insert (self, what, row);
}

static gboolean
add_point (PdStudyDb *self, const PdPointResult *result)
{
  PdStudyPointRow row = { pd_point_status_name (result->status), result->message };
  gboolean ok = pd_study_db_insert (self, PD_INSERT_POINT, &row);

  for (guint i = 0; i < pd_study_get_n_axes (self->study) && ok; i++)
    {
      gint64 value = pd_study_get_value (self->study, result->point, i);
      ok = insert_numbered (self, PD_INSERT_POINT_VALUE, i, &value);
    }
  return ok;
}

static gboolean
add_figures_and_warnings (PdStudyDb *self, const PdPointResult *result)
{
  gboolean ok = TRUE;

  for (guint i = 0; i < result->figures->len && ok; i++)
    {
      const PdPointFigure *figure = &g_array_index (result->figures, PdPointFigure, i);
      ok = pd_study_db_insert (self, figure->is_real ? PD_INSERT_REAL_FIGURE : PD_INSERT_FIGURE,
                               figure);
    }
  for (guint i = 0; i < result->warnings->len && ok; i++)
    ok = insert_numbered (self, PD_INSERT_WARNING, i,
                          &g_array_index (result->warnings, PdPointWarning, i));
  return ok;
}

void
pd_study_db_note_interval (PdStudyDb *self, gint64 id)
{
  gint64 *copy = g_new (gint64, 1);

  *copy = id;
  g_hash_table_add (self->intervals, copy);
}

/* Once in the file, whichever point has it first. */
static gboolean
add_interval (PdStudyDb *self, const PdPointResult *result, const PdPointInterval *r)
{
  const PdPointInterval *parent = &g_array_index (result->intervals, PdPointInterval, r->parent);
  PdStudyIntervalRow row = { r == parent ? -1 : parent->id,
                             pd_interval_type_name ((PdIntervalType) r->type), *r };

  if (g_hash_table_contains (self->intervals, &r->id))
    return TRUE;
  if (!pd_study_db_insert (self, PD_INSERT_INTERVAL, &row))
    return FALSE;
  pd_study_db_note_interval (self, r->id);
  return TRUE;
}

static gboolean
add_results (PdStudyDb *self, const PdPointResult *result)
{
  gboolean ok = TRUE;

  for (guint i = 0; i < result->intervals->len && ok; i++)
    {
      const PdPointInterval *r = &g_array_index (result->intervals, PdPointInterval, i);
      ok = add_interval (self, result, r) && insert_numbered (self, PD_INSERT_RESULT, i, r);
    }
  for (guint i = 0; i < result->processors->len && ok; i++)
    ok = pd_study_db_insert (self, PD_INSERT_PROCESSOR,
                             &g_array_index (result->processors, PdPointProcessor, i));
  return ok;
}

static gboolean
add_work (PdStudyDb *self, const PdPointResult *result, const PdStudyWork *work)
{
  PdStudyWorkRow row = { { work->attempts, NULL, -1 }, NAN };

  if (work->finished > 0)
    row = (PdStudyWorkRow){ *work, result->seconds };
  return pd_study_db_insert (self, PD_INSERT_WORK, &row);
}

gboolean
pd_study_db_add (PdStudyDb *self, const PdPointResult *result, const PdStudyWork *work,
                 GError **error)
{
  const PdPointFigure *time = pd_point_result_find (result, "execution_time_ps");

  g_return_val_if_fail (self->study != NULL, FALSE);
  g_return_val_if_fail (result->point < pd_study_get_n_points (self->study), FALSE);

  if (!self->is_open)
    {
      if (sqlite3_exec (self->db, "BEGIN IMMEDIATE", NULL, NULL, NULL) != SQLITE_OK)
        return pd_study_db_fail (self, PD_REPORT_ERROR_WRITE, error);
      self->is_open = TRUE;
    }
  self->keys[PD_STUDY_KEY_POINT] = result->point;
  if (!add_point (self, result) || !add_figures_and_warnings (self, result)
      || !add_results (self, result) || !add_work (self, result, work))
    {
      pd_study_db_fail (self, PD_REPORT_ERROR_WRITE, error);
      /* half a point is none */
      if (sqlite3_get_autocommit (self->db) == 0)
        sqlite3_exec (self->db, "ROLLBACK", NULL, NULL, NULL);
      self->is_open = FALSE;
      return FALSE;
    }
  pd_study_db_note (self, result->point, result->status);
  if (time != NULL && pd_point_status_has_result (result->status))
    pd_study_db_note_time (self, result->point, time->integer);
  return TRUE;
}

gboolean
pd_study_db_commit (PdStudyDb *self, GError **error)
{
  if (!self->is_open)
    return TRUE;
  self->is_open = FALSE;
  if (sqlite3_exec (self->db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK)
    return TRUE;
  pd_study_db_fail (self, PD_REPORT_ERROR_WRITE, error);
  if (sqlite3_get_autocommit (self->db) == 0)
    sqlite3_exec (self->db, "ROLLBACK", NULL, NULL, NULL);
  return FALSE;
}

/* ---- the row of a point */

void
pd_study_db_note (PdStudyDb *self, gint64 point, PdPointStatus status)
{
  self->done[point / 8] = (guint8) (self->done[point / 8] | 1 << point % 8);
  self->counts[status]++;
}

void
pd_study_db_note_time (PdStudyDb *self, gint64 point, gint64 ps)
{
  gboolean better =
      self->best < 0 || ps < self->best_time.ps || (ps == self->best_time.ps && point < self->best);

  if (!better)
    return;
  self->best = point;
  self->best_time = PD_TIME (ps);
}

gboolean
pd_study_db_is_done (const PdStudyDb *self, gint64 point)
{
  return (self->done[point / 8] >> point % 8 & 1) != 0;
}

gint64
pd_study_db_count (const PdStudyDb *self, PdPointStatus status)
{
  return self->counts[status];
}

gboolean
pd_study_db_get_best (const PdStudyDb *self, gint64 *point, PdTime *time)
{
  *point = self->best;
  *time = self->best_time;
  return self->best >= 0;
}
