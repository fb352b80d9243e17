/* The stored data of a run besides its intervals: efficiencies, samples, sensitivity, diagnosis,
 * what-ifs.
 * SPDX-License-Identifier: MIT */
#include "base/pd-error.h"
#include "base/pd-text.h"
#include "reports/emit/pd-format.h"
#include "reports/hints/pd-what-ifs.h"
#include "reports/run/pd-report-repeated.h"
#include "reports/results/pd-results-private.h"
#include "reports/results/pd-results-db.h"
#include "reports/results/pd-results-repeated-private.h"
#include "reports/results/pd-results-repeated.h"
#include "reports/run/pd-sensitivity.h"
#include "reports/run/pd-sensitivity-db.h"

#include <math.h>

/* ---- efficiencies */

/* Of row @s of select_efficiencies(), from column @first on. */
static void
get_efficiencies (sqlite3_stmt *s, int first, gdouble *values)
{
  for (guint e = 0; e < PD_N_EFFICIENCIES; e++)
    values[e] = sqlite3_column_type (s, first + (int) e) == SQLITE_NULL
                    ? NAN
                    : sqlite3_column_double (s, first + (int) e);
}

/* With one run of a report there is nothing to scale against, and nothing is shown of it. */
static guint
count_known (sqlite3 *db, gint64 run)
{
  g_autofree char *sql =
      g_strdup_printf ("SELECT count (%s) FROM efficiency WHERE run = %" G_GINT64_FORMAT,
                       pd_efficiency_row (PD_E_SCALING)->id, run);
  gint64 n;

  return pd_report_db_get_integer (db, sql, &n) && n > 0 ? PD_N_EFFICIENCIES : PD_E_SCALING;
}

static char *
select_efficiencies (void)
{
  GString *sql = g_string_new ("SELECT depth, type, file, line, idx, name");

  for (PdEfficiency e = 0; e < PD_N_EFFICIENCIES; e++)
    g_string_append_printf (sql, ", e.%s", pd_efficiency_row (e)->id);
  g_string_append (sql, " FROM efficiency e JOIN interval i ON i.run = e.run AND i.node = e.node"
                        " WHERE e.run = ? ORDER BY e.node");
  return g_string_free (sql, FALSE);
}

static gboolean
write_efficiencies (sqlite3 *db, gint64 run, guint width, GString *out, GError **error)
{
  g_autofree char *sql = select_efficiencies ();
  g_autoptr (sqlite3_stmt) s = pd_report_db_prepare (db, sql, run, error);
  guint n = count_known (db, run);
  g_auto (PdColumns) to = { .out = out, .width = width };
  g_autoptr (GError) local = NULL;

  if (s == NULL)
    return FALSE;
  while (pd_report_db_next (db, s, &local))
    {
      gdouble values[PD_N_EFFICIENCIES];
      g_autofree char *label = pd_results_label (s, 5);
      get_efficiencies (s, 6, values);
      pd_efficiency_add (&to, label, 0, NULL, n, values);
    }
  if (!pd_propagate (error, g_steal_pointer (&local)))
    return FALSE;
  if (to.n_rows > 0)
    {
      g_string_append_c (out, '\n');
      pd_efficiency_end (&to);
      g_string_truncate (out, out->len - 1);
    }
  return TRUE;
}

/* ---- the range */

gboolean
pd_results_read_range (sqlite3 *db, gint64 run, PdTimeRange **range, GError **error)
{
  static const char sql[] =
      "SELECT source, low_ps, high_ps, execution_time_ps FROM execution_range AS r "
      "JOIN run ON run.id = r.run WHERE r.run = ? ORDER BY position";
  g_autoptr (sqlite3_stmt) s = pd_report_db_prepare (db, sql, run, error);
  g_autoptr (GError) local = NULL;

  *range = NULL;
  if (s == NULL)
    return FALSE;
  while (pd_report_db_next (db, s, &local))
    {
      const char *source = (const char *) sqlite3_column_text (s, 0);
      const PdTimeRangeEnds ends = { PD_TIME (sqlite3_column_int64 (s, 1)),
                                     PD_TIME (sqlite3_column_int64 (s, 2)) };
      if (*range == NULL)
        *range = pd_time_range_new (PD_TIME (MAX (sqlite3_column_int64 (s, 3), 0)));
      pd_time_range_add_stored (*range, source != NULL ? source : "", &ends);
    }
  return pd_propagate (error, g_steal_pointer (&local));
}

static gboolean
write_range (sqlite3 *db, gint64 run, guint width, GString *out, GError **error)
{
  g_autoptr (PdTimeRange) range = NULL;

  if (!pd_results_read_range (db, run, &range, error))
    return FALSE;
  if (range != NULL)
    {
      g_string_append_c (out, '\n');
      pd_time_range_write (range, width, out);
    }
  return TRUE;
}

/* ---- samples */

static gboolean
write_samples (sqlite3 *db, gint64 run, guint width, GString *out, GError **error)
{
  static const char sql[] =
      "SELECT seed, execution_time_ps FROM sample WHERE run = ? ORDER BY number";
  g_autoptr (sqlite3_stmt) s = pd_report_db_prepare (db, sql, run, error);
  g_autoptr (GArray) samples = g_array_new (FALSE, FALSE, sizeof (PdTime));
  g_autoptr (GError) local = NULL;
  guint64 seed = 0;

  if (s == NULL)
    return FALSE;
  while (pd_report_db_next (db, s, &local))
    {
      PdTime time = PD_TIME (MAX (sqlite3_column_int64 (s, 1), 0));
      if (samples->len == 0)
        seed = (guint64) sqlite3_column_int64 (s, 0);
      g_array_append_val (samples, time);
    }
  if (!pd_propagate (error, g_steal_pointer (&local)))
    return FALSE;
  if (samples->len > 0)
    {
      g_string_append_c (out, '\n');
      pd_report_write_samples (samples, seed, width, out);
      g_string_truncate (out, out->len - 1);
    }
  return TRUE;
}

/* ---- sensitivity */

static gboolean
write_sensitivity (sqlite3 *db, gint64 run, guint width, GString *out, GError **error)
{
  g_autoptr (PdSensitivity) sensitivity = NULL;

  if (!pd_sensitivity_read (db, run, &sensitivity, error))
    return FALSE;
  if (sensitivity != NULL)
    {
      g_string_append_c (out, '\n');
      pd_sensitivity_write_text (sensitivity, width, "--csv", out);
    }
  return TRUE;
}

/* ---- diagnosis of the whole program */

static gboolean
write_diagnosis (sqlite3 *db, gint64 run, guint width, GString *out, GError **error)
{
  static const char sql[] =
      "SELECT text FROM diagnosis WHERE run = ? AND node = 0 ORDER BY position";
  g_autoptr (sqlite3_stmt) s = pd_report_db_prepare (db, sql, run, error);
  g_autoptr (GError) local = NULL;
  gboolean any = FALSE;

  if (s == NULL)
    return FALSE;
  for (; pd_report_db_next (db, s, &local); any = TRUE)
    {
      g_autofree char *text = pd_text_show ((const char *) sqlite3_column_text (s, 0));
      g_string_append (out, any ? "" : "\nDiagnosis\n");
      gsize begin = out->len;
      pd_report_append_wrapped (out, text, "  ", width);
      out->str[begin] = '-';
    }
  return pd_propagate (error, g_steal_pointer (&local));
}

/* ---- what-ifs */

gboolean
pd_results_read_what_ifs (sqlite3 *db, gint64 run, GArray **what_ifs, GError **error)
{
  static const char sql[] = "SELECT id, value, change, how, time, gain, percent FROM what_if"
                            " WHERE run = ? ORDER BY position";
  g_autoptr (sqlite3_stmt) s = pd_report_db_prepare (db, sql, run, error);
  g_autoptr (GError) local = NULL;

  *what_ifs = NULL;
  if (s == NULL)
    return FALSE;
  while (pd_report_db_next (db, s, &local))
    {
      g_autofree char *id = pd_text_show ((const char *) sqlite3_column_text (s, 0));
      PdWhatIf row = { .id = g_intern_string (id), .percent = sqlite3_column_double (s, 6) };
      gdouble time = sqlite3_column_double (s, 4), gain = sqlite3_column_double (s, 5);
      row.value = pd_text_show ((const char *) sqlite3_column_text (s, 1));
      row.change = pd_text_show ((const char *) sqlite3_column_text (s, 2));
      row.how = pd_text_show ((const char *) sqlite3_column_text (s, 3));
      row.time.ps = (gint64) CLAMP (round (time * 1e12), 0, 9e18);
      row.gain.ps = (PdWide) CLAMP (round (gain * 1e12), -9e18, 9e18);
      if (*what_ifs == NULL)
        *what_ifs = pd_what_ifs_new ();
      g_array_append_val (*what_ifs, row);
    }
  if (local != NULL)
    g_clear_pointer (what_ifs, g_array_unref);
  return pd_propagate (error, g_steal_pointer (&local));
}

static gboolean
write_what_ifs (sqlite3 *db, gint64 run, guint width, GString *out, GError **error)
{
  g_autoptr (GArray) what_ifs = NULL;
  g_autofree char *sql =
      g_strdup_printf ("SELECT execution_time_ps FROM run WHERE id = %" G_GINT64_FORMAT, run);
  gint64 time;

  if (!pd_results_read_what_ifs (db, run, &what_ifs, error))
    return FALSE;
  if (what_ifs != NULL && pd_report_db_get_integer (db, sql, &time))
    {
      g_string_append_c (out, '\n');
      pd_what_ifs_write (what_ifs, (PdTimeSum){ time }, width, out);
      g_string_truncate (out, out->len - 1);
    }
  return TRUE;
}

/* The tables came with different versions of result files. */
gboolean
pd_results_write_again (sqlite3 *db, gint64 run, guint width, GString *out, GError **error)
{
  return pd_report_db_get_version (db) < 5
         || (write_efficiencies (db, run, width, out, error)
             && write_samples (db, run, width, out, error)
             && write_sensitivity (db, run, width, out, error)
             && (pd_report_db_get_version (db) < 7
                 || (write_range (db, run, width, out, error)
                     && write_diagnosis (db, run, width, out, error)
                     && write_what_ifs (db, run, width, out, error))));
}

gboolean
pd_results_write_sensitivity_csv (const char *path, gint64 run, GString *out, GError **error)
{
  g_return_val_if_fail (path != NULL && out != NULL, FALSE);

  g_autoptr (sqlite3) db = pd_report_db_open_results (path, error);
  g_autoptr (PdSensitivity) sensitivity = NULL;

  if (db == NULL || !pd_sensitivity_read (db, run, &sensitivity, error))
    return FALSE;
  if (sensitivity != NULL)
    {
      pd_sensitivity_append_csv_heading (out);
      pd_sensitivity_append_csv (sensitivity, run, out);
    }
  return TRUE;
}
