/* Windows of launches: a state machine.
 * SPDX-License-Identifier: MIT */
#include "measure/plan/pd-stages.h"

void
pd_stages_init (PdStages *self, const PdStageRule *rule)
{
  g_return_if_fail (rule->first > 0 && rule->launches > 0 && rule->factor > 1);
  *self = (PdStages){ .rule = *rule };
}

guint
pd_stages_length (const PdStages *self)
{
  return self->number == 0 ? self->rule.first : self->rule.launches;
}

gdouble
pd_stages_start (const PdStages *self, guint i)
{
  return self->window * i;
}

static guint
judge (const PdStages *self, guint i, const PdStageLaunch *launch)
{
  guint fault = PD_FAULT_NONE;

  if (self->number == 0)
    return PD_FAULT_DISCARDED;
  if (launch->latest_start > pd_stages_start (self, i) + self->rule.slack)
    fault |= PD_FAULT_LATE_START;
  if (launch->latest_end > pd_stages_start (self, i + 1))
    fault |= PD_FAULT_LATE_END;
  return fault;
}

/* The average time of one launch, with the gap between launches. */
static gdouble
time_per_launch (const PdStages *self, const PdStageLaunch *launches)
{
  guint n = pd_stages_length (self);
  gdouble end = 0;

  for (guint i = 0; i < n; i++)
    end = MAX (end, launches[i].latest_end);
  return end / n;
}

/* The longest time of a correct launch from the start of its window. */
static gdouble
longest_correct (const PdStages *self, const PdStageLaunch *launches, const guint *faults)
{
  gdouble longest = 0;

  for (guint i = 0; i < pd_stages_length (self); i++)
    if (faults[i] == PD_FAULT_NONE)
      longest = MAX (longest, launches[i].latest_end - pd_stages_start (self, i));
  return longest;
}

static void
shrink (PdStages *self, gdouble longest, guint *faults)
{
  for (guint i = 0; i < pd_stages_length (self); i++)
    faults[i] |= PD_FAULT_WIDE;
  self->window = self->rule.factor * longest;
}

static void
adapt (PdStages *self, const PdStageLaunch *launches, guint n_late, guint *faults)
{
  gdouble longest;

  if (self->rule.fixed > 0)
    self->window = self->rule.fixed;
  else if (self->number == 0 || n_late > self->rule.share * self->rule.launches)
    self->window = self->rule.factor * time_per_launch (self, launches);
  else if (self->rule.wide > 0)
    {
      longest = longest_correct (self, launches, faults);
      if (longest > 0 && self->window > self->rule.wide * longest)
        shrink (self, longest, faults);
    }
}

void
pd_stages_close (PdStages *self, const PdStageLaunch *launches, guint *faults)
{
  guint n = pd_stages_length (self), n_late = 0;

  for (guint i = 0; i < n; i++)
    {
      faults[i] = judge (self, i, &launches[i]);
      n_late += faults[i] != PD_FAULT_NONE;
    }
  adapt (self, launches, n_late, faults);
  for (guint i = 0; self->number > 0 && i < n; i++)
    self->correct += faults[i] == PD_FAULT_NONE;
  if (self->number > 0)
    self->launches += n;
  self->number++;
}
