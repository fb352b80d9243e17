/* SPDX-License-Identifier: MIT */
#include "sweep/study/pd-study-report.h"

#include "base/pd-csv.h"
#include "base/pd-text.h"
#include "reports/emit/pd-plot.h"
#include "reports/emit/pd-table.h"
#include "reports/emit/pd-format.h"

#include <string.h>

#define PLOT_WIDTH  1000 /* pixels */
#define PLOT_HEIGHT 600
#define TEXT_LINES  22
#define BRIEF_ROWS  10
#define SMALL_GRID  400 /* cells, however many are empty */
#define WIDE        100 /* columns of text: room for both ends of ranges */

static const PdStudyRow *
get_row (const PdStudyTable *table, guint row)
{
  return &g_array_index (table->rows, PdStudyRow, row);
}

static const PdStudyAxis *
get_axis (const PdStudyTable *table, gint axis)
{
  return &g_array_index (table->axes, PdStudyAxis, axis);
}

static gboolean
is_share (PdMetric metric)
{
  return metric == PD_METRIC_EFFICIENCY || metric >= PD_METRIC_PRODUCTIVE;
}

static char *
format_metric (PdMetric metric, gdouble value)
{
  GString *text = g_string_new (NULL);

  if (is_share (metric))
    pd_report_append_double (text, "%.1f", 100 * value);
  else
    pd_report_append_double (text, "%.6g", value);
  return g_string_free (text, FALSE);
}

/* An end of the range of the time; "" if it is not known. */
static char *
format_end (const PdStudyRow *row, guint end)
{
  return row->ends[1] > 0 ? format_metric (PD_METRIC_TIME, row->ends[end]) : g_strdup ("");
}

/* ---- present results */

/* "1978 of 2000 points: 1970 done, 8 failed" */
static void
append_state (const PdStudyTable *table, GString *out)
{
  const PdStudyState *state = &table->state;
  gint64 finished = 0;
  const char *separator = ": ";

  for (guint s = 0; s < PD_N_POINT_STATUSES; s++)
    finished += state->counts[s];
  g_string_append_printf (out, "%" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " points", finished,
                          state->n_points);
  for (guint s = 0; s < PD_N_POINT_STATUSES; s++)
    {
      if (state->counts[s] == 0)
        continue;
      g_string_append_printf (out, "%s%" G_GINT64_FORMAT " %s", separator, state->counts[s],
                              pd_point_status_name ((PdPointStatus) s));
      separator = ", ";
    }
}

/* "procs: 1, 2, 4, 8"; of many values only the ends. */
static void
append_axes (const PdStudyTable *table, GString *out)
{
  for (guint a = 0; a < table->axes->len; a++)
    {
      const PdStudyAxis *axis = get_axis (table, (gint) a);
      guint n = axis->texts->len;
      g_string_append_printf (out, "%s: ", axis->name);
      for (guint i = 0; i < n; i++)
        {
          if (n > 8 && i >= 3 && i + 1 < n)
            continue;
          g_string_append_printf (out, "%s%s",
                                  i == 0                ? ""
                                  : n > 8 && i + 1 == n ? ", … "
                                                        : ", ",
                                  (const char *) g_ptr_array_index (axis->texts, i));
        }
      g_string_append_printf (out, n > 8 ? " (%u values)\n" : "\n", n);
    }
}

char *
pd_study_report_describe (const PdStudyTable *table)
{
  GString *out = g_string_new (NULL);

  append_state (table, out);
  g_string_append_c (out, '\n');
  append_axes (table, out);
  return g_string_free (out, FALSE);
}

/* ---- tables */

/* On a terminal of 80 columns a table of several axes has no room for the shares. */
static gboolean
has_room (const PdColumns *to, const PdStudyTable *table, PdMetric m)
{
  guint axes = table->axes->len + (table->has_ranks ? 1 : 0);

  return !is_share (m) || m == PD_METRIC_EFFICIENCY || to->width == 0 || to->width > 80 || axes < 2;
}

static gboolean
shows_ends (const PdColumns *to, const PdStudyTable *table)
{
  return table->has_ranges && (to->width == 0 || to->width >= WIDE);
}

static void
begin_points (PdColumns *to, const PdStudyTable *table)
{
  static const char *const headings[PD_N_METRICS] = {
    [PD_METRIC_TIME] = "Time s",        [PD_METRIC_SPEED_UP] = "Speed-up",
    [PD_METRIC_EFFICIENCY] = "Eff.%",   [PD_METRIC_COST] = "Cost",
    [PD_METRIC_INSUFFICIENT] = "Ins.%", [PD_METRIC_COMMUNICATION] = "Comm%",
    [PD_METRIC_IDLE] = "Idle%"
  };

  if (!pd_columns_begin (to, &(PdColumn){ "Point", "Point" }, 1))
    return;
  for (guint a = 0; a < table->axes->len; a++)
    {
      g_autofree char *name = pd_text_show (get_axis (table, (gint) a)->name);
      pd_columns_add_column (to, name, name);
    }
  if (table->has_ranks)
    pd_columns_add_column (to, "Ranks", "Ranks");
  for (PdMetric m = 0; m < PD_N_METRICS; m++)
    {
      const char *title = pd_metric_row (m)->title;
      int words = (int) (is_share (m) ? strcspn (title, ",") : strlen (title));
      if (!has_room (to, table, m))
        continue;
      g_autofree char *page = g_strdup_printf ("%.*s%s", words, title, is_share (m) ? ", %" : "");
      pd_columns_add_column (to, headings[m], page);
      if (m != PD_METRIC_TIME || !shows_ends (to, table))
        continue;
      pd_columns_add_column (to, "Low s", "Time, low, s");
      pd_columns_add_column (to, "High s", "Time, high, s");
    }
}

void
pd_study_report_add_row (PdColumns *to, const PdStudyTable *table, guint row)
{
  begin_points (to, table);
  pd_columns_add_count (to, (guint64) get_row (table, row)->point);
  for (guint a = 0; a < table->axes->len; a++)
    pd_columns_add_text (to, g_ptr_array_index (get_axis (table, (gint) a)->texts,
                                                pd_study_table_place (table, row, a)));
  if (table->has_ranks)
    pd_columns_add_count (to, get_row (table, row)->n_processors);
  for (PdMetric m = 0; m < PD_N_METRICS; m++)
    {
      g_autofree char *value = format_metric (m, get_row (table, row)->values[m]);
      if (has_room (to, table, m))
        pd_columns_add_text (to, value);
      for (guint i = 0; i < 2 && m == PD_METRIC_TIME && shows_ends (to, table); i++)
        {
          g_autofree char *end = format_end (get_row (table, row), i);
          pd_columns_add_text (to, end);
        }
    }
}

/* The rows, each with its place on the axes. */
static void
write_rows (const PdStudyTable *table, const GArray *rows, guint n, guint width, GString *out)
{
  PdColumns to = { .out = out, .width = width };

  for (guint i = 0; i < MIN (n, rows->len); i++)
    pd_study_report_add_row (&to, table, g_array_index (rows, guint, i));
  pd_columns_end (&to);
}

/* A line for each value of x, a column for each of the other axis: the cells sorted by the
 * latter first. */
static void
write_grid (const PdChart *chart, const PdStudyTable *table, const GArray *cells, guint width,
            GString *out)
{
  const PdStudyAxis *x = get_axis (table, chart->x), *by = get_axis (table, chart->by);
  gsize n_x = x->texts->len, n_by = by->texts->len;
  g_autofree guint *rows = g_new (guint, n_x * n_by);
  g_autoptr (GPtrArray) headings = g_ptr_array_new_with_free_func (g_free);

  for (gsize i = 0; i < n_x * n_by; i++)
    rows[i] = G_MAXUINT;
  for (guint i = 0; i < cells->len; i++)
    {
      const PdChartCell *cell = &g_array_index (cells, PdChartCell, i);
      rows[cell->x * n_by + cell->by] = cell->row;
    }
  g_ptr_array_add (headings, g_strconcat ("<", x->name, NULL));
  for (guint b = 0; b < n_by; b++)
    g_ptr_array_add (headings, pd_text_show (g_ptr_array_index (by->texts, b)));
  g_ptr_array_add (headings, NULL);
  g_autoptr (PdTable) lines = pd_table_new ((const char *const *) headings->pdata);
  for (guint i = 0; i < n_x; i++)
    {
      pd_table_take (lines, pd_text_show (g_ptr_array_index (x->texts, i)));
      for (guint b = 0; b < n_by; b++)
        pd_table_take (lines, rows[i * n_by + b] == G_MAXUINT
                                  ? g_strdup ("-")
                                  : format_metric (
                                      chart->metric,
                                      get_row (table, rows[i * n_by + b])->values[chart->metric]));
    }
  pd_table_write (lines, width, out);
}

/* Axes that the chart does not have: of their values the best counts. */
static void
append_reduced (const PdChart *chart, const PdStudyTable *table, GString *out)
{
  const char *separator = "The best over ";

  for (gint a = 0; a < (gint) table->axes->len; a++)
    {
      if (a == chart->x || a == chart->by)
        continue;
      g_string_append_printf (out, "%s%s", separator, get_axis (table, a)->name);
      separator = ", ";
    }
  if (separator[0] == ',')
    g_string_append (out, ".\n");
}

/* Whether the cells are a grid: of a sample each may have a line and a column of its own. */
static gboolean
is_grid (const PdChart *chart, const PdStudyTable *table, guint n_cells)
{
  gsize most = MAX ((gsize) n_cells * 4, SMALL_GRID);

  return chart->by >= 0
         && (gsize) get_axis (table, chart->x)->texts->len * get_axis (table, chart->by)->texts->len
                <= most;
}

static void
write_chart_table (const PdChart *chart, const PdStudyTable *table, guint width, GString *out)
{
  g_autoptr (GArray) cells = pd_chart_cells (chart, table);
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (guint));

  if (is_grid (chart, table, cells->len))
    {
      write_grid (chart, table, cells, width, out);
      return;
    }
  for (guint i = 0; i < cells->len; i++)
    g_array_append_val (rows, g_array_index (cells, PdChartCell, i).row);
  write_rows (table, rows, rows->len, width, out);
}

/* ---- text */

/* Without gnuplot the tables have to do. */
static void
write_plot (const PdChart *chart, const PdStudyTable *table, guint width, GString *out)
{
  g_autofree char *commands = pd_chart_commands (chart, table, FALSE);
  g_autoptr (GError) local = NULL;
  g_autofree char *plot = pd_plot_format (commands, FALSE, MIN (width, 100), TEXT_LINES, &local);

  if (plot != NULL)
    g_string_append (out, plot);
  else
    g_string_append_printf (out, "No plot: %s\n", local->message);
}

static void
write_chart (const PdChart *chart, const PdStudyTable *table, const PdStudyView *view, GString *out)
{
  g_autofree char *title = pd_chart_title (chart, table);
  g_autofree char *clean = pd_text_show (title);

  g_string_append_printf (out, "\n%s\n", clean);
  append_reduced (chart, table, out);
  g_string_append_c (out, '\n');
  write_chart_table (chart, table, view->width, out);
  /* squares of one character say less than the table */
  if (view->plots && chart->kind != PD_CHART_HEAT)
    write_plot (chart, table, view->width, out);
}

static void
write_front (const PdStudyTable *table, guint width, GString *out)
{
  g_autoptr (GArray) front = pd_study_table_pareto (table);

  g_string_append_printf (out, "\nTime and cost: the %u point%s that none beats in both\n\n",
                          front->len, front->len == 1 ? "" : "s");
  write_rows (table, front, front->len, width, out);
}

gboolean
pd_study_report_text (const PdStudyTable *table, const PdStudyView *view, GString *out,
                      GError **error)
{
  PdChart chart = view->chart;
  g_autofree char *head = pd_study_report_describe (table);
  g_autofree char *path = pd_text_show (table->path);

  g_string_append_printf (out, "Study    %s, %s", path, head);
  for (guint i = 0; i < table->state.failures->len; i++)
    {
      g_autofree char *clean = pd_text_show_lines (g_ptr_array_index (table->state.failures, i));
      g_string_append_printf (out, "%s\n", clean);
    }
  if (table->rows->len == 0)
    return TRUE;
  if (!pd_chart_complete (&chart, table, error))
    return FALSE;
  g_autoptr (GArray) order = pd_study_table_order (table, chart.metric);
  guint n = view->all ? order->len : MIN (order->len, BRIEF_ROWS);
  g_string_append_printf (out, "\nThe best %u of %u points with a result, by %s\n\n", n, order->len,
                          pd_metric_row (chart.metric)->name);
  write_rows (table, order, n, view->width, out);
  if (chart.kind != PD_CHART_PARETO)
    write_chart (&chart, table, view, out);
  write_front (table, view->width, out);
  if (chart.kind == PD_CHART_PARETO && view->plots)
    write_plot (&chart, table, view->width, out);
  g_string_append_printf (out, "\nCost in %s; speed-up against %s.\n",
                          view->priced ? "units of the price" : "processor-seconds",
                          "the fewest processors, else the first point");
  return TRUE;
}

/* ---- CSV */

void
pd_study_report_csv (const PdStudyTable *table, GString *out)
{
  g_string_append (out, "point");
  for (guint a = 0; a < table->axes->len; a++)
    {
      g_string_append_c (out, ',');
      pd_csv_append (out, get_axis (table, (gint) a)->name);
    }
  g_string_append (out, ",processors");
  for (guint m = 0; m < PD_N_METRICS; m++)
    g_string_append_printf (out, ",%s", pd_metric_row ((PdMetric) m)->name);
  g_string_append (out, ",time-low,time-high\r\n");
  for (guint i = 0; i < table->rows->len; i++)
    {
      const PdStudyRow *row = get_row (table, i);
      g_string_append_printf (out, "%" G_GINT64_FORMAT, row->point);
      for (guint a = 0; a < table->axes->len; a++)
        {
          g_string_append_c (out, ',');
          pd_csv_append (out, g_ptr_array_index (get_axis (table, (gint) a)->texts,
                                                 pd_study_table_place (table, i, a)));
        }
      g_string_append_printf (out, ",%u", row->n_processors);
      for (guint m = 0; m < PD_N_METRICS; m++)
        {
          g_string_append_c (out, ',');
          pd_report_append_double (out, "%.12g", row->values[m]);
        }
      for (guint end = 0; end < 2; end++)
        {
          g_string_append_c (out, ',');
          if (row->ends[1] > 0)
            pd_report_append_double (out, "%.12g", row->ends[end]);
        }
      g_string_append (out, "\r\n");
    }
}

/* ---- pictures */

gboolean
pd_study_report_plot (const PdStudyTable *table, const PdStudyView *view, const char *path,
                      GError **error)
{
  PdChart chart = view->chart;

  if (!pd_chart_complete (&chart, table, error))
    return FALSE;
  g_autofree char *commands = pd_chart_commands (&chart, table, TRUE);
  return pd_plot_write (commands, path, PLOT_WIDTH, PLOT_HEIGHT, error);
}
