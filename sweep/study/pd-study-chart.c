/* SPDX-License-Identifier: MIT */
#include "sweep/study/pd-study-chart.h"

#include "reports/results/pd-plot-commands.h"
#include "reports/emit/pd-plot.h"

static const char *const kinds[PD_N_CHARTS] = { "curves", "heat", "parts", "pareto" };

const char *
pd_chart_kind_name (PdChartKind kind)
{
  g_return_val_if_fail ((guint) kind < PD_N_CHARTS, NULL);

  return kinds[kind];
}

static const PdStudyAxis *
get_axis (const PdStudyTable *table, gint axis)
{
  return &g_array_index (table->axes, PdStudyAxis, axis);
}

static const PdStudyRow *
get_row (const PdStudyTable *table, guint row)
{
  return &g_array_index (table->rows, PdStudyRow, row);
}

/* ---- axes */

/* The one with the most values but @other, the first of equal ones. */
static gint
find_longest (const PdStudyTable *table, gint other)
{
  gint found = -1;

  for (gint a = 0; a < (gint) table->axes->len; a++)
    if (a != other
        && (found < 0 || get_axis (table, a)->texts->len > get_axis (table, found)->texts->len))
      found = a;
  return found;
}

static gint
find_processors (const PdStudyTable *table, gint other)
{
  for (gint a = 0; a < (gint) table->axes->len; a++)
    if (a != other && get_axis (table, a)->kind == PD_AXIS_GRID)
      return a;
  return find_longest (table, other);
}

gboolean
pd_chart_complete (PdChart *self, const PdStudyTable *table, GError **error)
{
  if (table->rows->len == 0)
    {
      g_set_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_VALUES, "there is no point with a result");
      return FALSE;
    }
  if (self->kind == PD_CHART_PARETO)
    return TRUE;
  if (self->x < 0)
    self->x = find_processors (table, self->by);
  if (self->by < 0 && self->kind == PD_CHART_HEAT)
    self->by = find_longest (table, self->x);
  if (self->kind == PD_CHART_PARTS)
    self->by = -1;
  if (self->x >= 0 && (self->by >= 0 || self->kind != PD_CHART_HEAT) && self->x != self->by)
    return TRUE;
  g_set_error (error, PD_STUDY_ERROR, PD_STUDY_ERROR_VALUES, "a chart '%s' takes %s of the study",
               kinds[self->kind], self->kind == PD_CHART_HEAT ? "two different axes" : "an axis");
  return FALSE;
}

/* ---- cells */

static gint
compare_cells (gconstpointer a, gconstpointer b, gpointer data)
{
  const PdStudyAxis *axis = data;
  const PdChartCell *x = a, *y = b;
  gdouble p = g_array_index (axis->numbers, gdouble, x->x);
  gdouble q = g_array_index (axis->numbers, gdouble, y->x);

  if (x->by != y->by)
    return x->by < y->by ? -1 : 1;
  if (p < q || p > q)
    return p < q ? -1 : 1;
  return x->x < y->x ? -1 : x->x > y->x;
}

GArray *
pd_chart_cells (const PdChart *self, const PdStudyTable *table)
{
  GArray *cells = g_array_new (FALSE, FALSE, sizeof (PdChartCell));
  g_autoptr (GHashTable) known = g_hash_table_new (g_int64_hash, g_int64_equal);
  g_autofree gint64 *keys = g_new (gint64, table->rows->len);
  PdMetric metric = self->kind == PD_CHART_PARTS ? PD_METRIC_TIME : self->metric;

  for (guint i = 0; i < table->rows->len; i++)
    {
      guint32 x = pd_study_table_place (table, i, (guint) self->x);
      guint32 by = self->by >= 0 ? pd_study_table_place (table, i, (guint) self->by) : 0;
      PdChartCell cell = { x, by, i };
      gpointer at;
      keys[i] = (gint64) by << 32 | x;
      if (!g_hash_table_lookup_extended (known, &keys[i], NULL, &at))
        {
          g_hash_table_insert (known, &keys[i], GUINT_TO_POINTER (cells->len));
          g_array_append_val (cells, cell);
          continue;
        }
      PdChartCell *old = &g_array_index (cells, PdChartCell, GPOINTER_TO_UINT (at));
      if (pd_study_table_is_better (metric, get_row (table, i)->values[metric],
                                    get_row (table, old->row)->values[metric]))
        old->row = i;
    }
  g_array_sort_with_data (cells, compare_cells, (gpointer) get_axis (table, self->x));
  return cells;
}

/* ---- words */

char *
pd_chart_title (const PdChart *self, const PdStudyTable *table)
{
  const char *metric = pd_metric_row (self->metric)->title;

  if (self->kind == PD_CHART_PARETO)
    return g_strdup ("Time and cost of all points, and the Pareto front");
  const char *x = get_axis (table, self->x)->name;
  if (self->kind == PD_CHART_PARTS)
    return g_strdup_printf ("Parts of the total time, against %s", x);
  if (self->by < 0)
    return g_strdup_printf ("%s against %s", metric, x);
  return g_strdup_printf ("%s against %s%s %s", metric, x,
                          self->kind == PD_CHART_HEAT ? " and" : ", by",
                          get_axis (table, self->by)->name);
}

/* ---- commands */

static gdouble
get_number (const PdStudyAxis *axis, guint32 place)
{
  return g_array_index (axis->numbers, gdouble, place);
}

/* Numbers over more than a factor of 20 are better seen by their logarithms. */
static gboolean
is_wide (const PdStudyAxis *axis)
{
  gdouble least = G_MAXDOUBLE, most = 0;

  for (guint i = 0; i < axis->numbers->len; i++)
    {
      least = MIN (least, get_number (axis, i));
      most = MAX (most, get_number (axis, i));
    }
  return axis->kind != PD_AXIS_WORD && least > 0 && most > 20 * least;
}

static void
add_x_axis (const PdChart *self, const PdStudyTable *table, GString *out)
{
  const PdStudyAxis *axis = get_axis (table, self->x);

  pd_plot_append_label (out, 'x', axis->name, axis->unit);
  if (is_wide (axis))
    g_string_append (out, "set logscale x\n");
  if (axis->kind != PD_AXIS_WORD)
    return;
  g_string_append (out, "set xrange [-0.5:*]\nset xtics rotate by -30 (");
  for (guint i = 0; i < axis->texts->len; i++)
    {
      g_autofree char *text = pd_plot_quote (g_ptr_array_index (axis->texts, i));
      g_string_append_printf (out, "%s%s %u", i > 0 ? ", " : "", text, i);
    }
  g_string_append (out, ")\n");
}

/* The cells of one curve follow each other. */
static void
add_curves (const PdChart *self, const PdStudyTable *table, GString *out)
{
  g_autoptr (GArray) cells = pd_chart_cells (self, table);
  g_autoptr (GArray) curves = g_array_new (FALSE, FALSE, sizeof (PdPlotSeries));
  const PdStudyAxis *axis = get_axis (table, self->x);
  g_autofree gdouble *x = g_new (gdouble, cells->len), *y = g_new (gdouble, cells->len);

  for (guint i = 0; i < cells->len;)
    {
      guint32 by = g_array_index (cells, PdChartCell, i).by;
      PdPlotSeries curve = { "", x + i, y + i, 0 };
      if (self->by >= 0)
        curve.title = g_ptr_array_index (get_axis (table, self->by)->texts, by);
      for (; i < cells->len && g_array_index (cells, PdChartCell, i).by == by; i++)
        {
          const PdChartCell *cell = &g_array_index (cells, PdChartCell, i);
          x[i] = get_number (axis, cell->x);
          y[i] = get_row (table, cell->row)->values[self->metric];
          curve.n++;
        }
      g_array_append_val (curves, curve);
    }
  add_x_axis (self, table, out);
  pd_plot_append_curves (out, "curve", (const PdPlotSeries *) (gconstpointer) curves->data,
                         curves->len, pd_metric_row (self->metric)->title,
                         self->metric != PD_METRIC_TIME);
}

static void
add_tics (GString *out, char which, const PdStudyAxis *axis)
{
  guint step = (axis->texts->len + 19) / 20; /* as many as can be read */

  g_string_append_printf (out, "set %ctics %s(", which, which == 'x' ? "rotate by -30 " : "");
  for (guint i = 0; i < axis->texts->len; i += step)
    {
      g_autofree char *text = pd_plot_quote (g_ptr_array_index (axis->texts, i));
      g_string_append_printf (out, "%s%s %u", i > 0 ? ", " : "", text, i);
    }
  g_string_append (out, ")\n");
}

/* Places in the order of the study, one square each; points without a result have none, where
 * an image would be stretched over them. */
static void
add_heat (const PdChart *self, const PdStudyTable *table, GString *out)
{
  g_autoptr (GArray) cells = pd_chart_cells (self, table);
  g_autofree char *metric = pd_plot_quote (pd_metric_row (self->metric)->title);

  g_string_append (out, "$heat << END\n");
  for (guint i = 0; i < cells->len; i++)
    {
      const PdChartCell *cell = &g_array_index (cells, PdChartCell, i);
      pd_plot_append_number (out, cell->x);
      pd_plot_append_number (out, cell->by);
      pd_plot_append_number (out, get_row (table, cell->row)->values[self->metric]);
      g_string_append_c (out, '\n');
    }
  g_string_append (out, "END\n");
  add_tics (out, 'x', get_axis (table, self->x));
  add_tics (out, 'y', get_axis (table, self->by));
  pd_plot_append_label (out, 'x', get_axis (table, self->x)->name, "");
  pd_plot_append_label (out, 'y', get_axis (table, self->by)->name, "");
  g_string_append_printf (out,
                          "set xrange [-0.5:%u.5]\nset yrange [-0.5:%u.5]\nset cblabel %s\n"
                          "unset key\nset palette rgbformulae 30,31,32 negative\n"
                          "plot $heat using 1:2:(0.5):(0.5):3 with boxxyerror fillstyle solid "
                          "noborder linecolor palette\n",
                          get_axis (table, self->x)->texts->len - 1,
                          get_axis (table, self->by)->texts->len - 1, metric);
}

static void
add_parts (const PdChart *self, const PdStudyTable *table, GString *out)
{
  g_autoptr (GArray) cells = pd_chart_cells (self, table);
  const PdStudyAxis *axis = get_axis (table, self->x);
  g_autofree const char **names = g_new (const char *, cells->len);
  g_autofree gdouble *shares = g_new (gdouble, (gsize) cells->len * PD_PLOT_N_SHARES);

  for (guint i = 0; i < cells->len; i++)
    {
      const PdChartCell *cell = &g_array_index (cells, PdChartCell, i);
      names[i] = g_ptr_array_index (axis->texts, cell->x);
      for (guint k = 0; k < PD_PLOT_N_SHARES; k++)
        shares[i * PD_PLOT_N_SHARES + k] =
            get_row (table, cell->row)->values[PD_METRIC_PRODUCTIVE + k];
    }
  pd_plot_append_label (out, 'x', axis->name, "");
  pd_plot_append_shares (out, names, shares, cells->len);
}

static void
add_block (const PdStudyTable *table, const char *name, const GArray *rows, GString *out)
{
  g_string_append_printf (out, "$%s << END\n", name);
  for (guint i = 0; i < rows->len; i++)
    {
      const PdStudyRow *row = get_row (table, g_array_index (rows, guint, i));
      pd_plot_append_number (out, row->values[PD_METRIC_TIME]);
      pd_plot_append_number (out, row->values[PD_METRIC_COST]);
      g_string_append_c (out, '\n');
    }
  g_string_append (out, "END\n");
}

static void
add_pareto (const PdStudyTable *table, GString *out)
{
  g_autoptr (GArray) all = pd_study_table_order (table, PD_METRIC_TIME);
  g_autoptr (GArray) front = pd_study_table_pareto (table);

  add_block (table, "all", all, out);
  add_block (table, "front", front, out);
  g_string_append (out, "set xlabel 'Time, s'\nset ylabel 'Cost'\nset grid\nset key top right\n"
                        "plot $all using 1:2 with points title 'points', "
                        "$front using 1:2 with linespoints title 'front'\n");
}

char *
pd_chart_commands (const PdChart *self, const PdStudyTable *table, gboolean wide)
{
  g_autofree char *words = pd_chart_title (self, table);
  g_autofree char *title = pd_plot_quote (words);
  GString *out = g_string_new (NULL);

  g_return_val_if_fail (self->kind == PD_CHART_PARETO || self->x >= 0, g_string_free (out, FALSE));

  if (wide)
    g_string_append_printf (out, "set title %s\n", title);
  switch (self->kind)
    {
    case PD_CHART_HEAT:
      add_heat (self, table, out);
      break;
    case PD_CHART_PARTS:
      add_parts (self, table, out);
      break;
    case PD_CHART_PARETO:
      add_pareto (table, out);
      break;
    case PD_CHART_CURVES:
    default:
      add_curves (self, table, out);
      break;
    }
  return g_string_free (out, FALSE);
}
