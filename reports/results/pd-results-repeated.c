/* What is stored of a run besides its intervals: efficiencies, samples, sensitivity.
 * SPDX-License-Identifier: MIT */
#include "base/pd-error.h"
#include "reports/run/pd-report-repeated.h"
#include "reports/results/pd-results-private.h"
#include "reports/results/pd-results-db.h"
#include "reports/results/pd-results-repeated-private.h"
#include "reports/results/pd-results-repeated.h"
#include "reports/run/pd-sensitivity-csv.h"
#include "reports/run/pd-sensitivity-db.h"
#include "reports/run/pd-sensitivity-text.h"

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

gboolean
pd_results_write_again (sqlite3 *db, gint64 run, guint width, GString *out, GError **error)
{
  return pd_report_db_get_version (db) < 5
         || (write_efficiencies (db, run, width, out, error)
             && write_samples (db, run, width, out, error)
             && write_sensitivity (db, run, width, out, error));
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
