/* Adding points to the database of a study.
 * SPDX-License-Identifier: MIT */
#include "sweep/pd-study-db-private.h"

#include <string.h>

static const struct
{
  const char *table;
  guint n_columns;
} inserts[PD_N_INSERTS] = {
  [PD_INSERT_POINT] = { "point", 3 },
  [PD_INSERT_POINT_VALUE] = { "point_value", 3 },
  [PD_INSERT_FIGURE] = { "figure", 3 },
  [PD_INSERT_INTERVAL] = { "interval", 8 },
  [PD_INSERT_RESULT] = { "result", 7 + PD_POINT_N_COUNTERS + PD_N_CHARACTERISTICS },
  [PD_INSERT_PROCESSOR] = { "processor_value", 3 + PD_N_CHARACTERISTICS },
  [PD_INSERT_WARNING] = { "warning", 7 },
  [PD_INSERT_WORK] = { "work", 5 },
};

sqlite3_stmt *
pd_study_db_insert_into (PdStudyDb *self, const char *table, guint n_columns)
{
  g_autoptr (GString) sql = g_string_new (NULL);
  sqlite3_stmt *statement = NULL;

  g_string_printf (sql, "INSERT INTO %s VALUES (?", table);
  for (guint i = 1; i < n_columns; i++)
    g_string_append (sql, ",?");
  g_string_append_c (sql, ')');
  sqlite3_prepare_v3 (self->db, sql->str, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL);
  return statement;
}

gboolean
pd_study_db_prepare (PdStudyDb *self, GError **error)
{
  for (guint i = 0; i < PD_N_INSERTS; i++)
    {
      self->inserts[i] = pd_study_db_insert_into (self, inserts[i].table, inserts[i].n_columns);
      if (self->inserts[i] == NULL)
        return pd_study_db_fail (self, PD_REPORT_ERROR_READ, error);
    }
  return TRUE;
}

gboolean
pd_study_db_end_row (sqlite3_stmt *statement)
{
  gboolean ok = sqlite3_step (statement) == SQLITE_DONE;

  return sqlite3_reset (statement) == SQLITE_OK && ok;
}

/* Texts stay where they are until the row has ended. */
static void
bind_text (sqlite3_stmt *statement, int column, const char *text)
{
  sqlite3_bind_text (statement, column, text, -1, SQLITE_STATIC);
}

static gboolean
add_point (PdStudyDb *self, const PdPointResult *result)
{
  sqlite3_stmt *s = self->inserts[PD_INSERT_POINT];

  sqlite3_bind_int64 (s, 1, result->point);
  bind_text (s, 2, pd_point_status_name (result->status));
  bind_text (s, 3, result->message);
  if (!pd_study_db_end_row (s))
    return FALSE;
  s = self->inserts[PD_INSERT_POINT_VALUE];
  sqlite3_bind_int64 (s, 1, result->point);
  for (guint i = 0; i < pd_study_get_n_axes (self->study); i++)
    {
      sqlite3_bind_int64 (s, 2, i);
      sqlite3_bind_int64 (s, 3, pd_study_get_value (self->study, result->point, i));
      if (!pd_study_db_end_row (s))
        return FALSE;
    }
  return TRUE;
}

static gboolean
add_figures (PdStudyDb *self, const PdPointResult *result)
{
  sqlite3_stmt *s = self->inserts[PD_INSERT_FIGURE];

  sqlite3_bind_int64 (s, 1, result->point);
  for (guint i = 0; i < result->figures->len; i++)
    {
      const PdPointFigure *figure = &g_array_index (result->figures, PdPointFigure, i);
      bind_text (s, 2, figure->name);
      if (figure->is_real)
        sqlite3_bind_double (s, 3, figure->real);
      else
        sqlite3_bind_int64 (s, 3, figure->integer);
      if (!pd_study_db_end_row (s))
        return FALSE;
    }
  return TRUE;
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
  static const char *const words[] = { "MAIN", "SEQ", "PAR", "USER" };
  const PdPointInterval *parent = &g_array_index (result->intervals, PdPointInterval, r->parent);
  sqlite3_stmt *s = self->inserts[PD_INSERT_INTERVAL];

  if (g_hash_table_contains (self->intervals, &r->id))
    return TRUE;
  sqlite3_bind_int64 (s, 1, r->id);
  if (r == parent)
    sqlite3_bind_null (s, 2);
  else
    sqlite3_bind_int64 (s, 2, parent->id);
  sqlite3_bind_int64 (s, 3, r->depth);
  bind_text (s, 4, words[r->type]);
  bind_text (s, 5, r->file);
  sqlite3_bind_int64 (s, 6, r->line);
  if (r->index == PD_INTERVAL_NO_INDEX)
    sqlite3_bind_null (s, 7);
  else
    sqlite3_bind_int64 (s, 7, r->index);
  bind_text (s, 8, r->name);
  if (!pd_study_db_end_row (s))
    return FALSE;
  pd_study_db_note_interval (self, r->id);
  return TRUE;
}

static gboolean
add_results (PdStudyDb *self, const PdPointResult *result)
{
  sqlite3_stmt *s = self->inserts[PD_INSERT_RESULT];

  sqlite3_bind_int64 (s, 1, result->point);
  for (guint i = 0; i < result->intervals->len; i++)
    {
      const PdPointInterval *r = &g_array_index (result->intervals, PdPointInterval, i);
      int column = 1;
      if (!add_interval (self, result, r))
        return FALSE;
      sqlite3_bind_int64 (s, ++column, i);
      sqlite3_bind_int64 (s, ++column, r->id);
      sqlite3_bind_int64 (s, ++column, r->n_processors);
      sqlite3_bind_int64 (s, ++column, r->execution_time_ps);
      sqlite3_bind_double (s, ++column, r->total_time);
      sqlite3_bind_double (s, ++column, r->efficiency);
      for (guint k = 0; k < PD_POINT_N_COUNTERS; k++)
        sqlite3_bind_int64 (s, ++column, (gint64) r->counts[k]);
      for (guint c = 0; c < PD_N_CHARACTERISTICS; c++)
        sqlite3_bind_double (s, ++column, r->values[c]);
      if (!pd_study_db_end_row (s))
        return FALSE;
    }
  return TRUE;
}

static gboolean
add_processors (PdStudyDb *self, const PdPointResult *result)
{
  sqlite3_stmt *s = self->inserts[PD_INSERT_PROCESSOR];

  sqlite3_bind_int64 (s, 1, result->point);
  for (guint i = 0; i < result->processors->len; i++)
    {
      const PdPointProcessor *p = &g_array_index (result->processors, PdPointProcessor, i);
      sqlite3_bind_int64 (s, 2, p->interval);
      sqlite3_bind_int64 (s, 3, p->processor);
      for (guint c = 0; c < PD_N_CHARACTERISTICS; c++)
        sqlite3_bind_int64 (s, 4 + (int) c, p->values[c]);
      if (!pd_study_db_end_row (s))
        return FALSE;
    }
  return TRUE;
}

static gboolean
add_warnings (PdStudyDb *self, const PdPointResult *result)
{
  sqlite3_stmt *s = self->inserts[PD_INSERT_WARNING];

  sqlite3_bind_int64 (s, 1, result->point);
  for (guint i = 0; i < result->warnings->len; i++)
    {
      const PdPointWarning *w = &g_array_index (result->warnings, PdPointWarning, i);
      sqlite3_bind_int64 (s, 2, i);
      bind_text (s, 3, w->id);
      bind_text (s, 4, w->subject);
      bind_text (s, 5, w->text);
      bind_text (s, 6, w->place);
      sqlite3_bind_int64 (s, 7, (gint64) w->count);
      if (!pd_study_db_end_row (s))
        return FALSE;
    }
  return TRUE;
}

static gboolean
add_work (PdStudyDb *self, const PdPointResult *result, const PdStudyWork *work)
{
  sqlite3_stmt *s = self->inserts[PD_INSERT_WORK];

  sqlite3_clear_bindings (s);
  sqlite3_bind_int64 (s, 1, result->point);
  sqlite3_bind_int64 (s, 2, work->attempts);
  if (work->finished > 0)
    {
      sqlite3_bind_double (s, 3, result->seconds);
      bind_text (s, 4, work->host);
      sqlite3_bind_int64 (s, 5, work->finished);
    }
  return pd_study_db_end_row (s);
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
  if (!add_point (self, result) || !add_figures (self, result) || !add_results (self, result)
      || !add_processors (self, result) || !add_warnings (self, result)
      || !add_work (self, result, work))
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

/* ---- what is known of it */

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

char *
pd_study_db_find_failure (const PdStudyDb *self, gint64 *point)
{
  g_return_val_if_fail (self != NULL && point != NULL, NULL);

  static const char sql[] = "SELECT number, status || ': ' || message FROM point "
                            "WHERE status NOT IN ('done', 'incomplete') ORDER BY number LIMIT 1";
  sqlite3_stmt *s = NULL;
  char *text = NULL;

  if (sqlite3_prepare_v2 (self->db, sql, -1, &s, NULL) == SQLITE_OK
      && sqlite3_step (s) == SQLITE_ROW)
    {
      *point = sqlite3_column_int64 (s, 0);
      text = g_strdup ((const char *) sqlite3_column_text (s, 1));
    }
  sqlite3_finalize (s);
  return text;
}
