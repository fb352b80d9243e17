/* Copies between sections of the same shape: each message is the intersection
 * of two boxes, its receivers a product of intervals of coordinates.
 * SPDX-License-Identifier: MIT */
#include "predictor/pd-dvm-copy-private.h"

typedef struct
{
  PdCopyPlan copy;
  guint64 total;
} ProductPlan;

/* Listing of the peers of one processor in one direction. */
typedef struct
{
  const PdCopyPlan *plan;
  const PdCopySide *side; /* of the peers */
  const PdRange *box;     /* of the processor */
  PdCopySlice slices[PD_MAX_GRID_RANK];
  guint64 n_met;      /* the product of the slices */
  gint64 n_undivided; /* elements of the box per element of what @side divides */
  guint32 processor;
  gboolean send;
  gboolean owns;      /* elementwise: it holds a part of the source, */
  PdCopyPlace source; /* here */
  PdPlanMessage *out; /* (nullable): only counted */
  guint n;
} Listing;

static gboolean
takes_part (const PdCopyPlan *self, guint32 processor)
{
  return self->within == NULL || pd_grid_find (self->within, processor) >= 0;
}

/* Replicas of one part of the source need nothing of each other. */
static gboolean
is_left_out (const Listing *self, guint32 peer)
{
  PdCopyPlace place;

  if (peer == self->processor || !takes_part (self->plan, peer))
    return TRUE;
  return self->owns && pd_copy_side_find (&self->plan->from, peer, &place)
         && pd_copy_side_same_class (&self->plan->from, &self->source, &place);
}

/* All choices of coordinates from dimension @dim on. */
static void
list_peers (Listing *self, guint dim, guint32 linear, gint64 n_elements)
{
  const PdCopyDim *d = &self->side->dims[dim];

  if (dim == self->side->grid->rank)
    {
      guint32 peer = pd_grid_processor (self->side->grid, linear);

      if (is_left_out (self, peer))
        return;
      if (self->out != NULL)
        self->out[self->n] =
            (PdPlanMessage){ .peer = peer, .send = self->send, .bytes = pd_copy_bytes (n_elements, self->plan->type_size) };
      self->n++;
      return;
    }
  for (guint32 i = self->slices[dim].first; i < self->slices[dim].first + self->slices[dim].n; i++)
    {
      gint64 n =
          d->axis < 0
              ? 1
              : pd_range_length (pd_copy_meet_ranges (d->cells[i].range, self->box[d->axis]));

      list_peers (self, dim + 1, linear + pd_copy_dim_coord (d, i) * self->side->grid->steps[dim],
                  n_elements * n);
    }
}

/* The peers are on @side; @place is that of the processor on the other one. */
static void
start_listing (Listing *self, const PdCopyPlan *plan, guint32 processor, gboolean send,
               const PdCopyPlace *place, PdRange *box)
{
  const PdCopySide *own = send ? &plan->from : &plan->to;

  *self = (Listing){ .plan = plan, .processor = processor, .send = send, .n_undivided = 1 };
  self->side = send ? &plan->to : &plan->from;
  self->box = box;
  pd_copy_side_get_box (own, place, box);
  self->n_met = pd_copy_side_meet (self->side, box, self->slices);
  for (guint j = 0; j < own->n_axes; j++)
    if (self->side->dims_of[j] < 0)
      self->n_undivided *= pd_range_length (box[j]);
  if (plan->elementwise)
    self->owns = pd_copy_side_find (&plan->from, processor, &self->source);
}

/* Whether the processor itself is among the peers. */
static gboolean
meets_itself (const Listing *self)
{
  PdCopyPlace place;

  if (!pd_copy_side_find (self->side, self->processor, &place))
    return FALSE;
  for (guint d = 0; d < self->side->grid->rank; d++)
    if (place.at[d] - self->slices[d].first >= self->slices[d].n)
      return FALSE;
  return TRUE;
}

/* Whether all peers are replicas of the processor's part of the source, where
 * that shows without a look at each of them. */
static gboolean
meets_only_replicas (const Listing *self)
{
  const PdCopySide *from = &self->plan->from;

  if (!self->owns || !pd_grid_equal (self->side->grid, from->grid))
    return FALSE;
  for (guint d = 0; d < from->grid->rank; d++)
    {
      const PdCopySlice slice = self->slices[d];
      const PdCopyDim *dim = &from->dims[d];
      guint32 own = pd_copy_dim_coord (dim, self->source.at[d]);

      if (dim->axis < 0 && (dim->coords == NULL || self->side == from))
        continue;
      if (slice.n != 1 || pd_copy_dim_coord (&self->side->dims[d], slice.first) != own)
        return FALSE;
    }
  return TRUE;
}

static guint
list (const PdCopyPlan *plan, guint32 processor, gboolean send, PdPlanMessage *out)
{
  PdRange box[PD_MAX_RANK];
  PdCopyPlace place;
  Listing listing;

  if (!takes_part (plan, processor)
      || !pd_copy_side_find (send ? &plan->from : &plan->to, processor, &place))
    return 0;
  start_listing (&listing, plan, processor, send, &place, box);
  if (listing.n_met == 0 || meets_only_replicas (&listing))
    return 0;
  if (out == NULL && !plan->elementwise && plan->within == NULL)
    return (guint) (listing.n_met - (meets_itself (&listing) ? 1 : 0));
  listing.out = out;
  list_peers (&listing, 0, 0, listing.n_undivided);
  return listing.n;
}

/* ---- number of messages of all */

static guint64
multiply (guint64 a, guint64 b)
{
  guint64 product;

  return __builtin_mul_overflow (a, b, &product) ? G_MAXUINT64 : product;
}

/* Pairs of cells of the two sides that meet along an axis. */
static guint64
count_axis (const PdCopyPlan *self, guint axis)
{
  gint from = self->from.dims_of[axis], to = self->to.dims_of[axis];
  guint64 n = 0;

  if (from < 0 || to < 0)
    return from >= 0 ? self->from.dims[from].n : to >= 0 ? self->to.dims[to].n : 1;
  for (guint32 i = 0; i < self->from.dims[from].n; i++)
    n += pd_copy_dim_meet (&self->to.dims[to], self->from.dims[from].cells[i].range).n;
  return n;
}

/* Coordinates of a grid dimension that hold, on both sides, something that meets. */
static guint64
count_common (const PdCopyPlan *self, guint dim)
{
  const PdCopyDim *from = &self->from.dims[dim], *to = &self->to.dims[dim];
  guint64 n = 0;

  for (guint32 i = 0; i < from->n; i++)
    {
      gint64 k = pd_copy_dim_find (to, pd_copy_dim_coord (from, i));

      if (k < 0)
        continue;
      if (from->axis >= 0 && from->axis == to->axis)
        {
          PdRange range = pd_copy_meet_ranges (from->cells[i].range, to->cells[k].range);

          n += range.lo <= range.hi ? 1 : 0;
          continue;
        }
      n++;
    }
  return n;
}

/* Processors that would send to themselves; 0 where that is not a product. */
static guint64
count_selves (const PdCopyPlan *self)
{
  guint64 n = 1;

  if (!pd_grid_equal (self->from.grid, self->to.grid))
    return 0;
  for (guint j = 0; j < self->from.n_axes; j++)
    if (self->from.dims_of[j] >= 0 && self->to.dims_of[j] >= 0
        && self->from.dims_of[j] != self->to.dims_of[j])
      return 0;
  for (guint d = 0; d < self->from.grid->rank; d++)
    n *= count_common (self, d);
  return n;
}

static guint64
count_messages (const PdCopyPlan *self)
{
  guint64 n = 1;

  for (guint j = 0; j < self->from.n_axes; j++)
    n = multiply (n, count_axis (self, j));
  for (guint d = 0; d < self->from.grid->rank; d++)
    if (self->from.dims[d].axis < 0)
      n = multiply (n, self->from.dims[d].n);
  for (guint d = 0; d < self->to.grid->rank; d++)
    if (self->to.dims[d].axis < 0)
      n = multiply (n, self->to.dims[d].n);
  return n - MIN (n, count_selves (self));
}

/* ---- the plan */

static guint
plan_get_max (const PdPlan *plan, guint32 processor)
{
  const PdCopyPlan *self = (const PdCopyPlan *) plan;

  return list (self, processor, FALSE, NULL) + list (self, processor, TRUE, NULL);
}

static guint
plan_get_messages (const PdPlan *plan, guint32 processor, PdPlanMessage *out)
{
  const PdCopyPlan *self = (const PdCopyPlan *) plan;
  guint n = list (self, processor, self->sends_first, out);

  return n + list (self, processor, !self->sends_first, out + n);
}

static guint64
plan_get_total (const PdPlan *plan)
{
  return ((const ProductPlan *) plan)->total;
}

static void
plan_free (PdPlan *plan)
{
  PdCopyPlan *self = (PdCopyPlan *) plan;

  pd_copy_side_clear (&self->from);
  pd_copy_side_clear (&self->to);
  g_clear_pointer (&self->within, pd_grid_unref);
  g_free (self);
}

static const PdPlanClass plan_class = {
  .get_max = plan_get_max,
  .get_messages = plan_get_messages,
  .get_total = plan_get_total,
  .free = plan_free,
};

PdPlan *
pd_copy_plan_new_product (const PdCopyPlan *copy)
{
  ProductPlan *self = g_new0 (ProductPlan, 1);

  self->copy = *copy;
  pd_plan_init (&self->copy.base, &plan_class);
  self->total = count_messages (&self->copy);
  return &self->copy.base;
}

/* ---- no messages */

static guint
nothing_get_max (const PdPlan *self G_GNUC_UNUSED, guint32 processor G_GNUC_UNUSED)
{
  return 0;
}

static guint
nothing_get_messages (const PdPlan *self G_GNUC_UNUSED, guint32 processor G_GNUC_UNUSED,
                      PdPlanMessage *out G_GNUC_UNUSED)
{
  return 0;
}

static guint64
nothing_get_total (const PdPlan *self G_GNUC_UNUSED)
{
  return 0;
}

static void
nothing_free (PdPlan *self)
{
  g_free (self);
}

PdPlan *
pd_copy_plan_new_nothing (void)
{
  static const PdPlanClass nothing_class = {
    .get_max = nothing_get_max,
    .get_messages = nothing_get_messages,
    .get_total = nothing_get_total,
    .free = nothing_free,
  };
  PdPlan *self = g_new0 (PdPlan, 1);

  pd_plan_init (self, &nothing_class);
  return self;
}
