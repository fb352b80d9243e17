/* Creation of communicators. Each member gives its colour and key; when the last one
 * has, the new ones are created. The cost is that of an operation of its own.
 * SPDX-License-Identifier: MIT */
#include "comsys/mpi/pd-comm-create.h"

#include "comsys/comm/pd-cart.h"
#include "comsys/comm/pd-comm-topology.h"
#include "comsys/comm/pd-comm.h"
#include "comsys/comm/pd-group.h"
#include "comsys/machine/pd-topology.h"
#include "comsys/mpi/pd-barrier-state-private.h"
#include "comsys/mpi/pd-collective.h"
#include "comsys/state/pd-lookup.h"

/* ---- everybody has come */

static int
compare_joins (gconstpointer a, gconstpointer b)
{
  const PdJoin *x = a, *y = b;

  if (x->color != y->color)
    return x->color < y->color ? -1 : 1;
  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  return x->old_rank < y->old_rank ? -1 : x->old_rank > y->old_rank;
}

/* The properties of the new communicators, besides their members. */
typedef struct
{
  const PdGroup *group; /* (nullable): the members, in its order */
  const PdCart *cart;   /* (nullable): of each */
  gboolean is_graph;    /* the joins have neighbours */
} Shape;

static PdCommTopology *
make_topology (const Shape *shape, const PdJoin *joins, guint n)
{
  if (shape->cart != NULL)
    return pd_comm_topology_new_cart (shape->cart);
  if (!shape->is_graph)
    return NULL;
  PdCommTopology *topology = pd_comm_topology_new (n);
  for (guint32 i = 0; i < n; i++)
    pd_comm_topology_add (topology, i,
                          &(PdNeighbors){ joins[i].neighbors,
                                          joins[i].neighbors + joins[i].n_sources,
                                          joins[i].n_sources, joins[i].n_targets });
  return topology;
}

/* One communicator per colour. */
static void
create_communicators (PdComsys *self, const Shape *shape, GArray *joins)
{
  g_autofree guint32 *ranks = g_new (guint32, joins->len);

  g_array_sort (joins, compare_joins);
  for (guint i = 0, end; i < joins->len; i = end)
    {
      gint32 color = g_array_index (joins, PdJoin, i).color;
      for (end = i; end < joins->len && g_array_index (joins, PdJoin, end).color == color; end++)
        ranks[end - i] = g_array_index (joins, PdJoin, end).world_rank;
      PdComm *comm = color < 0 ? NULL : pd_comm_new (self, ranks, end - i);
      if (comm != NULL)
        comm->topology = make_topology (shape, &g_array_index (joins, PdJoin, i), end - i);
      for (guint k = i; k < end; k++)
        {
          PdJoin *join = &g_array_index (joins, PdJoin, k);
          *join->result = comm == NULL || k == i ? comm : pd_comm_ref (comm);
          g_clear_pointer (&join->neighbors, g_free);
        }
    }
}

/* Members of @group belong together in its order, the others nowhere. */
static void
follow_group (const PdComm *comm, const PdGroup *group, GArray *joins)
{
  g_autofree gint32 *places = g_new (gint32, comm->n);

  for (guint32 i = 0; i < comm->n; i++)
    places[i] = -1;
  for (guint32 i = 0; i < group->n; i++)
    {
      gint64 rank = pd_comm_get_rank (comm, group->ranks[i]);
      if (rank >= 0)
        places[rank] = (gint32) i;
    }
  for (guint i = 0; i < joins->len; i++)
    {
      PdJoin *join = &g_array_index (joins, PdJoin, i);
      join->color = MIN (places[join->old_rank], 0);
      join->key = places[join->old_rank];
    }
}

/* The caller says where it belongs; @own: with colour, key and neighbours. */
static void
join (PdComsys *self, const PdCall *call, PdComm *comm, const Shape *shape, const PdJoin *own,
      PdComm **result)
{
  guint32 me = (guint32) pd_comm_get_rank (comm, call->rank);
  PdBarrierState *barrier = pd_barrier_enter (comm, me);
  PdJoin join = *own;

  *result = NULL;
  join.world_rank = call->rank;
  join.old_rank = me;
  join.result = result;
  g_array_append_val (barrier->joins, join);
  if (barrier->n_arrived < comm->n)
    return;
  if (shape->group != NULL)
    follow_group (comm, shape->group, barrier->joins);
  create_communicators (self, shape, barrier->joins);
  pd_barrier_leave (comm);
}

static void
pay (PdComsys *self, const PdCall *call, PdComm *comm, PdOp op)
{
  pd_comsys_collective (self, call, comm, &(PdCollective){ .op = op });
}

/* Keeps a copy of the lists. */
static PdJoin
with_neighbors (const PdNeighbors *neighbors)
{
  PdJoin own = { .n_sources = neighbors->n_sources, .n_targets = neighbors->n_targets };

  own.neighbors = g_new (guint32, own.n_sources + own.n_targets + 1);
  for (guint32 i = 0; i < own.n_sources; i++)
    own.neighbors[i] = neighbors->sources[i];
  for (guint32 i = 0; i < own.n_targets; i++)
    own.neighbors[own.n_sources + i] = neighbors->targets[i];
  return own;
}

/* ---- the public calls */

void
pd_comsys_comm_dup (PdComsys *self, const PdCall *call, PdComm *comm, PdComm **result)
{
  const PdCart *cart = pd_comm_get_cart (comm);
  gint64 me = pd_comm_get_rank (comm, call->rank);
  PdNeighbors neighbors;

  g_return_if_fail (me >= 0);

  pd_comm_get_neighbors (comm, (guint32) me, &neighbors);
  const PdJoin own = with_neighbors (&neighbors);
  join (self, call, comm,
        &(Shape){ .cart = cart, .is_graph = cart == NULL && comm->topology != NULL }, &own, result);
  pay (self, call, comm, PD_OP_COMM_DUP);
}

void
pd_comsys_comm_create (PdComsys *self, const PdCall *call, PdComm *comm, const PdGroup *group,
                       PdComm **result)
{
  g_return_if_fail (pd_comm_get_rank (comm, call->rank) >= 0);

  join (self, call, comm, &(Shape){ .group = group }, &(PdJoin){ .color = 0 }, result);
  pay (self, call, comm, PD_OP_COMM_CREATE);
}

void
pd_comsys_comm_split (PdComsys *self, const PdCall *call, PdComm *comm, PdSplit split,
                      PdComm **result)
{
  g_return_if_fail (pd_comm_get_rank (comm, call->rank) >= 0);

  join (self, call, comm, &(Shape){ .group = NULL },
        &(PdJoin){ .color = split.color, .key = split.key }, result);
  pay (self, call, comm, PD_OP_COMM_SPLIT);
}

void
pd_comsys_comm_split_type (PdComsys *self, const PdCall *call, PdComm *comm, PdSplit split,
                           PdComm **result)
{
  guint32 processor = self->placement != NULL ? self->placement[call->rank] : call->rank;
  gint32 node = (gint32) pd_topology_get_node (self->topology, processor);

  g_return_if_fail (pd_comm_get_rank (comm, call->rank) >= 0);

  join (self, call, comm, &(Shape){ .group = NULL },
        &(PdJoin){ .color = split.color < 0 ? -1 : node, .key = split.key }, result);
  pay (self, call, comm, PD_OP_COMM_SPLIT_TYPE);
}

/* ---- MPI_Comm_create_group: only members call, so that the first one makes it */

typedef struct
{
  PdComm *comm;
  gint32 tag;
  guint32 n_arrived;
  guint8 *arrived; /* (array length=comm->n) */
} PendingGroup;

static void
pending_group_free (gpointer data)
{
  PendingGroup *pending = data;

  pd_comm_unref (pending->comm);
  g_free (pending->arrived);
  g_free (pending);
}

static gboolean
is_of_group (const PdComm *comm, const PdGroup *group)
{
  if (comm->n != group->n)
    return FALSE;
  for (guint32 i = 0; i < group->n; i++)
    if (pd_comm_world_rank (comm, i) != group->ranks[i])
      return FALSE;
  return TRUE;
}

/* The one that member @me of the group comes to next. */
static PendingGroup *
find_pending (PdComm *comm, const PdGroup *group, gint32 tag, guint32 me)
{
  if (comm->pending_groups == NULL)
    comm->pending_groups = g_ptr_array_new_with_free_func (pending_group_free);
  for (guint i = 0; i < comm->pending_groups->len; i++)
    {
      PendingGroup *pending = g_ptr_array_index (comm->pending_groups, i);
      if (pending->tag == tag && !pending->arrived[me] && is_of_group (pending->comm, group))
        return pending;
    }
  PendingGroup *pending = g_new0 (PendingGroup, 1);
  pending->comm = pd_comm_new (comm->comsys, group->ranks, group->n);
  pending->tag = tag;
  pending->arrived = g_malloc0 (group->n);
  g_ptr_array_add (comm->pending_groups, pending);
  return pending;
}

void
pd_comsys_comm_create_group (PdComsys *self, const PdCall *call, PdComm *comm, const PdGroup *group,
                             gint32 tag, PdComm **result)
{
  gint64 me = pd_group_get_rank (group, call->rank);

  g_return_if_fail (pd_comm_get_rank (comm, call->rank) >= 0 && me >= 0);

  /* of several that wait, the first that it has not come to: those it has come to
   * more often are older */
  PendingGroup *pending = find_pending (comm, group, tag, (guint32) me);
  PdComm *new = pending->comm;
  *result = pd_comm_ref (new);
  pending->arrived[me] = 1;
  if (++pending->n_arrived == new->n)
    g_ptr_array_remove (comm->pending_groups, pending);
  pay (self, call, new, PD_OP_COMM_DUP);
}

/* ---- grids and graphs */

void
pd_comsys_cart_create (PdComsys *self, const PdCall *call, PdComm *comm, const PdCart *cart,
                       PdComm **result)
{
  gint64 me = pd_comm_get_rank (comm, call->rank);
  guint64 size = pd_cart_get_size (cart);

  g_return_if_fail (me >= 0 && cart->n_dims <= PD_MAX_DIMS && size >= 1 && size <= comm->n);

  join (self, call, comm, &(Shape){ .cart = cart },
        &(PdJoin){ .color = (guint64) me < size ? 0 : -1 }, result);
  pay (self, call, comm, PD_OP_CART_CREATE);
}

void
pd_comsys_cart_sub (PdComsys *self, const PdCall *call, PdComm *comm, const gboolean *remain,
                    PdComm **result)
{
  const PdCart *cart = pd_comm_get_cart (comm);
  gint64 me = pd_comm_get_rank (comm, call->rank);
  guint32 coords[PD_MAX_DIMS], color = 0;
  PdCart rest = { .n_dims = 0 };

  g_return_if_fail (me >= 0 && cart != NULL);

  pd_cart_get_coords (cart, (guint32) me, coords);
  for (guint i = 0; i < cart->n_dims; i++)
    {
      if (!remain[i])
        {
          color = color * cart->dims[i] + coords[i];
          continue;
        }
      rest.dims[rest.n_dims] = cart->dims[i];
      rest.periods[rest.n_dims++] = cart->periods[i];
    }
  join (self, call, comm, &(Shape){ .cart = &rest }, &(PdJoin){ .color = (gint32) color }, result);
  pay (self, call, comm, PD_OP_CART_SUB);
}

void
pd_comsys_graph_create (PdComsys *self, const PdCall *call, PdComm *comm, guint32 n,
                        const guint32 *ends, const guint32 *edges, PdComm **result)
{
  gint64 me = pd_comm_get_rank (comm, call->rank);
  PdJoin own = { .color = -1 };

  g_return_if_fail (me >= 0 && n <= comm->n);

  if (me < n)
    {
      guint32 first = me == 0 ? 0 : ends[me - 1], degree = ends[me] - first;
      own = with_neighbors (&(PdNeighbors){ edges + first, edges + first, degree, degree });
    }
  join (self, call, comm, &(Shape){ .is_graph = TRUE }, &own, result);
  pay (self, call, comm, PD_OP_GRAPH_CREATE);
}

void
pd_comsys_dist_graph_create_adjacent (PdComsys *self, const PdCall *call, PdComm *comm,
                                      const PdNeighbors *neighbors, PdComm **result)
{
  g_return_if_fail (pd_comm_get_rank (comm, call->rank) >= 0);

  const PdJoin own = with_neighbors (neighbors);
  join (self, call, comm, &(Shape){ .is_graph = TRUE }, &own, result);
  pay (self, call, comm, PD_OP_DIST_GRAPH_CREATE);
}
