/* SPDX-License-Identifier: MIT */
#include "reports/results/pd-results-read.h"

#include "base/pd-error.h"
#include "base/pd-text.h"
#include "intervals/pd-interval-rows.h"
#include "reports/results/pd-results-db.h"
#include "reports/run/pd-report-rows.h"

#include <math.h>
#include <string.h>

#define MOST_SECONDS 1e15 /* of a sum: a 128-bit integer holds it in picoseconds */

void
pd_stored_run_clear (PdStoredRun *self)
{
  g_clear_pointer (&self->run, pd_report_run_free);
  g_clear_pointer (&self->inputs, pd_messages_free);
  g_clear_pointer (&self->machine, g_free);
}

static void
set_damaged (const char *what, GError **error)
{
  g_set_error (error, PD_REPORT_ERROR, PD_REPORT_ERROR_READ, "damaged result file: %s", what);
}

/* ---- intervals */

static gboolean
read_seconds (sqlite3_stmt *s, int column, PdTimeSum *sum)
{
  gdouble seconds = sqlite3_column_double (s, column);

  if (!(fabs (seconds) <= MOST_SECONDS))
    return FALSE;
  sum->ps = (PdWide) roundl ((long double) seconds * 1e12L);
  return TRUE;
}

/* The sum, and both extremes with their processors. */
static gboolean
read_summary (sqlite3_stmt *s, int *column, PdSummary *summary)
{
  int at = *column;

  *column += 5;
  summary->min = PD_TIME (sqlite3_column_int64 (s, at + 1));
  summary->min_at = (guint32) CLAMP (sqlite3_column_int64 (s, at + 2), 0, (gint64) G_MAXUINT32);
  summary->max = PD_TIME (sqlite3_column_int64 (s, at + 3));
  summary->max_at = (guint32) CLAMP (sqlite3_column_int64 (s, at + 4), 0, (gint64) G_MAXUINT32);
  return read_seconds (s, at, &summary->sum);
}

static gboolean
read_type (const char *name, PdIntervalType *type)
{
  for (PdIntervalType t = PD_INTERVAL_MAIN; t <= PD_INTERVAL_USER; t++)
    if (g_strcmp0 (name, pd_interval_type_name (t)) == 0)
      {
        *type = t;
        return TRUE;
      }
  return FALSE;
}

static const char *
keep_text (PdReportRun *run, sqlite3_stmt *s, int column)
{
  const char *text = (const char *) sqlite3_column_text (s, column);
  g_autofree char *valid = g_utf8_make_valid (text != NULL ? text : "", -1);

  return g_string_chunk_insert_const (run->names, valid);
}

/* The first columns of counters and of characteristics in the query of select_intervals(). */
#define FIXED_COLUMNS 10

/* @s stands on the row of the next interval. */
static gboolean
read_interval (PdReportRun *run, sqlite3_stmt *s)
{
  guint n = run->results->len;
  PdIntervalResult r = { .node = n };
  gint64 parent = sqlite3_column_int64 (s, 1);
  int column = FIXED_COLUMNS;
  gboolean fine = sqlite3_column_int64 (s, 0) == n && (n == 0 || (parent >= 0 && parent < n))
                  && read_type ((const char *) sqlite3_column_text (s, 2), &r.type)
                  && read_seconds (s, 8, &r.total_time);

  if (!fine)
    return FALSE;
  r.parent = n == 0 ? 0 : (guint32) parent;
  r.depth = n == 0 ? 0 : g_array_index (run->results, PdIntervalResult, parent).depth + 1;
  r.file = keep_text (run, s, 3);
  r.line = sqlite3_column_int64 (s, 4);
  r.index = sqlite3_column_type (s, 5) == SQLITE_NULL ? PD_INTERVAL_NO_INDEX
                                                      : sqlite3_column_int64 (s, 5);
  r.name = keep_text (run, s, 6);
  r.n_processors = (guint32) CLAMP (sqlite3_column_int64 (s, 7), 0, (gint64) G_MAXUINT32);
  r.efficiency = sqlite3_column_double (s, 9);
  for (guint q = 0; q < PD_N_COUNTERS; q++)
    if (pd_counter_applies (PD_N_TIMES + q, run->model))
      r.counts[q] = (guint64) sqlite3_column_int64 (s, column++);
  for (PdCharacteristic c = 0; c < PD_N_CHARACTERISTICS; c++)
    if (pd_characteristic_applies (c, run->model) && !read_summary (s, &column, &r.values[c]))
      return FALSE;
  g_array_append_val (run->results, r);
  return TRUE;
}

void
pd_results_append_columns (GString *sql, PdIntervalModel model, gint64 version)
{
  static const char *const parts[] = { "", "_min_ps", "_min_at", "_max_ps", "_max_at" };

  for (guint q = 0; q < PD_N_COUNTERS; q++)
    if (pd_counter_applies (PD_N_TIMES + q, model))
      g_string_append_printf (sql, ", %s%s",
                              version < pd_report_counter_version (PD_N_TIMES + q) ? "0 AS " : "",
                              pd_counter_row (PD_N_TIMES + q)->id);
  for (PdCharacteristic c = 0; c < PD_N_CHARACTERISTICS; c++)
    for (gsize i = 0; i < G_N_ELEMENTS (parts) && pd_characteristic_applies (c, model); i++)
      g_string_append_printf (sql, ", %s%s%s",
                              version < pd_report_characteristic_version (c) ? "0 AS " : "",
                              pd_characteristic_row (c)->id, parts[i]);
}

static char *
select_intervals (const PdReportRun *run, gint64 version)
{
  GString *sql = g_string_new ("SELECT node, parent, type, file, line, idx");

  g_string_append_printf (sql, ", %s, processors, total_time, efficiency",
                          version > 1 ? "name" : "''");
  pd_results_append_columns (sql, run->model, version);
  g_string_append (sql, " FROM interval WHERE run = ? ORDER BY node");
  return g_string_free (sql, FALSE);
}

/* What @s has of one kind of operations. */
static gboolean
read_operation (PdReportRun *run, sqlite3_stmt *s)
{
  gint64 node = sqlite3_column_int64 (s, 0);
  const char *kind = (const char *) sqlite3_column_text (s, 1);
  guint k = 0;

  while (k < PD_N_OPERATIONS && g_strcmp0 (kind, pd_operation_row (k)->id) != 0)
    k++;
  if (node < 0 || node >= run->results->len || k == PD_N_OPERATIONS)
    return FALSE;
  PdIntervalResult *r = &g_array_index (run->results, PdIntervalResult, node);
  for (guint t = 0; t < PD_N_OPERATION_TIMES; t++)
    if (!read_seconds (s, 2 + (int) t, &r->operations[k][t]))
      return FALSE;
  return TRUE;
}

static gboolean
read_operations (sqlite3 *db, gint64 id, PdReportRun *run, GError **error)
{
  g_autoptr (GString) sql = g_string_new ("SELECT node, kind");

  for (guint t = 0; t < PD_N_OPERATION_TIMES; t++)
    g_string_append_printf (sql, ", %s",
                            pd_characteristic_row (pd_operation_characteristic (t))->id);
  g_string_append (sql, " FROM operation WHERE run = ?");
  g_autoptr (sqlite3_stmt) s = pd_report_db_prepare (db, sql->str, id, error);
  g_autoptr (GError) local = NULL;

  if (s == NULL)
    return FALSE;
  while (pd_report_db_next (db, s, &local))
    if (!read_operation (run, s))
      {
        set_damaged ("an operation that cannot be", error);
        return FALSE;
      }
  return pd_propagate (error, g_steal_pointer (&local));
}

static gboolean
read_intervals (sqlite3 *db, gint64 id, PdReportRun *run, GError **error)
{
  g_autofree char *sql = select_intervals (run, pd_report_db_get_version (db));
  g_autoptr (sqlite3_stmt) s = pd_report_db_prepare (db, sql, id, error);
  g_autoptr (GError) local = NULL;

  if (s == NULL)
    return FALSE;
  while (pd_report_db_next (db, s, &local))
    if (!read_interval (run, s))
      {
        set_damaged ("an interval that cannot be", error);
        return FALSE;
      }
  if (local == NULL && run->results->len == 0)
    set_damaged ("a run without intervals", &local);
  return pd_propagate (error, g_steal_pointer (&local));
}

/* ---- messages */

static void
add_message (PdMessages *messages, sqlite3_stmt *s)
{
  char *texts[5];

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    texts[i] = pd_text_show ((const char *) sqlite3_column_text (s, (int) i));
  const PdMessage message = { .severity = strcmp (texts[0], "warning") == 0 ? PD_SEVERITY_WARNING
                                                                            : PD_SEVERITY_NOTE,
                              .id = texts[1],
                              .subject = texts[2],
                              .text = texts[3],
                              .place = texts[4],
                              .count = (guint64) MAX (sqlite3_column_int64 (s, 5), 1) };
  pd_messages_add_message (messages, &message);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_free (texts[i]);
}

gboolean
pd_results_read_messages (sqlite3 *db, const char *where, gint64 id, PdMessages *messages,
                          GError **error)
{
  g_return_val_if_fail (db != NULL && where != NULL && messages != NULL, FALSE);

  g_autofree char *sql = g_strdup_printf ("SELECT severity, id, subject, text, place, count "
                                          "FROM warning WHERE %s ORDER BY rowid",
                                          where);
  g_autoptr (sqlite3_stmt) s = pd_report_db_prepare (db, sql, id, error);
  g_autoptr (GError) local = NULL;

  if (s == NULL)
    return FALSE;
  while (pd_report_db_next (db, s, &local))
    add_message (messages, s);
  return pd_propagate (error, g_steal_pointer (&local));
}

/* The messages of the run, and those of its report's inputs. */
static gboolean
read_messages (sqlite3 *db, PdStoredRun *stored, GError **error)
{
  return pd_results_read_messages (db, "run = ?", stored->id, stored->run->messages, error)
         && pd_results_read_messages (
             db, "run IS NULL AND report = (SELECT report FROM run WHERE id = ?)", stored->id,
             stored->inputs, error);
}

/* ---- runs */

/* @s stands on the row of the run. */
static void
read_head (sqlite3_stmt *s, PdStoredRun *stored)
{
  PdReportRun *run = g_new0 (PdReportRun, 1);

  stored->run = run;
  stored->inputs = pd_messages_new ();
  stored->id = sqlite3_column_int64 (s, 0);
  run->n_processors = (guint32) CLAMP (sqlite3_column_int64 (s, 1), 1, (gint64) G_MAXUINT32);
  run->names = g_string_chunk_new (256);
  run->grid = g_strdup (keep_text (run, s, 2));
  run->incomplete = sqlite3_column_int (s, 3) != 0;
  run->model = g_strcmp0 ((const char *) sqlite3_column_text (s, 4), "mpi") == 0 ? PD_MODEL_MPI
                                                                                 : PD_MODEL_DVM;
  stored->machine = g_strdup (keep_text (run, s, 5));
  pd_report_run_set_share (run, run->incomplete ? CLAMP (sqlite3_column_double (s, 6), 0, 1) : 1);
  run->results = g_array_new (FALSE, TRUE, sizeof (PdIntervalResult));
  run->messages = pd_messages_new ();
}

#define RECORDED_SHARE "(SELECT recorded_share FROM recorded_part WHERE recorded_part.run = run.id)"

static gboolean
read_run (sqlite3 *db, const char *path, gint64 id, PdStoredRun *stored, GError **error)
{
  gint64 version = pd_report_db_get_version (db);
  g_autofree char *sql = g_strdup_printf (
      "SELECT run.id, processors, grid, incomplete, %s, machine, %s FROM run JOIN report"
      " ON report.id = run.report WHERE %s ORDER BY run.id DESC LIMIT 1",
      version > 1 ? "kind" : "'dvm'", version > 6 ? RECORDED_SHARE : "NULL",
      id != 0 ? "run.id = ?" : "1");
  g_autoptr (sqlite3_stmt) s = pd_report_db_prepare (db, sql, id, error);
  g_autoptr (GError) local = NULL;

  if (s == NULL)
    return FALSE;
  if (pd_report_db_next (db, s, &local))
    {
      read_head (s, stored);
      return read_intervals (db, stored->id, stored->run, error)
             && read_messages (db, stored, error)
             && (version < 7 || read_operations (db, stored->id, stored->run, error));
    }
  if (local == NULL && id == 0)
    set_damaged ("no run is in it", &local);
  else if (local == NULL)
    pd_report_db_set_no_run (path, id, &local);
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

gboolean
pd_results_read_run (const char *path, gint64 id, PdStoredRun *stored, GError **error)
{
  g_return_val_if_fail (path != NULL && stored != NULL, FALSE);

  g_autoptr (sqlite3) db = pd_report_db_open_results (path, error);
  g_auto (PdStoredRun) found = { 0 };

  if (db == NULL || !read_run (db, path, id, &found, error))
    return FALSE;
  *stored = found;
  found = (PdStoredRun){ 0 };
  return TRUE;
}
