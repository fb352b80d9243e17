/* SPDX-License-Identifier: MIT */
#include "reports/run/pd-report-scaling.h"

#include "intervals/pd-interval-rows.h"
#include "reports/emit/pd-format.h"
#include "reports/run/pd-report-common.h"

#include <math.h>
#include <string.h>

/* Columns of a terminal for the names of intervals and for a run; runs of a page; intervals in
 * brief. */
#define LABEL_WIDTH 28
#define RUN_WIDTH   15
#define PAGE_RUNS   12
#define BRIEF       12

static const char loss_letters[PD_N_LOSSES] = { 'i', 'c', 'w' };

/* ---- runs */

static gdouble
get_seconds (const PdReportRun *run)
{
  return pd_time_sum_to_seconds (pd_report_result (run, 0)->values[PD_C_EXECUTION_TIME].sum);
}

static gint
compare_runs (gconstpointer a, gconstpointer b)
{
  const PdReportRun *x = *(const PdReportRun *const *) a, *y = *(const PdReportRun *const *) b;

  if (x->n_processors != y->n_processors)
    return x->n_processors < y->n_processors ? -1 : 1;
  return (get_seconds (x) > get_seconds (y)) - (get_seconds (x) < get_seconds (y));
}

static gboolean
has_intervals_of (const PdReportRun *run, const PdReportRun *other)
{
  if (run->results->len != other->results->len)
    return FALSE;
  for (guint i = 0; i < run->results->len; i++)
    {
      const PdIntervalResult *a = pd_report_result (run, i), *b = pd_report_result (other, i);
      if (a->depth != b->depth || a->type != b->type || a->line != b->line || a->index != b->index
          || strcmp (a->file, b->file) != 0 || strcmp (a->name, b->name) != 0)
        return FALSE;
    }
  return TRUE;
}

GPtrArray *
pd_scaling_list_runs (const PdReport *self)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new (), best = g_ptr_array_new ();

  for (guint i = 0; i < self->runs->len; i++)
    g_ptr_array_add (all, (gpointer) pd_report_run (self, i));
  g_ptr_array_sort (all, compare_runs);
  for (guint i = 0; i < all->len; i++)
    {
      const PdReportRun *run = g_ptr_array_index (all, i);
      const PdReportRun *last = best->len > 0 ? g_ptr_array_index (best, best->len - 1) : NULL;
      if (!has_intervals_of (run, g_ptr_array_index (all, 0)))
        return NULL;
      if (last == NULL || run->n_processors > last->n_processors)
        g_ptr_array_add (best, (gpointer) run);
    }
  return best->len > 1 ? g_steal_pointer (&best) : NULL;
}

/* ---- where it breaks */

static gdouble
get_growth (const PdScalingBreak *b, guint i, PdCharacteristic c)
{
  return pd_time_sum_to_seconds (pd_report_result (b->after, i)->values[c].sum)
         - pd_time_sum_to_seconds (pd_report_result (b->before, i)->values[c].sum);
}

/* The part of Lost_time that grows most, and from the whole program on always the interval inside
 * in which more than half of that is. */
static void
explain (PdScalingBreak *b)
{
  guint largest = 0, at = 0;

  for (guint k = 1; k < PD_N_LOSSES; k++)
    if (get_growth (b, 0, pd_report_losses[k]) > get_growth (b, 0, pd_report_losses[largest]))
      largest = k;
  b->loss = pd_report_losses[largest];
  b->share = get_growth (b, 0, b->loss) / get_growth (b, 0, PD_C_LOST_TIME);
  for (guint i = 1; i < b->after->results->len; i++)
    {
      const PdIntervalResult *r = pd_report_result (b->after, i);
      if (r->parent == pd_report_result (b->after, at)->node
          && 2 * get_growth (b, i, b->loss) > get_growth (b, at, b->loss))
        at = i;
    }
  b->interval = pd_report_result (b->after, at);
}

gboolean
pd_scaling_find_break (const GPtrArray *runs, PdScalingBreak *found)
{
  for (guint i = 1; i < runs->len; i++)
    {
      PdScalingBreak b = { .before = g_ptr_array_index (runs, i - 1),
                           .after = g_ptr_array_index (runs, i) };
      b.gain = get_seconds (b.before) / get_seconds (b.after);
      b.possible = (gdouble) b.after->n_processors / b.before->n_processors;
      if (b.gain >= sqrt (b.possible) || !(get_seconds (b.after) > 0)
          || !(get_growth (&b, 0, PD_C_LOST_TIME) > 0))
        continue;
      explain (&b);
      *found = b;
      return TRUE;
    }
  return FALSE;
}

static char *
name_run (const PdReportRun *run)
{
  g_autofree char *count = g_strdup_printf ("%u", run->n_processors);

  return strcmp (count, run->grid) == 0 ? g_steal_pointer (&count)
                                        : g_strdup_printf ("%s (%s)", count, run->grid);
}

static guint
find_loss (PdCharacteristic c)
{
  guint k = 0;

  while (pd_report_losses[k] != c)
    k++;
  return k;
}

char *
pd_scaling_describe (const GPtrArray *runs)
{
  PdScalingBreak b;

  if (!pd_scaling_find_break (runs, &b))
    {
      const PdReportRun *last = g_ptr_array_index (runs, runs->len - 1);
      return g_strdup_printf ("Speed-up does not break up to %u processors: twice as many are at "
                              "least 1.41 times as fast.",
                              last->n_processors);
    }
  g_autofree char *before = name_run (b.before), *after = name_run (b.after);
  g_autofree char *gain = pd_report_fixed (b.gain >= 1 ? b.gain : 1 / b.gain, 2);
  g_autofree char *possible = pd_report_fixed (b.possible, 2);
  g_autofree char *share = pd_report_fixed (100 * MIN (b.share, 1), 0);
  g_autofree char *label = pd_report_label (b.interval);
  gboolean is_somewhere = b.interval != pd_report_result (b.after, 0);
  return g_strdup_printf (
      "Speed-up breaks from %s to %s processors: %s times as %s, where %s times "
      "as fast was possible. Of the time lost in addition %s %% is %s%s%s.",
      before, after, gain, b.gain >= 1 ? "fast" : "slow", possible, share,
      pd_report_loss_names[find_loss (b.loss)], is_somewhere ? ", mainly in " : "",
      is_somewhere ? label : "");
}

void
pd_scaling_add_json (const GPtrArray *runs, PdJson *json)
{
  PdScalingBreak b;

  if (!pd_scaling_find_break (runs, &b))
    return;
  g_autofree char *label = pd_report_label (b.interval);
  pd_json_open (json, "speed_up_break", '{');
  pd_json_add_integer (json, "from_processors", b.before->n_processors);
  pd_json_add_string (json, "from_grid", b.before->grid);
  pd_json_add_integer (json, "to_processors", b.after->n_processors);
  pd_json_add_string (json, "to_grid", b.after->grid);
  pd_json_add_double (json, "gain", "%.6f", b.gain);
  pd_json_add_double (json, "possible", "%.6f", b.possible);
  pd_json_add_string (json, "loss", pd_characteristic_row (b.loss)->name);
  pd_json_add_double (json, "share", "%.6f", b.share);
  pd_json_add_string (json, "interval", label);
  pd_json_close (json, '}');
}

void
pd_scaling_get_speed_ups (const GPtrArray *runs, guint i, gdouble *values)
{
  for (guint k = 0; k < runs->len; k++)
    {
      const PdReportRun *first = g_ptr_array_index (runs, 0), *run = g_ptr_array_index (runs, k);
      PdTimeSum before = pd_report_result (first, i)->values[PD_C_EXECUTION_TIME].sum;
      PdTimeSum now = pd_report_result (run, i)->values[PD_C_EXECUTION_TIME].sum;
      values[k] = now.ps > 0 ? (gdouble) before.ps / (gdouble) now.ps : 1;
    }
}

/* ---- the table */

/* Of @runs those that have room: where the break is, the last, the first, others from the last. */
static gboolean *
choose_runs (const GPtrArray *runs, guint most)
{
  gboolean *chosen = g_new0 (gboolean, runs->len);
  guint last = runs->len - 1, n = 0, at = 0;
  PdScalingBreak b;

  if (pd_scaling_find_break (runs, &b) && g_ptr_array_find ((GPtrArray *) runs, b.after, &at))
    chosen[at] = chosen[at - 1] = TRUE;
  for (guint i = 0; i <= last; i++)
    n += chosen[i] ? 1 : 0;
  for (guint k = 0; k < runs->len + 2 && n < most; k++)
    {
      guint i = k == 1 ? 0 : last - MIN (last, k > 1 ? k - 1 : 0);
      n += chosen[i] ? 0 : 1;
      chosen[i] = TRUE;
    }
  return chosen;
}

/* "0.00191  55i": seconds, per cent, largest loss. */
static char *
format_cell (const PdIntervalResult *r, gboolean is_markup)
{
  GString *text = g_string_new (NULL);
  g_autofree char *efficiency = pd_report_fixed (100 * r->efficiency, 0);
  guint largest = 0;

  for (guint k = 1; k < PD_N_LOSSES; k++)
    if (r->values[pd_report_losses[k]].sum.ps > r->values[pd_report_losses[largest]].sum.ps)
      largest = k;
  g_string_append (text, is_markup ? "<td>" : "");
  pd_report_append_double (text, "%.3g",
                           pd_time_sum_to_seconds (r->values[PD_C_EXECUTION_TIME].sum));
  g_string_append_printf (
      text, is_markup ? " <span class=\"dim\">%s\xc2\xa0%c</span></td>" : " %3s%c", efficiency,
      r->values[PD_C_LOST_TIME].sum.ps > 0 ? loss_letters[largest] : '-');
  return g_string_free (text, FALSE);
}

static void
add_row (PdColumns *to, const GPtrArray *runs, const gboolean *chosen, guint i)
{
  static const PdColumn first[] = { { "<Interval", "<Interval" } };
  const PdReportRun *largest = g_ptr_array_index (runs, runs->len - 1);
  g_autofree char *label = pd_report_label (pd_report_result (largest, i));

  if (pd_columns_begin (to, PD_COLUMNS (first)))
    for (guint k = 0; k < runs->len; k++)
      if (chosen[k])
        {
          g_autofree char *name = name_run (g_ptr_array_index (runs, k));
          pd_columns_add_column (to, name, name);
        }
  pd_columns_add_label (to, label, pd_report_result (largest, i)->depth);
  for (guint k = 0; k < runs->len; k++)
    if (chosen[k])
      {
        const PdIntervalResult *r = pd_report_result (g_ptr_array_index (runs, k), i);
        g_autofree char *cell = format_cell (r, FALSE), *markup = format_cell (r, TRUE);
        pd_columns_add_markup (to, cell, markup);
      }
}

void
pd_scaling_add_table (PdColumns *to, const GPtrArray *runs, gboolean all)
{
  const PdReportRun *largest = g_ptr_array_index (runs, runs->len - 1);
  guint most = to->width == 0 ? PAGE_RUNS : MAX ((to->width - LABEL_WIDTH) / RUN_WIDTH, 2);
  g_autofree gboolean *chosen = choose_runs (runs, most);
  g_autofree gboolean *shown =
      pd_report_choose_intervals (largest, all ? largest->results->len : BRIEF);

  for (guint i = 0; i < largest->results->len; i++)
    if (shown[i])
      add_row (to, runs, chosen, i);
  pd_columns_end (to);
}
