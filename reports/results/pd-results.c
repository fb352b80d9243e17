/* Reading result files again.
 * SPDX-License-Identifier: MIT */
#include "base/pd-csv.h"
#include "base/pd-error.h"
#include "base/pd-text.h"
#include "reports/run/pd-efficiency.h"
#include "reports/results/pd-results-private.h"
#include "intervals/pd-interval-rows.h"
#include "reports/results/pd-results-db.h"
#include "reports/results/pd-results-read.h"
#include "reports/results/pd-results-repeated-private.h"
#include "reports/results/pd-results.h"
#include "reports/run/pd-report-common.h"
#include "reports/run/pd-report-rows.h"
#include "reports/emit/pd-format.h"

#include <string.h>

#define MAX_INDENT 12 /* levels */

static char *
get_text (sqlite3_stmt *statement, int column)
{
  return pd_text_show ((const char *) sqlite3_column_text (statement, column));
}

static guint32
get_count (sqlite3_stmt *statement, int column)
{
  return (guint32) CLAMP (sqlite3_column_int64 (statement, column), 0, (gint64) G_MAXUINT32);
}

/* ---- the comparison */

static void
append_field (GString *out, const char *name, const char *text)
{
  if (text[0] != '\0')
    g_string_append_printf (out, "%-8s %s\n", name, text);
}

static gboolean
append_inputs (sqlite3 *db, gint64 report, GString *out, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = pd_report_db_prepare (
      db, "SELECT name FROM input WHERE report = ? ORDER BY rowid", report, error);
  g_autoptr (GError) local = NULL;

  if (statement == NULL)
    return FALSE;
  while (pd_report_db_next (db, statement, &local))
    {
      g_autofree char *name = get_text (statement, 0);
      append_field (out, "Input", name);
    }
  return pd_propagate (error, g_steal_pointer (&local));
}

static GArray *
read_comparison (sqlite3 *db, gint64 report, GError **error)
{
  static const char sql[] = "SELECT run, processors, grid, execution_time, efficiency,"
                            " insufficient_parallelism, communication, idle"
                            " FROM summary WHERE report = ? ORDER BY run";
  g_autoptr (sqlite3_stmt) statement = pd_report_db_prepare (db, sql, report, error);
  g_autoptr (GArray) lines = pd_comparison_new ();
  g_autoptr (GError) local = NULL;

  if (statement == NULL)
    return NULL;
  while (pd_report_db_next (db, statement, &local))
    {
      PdComparedRun line = { .id = sqlite3_column_int64 (statement, 0),
                             .n_processors = get_count (statement, 1),
                             .grid = get_text (statement, 2),
                             .seconds = sqlite3_column_double (statement, 3),
                             .efficiency = sqlite3_column_double (statement, 4) };
      for (int k = 0; k < PD_N_LOSSES; k++)
        line.losses[k] = sqlite3_column_double (statement, 5 + k);
      g_array_append_val (lines, line);
    }
  if (local == NULL)
    return g_steal_pointer (&lines);
  g_propagate_error (error, g_steal_pointer (&local));
  return NULL;
}

/* @statement stands on a row of the table report. */
static gboolean
append_report (sqlite3 *db, sqlite3_stmt *statement, GString *out, GError **error)
{
  gint64 id = sqlite3_column_int64 (statement, 0);
  g_autofree char *machine = get_text (statement, 1);
  g_autofree char *date = get_text (statement, 2);
  g_autoptr (GArray) lines = read_comparison (db, id, error);

  if (lines == NULL)
    return FALSE;
  if (out->len > 0)
    g_string_append_c (out, '\n');
  if (!append_inputs (db, id, out, error))
    return FALSE;
  append_field (out, "Machine", machine);
  append_field (out, "Date", date);
  g_string_append_c (out, '\n');
  pd_comparison_write (lines, 80, out);
  return TRUE;
}

gboolean
pd_report_read_db (const char *path, GString *out, GError **error)
{
  g_return_val_if_fail (path != NULL && out != NULL, FALSE);

  g_autoptr (sqlite3) db = pd_report_db_open_results (path, error);
  g_autoptr (sqlite3_stmt) statement =
      db != NULL
          ? pd_report_db_prepare (db, "SELECT id, machine, date FROM report ORDER BY id", 0, error)
          : NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) local = NULL;

  if (statement == NULL)
    return FALSE;
  while (pd_report_db_next (db, statement, &local))
    if (!append_report (db, statement, text, &local))
      break;
  if (local != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      g_prefix_error (error, "'%s': ", path);
      return FALSE;
    }
  g_string_append_len (out, text->str, (gssize) text->len);
  return TRUE;
}

/* ---- one run */

char *
pd_results_label (sqlite3_stmt *s, int name_column)
{
  g_autofree char *file = get_text (s, 2);
  g_autofree char *type = get_text (s, 1);
  g_autofree char *name = get_text (s, name_column);
  gboolean has_index = sqlite3_column_type (s, 4) != SQLITE_NULL;
  PdIntervalType kind = PD_INTERVAL_MAIN;

  while (kind < PD_INTERVAL_USER && strcmp (pd_interval_type_name (kind), type) != 0)
    kind++;
  const PdIntervalKey key = { kind, file, sqlite3_column_int64 (s, 3),
                              has_index ? sqlite3_column_int64 (s, 4) : PD_INTERVAL_NO_INDEX,
                              name };
  g_autofree char *label = pd_report_interval_label (&key);
  return g_strdup_printf ("%*s%s", (int) (2 * MIN (get_count (s, 0), MAX_INDENT)), "", label);
}

/* Of the whole program. */
static void
write_operations (const PdReportRun *run, guint width, GString *out)
{
  PdColumns to = { .out = out, .width = width };
  gsize begin = out->len;

  if (run->model != PD_MODEL_DVM)
    return;
  g_string_append_c (out, '\n');
  pd_report_add_operations (&to, pd_report_result (run, 0));
  if (out->len == begin + 1)
    g_string_truncate (out, begin);
}

gboolean
pd_results_write_run (const char *path, gint64 run, guint width, GString *out, GError **error)
{
  g_return_val_if_fail (path != NULL && out != NULL, FALSE);

  g_autoptr (sqlite3) db = pd_report_db_open_results (path, error);
  g_auto (PdStoredRun) stored = { 0 };
  PdColumns to = { .out = out, .width = width == 0 ? 80 : width };

  if (db == NULL || !pd_results_read_run (path, run, &stored, error))
    return FALSE;
  for (guint i = 0; i < stored.run->results->len; i++)
    pd_report_add_interval (&to, stored.run, i, NULL);
  pd_columns_end (&to);
  g_string_append (out, PD_REPORT_TREE_LEGEND);
  write_operations (stored.run, to.width, out);
  return pd_results_write_again (db, run, to.width, out, error);
}

/* ---- CSV */

static gboolean
has_efficiencies (sqlite3 *db, gint64 run)
{
  g_autofree char *sql =
      g_strdup_printf ("SELECT count (*) FROM efficiency WHERE run = %" G_GINT64_FORMAT, run);
  gint64 n;

  return pd_report_db_get_version (db) >= 5 && pd_report_db_get_integer (db, sql, &n) && n > 0;
}

/* The columns of intervals that such programs have. */
static char *
select_intervals (gint64 version, gboolean is_mpi, gboolean efficiencies)
{
  GString *sql = g_string_new ("SELECT run, node, parent, depth, type, file, line, idx, processors,"
                               " total_time, efficiency");
  PdIntervalModel model = is_mpi ? PD_MODEL_MPI : PD_MODEL_DVM;

  if (is_mpi)
    g_string_append (sql, ", name");
  pd_results_append_columns (sql, model, version);
  for (PdEfficiency e = 0; efficiencies && e < PD_N_EFFICIENCIES; e++)
    g_string_append_printf (sql,
                            ", (SELECT %s FROM efficiency e WHERE e.run = interval.run"
                            " AND e.node = interval.node) AS %s",
                            pd_efficiency_row (e)->id, pd_efficiency_row (e)->id);
  g_string_append (sql, " FROM interval WHERE run = ? ORDER BY node");
  return g_string_free (sql, FALSE);
}

static gboolean
is_mpi_run (sqlite3 *db, gint64 run)
{
  g_autofree char *sql = g_strdup_printf (
      "SELECT count (*) FROM run WHERE kind = 'mpi' AND id = %" G_GINT64_FORMAT, run);
  gint64 n;

  return pd_report_db_get_version (db) > 1 && pd_report_db_get_integer (db, sql, &n) && n > 0;
}

gboolean
pd_results_write_csv (const char *path, gint64 run, GString *out, GError **error)
{
  g_return_val_if_fail (path != NULL && out != NULL, FALSE);

  g_autoptr (sqlite3) db = pd_report_db_open_results (path, error);
  g_autofree char *sql = run == 0 || db == NULL
                             ? g_strdup ("SELECT * FROM summary ORDER BY run")
                             : select_intervals (pd_report_db_get_version (db),
                                                 is_mpi_run (db, run), has_efficiencies (db, run));
  g_autoptr (sqlite3_stmt) statement =
      db != NULL ? pd_report_db_prepare (db, sql, run, error) : NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) local = NULL;
  gboolean any = FALSE;

  if (statement == NULL)
    return FALSE;
  int n = sqlite3_column_count (statement);
  for (int i = 0; i < n; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? "," : "", sqlite3_column_name (statement, i));
  g_string_append (text, "\r\n");
  for (; pd_report_db_next (db, statement, &local); any = TRUE)
    {
      for (int i = 0; i < n; i++)
        {
          g_string_append (text, i > 0 ? "," : "");
          pd_csv_append (text, (const char *) sqlite3_column_text (statement, i));
        }
      g_string_append (text, "\r\n");
    }
  if (local == NULL && !any && run != 0)
    pd_report_db_set_no_run (path, run, &local);
  if (!pd_propagate (error, g_steal_pointer (&local)))
    return FALSE;
  g_string_append_len (out, text->str, (gssize) text->len);
  return TRUE;
}
