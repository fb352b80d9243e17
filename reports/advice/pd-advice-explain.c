/* Why a grid is the best one, in words: where the time of its neighbours goes.
 * SPDX-License-Identifier: MIT */
#include "reports/advice/pd-advice.h"

#include "base/pd-text.h"
#include "reports/run/pd-report-types.h"
#include "intervals/pd-interval-rows.h"
#include "reports/advice/pd-advice-explain.h"
#include "reports/run/pd-report-common.h"
#include "reports/emit/pd-format.h"

/* The parts of the execution time: on the mean over processors they add up to
 * it, as Total_time is Productive_time + Lost_time. */
#define N_PARTS (1 + PD_N_LOSSES)
/* A change that is smaller than this share of another is not worth a word. */
#define MATTERS 0.01

static const char *const part_names[N_PARTS] = { "productive time", "insufficient parallelism",
                                                 "communication", "idle time" };

static PdCharacteristic
part_of (guint k)
{
  return k == 0 ? PD_C_PRODUCTIVE_TIME : pd_report_losses[k - 1];
}

/* The basis of changes: the parts of the time, or the paid processor time. */
typedef enum
{
  OF_ONE_PROCESSOR, /* on the mean */
  OF_ALL,
} Scale;

static gdouble
get_value (const PdReportRun *run, PdCharacteristic c, Scale scale)
{
  gdouble sum = pd_time_sum_to_seconds (pd_report_result (run, 0)->values[c].sum);

  return scale == OF_ALL ? sum : sum / run->n_processors;
}

static gdouble
get_seconds (const PdReportRun *run)
{
  return pd_time_sum_to_seconds (pd_advice_get_time (run));
}

static char *
number (gdouble value)
{
  GString *text = g_string_new (NULL);

  pd_report_append_double (text, "%.3g", value);
  return g_string_free (text, FALSE);
}

/* The fastest run of the nearest count on one side; NULL if there is none. */
static const PdReportRun *
find_neighbour (const PdAdvice *self, const PdReportRun *best, gboolean larger)
{
  const PdReportRun *found = NULL;

  for (guint i = 0; i < self->report->runs->len; i++)
    {
      const PdReportRun *run = pd_report_run (self->report, i);
      if (larger ? run->n_processors <= best->n_processors
                 : run->n_processors >= best->n_processors)
        continue;
      if (found != NULL && run->n_processors == found->n_processors)
        {
          if (pd_advice_get_time (run).ps < pd_advice_get_time (found).ps)
            found = run;
          continue;
        }
      if (found == NULL || !larger || run->n_processors < found->n_processors)
        found = run;
    }
  return found;
}

/* " (chiefly Wait_shadow)": the kind of communication that grew most. */
static const char *
find_growth_of_kind (const PdReportRun *from, const PdReportRun *to, Scale scale)
{
  const char *name = NULL;
  gdouble largest = 0;

  for (PdCharacteristic c = PD_C_WAIT_REDUCTION; c <= PD_C_OTHER_COMM; c++)
    {
      gdouble growth = get_value (to, c, scale) - get_value (from, c, scale);
      if (growth <= largest)
        continue;
      largest = growth;
      name = pd_characteristic_row (c)->name;
    }
  return name;
}

/* The largest growth and the largest fall from one run to another; the
 * smaller of the two only if it is significant. */
static void
append_change (GString *out, const PdReportRun *from, const PdReportRun *to, Scale scale)
{
  guint up = 0, down = 0;
  gdouble change[N_PARTS];

  for (guint k = 0; k < N_PARTS; k++)
    {
      change[k] = get_value (to, part_of (k), scale) - get_value (from, part_of (k), scale);
      up = change[k] > change[up] ? k : up;
      down = change[k] < change[down] ? k : down;
    }
  gdouble least = MATTERS * MAX (change[up], -change[down]);
  g_autofree char *growth = number (change[up]);
  g_autofree char *fall = number (-change[down]);
  const char *kind =
      part_of (up) == PD_C_COMMUNICATION ? find_growth_of_kind (from, to, scale) : NULL;
  if (!(least > 0))
    return;
  g_string_append (out, scale == OF_ALL ? ": over all processors, " : ": per processor, ");
  if (change[up] > least)
    g_string_append_printf (out, "%s%s%s%s grows by %s s", part_names[up],
                            kind != NULL ? " (chiefly " : "", kind != NULL ? kind : "",
                            kind != NULL ? ")" : "", growth);
  if (change[down] < -least)
    g_string_append_printf (out, "%s%s falls by %s s", change[up] > least ? " while " : "",
                            part_names[down], fall);
}

/* "On 12 processors (4x3) it takes 20 % longer: …" */
static void
append_neighbour (GString *out, const PdReportRun *best, const PdReportRun *other, Scale scale)
{
  gdouble own = get_seconds (best), theirs = get_seconds (other);
  gdouble ratio = own > 0 ? theirs / own - 1 : 0;
  g_autofree char *per_cent = number (100 * (ratio < 0 ? -ratio : ratio));
  g_autofree char *grid = pd_text_show (other->grid);

  g_string_append_printf (out, " On %u processor%s (%s) it takes", other->n_processors,
                          other->n_processors == 1 ? "" : "s", grid);
  if (theirs == own)
    g_string_append (out, " as long");
  else
    g_string_append_printf (out, " %s %% %s", per_cent, ratio > 0 ? "longer" : "less time");
  append_change (out, best, other, scale);
  g_string_append_c (out, '.');
}

/* "The efficiency there, 45 %, is below the floor." */
static void
append_floor (GString *out, const PdAdvice *self, const PdReportRun *other)
{
  gdouble efficiency = pd_report_result (other, 0)->efficiency;
  g_autofree char *per_cent = number (100 * efficiency);
  g_autofree char *floor = number (100 * self->criteria.min_efficiency);

  g_string_append_printf (out, " Its efficiency, %s %%, is %s the floor of %s %%.", per_cent,
                          efficiency < self->criteria.min_efficiency ? "below" : "not below",
                          floor);
}

static void
append_cost (GString *out, const PdAdvice *self, const PdReportRun *best, const PdReportRun *other)
{
  gdouble own = pd_advice_get_cost (&self->criteria, best);
  gdouble theirs = pd_advice_get_cost (&self->criteria, other);
  gdouble ratio = own > 0 ? theirs / own - 1 : 0;
  g_autofree char *per_cent = number (100 * (ratio < 0 ? -ratio : ratio));

  g_string_append_printf (out, " It costs %s %% %s.", per_cent, ratio < 0 ? "less" : "more");
  if (self->criteria.deadline.ps > 0 && pd_advice_get_time (other).ps > self->criteria.deadline.ps)
    g_string_append (out, " It misses the deadline.");
}

/* The other grids of the same count: the slowest one. */
static void
append_shapes (GString *out, const PdAdvice *self, const PdReportRun *best)
{
  const PdReportRun *slowest = NULL;
  guint n = 0;

  for (guint i = 0; i < self->report->runs->len; i++)
    {
      const PdReportRun *run = pd_report_run (self->report, i);
      if (run == best || run->n_processors != best->n_processors)
        continue;
      n++;
      if (slowest == NULL || pd_advice_get_time (run).ps > pd_advice_get_time (slowest).ps)
        slowest = run;
    }
  if (slowest == NULL || !(get_seconds (slowest) > get_seconds (best)))
    return;
  g_autofree char *per_cent = number (100 * (get_seconds (slowest) / get_seconds (best) - 1));
  g_autofree char *grid = pd_text_show (slowest->grid);
  if (n > 1)
    g_string_append_printf (out, " The slowest of the %u other grids of %u, %s, takes", n,
                            best->n_processors, grid);
  else
    g_string_append_printf (out, " The other grid of %u, %s, takes", best->n_processors, grid);
  g_string_append_printf (out, " %s %% longer", per_cent);
  append_change (out, best, slowest, OF_ONE_PROCESSOR);
  g_string_append_c (out, '.');
}

static gboolean
is_as_good (const PdAdvice *self, PdAdviceCriterion criterion, const PdReportRun *best,
            const PdReportRun *run)
{
  return run != best && pd_advice_is_allowed (&self->criteria, criterion, run)
         && get_seconds (run) <= get_seconds (best) * (1 + self->margin);
}

/* Which of the others are no worse, as far as predictions can tell, and which of them takes the
 * fewest processors. */
static void
append_margin (GString *out, const PdAdvice *self, PdAdviceCriterion criterion,
               const PdReportRun *best)
{
  const PdReportRun *fewest = NULL;
  guint n = 0;

  for (guint i = 0; self->margin > 0 && i < self->report->runs->len; i++)
    {
      const PdReportRun *run = pd_report_run (self->report, i);
      if (!is_as_good (self, criterion, best, run))
        continue;
      n++;
      if (fewest == NULL || run->n_processors < fewest->n_processors
          || (run->n_processors == fewest->n_processors
              && get_seconds (run) < get_seconds (fewest)))
        fewest = run;
    }
  if (fewest == NULL)
    return;
  g_autofree char *margin = number (100 * self->margin);
  g_autofree char *longer = number (100 * (get_seconds (fewest) / get_seconds (best) - 1));
  g_autofree char *grid = pd_text_show (fewest->grid);
  g_string_append_printf (out,
                          " Within %s %%, which predictions are off by, %u other grid%s equal to "
                          "it; the fewest processors of them are %u (%s, %s %% longer).",
                          margin, n, n == 1 ? " is" : "s are", fewest->n_processors, grid, longer);
}

char *
pd_advice_explain (const PdAdvice *self, PdAdviceCriterion criterion)
{
  g_return_val_if_fail (criterion < PD_N_ADVICE && self->best[criterion] >= 0, NULL);

  const PdReportRun *best = pd_report_run (self->report, (guint) self->best[criterion]);
  Scale scale = criterion == PD_ADVICE_TIME ? OF_ONE_PROCESSOR : OF_ALL;
  GString *text = g_string_new (NULL);

  for (int larger = 1; larger >= 0; larger--)
    {
      const PdReportRun *other = find_neighbour (self, best, larger);
      if (other == NULL)
        {
          if (larger)
            g_string_append (text, " Nothing larger was predicted.");
          continue;
        }
      append_neighbour (text, best, other, scale);
      if (criterion == PD_ADVICE_EFFICIENCY && larger)
        append_floor (text, self, other);
      if (criterion == PD_ADVICE_COST)
        append_cost (text, self, best, other);
    }
  append_shapes (text, self, best);
  if (criterion != PD_ADVICE_COST)
    append_margin (text, self, criterion, best);
  g_string_erase (text, 0, 1);
  return g_string_free (text, FALSE);
}
