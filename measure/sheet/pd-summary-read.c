/* Launches of the program from CSV and SQLite.
 * SPDX-License-Identifier: MIT */
#include "base/pd-error.h"
#include "base/pd-csv.h"
#include "measure/sheet/pd-sheet-rows.h"
#include "measure/sheet/pd-summary-private.h"
#include "measure/sheet/pd-summary-read-private.h"

#include <math.h>
#include <string.h>

/* ---- a list of rows */

void
pd_summary_list_init (PdSummaryList *self)
{
  self->rows = g_array_new (FALSE, FALSE, sizeof (PdSummaryRow));
  self->texts = g_string_chunk_new (256);
}

void
pd_summary_list_clear (PdSummaryList *self)
{
  g_array_unref (self->rows);
  g_string_chunk_free (self->texts);
}

/* The values that are equal in all rows of a case; those that older files lack are "". */
static const char *const key_columns[] = {
  "operation", "form",    "processes",    "bytes",          "root",    "datatype", "op",
  "in_place",  "buffers", "synchronised", "oversubscribed", "arrival", "skew_us",
};

/* Databases hold whatever was put into them. */
static const char *
insert (PdSummaryList *self, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text != NULL ? text : "", -1);

  return g_string_chunk_insert_const (self->texts, valid);
}

void
pd_summary_list_add (PdSummaryList *self, const PdSummaryRow *numbers, PdSheetGet get,
                     gpointer source)
{
  g_autoptr (GString) key = g_string_new (NULL);
  PdSummaryRow row = *numbers;

  row.mpi = insert (self, numbers->mpi);
  row.host = insert (self, numbers->host);
  row.operation = insert (self, get (source, "operation"));
  row.form = insert (self, get (source, "form"));
  row.buffers = insert (self, get (source, "buffers"));
  g_string_printf (key, "%s\n%s", row.mpi, row.host);
  for (gsize i = 0; i < G_N_ELEMENTS (key_columns); i++)
    {
      const char *field = get (source, key_columns[i]);
      g_string_append_printf (key, "\n%s", field != NULL ? field : "");
    }
  row.key = insert (self, key->str);
  g_array_append_val (self->rows, row);
}

/* ---- CSV */

static const char *
get_csv (gpointer source, const char *column)
{
  return pd_csv_get (source, column);
}

/* Plain loops have local times only. */
static gboolean
read_csv_row (PdSummaryList *self, PdCsv *csv, PdSummaryRow *row, GError **error)
{
  gboolean fine =
      pd_csv_get_integer (csv, "processes", &row->processes, error)
      && pd_csv_get_integer (csv, "bytes", &row->bytes, error)
      && pd_csv_get_integer (csv, "synchronised", &row->synchronised, error)
      && pd_csv_get_integer (csv, "oversubscribed", &row->oversubscribed, error)
      && pd_csv_get_real (csv, "global_median_us", &row->median, error)
      && pd_csv_get_real (csv, "global_median_low_us", &row->low, error)
      && pd_csv_get_real (csv, "global_median_high_us", &row->high, error)
      && (!isnan (row->median) || pd_csv_get_real (csv, "local_median_us", &row->median, error));

  if (fine)
    pd_summary_list_add (self, row, get_csv, csv);
  return fine;
}

gboolean
pd_summary_read_csv (PdSummaryList *self, const char *text, gsize length, const char *path,
                     GError **error)
{
  g_autoptr (PdCsv) csv =
      pd_csv_new (text, length, path, FALSE, PD_MEASURE_ERROR, PD_MEASURE_ERROR_READ);
  g_autoptr (GError) local = NULL;
  PdSummaryRow row = { .mpi = "", .host = "" };

  while (local == NULL && pd_csv_next (csv, &local))
    {
      const char *name = pd_csv_get (csv, "name"), *value = pd_csv_get (csv, "value");
      gboolean is_fact = strcmp (pd_csv_table (csv), "fact") == 0 && name != NULL && value != NULL;
      row.launch = pd_csv_measurement (csv);
      if (is_fact && strcmp (name, "mpi") == 0)
        row.mpi = insert (self, value);
      else if (is_fact && strcmp (name, "host") == 0)
        row.host = insert (self, value);
      else if (strcmp (pd_csv_table (csv), "collective") == 0)
        read_csv_row (self, csv, &row, &local);
    }
  return pd_propagate (error, g_steal_pointer (&local));
}

/* ---- SQLite */

static gdouble
get_real (sqlite3_stmt *statement, const char *column)
{
  int place = pd_sheet_db_find (statement, column);

  if (place < 0 || sqlite3_column_type (statement, place) == SQLITE_NULL)
    return NAN;
  return sqlite3_column_double (statement, place);
}

static gint64
get_integer (sqlite3_stmt *statement, const char *column)
{
  int place = pd_sheet_db_find (statement, column);

  return place < 0 ? 0 : sqlite3_column_int64 (statement, place);
}

static void
read_db_row (PdSummaryList *self, sqlite3_stmt *statement)
{
  PdSummaryRow row = {
    .launch = (guint) get_integer (statement, "measurement"),
    .processes = get_integer (statement, "processes"),
    .bytes = get_integer (statement, "bytes"),
    .synchronised = get_integer (statement, "synchronised"),
    .oversubscribed = get_integer (statement, "oversubscribed"),
    .median = get_real (statement, "global_median_us"),
    .low = get_real (statement, "global_median_low_us"),
    .high = get_real (statement, "global_median_high_us"),
  };

  row.mpi = insert (self, pd_sheet_db_get (statement, "fact_mpi"));
  row.host = insert (self, pd_sheet_db_get (statement, "fact_host"));
  if (isnan (row.median))
    row.median = get_real (statement, "local_median_us");
  pd_summary_list_add (self, &row, pd_sheet_db_get, statement);
}

static gboolean
read_rows (PdSummaryList *self, sqlite3 *db, const char *path, GError **error)
{
  static const char sql[] =
      "SELECT collective.*, mpi.value AS fact_mpi, host.value AS fact_host FROM collective "
      "LEFT JOIN fact AS mpi ON mpi.measurement = collective.measurement AND mpi.name = 'mpi' "
      "LEFT JOIN fact AS host ON host.measurement = collective.measurement AND host.name = 'host' "
      "ORDER BY collective.measurement, collective.number";
  sqlite3_stmt *statement = NULL;
  int status = sqlite3_prepare_v2 (db, sql, -1, &statement, NULL);

  while (status == SQLITE_OK || status == SQLITE_ROW)
    {
      status = sqlite3_step (statement);
      if (status == SQLITE_ROW)
        read_db_row (self, statement);
    }
  sqlite3_finalize (statement);
  return status == SQLITE_DONE || pd_sheet_db_fail (db, path, error);
}

gboolean
pd_summary_read_db (PdSummaryList *self, const char *path, GError **error)
{
  sqlite3 *db = pd_sheet_db_open (path, error);
  gboolean fine = db != NULL && read_rows (self, db, path, error);

  sqlite3_close (db);
  return fine;
}
