/* SPDX-License-Identifier: MIT */
#include "comsys/description/pd-machine-faster.h"

#include "comsys/net/pd-measured.h"

/* How many times as fast each part of a network becomes. */
typedef struct
{
  gdouble latency, bandwidth, overhead;
} Factors;

/* Times that keep a processor or an adapter; other networks have none. */
static gboolean
is_overhead (const PdParam *param)
{
  static const char *const names[] = { "o", "g", "O", NULL };

  return g_strv_contains (names, param->name);
}

static void
hasten_param (gpointer config, const PdParam *param, const Factors *by)
{
  gpointer field = (char *) config + param->offset;

  switch (param->unit)
    {
    case PD_UNIT_TIME:
      *(PdTime *) field =
          pd_time_divide (*(PdTime *) field, is_overhead (param) ? by->overhead : by->latency);
      break;
    case PD_UNIT_PER_BYTE:
      *(gdouble *) field /= is_overhead (param) ? by->overhead : by->bandwidth;
      break;
    case PD_UNIT_RATE:
      *(gdouble *) field *= by->bandwidth;
      break;
    default: /* no speed */
      break;
    }
}

/* Of each column the shortest time is its latency, the rest of a time is due to bandwidth; of a
 * single row, which is a time of a byte, all. */
static void
hasten_table (const PdMeasured *table, const Factors *by)
{
  guint n = table != NULL ? table->times->len : 0;

  for (guint column = 0; n > 0 && column < table->n_columns; column++)
    {
      gdouble least = n > table->n_columns ? g_array_index (table->times, gdouble, column) : 0;
      for (guint i = column; i < n; i += table->n_columns)
        least = MIN (least, g_array_index (table->times, gdouble, i));
      for (guint i = column; i < n; i += table->n_columns)
        {
          gdouble *time = &g_array_index (table->times, gdouble, i);
          *time /= by->bandwidth;
          *time += least / by->latency - least / by->bandwidth;
        }
    }
}

static void
hasten_network (PdMachineNetwork *network, const Factors *by)
{
  const PdParam *param = network->class->params;
  const PdTableParam *table = network->class->tables;

  for (; param != NULL && param->name != NULL; param++)
    if (param->choices == NULL)
      hasten_param (network->config, param, by);
  for (; table != NULL && table->level != NULL; table++)
    hasten_table (*(PdMeasured **) (gpointer) ((char *) network->config + table->offset), by);
  for (guint i = 0; i < network->children->len; i++)
    {
      PdMachineNode *node = g_ptr_array_index (network->children, i);
      if (node->memory != NULL)
        hasten_network (node->memory, by);
      if (node->network != NULL)
        hasten_network (node->network, by);
    }
}

static void
hasten_level (PdPhaseLevel *level, const Factors *by)
{
  level->startup = pd_time_divide (level->startup, by->latency);
  level->per_byte /= by->bandwidth;
}

static void
hasten_all (PdMachine *self, const Factors *by)
{
  hasten_network (self->network, by);
  hasten_level (&self->fan_network, by);
  hasten_level (&self->fan_memory, by);
  self->collective_time = pd_time_divide (self->collective_time, by->latency);
}

void
pd_machine_hasten_networks (PdMachine *self, gdouble factor)
{
  g_return_if_fail (self != NULL && self->network != NULL && factor > 0);

  hasten_all (self, &(Factors){ factor, factor, factor });
}

void
pd_machine_scale_latencies (PdMachine *self, gdouble factor)
{
  g_return_if_fail (self != NULL && self->network != NULL && factor > 0);

  hasten_all (self, &(Factors){ 1 / factor, 1, 1 });
}

void
pd_machine_scale_bandwidths (PdMachine *self, gdouble factor)
{
  g_return_if_fail (self != NULL && self->network != NULL && factor > 0);

  hasten_all (self, &(Factors){ 1, factor, 1 });
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

const PdMachineRatio pd_machine_ratios[PD_MACHINE_N_RATIOS] = {
  { "network-ratio", pd_machine_hasten_networks },
  { "latency-ratio", pd_machine_scale_latencies },
  { "bandwidth-ratio", pd_machine_scale_bandwidths },
  { "speed-ratio", pd_machine_hasten_processors },
};
