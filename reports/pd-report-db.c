/* Appending a report to a result file.
 * SPDX-License-Identifier: MIT */
#include "reports/pd-report-sqlite.h"

#include <glib/gstdio.h>
#include <unistd.h>

/* ---- one statement that inserts rows */

typedef struct
{
  sqlite3_stmt *statement;
  int column; /* the next to bind, from 1 */
} Insert;

/* Returns: whether @insert is ready for rows of @table. */
static gboolean
prepare (sqlite3 *db, const char *table, int n_columns, Insert *insert)
{
  g_autoptr (GString) sql = g_string_new (NULL);

  g_string_printf (sql, "INSERT INTO %s VALUES (?", table);
  for (int i = 1; i < n_columns; i++)
    g_string_append (sql, ",?");
  g_string_append_c (sql, ')');
  insert->column = 1;
  return sqlite3_prepare_v2 (db, sql->str, -1, &insert->statement, NULL) == SQLITE_OK;
}

static void
put_integer (Insert *insert, gint64 value)
{
  sqlite3_bind_int64 (insert->statement, insert->column++, value);
}

static void
put_count (Insert *insert, guint64 value)
{
  put_integer (insert, (gint64) MIN (value, (guint64) G_MAXINT64));
}

static void
put_double (Insert *insert, gdouble value)
{
  sqlite3_bind_double (insert->statement, insert->column++, value);
}

static void
put_text (Insert *insert, const char *text)
{
  g_autofree char *valid = text != NULL ? g_utf8_make_valid (text, -1) : NULL;

  sqlite3_bind_text (insert->statement, insert->column++, valid, -1, SQLITE_TRANSIENT);
}

static void
put_null (Insert *insert)
{
  sqlite3_bind_null (insert->statement, insert->column++);
}

/* Returns: whether the row has been inserted. */
static gboolean
end_row (Insert *insert)
{
  gboolean ok = sqlite3_step (insert->statement) == SQLITE_DONE;

  insert->column = 1;
  return sqlite3_reset (insert->statement) == SQLITE_OK && ok;
}

/* ---- rows of one run */

#define N_INTERVAL_COLUMNS  (12 + PD_N_COUNTERS + 5 * PD_N_CHARACTERISTICS)
#define N_PROCESSOR_COLUMNS (3 + PD_N_CHARACTERISTICS)

static gboolean
insert_messages (sqlite3 *db, gint64 report, gint64 run, const PdMessages *messages)
{
  g_autoptr (sqlite3_stmt) statement = NULL;
  Insert row;
  gboolean ok = prepare (db, "warning", 8, &row);

  statement = row.statement;
  for (guint i = 0; ok && i < pd_messages_get_n (messages); i++)
    {
      const PdMessage *m = pd_messages_get (messages, i);
      put_integer (&row, report);
      if (run > 0)
        put_integer (&row, run);
      else
        put_null (&row);
      put_text (&row, m->severity == PD_SEVERITY_WARNING ? "warning" : "note");
      put_text (&row, m->id);
      put_text (&row, m->subject);
      put_text (&row, m->text);
      put_text (&row, m->place);
      put_count (&row, m->count);
      ok = end_row (&row);
    }
  return ok;
}

static void
put_values (Insert *row, const PdIntervalResult *r, gboolean added)
{
  for (guint q = 0; q < PD_N_COUNTERS; q++)
    if (pd_report_db_is_added_counter (q) == added)
      put_count (row, r->counts[q]);
  for (PdCharacteristic c = 0; c < PD_N_CHARACTERISTICS; c++)
    {
      if (pd_report_db_is_added (c) != added)
        continue;
      put_double (row, pd_time_sum_to_seconds (r->values[c].sum));
      put_integer (row, r->values[c].min.ps);
      put_integer (row, r->values[c].min_at);
      put_integer (row, r->values[c].max.ps);
      put_integer (row, r->values[c].max_at);
    }
}

static void
put_interval (Insert *row, const PdReportRun *run, gint64 id, guint i, const guint *positions)
{
  const PdIntervalResult *r = pd_report_result (run, i);

  put_integer (row, id);
  put_integer (row, i);
  if (i == 0)
    put_null (row);
  else
    put_integer (row, positions[r->parent]);
  put_integer (row, r->depth);
  put_text (row, pd_interval_type_name (r->type));
  put_text (row, r->file);
  put_integer (row, r->line);
  if (r->index == PD_INTERVAL_NO_INDEX)
    put_null (row);
  else
    put_integer (row, r->index);
  put_integer (row, r->n_processors);
  put_double (row, pd_time_sum_to_seconds (r->total_time));
  put_double (row, r->efficiency);
  put_values (row, r, FALSE);
  put_text (row, r->name);
  put_values (row, r, TRUE);
}

static gboolean
insert_intervals (sqlite3 *db, gint64 id, const PdReportRun *run)
{
  g_autoptr (sqlite3_stmt) statement = NULL;
  g_autofree guint *positions = pd_report_positions (run);
  Insert row;
  gboolean ok = prepare (db, "interval", N_INTERVAL_COLUMNS, &row);

  statement = row.statement;
  for (guint i = 0; ok && i < run->results->len; i++)
    {
      put_interval (&row, run, id, i, positions);
      ok = end_row (&row);
    }
  return ok;
}

static gboolean
insert_processors (sqlite3 *db, gint64 id, const PdReportRun *run)
{
  g_autoptr (sqlite3_stmt) statement = NULL;
  g_autofree PdTime *values = g_new (PdTime, (gsize) run->n_processors * PD_N_CHARACTERISTICS);
  g_autofree gboolean *present = g_new (gboolean, run->n_processors);
  Insert row;
  gboolean ok = prepare (db, "processor", N_PROCESSOR_COLUMNS, &row);

  statement = row.statement;
  for (guint i = 0; ok && i < run->results->len; i++)
    {
      pd_interval_tree_get_all_processors (run->tree, pd_report_result (run, i)->node, values,
                                           present);
      for (guint32 p = 0; ok && p < run->n_processors; p++)
        {
          if (!present[p])
            continue;
          put_integer (&row, id);
          put_integer (&row, i);
          put_integer (&row, p);
          for (gboolean added = FALSE; added <= TRUE; added++)
            for (PdCharacteristic c = 0; c < PD_N_CHARACTERISTICS; c++)
              if (pd_report_db_is_added (c) == added)
                put_integer (&row, values[(gsize) p * PD_N_CHARACTERISTICS + c].ps);
          ok = end_row (&row);
        }
    }
  return ok;
}

/* What --reproduce has found. */
static gboolean
insert_recorded_intervals (sqlite3 *db, gint64 id, const PdReportRun *run)
{
  g_autoptr (sqlite3_stmt) statement = NULL;
  Insert row;
  gboolean ok = prepare (db, "recorded_interval", 3, &row);

  statement = row.statement;
  for (guint i = 0; ok && run->recorded != NULL && i < run->recorded->len; i++)
    {
      put_integer (&row, id);
      put_integer (&row, i);
      put_double (&row, pd_time_sum_to_seconds (g_array_index (run->recorded, PdTimeSum, i)));
      ok = end_row (&row);
    }
  return ok;
}

static gboolean
insert_recorded_ends (sqlite3 *db, gint64 id, const PdReportRun *run)
{
  g_autoptr (sqlite3_stmt) statement = NULL;
  Insert row;
  gboolean ok = prepare (db, "recorded_end", 4, &row);

  statement = row.statement;
  for (guint32 p = 0; ok && run->recorded_ends != NULL && p < run->n_processors; p++)
    {
      put_integer (&row, id);
      put_integer (&row, p);
      put_integer (&row, run->recorded_ends[p].ps);
      put_integer (&row, run->end_times[p].ps);
      ok = end_row (&row);
    }
  return ok;
}

static gboolean
insert_run (sqlite3 *db, gint64 report, const PdReport *self, const PdReportRun *run)
{
  g_autoptr (sqlite3_stmt) statement = NULL;
  const PdIntervalResult *root = pd_report_result (run, 0);
  Insert row;

  gboolean ok = prepare (db, "run", 13, &row);
  statement = row.statement;
  if (!ok)
    return FALSE;
  put_null (&row);
  put_integer (&row, report);
  put_integer (&row, run->n_processors);
  put_text (&row, run->grid);
  put_integer (&row, root->values[PD_C_EXECUTION_TIME].max.ps);
  put_double (&row, pd_time_sum_to_seconds (root->total_time));
  put_double (&row, root->efficiency);
  put_count (&row, run->n_messages);
  put_integer (&row, run->n_bytes.ps > G_MAXINT64 ? G_MAXINT64 : (gint64) run->n_bytes.ps);
  put_count (&row, run->n_events);
  if (self->date != NULL)
    put_double (&row, run->seconds);
  else
    put_null (&row);
  put_integer (&row, run->incomplete ? 1 : 0);
  put_text (&row, run->model == PD_MODEL_MPI ? "mpi" : "dvm");
  if (!end_row (&row))
    return FALSE;

  gint64 id = sqlite3_last_insert_rowid (db);
  return insert_intervals (db, id, run) && insert_messages (db, report, id, run->messages)
         && insert_recorded_intervals (db, id, run) && insert_recorded_ends (db, id, run)
         && (!self->per_processor || insert_processors (db, id, run));
}

/* ---- the report */

static gboolean
insert_inputs (sqlite3 *db, gint64 report, const PdReport *self)
{
  g_autoptr (sqlite3_stmt) statement = NULL;
  Insert row;
  gboolean ok = prepare (db, "input", 3, &row);

  statement = row.statement;
  for (guint i = 0; ok && i < self->inputs->len; i++)
    {
      const PdReportInput *input = &g_array_index (self->inputs, PdReportInput, i);
      put_integer (&row, report);
      put_text (&row, input->name);
      put_text (&row, input->sha256 != NULL ? input->sha256 : "");
      ok = end_row (&row);
    }
  return ok;
}

static gboolean
insert_report (sqlite3 *db, const PdReport *self)
{
  g_autoptr (sqlite3_stmt) statement = NULL;
  Insert row;
  gboolean ok = prepare (db, "report", 7, &row);

  statement = row.statement;
  if (!ok)
    return FALSE;
  put_null (&row);
  put_text (&row, "predictor");
  put_text (&row, PD_VERSION);
  put_text (&row, self->command_line);
  put_text (&row, self->machine);
  put_text (&row, self->machine_text);
  put_text (&row, self->date);
  if (!end_row (&row))
    return FALSE;

  gint64 id = sqlite3_last_insert_rowid (db);
  if (!insert_inputs (db, id, self) || !insert_messages (db, id, 0, self->messages))
    return FALSE;
  for (guint i = 0; i < self->runs->len; i++)
    if (!insert_run (db, id, self, pd_report_run (self, i)))
      return FALSE;
  return TRUE;
}

/* Inside the transaction: makes a file without tables ours, and one of an older
 * version present. */
static gboolean
initialise (sqlite3 *db, GError **error)
{
  gint64 application, n_tables, version = 0;

  if (!pd_report_db_get_integer (db, "PRAGMA application_id", &application)
      || !pd_report_db_get_integer (db, "SELECT count (*) FROM sqlite_master", &n_tables))
    {
      pd_report_db_fail (db, PD_REPORT_ERROR_READ, error);
      return FALSE;
    }
  gboolean is_ours = application == PD_REPORT_APPLICATION_ID;
  if (is_ours && !pd_report_db_get_integer (db, "PRAGMA user_version", &version))
    {
      pd_report_db_fail (db, PD_REPORT_ERROR_READ, error);
      return FALSE;
    }
  if (is_ours && version == PD_REPORT_USER_VERSION)
    return TRUE;
  if (!is_ours && n_tables > 0)
    {
      g_set_error_literal (error, PD_REPORT_ERROR, PD_REPORT_ERROR_FOREIGN,
                           "a database with tables of another application");
      return FALSE;
    }

  g_autofree char *schema = is_ours ? pd_report_db_migration (version) : pd_report_db_schema ();
  if (sqlite3_exec (db, schema, NULL, NULL, NULL) == SQLITE_OK)
    return TRUE;
  pd_report_db_fail (db, PD_REPORT_ERROR_WRITE, error);
  return FALSE;
}

static gboolean
append (sqlite3 *db, const PdReport *self, GError **error)
{
  if (sqlite3_exec (db, "BEGIN IMMEDIATE", NULL, NULL, NULL) != SQLITE_OK)
    {
      pd_report_db_fail (db, PD_REPORT_ERROR_WRITE, error);
      return FALSE;
    }
  gboolean ok = initialise (db, error);
  if (ok
      && (!insert_report (db, self) || sqlite3_exec (db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK))
    {
      pd_report_db_fail (db, PD_REPORT_ERROR_WRITE, error);
      ok = FALSE;
    }
  if (!ok && sqlite3_get_autocommit (db) == 0)
    sqlite3_exec (db, "ROLLBACK", NULL, NULL, NULL);
  return ok;
}

/* A file of no application may be read to learn whether it has tables, but
 * not more: another program may be using it. */
static gboolean
check_blank (const char *path, GError **error)
{
  g_autoptr (sqlite3) db = pd_report_db_open (path, SQLITE_OPEN_READONLY, error);
  gint64 n_tables;

  if (db == NULL)
    return FALSE;
  if (!pd_report_db_get_integer (db, "SELECT count (*) FROM sqlite_master", &n_tables))
    {
      pd_report_db_fail (db, PD_REPORT_ERROR_READ, error);
      return FALSE;
    }
  if (n_tables == 0)
    return TRUE;
  g_set_error_literal (error, PD_REPORT_ERROR, PD_REPORT_ERROR_FOREIGN,
                       "a database with tables of another application");
  return FALSE;
}

gboolean
pd_report_write_db (const PdReport *self, const char *path, GError **error)
{
  g_return_val_if_fail (self != NULL && path != NULL, FALSE);

  gboolean existed = g_file_test (path, G_FILE_TEST_EXISTS);
  PdReportFile kind = pd_report_db_identify (path, error);
  if (kind == PD_REPORT_FILE_BAD)
    return FALSE;
  if (kind == PD_REPORT_FILE_BLANK && !check_blank (path, error))
    {
      g_prefix_error (error, "'%s': ", path);
      return FALSE;
    }

  sqlite3 *db = pd_report_db_open (path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, error);
  gboolean ok = db != NULL && append (db, self, error);
  if (db != NULL && !ok)
    g_prefix_error (error, "'%s': ", path);
  sqlite3_close (db);

  /* what is not empty was written by somebody else in the meantime */
  GStatBuf info;
  if (!ok && !existed && g_stat (path, &info) == 0 && info.st_size == 0)
    g_unlink (path);
  return ok;
}
