/* SPDX-License-Identifier: MIT */
#include "comsys/machine/pd-topology.h"

/* Counters of the unfolding walk. */
typedef struct
{
  PdTopology *topology;
  guint32 n_processors;
  guint32 n_nodes;
} Walk;

static guint32
add_instance (PdTopology *self, const PdMachineNetwork *network, guint32 parent, guint32 endpoint)
{
  PdNetworkInstance instance = { .description = network, .parent = parent, .endpoint = endpoint };

  if (parent != G_MAXUINT32)
    instance.depth = g_array_index (self->instances, PdNetworkInstance, parent).depth + 1;
  g_array_append_val (self->instances, instance);
  return self->instances->len - 1;
}

static void
add_nodes (Walk *walk, const PdMachineNode *group, guint32 instance, guint32 *endpoint)
{
  PdTopology *self = walk->topology;

  for (guint32 i = 0; i < group->count; i++)
    {
      guint32 node = walk->n_nodes++;
      self->first_of[node] = walk->n_processors;
      self->network_of[node] = instance;
      self->endpoint_of[node] = (*endpoint)++;
      self->memory_of[node] = G_MAXUINT32;
      if (group->memory != NULL)
        {
          self->memory_of[node] = add_instance (self, group->memory, instance, 0);
          g_array_index (self->instances, PdNetworkInstance, self->memory_of[node]).n_endpoints =
              group->processors;
        }
      for (guint32 p = 0; p < group->processors; p++)
        self->node_of[walk->n_processors++] = node;
    }
}

static void
unfold (Walk *walk, const PdMachineNetwork *network, guint32 instance)
{
  guint32 endpoint = 0;

  for (guint i = 0; i < network->children->len; i++)
    {
      const PdMachineNode *child = g_ptr_array_index (network->children, i);
      if (child->network == NULL)
        {
          add_nodes (walk, child, instance, &endpoint);
          continue;
        }
      for (guint32 copy = 0; copy < child->count; copy++)
        unfold (walk, child->network,
                add_instance (walk->topology, child->network, instance, endpoint++));
    }
  g_array_index (walk->topology->instances, PdNetworkInstance, instance).n_endpoints = endpoint;
}

static void
clear_places (PdTopology *self)
{
  g_clear_pointer (&self->node_of, g_free);
  g_clear_pointer (&self->first_of, g_free);
  g_clear_pointer (&self->network_of, g_free);
  g_clear_pointer (&self->endpoint_of, g_free);
  g_clear_pointer (&self->memory_of, g_free);
}

PdTopology *
pd_topology_new (const PdMachine *machine)
{
  PdTopology *self = g_new0 (PdTopology, 1);
  Walk walk = { .topology = self };
  guint32 n = machine->n_processors; /* no more nodes than processors */

  self->n_processors = n;
  self->node_of = g_new (guint32, n);
  self->first_of = g_new (guint32, n);
  self->network_of = g_new (guint32, n);
  self->endpoint_of = g_new (guint32, n);
  self->memory_of = g_new (guint32, n);
  self->instances = g_array_new (FALSE, TRUE, sizeof (PdNetworkInstance));
  unfold (&walk, machine->network, add_instance (self, machine->network, G_MAXUINT32, 0));
  self->n_nodes = walk.n_nodes;
  self->is_flat = self->instances->len == 1 && self->n_nodes == n;
  if (self->is_flat)
    clear_places (self);
  return self;
}

void
pd_topology_free (PdTopology *self)
{
  if (self == NULL)
    return;
  clear_places (self);
  g_array_unref (self->instances);
  g_free (self);
}

PdRoute
pd_topology_route (const PdTopology *self, guint32 source, guint32 target)
{
  if (self->is_flat)
    return (PdRoute){ 0, source, target, 0, 0 };

  const PdNetworkInstance *instances = &g_array_index (self->instances, PdNetworkInstance, 0);
  guint32 a = self->node_of[source], b = self->node_of[target];

  if (a == b && self->memory_of[a] != G_MAXUINT32)
    return (PdRoute){ .instance = self->memory_of[a],
                      .source = source - self->first_of[a],
                      .target = target - self->first_of[a] };

  PdRoute from = { .instance = self->network_of[a], .source = self->endpoint_of[a] };
  PdRoute to = { .instance = self->network_of[b], .source = self->endpoint_of[b] };
  while (from.instance != to.instance)
    {
      /* the deeper one climbs; equally deep ones both in turn */
      PdRoute *deeper =
          instances[from.instance].depth >= instances[to.instance].depth ? &from : &to;
      deeper->source = instances[deeper->instance].endpoint;
      deeper->instance = instances[deeper->instance].parent;
    }
  return (PdRoute){ from.instance, from.source, to.source, source - self->first_of[a],
                    target - self->first_of[b] };
}
