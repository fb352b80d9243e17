/* The results of a study, as a page.
 * SPDX-License-Identifier: MIT */
#include "sweep/study/pd-study-report.h"

#include "reports/page/pd-page.h"
#include "reports/page/pd-page-data.h"
#include "reports/emit/pd-format.h"
#include "sweep/study/pd-study-page.h"

#define MAX_POINTS   5000  /* in the chart of time and cost */
#define MAX_CELLS    10000 /* in each other chart */
#define COLUMN_BYTES 12    /* of a number in the data, about */
#define CHART_SHARE  8     /* of the room that is left, for the data of a chart */

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

/* ---- data of charts */

/* The first @n values. */
static void
add_axis (PdPage *page, const char *key, const PdStudyAxis *axis, guint n)
{
  pd_page_data_open (page, key, '{');
  pd_page_data_string (page, "name", axis->name);
  pd_page_data_string (page, "unit", axis->unit);
  pd_page_data_string (page, "kind",
                       axis->kind == PD_AXIS_WORD   ? "word"
                       : axis->kind == PD_AXIS_GRID ? "grid"
                                                    : "number");
  pd_page_data_open (page, "text", '[');
  for (guint i = 0; i < n; i++)
    pd_page_data_string (page, NULL, g_ptr_array_index (axis->texts, i));
  pd_page_data_close (page, ']');
  pd_page_data_numbers (page, "number", (const gdouble *) (gconstpointer) axis->numbers->data, n);
  pd_page_data_close (page, '}');
}

/* The contents of one column of the data: of each cell. */
typedef gdouble (*GetCell) (const PdStudyTable *table, const PdChartCell *cell, guint metric);

static gdouble
get_x (const PdStudyTable *table, const PdChartCell *cell, guint metric)
{
  (void) table, (void) metric;
  return cell->x;
}

static gdouble
get_by (const PdStudyTable *table, const PdChartCell *cell, guint metric)
{
  (void) table, (void) metric;
  return cell->by;
}

static gdouble
get_metric (const PdStudyTable *table, const PdChartCell *cell, guint metric)
{
  return get_row (table, cell->row)->values[metric];
}

static void
add_column (PdPage *page, const char *key, const PdStudyTable *table, const GArray *cells,
            GetCell get, guint metric)
{
  g_autofree gdouble *values = g_new (gdouble, cells->len + 1);

  for (guint i = 0; i < cells->len; i++)
    values[i] = get (table, &g_array_index (cells, PdChartCell, i), metric);
  pd_page_data_numbers (page, key, values, cells->len);
}

/* How many points the chart of time and cost may have; their names are about as long as
 * the first one. */
static guint
count_points (const PdPage *page, const PdStudyTable *table)
{
  g_autofree char *name = pd_study_table_describe_row (table, 0);
  gsize bytes = pd_page_data_size (name) + 3 * COLUMN_BYTES;

  return (guint) CLAMP (pd_page_get_room (page) / CHART_SHARE / 2 / bytes, 1, MAX_POINTS);
}

/* Of the front every point is there, of others as many as there is room for. */
static GArray *
make_cells (const PdPage *page, const PdStudyTable *table)
{
  GArray *cells = g_array_new (FALSE, FALSE, sizeof (PdChartCell));
  g_autoptr (GArray) front = pd_study_table_pareto (table);
  guint most = count_points (page, table), step = (table->rows->len + most - 1) / most;

  for (guint i = 0; i < MIN (front->len, most); i++)
    {
      PdChartCell cell = { 1, 0, g_array_index (front, guint, i) };
      g_array_append_val (cells, cell);
    }
  for (guint i = 0; i < table->rows->len; i += step)
    {
      PdChartCell cell = { 0, 0, i };
      g_array_append_val (cells, cell);
    }
  return cells;
}

static void
add_front_data (PdPage *page, const PdStudyTable *table)
{
  g_autoptr (GArray) cells = make_cells (page, table);

  add_column (page, "front", table, cells, get_x, 0);
  add_column (page, "time", table, cells, get_metric, PD_METRIC_TIME);
  add_column (page, "cost", table, cells, get_metric, PD_METRIC_COST);
  pd_page_data_open (page, "name", '[');
  for (guint i = 0; i < cells->len; i++)
    {
      g_autofree char *name =
          pd_study_table_describe_row (table, g_array_index (cells, PdChartCell, i).row);
      pd_page_data_string (page, NULL, name);
    }
  pd_page_data_close (page, ']');
}

/* Returns: how many bytes the values of @axis take from *@n up to that at @place, which
 *   *@n is then behind. */
static gsize
count_values (const PdStudyAxis *axis, gint place, guint *n)
{
  gsize bytes = 0;

  for (; (gint) *n <= place && *n < axis->texts->len; (*n)++)
    bytes += pd_page_data_size (g_ptr_array_index (axis->texts, *n)) + COLUMN_BYTES;
  return bytes;
}

/* Leaves as many cells as there is room for; @n gets how many values they have on each axis. */
static void
fit_cells (const PdPage *page, const PdChart *chart, const PdStudyTable *table, GArray *cells,
           guint n[2])
{
  gsize room = pd_page_get_room (page) / CHART_SHARE, bytes = 0;
  guint columns = chart->kind == PD_CHART_PARTS ? 3 + PD_METRIC_IDLE - PD_METRIC_PRODUCTIVE + 1 : 3;
  guint i;

  for (i = 0; i < MIN (cells->len, MAX_CELLS); i++)
    {
      const PdChartCell *cell = &g_array_index (cells, PdChartCell, i);
      guint values[2] = { n[0], n[1] };
      bytes += columns * COLUMN_BYTES;
      bytes += count_values (get_axis (table, chart->x), (gint) cell->x, &values[0]);
      if (chart->by >= 0)
        bytes += count_values (get_axis (table, chart->by), (gint) cell->by, &values[1]);
      if (bytes > room)
        break;
      n[0] = values[0], n[1] = values[1];
    }
  g_array_set_size (cells, i);
}

/* Returns: how many places are left out. */
static guint
add_chart_data (PdPage *page, const PdChart *chart, const PdStudyTable *table)
{
  g_autoptr (GArray) cells = pd_chart_cells (chart, table);
  guint n = cells->len, values[2] = { 0, 0 };

  fit_cells (page, chart, table, cells, values);
  add_axis (page, "x", get_axis (table, chart->x), values[0]);
  if (chart->by >= 0)
    add_axis (page, "by", get_axis (table, chart->by), values[1]);
  pd_page_data_string (page, "metric", pd_metric_row (chart->metric)->title);
  pd_page_data_string (page, "id", pd_metric_row (chart->metric)->name);
  add_column (page, "at_x", table, cells, get_x, 0);
  add_column (page, "at_by", table, cells, get_by, 0);
  add_column (page, "value", table, cells, get_metric, chart->metric);
  if (chart->kind == PD_CHART_PARTS)
    {
      pd_page_data_open (page, "shares", '[');
      for (guint metric = PD_METRIC_PRODUCTIVE; metric <= PD_METRIC_IDLE; metric++)
        add_column (page, NULL, table, cells, get_metric, metric);
      pd_page_data_close (page, ']');
    }
  return n - cells->len;
}

/* ---- sections */

static const char *
cost_unit (const PdStudyView *view)
{
  return view->priced ? "units of the price" : "processor-seconds";
}

static void
add_chart (PdPage *page, const PdChart *chart, const PdStudyTable *table, const PdStudyView *view,
           guint number)
{
  static const char *const kinds[PD_N_CHARTS] = { "study-curves", "study-heat", "study-parts",
                                                  "study-front" };
  g_autofree char *key = g_strdup_printf ("study%u", number);
  g_autofree char *title = pd_chart_title (chart, table);

  guint left_out = 0;

  pd_page_data_open (page, key, '{');
  pd_page_data_string (page, "cost_unit", cost_unit (view));
  if (chart->kind == PD_CHART_PARETO)
    add_front_data (page, table);
  else
    left_out = add_chart_data (page, chart, table);
  pd_page_data_close (page, '}');
  pd_page_add_chart (page, kinds[chart->kind], key, title);
  pd_page_add_cut (page, left_out, "places", "'predictor report --csv' writes all points");
}

static gboolean
add_charts (PdPage *page, const PdStudyTable *table, const PdStudyView *view, GError **error)
{
  const PdChart charts[] = { view->chart,
                             { PD_CHART_CURVES, PD_METRIC_SPEED_UP, view->chart.x, view->chart.by },
                             { PD_CHART_PARTS, PD_METRIC_TIME, view->chart.x, -1 },
                             { PD_CHART_HEAT, view->chart.metric, -1, -1 },
                             { PD_CHART_PARETO, PD_METRIC_TIME, -1, -1 } };

  pd_page_begin_section (page, "charts", "Charts",
                         "On axes that a chart does not show, the best value is taken.");
  for (guint i = 0; i < G_N_ELEMENTS (charts); i++)
    {
      PdChart chart = charts[i];
      /* what a study of one axis does not have */
      if (pd_chart_complete (&chart, table, i == 0 ? error : NULL))
        add_chart (page, &chart, table, view, i + 1);
      else if (i == 0)
        return FALSE;
    }
  pd_page_end_section (page);
  return TRUE;
}

static void
append_rows (PdPage *page, const PdStudyTable *table, const GArray *rows)
{
  PdColumns to = { .out = pd_page_get_body (page) };
  guint i;

  for (i = 0; i < rows->len && (i == 0 || pd_page_has_room (page)); i++)
    pd_study_report_add_row (&to, table, g_array_index (rows, guint, i));
  pd_columns_end (&to);
  pd_page_add_cut (page, rows->len - i, "points", "'predictor report --csv' writes all of them");
}

static void
add_tables (PdPage *page, const PdStudyTable *table, const PdStudyView *view)
{
  g_autoptr (GArray) front = pd_study_table_pareto (table);
  g_autoptr (GArray) order = pd_study_table_order (table, view->chart.metric);

  pd_page_begin_section (page, "front", "Time and cost",
                         "The Pareto front: points for which no other is better in both.");
  pd_page_set_room (page, pd_page_get_room (page) / 4);
  append_rows (page, table, front);
  pd_page_end_section (page);
  pd_page_set_room (page, G_MAXSIZE);
  pd_page_begin_section (page, "points", "All points",
                         "The best first; click on a heading to sort by another column.");
  append_rows (page, table, order);
  pd_page_end_section (page);
}

/* ---- the head */

static void
add_best_tiles (PdPage *page, const PdStudyTable *table, const PdStudyView *view)
{
  static const struct
  {
    PdMetric metric;
    const char *label;
    const char *unit;
  } tiles[] = { { PD_METRIC_TIME, "Shortest time", " s" },
                { PD_METRIC_COST, "Least cost", NULL },
                { PD_METRIC_EFFICIENCY, "Best efficiency", " %" } };

  for (gsize i = 0; i < G_N_ELEMENTS (tiles); i++)
    {
      g_autoptr (GArray) order = pd_study_table_order (table, tiles[i].metric);
      guint best = g_array_index (order, guint, 0);
      gdouble value = get_row (table, best)->values[tiles[i].metric];
      g_autofree char *where = pd_study_table_describe_row (table, best);
      g_autoptr (GString) text = g_string_new (NULL);
      pd_report_append_double (text, "%.4g",
                               value * (tiles[i].metric == PD_METRIC_EFFICIENCY ? 100 : 1));
      if (tiles[i].unit != NULL)
        g_string_append (text, tiles[i].unit);
      else
        g_string_append_printf (text, " %s", cost_unit (view));
      pd_page_add_tile (page, tiles[i].label, text->str, where);
    }
}

static void
add_head (PdPage *page, const PdStudyTable *table, const PdStudyView *view)
{
  g_autofree char *state = pd_study_report_describe (table);
  g_auto (GStrv) lines = g_strsplit (state, "\n", -1);

  for (guint i = 0; lines[i] != NULL && lines[i][0] != '\0'; i++)
    pd_page_append_element (pd_page_get_head (page), i == 0 ? "p class=\"sum\"" : "p", lines[i]);
  g_autofree char *units = g_strdup_printf ("Cost is in %s; speed-up is against the fewest "
                                            "processors, else the first point.",
                                            cost_unit (view));
  pd_page_append_element (pd_page_get_head (page), "p", units);
  if (table->rows->len > 0)
    add_best_tiles (page, table, view);
}

static void
add_failures (PdPage *page, const PdStudyTable *table)
{
  GString *out = pd_page_get_body (page);

  if (table->state.failures->len == 0)
    return;
  pd_page_begin_section (page, "messages", "Points that failed", NULL);
  g_string_append (out, "<ul class=\"messages\">\n");
  for (guint i = 0; i < table->state.failures->len; i++)
    pd_page_append_element (out, "li class=\"warning\"",
                            g_ptr_array_index (table->state.failures, i));
  g_string_append (out, "</ul>\n");
  pd_page_end_section (page);
}

gboolean
pd_study_report_html (const PdStudyTable *table, const PdStudyView *view, GString *out,
                      GError **error)
{
  g_autofree char *title = g_strconcat ("Study ", table->path, NULL);
  g_autoptr (PdPage) page = pd_page_new (title);

  add_head (page, table, view);
  if (table->rows->len > 0)
    {
      if (!add_charts (page, table, view, error))
        return FALSE;
      add_tables (page, table, view);
    }
  add_failures (page, table);
  pd_page_write (page, out);
  return TRUE;
}
