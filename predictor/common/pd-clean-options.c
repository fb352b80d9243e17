/* SPDX-License-Identifier: MIT */
#include "predictor/common/pd-clean-options.h"

#include "comsys/import/pd-machine-load.h"
#include "predictor/common/pd-errors.h"

#include <string.h>

static void
set_clamped (PdDvmCleanOptions *self, guint word)
{
  self->keep_clamped = word == 1;
}

static void
set_outliers (PdDvmCleanOptions *self, guint word)
{
  self->outliers = (PdDvmOutlierRule) word;
}

/* The words stand in the order of the values that they name. */
static const struct
{
  const char *name;
  const char *expected;
  const char *words[4];
  void (*set) (PdDvmCleanOptions *self, guint word);
} options[] = {
  { "clamped", "decode or keep", { "decode", "keep", NULL }, set_clamped },
  { "outliers", "keep, median or clip", { "keep", "median", "clip", NULL }, set_outliers },
};

static gboolean
set_recorder_cost (PdDvmCleanOptions *self, const char *value, GError **error)
{
  self->recorder = strcmp (value, "keep") == 0   ? PD_DVM_RECORDER_KEEP
                   : strcmp (value, "drop") == 0 ? PD_DVM_RECORDER_DROP
                                                 : PD_DVM_RECORDER_GIVEN;
  if (self->recorder != PD_DVM_RECORDER_GIVEN)
    return TRUE;
  g_autoptr (GError) cause = NULL;
  g_autoptr (PdMachine) machine = pd_machine_load (value, NULL, 0, &cause);
  if (machine == NULL)
    {
      g_set_error (error, PD_USAGE_ERROR, 0,
                   "recorder-cost '%s': expected keep, drop, or a machine: %s", value,
                   cause->message);
      return FALSE;
    }
  self->recorder_overhead = machine->software.recorder_overhead;
  return TRUE;
}

gboolean
pd_clean_options_set (PdDvmCleanOptions *self, const char *name, const char *value, GError **error)
{
  g_return_val_if_fail (self != NULL && name != NULL && value != NULL, FALSE);
  gsize i = 0;

  if (strcmp (name, "recorder-cost") == 0)
    return set_recorder_cost (self, value, error);
  while (i < G_N_ELEMENTS (options) && strcmp (options[i].name, name) != 0)
    i++;
  g_return_val_if_fail (i < G_N_ELEMENTS (options), FALSE);
  for (guint word = 0; options[i].words[word] != NULL; word++)
    if (strcmp (options[i].words[word], value) == 0)
      {
        options[i].set (self, word);
        return TRUE;
      }
  g_set_error (error, PD_USAGE_ERROR, 0, "%s '%s': expected %s", name, value, options[i].expected);
  return FALSE;
}

PdDvmRecorderCost
pd_clean_options_get_cost (const PdDvmCleanOptions *self, const PdSoftware *software)
{
  PdDvmRecorderCost cost = { .event = software->recorder_overhead };

  if (self->recorder == PD_DVM_RECORDER_KEEP)
    cost.event = PD_TIME_ZERO;
  else if (self->recorder == PD_DVM_RECORDER_GIVEN)
    cost.event = self->recorder_overhead;
  else if (self->recorder == PD_DVM_RECORDER_DROP)
    {
      cost.statistics = software->statistics_overhead;
      cost.drops_intervals = TRUE;
    }
  return cost;
}
