/* The execution time of a run is the mean over its processors of computation, I/O,
 * Insufficient_parallelism, the components of Communication, and Idle. So a difference
 * of execution times is the sum of the differences of these means.
 * SPDX-License-Identifier: MIT */
#include "reports/compare/pd-compare-private.h"

#include "analyse/pd-diagnosis.h"
#include "intervals/pd-interval-rows.h"
#include "reports/compare/pd-compare-explain.h"
#include "reports/compare/pd-compare-explain-private.h"
#include "reports/run/pd-report-common.h"
#include "reports/emit/pd-format.h"
#include "base/pd-figures.h"

#include <math.h>

#define WORTH_A_WORD 0.25 /* of the difference */

/* The components of execution time; those of other kinds of programs are 0. */
static const PdCharacteristic parts[] = {
  PD_C_PRODUCTIVE_TIME, /* less I/O_time: computation */
  PD_C_IO_TIME,         PD_C_INSUFFICIENT_PARALLELISM, PD_C_WAIT_REDUCTION, PD_C_WAIT_SHADOW,
  PD_C_REMOTE_ACCESS,   PD_C_REDISTRIBUTION,           PD_C_IO_COMM,        PD_C_OTHER_COMM,
  PD_C_SENDRECV_TIME,   PD_C_COLLECTIVE_TIME,          PD_C_SYSTEM_TIME,    PD_C_IDLE,
};
#define N_PARTS G_N_ELEMENTS (parts)

static const char *
name_of (gsize part)
{
  return parts[part] == PD_C_PRODUCTIVE_TIME ? "computation"
                                             : pd_characteristic_row (parts[part])->name;
}

/* Of an interval, with those inside it, per processor of the run; picoseconds. */
static gdouble
mean_of (const PdCompare *self, const PdComparePair *pair, guint side, gsize part)
{
  const PdIntervalResult *r = pd_compare_result (self, pair, side);

  if (r == NULL)
    return 0;
  PdWide ps = r->values[parts[part]].sum.ps;
  if (parts[part] == PD_C_PRODUCTIVE_TIME)
    ps -= r->values[PD_C_IO_TIME].sum.ps;
  return (gdouble) ps / self->sides[side].run->n_processors;
}

static gdouble
difference_of (const PdCompare *self, const PdComparePair *pair, gsize part)
{
  return mean_of (self, pair, 1, part) - mean_of (self, pair, 0, part);
}

static gint
compare_parts (gconstpointer a, gconstpointer b)
{
  const PdComparePart *x = a, *y = b;
  gdouble p = fabs (x->seconds[1] - x->seconds[0]), q = fabs (y->seconds[1] - y->seconds[0]);

  return p > q ? -1 : p < q;
}

GArray *
pd_compare_get_parts (const PdCompare *self)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (PdComparePart));

  for (gsize i = 0; i < N_PARTS; i++)
    {
      const PdComparePair *root = pd_compare_pair (self, 0);
      PdComparePart part = {
        name_of (i), { mean_of (self, root, 0, i) / 1e12, mean_of (self, root, 1, i) / 1e12 }
      };
      if (part.seconds[0] > 0 || part.seconds[1] > 0)
        g_array_append_val (found, part);
    }
  g_array_sort (found, compare_parts);
  return found;
}

/* "12 ms more" */
static char *
describe_change (gdouble ps)
{
  g_autofree char *time = pd_figures_time ((PdTimeSum){ (PdWide) (fabs (ps) + 0.5) });

  return g_strdup_printf ("%s %s", time, ps < 0 ? "less" : "more");
}

/* The interval whose own share, without those inside it, is most of @change; 0 = the
 * program outside them, or there are none. Idle is no sum of intervals. */
static guint
find_place (const PdCompare *self, gsize part, gdouble change, gdouble *share)
{
  g_autofree gdouble *own = g_new0 (gdouble, self->pairs->len);
  guint best = 0;

  for (guint i = 0; i < self->pairs->len; i++)
    {
      gdouble difference = difference_of (self, pd_compare_pair (self, i), part);
      own[i] += difference;
      if (i > 0)
        own[pd_compare_pair (self, i)->parent] -= difference;
    }
  for (guint i = 1; i < self->pairs->len; i++)
    if (change < 0 ? own[i] < own[best] : own[i] > own[best])
      best = i;
  *share = own[best];
  return parts[part] == PD_C_IDLE ? 0 : best;
}

/* Appends "SendRecv_time is 12 ms more per processor, most in USER loop (9 ms more)". */
static void
append_part (const PdCompare *self, gsize part, GString *out)
{
  gdouble share, change = difference_of (self, pd_compare_pair (self, 0), part);
  guint place = find_place (self, part, change, &share);
  g_autofree char *text = describe_change (change);
  g_autofree char *there = describe_change (share);

  g_string_append_printf (out, "%s is %s per processor", name_of (part), text);
  if (self->pairs->len == 1 || parts[part] == PD_C_IDLE)
    return;
  g_autofree char *label = pd_report_interval_label (&pd_compare_pair (self, place)->key);
  g_string_append_printf (out, ", most %s%s (%s)", place == 0 ? "outside the intervals" : "in ",
                          place == 0 ? "" : label, there);
}

/* Of all parts that which changes most to one side: @sign 1 or -1. */
static gsize
find_part (const PdCompare *self, gdouble sign, gdouble *change)
{
  gsize best = 0;

  *change = -INFINITY;
  for (gsize part = 0; part < N_PARTS; part++)
    {
      gdouble c = sign * difference_of (self, pd_compare_pair (self, 0), part);
      if (c > *change)
        {
          best = part;
          *change = c;
        }
    }
  return best;
}

/* The largest growth, and a simultaneous fall. */
static void
explain_parts (PdCompare *self, gdouble difference)
{
  gdouble sign = difference < 0 ? -1 : 1, least = WORTH_A_WORD * fabs (difference);
  gdouble with, against;
  gsize main_part = find_part (self, sign, &with), other = find_part (self, -sign, &against);
  GString *out = g_string_new (NULL);

  if (with > 0)
    append_part (self, main_part, out);
  if (against > 0 && against >= least)
    {
      g_string_append (out, out->len > 0 ? "; but " : "");
      append_part (self, other, out);
    }
  if (out->len > 0)
    {
      out->str[0] = g_ascii_toupper (out->str[0]);
      g_string_append_c (out, '.');
      g_ptr_array_add (self->sentences, g_strdup (out->str));
    }
  g_string_free (out, TRUE);
}

/* Of runs on different numbers of processors: what B gains for what it uses. */
static void
explain_scaling (PdCompare *self, const gdouble *seconds)
{
  guint32 n[2] = { self->sides[0].run->n_processors, self->sides[1].run->n_processors };
  gdouble gain = seconds[0] / seconds[1], more = (gdouble) n[1] / n[0];

  if (n[0] == n[1] || seconds[0] <= 0 || seconds[1] <= 0)
    return;
  g_autofree char *a = pd_figures_time ((PdTimeSum){ (PdWide) (seconds[0] * n[0] * 1e12) });
  g_autofree char *b = pd_figures_time ((PdTimeSum){ (PdWide) (seconds[1] * n[1] * 1e12) });
  g_autofree char *processors = pd_report_fixed (more, 2), *speed_up = pd_report_fixed (gain, 2);
  g_autofree char *efficiency = pd_report_fixed (100 * gain / more, 1);
  g_ptr_array_add (self->sentences,
                   g_strdup_printf ("B has %s times the processors and a speed-up of %s: %s %% of "
                                    "A's efficiency; time x processors is %s instead of %s.",
                                    processors, speed_up, efficiency, b, a));
}

/* " (12.34 %)", or by which factor; "" if there is nothing to compare with. */
static char *
describe_relative (const PdCompareValue *value)
{
  gdouble factor = (gdouble) value->values[1].ps / (gdouble) value->values[0].ps;
  gboolean is_multiple = value->relative > PD_COMPARE_MOST;
  g_autofree char *number =
      pd_report_fixed (is_multiple ? factor : fabs (value->relative), is_multiple ? 0 : 2);

  if (isnan (value->relative))
    return g_strdup ("");
  return g_strdup_printf (" (%s %s)", number, is_multiple ? "times as long" : "%");
}

void
pd_compare_explain (PdCompare *self)
{
  PdCompareValue value =
      pd_compare_get_value (self, pd_compare_pair (self, 0), PD_C_EXECUTION_TIME);
  gdouble difference = (gdouble) value.difference;
  gdouble seconds[2] = { pd_time_sum_to_seconds (value.values[0]),
                         pd_time_sum_to_seconds (value.values[1]) };
  int decimals = pd_report_decimals (MAX (seconds[0], seconds[1]));
  g_autofree char *a = pd_report_fixed (seconds[0], decimals);
  g_autofree char *b = pd_report_fixed (seconds[1], decimals);
  g_autofree char *change = describe_change (difference);
  g_autofree char *percent = describe_relative (&value);

  if (value.difference == 0)
    g_ptr_array_add (self->sentences, g_strdup_printf ("A and B take the same time, %s s.", a));
  else
    g_ptr_array_add (self->sentences, g_strdup_printf ("B takes %s than A%s: %s s instead of %s s.",
                                                       change, percent, b, a));
  explain_scaling (self, seconds);
  explain_parts (self, difference);
}
