/* Grids of ranks, and who is whose neighbour.
 * SPDX-License-Identifier: MIT */
#include "comsys/comm/pd-cart.h"

#include "comsys/coll/pd-op.h"
#include "comsys/comm/pd-comm-topology.h"
#include "comsys/comm/pd-comm.h"

#include <string.h>

/* ---- MPI_Dims_create */

/* @n as a product of @n_dims factors, none larger than @most: of all ways that
 * with the smallest largest factor, then the smallest next one, … */
static gboolean
factorize (guint32 n, guint n_dims, guint32 most, guint32 *factors)
{
  if (n_dims == 0)
    return n == 1;
  for (guint32 f = 1; f <= MIN (n, most); f++)
    {
      gdouble largest = f; /* what n_dims factors up to f can reach */
      if (n % f != 0)
        continue;
      for (guint i = 1; i < n_dims && largest < n; i++)
        largest *= f;
      factors[0] = f;
      if (largest >= n && factorize (n / f, n_dims - 1, f, factors + 1))
        return TRUE;
    }
  return FALSE;
}

gboolean
pd_dims_create (guint32 n, guint n_dims, guint32 *dims)
{
  guint32 factors[PD_MAX_DIMS];
  guint n_free = 0;
  guint64 given = 1;

  g_return_val_if_fail (n >= 1 && n_dims <= PD_MAX_DIMS, FALSE);

  for (guint i = 0; i < n_dims; i++)
    {
      n_free += dims[i] == 0 ? 1 : 0;
      given *= MAX (dims[i], 1);
      if (given > n)
        return FALSE;
    }
  if (n % given != 0 || !factorize ((guint32) (n / given), n_free, G_MAXUINT32, factors))
    return FALSE;
  for (guint i = 0, k = 0; i < n_dims; i++)
    if (dims[i] == 0)
      dims[i] = factors[k++];
  return TRUE;
}

/* ---- coordinates */

guint64
pd_cart_get_size (const PdCart *cart)
{
  guint64 size = 1;

  for (guint i = 0; i < cart->n_dims; i++)
    if (__builtin_mul_overflow (size, cart->dims[i], &size))
      return G_MAXUINT64;
  return size;
}

void
pd_cart_get_coords (const PdCart *cart, guint32 rank, guint32 *coords)
{
  for (guint i = cart->n_dims; i-- > 0;)
    {
      coords[i] = rank % cart->dims[i];
      rank /= cart->dims[i];
    }
}

guint32
pd_cart_get_rank (const PdCart *cart, const gint64 *coords)
{
  guint64 rank = 0;

  for (guint i = 0; i < cart->n_dims; i++)
    {
      gint64 n = cart->dims[i], c = coords[i];
      if (cart->periods[i])
        c = (c % n + n) % n;
      if (c < 0 || c >= n)
        return PD_NO_NEIGHBOR;
      rank = rank * (guint64) n + (guint64) c;
    }
  return (guint32) rank;
}

/* The rank @by after @rank. */
static guint32
move (const PdCart *cart, guint32 rank, guint dim, gint64 by)
{
  guint32 coords[PD_MAX_DIMS];
  gint64 moved[PD_MAX_DIMS];

  pd_cart_get_coords (cart, rank, coords);
  for (guint i = 0; i < cart->n_dims; i++)
    moved[i] = coords[i];
  moved[dim] += by;
  return pd_cart_get_rank (cart, moved);
}

void
pd_cart_shift (const PdCart *cart, guint32 rank, guint dim, gint32 by, guint32 *source,
               guint32 *target)
{
  g_return_if_fail (dim < cart->n_dims && rank < pd_cart_get_size (cart));

  *source = move (cart, rank, dim, -(gint64) by);
  *target = move (cart, rank, dim, by);
}

/* ---- topologies of communicators */

PdCommTopology *
pd_comm_topology_new (guint32 n)
{
  PdCommTopology *self = g_new0 (PdCommTopology, 1);

  self->n = n;
  self->source_ends = g_new0 (guint32, n);
  self->target_ends = g_new0 (guint32, n);
  self->sources = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->targets = g_array_new (FALSE, FALSE, sizeof (guint32));
  return self;
}

void
pd_comm_topology_free (PdCommTopology *self)
{
  if (self == NULL)
    return;
  g_free (self->source_ends);
  g_free (self->target_ends);
  g_array_unref (self->sources);
  g_array_unref (self->targets);
  g_free (self);
}

void
pd_comm_topology_add (PdCommTopology *self, guint32 rank, const PdNeighbors *neighbors)
{
  if (neighbors->n_sources > 0)
    g_array_append_vals (self->sources, neighbors->sources, neighbors->n_sources);
  if (neighbors->n_targets > 0)
    g_array_append_vals (self->targets, neighbors->targets, neighbors->n_targets);
  self->source_ends[rank] = self->sources->len;
  self->target_ends[rank] = self->targets->len;
}

PdCommTopology *
pd_comm_topology_new_cart (const PdCart *cart)
{
  PdCommTopology *self = pd_comm_topology_new ((guint32) pd_cart_get_size (cart));
  guint32 both[2 * PD_MAX_DIMS];

  self->is_cart = TRUE;
  self->cart = *cart;
  for (guint32 rank = 0; rank < self->n; rank++)
    {
      for (guint i = 0; i < cart->n_dims; i++)
        pd_cart_shift (cart, rank, i, 1, &both[2 * i], &both[2 * i + 1]);
      pd_comm_topology_add (self, rank,
                            &(PdNeighbors){ both, both, 2 * cart->n_dims, 2 * cart->n_dims });
    }
  return self;
}

const PdCart *
pd_comm_get_cart (const PdComm *self)
{
  return self->topology != NULL && self->topology->is_cart ? &self->topology->cart : NULL;
}

static const guint32 *
get_run (const GArray *ranks, const guint32 *ends, guint32 rank, guint32 *n)
{
  guint32 first = rank == 0 ? 0 : ends[rank - 1];

  *n = ends[rank] - first;
  return &((const guint32 *) (gpointer) ranks->data)[first];
}

void
pd_comm_get_neighbors (const PdComm *self, guint32 rank, PdNeighbors *neighbors)
{
  const PdCommTopology *topology = self->topology;

  g_return_if_fail (rank < self->n);

  *neighbors = (PdNeighbors){ NULL, NULL, 0, 0 };
  if (topology == NULL)
    return;
  neighbors->sources =
      get_run (topology->sources, topology->source_ends, rank, &neighbors->n_sources);
  neighbors->targets =
      get_run (topology->targets, topology->target_ends, rank, &neighbors->n_targets);
}
