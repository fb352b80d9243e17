/* The node that this process runs on, from hwloc: its hardware threads, those that the
 * process may use, and binding to one. Needs no MPI.
 * SPDX-License-Identifier: MIT */
#ifndef PD_HOST_H
#define PD_HOST_H

#include "measure/pd-pairs.h"
#include "measure/pd-timer.h"

G_BEGIN_DECLS

typedef struct _PdHost PdHost;

/**
 * pd_host_new:
 * @description: (nullable): pretends another machine: "package:2 core:4 pu:1", or a file
 *   NAME.xml; %NULL: this one, or what hwloc's HWLOC_SYNTHETIC or HWLOC_XMLFILE pretend
 * @error: return location for %PD_MEASURE_ERROR_ABSENT: hwloc finds nothing there
 *
 * Returns: (transfer full): the node, or %NULL with @error set.
 */
PdHost *pd_host_new (const char *description, GError **error);

/**
 * pd_host_free:
 * @self: (nullable): what is to be freed
 */
void pd_host_free (PdHost *self);

/**
 * pd_host_is_real:
 * Returns: whether it is this machine, not a pretended one, on which nothing can be bound.
 */
gboolean pd_host_is_real (const PdHost *self);

/**
 * pd_host_seats:
 * @n: (out): how many, at least 1
 * Returns: (transfer none) (array length=n): all hardware threads; without sockets known,
 *   all of them are on socket 0, and each without a core is one.
 */
const PdSeat *pd_host_seats (const PdHost *self, guint *n);

/**
 * pd_host_allowed:
 * @allowed: (out caller-allocated): for each seat, 1 if this process may run there, else 0
 *
 * On a pretended machine it may run everywhere.
 */
void pd_host_allowed (const PdHost *self, guint8 *allowed);

/**
 * pd_host_bind:
 * @seat: number of a seat
 * @whole_core: to all threads of its core
 *
 * Binds the calling thread.
 *
 * Returns: %FALSE if that is impossible, as on a pretended machine.
 */
gboolean pd_host_bind (PdHost *self, guint seat, gboolean whole_core);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdHost, pd_host_free)

G_END_DECLS

#endif
