/* The node that this process runs on, from hwloc: its hardware threads, those that the
 * process may use, and binding to one. Needs no MPI.
 * SPDX-License-Identifier: MIT */
#ifndef PD_NODE_TOPOLOGY_H
#define PD_NODE_TOPOLOGY_H

#include "measure/plan/pd-pairs.h"
#include "measure/stats/pd-timer.h"

typedef struct _PdNodeTopology PdNodeTopology;

/**
 * pd_node_topology_new:
 * @description: (nullable): pretends another machine: "package:2 core:4 pu:1", or a file
 *   NAME.xml; %NULL: this one, or what hwloc's HWLOC_SYNTHETIC or HWLOC_XMLFILE pretend
 * @error: return location for %PD_MEASURE_ERROR_ABSENT: hwloc finds nothing there
 *
 * Returns: (transfer full): the node, or %NULL with @error set.
 */
PdNodeTopology *pd_node_topology_new (const char *description, GError **error);

/**
 * pd_node_topology_free:
 * @self: (nullable): the object to free
 */
void pd_node_topology_free (PdNodeTopology *self);

/**
 * pd_node_topology_is_real:
 * Returns: whether it is this machine, not a pretended one, on which nothing can be bound.
 */
gboolean pd_node_topology_is_real (const PdNodeTopology *self);

/**
 * pd_node_topology_seats:
 * @n: (out): how many, at least 1
 * Returns: (transfer none) (array length=n): all hardware threads; without sockets known,
 *   all of them are on socket 0, and each without a core is one.
 */
const PdSeat *pd_node_topology_seats (const PdNodeTopology *self, guint *n);

/**
 * pd_node_topology_allowed:
 * @allowed: (out caller-allocated): for each seat, 1 if this process may run there, else 0
 *
 * On a pretended machine it may run everywhere.
 */
void pd_node_topology_allowed (const PdNodeTopology *self, guint8 *allowed);

/**
 * pd_node_topology_bind:
 * @seat: number of a seat
 * @whole_core: to all threads of its core
 *
 * Binds the calling thread.
 *
 * Returns: %FALSE if that is impossible, as on a pretended machine.
 */
gboolean pd_node_topology_bind (PdNodeTopology *self, guint seat, gboolean whole_core);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdNodeTopology, pd_node_topology_free)

#endif
