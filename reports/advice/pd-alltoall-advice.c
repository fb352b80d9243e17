/* The advice on shapes, as text.
 * SPDX-License-Identifier: MIT */
#include "reports/advice/pd-alltoall-advice.h"

#include "base/pd-text.h"
#include "reports/emit/pd-table.h"
#include "reports/emit/pd-format.h"
#include "reports/run/pd-report-text.h"

#include <math.h>

static void
clear_trial (gpointer data)
{
  PdAlltoallTrial *self = data;

  g_free (self->assumption);
  g_free (self->value);
  g_free (self->order);
}

static void
clear_range (gpointer data)
{
  PdAlltoallRange *self = data;

  g_free (self->order_low);
  g_free (self->order_high);
}

PdAlltoallAdvice *
pd_alltoall_advice_new (PdReport *report)
{
  PdAlltoallAdvice *self = g_new0 (PdAlltoallAdvice, 1);

  self->report = report;
  self->shapes = g_array_new (FALSE, FALSE, sizeof (PdAlltoallShape));
  self->left_out = g_ptr_array_new_with_free_func (g_free);
  self->trials = g_array_new (FALSE, FALSE, sizeof (PdAlltoallTrial));
  g_array_set_clear_func (self->trials, clear_trial);
  self->ranges = g_array_new (FALSE, FALSE, sizeof (PdAlltoallRange));
  g_array_set_clear_func (self->ranges, clear_range);
  return self;
}

void
pd_alltoall_advice_free (PdAlltoallAdvice *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->shapes);
  g_ptr_array_unref (self->left_out);
  g_array_unref (self->trials);
  g_array_unref (self->ranges);
  g_free (self);
}

static const PdAlltoallShape *
get_shape (const PdAlltoallAdvice *self, guint i)
{
  return &g_array_index (self->shapes, PdAlltoallShape, i);
}

/* ---- the order */

static int
compare_shapes (gconstpointer a, gconstpointer b)
{
  const PdAlltoallShape *x = a, *y = b;

  if (x->time.ps != y->time.ps)
    return x->time.ps < y->time.ps ? -1 : 1;
  return (x->nodes > y->nodes) - (x->nodes < y->nodes);
}

char *
pd_alltoall_shapes_sort (GArray *shapes)
{
  GString *order = g_string_new (NULL);

  g_array_sort (shapes, compare_shapes);
  for (guint i = 0; i < shapes->len; i++)
    {
      const PdAlltoallShape *shape = &g_array_index (shapes, PdAlltoallShape, i);
      if (i > 0)
        g_string_append (order, shape[-1].time.ps < shape->time.ps ? " < " : " = ");
      g_string_append_printf (order, "%ux%u", shape->nodes, shape->per_node);
    }
  return g_string_free (order, FALSE);
}

/* ---- reasons */

static void
append_seconds (GString *out, gdouble ps)
{
  pd_report_append_double (out, "%.4g", ps / 1e12);
  g_string_append (out, " s");
}

static void
append_steps (const PdAlltoallAdvice *self, const PdAlltoallShape *shape, GString *out)
{
  const char *between = "";

  g_string_append_printf (out, "%u step%s: ", shape->n_steps, shape->n_steps == 1 ? "" : "s");
  for (guint level = 0; level < PD_ALLTOALL_ADVICE_LEVELS; level++)
    {
      if (shape->steps[level] == 0)
        continue;
      g_string_append_printf (out, "%s%u wait%s for the %s (cf up to %u), ", between,
                              shape->steps[level], shape->steps[level] == 1 ? "s" : "",
                              self->levels[level], shape->cf[level]);
      append_seconds (out, (gdouble) shape->times[level].ps);
      between = "; ";
    }
  if (*between == '\0')
    g_string_append (out, "no messages");
}

char *
pd_alltoall_advice_explain (const PdAlltoallAdvice *self, guint i)
{
  g_return_val_if_fail (i < self->shapes->len, NULL);

  const PdAlltoallShape *shape = get_shape (self, i), *best = get_shape (self, 0);
  GString *out = g_string_new (NULL);
  guint64 away = (guint64) shape->per_node * (self->n_ranks - shape->per_node);
  if (shape->n_steps > 0)
    append_steps (self, shape, out);
  else
    g_string_append_printf (
        out, "%" G_GUINT64_FORMAT " messages leave each node, %" G_GUINT64_FORMAT " stay in it",
        away, (guint64) shape->per_node * (shape->per_node - 1));
  if (i > 0 && best->time.ps > 0)
    {
      g_string_append (out, "; ");
      pd_report_append_double (out, "%.3g",
                               ((gdouble) shape->time.ps / (gdouble) best->time.ps - 1) * 100);
      g_string_append_printf (out, " %% longer than %ux%u", best->nodes, best->per_node);
    }
  g_string_append_c (out, '.');
  return g_string_free (out, FALSE);
}

/* ---- text */

static void
write_table (const PdAlltoallAdvice *self, guint width, GString *out)
{
  static const char *const headings[] = { "Order",  "Shape",      "Nodes", "Ranks each",
                                          "Time s", "Times best", NULL };
  g_autoptr (PdTable) table = pd_table_new (headings);
  gdouble best = (gdouble) get_shape (self, 0)->time.ps;
  int decimals =
      pd_report_decimals (pd_time_to_seconds (get_shape (self, self->shapes->len - 1)->time));

  for (guint i = 0; i < self->shapes->len; i++)
    {
      const PdAlltoallShape *shape = get_shape (self, i);
      pd_table_take (table, g_strdup_printf ("%u", i + 1));
      pd_table_take (table, g_strdup_printf ("%ux%u", shape->nodes, shape->per_node));
      pd_table_take (table, g_strdup_printf ("%u", shape->nodes));
      pd_table_take (table, g_strdup_printf ("%u", shape->per_node));
      pd_table_take (table, pd_report_fixed (pd_time_to_seconds (shape->time), decimals));
      pd_table_take (table, pd_report_fixed (best > 0 ? (gdouble) shape->time.ps / best : 1, 3));
    }
  pd_table_write (table, width, out);
}

static void
write_reasons (const PdAlltoallAdvice *self, guint width, GString *out)
{
  for (guint i = 0; i < self->shapes->len; i++)
    {
      g_autofree char *why = pd_alltoall_advice_explain (self, i);
      g_autofree char *line = g_strdup_printf ("%ux%u: %s", get_shape (self, i)->nodes,
                                               get_shape (self, i)->per_node, why);
      pd_report_append_wrapped (out, line, "  ", width);
    }
}

static void
append_factor (GString *out, gdouble factor)
{
  pd_report_append_double (out, "%.3g", factor);
}

static void
append_end (GString *out, const char *word, gdouble end, gboolean is_tried, const char *order)
{
  g_string_append_printf (out, " %s ", word);
  append_factor (out, end);
  if (is_tried)
    g_string_append (out, " (all that was tried)");
  else
    g_string_append_printf (out, " (beyond: %s)", order);
}

static void
write_ranges (const PdAlltoallAdvice *self, guint width, GString *out)
{
  if (self->ranges->len == 0)
    return;
  g_string_append (out, "\nTimes of one level, all times a factor: the order holds\n");
  for (guint i = 0; i < self->ranges->len; i++)
    {
      const PdAlltoallRange *range = &g_array_index (self->ranges, PdAlltoallRange, i);
      g_autoptr (GString) text = g_string_new (range->level);
      append_end (text, "from", range->from, range->order_low == NULL, range->order_low);
      append_end (text, "to", range->to, range->order_high == NULL, range->order_high);
      pd_report_append_wrapped (out, text->str, "  ", width);
    }
}

static void
write_trials (const PdAlltoallAdvice *self, guint width, GString *out)
{
  static const char *const headings[] = { "<Assumption", "<Value", "<Holds", "<Order", NULL };
  g_autoptr (PdTable) table = pd_table_new (headings);
  guint n_held = 0;

  if (self->trials->len == 0)
    return;
  for (guint i = 0; i < self->trials->len; i++)
    {
      const PdAlltoallTrial *trial = &g_array_index (self->trials, PdAlltoallTrial, i);
      n_held += trial->holds ? 1 : 0;
      pd_table_add (table, trial->assumption);
      pd_table_add (table, trial->value);
      pd_table_add (table, trial->is_base ? "assumed" : trial->holds ? "yes" : "no");
      pd_table_add (table, trial->order);
    }
  g_string_append (out, "\nSensitivity: one assumption at a time\n\n");
  pd_table_write (table, width, out);
  g_string_append_printf (out, "The order holds in %u of %u.\n", n_held, self->trials->len);
}

static void
write_question (const PdAlltoallAdvice *self, guint width, GString *out)
{
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_append_printf (text,
                          "All-to-all of %u rank%s, %" G_GINT64_FORMAT
                          " B from each to each, in blocks of %u; timing: %s; self: %s; "
                          "sockets: %s. Shapes are nodes x ranks of each.",
                          self->n_ranks, self->n_ranks == 1 ? "" : "s", self->bytes, self->block,
                          self->timing, self->self, self->sockets);
  for (guint i = 0; i < self->left_out->len; i++)
    g_string_append_printf (text, "%s%s", i == 0 ? " Too large for the machine: " : ", ",
                            (const char *) g_ptr_array_index (self->left_out, i));
  if (self->left_out->len > 0)
    g_string_append_c (text, '.');
  pd_report_append_wrapped (out, text->str, "", width);
  g_string_append_c (out, '\n');
}

void
pd_alltoall_advice_write_text (const PdAlltoallAdvice *self, int verbose, guint width, GString *out)
{
  g_return_if_fail (self != NULL && out != NULL && self->shapes->len > 0);

  g_autofree char *command = pd_text_show (self->report->command_line);
  g_autofree char *order = pd_alltoall_shapes_sort (self->shapes);
  guint columns = width == 0 ? 80 : width;

  pd_report_write_head (self->report, verbose, out);
  write_question (self, columns, out);
  write_table (self, columns, out);
  g_string_append_printf (out, "\nOrder: %s\n", order);
  write_reasons (self, columns, out);
  write_trials (self, columns, out);
  write_ranges (self, columns, out);
  pd_report_write_messages (self->report, verbose, out);
  if (command[0] != '\0')
    g_string_append_printf (out, "\nCommand: %s\n", command);
}
