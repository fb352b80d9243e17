/* SPDX-License-Identifier: MIT */
#include "reports/results/pd-results-report.h"

#include "base/pd-error.h"
#include "base/pd-text.h"
#include "reports/run/pd-report-sqlite.h"
#include "reports/results/pd-results-read.h"
#include "reports/results/pd-results-db.h"
#include "reports/results/pd-results-repeated-private.h"
#include "reports/emit/pd-format.h"
#include "reports/run/pd-sensitivity-db.h"

#include <string.h>

/* ---- what rows become */

static char *
get_text (sqlite3_stmt *s, int column)
{
  return pd_text_show ((const char *) sqlite3_column_text (s, column));
}

static void
take_head (PdReport *report, sqlite3_stmt *s)
{
  report->command_line = get_text (s, 0);
  report->machine = get_text (s, 1);
  report->machine_text = get_text (s, 2);
  report->date = sqlite3_column_type (s, 3) == SQLITE_NULL ? NULL : get_text (s, 3);
}

static void
take_input (PdReport *report, sqlite3_stmt *s)
{
  const PdReportInput input = { get_text (s, 0), get_text (s, 1) };

  g_array_append_val (report->inputs, input);
}

/* The run that is read is the last one. */
static PdReportRun *
get_run (PdReport *report)
{
  return g_ptr_array_index (report->runs, report->runs->len - 1);
}

static void
take_traffic (PdReport *report, sqlite3_stmt *s)
{
  PdReportRun *run = get_run (report);

  run->n_messages = (guint64) MAX (sqlite3_column_int64 (s, 0), 0);
  run->n_bytes.ps = MAX (sqlite3_column_int64 (s, 1), 0);
  run->n_events = (guint64) MAX (sqlite3_column_int64 (s, 2), 0);
  run->seconds = sqlite3_column_double (s, 3);
}

static void
take_sample (PdReport *report, sqlite3_stmt *s)
{
  PdReportRun *run = get_run (report);
  PdTime time = PD_TIME (MAX (sqlite3_column_int64 (s, 1), 0));

  if (run->samples == NULL)
    {
      run->samples = g_array_new (FALSE, FALSE, sizeof (PdTime));
      run->first_seed = (guint64) sqlite3_column_int64 (s, 0);
    }
  g_array_append_val (run->samples, time);
}

/* ---- rows */

/* Tells of each row of @sql, whose parameter is @id. */
static gboolean
for_each_row (sqlite3 *db, const char *sql, gint64 id, PdReport *report,
              void (*take) (PdReport *report, sqlite3_stmt *s), GError **error)
{
  g_autoptr (sqlite3_stmt) s = pd_report_db_prepare (db, sql, id, error);
  g_autoptr (GError) local = NULL;

  if (s == NULL)
    return FALSE;
  while (pd_report_db_next (db, s, &local))
    take (report, s);
  return pd_propagate (error, g_steal_pointer (&local));
}

/* The stored data of a run besides its intervals. */
static gboolean
read_again (sqlite3 *db, gint64 id, PdReport *report, GError **error)
{
  static const char samples[] =
      "SELECT seed, execution_time_ps FROM sample WHERE run = ? ORDER BY number";

  return pd_report_db_get_version (db) < 5
         || (for_each_row (db, samples, id, report, take_sample, error)
             && pd_sensitivity_read (db, id, &get_run (report)->sensitivity, error)
             && (pd_report_db_get_version (db) < 7
                 || (pd_results_read_range (db, id, &get_run (report)->range, error)
                     && pd_results_read_what_ifs (db, id, &get_run (report)->what_ifs, error))));
}

static gboolean
read_run (sqlite3 *db, const char *path, gint64 id, PdReport *report, GError **error)
{
  static const char traffic[] = "SELECT messages, bytes, events, elapsed FROM run WHERE id = ?";
  g_auto (PdStoredRun) stored = { 0 };

  if (!pd_results_read_run (path, id, &stored, error))
    return FALSE;
  pd_report_add_run (report, g_steal_pointer (&stored.run));
  return for_each_row (db, traffic, id, report, take_traffic, error)
         && read_again (db, id, report, error);
}

static gboolean
read_head (sqlite3 *db, gint64 id, PdReport *report, GError **error)
{
  static const struct
  {
    const char *sql;
    void (*take) (PdReport *report, sqlite3_stmt *s);
  } parts[] = {
    { "SELECT command_line, machine, machine_text, date FROM report WHERE id = ?", take_head },
    { "SELECT name, sha256 FROM input WHERE report = ? ORDER BY rowid", take_input },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    if (!for_each_row (db, parts[i].sql, id, report, parts[i].take, error))
      return FALSE;
  return pd_results_read_messages (db, "report = ? AND run IS NULL", id, report->messages, error);
}

static GArray *
list_runs (sqlite3 *db, gint64 report, GError **error)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (sqlite3_stmt) s =
      pd_report_db_prepare (db, "SELECT id FROM run WHERE report = ? ORDER BY id", report, error);
  g_autoptr (GError) local = NULL;

  if (s == NULL)
    return NULL;
  while (pd_report_db_next (db, s, &local))
    {
      gint64 id = sqlite3_column_int64 (s, 0);
      g_array_append_val (ids, id);
    }
  if (local == NULL)
    return g_steal_pointer (&ids);
  g_propagate_error (error, g_steal_pointer (&local));
  return NULL;
}

/* The invocation that @run is of; without one the last that has a run. */
static gboolean
find_report (sqlite3 *db, const char *path, gint64 run, gint64 *report, GError **error)
{
  g_autofree char *sql =
      run != 0 ? g_strdup_printf ("SELECT report FROM run WHERE id = %" G_GINT64_FORMAT, run)
               : g_strdup ("SELECT report FROM run ORDER BY id DESC LIMIT 1");

  if (pd_report_db_get_integer (db, sql, report))
    return TRUE;
  if (run != 0)
    pd_report_db_set_no_run (path, run, error);
  else
    g_set_error (error, PD_REPORT_ERROR, PD_REPORT_ERROR_READ, "'%s': no run is in it", path);
  return FALSE;
}

PdReport *
pd_results_read_report (const char *path, gint64 run, GError **error)
{
  g_autoptr (sqlite3) db = pd_report_db_open_results (path, error);
  g_autoptr (PdReport) report = pd_report_new ();
  gint64 id;

  if (db == NULL || !find_report (db, path, run, &id, error) || !read_head (db, id, report, error))
    return NULL;
  g_autoptr (GArray) ids = list_runs (db, id, error);
  for (guint i = 0; ids != NULL && i < ids->len; i++)
    {
      gint64 other = g_array_index (ids, gint64, i);
      if ((run == 0 || other == run) && !read_run (db, path, other, report, error))
        return NULL;
    }
  return ids != NULL ? g_steal_pointer (&report) : NULL;
}
