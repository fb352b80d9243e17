/* Rows of files that measurements were written to.
 * SPDX-License-Identifier: MIT */
#include "base/pd-csv.h"
#include "base/pd-error.h"
#include "measure/sheet/pd-sheet-rows.h"

#include <math.h>
#include <string.h>

/* ---- SQLite */

gboolean
pd_sheet_db_fail (sqlite3 *db, const char *path, GError **error)
{
  g_set_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_READ, "cannot read '%s': %s", path,
               db != NULL ? sqlite3_errmsg (db) : "no memory");
  return FALSE;
}

static gboolean
check_owner (sqlite3 *db, const char *path, GError **error)
{
  static const char sql[] = "SELECT a.application_id, v.user_version "
                            "FROM pragma_application_id AS a, pragma_user_version AS v";
  sqlite3_stmt *statement = NULL;
  gboolean fine, is_ours;

  fine = sqlite3_prepare_v2 (db, sql, -1, &statement, NULL) == SQLITE_OK
         && sqlite3_step (statement) == SQLITE_ROW;
  is_ours = fine && sqlite3_column_int64 (statement, 0) == PD_MEASURE_APPLICATION
            && sqlite3_column_int64 (statement, 1) <= PD_MEASURE_VERSION;
  sqlite3_finalize (statement);
  if (!fine)
    return pd_sheet_db_fail (db, path, error);
  if (!is_ours)
    g_set_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_FOREIGN,
                 "'%s' is not a database of measurements, or of a newer version of this program",
                 path);
  return is_ours;
}

sqlite3 *
pd_sheet_db_open (const char *path, GError **error)
{
  sqlite3 *db = NULL;

  if (sqlite3_open_v2 (path, &db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK)
    pd_sheet_db_fail (db, path, error);
  else if (check_owner (db, path, error))
    return db;
  sqlite3_close (db);
  return NULL;
}

int
pd_sheet_db_find (sqlite3_stmt *statement, const char *column)
{
  for (int i = 0; i < sqlite3_column_count (statement); i++)
    if (strcmp (sqlite3_column_name (statement, i), column) == 0)
      return i;
  return -1;
}

const char *
pd_sheet_db_get (gpointer statement, const char *column)
{
  int place = pd_sheet_db_find (statement, column);

  return place < 0 ? NULL : (const char *) sqlite3_column_text (statement, place);
}

/* A database has the tables of the measurements, and no others. */
static gboolean
has_table (sqlite3 *db, const char *table)
{
  sqlite3_stmt *statement = NULL;
  gboolean has =
      sqlite3_prepare_v2 (db, "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?1", -1,
                          &statement, NULL)
          == SQLITE_OK
      && sqlite3_bind_text (statement, 1, table, -1, SQLITE_STATIC) == SQLITE_OK
      && sqlite3_step (statement) == SQLITE_ROW;

  sqlite3_finalize (statement);
  return has;
}

/* @table is one of the program's own names. */
static gboolean
read_db_table (sqlite3 *db, const char *path, const char *table, PdSheetRowFunc func, gpointer data,
               GError **error)
{
  g_autofree char *sql = g_strdup_printf ("SELECT * FROM %s ORDER BY 1, 2", table);
  sqlite3_stmt *statement = NULL;
  int status = sqlite3_prepare_v2 (db, sql, -1, &statement, NULL);
  gboolean fine = TRUE;

  while (fine && (status == SQLITE_OK || status == SQLITE_ROW))
    {
      status = sqlite3_step (statement);
      if (status == SQLITE_ROW)
        {
          int place = pd_sheet_db_find (statement, "measurement");
          gint64 measurement = place < 0 ? 0 : sqlite3_column_int64 (statement, place);
          fine = func (data, table, (guint) measurement, pd_sheet_db_get, statement, error);
        }
    }
  sqlite3_finalize (statement);
  return fine && (status == SQLITE_DONE || pd_sheet_db_fail (db, path, error));
}

static gboolean
read_db (const char *path, const char *const *tables, PdSheetRowFunc func, gpointer data,
         GError **error)
{
  sqlite3 *db = pd_sheet_db_open (path, error);
  gboolean fine = db != NULL;

  for (guint i = 0; fine && tables[i] != NULL; i++)
    if (has_table (db, tables[i]))
      fine = read_db_table (db, path, tables[i], func, data, error);
  sqlite3_close (db);
  return fine;
}

/* ---- CSV */

static const char *
get_csv (gpointer source, const char *column)
{
  return pd_csv_get (source, column);
}

static gboolean
read_csv (const char *path, const char *const *tables, PdSheetRowFunc func, gpointer data,
          GError **error)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) local = NULL;
  gsize length;

  if (!g_file_get_contents (path, &text, &length, &local))
    {
      g_set_error_literal (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_READ, local->message);
      return FALSE;
    }
  g_autoptr (PdCsv) csv =
      pd_csv_new (text, length, path, FALSE, PD_MEASURE_ERROR, PD_MEASURE_ERROR_READ);
  while (local == NULL && pd_csv_next (csv, &local))
    if (g_strv_contains (tables, pd_csv_table (csv))
        && !func (data, pd_csv_table (csv), pd_csv_measurement (csv), get_csv, csv, &local))
      g_prefix_error (&local, "%s:%u: ", path, pd_csv_get_line (csv));
  return pd_propagate (error, g_steal_pointer (&local));
}

/* ---- both */

gboolean
pd_sheet_each_row (const char *path, const char *const *tables, PdSheetRowFunc func, gpointer data,
                   GError **error)
{
  return g_str_has_suffix (path, ".csv") ? read_csv (path, tables, func, data, error)
                                         : read_db (path, tables, func, data, error);
}

gboolean
pd_sheet_get_real (PdSheetGet get, gpointer source, const char *column, gdouble *value,
                   GError **error)
{
  const char *text = get (source, column);
  char *rest = NULL;

  *value = NAN;
  if (text == NULL || *text == '\0')
    return TRUE;
  *value = g_ascii_strtod (text, &rest);
  if (*rest == '\0' && isfinite (*value))
    return TRUE;
  g_set_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_READ,
               "column '%s': expected a number, not '%s'", column, text);
  return FALSE;
}
