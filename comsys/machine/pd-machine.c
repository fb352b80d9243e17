/* Machines: what a description says.
 * SPDX-License-Identifier: MIT */
#include "comsys/machine/pd-machine.h"

#include "comsys/machine/pd-machine-size.h"
#include "comsys/net/pd-measured.h"
#include "comsys/net/pd-network.h"

G_DEFINE_QUARK (pd_machine_error_quark, pd_machine_error)

void
pd_machine_free_tables (PdMachineNetwork *network)
{
  for (const PdTableParam *t = network->class->tables; t != NULL && t->level != NULL; t++)
    pd_measured_free (*(PdMeasured **) (gpointer) ((char *) network->config + t->offset));
}

void
pd_machine_network_free (PdMachineNetwork *network)
{
  if (network == NULL)
    return;
  if (network->config != NULL)
    pd_machine_free_tables (network);
  g_free (network->name);
  g_free (network->config);
  g_clear_pointer (&network->children, g_ptr_array_unref);
  g_free (network);
}

void
pd_machine_free (PdMachine *self)
{
  if (self == NULL)
    return;
  g_free (self->name);
  g_free (self->description);
  g_free (self->origin);
  g_free (self->collectives);
  g_free (self->noise.file);
  g_free (self->map);
  g_clear_pointer (&self->regions, g_array_unref);
  g_clear_pointer (&self->spreads, g_array_unref);
  g_clear_pointer (&self->sources, g_array_unref);
  g_clear_pointer (&self->functions, g_array_unref);
  g_clear_pointer (&self->uses, g_array_unref);
  g_clear_pointer (&self->costs, g_array_unref);
  pd_points_free (self->measured);
  pd_machine_network_free (self->network);
  g_free (self);
}

static gint64
multiply (gint64 a, gint64 b)
{
  gint64 product;
  return __builtin_mul_overflow (a, b, &product) ? G_MAXINT64 : product;
}

gint64
pd_machine_node_size (const PdMachineNode *node)
{
  if (node->network != NULL)
    return multiply (node->count, pd_machine_network_size (node->network));
  return multiply (node->count, node->processors);
}

gint64
pd_machine_network_size (const PdMachineNetwork *network)
{
  gint64 sum = 0;

  for (guint i = 0; i < network->children->len; i++)
    if (__builtin_add_overflow (sum, pd_machine_node_size (network->children->pdata[i]), &sum))
      return G_MAXINT64;
  return sum;
}

static gdouble
find_speed (const PdMachineNetwork *network, gint64 processor)
{
  for (guint i = 0; i < network->children->len; i++)
    {
      const PdMachineNode *node = g_ptr_array_index (network->children, i);
      gint64 size = pd_machine_node_size (node);
      if (processor >= size)
        processor -= size;
      else if (node->network != NULL)
        return find_speed (node->network, processor % (size / node->count));
      else
        return node->speeds == NULL ? node->speed
                                    : g_array_index (node->speeds, gdouble, processor);
    }
  return 1;
}

gdouble
pd_machine_get_speed (const PdMachine *self, guint32 processor)
{
  g_return_val_if_fail (processor < self->n_processors, 1);

  return find_speed (self->network, processor);
}
