/* The element "noise" of a machine description.
 * SPDX-License-Identifier: MIT */
#include "comsys/pd-machine-private.h"

#include <string.h>

static const char *const attributes[] = { "sigma", "share", "mean", "file", NULL };

/* Exactly one of the attributes of its kind says how large a noise is. */
static const struct
{
  const char *name;
  const char *attributes[3];
} kinds[] = {
  [PD_NOISE_NONE] = { "none", { NULL } },
  [PD_NOISE_NORMAL] = { "normal", { "sigma", NULL } },
  [PD_NOISE_EXPONENTIAL] = { "exponential", { "share", "mean", NULL } },
  [PD_NOISE_TRACE] = { "trace", { "file", NULL } },
};

static char *
problem (int *code, int value, char *text)
{
  *code = value;
  return text;
}

static char *
read_kind (xmlNode *node, PdNoiseKind *kind, int *code)
{
  g_autofree char *text = pd_machine_attribute (node, "kind");

  if (text == NULL)
    return problem (code, PD_MACHINE_ERROR_SCHEMA,
                    g_strdup ("attribute 'kind' is missing: none, normal, exponential or trace"));
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (strcmp (kinds[i].name, text) == 0)
      {
        *kind = (PdNoiseKind) i;
        return NULL;
      }
  return problem (
      code, PD_MACHINE_ERROR_VALUE,
      g_strdup_printf ("kind='%s': expected one of: none, normal, exponential, trace", text));
}

/* The only attribute that says how large the noise is. */
static char *
find_attribute (xmlNode *node, PdNoiseKind kind, const char **found, int *code)
{
  g_autofree char *wanted = g_strjoinv ("' or '", (char **) kinds[kind].attributes);
  guint n = 0;

  for (guint i = 0; attributes[i] != NULL; i++)
    {
      if (xmlHasProp (node, (const xmlChar *) attributes[i]) == NULL)
        continue;
      if (!g_strv_contains (kinds[kind].attributes, attributes[i]))
        return problem (code, PD_MACHINE_ERROR_SCHEMA,
                        g_strdup_printf ("kind='%s' has no attribute '%s'; expected '%s'",
                                         kinds[kind].name, attributes[i], wanted));
      *found = attributes[i];
      n++;
    }
  if (n == 1)
    return NULL;
  return problem (
      code, PD_MACHINE_ERROR_SCHEMA,
      g_strdup_printf ("kind='%s': expected one attribute: '%s'", kinds[kind].name, wanted));
}

static char *
read_value (xmlNode *node, const char *name, PdMachineNoise *noise, int *code)
{
  g_autofree char *text = pd_machine_attribute (node, name);
  g_autoptr (GError) error = NULL;
  PdUnit unit = strcmp (name, "mean") == 0 ? PD_UNIT_TIME : PD_UNIT_RATIO;
  PdNumber number;

  if (strcmp (name, "file") == 0)
    {
      if (*text == '\0')
        return problem (code, PD_MACHINE_ERROR_VALUE, g_strdup ("file='': expected a name"));
      noise->file = g_steal_pointer (&text);
      return NULL;
    }
  if (!pd_units_parse (unit, text, &number, &error))
    return problem (code, PD_MACHINE_ERROR_VALUE, g_strdup_printf ("%s: %s", name, error->message));
  if (strcmp (name, "mean") == 0)
    noise->mean = PD_TIME (number.i);
  else if (strcmp (name, "share") == 0)
    noise->share = number.d;
  else
    noise->sigma = number.d;
  return NULL;
}

char *
pd_machine_read_noise (xmlNode *node, PdMachineNoise *noise, int *code)
{
  const char *name = NULL;
  char *wrong = read_kind (node, &noise->kind, code);

  /* what is switched off may keep its attributes */
  if (wrong != NULL || noise->kind == PD_NOISE_NONE)
    return wrong;
  wrong = find_attribute (node, noise->kind, &name, code);
  return wrong != NULL ? wrong : read_value (node, name, noise, code);
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
      return g_strdup_printf ("detours of %s", noise->file);
    }
  return g_strdup ("none");
}
