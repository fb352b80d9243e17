/* predictor report STUDY.sqlite: what a study has come to.
 * SPDX-License-Identifier: MIT */
#include "predictor/cli/cmd-report-private.h"
#include "predictor/options/cmd-tools.h"
#include "predictor/cli/pd-commands.h"

#include "base/pd-units.h"
#include "sweep/study/pd-study-report.h"
#include "sweep/study/pd-study-page.h"

#include <string.h>

void
pd_report_study_fill (PdReportStudyOptions *self, GOptionEntry *entries)
{
  const GOptionEntry table[PD_N_REPORT_STUDY_OPTIONS + 1] = {
    { "chart", 0, 0, G_OPTION_ARG_STRING, &self->chart,
      "For a study: curves, heat, parts or pareto; of runs: curves, parts, histogram or "
      "sensitivity (default: curves; with --run parts)",
      "KIND" },
    { "metric", 0, 0, G_OPTION_ARG_STRING, &self->metric,
      "For a study: time, speed-up, efficiency, cost, productive, insufficient-parallelism, "
      "communication or idle (default: time)",
      "METRIC" },
    { "x", 0, 0, G_OPTION_ARG_STRING, &self->x,
      "For a study: the horizontal axis (default: processors, else the one with the "
      "most values)",
      "AXIS" },
    { "by", 0, 0, G_OPTION_ARG_STRING, &self->by,
      "For a study: a curve for each value of this axis; the vertical axis of a heat map "
      "(default: none; of a heat map the one with the most values)",
      "AXIS" },
    { "where", 0, 0, G_OPTION_ARG_STRING_ARRAY, &self->where,
      "For a study: only points with that value; may be repeated (default: all)", "AXIS=VALUE" },
    { "price", 0, 0, G_OPTION_ARG_STRING, &self->price,
      "For a study: price of an hour of one processor (default: cost in processor-seconds)",
      "PRICE" },
    { "all", 0, 0, G_OPTION_ARG_NONE, &self->all,
      "For a study: list all points, not the best only (default: off)", NULL },
    { "plot", 0, 0, G_OPTION_ARG_FILENAME, &self->plot,
      "Draw the chart into a .png or .svg file (default: none)", "FILE" },
    { "html", 0, 0, G_OPTION_ARG_FILENAME, &self->html,
      "Write a page with all charts; of runs, those of the last invocation (default: none)",
      "FILE" },
    { "no-plot", 0, 0, G_OPTION_ARG_NONE, &self->no_plot, "No plot in the text (default: off)",
      NULL },
    { .long_name = NULL },
  };

  memcpy (entries, table, sizeof table);
}

void
pd_report_study_clear (PdReportStudyOptions *self)
{
  char *const texts[] = { self->chart, self->metric, self->x,   self->by,
                          self->price, self->plot,   self->html };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    g_free (texts[i]);
  g_strfreev (self->where);
}

/* ---- options */

static gboolean
find_word (const char *option, const char *text, const char *(*name) (guint), guint n, guint *found,
           GError **error)
{
  g_autoptr (GString) all = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    {
      g_string_append_printf (all, "%s%s", i > 0 ? ", " : "", name (i));
      if (text != NULL && strcmp (text, name (i)) == 0)
        {
          *found = i;
          return TRUE;
        }
    }
  if (text == NULL)
    return TRUE;
  g_set_error (error, PD_USAGE_ERROR, 0, "--%s takes one of %s, not '%s'", option, all->str, text);
  return FALSE;
}

static const char *
chart_name (guint i)
{
  return pd_chart_kind_name ((PdChartKind) i);
}

static const char *
metric_name (guint i)
{
  return pd_metric_row ((PdMetric) i)->name;
}

static gboolean
read_price (const char *text, gdouble *price, GError **error)
{
  PdNumber number;

  *price = -1;
  if (text == NULL)
    return TRUE;
  if (!pd_units_parse (PD_UNIT_RATIO, text, &number, NULL))
    {
      g_set_error (error, PD_USAGE_ERROR, 0, "--price takes a number from 0 on, not '%s'", text);
      return FALSE;
    }
  *price = number.d;
  return TRUE;
}

static gboolean
read_axis (const PdStudyTable *table, const char *name, gint *axis, GError **error)
{
  *axis = name != NULL ? pd_study_table_find_axis (table, name, error) : -1;
  return name == NULL || *axis >= 0;
}

/* AXIS=VALUE, where the axis may have '=' in brackets: the value is behind the last one of
 * an axis that exists. */
static gboolean
keep (PdStudyTable *table, const char *text, GError **error)
{
  for (const char *equals = strchr (text, '='); equals != NULL; equals = strchr (equals + 1, '='))
    {
      g_autofree char *name = g_strndup (text, (gsize) (equals - text));
      gint axis = pd_study_table_find_axis (table, name, NULL);
      if (axis >= 0)
        return pd_study_table_keep (table, (guint) axis, equals + 1, error);
    }
  g_autofree char *name = g_strndup (text, strcspn (text, "="));
  pd_study_table_find_axis (table, name, error);
  return FALSE;
}

static gboolean
read_view (const PdReportStudyOptions *options, PdStudyTable *table, PdStudyView *view,
           GError **error)
{
  if (!read_axis (table, options->x, &view->chart.x, error)
      || !read_axis (table, options->by, &view->chart.by, error))
    return FALSE;
  for (guint i = 0; options->where != NULL && options->where[i] != NULL; i++)
    if (!keep (table, options->where[i], error))
      return FALSE;
  return TRUE;
}

/* ---- output */

static gboolean
write_html (const PdStudyTable *table, const PdStudyView *view, const char *path, GError **error)
{
  g_autoptr (GString) page = g_string_new (NULL);

  return pd_study_report_html (table, view, page, error) && pd_report_save (path, page, error);
}

static gboolean
write_text (const PdReportStudyOptions *options, const PdStudyTable *table, const PdStudyView *view,
            const char *output, gboolean csv, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if ((options->plot != NULL && !pd_study_report_plot (table, view, options->plot, error))
      || (options->html != NULL && !write_html (table, view, options->html, error)))
    return FALSE;
  if (csv)
    pd_study_report_csv (table, text);
  else if (!pd_study_report_text (table, view, text, error))
    return FALSE;
  return pd_report_save (output != NULL ? output : "-", text, error);
}

int
pd_report_study_run (const PdReportStudyOptions *options, const char *path, const char *output,
                     gboolean csv, GError **error)
{
  g_autoptr (PdStudyTable) table = NULL;
  guint chart = PD_CHART_CURVES, metric = PD_METRIC_TIME;
  gdouble price;

  if (!find_word ("chart", options->chart, chart_name, PD_N_CHARTS, &chart, error)
      || !find_word ("metric", options->metric, metric_name, PD_N_METRICS, &metric, error)
      || !read_price (options->price, &price, error))
    return PD_EXIT_USAGE;
  table = pd_study_table_read (path, price, error);
  PdStudyView view = { .chart = { (PdChartKind) chart, (PdMetric) metric, -1, -1 },
                       .all = options->all,
                       .plots = !options->no_plot,
                       .priced = price >= 0,
                       .width = output != NULL ? 100 : pd_cmd_terminal_width () };
  if (table == NULL || !read_view (options, table, &view, error)
      || !write_text (options, table, &view, output, csv, error))
    return PD_EXIT_FAILURE;
  return PD_EXIT_OK;
}
