/* The elements "spread" of a machine description: which of its values are uncertain.
 * SPDX-License-Identifier: MIT */
#include "comsys/description/pd-machine-read.h"
#include "comsys/description/pd-machine-elements.h"
#include "comsys/description/pd-machine-faster.h"
#include "comsys/description/pd-machine-settings.h"
#include "comsys/description/pd-machine-spread-private.h"
#include "comsys/description/pd-machine-values-private.h"

static const char *const kinds[] = { [PD_SPREAD_NORMAL] = "normal",
                                     [PD_SPREAD_LOGNORMAL] = "lognormal",
                                     [PD_SPREAD_UNIFORM] = "uniform",
                                     NULL };

static gboolean
read_kind (PdMachineReader *self, PdElement *node, PdSpreadKind *kind)
{
  const char *text = pd_element_get (node, "kind");
  guint chosen = PD_SPREAD_NORMAL;

  if (text != NULL && !pd_machine_read_choice (self, node, "kind", text, kinds, &chosen))
    return FALSE;
  *kind = (PdSpreadKind) chosen;
  return TRUE;
}

static gboolean
is_ratio (const char *path)
{
  for (guint i = 0; i < PD_MACHINE_N_RATIOS; i++)
    if (g_str_equal (path, pd_machine_ratios[i].name))
      return TRUE;
  return FALSE;
}

/* Multiplying by 1 changes nothing, but fails where multiplying would. */
static gboolean
try_path (PdMachineReader *self, PdElement *node, const char *path)
{
  g_autofree char *setting = g_strdup_printf ("%s*=1", path);
  g_autoptr (GError) local = NULL;

  return pd_machine_apply_setting (pd_element_get_root (node), setting, &local)
         || pd_machine_fail (self, node, PD_MACHINE_ERROR_PATH, "%s", local->message);
}

static gboolean
read_spread (PdMachineReader *self, PdElement *node, PdMachine *machine)
{
  PdSpreadAttributes attributes;
  PdMachineSpread spread = { .kind = PD_SPREAD_NORMAL };
  const char *path = pd_element_get (node, "path");

  if (!pd_machine_check_element (self, node)
      || !pd_machine_read_params (self, node, pd_machine_element_find ("spread")->params,
                                  &attributes)
      || !read_kind (self, node, &spread.kind))
    return FALSE;
  if (path == NULL || *path == '\0')
    return pd_machine_fail (self, node, PD_MACHINE_ERROR_SCHEMA, "attribute 'path' is missing");
  if (spread.kind == PD_SPREAD_UNIFORM && attributes.sigma > 0.57)
    return pd_machine_fail (self, node, PD_MACHINE_ERROR_VALUE,
                            "sigma: expected at most 0.57 of a uniform distribution, whose values "
                            "would be below 0");
  spread.is_ratio = is_ratio (path);
  if (!spread.is_ratio && !try_path (self, node, path))
    return FALSE;
  spread.path = g_strdup (path);
  spread.sigma = attributes.sigma;
  g_array_append_val (machine->spreads, spread);
  return TRUE;
}

gboolean
pd_machine_read_spreads (PdMachineReader *self, PdElement *root, PdMachine *machine)
{
  for (PdElement *child = root->children; child != NULL; child = child->next)
    if (pd_machine_is_named (child, "spread") && !read_spread (self, child, machine))
      return FALSE;
  return TRUE;
}
