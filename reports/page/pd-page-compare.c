/* SPDX-License-Identifier: MIT */
#include "reports/page/pd-page-compare.h"

#include "analyse/pd-waits.h"
#include "reports/compare/pd-compare-explain.h"
#include "reports/emit/pd-columns.h"
#include "reports/emit/pd-format.h"
#include "reports/page/pd-page-data.h"
#include "reports/page/pd-page.h"
#include "reports/run/pd-report-common.h"

#include <math.h>

#define MAX_SITES 50    /* in the table: the rest is in the other forms */
#define MAX_BARS  20    /* call sites in the chart */
#define NO_BAR    0.005 /* of the largest difference */
#define MANY      500   /* intervals in the table */

/* ---- one table: a name, the values of A and B, and their difference */

static void
add_row (PdColumns *to, const char *heading, const char *label, const gdouble *seconds,
         int decimals)
{
  const PdColumn columns[] = {
    { .page = heading },  { .page = "A, s" },   { .page = "B, s" },
    { .page = "B-A, s" }, { .page = "B-A, %" },
  };
  gdouble difference = seconds[1] - seconds[0];

  pd_columns_begin (to, PD_COLUMNS (columns));
  pd_columns_add_text (to, label);
  pd_columns_add_fixed (to, seconds[0], decimals);
  pd_columns_add_fixed (to, seconds[1], decimals);
  pd_columns_add_fixed (to, difference, decimals);
  pd_columns_add_fixed (to, seconds[0] > 0 ? 100 * difference / seconds[0] : NAN, 2);
}

/* Of a page whose largest time is the longer run's. */
static int
find_decimals (const PdCompare *self)
{
  gdouble largest = 0;

  for (guint side = 0; side < 2; side++)
    {
      const PdIntervalResult *root = pd_report_result (self->sides[side].run, 0);
      largest = MAX (largest, pd_time_sum_to_seconds (root->values[PD_C_EXECUTION_TIME].sum));
    }
  return pd_report_decimals (largest);
}

/* The first of @differences, which fall: not those that would be no bar. */
static void
add_chart (PdPage *page, const char *key, GPtrArray *names, const GArray *differences,
           const char *caption)
{
  if (names->len == 0)
    return;
  pd_page_data_open (page, key, '{');
  pd_page_data_open (page, "name", '[');
  for (guint i = 0; i < names->len; i++)
    pd_page_data_string (page, NULL, g_ptr_array_index (names, i));
  pd_page_data_close (page, ']');
  pd_page_data_numbers (page, "seconds", (const gdouble *) (gconstpointer) differences->data,
                        names->len);
  pd_page_data_close (page, '}');
  pd_page_add_chart (page, "differences", key, caption);
}

static void
add_difference (GPtrArray *names, GArray *differences, const char *name, const gdouble *seconds)
{
  gdouble difference = seconds[1] - seconds[0];

  if (!(fabs (difference) > 0)
      || (names->len > 0
          && fabs (difference) < NO_BAR * fabs (g_array_index (differences, gdouble, 0))))
    return;
  g_ptr_array_add (names, g_strdup (name));
  g_array_append_val (differences, difference);
}

/* ---- sections */

static void
add_lines (GString *out, const GPtrArray *lines, const char *tag)
{
  for (guint i = 0; i < lines->len; i++)
    {
      g_string_append_printf (out, "<%s>", tag);
      pd_report_append_shown (out, g_ptr_array_index (lines, i));
      g_string_append (out, "</p>\n");
    }
}

static void
add_head (PdPage *page, const PdCompare *self)
{
  GString *head = pd_page_get_head (page);

  for (guint side = 0; side < 2; side++)
    {
      g_autofree char *text = pd_compare_side_describe (&self->sides[side]);
      g_string_append_printf (head, "<p><b>%c</b> ", "AB"[side]);
      pd_report_append_shown (head, text);
      g_string_append (head, "</p>\n");
    }
  add_lines (head, self->sentences, "p class=\"sum\"");
  add_lines (head, self->notes, "p class=\"dim\"");
}

static void
add_parts (PdPage *page, const PdCompare *self)
{
  int decimals = find_decimals (self);
  g_autoptr (GArray) parts = pd_compare_get_parts (self);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) differences = g_array_new (FALSE, FALSE, sizeof (gdouble));
  PdColumns to = { .out = pd_page_get_body (page) };

  pd_page_begin_section (page, "parts", "Differences",
                         "Time per processor; the sum of the differences is that of the execution "
                         "times.");
  for (guint i = 0; i < parts->len; i++)
    {
      const PdComparePart *part = &g_array_index (parts, PdComparePart, i);
      add_difference (names, differences, part->name, part->seconds);
    }
  add_chart (page, "parts-chart", names, differences, "B less A, time per processor");
  for (guint i = 0; i < parts->len; i++)
    {
      const PdComparePart *part = &g_array_index (parts, PdComparePart, i);
      add_row (&to, "<Part", part->name, part->seconds, decimals);
    }
  pd_columns_end (&to);
  pd_page_end_section (page);
}

static void
add_waits (PdPage *page, const PdCompare *self)
{
  int decimals = find_decimals (self);
  PdColumns to = { .out = pd_page_get_body (page) };

  for (guint i = 0; i < PD_N_WAIT_STATES; i++)
    {
      gdouble seconds[2];
      for (guint side = 0; side < 2; side++)
        seconds[side] = pd_time_sum_to_seconds (self->sides[side].calls->waits[i])
                        / MAX (self->sides[side].calls->n_ranks, 1);
      if (seconds[0] > 0 || seconds[1] > 0)
        add_row (&to, "<Waiting, per rank", pd_wait_state_name ((PdWaitState) i), seconds,
                 decimals);
    }
  pd_columns_end (&to);
}

/* Of two traces. */
static void
add_calls (PdPage *page, const PdCompare *self)
{
  int decimals = find_decimals (self);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) differences = g_array_new (FALSE, FALSE, sizeof (gdouble));
  PdColumns to = { .out = pd_page_get_body (page) };
  guint i, n = self->calls != NULL ? self->calls->len : 0;

  if (n == 0)
    return;
  pd_page_begin_section (page, "calls", "Call sites and wait states",
                         "Average time of a rank; the largest differences come first.");
  for (i = 0; i < MIN (n, MAX_BARS); i++)
    {
      const PdCallsPair *pair = &g_array_index (self->calls, PdCallsPair, i);
      g_autofree char *label = pd_compare_calls_label (pair);
      add_difference (names, differences, label, pair->seconds);
    }
  add_chart (page, "calls-chart", names, differences, "B less A, time per rank");
  for (i = 0; i < MIN (n, MAX_SITES) && pd_page_has_room (page); i++)
    {
      const PdCallsPair *pair = &g_array_index (self->calls, PdCallsPair, i);
      g_autofree char *label = pd_compare_calls_label (pair);
      add_row (&to, "<Call site, per rank", label, pair->seconds, decimals);
    }
  pd_columns_end (&to);
  pd_page_add_cut (page, n - i, "call sites", "--all, --csv and --json have all of them");
  add_waits (page, self);
  pd_page_end_section (page);
}

/* In the order of the program: differences are sorted by a click. */
static void
add_intervals (PdPage *page, const PdCompare *self, PdCharacteristic c)
{
  int decimals = find_decimals (self);
  PdColumns to = { .out = pd_page_get_body (page) };
  guint i, n = 0;

  for (i = 0; i < self->pairs->len && n < MANY && pd_page_has_room (page); i++)
    {
      const PdComparePair *pair = &g_array_index (self->pairs, PdComparePair, i);
      g_autofree char *label = pd_compare_label (self, pair);
      gdouble seconds[2] = { NAN, NAN };
      if (pair->depth > (guint) MIN (self->options.level, G_MAXINT))
        continue;
      for (guint side = 0; side < 2; side++)
        if (pair->at[side] != PD_COMPARE_NONE)
          seconds[side] = pd_time_sum_to_seconds (
              pd_report_result (self->sides[side].run, pair->at[side])->values[c].sum);
      add_row (&to, "<Interval", label, seconds, decimals);
      n++;
    }
  pd_columns_end (&to);
  pd_page_add_cut (page, self->pairs->len - i, "intervals", "--csv and --json have all of them");
}

static void
add_all_intervals (PdPage *page, const PdCompare *self)
{
  pd_page_begin_section (page, "intervals", "Intervals",
                         "Execution time of each interval; - in one run only.");
  add_intervals (page, self, PD_C_EXECUTION_TIME);
  pd_page_end_section (page);
  if (!pd_compare_is_of_waiting (self))
    return;
  pd_page_begin_section (page, "communication", "Communication of intervals",
                         "Sum over all processors; - in one run only.");
  add_intervals (page, self, PD_C_COMMUNICATION);
  pd_page_end_section (page);
}

void
pd_compare_write_html (const PdCompare *self, GString *out)
{
  g_autofree char *title = g_strdup_printf ("%s and %s", self->sides[0].name, self->sides[1].name);
  g_autoptr (PdPage) page = pd_page_new (title);

  add_head (page, self);
  add_parts (page, self);
  add_calls (page, self);
  add_all_intervals (page, self);
  pd_page_begin_section (page, "origin", "How to reproduce this", NULL);
  pd_page_append_element (pd_page_get_body (page), "pre", self->command_line);
  pd_page_end_section (page);
  pd_page_write (page, out);
}
