/* The sensitivity of a run in result files.
 * SPDX-License-Identifier: MIT */
#include "reports/pd-sensitivity-private.h"

#include <math.h>

/* ---- into them */

static const char *const sql_types[] = {
  [PD_COLUMN_TEXT] = "TEXT",       [PD_COLUMN_KIND] = "TEXT", [PD_COLUMN_NUMBER] = "INTEGER",
  [PD_COLUMN_BOOLEAN] = "INTEGER", [PD_COLUMN_TIME] = "REAL", [PD_COLUMN_REAL] = "REAL",
};

void
pd_sensitivity_append_head_schema (GString *sql)
{
  g_string_append (sql, "CREATE TABLE critical_path ( -- with --sensitivity\n"
                        "  run INTEGER PRIMARY KEY REFERENCES run (id),\n"
                        "  makespan_ps INTEGER NOT NULL, -- how long the path is\n"
                        "  rank INTEGER NOT NULL, -- that ends last\n"
                        "  messages INTEGER NOT NULL, -- on the path\n"
                        "  ties INTEGER NOT NULL -- where two causes come to the same moment\n"
                        ");\n");
}

void
pd_sensitivity_append_schema (GString *sql)
{
  const PdSensitivityTable *table;

  for (guint t = 0; (table = pd_sensitivity_get_table (t)) != NULL; t++)
    {
      g_string_append_printf (sql,
                              "CREATE TABLE %s ( -- with --sensitivity: %s\n"
                              "  run INTEGER NOT NULL,\n"
                              "  position INTEGER NOT NULL, -- from 0\n",
                              table->name, table->meaning);
      for (const PdSensitivityColumn *c = table->columns; c->name != NULL; c++)
        g_string_append_printf (sql, "  \"%s\" %s NOT NULL, -- %s\n", c->name, sql_types[c->type],
                                c->meaning);
      g_string_append (sql, "  PRIMARY KEY (run, position)\n) WITHOUT ROWID;\n");
    }
}

static void
insert_value (PdInsert *insert, const PdSensitivityColumn *column, gconstpointer row)
{
  switch (column->type)
    {
    case PD_COLUMN_TEXT:
    case PD_COLUMN_KIND:
      pd_insert_text (insert, G_STRUCT_MEMBER (const char *, row, column->offset));
      break;
    case PD_COLUMN_NUMBER:
      pd_insert_integer (insert, G_STRUCT_MEMBER (guint32, row, column->offset));
      break;
    case PD_COLUMN_BOOLEAN:
      pd_insert_integer (insert, G_STRUCT_MEMBER (gboolean, row, column->offset));
      break;
    case PD_COLUMN_TIME:
      pd_insert_double (insert, pd_time_sum_to_seconds (pd_sensitivity_time (row, column)));
      break;
    case PD_COLUMN_REAL:
    default:
      pd_insert_double (insert, G_STRUCT_MEMBER (gdouble, row, column->offset));
    }
}

static gboolean
insert_table (sqlite3 *db, gint64 id, const PdSensitivity *self, const PdSensitivityTable *table)
{
  g_autoptr (sqlite3_stmt) statement = NULL;
  PdInsert insert;
  int n_columns = 2;

  for (const PdSensitivityColumn *c = table->columns; c->name != NULL; c++)
    n_columns++;
  gboolean ok = pd_insert_prepare (db, table->name, n_columns, &insert);
  statement = insert.statement;
  for (guint i = 0; ok && i < pd_sensitivity_rows (self, table)->len; i++)
    {
      pd_insert_integer (&insert, id);
      pd_insert_integer (&insert, i);
      for (const PdSensitivityColumn *c = table->columns; c->name != NULL; c++)
        insert_value (&insert, c, pd_sensitivity_row (self, table, i));
      ok = pd_insert_end_row (&insert);
    }
  return ok;
}

static gboolean
insert_head (sqlite3 *db, gint64 id, const PdSensitivity *self)
{
  g_autoptr (sqlite3_stmt) statement = NULL;
  PdInsert insert;

  gboolean ok = pd_insert_prepare (db, "critical_path", 5, &insert);
  statement = insert.statement;
  if (!ok)
    return FALSE;
  pd_insert_integer (&insert, id);
  pd_insert_integer (&insert, self->makespan.ps);
  pd_insert_integer (&insert, self->rank);
  pd_insert_count (&insert, self->n_messages);
  pd_insert_count (&insert, self->n_ties);
  return pd_insert_end_row (&insert);
}

gboolean
pd_insert_sensitivity (sqlite3 *db, gint64 id, const PdSensitivity *self)
{
  const PdSensitivityTable *table;
  gboolean ok = insert_head (db, id, self);

  for (guint t = 0; ok && (table = pd_sensitivity_get_table (t)) != NULL; t++)
    ok = insert_table (db, id, self, table);
  return ok;
}

/* ---- and out of them */

static gboolean
read_time (sqlite3_stmt *s, int column, PdTime *time)
{
  gdouble seconds = sqlite3_column_double (s, column);

  /* of what is written none is longer */
  if (!(seconds >= 0 && seconds * 1e12 < (gdouble) G_MAXINT64))
    return FALSE;
  *time = PD_TIME ((gint64) roundl ((long double) seconds * 1e12L));
  return TRUE;
}

/* @row: an empty one, which gets the value */
static gboolean
read_value (PdSensitivity *self, sqlite3_stmt *s, int column, const PdSensitivityColumn *c,
            gpointer row)
{
  const char *text = (const char *) sqlite3_column_text (s, column);

  switch (c->type)
    {
    case PD_COLUMN_TEXT:
      G_STRUCT_MEMBER (char *, row, c->offset) = pd_report_clean (text);
      return TRUE;
    case PD_COLUMN_KIND:
      {
        g_autofree char *clean = pd_report_clean (text);
        G_STRUCT_MEMBER (const char *, row, c->offset) =
            g_string_chunk_insert_const (self->kinds, clean);
        return TRUE;
      }
    case PD_COLUMN_NUMBER:
      G_STRUCT_MEMBER (guint32, row, c->offset) =
          (guint32) CLAMP (sqlite3_column_int64 (s, column), 0, (gint64) G_MAXUINT32);
      return TRUE;
    case PD_COLUMN_BOOLEAN:
      G_STRUCT_MEMBER (gboolean, row, c->offset) = sqlite3_column_int (s, column) != 0;
      return TRUE;
    case PD_COLUMN_TIME:
      return read_time (s, column, &G_STRUCT_MEMBER (PdTime, row, c->offset));
    case PD_COLUMN_REAL:
    default:
      G_STRUCT_MEMBER (gdouble, row, c->offset) = sqlite3_column_double (s, column);
      return TRUE;
    }
}

static char *
select_rows (const PdSensitivityTable *table)
{
  GString *sql = g_string_new ("SELECT ");

  for (const PdSensitivityColumn *c = table->columns; c->name != NULL; c++)
    g_string_append_printf (sql, "%s\"%s\"", c == table->columns ? "" : ", ", c->name);
  g_string_append_printf (sql, " FROM %s WHERE run = ? ORDER BY position", table->name);
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
      for (const PdSensitivityColumn *c = table->columns; c->name != NULL && local == NULL; c++)
        if (!read_value (self, s, column++, c, row))
          g_set_error (&local, PD_REPORT_ERROR, PD_REPORT_ERROR_READ,
                       "damaged result file: a time in %s that cannot be", table->name);
    }
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
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
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
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
