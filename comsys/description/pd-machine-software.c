/* Reading "software", what calls cost besides the network.
 * SPDX-License-Identifier: MIT */
#include "comsys/description/pd-machine-read.h"
#include "comsys/machine/pd-functions.h"
#include "comsys/description/pd-machine-elements.h"
#include "comsys/description/pd-machine-software-private.h"
#include "comsys/description/pd-machine-values-private.h"

#include <string.h>

/* On a machine without costs, unspecified costs of copies are 0, too. */
static void
clear_defaults (xmlNode *software, PdSoftware *costs)
{
  if (!xmlHasProp (software, BAD_CAST "pack-per-byte"))
    costs->pack_per_byte = 0;
  if (!xmlHasProp (software, BAD_CAST "pack-per-run"))
    costs->pack_per_run = PD_TIME_ZERO;
  if (!xmlHasProp (software, BAD_CAST "touch-per-byte"))
    costs->touch_per_byte = 0;
}

static gboolean
read_function (PdMachineReader *self, xmlNode *node, PdMachine *machine)
{
  PdFunctionAttributes attributes;
  g_autofree char *name = pd_machine_attribute (node, "name");

  if (!pd_machine_check_element (self, node)
      || !pd_machine_read_params (self, node, pd_machine_element_find ("function")->params,
                                  &attributes))
    return FALSE;
  if (name == NULL || pd_function_find (name) == PD_N_FUNCTIONS)
    return pd_machine_fail (self, node, PD_MACHINE_ERROR_VALUE,
                            "name '%s': expected a function of MPI that takes time, as MPI_Send "
                            "or MPI_Ibcast",
                            name != NULL ? name : "");
  for (guint i = 0; i < machine->functions->len; i++)
    if (strcmp (g_array_index (machine->functions, PdFunctionCost, i).name, name) == 0)
      return pd_machine_fail (self, node, PD_MACHINE_ERROR_VALUE, "function %s is there twice",
                              name);
  if (attributes.per_byte > 0 && pd_function_find (name) < PD_FN_OPS)
    return pd_machine_fail (self, node, PD_MACHINE_ERROR_VALUE,
                            "name '%s': per-byte is for collective operations only", name);
  PdFunctionCost cost = { g_steal_pointer (&name), attributes.overhead, attributes.per_byte,
                          attributes.from };
  g_array_append_val (machine->functions, cost);
  return TRUE;
}

static gboolean
read_functions (PdMachineReader *self, xmlNode *software, PdMachine *machine)
{
  for (xmlNode *child = software->children; child != NULL; child = child->next)
    if (pd_machine_is_named (child, "function") && !read_function (self, child, machine))
      return FALSE;
  return TRUE;
}

static void
clear_function (gpointer data)
{
  g_free (((PdFunctionCost *) data)->name);
}

gboolean
pd_machine_read_software (PdMachineReader *self, xmlNode *software, PdMachine *machine)
{
  xmlNode *none = software == NULL ? xmlNewNode (NULL, BAD_CAST "software") : NULL;
  xmlNode *node = software == NULL ? none : software;

  machine->functions = g_array_new (FALSE, FALSE, sizeof (PdFunctionCost));
  g_array_set_clear_func (machine->functions, clear_function);
  gboolean ok = pd_machine_check_element (self, node)
                && pd_machine_read_params (self, node, pd_machine_element_find ("software")->params,
                                           &machine->software)
                && read_functions (self, node, machine);
  if (ok && machine->network->class == pd_network_class_find ("ideal"))
    clear_defaults (node, &machine->software);
  xmlFreeNode (none);
  return ok;
}
