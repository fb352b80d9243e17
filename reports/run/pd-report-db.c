/* Appending a report to a result file.
 * SPDX-License-Identifier: MIT */
#include "reports/run/pd-report-rows.h"
#include "reports/run/pd-sensitivity-private.h"
#include "intervals/pd-interval-fold.h"
#include "reports/run/pd-report-common.h"
#include "reports/run/pd-report-db.h"
#include "reports/run/pd-report-schema.h"
#include "reports/hints/pd-what-ifs.h"

#include <glib/gstdio.h>
#include <unistd.h>

/* ---- rows of one run */

/* @run: its number; -1: of the inputs */
static void
insert_messages (PdEmit *to, gint64 run, const PdMessages *messages)
{
  to->keys[PD_KEY_RUN] = run;
  for (guint i = 0; i < pd_messages_get_n (messages); i++)
    {
      PdMessageRow row = pd_report_message_row (pd_messages_get (messages, i));
      pd_emit_row (to, &pd_report_messages, &row);
    }
}

static void
insert_processors (PdEmit *to, const PdReportRun *run)
{
  g_autofree PdTime *values = g_new (PdTime, (gsize) run->n_processors * PD_N_CHARACTERISTICS);
  g_autofree gboolean *present = g_new (gboolean, run->n_processors);

  for (guint i = 0; i < run->results->len; i++)
    {
      pd_interval_tree_get_all_processors (run->tree, pd_report_result (run, i)->node, values,
                                           present);
      to->keys[PD_KEY_NODE] = i;
      for (guint32 p = 0; p < run->n_processors; p++)
        {
          to->keys[PD_KEY_NUMBER] = p;
          if (present[p])
            pd_emit_row (to, &pd_report_processors, values + (gsize) p * PD_N_CHARACTERISTICS);
        }
    }
}

static void
insert_intervals (PdEmit *to, const PdReport *self, const PdReportRun *run)
{
  g_autofree guint *positions = pd_report_positions (run);
  g_autofree gdouble *efficiencies =
      pd_report_has_efficiencies (run) ? pd_report_get_efficiencies (self, run) : NULL;

  for (guint i = 0; i < run->results->len; i++)
    {
      PdIntervalRow row = pd_report_interval_row (run, i, positions);
      to->keys[PD_KEY_NODE] = i;
      pd_emit_row (to, &pd_report_intervals, &row);
      pd_emit_operations (to, run, &row.result, self->per_processor);
      if (run->recorded != NULL && i < run->recorded->len)
        pd_emit_row (to, &pd_report_recorded_times, &g_array_index (run->recorded, PdTimeSum, i));
      if (efficiencies != NULL)
        pd_emit_row (to, &pd_report_efficiency_rows, efficiencies + (gsize) i * PD_N_EFFICIENCIES);
      pd_emit_interval_analysis (to, run, i, self->per_processor);
    }
}

static void
insert_ranks_and_samples (PdEmit *to, const PdReportRun *run)
{
  for (guint32 p = 0; run->recorded_ends != NULL && p < run->n_processors; p++)
    {
      to->keys[PD_KEY_NUMBER] = p;
      pd_emit_row (to, &pd_report_recorded_ends,
                   &(PdEndRow){ run->recorded_ends[p], run->end_times[p] });
    }
  for (guint i = 0; run->samples != NULL && i < run->samples->len; i++)
    {
      to->keys[PD_KEY_NUMBER] = i;
      pd_emit_row (to, &pd_report_samples,
                   &(PdSampleRow){ run->first_seed + i, g_array_index (run->samples, PdTime, i) });
    }
}

static void
insert_run (PdEmit *to, const PdReport *self, const PdReportRun *run)
{
  PdRunRow row = pd_report_run_row (self, run, 0);

  to->keys[PD_KEY_RUN] = -1;
  pd_emit_row (to, &pd_report_runs, &row);
  to->keys[PD_KEY_RUN] = sqlite3_last_insert_rowid (to->db);
  if (row.recorded_share > 0 || run->recorded_time.ps > 0)
    pd_emit_row (to, &pd_report_recorded_parts, &row);
  insert_messages (to, to->keys[PD_KEY_RUN], run->messages);
  if (run->outside != NULL)
    pd_emit_row (to, &pd_report_outside, run->outside);
  if (run->files != NULL)
    pd_emit_files (to, run->files);
  if (run->pairs != NULL)
    pd_emit_pairs (to, run);
  if (run->analysis != NULL)
    pd_emit_row (to, &pd_analysed_runs, run->analysis);
  insert_intervals (to, self, run);
  insert_ranks_and_samples (to, run);
  if (run->range != NULL)
    {
      g_autoptr (GArray) rows = pd_time_range_get_rows (run->range);
      pd_emit_rows (to, &pd_report_range_rows, rows);
    }
  if (self->per_processor)
    insert_processors (to, run);
  if (run->sensitivity != NULL)
    pd_emit_sensitivity (to, run->sensitivity);
  if (run->what_ifs != NULL)
    pd_emit_rows (to, &pd_report_what_ifs, run->what_ifs);
}

/* ---- the report */

static void
insert_report (PdEmit *to, const PdReport *self)
{
  const PdReportRow row = { "predictor",   PD_VERSION,         self->command_line,
                            self->machine, self->machine_text, self->date };

  to->keys[PD_KEY_REPORT] = -1;
  pd_emit_row (to, &pd_report_heads, &row);
  to->keys[PD_KEY_REPORT] = sqlite3_last_insert_rowid (to->db);
  pd_emit_rows (to, &pd_report_inputs, self->inputs);
  insert_messages (to, -1, self->messages);
  for (guint i = 0; i < self->runs->len; i++)
    insert_run (to, self, pd_report_run (self, i));
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
  PdEmit to = { .db = db };

  for (guint i = 0; i < n; i++)
    insert_report (&to, reports[i]);
  return pd_emit_end (&to);
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

  g_autoptr (sqlite3) db =
      pd_report_db_open (path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, error);
  gboolean ok = db != NULL && append (db, reports, n, error);
  if (db != NULL && !ok)
    g_prefix_error (error, "'%s': ", path);
  g_clear_pointer (&db, sqlite3_close);

  /* a file that is not empty was written by another process in the meantime */
  GStatBuf info;
  if (!ok && !existed && g_stat (path, &info) == 0 && info.st_size == 0)
    g_unlink (path);
  return ok;
}
