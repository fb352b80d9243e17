/* The element "noise" of a machine description.
 * SPDX-License-Identifier: MIT */
#include "comsys/description/pd-machine-read.h"
#include "comsys/description/pd-machine-elements.h"
#include "comsys/description/pd-machine-noise-private.h"
#include "comsys/description/pd-machine-noise.h"
#include "comsys/description/pd-machine-values-private.h"

#include <string.h>

static const char *const attributes[] = { "sigma", "share", "mean", "file", NULL };

/* Exactly one of the attributes of its kind, if it has any, says how large a noise is. */
static const struct
{
  const char *name;
  const char *attributes[3];
} kinds[] = {
  [PD_NOISE_NONE] = { "none", { NULL } },
  [PD_NOISE_NORMAL] = { "normal", { "sigma", NULL } },
  [PD_NOISE_EXPONENTIAL] = { "exponential", { "share", "mean", NULL } },
  [PD_NOISE_TRACE] = { "trace", { "file", NULL } },
  [PD_NOISE_RECORDED] = { "recorded", { NULL } },
};

static gboolean
read_kind (PdMachineReader *self, PdElement *node, PdNoiseKind *kind)
{
  const char *text = pd_element_get (node, "kind");

  if (text == NULL)
    return pd_machine_fail (
        self, node, PD_MACHINE_ERROR_SCHEMA,
        "attribute 'kind' is missing: none, normal, exponential, trace or recorded");
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (strcmp (kinds[i].name, text) == 0)
      {
        *kind = (PdNoiseKind) i;
        return TRUE;
      }
  return pd_machine_fail (self, node, PD_MACHINE_ERROR_VALUE,
                          "kind='%s': expected one of: none, normal, exponential, trace, recorded",
                          text);
}

/* The only attribute that says how large the noise is. */
static gboolean
find_attribute (PdMachineReader *self, PdElement *node, PdNoiseKind kind, const char **found)
{
  g_autofree char *wanted = g_strjoinv ("' or '", (char **) kinds[kind].attributes);
  guint n = 0;

  for (guint i = 0; attributes[i] != NULL; i++)
    {
      if (pd_element_get (node, attributes[i]) == NULL)
        continue;
      if (!g_strv_contains (kinds[kind].attributes, attributes[i]))
        return pd_machine_fail (self, node, PD_MACHINE_ERROR_SCHEMA,
                                "kind='%s' has no attribute '%s'; expected '%s'", kinds[kind].name,
                                attributes[i], wanted);
      *found = attributes[i];
      n++;
    }
  return n == 1
         || pd_machine_fail (self, node, PD_MACHINE_ERROR_SCHEMA,
                             "kind='%s': expected one attribute: '%s'", kinds[kind].name, wanted);
}

static gboolean
read_value (PdMachineReader *self, PdElement *node, const char *name, PdMachineNoise *noise)
{
  const char *text = pd_element_get (node, name);
  PdUnit unit = strcmp (name, "mean") == 0 ? PD_UNIT_TIME : PD_UNIT_RATIO;
  PdNumber number;

  if (strcmp (name, "file") == 0)
    {
      if (*text == '\0')
        return pd_machine_fail (self, node, PD_MACHINE_ERROR_VALUE, "file='': expected a name");
      noise->file = g_strdup (text);
      return TRUE;
    }
  if (!pd_machine_read_number (self, node, name, unit, text, &number))
    return FALSE;
  if (strcmp (name, "mean") == 0)
    noise->mean = PD_TIME (number.i);
  else if (strcmp (name, "share") == 0)
    noise->share = number.d;
  else
    noise->sigma = number.d;
  return TRUE;
}

gboolean
pd_machine_read_noise (PdMachineReader *self, PdElement *node, PdMachineNoise *noise)
{
  const char *name = NULL;

  if (!read_kind (self, node, &noise->kind))
    return FALSE;
  /* other attributes may be left over from another kind */
  return kinds[noise->kind].attributes[0] == NULL
         || (find_attribute (self, node, noise->kind, &name)
             && read_value (self, node, name, noise));
}

static char *
format (PdUnit unit, gint64 i, gdouble d)
{
  return pd_units_format (unit, (PdNumber){ i, d });
}

char *
pd_machine_noise_describe (const PdMachineNoise *noise)
{
  g_autofree char *sigma = format (PD_UNIT_RATIO, 0, noise->sigma);
  g_autofree char *share = format (PD_UNIT_RATIO, 0, noise->share);
  g_autofree char *mean = format (PD_UNIT_TIME, noise->mean.ps, 0);

  switch (noise->kind)
    {
    case PD_NOISE_NONE:
      break;
    case PD_NOISE_NORMAL:
      return g_strdup_printf ("normal, sigma %s of the time", sigma);
    case PD_NOISE_EXPONENTIAL:
      return noise->share > 0 ? g_strdup_printf ("exponential, mean %s of the time", share)
                              : g_strdup_printf ("exponential, mean %s", mean);
    case PD_NOISE_TRACE:
      return g_strdup_printf ("noise samples of %s", noise->file);
    case PD_NOISE_RECORDED:
      return g_strdup ("as the repetitions of parallel loops scatter in the trace");
    }
  return g_strdup ("none");
}

gboolean
pd_machine_noise_is_of_ranks (const PdMachineNoise *noise)
{
  return noise->kind != PD_NOISE_NONE && noise->kind != PD_NOISE_RECORDED;
}
