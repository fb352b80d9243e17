/* Reading the element "collectives".
 * SPDX-License-Identifier: MIT */
#include "comsys/description/pd-machine-read.h"
#include "comsys/description/pd-machine-collectives-private.h"
#include "comsys/description/pd-machine-elements.h"
#include "comsys/description/pd-machine-values-private.h"

#include <string.h>

/* ---- use */

/* An optional number; @number keeps its value where the attribute is absent. */
static gboolean
read_optional (PdMachineReader *self, PdElement *node, const char *name, PdUnit unit,
               gint64 *number)
{
  const char *text = pd_element_get (node, name);
  PdNumber value;

  if (text == NULL)
    return TRUE;
  if (!pd_machine_read_number (self, node, name, unit, text, &value))
    return FALSE;
  *number = value.i;
  return TRUE;
}

static gboolean
read_operation (PdMachineReader *self, PdElement *node, const char **operation)
{
  *operation = pd_element_get (node, "operation");
  if (*operation == NULL)
    return pd_machine_fail (self, node, PD_MACHINE_ERROR_SCHEMA,
                            "attribute 'operation' is missing");
  if (!pd_machine_is_operation (*operation))
    return pd_machine_fail (self, node, PD_MACHINE_ERROR_VALUE,
                            "operation='%s': expected a collective operation such as 'allreduce'",
                            *operation);
  return TRUE;
}

/* No two for the same ranks and sizes. */
static gboolean
check_other_uses (PdMachineReader *self, PdElement *node, const GArray *uses, const char *operation,
                  const PdCollectiveUse *use)
{
  for (guint i = 0; i < uses->len; i++)
    {
      const PdCollectiveUse *other = &g_array_index (uses, PdCollectiveUse, i);
      if (other->up_to == use->up_to && other->min_ranks == use->min_ranks
          && other->max_ranks == use->max_ranks && strcmp (other->operation, operation) == 0)
        return pd_machine_fail (self, node, PD_MACHINE_ERROR_VALUE,
                                "operation='%s' has two algorithms", operation);
    }
  return TRUE;
}

static gboolean
read_use (PdMachineReader *self, PdElement *node, GArray *uses)
{
  const char *operation, *algorithm = pd_element_get (node, "algorithm");
  PdCollectiveUse use = { .up_to = G_MAXINT64, .max_ranks = G_MAXINT64 };

  if (!pd_machine_check_element (self, node) || !read_operation (self, node, &operation))
    return FALSE;
  if (algorithm == NULL || *algorithm == '\0')
    return pd_machine_fail (self, node, PD_MACHINE_ERROR_SCHEMA,
                            "attribute 'algorithm' is missing");
  if (!read_optional (self, node, "up-to", PD_UNIT_BYTES, &use.up_to)
      || !read_optional (self, node, "min-ranks", PD_UNIT_COUNT, &use.min_ranks)
      || !read_optional (self, node, "max-ranks", PD_UNIT_COUNT, &use.max_ranks)
      || !read_optional (self, node, "segment", PD_UNIT_BYTES, &use.segment))
    return FALSE;
  if (!check_other_uses (self, node, uses, operation, &use))
    return FALSE;
  use.operation = g_strdup (operation);
  use.algorithm = g_strdup (algorithm);
  g_array_append_val (uses, use);
  return TRUE;
}

static void
clear_use (gpointer data)
{
  PdCollectiveUse *use = data;

  g_free (use->operation);
  g_free (use->algorithm);
}

/* ---- cost */

static const char *const models[] = { "none", "constant", "linear", "logarithmic", NULL };
static const char *const sizes[] = { "sent", "received",  "min", "max",
                                     "mean", "twice-max", "sum", NULL };

/* "in" or "out", and its size; @fan keeps its value for an absent part. */
static gboolean
read_phase (PdMachineReader *self, PdElement *node, const char *name, PdPhase *fan)
{
  g_autofree char *size_name = g_strconcat (name, "-size", NULL);
  const char *model = pd_element_get (node, name);
  const char *size = pd_element_get (node, size_name);
  guint chosen = 0;

  if (model != NULL)
    {
      if (!pd_machine_read_choice (self, node, name, model, models, &chosen))
        return FALSE;
      fan->model = (PdPhaseModel) chosen;
    }
  if (size != NULL)
    {
      if (!pd_machine_read_choice (self, node, size_name, size, sizes, &chosen))
        return FALSE;
      fan->size = (PdPhaseSize) chosen;
    }
  return TRUE;
}

static gboolean
read_cost (PdMachineReader *self, PdElement *node, PdMachine *machine)
{
  PdCollectiveCost cost = { .in = machine->fan_in, .out = machine->fan_out };
  const char *operation;

  if (!pd_machine_check_element (self, node) || !read_operation (self, node, &operation)
      || !read_phase (self, node, "in", &cost.in) || !read_phase (self, node, "out", &cost.out))
    return FALSE;
  for (guint i = 0; i < machine->costs->len; i++)
    if (strcmp (g_array_index (machine->costs, PdCollectiveCost, i).operation, operation) == 0)
      return pd_machine_fail (self, node, PD_MACHINE_ERROR_VALUE, "operation='%s' has two costs",
                              operation);
  cost.operation = g_strdup (operation);
  g_array_append_val (machine->costs, cost);
  return TRUE;
}

static void
clear_cost (gpointer data)
{
  PdCollectiveCost *cost = data;

  g_free (cost->operation);
}

/* ---- collectives */

/* Elements that only the set "simple" can have. */
static gboolean
check_simple (PdMachineReader *self, PdElement *node)
{
  static const char *const names[] = { "in", "in-size", "out", "out-size" };
  const PdParam *params = pd_machine_element_find ("collectives")->params;
  const char *found = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (names) && found == NULL; i++)
    if (pd_element_get (node, names[i]) != NULL)
      found = names[i];
  for (const PdParam *p = params; p->name != NULL && found == NULL; p++)
    if (pd_element_get (node, p->name) != NULL)
      found = p->name;
  return found == NULL
         || pd_machine_fail (self, node, PD_MACHINE_ERROR_VALUE, "%s: only the set 'simple' has it",
                             found);
}

static gboolean
read_attributes (PdMachineReader *self, PdElement *node, PdMachine *machine)
{
  PdCollectivesAttributes attributes;

  if (!pd_machine_read_params (self, node, pd_machine_element_find ("collectives")->params,
                               &attributes)
      || !read_phase (self, node, "in", &machine->fan_in)
      || !read_phase (self, node, "out", &machine->fan_out))
    return FALSE;
  machine->collective_time = attributes.time;
  machine->fan_network = attributes.network;
  machine->fan_memory = attributes.memory;
  machine->fan_network.is_given =
      pd_element_get (node, "startup") != NULL || pd_element_get (node, "per-byte") != NULL;
  machine->fan_memory.is_given = pd_element_get (node, "memory-startup") != NULL
                                 || pd_element_get (node, "memory-per-byte") != NULL;
  return TRUE;
}

static gboolean
read_children (PdMachineReader *self, PdElement *node, PdMachine *machine)
{
  for (PdElement *child = node->children; child != NULL; child = child->next)
    if ((pd_machine_is_named (child, "use") && !read_use (self, child, machine->uses))
        || (pd_machine_is_named (child, "cost") && !read_cost (self, child, machine)))
      return FALSE;
  return TRUE;
}

static const char *const sets[] = { "mpich1", "mpich4", "openmpi4", "smpi", "simple", NULL };

const char *const *
pd_machine_collective_sets (void)
{
  return sets;
}

gboolean
pd_machine_read_collectives (PdMachineReader *self, PdElement *node, PdMachine *machine)
{
  const char *set = node != NULL ? pd_element_get (node, "set") : NULL;
  guint chosen = 0;

  machine->uses = g_array_new (FALSE, FALSE, sizeof (PdCollectiveUse));
  g_array_set_clear_func (machine->uses, clear_use);
  machine->costs = g_array_new (FALSE, FALSE, sizeof (PdCollectiveCost));
  g_array_set_clear_func (machine->costs, clear_cost);
  machine->fan_in = (PdPhase){ PD_PHASE_NONE, PD_PHASE_SENT };
  machine->fan_out = (PdPhase){ PD_PHASE_NONE, PD_PHASE_RECEIVED };
  if (node != NULL
      && (!pd_machine_check_element (self, node)
          || !pd_machine_read_choice (self, node, "set", set != NULL ? set : sets[0], sets,
                                      &chosen)))
    return FALSE;
  machine->collectives = g_strdup (sets[chosen]);
  if (node == NULL)
    return TRUE;
  if (strcmp (sets[chosen], "simple") != 0 && !check_simple (self, node))
    return FALSE;
  return read_attributes (self, node, machine) && read_children (self, node, machine);
}
