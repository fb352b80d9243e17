/* Shared declarations of the writers: numbers, texts, rows of tables, comparisons.
 * SPDX-License-Identifier: MIT */
#include "reports/run/pd-report-types.h"
#include "base/pd-text.h"
#include "base/pd-verdict.h"
#include "intervals/pd-interval-rows.h"
#include "reports/run/pd-report-common.h"
#include "reports/emit/pd-format.h"

#include <math.h>
#include <string.h>

const PdCharacteristic pd_report_losses[PD_N_LOSSES] = { PD_C_INSUFFICIENT_PARALLELISM,
                                                         PD_C_COMMUNICATION, PD_C_IDLE };
const char *const pd_report_loss_names[PD_N_LOSSES] = { "insufficient parallelism", "communication",
                                                        "idle time" };

/* ---- numbers */

gdouble
pd_report_share (PdTimeSum part, PdTimeSum whole)
{
  return whole.ps == 0 ? 0 : (gdouble) part.ps / (gdouble) whole.ps;
}

PdTimeSum
pd_report_mean (const PdIntervalResult *result, PdCharacteristic c)
{
  PdWide sum = result->values[c].sum.ps;

  /* the sum of Execution_time is the maximum, so take it from the identity */
  if (c == PD_C_EXECUTION_TIME)
    sum = result->total_time.ps - result->values[PD_C_IDLE].sum.ps;
  return (PdTimeSum){ result->n_processors == 0 ? 0 : sum / result->n_processors };
}

/* ---- text */

/* "a.c:12", "a.c", "line 12", or "" */
static char *
describe_place (const PdIntervalKey *key)
{
  g_autofree char *file = pd_text_show (key->file);

  if (key->line <= 0)
    return g_steal_pointer (&file);
  return file[0] != '\0' ? g_strdup_printf ("%s:%" G_GINT64_FORMAT, file, key->line)
                         : g_strdup_printf ("line %" G_GINT64_FORMAT, key->line);
}

char *
pd_report_describe_cut (const PdReportRun *run, const char *what)
{
  if (run->recorded_share <= 0)
    return g_strdup_printf ("The trace ends early: %s of its readable part.", what);
  g_autofree char *part = pd_verdict_describe_part (run->recorded_share);
  return g_strdup_printf ("The trace ends early: %s of %s.", what, part);
}

gboolean
pd_report_write_cut (const PdReport *self, const char *end, GString *out)
{
  for (guint i = 0; i < self->runs->len; i++)
    {
      const PdReportRun *run = g_ptr_array_index (self->runs, i);
      if (!run->incomplete)
        continue;
      g_autofree char *cut = pd_report_describe_cut (run, "the predictions are");
      g_string_append_printf (out, "%s%s", cut, end);
      return TRUE;
    }
  return FALSE;
}

void
pd_report_add_outside (PdColumns *to, const PdReportRun *run)
{
  static const PdColumn columns[] = {
    { "<Outside the totals", "<Outside the totals" },
    { "Seconds", "Seconds, all ranks" },
    { "Minimum", "Minimum, s" },
    { "at", "at rank" },
    { "Maximum", "Maximum, s" },
    { "at", "at rank" },
  };

  PdTimeSum all = { 0 };

  for (guint i = 0; run->outside != NULL && i < PD_N_OUTSIDE; i++)
    all.ps += run->outside->times[i].sum.ps;
  int decimals = pd_report_decimals (pd_time_sum_to_seconds (all));
  for (guint i = 0; run->outside != NULL && i < PD_N_OUTSIDE; i++)
    {
      const PdSummary *s = &run->outside->times[i];
      if (s->sum.ps == 0)
        continue;
      pd_columns_begin (to, PD_COLUMNS (columns));
      pd_columns_add_label (to, pd_outside_name (i), 0);
      pd_columns_add_fixed (to, pd_time_sum_to_seconds (s->sum), decimals);
      pd_columns_add_fixed (to, pd_time_to_seconds (s->min), decimals);
      pd_columns_add_count (to, s->min_at);
      pd_columns_add_fixed (to, pd_time_to_seconds (s->max), decimals);
      pd_columns_add_count (to, s->max_at);
    }
  pd_columns_end (to);
}

char *
pd_report_interval_label (const PdIntervalKey *key)
{
  g_autofree char *place = describe_place (key);
  g_autofree char *name = pd_text_show (key->name);
  GString *text = g_string_new (pd_interval_type_name (key->type));

  if (name[0] != '\0' && strcmp (name, place) != 0) /* as readers call what has only a place */
    g_string_append_printf (text, " %s", name);
  if (place[0] != '\0')
    g_string_append_printf (text, " %s", place);
  if (key->index != PD_INTERVAL_NO_INDEX)
    g_string_append_printf (text, " [%" G_GINT64_FORMAT "]", key->index);
  return g_string_free (text, FALSE);
}

char *
pd_report_label (const PdIntervalResult *result)
{
  const PdIntervalKey key = { result->type, result->file, result->line, result->index,
                              result->name };

  return pd_report_interval_label (&key);
}

guint *
pd_report_positions (const PdReportRun *run)
{
  guint *positions = g_new0 (guint, run->results->len);

  for (guint i = 0; i < run->results->len; i++)
    positions[pd_report_result (run, i)->node] = i;
  return positions;
}

/* ---- the tree of intervals */

void
pd_report_add_interval (PdColumns *to, const PdReportRun *run, guint i, const char *bar)
{
  static const PdColumn columns[] = { { "<Interval", "<Interval" },
                                      { "Count", "Count" },
                                      { NULL, "Processors" },
                                      { "Exec_time", "Execution time, s" },
                                      { "Run%", NULL },
                                      { "Eff.%", "Efficiency, %" },
                                      { "Ins.%", "Insufficient parallelism, %" },
                                      { "Comm%", "Communication, %" },
                                      { "Idle%", "Idle, %" },
                                      { NULL, "<Share of the run" } };
  const PdIntervalResult *r = pd_report_result (run, i), *root = pd_report_result (run, 0);
  gdouble longest = pd_time_sum_to_seconds (root->values[PD_C_EXECUTION_TIME].sum);
  g_autofree char *label = pd_report_label (r);

  pd_columns_begin (to, PD_COLUMNS (columns));
  pd_columns_add_label (to, label, r->depth);
  pd_columns_add_count (to, r->counts[PD_Q_EXE_COUNT - PD_N_TIMES]);
  pd_columns_add_count (to, r->n_processors);
  pd_columns_add_fixed (to, pd_time_sum_to_seconds (r->values[PD_C_EXECUTION_TIME].sum),
                        pd_report_decimals (longest));
  pd_columns_add_share (to, r->total_time, root->total_time);
  pd_columns_add_fixed (to, 100 * r->efficiency, 1);
  for (guint k = 0; k < PD_N_LOSSES; k++)
    pd_columns_add_share (to, r->values[pd_report_losses[k]].sum, r->total_time);
  pd_columns_add_markup (to, NULL, bar);
}

/* ---- comparison */

static void
comparison_clear (gpointer data)
{
  g_free (((PdComparedRun *) data)->grid);
}

GArray *
pd_comparison_new (void)
{
  GArray *lines = g_array_new (FALSE, FALSE, sizeof (PdComparedRun));

  g_array_set_clear_func (lines, comparison_clear);
  return lines;
}

gboolean
pd_report_has_diagnosis (const PdReportRun *run)
{
  return run->model == PD_MODEL_DVM && run->analysis == NULL && run->n_processors > 1;
}

char *
pd_report_describe_size (const PdReportRun *run)
{
  g_autofree char *grid = pd_text_show (run->grid);
  const char *s = run->n_processors == 1 ? "" : "s";

  if (run->model == PD_MODEL_MPI)
    return g_strdup_printf ("%u rank%s", run->n_processors, s);
  return g_strdup_printf ("%u processor%s (%s)", run->n_processors, s, grid);
}

void
pd_comparison_append (GArray *lines, const PdReportRun *run, gint64 id)
{
  const PdIntervalResult *root = pd_report_result (run, 0);
  PdComparedRun line = { .id = id,
                         .n_processors = run->n_processors,
                         .grid = pd_text_show (run->grid),
                         .seconds = pd_time_sum_to_seconds (root->values[PD_C_EXECUTION_TIME].sum),
                         .efficiency = root->efficiency };

  for (guint k = 0; k < PD_N_LOSSES; k++)
    line.losses[k] = pd_report_share (root->values[pd_report_losses[k]].sum, root->total_time);
  g_array_append_val (lines, line);
}

GArray *
pd_report_compare (const PdReport *self)
{
  GArray *lines = pd_comparison_new ();

  for (guint i = 0; i < self->runs->len; i++)
    pd_comparison_append (lines, pd_report_run (self, i), 0);
  return lines;
}

guint
pd_comparison_base (const GArray *lines)
{
  guint base = 0;

  for (guint i = 1; i < lines->len; i++)
    if (g_array_index (lines, PdComparedRun, i).n_processors
        < g_array_index (lines, PdComparedRun, base).n_processors)
      base = i;
  return base;
}

gdouble
pd_comparison_speed_up (const GArray *lines, guint i, guint base)
{
  gdouble own = g_array_index (lines, PdComparedRun, i).seconds;

  return own > 0 ? g_array_index (lines, PdComparedRun, base).seconds / own : 1;
}

char *
pd_comparison_describe_base (const GArray *lines)
{
  const PdComparedRun *base = &g_array_index (lines, PdComparedRun, pd_comparison_base (lines));

  if (base->n_processors == 1)
    return g_strdup ("Speed-up is against the run on 1 processor.");
  g_autofree char *plain = g_strdup_printf ("%u", base->n_processors);
  if (strcmp (plain, base->grid) == 0)
    return g_strdup_printf ("Speed-up is against the run on %s processors, not against 1.", plain);
  return g_strdup_printf ("Speed-up is against the run on %s processors (%s), not against 1.",
                          plain, base->grid);
}

void
pd_comparison_add (PdColumns *to, const GArray *lines, guint i, const char *bar)
{
  const PdComparedRun *line = &g_array_index (lines, PdComparedRun, i);
  const PdColumn columns[] = { { line->id != 0 ? "Run" : NULL, NULL },
                               { line->id != 0 ? "Proc." : "Processors", "Processors" },
                               { "Grid", "Grid" },
                               { "Exec_time s", "Execution time, s" },
                               { "Speed-up", "Speed-up" },
                               { "Effic. %", "Efficiency, %" },
                               { "Insuff. %", "Insufficient parallelism, %" },
                               { "Comm. %", "Communication, %" },
                               { "Idle %", "Idle, %" },
                               { NULL, "<Where the time goes" } };
  g_autofree char *n = g_strdup_printf ("%u", line->n_processors);
  g_autofree char *link = g_strdup_printf ("<td><a href=\"#run%u\">%s</a></td>", i + 1, n);
  gdouble largest = 0;

  for (guint k = 0; k < lines->len; k++)
    largest = MAX (largest, g_array_index (lines, PdComparedRun, k).seconds);
  pd_columns_begin (to, PD_COLUMNS (columns));
  pd_columns_add_count (to, (guint64) line->id);
  pd_columns_add_markup (to, n, link);
  pd_columns_add_text (to, line->grid);
  pd_columns_add_fixed (to, line->seconds, pd_report_decimals (largest));
  pd_columns_add_fixed (to, pd_comparison_speed_up (lines, i, pd_comparison_base (lines)), 2);
  pd_columns_add_fixed (to, 100 * line->efficiency, 1);
  for (guint k = 0; k < PD_N_LOSSES; k++)
    pd_columns_add_fixed (to, 100 * line->losses[k], 1);
  pd_columns_add_markup (to, NULL, bar);
}

void
pd_comparison_write (const GArray *lines, guint width, GString *out)
{
  PdColumns to = { .out = out, .width = width };

  if (lines->len == 0)
    return;
  for (guint i = 0; i < lines->len; i++)
    pd_comparison_add (&to, lines, i, NULL);
  pd_columns_end (&to);
  g_autofree char *meaning = pd_comparison_describe_base (lines);
  g_string_append_printf (out, "%s\n", meaning);
}

/* ---- the dearest intervals */

typedef struct
{
  PdWide cost;
  guint position;
} Ranked;

/* The dearest first; of equals the outer one, which comes first in preorder:
 * so the ancestors of a chosen one are chosen, too. */
static int
compare_ranked (const void *a, const void *b)
{
  const Ranked *x = a, *y = b;

  if (x->cost != y->cost)
    return x->cost > y->cost ? -1 : 1;
  return (x->position > y->position) - (x->position < y->position);
}

gboolean *
pd_report_choose_intervals (const PdReportRun *run, guint limit)
{
  guint n = run->results->len;
  gboolean *shown = g_new0 (gboolean, n);
  g_autofree Ranked *ranked = g_new (Ranked, n);

  for (guint i = 0; i < n; i++)
    ranked[i] = (Ranked){ pd_report_result (run, i)->total_time.ps, i };
  qsort (ranked, n, sizeof *ranked, compare_ranked);
  for (guint i = 0; i < MIN (n, limit); i++)
    shown[ranked[i].position] = TRUE;
  return shown;
}

/* ---- messages */

static void
merge_from (const PdMessages *messages, PdSeverity severity, GHashTable *seen, GArray *merged)
{
  for (guint i = 0; messages != NULL && i < pd_messages_get_n (messages); i++)
    {
      const PdMessage *message = pd_messages_get (messages, i);
      if (message->severity != severity)
        continue;
      char *key = g_strconcat (message->id, "\n", message->subject, NULL);
      gpointer known = g_hash_table_lookup (seen, key);
      if (known != NULL)
        {
          g_array_index (merged, PdMergedMessage, GPOINTER_TO_UINT (known) - 1).count +=
              message->count;
          g_free (key);
          continue;
        }
      PdMergedMessage one = { message, message->count };
      g_array_append_val (merged, one);
      g_hash_table_insert (seen, key, GUINT_TO_POINTER (merged->len));
    }
}

GArray *
pd_report_merge_messages (const PdReport *self)
{
  static const PdSeverity order[] = { PD_SEVERITY_WARNING, PD_SEVERITY_NOTE };
  GArray *merged = g_array_new (FALSE, FALSE, sizeof (PdMergedMessage));

  for (gsize s = 0; s < G_N_ELEMENTS (order); s++)
    {
      g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
      merge_from (self->messages, order[s], seen, merged);
      for (guint i = 0; i < self->runs->len; i++)
        merge_from (pd_report_run (self, i)->messages, order[s], seen, merged);
    }
  return merged;
}
