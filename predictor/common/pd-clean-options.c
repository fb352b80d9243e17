/* SPDX-License-Identifier: MIT */
#include "predictor/common/pd-clean-options.h"

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

gboolean
pd_clean_options_set (PdDvmCleanOptions *self, const char *name, const char *value, GError **error)
{
  g_return_val_if_fail (self != NULL && name != NULL && value != NULL, FALSE);
  gsize i = 0;

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
