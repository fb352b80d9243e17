/* Measurements in SQLite: one row of "measurement" each, its facts, and a table per kind
 * of rows, whose column "measurement" says which one they are of.
 * SPDX-License-Identifier: MIT */
#include "measure/sheet/pd-sheet-private.h"
#include "measure/sheet/pd-sheet-db.h"

#include <glib/gstdio.h>
#include <math.h>
#include <sqlite3.h>

typedef struct
{
  sqlite3 *db;
  const char *path;
  GError **error;
} Writer;

static gboolean
fail (Writer *w)
{
  if (w->error != NULL && *w->error == NULL)
    g_set_error (w->error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_WRITE, "cannot write '%s': %s",
                 w->path, w->db != NULL ? sqlite3_errmsg (w->db) : "no memory");
  return FALSE;
}

static gboolean
run (Writer *w, const char *sql)
{
  return sqlite3_exec (w->db, sql, NULL, NULL, NULL) == SQLITE_OK || fail (w);
}

static gboolean
read_integer (Writer *w, const char *sql, gint64 *value)
{
  sqlite3_stmt *statement = NULL;
  gboolean fine = sqlite3_prepare_v2 (w->db, sql, -1, &statement, NULL) == SQLITE_OK
                  && sqlite3_step (statement) == SQLITE_ROW;

  if (fine)
    *value = sqlite3_column_int64 (statement, 0);
  sqlite3_finalize (statement);
  return fine || fail (w);
}

/* Ours, or new: no application and no tables. */
static gboolean
check_owner (Writer *w)
{
  gint64 application, version, tables;

  if (!read_integer (w, "PRAGMA application_id", &application)
      || !read_integer (w, "PRAGMA user_version", &version)
      || !read_integer (w, "SELECT count(*) FROM sqlite_schema", &tables))
    return FALSE;
  if (tables == 0 && application == 0)
    return TRUE;
  if (application == PD_MEASURE_APPLICATION && version <= PD_MEASURE_VERSION)
    return TRUE;
  g_set_error (w->error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_FOREIGN,
               application == PD_MEASURE_APPLICATION ? "'%s' is of a newer version of this program"
                                                     : "'%s' is a database of another application",
               w->path);
  return FALSE;
}

static gboolean
create_table (Writer *w, const PdTableSpec *spec)
{
  static const char *const types[] = {
    [PD_COLUMN_INTEGER] = "INTEGER", [PD_COLUMN_REAL] = "REAL", [PD_COLUMN_TEXT] = "TEXT"
  };
  g_autoptr (GString) sql = g_string_new (NULL);

  g_string_printf (sql,
                   "CREATE TABLE IF NOT EXISTS \"%s\" (measurement INTEGER NOT NULL "
                   "REFERENCES measurement, number INTEGER NOT NULL",
                   spec->name);
  for (gsize i = 0; i < spec->n_columns; i++)
    g_string_append_printf (sql, ", \"%s\" %s", spec->columns[i].name,
                            types[spec->columns[i].kind]);
  g_string_append (sql, ", PRIMARY KEY (measurement, number)) WITHOUT ROWID");
  return run (w, sql->str);
}

static void
bind (sqlite3_stmt *statement, int place, const PdColumn *column, PdSheetCell cell)
{
  switch (column->kind)
    {
    case PD_COLUMN_INTEGER:
      sqlite3_bind_int64 (statement, place, cell.integer);
      return;
    case PD_COLUMN_REAL:
      if (isnan (cell.real))
        sqlite3_bind_null (statement, place);
      else
        sqlite3_bind_double (statement, place, cell.real);
      return;
    case PD_COLUMN_TEXT:
      sqlite3_bind_text (statement, place, cell.text, -1, SQLITE_STATIC);
    }
}

static gboolean
insert_rows (Writer *w, const PdSheetTable *table, sqlite3_stmt *statement, gint64 id)
{
  const PdTableSpec *spec = table->spec;

  for (gsize row = 0; row < pd_sheet_table_length (table); row++)
    {
      const PdSheetCell *cells = pd_sheet_table_row (table, row);
      sqlite3_bind_int64 (statement, 1, id);
      sqlite3_bind_int64 (statement, 2, (gint64) row + 1);
      for (gsize i = 0; i < spec->n_columns; i++)
        bind (statement, (int) i + 3, &spec->columns[i], cells[i]);
      if (sqlite3_step (statement) != SQLITE_DONE)
        return fail (w);
      sqlite3_reset (statement);
    }
  return TRUE;
}

static gboolean
write_table (Writer *w, const PdSheetTable *table, gint64 id)
{
  g_autoptr (GString) sql = g_string_new (NULL);
  sqlite3_stmt *statement = NULL;
  gboolean fine;

  if (!create_table (w, table->spec))
    return FALSE;
  g_string_printf (sql, "INSERT INTO \"%s\" VALUES (?, ?", table->spec->name);
  for (gsize i = 0; i < table->spec->n_columns; i++)
    g_string_append (sql, ", ?");
  g_string_append_c (sql, ')');
  fine = sqlite3_prepare_v2 (w->db, sql->str, -1, &statement, NULL) == SQLITE_OK
             ? insert_rows (w, table, statement, id)
             : fail (w);
  sqlite3_finalize (statement);
  return fine;
}

static gboolean
write_facts (Writer *w, const PdSheet *self, gint64 id)
{
  for (guint i = 0; i < self->facts->len; i++)
    {
      const PdFact *fact = &g_array_index (self->facts, PdFact, i);
      char *sql = sqlite3_mprintf ("INSERT INTO fact VALUES (%lld, %Q, %Q)", (long long) id,
                                   fact->name, fact->value);
      gboolean fine = sql != NULL && run (w, sql);
      sqlite3_free (sql);
      if (!fine)
        return fail (w);
    }
  return TRUE;
}

static gboolean
write_all (Writer *w, const PdSheet *self)
{
  g_autofree char *header = g_strdup_printf (
      "PRAGMA application_id = %d; PRAGMA user_version = %d;"
      "CREATE TABLE IF NOT EXISTS measurement (id INTEGER PRIMARY KEY, command TEXT NOT NULL);"
      "CREATE TABLE IF NOT EXISTS fact (measurement INTEGER NOT NULL REFERENCES measurement, "
      "name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (measurement, name)) WITHOUT ROWID;"
      "INSERT INTO measurement (command) VALUES ('%s');",
      PD_MEASURE_APPLICATION, PD_MEASURE_VERSION, self->command);
  gint64 id;

  if (!run (w, header))
    return FALSE;
  id = sqlite3_last_insert_rowid (w->db);
  if (!write_facts (w, self, id))
    return FALSE;
  for (guint i = 0; i < self->tables->len; i++)
    if (!write_table (w, g_ptr_array_index (self->tables, i), id))
      return FALSE;
  return TRUE;
}

gboolean
pd_sheet_write_db (const PdSheet *self, const char *path, GError **error)
{
  g_autoptr (GError) local = NULL;
  Writer w = { NULL, path, &local };
  gboolean is_new = !g_file_test (path, G_FILE_TEST_EXISTS), fine;
  GStatBuf info;

  fine = sqlite3_open (path, &w.db) == SQLITE_OK || fail (&w);
  if (fine)
    {
      sqlite3_busy_timeout (w.db, 10000);
      fine = run (&w, "BEGIN IMMEDIATE") && check_owner (&w) && write_all (&w, self)
             && run (&w, "COMMIT");
    }
  sqlite3_close (w.db);
  /* a file that is not empty was written by another process in the meantime */
  if (!fine && is_new && g_stat (path, &info) == 0 && info.st_size == 0)
    g_unlink (path);
  if (!fine)
    g_propagate_error (error, g_steal_pointer (&local));
  return fine;
}
