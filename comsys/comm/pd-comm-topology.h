/* The grid or graph that a communicator has. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_COMM_TOPOLOGY_H
#define PD_COMM_TOPOLOGY_H

#include "comsys/comm/pd-comm.h"
#include "comsys/state/pd-comsys-data.h"

/* Neighbours of all ranks, in their order. */
struct _PdCommTopology
{
  guint32 n;
  gboolean is_cart;
  PdCart cart;
  guint32 *source_ends; /* (array length=n): of each rank's in sources */
  guint32 *target_ends;
  GArray *sources; /* guint32 */
  GArray *targets;
};

/**
 * pd_comm_topology_new:
 * Returns: (transfer full): a graph of @n ranks, whose neighbours are to be added.
 */
PdCommTopology *pd_comm_topology_new (guint32 n);

/**
 * pd_comm_topology_new_cart:
 * Returns: (transfer full): the grid, with the neighbours of all its ranks.
 */
PdCommTopology *pd_comm_topology_new_cart (const PdCart *cart);

/**
 * pd_comm_topology_add:
 * @rank: ranks come in ascending order
 *
 * Adds the neighbours of @rank.
 */
void pd_comm_topology_add (PdCommTopology *self, guint32 rank, const PdNeighbors *neighbors);

/**
 * pd_comm_topology_free:
 * @self: (nullable): the topology
 */
void pd_comm_topology_free (PdCommTopology *self);

#endif
