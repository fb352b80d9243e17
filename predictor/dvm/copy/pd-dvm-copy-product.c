/* Copies between sections of the same shape: each message is the intersection
 * of two boxes, its receivers a product of intervals of coordinates.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/copy/pd-dvm-copy-private.h"
#include "predictor/dvm/copy/pd-dvm-copy-product-private.h"
#include "predictor/dvm/copy/pd-dvm-copy-side-private.h"
#include "predictor/dvm/copy/pd-dvm-copy-total-private.h"
#include "predictor/dvm/copy/pd-dvm-copy-vector-private.h"
#include "predictor/dvm/copy/pd-dvm-copy-view-private.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"

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
  const PdCopySide *own;
  PdIndexRange box[PD_MAX_RANK]; /* of the processor */
  gint64 lengths[PD_MAX_RANK];   /* of the message along each varying axis */
  PdCopySlice slices[PD_MAX_GRID_RANK];
  gint64 n_undivided; /* elements of the box per element of the axes that the peers' side divides */
  guint varying[PD_MAX_GRID_RANK]; /* dimensions with several coordinates */
  guint n_varying;
} Listing;

/* The number of elements of the processor's box that the @i-th coordinate of a dimension
 * has along the axis it divides; 1 if it divides none. */
static gint64
meet_box (const Listing *self, const PdCopyDim *dim, guint32 i)
{
  return dim->axis < 0
             ? 1
             : pd_range_length (pd_copy_meet_ranges (dim->cells[i].range, self->box[dim->axis]));
}

/* Some peers: where they are, and how many elements each gets or gives. */
typedef struct
{
  guint32 linear;
  gint64 n_elements;
} Some;

/* Those of @some with the @k-th coordinate of dimension @d. */
static Some
choose (Listing *self, guint d, guint32 k, Some some)
{
  const PdCopySide *side = self->view.side;
  const PdCopyDim *dim = &side->dims[d];
  guint32 i = pd_copy_slice_index (&self->slices[d], k);
  gint64 n = meet_box (self, dim, i);

  if (dim->axis >= 0)
    self->lengths[dim->axis] = n;
  return (Some){ some.linear + pd_copy_dim_coord (dim, i) * side->grid->steps[d],
                 some.n_elements * n };
}

/* All choices of coordinates from the @v-th varying dimension on. */
static void
list_varying (Listing *self, guint v, Some some)
{
  if (v == self->n_varying)
    {
      pd_copy_view_add (&self->view, some.linear, some.n_elements,
                        some.n_elements / pd_copy_side_get_run (self->own, self->lengths));
      return;
    }
  guint d = self->varying[v];
  for (guint32 k = 0; k < self->slices[d].n; k++)
    list_varying (self, v + 1, choose (self, d, k, some));
}

static void
list_peers (Listing *self)
{
  Some all = { 0, self->n_undivided };

  for (guint d = 0; d < self->view.side->grid->rank; d++)
    if (self->slices[d].n == 1)
      all = choose (self, d, 0, all);
    else
      self->varying[self->n_varying++] = d;
  list_varying (self, 0, all);
}

static gboolean
start_listing (Listing *self, const ProductPlan *plan, guint32 processor, gboolean send)
{
  if (!pd_copy_view_init (&self->view, &plan->copy, processor, send, NULL))
    return FALSE;
  self->own = send ? &plan->copy.from : &plan->copy.to;
  pd_copy_side_get_box (self->own, &self->view.place, self->box);
  pd_copy_side_meet (self->view.side, self->box, self->slices);
  if (plan->vector != NULL)
    pd_copy_vector_narrow (plan->vector, send, &self->view.place, self->slices);
  for (guint d = 0; plan->copy.once && !send && d < plan->copy.from.grid->rank; d++)
    if (plan->copy.from.dims[d].axis < 0)
      self->slices[d].n = MIN (self->slices[d].n, 1);
  self->n_undivided = 1;
  self->n_varying = 0;
  for (guint j = 0; j < self->own->n_axes; j++)
    {
      self->lengths[j] = pd_range_length (self->box[j]);
      if (self->view.side->dims_of[j] < 0)
        self->n_undivided *= self->lengths[j];
    }
  return TRUE;
}

/* ---- sums, without a look at each peer */

typedef struct
{
  gint64 n;          /* messages */
  gint64 n_elements; /* of them */
} Sum;

static Sum
sum_slice (const Listing *self, guint d)
{
  const PdCopyDim *dim = &self->view.side->dims[d];
  const PdCopySlice *slice = &self->slices[d];
  guint32 first = slice->first, last = first + slice->n - 1;

  if (slice->n == 0 || dim->axis < 0)
    return (Sum){ slice->n, slice->n };
  if (slice->n == 1)
    return (Sum){ 1, meet_box (self, dim, first) };
  /* all but the ends lie within the box */
  return (Sum){ slice->n, meet_box (self, dim, first) + meet_box (self, dim, last)
                              + dim->cells[last].before - dim->cells[first + 1].before };
}

/* The one coordinate @coord, if it is in the slice. */
static Sum
sum_coord (const Listing *self, guint d, guint32 coord)
{
  const PdCopyDim *dim = &self->view.side->dims[d];
  gint64 i = pd_copy_dim_find (dim, coord);

  if (i < 0 || !pd_copy_slice_has (&self->slices[d], (guint32) i))
    return (Sum){ 0, 0 };
  return (Sum){ 1, meet_box (self, dim, (guint32) i) };
}

/* The coordinates of those nothing is sent to or got from: they make a product.
 * @coord is that of the processor itself. */
static Sum
sum_excluded (const Listing *self, guint d, guint32 coord)
{
  const PdCopySide *side = self->view.side;
  const PdCopyDim *from = &self->view.plan->from.dims[d];
  Sum sum = { 0, 0 };

  if (!self->view.plan->elementwise || from->axis >= 0)
    return sum_coord (self, d, coord);
  if (side == &self->view.plan->from || from->coords == NULL)
    return sum_slice (self, d);
  for (guint32 i = 0; i < from->n; i++)
    {
      Sum one = sum_coord (self, d, from->coords[i]);

      sum = (Sum){ sum.n + one.n, sum.n_elements + one.n_elements };
    }
  return sum;
}

/* Adds up the peers, the excluded ones among them separately. */
static void
add_up (const Listing *self, const guint32 *coords, Sum *all, Sum *excluded)
{
  *all = *excluded = (Sum){ 1, self->n_undivided };
  for (guint d = 0; d < self->view.side->grid->rank; d++)
    {
      Sum a = sum_slice (self, d);
      Sum e = coords != NULL ? sum_excluded (self, d, coords[d]) : (Sum){ 0, 0 };

      *all = (Sum){ all->n * a.n, pd_copy_times (all->n_elements, a.n_elements) };
      *excluded = (Sum){ excluded->n * e.n, pd_copy_times (excluded->n_elements, e.n_elements) };
    }
}

/* Whether those that are excluded make a product. */
static gboolean
is_summable (const PdCopyPlan *self, gboolean send)
{
  return self->within == NULL
         && (!self->elementwise || !send || pd_grid_equal (self->from.grid, self->to.grid));
}

/* The messages of a processor in one direction, of a plan that is summable. */
static Sum
sum_up (const Listing *self)
{
  const PdCopyView *view = &self->view;
  guint32 coords[PD_MAX_GRID_RANK];
  gint64 linear = view->plan->elementwise && !view->owns
                      ? -1
                      : pd_grid_find (view->side->grid, view->processor);
  Sum all, excluded;

  if (linear >= 0)
    pd_grid_get_coords (view->side->grid, (guint32) linear, coords);
  add_up (self, linear >= 0 ? coords : NULL, &all, &excluded);
  /* beyond what can be counted both are the same */
  return (Sum){ all.n - excluded.n, all.n_elements == G_MAXINT64 && all.n > excluded.n
                                        ? G_MAXINT64
                                        : all.n_elements - excluded.n_elements };
}

/* ---- one direction */

static guint
list (const ProductPlan *self, guint32 processor, gboolean send, PdPlanMessage *out)
{
  Listing listing;

  if (!start_listing (&listing, self, processor, send))
    return 0;
  if (is_summable (&self->copy, send))
    {
      gint64 n = sum_up (&listing).n;

      if (n == 0 || out == NULL)
        return (guint) n;
    }
  listing.view.out = out;
  list_peers (&listing);
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

/* Sums up the list. */
static Sum
sum_listed (const ProductPlan *self, guint32 processor, gboolean send)
{
  guint max = list (self, processor, send, NULL);
  g_autofree PdPlanMessage *messages = g_new (PdPlanMessage, max);
  Sum sum = { list (self, processor, send, messages), 0 };

  for (guint i = 0; i < sum.n; i++)
    sum.n_elements = pd_copy_add (sum.n_elements, messages[i].bytes / self->copy.type_size);
  return sum;
}

static Sum
sum_direction (const ProductPlan *self, guint32 processor, gboolean send)
{
  Listing listing;

  if (!is_summable (&self->copy, send))
    return sum_listed (self, processor, send);
  if (!start_listing (&listing, self, processor, send))
    return (Sum){ 0, 0 };
  return sum_up (&listing);
}

static void
plan_get_traffic (const PdPlan *plan, guint32 processor, PdTraffic *out)
{
  const ProductPlan *self = (const ProductPlan *) plan;
  Sum sent = sum_direction (self, processor, TRUE);
  Sum received = sum_direction (self, processor, FALSE);

  *out = (PdTraffic){ .n_sent = sent.n,
                      .n_received = received.n,
                      .bytes_sent = pd_copy_times (sent.n_elements, self->copy.type_size),
                      .bytes_received = pd_copy_times (received.n_elements, self->copy.type_size) };
}

/* The common part of both sides. */
static void
plan_get_local (const PdPlan *plan, guint32 processor, PdPlanLocal *out)
{
  const PdCopyPlan *self = &((const ProductPlan *) plan)->copy;
  PdCopyPlace from, to;
  PdIndexRange source[PD_MAX_RANK], target[PD_MAX_RANK];
  gint64 lengths[PD_MAX_RANK];
  gint64 n = 1;

  if (!pd_copy_plan_find_both (self, processor, &from, &to))
    return;
  pd_copy_side_get_box (&self->from, &from, source);
  pd_copy_side_get_box (&self->to, &to, target);
  for (guint j = 0; j < self->from.n_axes; j++)
    {
      lengths[j] = MAX (pd_range_length (pd_copy_meet_ranges (source[j], target[j])), 0);
      n *= lengths[j];
    }
  if (n == 0)
    return;
  out->copied = pd_copy_times (n, self->type_size);
  out->runs = n
              / MIN (pd_copy_side_get_run (&self->from, lengths),
                     pd_copy_side_get_run (&self->to, lengths));
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
  .get_traffic = plan_get_traffic,
  .get_local = plan_get_local,
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
