/* Copies of vectors on a grid of rank 2, the second rule:
 * only one replica sends.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/copy/pd-dvm-copy-private.h"
#include "predictor/dvm/copy/pd-dvm-copy-side-private.h"
#include "predictor/dvm/copy/pd-dvm-copy-vector-private.h"

/* The replica meant for coordinate @coord; where that one holds nothing, one
 * that does. */
static guint32
choose (const PdCopyPlan *plan, guint from_dim, guint32 coord)
{
  const PdCopyDim *dim = &plan->from.dims[from_dim];
  guint32 replica = coord % plan->from.grid->sizes[from_dim];
  gint64 at = pd_copy_dim_find (dim, replica);

  return at >= 0 ? (guint32) at : replica % dim->n;
}

PdCopyVector *
pd_copy_vector_new (const PdCopyPlan *plan, guint from_dim, guint to_dim)
{
  PdCopyVector *self = g_new0 (PdCopyVector, 1);
  const PdCopyDim *from = &plan->from.dims[from_dim], *to = &plan->to.dims[to_dim];

  self->from_dim = from_dim;
  self->to_dim = to_dim;
  self->chosen = g_new0 (guint32, MAX (to->n, 1));
  self->first = g_new0 (guint32, from->n + 2);
  self->askers = g_new0 (guint32, MAX (to->n, 1));
  if (from->n == 0)
    return self;

  /* counting sort; first[k + 1] is where the next asker of k goes */
  for (guint32 i = 0; i < to->n; i++)
    {
      self->chosen[i] = choose (plan, from_dim, pd_copy_dim_coord (to, i));
      self->first[self->chosen[i] + 2]++;
    }
  for (guint32 k = 0; k < from->n; k++)
    self->first[k + 2] += self->first[k + 1];
  for (guint32 i = 0; i < to->n; i++)
    self->askers[self->first[self->chosen[i] + 1]++] = i;
  return self;
}

void
pd_copy_vector_free (PdCopyVector *self)
{
  g_free (self->chosen);
  g_free (self->first);
  g_free (self->askers);
  g_free (self);
}

void
pd_copy_vector_narrow (const PdCopyVector *self, gboolean send, const PdCopyPlace *place,
                       PdCopySlice *slices)
{
  if (send)
    {
      guint32 k = place->at[self->from_dim];

      slices[self->to_dim] =
          (PdCopySlice){ self->first[k], self->first[k + 1] - self->first[k], self->askers };
      return;
    }
  /* the source may have no holder */
  if (slices[self->from_dim].n > 0)
    slices[self->from_dim] = (PdCopySlice){ self->chosen[place->at[self->to_dim]], 1, NULL };
}
