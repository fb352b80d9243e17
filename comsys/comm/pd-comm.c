/* Groups and communicators.
 * SPDX-License-Identifier: MIT */
#include "comsys/comm/pd-comm.h"

#include "comsys/comm/pd-comm-topology.h"
#include "comsys/state/pd-lookup.h"

#include <string.h>

static guint32 *
copy_ranks (const guint32 *ranks, guint32 n)
{
  guint32 *copy = g_new (guint32, n);

  if (n > 0)
    memcpy (copy, ranks, n * sizeof *ranks);
  return copy;
}

PdGroup *
pd_group_new (const guint32 *ranks, guint32 n)
{
  PdGroup *self = g_new (PdGroup, 1);

  self->n = n;
  self->ranks = copy_ranks (ranks, n);
  return self;
}

PdGroup *
pd_group_incl (const PdGroup *self, const guint32 *ranks, guint32 n)
{
  g_autofree guint32 *world = g_new (guint32, n);

  for (guint32 i = 0; i < n; i++)
    {
      if (ranks[i] >= self->n)
        return NULL;
      world[i] = self->ranks[ranks[i]];
    }
  return pd_group_new (world, n);
}

void
pd_group_free (PdGroup *self)
{
  if (self == NULL)
    return;
  g_free (self->ranks);
  g_free (self);
}

guint32
pd_group_get_size (const PdGroup *self)
{
  return self->n;
}

PdComm *
pd_comm_new (PdComsys *comsys, const guint32 *ranks, guint32 n)
{
  PdComm *self = g_new0 (PdComm, 1);
  gboolean identity = n == comsys->n_ranks;

  self->refs = 1;
  self->comsys = comsys;
  self->context = comsys->next_context;
  comsys->next_context += 2;
  self->n = n;
  self->sorted = TRUE;
  for (guint32 i = 0; i < n; i++)
    {
      identity = identity && ranks[i] == i;
      self->sorted = self->sorted && (i == 0 || ranks[i - 1] < ranks[i]);
    }
  self->ranks = identity ? NULL : copy_ranks (ranks, n);
  return self;
}

PdComm *
pd_comm_ref (PdComm *self)
{
  self->refs++;
  return self;
}

void
pd_comm_unref (PdComm *self)
{
  if (self == NULL || --self->refs > 0)
    return;
  g_clear_pointer (&self->index, g_hash_table_unref);
  g_clear_pointer (&self->barriers, g_ptr_array_unref);
  g_free (self->n_entered);
  g_free (self->n_nonblocking);
  pd_comm_topology_free (self->topology);
  g_clear_pointer (&self->pending_groups, g_ptr_array_unref);
  g_clear_pointer (&self->memories, g_array_unref);
  g_free (self->ranks);
  g_free (self);
}

guint32
pd_comm_get_size (const PdComm *self)
{
  return self->n;
}

static gint64
search (const PdComm *self, guint32 world_rank)
{
  guint32 lo = 0, hi = self->n;

  while (lo < hi)
    {
      guint32 middle = lo + (hi - lo) / 2;
      if (self->ranks[middle] < world_rank)
        lo = middle + 1;
      else
        hi = middle;
    }
  return lo < self->n && self->ranks[lo] == world_rank ? (gint64) lo : -1;
}

gint64
pd_comm_get_rank (const PdComm *self, guint32 world_rank)
{
  gpointer rank;

  if (self->ranks == NULL)
    return world_rank < self->n ? (gint64) world_rank : -1;
  if (self->sorted)
    return search (self, world_rank);
  if (self->index == NULL)
    {
      PdComm *mutable = (PdComm *) self; /* a cache, not a change */
      mutable->index = g_hash_table_new (NULL, NULL);
      for (guint32 i = 0; i < self->n; i++)
        g_hash_table_insert (self->index, GUINT_TO_POINTER (self->ranks[i]), GUINT_TO_POINTER (i));
    }
  return g_hash_table_lookup_extended (self->index, GUINT_TO_POINTER (world_rank), NULL, &rank)
             ? (gint64) GPOINTER_TO_UINT (rank)
             : -1;
}

PdGroup *
pd_comm_get_group (const PdComm *self)
{
  g_autofree guint32 *ranks = g_new (guint32, self->n);

  for (guint32 i = 0; i < self->n; i++)
    ranks[i] = pd_comm_world_rank (self, i);
  return pd_group_new (ranks, self->n);
}
