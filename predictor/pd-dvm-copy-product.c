/* Copies between sections of the same shape: each message is the intersection
 * of two boxes, its receivers a product of intervals of coordinates.
 * SPDX-License-Identifier: MIT */
#include "predictor/pd-dvm-copy-private.h"

typedef struct
{
  PdCopyPlan copy;
  PdCopyVector *vector; /* (nullable) */
  guint64 total;
} ProductPlan;

/* Listing of the peers of one processor in one direction. */
typedef struct
{
  PdCopyView view;
  PdRange box[PD_MAX_RANK]; /* of the processor */
  PdCopySlice slices[PD_MAX_GRID_RANK];
  guint64 n_met;      /* 0: nobody; the number of peers and perhaps itself, without a vector */
  gint64 n_undivided; /* elements of the box per element of what the peers' side divides */
} Listing;

/* All choices of coordinates from dimension @d on. */
static void
list_peers (Listing *self, guint d, guint32 linear, gint64 n_elements)
{
  const PdCopySide *side = self->view.side;
  const PdCopyDim *dim = &side->dims[d];
  const PdCopySlice *slice = &self->slices[d];

  if (d == side->grid->rank)
    {
      pd_copy_view_add (&self->view, linear, n_elements);
      return;
    }
  for (guint32 k = 0; k < slice->n; k++)
    {
      guint32 i = pd_copy_slice_index (slice, k);
      gint64 n = 1;

      if (dim->axis >= 0)
        n = pd_range_length (pd_copy_meet_ranges (dim->cells[i].range, self->box[dim->axis]));
      list_peers (self, d + 1, linear + pd_copy_dim_coord (dim, i) * side->grid->steps[d],
                  n_elements * n);
    }
}

static void
find_slices (Listing *self, const PdCopyVector *vector)
{
  const PdCopyPlan *plan = self->view.plan;
  const PdCopySide *own = self->view.send ? &plan->from : &plan->to;

  pd_copy_side_get_box (own, &self->view.place, self->box);
  self->n_met = pd_copy_side_meet (self->view.side, self->box, self->slices);
  if (vector != NULL)
    pd_copy_vector_narrow (vector, self->view.send, &self->view.place, self->slices);
  self->n_undivided = 1;
  for (guint j = 0; j < own->n_axes; j++)
    if (self->view.side->dims_of[j] < 0)
      self->n_undivided *= pd_range_length (self->box[j]);
}

/* Whether the processor itself is among the peers. */
static gboolean
meets_itself (const Listing *self)
{
  PdCopyPlace place;

  if (!pd_copy_side_find (self->view.side, self->view.processor, &place))
    return FALSE;
  for (guint d = 0; d < self->view.side->grid->rank; d++)
    if (place.at[d] - self->slices[d].first >= self->slices[d].n)
      return FALSE;
  return TRUE;
}

/* Whether all peers are replicas of the processor's part of the source, where
 * that shows without a look at each of them. */
static gboolean
meets_only_replicas (const Listing *self)
{
  const PdCopySide *from = &self->view.plan->from, *side = self->view.side;

  if (!self->view.owns || !pd_grid_equal (side->grid, from->grid))
    return FALSE;
  for (guint d = 0; d < from->grid->rank; d++)
    {
      const PdCopySlice *slice = &self->slices[d];
      const PdCopyDim *dim = &from->dims[d];
      guint32 own = pd_copy_dim_coord (dim, self->view.source.at[d]);

      if (dim->axis < 0 && (dim->coords == NULL || side == from))
        continue;
      if (slice->n != 1
          || pd_copy_dim_coord (&side->dims[d], pd_copy_slice_index (slice, 0)) != own)
        return FALSE;
    }
  return TRUE;
}

static guint
list (const ProductPlan *self, guint32 processor, gboolean send, PdPlanMessage *out)
{
  const PdCopyPlan *plan = &self->copy;
  Listing listing;

  if (!pd_copy_view_init (&listing.view, plan, processor, send, out))
    return 0;
  find_slices (&listing, self->vector);
  if (listing.n_met == 0 || meets_only_replicas (&listing))
    return 0;
  if (out == NULL && !plan->elementwise && plan->within == NULL)
    return (guint) (listing.n_met - (meets_itself (&listing) ? 1 : 0));
  list_peers (&listing, 0, 0, listing.n_undivided);
  return listing.view.n;
}

/* ---- the plan */

static guint
plan_get_max (const PdPlan *plan, guint32 processor)
{
  const ProductPlan *self = (const ProductPlan *) plan;

  return list (self, processor, FALSE, NULL) + list (self, processor, TRUE, NULL);
}

static guint
plan_get_messages (const PdPlan *plan, guint32 processor, PdPlanMessage *out)
{
  const ProductPlan *self = (const ProductPlan *) plan;
  guint n = list (self, processor, self->copy.sends_first, out);

  return n + list (self, processor, !self->copy.sends_first, out + n);
}

static guint64
plan_get_total (const PdPlan *plan)
{
  return ((const ProductPlan *) plan)->total;
}

static void
plan_free (PdPlan *plan)
{
  ProductPlan *self = (ProductPlan *) plan;

  pd_copy_plan_clear (&self->copy);
  g_clear_pointer (&self->vector, pd_copy_vector_free);
  g_free (self);
}

static const PdPlanClass plan_class = {
  .get_max = plan_get_max,
  .get_messages = plan_get_messages,
  .get_total = plan_get_total,
  .free = plan_free,
};

PdPlan *
pd_copy_plan_new_product (const PdCopyPlan *copy, PdCopyVector *vector)
{
  ProductPlan *self = g_new0 (ProductPlan, 1);

  self->copy = *copy;
  self->vector = vector;
  pd_plan_init (&self->copy.base, &plan_class);
  self->total = pd_copy_plan_count_messages (&self->copy, vector);
  return &self->copy.base;
}
