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
clear_defaults (PdElement *software, PdSoftware *costs)
{
  if (pd_element_get (software, "pack-per-byte") == NULL)
    costs->pack_per_byte = 0;
  if (pd_element_get (software, "pack-per-run") == NULL)
    costs->pack_per_run = PD_TIME_ZERO;
  if (pd_element_get (software, "touch-per-byte") == NULL)
    costs->touch_per_byte = 0;
}

static gboolean
read_function (PdMachineReader *self, PdElement *node, PdMachine *machine)
{
  PdFunctionAttributes attributes;
  const char *name = pd_element_get (node, "name");

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
  PdFunctionCost cost = { g_strdup (name), attributes.overhead, attributes.per_byte,
                          attributes.from };
  g_array_append_val (machine->functions, cost);
  return TRUE;
}

static gboolean
read_functions (PdMachineReader *self, PdElement *software, PdMachine *machine)
{
  for (PdElement *child = software->children; child != NULL; child = child->next)
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
pd_machine_read_software (PdMachineReader *self, PdElement *software, PdMachine *machine)
{
  g_autoptr (PdElement) none = software == NULL ? pd_element_new ("software") : NULL;
  PdElement *node = software == NULL ? none : software;

  machine->functions = g_array_new (FALSE, FALSE, sizeof (PdFunctionCost));
  g_array_set_clear_func (machine->functions, clear_function);
  gboolean ok = pd_machine_check_element (self, node)
                && pd_machine_read_params (self, node, pd_machine_element_find ("software")->params,
                                           &machine->software)
                && read_functions (self, node, machine);
  if (ok && machine->network->class == pd_network_class_find ("ideal"))
    clear_defaults (node, &machine->software);
  return ok;
}
