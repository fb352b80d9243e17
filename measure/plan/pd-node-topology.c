/* hwloc's objects as sockets, cores and threads.
 * SPDX-License-Identifier: MIT */
#include "measure/plan/pd-node-topology.h"

#include <hwloc.h>

struct _PdNodeTopology
{
  hwloc_topology_t topology;
  GArray *seats; /* PdSeat, as hwloc counts processing units */
};

static void
add_seat (PdNodeTopology *self, hwloc_obj_t pu)
{
  hwloc_obj_t package = hwloc_get_ancestor_obj_by_type (self->topology, HWLOC_OBJ_PACKAGE, pu);
  hwloc_obj_t core = hwloc_get_ancestor_obj_by_type (self->topology, HWLOC_OBJ_CORE, pu);
  PdSeat seat = { .os = pu->os_index };

  seat.socket = package != NULL ? (int) package->logical_index : 0;
  seat.core = core != NULL ? (int) core->logical_index : (int) pu->logical_index;
  seat.thread = core != NULL && pu->parent == core ? (int) pu->sibling_rank : 0;
  g_array_append_val (self->seats, seat);
}

/* A file has a name that ends with ".xml". */
static gboolean
pretend (PdNodeTopology *self, const char *description)
{
  if (description == NULL)
    return TRUE;
  if (g_str_has_suffix (description, ".xml"))
    return hwloc_topology_set_xml (self->topology, description) == 0;
  return hwloc_topology_set_synthetic (self->topology, description) == 0;
}

PdNodeTopology *
pd_node_topology_new (const char *description, GError **error)
{
  g_autoptr (PdNodeTopology) self = g_new0 (PdNodeTopology, 1);
  int n = 0;

  self->seats = g_array_new (FALSE, FALSE, sizeof (PdSeat));
  if (hwloc_topology_init (&self->topology) != 0)
    self->topology = NULL;
  else if (pretend (self, description) && hwloc_topology_load (self->topology) == 0)
    n = hwloc_get_nbobjs_by_type (self->topology, HWLOC_OBJ_PU);
  for (int i = 0; i < n; i++)
    add_seat (self, hwloc_get_obj_by_type (self->topology, HWLOC_OBJ_PU, (guint) i));
  if (n > 0)
    return g_steal_pointer (&self);
  g_set_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_ABSENT,
               "topology '%s': hwloc finds no processors; expected a file NAME.xml of lstopo, or "
               "a synthetic description like 'package:2 core:4 pu:1'",
               description != NULL ? description : "of this machine");
  return NULL;
}

void
pd_node_topology_free (PdNodeTopology *self)
{
  if (self == NULL)
    return;
  if (self->topology != NULL)
    hwloc_topology_destroy (self->topology);
  g_array_unref (self->seats);
  g_free (self);
}

gboolean
pd_node_topology_is_real (const PdNodeTopology *self)
{
  return hwloc_topology_is_thissystem (self->topology) != 0;
}

const PdSeat *
pd_node_topology_seats (const PdNodeTopology *self, guint *n)
{
  *n = self->seats->len;
  return &g_array_index (self->seats, PdSeat, 0);
}

void
pd_node_topology_allowed (const PdNodeTopology *self, guint8 *allowed)
{
  hwloc_bitmap_t set = hwloc_bitmap_alloc ();
  gboolean known = pd_node_topology_is_real (self)
                   && hwloc_get_cpubind (self->topology, set, HWLOC_CPUBIND_THREAD) == 0;

  for (guint i = 0; i < self->seats->len; i++)
    allowed[i] = !known || hwloc_bitmap_isset (set, g_array_index (self->seats, PdSeat, i).os) != 0;
  hwloc_bitmap_free (set);
}

gboolean
pd_node_topology_bind (PdNodeTopology *self, guint seat, gboolean whole_core)
{
  g_return_val_if_fail (seat < self->seats->len, FALSE);

  const PdSeat *own = &g_array_index (self->seats, PdSeat, seat);
  hwloc_bitmap_t set;
  int bound;
  if (!pd_node_topology_is_real (self))
    return FALSE;
  set = hwloc_bitmap_alloc ();
  for (guint i = 0; i < self->seats->len; i++)
    {
      const PdSeat *other = &g_array_index (self->seats, PdSeat, i);
      if (i == seat || (whole_core && other->core == own->core))
        hwloc_bitmap_set (set, other->os);
    }
  bound = hwloc_set_cpubind (self->topology, set, HWLOC_CPUBIND_THREAD);
  hwloc_bitmap_free (set);
  return bound == 0;
}
