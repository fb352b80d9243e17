/* SPDX-License-Identifier: MIT */
#include "reports/results/pd-results-chart.h"

#include "base/pd-error.h"
#include "base/pd-text.h"
#include "base/pd-distribution.h"
#include "reports/results/pd-plot-commands.h"
#include "reports/emit/pd-plot.h"
#include "reports/results/pd-results-private.h"
#include "reports/results/pd-results-db.h"
#include "reports/emit/pd-format.h"
#include "reports/run/pd-sensitivity-db.h"

#include <math.h>
#include <string.h>

#define MAX_BARS 30 /* whose names can be read */

static const char *const names[PD_N_RESULTS_CHARTS] = { "curves", "parts", "histogram",
                                                        "sensitivity" };

const char *
pd_results_chart_name (PdResultsChart chart)
{
  g_return_val_if_fail ((guint) chart < PD_N_RESULTS_CHARTS, NULL);

  return names[chart];
}

/* Runs, intervals or times, column by column. */
typedef struct
{
  GPtrArray *names; /* (element-type utf8), owned */
  GArray *numbers;  /* gdouble: of each row @width of them */
  guint width;
} Rows;

static void
rows_clear (Rows *self)
{
  g_ptr_array_unref (self->names);
  g_array_unref (self->numbers);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Rows, rows_clear)

static Rows
rows_new (guint width)
{
  return (Rows){ g_ptr_array_new_with_free_func (g_free),
                 g_array_new (FALSE, FALSE, sizeof (gdouble)), width };
}

static gdouble
get_number (const Rows *rows, guint row, guint column)
{
  return g_array_index (rows->numbers, gdouble, row * rows->width + column);
}

/* Tells of each row of @sql. */
static gboolean
for_each_row (sqlite3 *db, const char *sql, gint64 run, void (*take) (Rows *rows, sqlite3_stmt *s),
              Rows *rows, GError **error)
{
  g_autoptr (sqlite3_stmt) s = pd_report_db_prepare (db, sql, run, error);
  g_autoptr (GError) local = NULL;

  if (s == NULL)
    return FALSE;
  while (pd_report_db_next (db, s, &local))
    take (rows, s);
  return pd_propagate (error, g_steal_pointer (&local));
}

static gboolean
refuse (const char *path, gint64 run, const char *what, GError **error)
{
  if (run != 0)
    g_set_error (error, PD_REPORT_ERROR, PD_REPORT_ERROR_READ,
                 "'%s': no %s is stored of run %" G_GINT64_FORMAT, path, what, run);
  else
    g_set_error (error, PD_REPORT_ERROR, PD_REPORT_ERROR_READ, "'%s': no %s is stored", path, what);
  return FALSE;
}

/* ---- curves */

enum
{
  REPORT,
  PROCESSORS,
  SPEED_UP,
  EFFICIENCY,
  N_CURVE_COLUMNS,
};

static void
take_run (Rows *rows, sqlite3_stmt *s)
{
  g_ptr_array_add (rows->names, pd_text_show ((const char *) sqlite3_column_text (s, 0)));
  for (int i = 0; i < N_CURVE_COLUMNS; i++)
    {
      gdouble number = sqlite3_column_double (s, i + 1);
      g_array_append_val (rows->numbers, number);
    }
}

/* One curve per invocation, whose runs follow each other. */
static void
add_curves (const Rows *rows, guint column, const char *label, GString *out)
{
  guint n = rows->names->len;
  g_autofree gdouble *x = g_new (gdouble, n), *y = g_new (gdouble, n);
  g_autoptr (GArray) curves = g_array_new (FALSE, FALSE, sizeof (PdPlotSeries));
  g_autoptr (GPtrArray) titles = g_ptr_array_new_with_free_func (g_free);
  gboolean several = get_number (rows, 0, REPORT) < get_number (rows, n - 1, REPORT);

  for (guint i = 0; i < n;)
    {
      gdouble report = get_number (rows, i, REPORT);
      const char *machine = g_ptr_array_index (rows->names, i);
      PdPlotSeries curve = { "", x + i, y + i, 0 };
      if (several)
        {
          g_ptr_array_add (titles, g_strdup_printf ("%.0f: %s", report, machine));
          curve.title = g_ptr_array_index (titles, titles->len - 1);
        }
      for (; i < n && !(get_number (rows, i, REPORT) > report); i++)
        {
          x[i] = get_number (rows, i, PROCESSORS);
          y[i] = get_number (rows, i, column) * (column == EFFICIENCY ? 100 : 1);
          curve.n++;
        }
      g_array_append_val (curves, curve);
    }
  g_string_append_printf (out, "set title '%s'\n", label);
  pd_plot_append_curves (out, column == SPEED_UP ? "speedup" : "efficiency",
                         (const PdPlotSeries *) (gconstpointer) curves->data, curves->len, label,
                         TRUE);
}

/* Numbers over more than a factor of 20 are better seen by their logarithms. */
static gboolean
is_wide (const Rows *rows)
{
  gdouble least = G_MAXDOUBLE, most = 0;

  for (guint i = 0; i < rows->names->len; i++)
    {
      least = MIN (least, get_number (rows, i, PROCESSORS));
      most = MAX (most, get_number (rows, i, PROCESSORS));
    }
  return least > 0 && most > 20 * least;
}

static gboolean
make_curves (sqlite3 *db, const char *path, gint64 run, GString *out, GError **error)
{
  g_autofree char *sql =
      g_strdup_printf ("SELECT machine, report, processors, speed_up, efficiency FROM summary%s "
                       "ORDER BY report, processors, run",
                       run != 0 ? " WHERE report = (SELECT report FROM run WHERE id = ?)" : "");
  g_auto (Rows) rows = rows_new (N_CURVE_COLUMNS);

  if (!for_each_row (db, sql, run, take_run, &rows, error))
    return FALSE;
  if (rows.names->len == 0)
    return refuse (path, run, "result", error);
  /* one above the other: names of machines take the width */
  g_string_append (out, "set multiplot layout 2,1\n");
  pd_plot_append_label (out, 'x', "Processors", "");
  if (is_wide (&rows))
    g_string_append (out, "set logscale x\n");
  add_curves (&rows, SPEED_UP, "Speed-up", out);
  add_curves (&rows, EFFICIENCY, "Efficiency, %", out);
  g_string_append (out, "unset multiplot\n");
  return TRUE;
}

/* ---- parts */

static void
take_shares (Rows *rows, sqlite3_stmt *s)
{
  gdouble productive = 1;

  for (int k = 1; k < PD_PLOT_N_SHARES; k++)
    productive -= sqlite3_column_double (s, k + 2);
  for (int k = 0; k < PD_PLOT_N_SHARES; k++)
    {
      gdouble share = k == 0 ? MAX (productive, 0) : sqlite3_column_double (s, k + 2);
      g_array_append_val (rows->numbers, share);
    }
}

static void
take_run_shares (Rows *rows, sqlite3_stmt *s)
{
  g_autofree char *grid = pd_text_show ((const char *) sqlite3_column_text (s, 1));

  g_ptr_array_add (rows->names, g_strdup_printf ("%" G_GINT64_FORMAT ": %s",
                                                 (gint64) sqlite3_column_int64 (s, 0), grid));
  take_shares (rows, s);
}

/* Its label comes from columns of its own, behind those of shares. */
static void
take_interval_shares (Rows *rows, sqlite3_stmt *s)
{
  g_autofree char *label = pd_results_label (s, 5);

  g_ptr_array_add (rows->names, g_strdup (g_strchug (label)));
}

/* Those that take longest, in the order of the tree. */
#define INTERVALS                                                                                  \
  "FROM interval WHERE run = ?1 AND node IN (SELECT node FROM interval WHERE run = ?1 "            \
  "AND total_time > 0 ORDER BY total_time DESC, node LIMIT " G_STRINGIFY (                         \
      MAX_BARS) ") ORDER BY node"

static gboolean
read_parts (sqlite3 *db, gint64 run, Rows *rows, GError **error)
{
  static const char of_runs[] =
      "SELECT run, grid, 0, insufficient_parallelism, communication, idle "
      "FROM summary ORDER BY run";
  static const char of_intervals[] =
      "SELECT 0, '', 0, insufficient_parallelism / total_time, communication / total_time, "
      "idle / total_time " INTERVALS;
  g_autofree char *labels = g_strdup_printf ("SELECT depth, type, file, line, idx, %s " INTERVALS,
                                             pd_report_db_get_version (db) > 1 ? "name" : "''");

  if (run == 0)
    return for_each_row (db, of_runs, 0, take_run_shares, rows, error);
  return for_each_row (db, labels, run, take_interval_shares, rows, error)
         && for_each_row (db, of_intervals, run, take_shares, rows, error);
}

static gboolean
make_parts (sqlite3 *db, const char *path, gint64 run, GString *out, GError **error)
{
  g_auto (Rows) rows = rows_new (PD_PLOT_N_SHARES);

  if (!read_parts (db, run, &rows, error))
    return FALSE;
  guint n = rows.names->len;
  if (n == 0)
    return refuse (path, run, "time", error);
  guint first = n > MAX_BARS ? n - MAX_BARS : 0; /* the last runs */
  pd_plot_append_label (out, 'x', run == 0 ? "Run: grid" : "Interval", "");
  pd_plot_append_shares (out, (const char *const *) rows.names->pdata + first,
                         (const gdouble *) (gconstpointer) rows.numbers->data
                             + (gsize) first * PD_PLOT_N_SHARES,
                         n - first);
  return TRUE;
}

/* ---- samples */

/* The last run that has rows in @table, unless one was asked for. */
static gint64
find_run (sqlite3 *db, const char *table, gint64 run)
{
  g_autofree char *sql = g_strdup_printf ("SELECT coalesce (max (run), 0) FROM %s", table);

  return run != 0 || pd_report_db_get_integer (db, sql, &run) ? run : 0;
}

static void
take_time (Rows *rows, sqlite3_stmt *s)
{
  PdTime time = PD_TIME (MAX (sqlite3_column_int64 (s, 0), 0));

  g_array_append_val (rows->numbers, time);
}

static void
add_histogram (const GArray *times, GString *out)
{
  PdDistribution d;
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  gdouble counts[G_N_ELEMENTS (d.bars)];

  pd_distribution_compute (times, &d);
  for (guint i = 0; i < d.n_bars; i++)
    {
      GString *text = g_string_new (NULL);
      pd_report_append_double (text, "%.6g", pd_time_to_seconds (d.bars[i].from));
      g_ptr_array_add (texts, g_string_free (text, FALSE));
      counts[i] = d.bars[i].count;
    }
  pd_plot_append_label (out, 'x', "Execution time from", "s");
  pd_plot_append_bars (out, (const char *const *) texts->pdata, counts, d.n_bars, "Samples");
}

static gboolean
make_histogram (sqlite3 *db, const char *path, gint64 run, GString *out, GError **error)
{
  static const char sql[] = "SELECT execution_time_ps FROM sample WHERE run = ? ORDER BY number";
  g_autoptr (GPtrArray) no_names = g_ptr_array_new ();
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (PdTime));
  Rows rows = { no_names, times, 1 };

  if (pd_report_db_get_version (db) < 5)
    return refuse (path, run, "distribution of samples", error);
  run = find_run (db, "sample", run);
  if (!for_each_row (db, sql, run, take_time, &rows, error))
    return FALSE;
  if (times->len == 0)
    return refuse (path, run, "distribution of samples", error);
  add_histogram (times, out);
  return TRUE;
}

/* ---- sensitivity */

static gint
compare_parameters (gconstpointer a, gconstpointer b)
{
  const PdSensitivityParameter *p = a, *q = b;
  gdouble x = fabs (p->elasticity), y = fabs (q->elasticity);

  if (x > y || x < y)
    return x > y ? -1 : 1;
  return strcmp (p->path, q->path);
}

/* The most important parameters, by the effect of one per cent of each. */
static gboolean
make_sensitivity (sqlite3 *db, const char *path, gint64 run, GString *out, GError **error)
{
  g_autoptr (PdSensitivity) sensitivity = NULL;
  g_autoptr (GPtrArray) texts = g_ptr_array_new ();
  gdouble values[MAX_BARS];

  if (pd_report_db_get_version (db) >= 5)
    {
      run = find_run (db, "sensitivity", run);
      if (!pd_sensitivity_read (db, run, &sensitivity, error))
        return FALSE;
    }
  if (sensitivity == NULL || sensitivity->parameters->len == 0)
    return refuse (path, run, "sensitivity", error);
  g_array_sort (sensitivity->parameters, compare_parameters);
  for (guint i = 0; i < MIN (sensitivity->parameters->len, MAX_BARS); i++)
    {
      const PdSensitivityParameter *p =
          &g_array_index (sensitivity->parameters, PdSensitivityParameter, i);
      g_ptr_array_add (texts, p->path);
      values[i] = fabs (p->elasticity);
    }
  pd_plot_append_label (out, 'x', "Parameter of the machine", "");
  pd_plot_append_bars (out, (const char *const *) texts->pdata, values, texts->len,
                       "Change of the run time, % per %");
  return TRUE;
}

/* ---- all */

char *
pd_results_chart_commands (const char *path, PdResultsChart chart, gint64 run, GError **error)
{
  static gboolean (*const make[PD_N_RESULTS_CHARTS]) (
      sqlite3 * db, const char *path, gint64 run, GString *out,
      GError **error) = { make_curves, make_parts, make_histogram, make_sensitivity };
  g_autoptr (sqlite3) db = pd_report_db_open_results (path, error);
  g_autoptr (GString) out = g_string_new (NULL);
  gint64 there = 1;

  g_return_val_if_fail ((guint) chart < PD_N_RESULTS_CHARTS, NULL);

  if (db == NULL)
    return NULL;
  g_autofree char *sql =
      g_strdup_printf ("SELECT count (*) FROM run WHERE id = %" G_GINT64_FORMAT, run);
  if (run != 0 && (!pd_report_db_get_integer (db, sql, &there) || there == 0))
    {
      pd_report_db_set_no_run (path, run, error);
      return NULL;
    }
  return make[chart](db, path, run, out, error) ? g_string_free (g_steal_pointer (&out), FALSE)
                                                : NULL;
}
