/* Which network a message takes: the machine description unfolded into nodes
 * and network instances. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TOPOLOGY_H
#define PD_TOPOLOGY_H

#include "comsys/machine/pd-machine.h"

/* One instance of a network (a nested one with count copies has as many). */
typedef struct
{
  const PdMachineNetwork *description;
  guint32 parent;   /* instance; G_MAXUINT32 for the outermost */
  guint32 endpoint; /* of this instance in its parent */
  guint32 depth;    /* 0 for the outermost */
  guint32 n_endpoints;
} PdNetworkInstance;

typedef struct
{
  gboolean is_flat; /* one network, one processor per node */
  guint32 n_processors;
  guint32 n_nodes;
  /* NULL where it is flat: each processor is its node and its endpoint */
  guint32 *node_of;     /* (array length=n_processors) */
  guint32 *first_of;    /* (array length=n_nodes): its first processor */
  guint32 *network_of;  /* (array length=n_nodes): instance it hangs on */
  guint32 *endpoint_of; /* (array length=n_nodes): in that instance */
  guint32 *memory_of;   /* (array length=n_nodes): memory instance, G_MAXUINT32 = none */
  GArray *instances;    /* PdNetworkInstance; memories included, one per node */
} PdTopology;

/* A way from one processor to another. */
typedef struct
{
  guint32 instance;
  guint32 source; /* endpoints */
  guint32 target;
  guint32 source_processor; /* which one of its node */
  guint32 target_processor;
} PdRoute;

/**
 * pd_topology_new:
 * @machine: the machine; must outlive the topology
 *
 * Returns: (transfer full): its unfolded form; O(processors) memory.
 */
PdTopology *pd_topology_new (const PdMachine *machine);

/**
 * pd_topology_free:
 * @self: (nullable): the topology
 */
void pd_topology_free (PdTopology *self);

/**
 * pd_topology_get_node:
 * Returns: the node of @processor.
 */
static inline guint32
pd_topology_get_node (const PdTopology *self, guint32 processor)
{
  return self->node_of == NULL ? processor : self->node_of[processor];
}

/**
 * pd_topology_get_first:
 * Returns: the first processor of @node.
 */
static inline guint32
pd_topology_get_first (const PdTopology *self, guint32 node)
{
  return self->first_of == NULL ? node : self->first_of[node];
}

/**
 * pd_topology_get_memory:
 * Returns: the network instance that is the memory of @node; G_MAXUINT32: it has none.
 */
static inline guint32
pd_topology_get_memory (const PdTopology *self, guint32 node)
{
  return self->memory_of == NULL ? G_MAXUINT32 : self->memory_of[node];
}

/**
 * pd_topology_route:
 * @source: a processor
 * @target: another processor
 *
 * Returns: the memory of their node, or else the network of the lowest level
 *   that contains both.
 */
PdRoute pd_topology_route (const PdTopology *self, guint32 source, guint32 target);

#endif
