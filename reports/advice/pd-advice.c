/* SPDX-License-Identifier: MIT */
#include "reports/advice/pd-advice.h"

#include "reports/emit/pd-rows.h"
#include "reports/run/pd-report-types.h"

static void
pruned_clear (gpointer data)
{
  g_free (((PdAdvicePruned *) data)->grid);
}

PdAdvice *
pd_advice_new (PdReport *report, const PdAdviceCriteria *criteria)
{
  PdAdvice *self = g_new0 (PdAdvice, 1);

  self->report = report;
  self->criteria = *criteria;
  for (guint c = 0; c < PD_N_ADVICE; c++)
    self->best[c] = -1;
  self->pruned = g_array_new (FALSE, FALSE, sizeof (PdAdvicePruned));
  g_array_set_clear_func (self->pruned, pruned_clear);
  return self;
}

void
pd_advice_free (PdAdvice *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->pruned);
  g_free (self->scope);
  g_free (self);
}

const char *
pd_advice_criterion_name (PdAdviceCriterion criterion)
{
  static const char *const names[PD_N_ADVICE] = {
    [PD_ADVICE_TIME] = "time",
    [PD_ADVICE_EFFICIENCY] = "efficiency",
    [PD_ADVICE_COST] = "cost",
  };

  return names[criterion];
}

PdTimeSum
pd_advice_get_time (const PdReportRun *run)
{
  return pd_report_result (run, 0)->values[PD_C_EXECUTION_TIME].sum;
}

/* The paid processor time: of every processor until the last one has ended. */
static PdWide
processor_time (const PdReportRun *run)
{
  return pd_report_result (run, 0)->total_time.ps;
}

gdouble
pd_advice_get_cost (const PdAdviceCriteria *criteria, const PdReportRun *run)
{
  gdouble seconds = pd_time_sum_to_seconds (pd_report_result (run, 0)->total_time);

  return criteria->price < 0 ? seconds : seconds / 3600 * criteria->price;
}

/* ---- choosing; exact, as times are whole numbers */

gboolean
pd_advice_is_allowed (const PdAdviceCriteria *criteria, PdAdviceCriterion c, const PdReportRun *run)
{
  switch (c)
    {
    case PD_ADVICE_EFFICIENCY:
      return pd_report_result (run, 0)->efficiency >= criteria->min_efficiency;
    case PD_ADVICE_COST:
      return criteria->deadline.ps == 0 || pd_advice_get_time (run).ps <= criteria->deadline.ps;
    case PD_ADVICE_TIME:
    case PD_N_ADVICE:
      break;
    }
  return TRUE;
}

/* Of two that cost the same the faster one is better. */
static gboolean
is_better (PdAdviceCriterion c, const PdReportRun *run, const PdReportRun *than)
{
  PdWide cost = c == PD_ADVICE_COST ? processor_time (run) : 0;
  PdWide other = c == PD_ADVICE_COST ? processor_time (than) : 0;

  if (cost != other)
    return cost < other;
  return pd_advice_get_time (run).ps < pd_advice_get_time (than).ps;
}

void
pd_advice_choose (const PdAdviceCriteria *criteria, const PdReportRun *const *runs, guint n,
                  gint *best)
{
  for (PdAdviceCriterion c = 0; c < PD_N_ADVICE; c++)
    {
      best[c] = -1;
      for (guint i = 0; i < n && criteria->wanted[c]; i++)
        if (runs[i] != NULL && pd_advice_is_allowed (criteria, c, runs[i])
            && (best[c] < 0 || is_better (c, runs[i], runs[best[c]])))
          best[c] = (gint) i;
    }
}

void
pd_advice_append_range (GString *out, const PdReportRun *run)
{
  PdTimeRangeEnds ends;

  if (run != NULL && run->range == NULL)
    {
      g_string_append (out, ",,");
      return;
    }
  if (run != NULL)
    ends = pd_time_range_get (run->range);
  pd_csv_append_fields (out, pd_report_range_ends, run != NULL ? &ends : NULL);
}

void
pd_advice_add_range (PdJson *json, const PdReportRun *run)
{
  if (run->range == NULL)
    return;
  PdTimeRangeEnds ends = pd_time_range_get (run->range);
  pd_json_add_fields (json, pd_report_range_ends, &ends);
}
