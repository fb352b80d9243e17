/* SPDX-License-Identifier: MIT */
#include "comsys/description/pd-machine-faster.h"

#include "comsys/net/pd-measured.h"

static void
hasten_param (gpointer config, const PdParam *param, gdouble factor)
{
  gpointer field = (char *) config + param->offset;

  switch (param->unit)
    {
    case PD_UNIT_TIME:
      *(PdTime *) field = pd_time_divide (*(PdTime *) field, factor);
      break;
    case PD_UNIT_PER_BYTE:
      *(gdouble *) field /= factor;
      break;
    case PD_UNIT_RATE:
      *(gdouble *) field *= factor;
      break;
    default: /* no speed */
      break;
    }
}

static void
hasten_table (const PdMeasured *table, gdouble factor)
{
  for (guint i = 0; table != NULL && i < table->times->len; i++)
    g_array_index (table->times, gdouble, i) /= factor;
}

static void
hasten_network (PdMachineNetwork *network, gdouble factor)
{
  const PdParam *param = network->class->params;
  const PdTableParam *table = network->class->tables;

  for (; param != NULL && param->name != NULL; param++)
    if (param->choices == NULL)
      hasten_param (network->config, param, factor);
  for (; table != NULL && table->level != NULL; table++)
    hasten_table (*(PdMeasured **) (gpointer) ((char *) network->config + table->offset), factor);
  for (guint i = 0; i < network->children->len; i++)
    {
      PdMachineNode *node = g_ptr_array_index (network->children, i);
      if (node->memory != NULL)
        hasten_network (node->memory, factor);
      if (node->network != NULL)
        hasten_network (node->network, factor);
    }
}

static void
hasten_level (PdPhaseLevel *level, gdouble factor)
{
  level->startup = pd_time_divide (level->startup, factor);
  level->per_byte /= factor;
}

void
pd_machine_hasten_networks (PdMachine *self, gdouble factor)
{
  g_return_if_fail (self != NULL && self->network != NULL && factor > 0);

  hasten_network (self->network, factor);
  hasten_level (&self->fan_network, factor);
  hasten_level (&self->fan_memory, factor);
  self->collective_time = pd_time_divide (self->collective_time, factor);
}

static void
hasten_nodes (PdMachineNetwork *network, gdouble factor)
{
  for (guint i = 0; i < network->children->len; i++)
    {
      PdMachineNode *node = g_ptr_array_index (network->children, i);
      if (node->network != NULL)
        hasten_nodes (node->network, factor);
      node->speed *= factor;
      for (guint k = 0; node->speeds != NULL && k < node->speeds->len; k++)
        g_array_index (node->speeds, gdouble, k) *= factor;
    }
}

void
pd_machine_hasten_processors (PdMachine *self, gdouble factor)
{
  g_return_if_fail (self != NULL && self->network != NULL && factor > 0);

  hasten_nodes (self->network, factor);
}
