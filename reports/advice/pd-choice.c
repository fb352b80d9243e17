/* SPDX-License-Identifier: MIT */
#include "reports/advice/pd-choice.h"
#include "reports/advice/pd-choice-messages-private.h"

#include "base/pd-csv.h"
#include "base/pd-text.h"
#include "reports/advice/pd-advice-private.h"
#include "reports/run/pd-report-rows.h"
#include "reports/emit/pd-table.h"
#include "reports/advice/pd-advice-write-private.h"
#include "reports/run/pd-report-common.h"
#include "reports/emit/pd-format.h"
#include "reports/run/pd-report-text.h"

/* ---- the choice */

static void
option_free (gpointer data)
{
  PdChoiceOption *option = data;

  g_free (option->machine);
  g_free (option->shape);
  pd_advice_free (option->advice);
  pd_report_free (option->report);
  g_free (option);
}

PdChoice *
pd_choice_new (const PdAdviceCriteria *criteria)
{
  PdChoice *self = g_new0 (PdChoice, 1);

  self->criteria = *criteria;
  self->options = g_ptr_array_new_with_free_func (option_free);
  self->left_out = g_ptr_array_new_with_free_func (g_free);
  return self;
}

void
pd_choice_free (PdChoice *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->options);
  g_ptr_array_unref (self->left_out);
  g_free (self->command_line);
  g_free (self);
}

void
pd_choice_add (PdChoice *self, const char *machine, const char *shape, PdReport *report,
               PdAdvice *advice)
{
  PdChoiceOption *option = g_new (PdChoiceOption, 1);

  *option = (PdChoiceOption){ g_strdup (machine), g_strdup (shape), report, advice };
  g_ptr_array_add (self->options, option);
}

/* ---- the best runs */

/* The option's best run. */
static const PdReportRun *
best_run (const PdChoiceOption *option, PdAdviceCriterion c)
{
  return pd_report_run (option->report, (guint) option->advice->best[c]);
}

static gdouble
get_seconds (const PdReportRun *run)
{
  return pd_time_sum_to_seconds (pd_advice_get_time (run));
}

/* What @c makes small. */
static gdouble
get_merit (const PdChoice *self, const PdReportRun *run, PdAdviceCriterion c)
{
  return c == PD_ADVICE_COST ? pd_advice_get_cost (&self->criteria, run) : get_seconds (run);
}

GPtrArray *
pd_choice_rank (const PdChoice *self, PdAdviceCriterion criterion)
{
  GPtrArray *ranked = g_ptr_array_new ();

  /* few options: by insertion, which keeps equal ones in order */
  for (guint i = 0; i < self->options->len; i++)
    {
      PdChoiceOption *option = g_ptr_array_index (self->options, i);
      guint at = ranked->len;
      if (option->advice->best[criterion] < 0)
        continue;
      gdouble merit = get_merit (self, best_run (option, criterion), criterion);
      while (
          at > 0
          && get_merit (self, best_run (g_ptr_array_index (ranked, at - 1), criterion), criterion)
                 > merit)
        at--;
      g_ptr_array_insert (ranked, (gint) at, option);
    }
  return ranked;
}

/* ---- why */

/* The parts of the execution time: on the mean over processors they add up to it. */
static const struct
{
  PdCharacteristic c;
  const char *name;
} parts[] = {
  { PD_C_PRODUCTIVE_TIME, "productive time" },
  { PD_C_INSUFFICIENT_PARALLELISM, "insufficient parallelism" },
  { PD_C_COMMUNICATION, "communication" },
  { PD_C_IDLE, "idle time" },
};

static gdouble
get_mean (const PdReportRun *run, PdCharacteristic c)
{
  return pd_time_sum_to_seconds (pd_report_result (run, 0)->values[c].sum) / run->n_processors;
}

static char *
name_option (const PdChoiceOption *option, const PdReportRun *run)
{
  GString *text = g_string_new (option->machine);

  if (option->shape[0] != '\0')
    g_string_append_printf (text, " %s", option->shape);
  if (run->model != PD_MODEL_MPI)
    g_string_append_printf (text, " on the grid %s", run->grid);
  return g_string_free (text, FALSE);
}

/* "X takes 1.2 times as long: communication +0.5 s per processor, …": parts that make up a
 * tenth of the difference at least. */
static void
append_difference (GString *out, const PdReportRun *best, const PdChoiceOption *option,
                   const PdReportRun *run)
{
  g_autofree char *name = name_option (option, run);
  gdouble difference = get_seconds (run) - get_seconds (best);
  const char *separator = ": ";

  if (!(ABS (difference) > 0))
    {
      g_string_append_printf (out, "%s takes as long. ", name);
      return;
    }
  g_string_append_printf (out, "%s takes ", name);
  pd_report_append_double (out, "%.4g", get_seconds (run) / get_seconds (best));
  g_string_append (out, " times as long");
  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      gdouble more = get_mean (run, parts[i].c) - get_mean (best, parts[i].c);
      if (ABS (more) < ABS (difference) / 10 || !(ABS (more) > 0))
        continue;
      g_string_append_printf (out, "%s%s ", separator, parts[i].name);
      pd_report_append_double (out, "%+.3g", more);
      g_string_append (out, " s");
      separator = ", ";
    }
  g_string_append (out, separator[0] == ':' ? ". " : " on the mean over processors. ");
}

char *
pd_choice_explain (const PdChoice *self, PdAdviceCriterion criterion)
{
  g_autoptr (GPtrArray) ranked = pd_choice_rank (self, criterion);
  GString *out = g_string_new (NULL);

  g_return_val_if_fail (ranked->len > 0, g_string_free (out, FALSE));

  const PdReportRun *best = best_run (g_ptr_array_index (ranked, 0), criterion);
  if (ranked->len == 1)
    g_string_append (out, "There is no other.");
  else if (!(get_seconds (best) > 0))
    g_string_append (out, "It takes no time.");
  for (guint i = 1; i < ranked->len && get_seconds (best) > 0; i += MAX (ranked->len - 2, 1))
    append_difference (out, best, g_ptr_array_index (ranked, i),
                       best_run (g_ptr_array_index (ranked, i), criterion));
  return g_strchomp (g_string_free (out, FALSE));
}

/* ---- text */

/* Four digits: a price may be of any size. */
static char *
format_cost (gdouble cost)
{
  GString *text = g_string_new (NULL);

  pd_report_append_double (text, "%.4g", cost);
  return g_string_free (text, FALSE);
}

static void
add_line (PdTable *table, const PdChoice *self, const PdChoiceOption *option, PdAdviceCriterion c,
          int decimals)
{
  const PdReportRun *run = best_run (option, c);
  const PdIntervalResult *root = pd_report_result (run, 0);
  g_autofree char *machine = pd_text_show (option->machine);

  pd_table_add (table, machine);
  pd_table_add (table, option->shape);
  pd_table_take (table, g_strdup_printf ("%u", run->n_processors));
  pd_table_take (table, pd_text_show (run->grid));
  pd_table_take (table, pd_report_fixed (get_seconds (run), decimals));
  pd_table_take (table, pd_report_fixed (100 * root->efficiency, 1));
  pd_table_take (table, format_cost (pd_advice_get_cost (&self->criteria, run)));
  for (guint k = 0; k < PD_N_LOSSES; k++)
    pd_table_take (
        table,
        pd_report_fixed (
            100 * pd_report_share (root->values[pd_report_losses[k]].sum, root->total_time), 1));
}

static void
write_criterion (const PdChoice *self, PdAdviceCriterion c, guint width, GString *out)
{
  static const char *const headings[] = { "<Machine", "Shape", "Proc.", "Grid",  "Time s", "Eff.%",
                                          "Cost",     "Ins.%", "Comm%", "Idle%", NULL };
  g_autoptr (GPtrArray) ranked = pd_choice_rank (self, c);
  g_autofree char *title = pd_advice_describe_criterion (&self->criteria, c);
  g_autoptr (PdTable) table = pd_table_new (headings);

  if (ranked->len == 0)
    {
      g_string_append_printf (out, "%s: none\n\n", title);
      return;
    }
  const PdChoiceOption *best = g_ptr_array_index (ranked, 0);
  const PdChoiceOption *last = g_ptr_array_index (ranked, ranked->len - 1);
  gdouble largest = MAX (get_seconds (best_run (best, c)), get_seconds (best_run (last, c)));
  for (guint i = 0; i < ranked->len; i++)
    add_line (table, self, g_ptr_array_index (ranked, i), c, pd_report_decimals (largest));
  g_autofree char *name = name_option (best, best_run (best, c));
  g_autofree char *clean = pd_text_show (name);
  g_autofree char *why = pd_choice_explain (self, c);
  g_autofree char *clean_why = pd_text_show (why);
  g_string_append_printf (out, "%s: %s\n", title, clean);
  pd_report_append_wrapped (out, clean_why, "  ", width);
  g_string_append_c (out, '\n');
  pd_table_write (table, width, out);
  g_string_append_c (out, '\n');
}

/* For programs that run on one number of processors all criteria say the same. */
static gboolean
is_reported_already (const PdChoice *self, PdAdviceCriterion criterion)
{
  for (PdAdviceCriterion c = 0; c < criterion; c++)
    {
      gboolean same = self->criteria.wanted[c];
      for (guint i = 0; i < self->options->len; i++)
        {
          const PdChoiceOption *option = g_ptr_array_index (self->options, i);
          same = same && option->report->runs->len == 1
                 && option->advice->best[c] == option->advice->best[criterion];
        }
      if (same)
        return TRUE;
    }
  return FALSE;
}

/* The description of the inputs, without a machine; borrows all of it. */
static PdReport
describe_inputs (const PdChoice *self)
{
  const PdChoiceOption *first = g_ptr_array_index (self->options, 0);
  PdReport head = *first->report;

  head.machine = NULL;
  head.machine_text = NULL;
  head.command_line = self->command_line;
  return head;
}

static void
write_head (const PdChoice *self, int verbose, GString *out)
{
  PdReport head = describe_inputs (self);

  pd_report_write_head (&head, verbose, out);
  for (guint i = 0; i < self->options->len; i++)
    {
      const PdChoiceOption *option = g_ptr_array_index (self->options, i);
      const PdChoiceOption *last = i > 0 ? g_ptr_array_index (self->options, i - 1) : NULL;
      g_autofree char *machine = pd_text_show (option->machine);
      g_autofree char *text = pd_text_show (option->report->machine_text);
      if (last == NULL || g_strcmp0 (option->machine, last->machine) != 0)
        g_string_append_printf (out, "%s: %s\n", machine, text);
    }
  g_string_append_c (out, '\n');
}

/* The trace is the same for all. */
static void
write_cut (const PdChoice *self, GString *out)
{
  for (guint i = 0; i < self->options->len; i++)
    {
      const PdChoiceOption *option = g_ptr_array_index (self->options, i);
      if (pd_report_write_cut (option->report, "\n\n", out))
        return;
    }
}

void
pd_choice_write_text (const PdChoice *self, int verbose, guint width, GString *out)
{
  g_return_if_fail (self != NULL && out != NULL && self->options->len > 0);

  g_autofree char *command = pd_text_show (self->command_line);
  guint columns = width == 0 ? 80 : width;

  write_head (self, verbose, out);
  if (self->interrupted)
    g_string_append (out, "Interrupted: this report has the finished predictions only.\n\n");
  write_cut (self, out);
  for (PdAdviceCriterion c = 0; c < PD_N_ADVICE; c++)
    if (self->criteria.wanted[c] && !is_reported_already (self, c))
      write_criterion (self, c, columns, out);
  g_string_append_printf (out, "Cost in %s. Shape: nodes x ranks of each.\n",
                          self->criteria.price < 0 ? "processor-seconds" : "units of the price");
  for (guint i = 0; i < self->left_out->len; i++)
    {
      g_autofree char *clean = pd_text_show (g_ptr_array_index (self->left_out, i));
      g_string_append_printf (out, "Left out: %s\n", clean);
    }
  pd_choice_write_messages (self, verbose, out);
  if (command[0] != '\0')
    g_string_append_printf (out, "\nCommand: %s\n", command);
}

/* ---- JSON, CSV */

static void
add_ranking (PdJson *json, const PdChoice *self, PdAdviceCriterion c)
{
  g_autoptr (GPtrArray) ranked = pd_choice_rank (self, c);

  pd_json_open (json, pd_advice_criterion_name (c), '{');
  if (ranked->len > 0)
    {
      const PdChoiceOption *best = g_ptr_array_index (ranked, 0);
      g_autofree char *why = pd_choice_explain (self, c);
      pd_json_add_string (json, "machine", best->machine);
      pd_json_add_string (json, "shape", best->shape);
      pd_json_add_integer (json, "processors", best_run (best, c)->n_processors);
      pd_json_add_string (json, "grid", best_run (best, c)->grid);
      pd_json_add_seconds (json, "execution_time", pd_advice_get_time (best_run (best, c)));
      pd_advice_add_range (json, best_run (best, c));
      pd_json_add_double (json, "cost", "%.12g",
                          pd_advice_get_cost (&self->criteria, best_run (best, c)));
      pd_json_add_string (json, "why", why);
    }
  pd_json_close (json, '}');
}

static void
add_option (PdJson *json, const PdChoice *self, const PdChoiceOption *option)
{
  pd_json_open (json, NULL, '{');
  pd_json_add_string (json, "machine", option->machine);
  pd_json_add_string (json, "shape", option->shape);
  pd_json_open (json, "runs", '[');
  for (guint i = 0; i < option->report->runs->len; i++)
    {
      const PdReportRun *run = pd_report_run (option->report, i);
      pd_json_open (json, NULL, '{');
      pd_json_add_run (json, option->report, run);
      pd_advice_add_range (json, run);
      pd_json_add_double (json, "cost", "%.12g", pd_advice_get_cost (&self->criteria, run));
      pd_json_add_messages (json, run->messages);
      pd_json_close (json, '}');
    }
  pd_json_close (json, ']');
  pd_json_add_messages (json, option->report->messages);
  pd_json_close (json, '}');
}

void
pd_choice_write_json (const PdChoice *self, GString *out)
{
  g_return_if_fail (self != NULL && out != NULL && self->options->len > 0);

  PdReport head = describe_inputs (self);
  PdJson json = { .out = out, .first = TRUE };

  pd_json_open (&json, NULL, '{');
  pd_json_add_head (&json, &head);
  pd_json_open (&json, "best", '{');
  for (PdAdviceCriterion c = 0; c < PD_N_ADVICE; c++)
    if (self->criteria.wanted[c])
      add_ranking (&json, self, c);
  pd_json_close (&json, '}');
  pd_json_open (&json, "options", '[');
  for (guint i = 0; i < self->options->len; i++)
    add_option (&json, self, g_ptr_array_index (self->options, i));
  pd_json_close (&json, ']');
  pd_json_open (&json, "left_out", '[');
  for (guint i = 0; i < self->left_out->len; i++)
    pd_json_add_string (&json, NULL, g_ptr_array_index (self->left_out, i));
  pd_json_close (&json, ']');
  pd_json_add_boolean (&json, "interrupted", self->interrupted);
  pd_json_close (&json, '}');
  g_string_append_c (out, '\n');
}

void
pd_choice_write_csv (const PdChoice *self, GString *out)
{
  g_return_if_fail (self != NULL && out != NULL);

  g_string_append (out, "machine,shape,processors,grid,execution_time,efficiency,cost,"
                        "insufficient_parallelism,communication,idle");
  pd_advice_append_range (out, NULL);
  g_string_append (out, "\r\n");
  for (guint i = 0; i < self->options->len; i++)
    {
      const PdChoiceOption *option = g_ptr_array_index (self->options, i);
      for (guint k = 0; k < option->report->runs->len; k++)
        {
          const PdReportRun *run = pd_report_run (option->report, k);
          const PdIntervalResult *root = pd_report_result (run, 0);
          pd_csv_append (out, option->machine);
          g_string_append_printf (out, ",%s,%u,", option->shape, run->n_processors);
          pd_csv_append (out, run->grid);
          g_string_append_c (out, ',');
          pd_report_append_seconds (out, pd_advice_get_time (run));
          g_string_append_c (out, ',');
          pd_report_append_double (out, "%.12g", root->efficiency);
          g_string_append_c (out, ',');
          pd_report_append_double (out, "%.12g", pd_advice_get_cost (&self->criteria, run));
          for (guint p = 0; p < PD_N_LOSSES; p++)
            {
              g_string_append_c (out, ',');
              pd_report_append_seconds (out, root->values[pd_report_losses[p]].sum);
            }
          pd_advice_append_range (out, run);
          g_string_append (out, "\r\n");
        }
    }
}
