/* The sensitivity of a run in result files.
 * SPDX-License-Identifier: MIT */
#include "base/pd-error.h"
#include "base/pd-text.h"
#include "reports/run/pd-sensitivity-private.h"
#include "reports/run/pd-report-sqlite.h"
#include "reports/emit/pd-format.h"
#include "reports/run/pd-sensitivity-db.h"

#include <math.h>

void
pd_sensitivity_append_schema (GString *sql)
{
  const PdSensitivityTable *table;

  for (guint t = 0; (table = pd_sensitivity_get_table (t)) != NULL; t++)
    pd_record_append_schema (&table->record, sql);
}

static gboolean
read_time (sqlite3_stmt *s, int column, PdTime *time)
{
  gdouble seconds = sqlite3_column_double (s, column);

  /* no written path is longer */
  if (!(seconds >= 0 && seconds * 1e12 < (gdouble) G_MAXINT64))
    return FALSE;
  *time = PD_TIME ((gint64) roundl ((long double) seconds * 1e12L));
  return TRUE;
}

/* @row: an empty one, which gets the value */
static gboolean
read_value (PdSensitivity *self, sqlite3_stmt *s, int column, const PdField *c, gpointer row)
{
  const char *text = (const char *) sqlite3_column_text (s, column);

  switch (c->type)
    {
    case PD_FIELD_TEXT:
      G_STRUCT_MEMBER (char *, row, c->offset) = pd_text_show (text);
      return TRUE;
    case PD_FIELD_KIND:
      {
        g_autofree char *clean = pd_text_show (text);
        G_STRUCT_MEMBER (const char *, row, c->offset) =
            g_string_chunk_insert_const (self->kinds, clean);
        return TRUE;
      }
    case PD_FIELD_NUMBER:
      G_STRUCT_MEMBER (guint32, row, c->offset) =
          (guint32) CLAMP (sqlite3_column_int64 (s, column), 0, (gint64) G_MAXUINT32);
      return TRUE;
    case PD_FIELD_BOOLEAN:
      G_STRUCT_MEMBER (gboolean, row, c->offset) = sqlite3_column_int (s, column) != 0;
      return TRUE;
    case PD_FIELD_TIME:
      return read_time (s, column, &G_STRUCT_MEMBER (PdTime, row, c->offset));
    case PD_FIELD_REAL:
    default:
      G_STRUCT_MEMBER (gdouble, row, c->offset) = sqlite3_column_double (s, column);
      return TRUE;
    }
}

static char *
select_rows (const PdSensitivityTable *table)
{
  GString *sql = g_string_new ("SELECT ");

  for (const PdField *c = pd_sensitivity_fields (table); c->type != PD_FIELD_END; c++)
    g_string_append_printf (sql, "%s\"%s\"", c == pd_sensitivity_fields (table) ? "" : ", ",
                            c->name);
  g_string_append_printf (sql, " FROM %s WHERE run = ? ORDER BY position", table->record.table);
  return g_string_free (sql, FALSE);
}

static gboolean
read_table (sqlite3 *db, gint64 id, PdSensitivity *self, const PdSensitivityTable *table,
            GError **error)
{
  g_autofree char *sql = select_rows (table);
  g_autoptr (sqlite3_stmt) s = pd_report_db_prepare (db, sql, id, error);
  GArray *rows = pd_sensitivity_rows (self, table);
  g_autoptr (GError) local = NULL;

  if (s == NULL)
    return FALSE;
  while (local == NULL && pd_report_db_next (db, s, &local))
    {
      int column = 0;
      g_array_set_size (rows, rows->len + 1);
      gpointer row = (gpointer) pd_sensitivity_row (self, table, rows->len - 1);
      for (const PdField *c = pd_sensitivity_fields (table);
           c->type != PD_FIELD_END && local == NULL; c++)
        if (!read_value (self, s, column++, c, row))
          g_set_error (&local, PD_REPORT_ERROR, PD_REPORT_ERROR_READ,
                       "damaged result file: a time in %s that cannot be", table->record.table);
    }
  return pd_propagate (error, g_steal_pointer (&local));
}

/* Files of version 5 have the tables only: the path ends where its last piece does. */
static void
guess_head (PdSensitivity *self)
{
  const GArray *segments = self->segments;

  self->n_messages = self->n_ties = PD_SENSITIVITY_UNKNOWN;
  if (segments->len == 0)
    return;
  const PdSensitivitySegment *last =
      &g_array_index (segments, PdSensitivitySegment, segments->len - 1);
  self->rank = last->peer;
  self->makespan = last->end;
}

static gboolean
read_head (sqlite3 *db, gint64 id, PdSensitivity *self, GError **error)
{
  static const char sql[] = "SELECT makespan_ps, rank, messages, ties FROM critical_path"
                            " WHERE run = ?";
  g_autoptr (GError) local = NULL;

  guess_head (self);
  if (pd_report_db_get_version (db) < 6)
    return TRUE;
  g_autoptr (sqlite3_stmt) s = pd_report_db_prepare (db, sql, id, error);
  if (s == NULL)
    return FALSE;
  if (pd_report_db_next (db, s, &local))
    {
      self->makespan = PD_TIME (MAX (sqlite3_column_int64 (s, 0), 0));
      self->rank = (guint32) CLAMP (sqlite3_column_int64 (s, 1), 0, (gint64) G_MAXUINT32);
      self->n_messages = (guint64) MAX (sqlite3_column_int64 (s, 2), 0);
      self->n_ties = (guint64) MAX (sqlite3_column_int64 (s, 3), 0);
    }
  return pd_propagate (error, g_steal_pointer (&local));
}

gboolean
pd_sensitivity_read (sqlite3 *db, gint64 id, PdSensitivity **found, GError **error)
{
  g_autoptr (PdSensitivity) self = pd_sensitivity_new ();
  const PdSensitivityTable *table;
  guint n = 0;

  *found = NULL;
  if (pd_report_db_get_version (db) < 5)
    return TRUE;
  self->kinds = g_string_chunk_new (128);
  for (guint t = 0; (table = pd_sensitivity_get_table (t)) != NULL; t++)
    {
      if (!read_table (db, id, self, table, error))
        return FALSE;
      n += pd_sensitivity_rows (self, table)->len;
    }
  if (!read_head (db, id, self, error))
    return FALSE;
  if (n > 0)
    *found = g_steal_pointer (&self);
  return TRUE;
}
