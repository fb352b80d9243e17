/* Appending a report to a result file.
 * SPDX-License-Identifier: MIT */
#include "reports/pd-efficiency.h"
#include "reports/pd-insert-private.h"
#include "reports/pd-sensitivity-private.h"

#include <glib/gstdio.h>
#include <unistd.h>

/* ---- rows of one run */

#define N_INTERVAL_COLUMNS  (12 + PD_N_COUNTERS + 5 * PD_N_CHARACTERISTICS)
#define N_PROCESSOR_COLUMNS (3 + PD_N_CHARACTERISTICS)

static gboolean
insert_messages (sqlite3 *db, gint64 report, gint64 run, const PdMessages *messages)
{
  g_autoptr (sqlite3_stmt) statement = NULL;
  PdInsert row;
  gboolean ok = pd_insert_prepare (db, "warning", 8, &row);

  statement = row.statement;
  for (guint i = 0; ok && i < pd_messages_get_n (messages); i++)
    {
      const PdMessage *m = pd_messages_get (messages, i);
      pd_insert_integer (&row, report);
      if (run > 0)
        pd_insert_integer (&row, run);
      else
        pd_insert_null (&row);
      pd_insert_text (&row, m->severity == PD_SEVERITY_WARNING ? "warning" : "note");
      pd_insert_text (&row, m->id);
      pd_insert_text (&row, m->subject);
      pd_insert_text (&row, m->text);
      pd_insert_text (&row, m->place);
      pd_insert_count (&row, m->count);
      ok = pd_insert_end_row (&row);
    }
  return ok;
}

static void
put_values (PdInsert *row, const PdIntervalResult *r, gboolean added)
{
  for (guint q = 0; q < PD_N_COUNTERS; q++)
    if (pd_report_db_is_added_counter (q) == added)
      pd_insert_count (row, r->counts[q]);
  for (PdCharacteristic c = 0; c < PD_N_CHARACTERISTICS; c++)
    {
      if (pd_report_db_is_added (c) != added)
        continue;
      pd_insert_double (row, pd_time_sum_to_seconds (r->values[c].sum));
      pd_insert_integer (row, r->values[c].min.ps);
      pd_insert_integer (row, r->values[c].min_at);
      pd_insert_integer (row, r->values[c].max.ps);
      pd_insert_integer (row, r->values[c].max_at);
    }
}

static void
put_interval (PdInsert *row, const PdReportRun *run, gint64 id, guint i, const guint *positions)
{
  const PdIntervalResult *r = pd_report_result (run, i);

  pd_insert_integer (row, id);
  pd_insert_integer (row, i);
  if (i == 0)
    pd_insert_null (row);
  else
    pd_insert_integer (row, positions[r->parent]);
  pd_insert_integer (row, r->depth);
  pd_insert_text (row, pd_interval_type_name (r->type));
  pd_insert_text (row, r->file);
  pd_insert_integer (row, r->line);
  if (r->index == PD_INTERVAL_NO_INDEX)
    pd_insert_null (row);
  else
    pd_insert_integer (row, r->index);
  pd_insert_integer (row, r->n_processors);
  pd_insert_double (row, pd_time_sum_to_seconds (r->total_time));
  pd_insert_double (row, r->efficiency);
  put_values (row, r, FALSE);
  pd_insert_text (row, r->name);
  put_values (row, r, TRUE);
}

static gboolean
insert_intervals (sqlite3 *db, gint64 id, const PdReportRun *run)
{
  g_autoptr (sqlite3_stmt) statement = NULL;
  g_autofree guint *positions = pd_report_positions (run);
  PdInsert row;
  gboolean ok = pd_insert_prepare (db, "interval", N_INTERVAL_COLUMNS, &row);

  statement = row.statement;
  for (guint i = 0; ok && i < run->results->len; i++)
    {
      put_interval (&row, run, id, i, positions);
      ok = pd_insert_end_row (&row);
    }
  return ok;
}

static gboolean
insert_processors (sqlite3 *db, gint64 id, const PdReportRun *run)
{
  g_autoptr (sqlite3_stmt) statement = NULL;
  g_autofree PdTime *values = g_new (PdTime, (gsize) run->n_processors * PD_N_CHARACTERISTICS);
  g_autofree gboolean *present = g_new (gboolean, run->n_processors);
  PdInsert row;
  gboolean ok = pd_insert_prepare (db, "processor", N_PROCESSOR_COLUMNS, &row);

  statement = row.statement;
  for (guint i = 0; ok && i < run->results->len; i++)
    {
      pd_interval_tree_get_all_processors (run->tree, pd_report_result (run, i)->node, values,
                                           present);
      for (guint32 p = 0; ok && p < run->n_processors; p++)
        {
          if (!present[p])
            continue;
          pd_insert_integer (&row, id);
          pd_insert_integer (&row, i);
          pd_insert_integer (&row, p);
          for (gboolean added = FALSE; added <= TRUE; added++)
            for (PdCharacteristic c = 0; c < PD_N_CHARACTERISTICS; c++)
              if (pd_report_db_is_added (c) == added)
                pd_insert_integer (&row, values[(gsize) p * PD_N_CHARACTERISTICS + c].ps);
          ok = pd_insert_end_row (&row);
        }
    }
  return ok;
}

/* What --reproduce has found. */
static gboolean
insert_recorded_intervals (sqlite3 *db, gint64 id, const PdReportRun *run)
{
  g_autoptr (sqlite3_stmt) statement = NULL;
  PdInsert row;
  gboolean ok = pd_insert_prepare (db, "recorded_interval", 3, &row);

  statement = row.statement;
  for (guint i = 0; ok && run->recorded != NULL && i < run->recorded->len; i++)
    {
      pd_insert_integer (&row, id);
      pd_insert_integer (&row, i);
      pd_insert_double (&row, pd_time_sum_to_seconds (g_array_index (run->recorded, PdTimeSum, i)));
      ok = pd_insert_end_row (&row);
    }
  return ok;
}

static gboolean
insert_recorded_ends (sqlite3 *db, gint64 id, const PdReportRun *run)
{
  g_autoptr (sqlite3_stmt) statement = NULL;
  PdInsert row;
  gboolean ok = pd_insert_prepare (db, "recorded_end", 4, &row);

  statement = row.statement;
  for (guint32 p = 0; ok && run->recorded_ends != NULL && p < run->n_processors; p++)
    {
      pd_insert_integer (&row, id);
      pd_insert_integer (&row, p);
      pd_insert_integer (&row, run->recorded_ends[p].ps);
      pd_insert_integer (&row, run->end_times[p].ps);
      ok = pd_insert_end_row (&row);
    }
  return ok;
}

static gboolean
insert_efficiencies (sqlite3 *db, gint64 id, const PdReport *self, const PdReportRun *run)
{
  g_autoptr (sqlite3_stmt) statement = NULL;
  g_autofree gdouble *values = NULL;
  PdInsert row;

  if (!pd_report_has_efficiencies (run))
    return TRUE;
  values = pd_report_get_efficiencies (self, run);
  gboolean ok = pd_insert_prepare (db, "efficiency", 2 + PD_N_EFFICIENCIES, &row);
  statement = row.statement;
  for (guint i = 0; ok && i < run->results->len; i++)
    {
      pd_insert_integer (&row, id);
      pd_insert_integer (&row, i);
      for (PdEfficiency e = 0; e < PD_N_EFFICIENCIES; e++)
        pd_insert_double (&row, values[i * PD_N_EFFICIENCIES + e]); /* NaN: NULL */
      ok = pd_insert_end_row (&row);
    }
  return ok;
}

static gboolean
insert_samples (sqlite3 *db, gint64 id, const PdReportRun *run)
{
  g_autoptr (sqlite3_stmt) statement = NULL;
  PdInsert row;
  gboolean ok = pd_insert_prepare (db, "sample", 4, &row);

  statement = row.statement;
  for (guint i = 0; ok && run->samples != NULL && i < run->samples->len; i++)
    {
      pd_insert_integer (&row, id);
      pd_insert_integer (&row, i);
      pd_insert_count (&row, run->first_seed + i);
      pd_insert_integer (&row, g_array_index (run->samples, PdTime, i).ps);
      ok = pd_insert_end_row (&row);
    }
  return ok;
}

static gboolean
insert_run (sqlite3 *db, gint64 report, const PdReport *self, const PdReportRun *run)
{
  g_autoptr (sqlite3_stmt) statement = NULL;
  const PdIntervalResult *root = pd_report_result (run, 0);
  PdInsert row;

  gboolean ok = pd_insert_prepare (db, "run", 13, &row);
  statement = row.statement;
  if (!ok)
    return FALSE;
  pd_insert_null (&row);
  pd_insert_integer (&row, report);
  pd_insert_integer (&row, run->n_processors);
  pd_insert_text (&row, run->grid);
  pd_insert_integer (&row, root->values[PD_C_EXECUTION_TIME].max.ps);
  pd_insert_double (&row, pd_time_sum_to_seconds (root->total_time));
  pd_insert_double (&row, root->efficiency);
  pd_insert_count (&row, run->n_messages);
  pd_insert_integer (&row, run->n_bytes.ps > G_MAXINT64 ? G_MAXINT64 : (gint64) run->n_bytes.ps);
  pd_insert_count (&row, run->n_events);
  if (self->date != NULL)
    pd_insert_double (&row, run->seconds);
  else
    pd_insert_null (&row);
  pd_insert_integer (&row, run->incomplete ? 1 : 0);
  pd_insert_text (&row, run->model == PD_MODEL_MPI ? "mpi" : "dvm");
  if (!pd_insert_end_row (&row))
    return FALSE;

  gint64 id = sqlite3_last_insert_rowid (db);
  return insert_intervals (db, id, run) && insert_messages (db, report, id, run->messages)
         && insert_recorded_intervals (db, id, run) && insert_recorded_ends (db, id, run)
         && insert_efficiencies (db, id, self, run) && insert_samples (db, id, run)
         && (!self->per_processor || insert_processors (db, id, run))
         && (run->analysis == NULL || pd_insert_analysis (db, id, run, self->per_processor))
         && (run->sensitivity == NULL || pd_insert_sensitivity (db, id, run->sensitivity));
}

/* ---- the report */

static gboolean
insert_inputs (sqlite3 *db, gint64 report, const PdReport *self)
{
  g_autoptr (sqlite3_stmt) statement = NULL;
  PdInsert row;
  gboolean ok = pd_insert_prepare (db, "input", 3, &row);

  statement = row.statement;
  for (guint i = 0; ok && i < self->inputs->len; i++)
    {
      const PdReportInput *input = &g_array_index (self->inputs, PdReportInput, i);
      pd_insert_integer (&row, report);
      pd_insert_text (&row, input->name);
      pd_insert_text (&row, input->sha256 != NULL ? input->sha256 : "");
      ok = pd_insert_end_row (&row);
    }
  return ok;
}

static gboolean
insert_report (sqlite3 *db, const PdReport *self)
{
  g_autoptr (sqlite3_stmt) statement = NULL;
  PdInsert row;
  gboolean ok = pd_insert_prepare (db, "report", 7, &row);

  statement = row.statement;
  if (!ok)
    return FALSE;
  pd_insert_null (&row);
  pd_insert_text (&row, "predictor");
  pd_insert_text (&row, PD_VERSION);
  pd_insert_text (&row, self->command_line);
  pd_insert_text (&row, self->machine);
  pd_insert_text (&row, self->machine_text);
  pd_insert_text (&row, self->date);
  if (!pd_insert_end_row (&row))
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
insert_reports (sqlite3 *db, const PdReport *const *reports, guint n)
{
  for (guint i = 0; i < n; i++)
    if (!insert_report (db, reports[i]))
      return FALSE;
  return TRUE;
}

static gboolean
append (sqlite3 *db, const PdReport *const *reports, guint n, GError **error)
{
  if (sqlite3_exec (db, "BEGIN IMMEDIATE", NULL, NULL, NULL) != SQLITE_OK)
    {
      pd_report_db_fail (db, PD_REPORT_ERROR_WRITE, error);
      return FALSE;
    }
  gboolean ok = initialise (db, error);
  if (ok
      && (!insert_reports (db, reports, n)
          || sqlite3_exec (db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK))
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
  g_return_val_if_fail (self != NULL, FALSE);

  return pd_report_write_all_db (&self, 1, path, error);
}

gboolean
pd_report_write_all_db (const PdReport *const *reports, guint n, const char *path, GError **error)
{
  g_return_val_if_fail (n > 0 && path != NULL, FALSE);

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
  gboolean ok = db != NULL && append (db, reports, n, error);
  if (db != NULL && !ok)
    g_prefix_error (error, "'%s': ", path);
  sqlite3_close (db);

  /* what is not empty was written by somebody else in the meantime */
  GStatBuf info;
  if (!ok && !existed && g_stat (path, &info) == 0 && info.st_size == 0)
    g_unlink (path);
  return ok;
}
