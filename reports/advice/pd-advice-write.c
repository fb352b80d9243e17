/* The advice as text.
 * SPDX-License-Identifier: MIT */
#include "reports/advice/pd-advice-private.h"
#include "base/pd-text.h"
#include "reports/emit/pd-table.h"
#include "reports/advice/pd-advice-explain.h"
#include "reports/advice/pd-advice-write-private.h"
#include "reports/advice/pd-advice-write.h"
#include "reports/run/pd-report-common.h"
#include "reports/emit/pd-format.h"
#include "reports/run/pd-report-text.h"

#include <string.h>

#define BRIEF_LINES 24 /* of the table; more need -v */

/* ---- what a line says */

PdAdviceView
pd_advice_view_new (const PdAdvice *advice)
{
  PdAdviceView view = { advice, pd_report_compare (advice->report), 0 };

  view.base = pd_comparison_base (view.lines);
  return view;
}

void
pd_advice_view_clear (PdAdviceView *view)
{
  g_array_unref (view->lines);
}

gdouble
pd_advice_view_cost (const PdAdviceView *view, guint i)
{
  return pd_advice_get_cost (&view->advice->criteria, pd_advice_view_run (view, i));
}

char *
pd_advice_view_marks (const PdAdviceView *view, guint i)
{
  GString *marks = g_string_new (NULL);

  for (PdAdviceCriterion c = 0; c < PD_N_ADVICE; c++)
    if (view->advice->best[c] == (gint) i)
      g_string_append_c (marks, g_ascii_toupper (pd_advice_criterion_name (c)[0]));
  return g_string_free (marks, FALSE);
}

static gboolean
is_choice (const PdAdviceView *view, guint i)
{
  for (guint c = 0; c < PD_N_ADVICE; c++)
    if (view->advice->best[c] == (gint) i)
      return TRUE;
  return FALSE;
}

/* ---- which lines are shown in brief */

/* Of every count the fastest grid. */
static void
mark_fastest (const PdAdviceView *view, gboolean *shown)
{
  guint n = view->lines->len;

  for (guint i = 0; i < n;)
    {
      guint fastest = i;
      guint32 count = pd_advice_view_run (view, i)->n_processors;
      for (; i < n && pd_advice_view_run (view, i)->n_processors == count; i++)
        if (pd_advice_get_time (pd_advice_view_run (view, i)).ps
            < pd_advice_get_time (pd_advice_view_run (view, fastest)).ps)
          fastest = i;
      shown[fastest] = TRUE;
    }
}

/* Whether the lines next to @i in the table, in brief, hold a choice. */
static gboolean
is_near_choice (const PdAdviceView *view, const gboolean *shown, guint i)
{
  for (int step = -1; step <= 1; step += 2)
    {
      gint64 k = (gint64) i + step;
      while (k >= 0 && k < view->lines->len && !shown[k])
        k += step;
      if (k >= 0 && k < view->lines->len && is_choice (view, (guint) k))
        return TRUE;
    }
  return FALSE;
}

/* Where these are too many: powers of two, the choices and their neighbours. */
static void
thin_out (const PdAdviceView *view, gboolean *shown)
{
  g_autofree gboolean *all = g_memdup (shown, view->lines->len * (guint) sizeof *shown);
  guint n_shown = 0;

  for (guint i = 0; i < view->lines->len; i++)
    n_shown += (guint) shown[i];
  for (guint i = 0; i < view->lines->len && n_shown > BRIEF_LINES; i++)
    {
      guint32 count = pd_advice_view_run (view, i)->n_processors;
      shown[i] =
          all[i]
          && ((count & (count - 1)) == 0 || is_choice (view, i) || is_near_choice (view, all, i));
    }
}

static gboolean *
choose_lines (const PdAdviceView *view, int verbose)
{
  gboolean *shown = g_new0 (gboolean, view->lines->len);

  for (guint i = 0; i < view->lines->len; i++)
    shown[i] = verbose != 0;
  if (verbose != 0)
    return shown;
  mark_fastest (view, shown);
  for (guint c = 0; c < PD_N_ADVICE; c++)
    if (view->advice->best[c] >= 0)
      shown[view->advice->best[c]] = TRUE;
  thin_out (view, shown);
  return shown;
}

/* ---- text */

static int
cost_decimals (const PdAdviceView *view)
{
  gdouble least = G_MAXDOUBLE;

  for (guint i = 0; i < view->lines->len; i++)
    least = MIN (least, pd_advice_view_cost (view, i));
  return MAX (pd_report_decimals (least) - 2, 0);
}

static void
add_line (PdTable *table, const PdAdviceView *view, guint i, const int *decimals)
{
  const PdComparedRun *line = &g_array_index (view->lines, PdComparedRun, i);

  pd_table_take (table, g_strdup_printf ("%u", line->n_processors));
  pd_table_add (table, line->grid);
  pd_table_take (table, pd_report_fixed (line->seconds, decimals[0]));
  pd_table_take (table, pd_report_fixed (pd_comparison_speed_up (view->lines, i, view->base), 2));
  pd_table_take (table, pd_report_fixed (100 * line->efficiency, 1));
  pd_table_take (table, pd_report_fixed (pd_advice_view_cost (view, i), decimals[1]));
  for (guint k = 0; k < PD_N_LOSSES; k++)
    pd_table_take (table, pd_report_fixed (100 * line->losses[k], 1));
  pd_table_take (table, pd_advice_view_marks (view, i));
}

static void
write_table (const PdAdviceView *view, int verbose, guint width, GString *out)
{
  static const char *const headings[] = { "Proc.", "Grid",  "Time s", "Speed-up", "Eff.%", "Cost",
                                          "Ins.%", "Comm%", "Idle%",  "<Best",    NULL };
  g_autoptr (PdTable) table = pd_table_new (headings);
  g_autofree gboolean *shown = choose_lines (view, verbose);
  guint n_hidden = 0;
  gdouble largest = 0;

  for (guint i = 0; i < view->lines->len; i++)
    largest = MAX (largest, g_array_index (view->lines, PdComparedRun, i).seconds);
  const int decimals[] = { pd_report_decimals (largest), cost_decimals (view) };
  for (guint i = 0; i < view->lines->len; i++)
    {
      n_hidden += (guint) !shown[i];
      if (shown[i])
        add_line (table, view, i, decimals);
    }
  pd_table_write (table, width, out);
  if (n_hidden > 0)
    g_string_append_printf (out, "… and %u more grid%s with -v.\n", n_hidden,
                            n_hidden == 1 ? "" : "s");
}

char *
pd_advice_describe_criterion (const PdAdviceCriteria *criteria, PdAdviceCriterion c)
{
  GString *text = g_string_new (NULL);

  if (c == PD_ADVICE_TIME)
    g_string_append (text, "Least time");
  else if (c == PD_ADVICE_EFFICIENCY)
    {
      g_string_append (text, "Least time at an efficiency of at least ");
      pd_report_append_double (text, "%.3g", 100 * criteria->min_efficiency);
      g_string_append (text, " %");
    }
  else
    {
      g_string_append (text, "Least cost");
      if (criteria->deadline.ps > 0)
        {
          g_string_append (text, " in at most ");
          pd_report_append_double (text, "%.6g", pd_time_to_seconds (criteria->deadline));
          g_string_append (text, " s");
        }
    }
  return g_string_free (text, FALSE);
}

/* The legend of the letters of the last column, and of the numbers. */
static void
write_legend (const PdAdviceView *view, guint width, GString *out)
{
  const PdAdvice *self = view->advice;
  g_autofree char *base = pd_comparison_describe_base (view->lines);
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_append_printf (text, "%s Cost in %s.", base,
                          self->criteria.price < 0 ? "processor-seconds" : "units of the price");
  for (PdAdviceCriterion c = 0; c < PD_N_ADVICE; c++)
    {
      g_autofree char *title = pd_advice_describe_criterion (&self->criteria, c);
      if (self->criteria.wanted[c])
        g_string_append_printf (text, " %c: %s.", g_ascii_toupper (pd_advice_criterion_name (c)[0]),
                                title);
    }
  pd_report_append_wrapped (out, text->str, "", width);
}

/* With its range, where that is known. */
static void
append_time (const PdAdviceView *view, guint i, GString *out)
{
  const PdTimeRange *range = pd_advice_view_run (view, i)->range;
  g_autofree char *text = range != NULL ? pd_time_range_describe (range) : NULL;

  if (text != NULL)
    g_string_append (out, text);
  else
    {
      pd_report_append_double (out, "%.6g", g_array_index (view->lines, PdComparedRun, i).seconds);
      g_string_append (out, " s");
    }
}

static void
write_choice (const PdAdviceView *view, PdAdviceCriterion c, guint width, GString *out)
{
  const PdAdvice *self = view->advice;
  g_autofree char *title = pd_advice_describe_criterion (&self->criteria, c);

  if (self->best[c] < 0)
    {
      g_string_append_printf (out, "\n%s: no grid\n", title);
      return;
    }
  guint i = (guint) self->best[c];
  const PdComparedRun *line = &g_array_index (view->lines, PdComparedRun, i);
  g_autofree char *why = pd_advice_explain (self, c);
  g_autoptr (GString) text = g_string_new (NULL);
  g_string_append_printf (text, "%s: %s (%u processor%s), ", title, line->grid, line->n_processors,
                          line->n_processors == 1 ? "" : "s");
  append_time (view, i, text);
  g_string_append (text, ", speed-up ");
  pd_report_append_double (text, "%.2f", pd_comparison_speed_up (view->lines, i, view->base));
  g_string_append (text, ", efficiency ");
  pd_report_append_double (text, "%.1f", 100 * line->efficiency);
  g_string_append (text, " %, cost ");
  pd_report_append_double (text, "%.4g", pd_advice_view_cost (view, i));
  g_string_append_c (out, '\n');
  pd_report_append_wrapped (out, text->str, "", width);
  if (c == PD_ADVICE_EFFICIENCY && self->best[PD_ADVICE_TIME] == self->best[c])
    g_string_append (out, "  The same grid: it is efficient enough.\n");
  else
    pd_report_append_wrapped (out, why, "  ", width);
}

static void
write_pruned (const PdAdvice *self, guint width, GString *out)
{
  g_autoptr (GString) text = g_string_new (NULL);
  PdTimeSum least = { 0 };

  if (self->pruned->len == 0)
    return;
  for (guint i = 0; i < self->pruned->len; i++)
    {
      const PdAdvicePruned *pruned = &g_array_index (self->pruned, PdAdvicePruned, i);
      if (i == 0 || pruned->bound.ps < least.ps)
        least = pruned->bound;
    }
  g_string_append_printf (text, "Pruned: %u of %u grids; their time cannot be below ",
                          self->pruned->len, self->pruned->len + self->report->runs->len);
  pd_report_append_double (text, "%.6g", pd_time_sum_to_seconds (least));
  g_string_append (text, " s even if messages cost nothing, so none of them can be best "
                         "(--exhaustive predicts them, too).");
  g_string_append_c (out, '\n');
  pd_report_append_wrapped (out, text->str, "", width);
}

void
pd_advice_write_text (const PdAdvice *self, int verbose, guint width, GString *out)
{
  g_return_if_fail (self != NULL && out != NULL);

  g_auto (PdAdviceView) view = pd_advice_view_new (self);
  g_autofree char *command = pd_text_show (self->report->command_line);
  guint columns = width == 0 ? 80 : width;

  pd_report_write_head (self->report, verbose, out);
  if (self->interrupted)
    g_string_append (out, "Interrupted: this is about the grids that were finished.\n\n");
  pd_report_write_cut (self->report, "\n\n", out);
  pd_report_append_wrapped (out, self->scope, "", columns);
  g_string_append_c (out, '\n');
  write_table (&view, verbose, columns, out);
  write_legend (&view, columns, out);
  for (PdAdviceCriterion c = 0; c < PD_N_ADVICE; c++)
    if (self->criteria.wanted[c])
      write_choice (&view, c, columns, out);
  write_pruned (self, columns, out);
  pd_report_write_messages (self->report, verbose, out);
  if (command[0] != '\0')
    g_string_append_printf (out, "\nCommand: %s\n", command);
}
