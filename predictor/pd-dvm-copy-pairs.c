/* Copies between sections of different shapes, element by element in linear
 * order: how many elements go from each class of the source to each class of
 * the target is counted once and kept. The linear order falls into slices, each
 * of one class of one side; a slice is a few boxes of the other side.
 * SPDX-License-Identifier: MIT */
#include "predictor/pd-dvm-copy-private.h"

#include <stdlib.h>

/* Elements from one class to another. */
typedef struct
{
  guint32 own; /* class of the side the table is sorted by */
  guint32 other;
  gint64 n_elements;
} Pair;

typedef struct
{
  PdCopyPlan copy;
  guint n_pairs;
  Pair *by_from; /* sorted by own, then other */
  Pair *by_to;
  guint64 total;
} PairsPlan;

/* ---- classes: numbered row-major in the dimensions that divide an axis */

static guint32
find_class (const PdCopySide *side, const PdCopyPlace *place)
{
  guint32 class = 0;

  for (guint d = 0; d < side->grid->rank; d++)
    if (side->dims[d].axis >= 0)
      class = class * side->dims[d].n + place->at[d];
  return class;
}

static void
split_class (const PdCopySide *side, guint32 class, PdCopyPlace *place)
{
  for (guint d = side->grid->rank; d-- > 0;)
    if (side->dims[d].axis >= 0)
      {
        place->at[d] = class % side->dims[d].n;
        class /= side->dims[d].n;
      }
}

/* ---- the order of elements of a side */

/* How a side is cut in linear order. */
typedef struct
{
  const PdCopySide *side;
  gint last;     /* the last axis that is divided among several; -1: none is */
  gint64 inner;  /* elements per index of that axis */
  gint64 row;    /* elements of a whole such axis */
  gint64 period; /* after which owners repeat */
} Order;

static gint64
count_inner (const PdCopySide *side, gint axis)
{
  gint64 n = 1;

  for (guint j = (guint) (axis + 1); j < side->n_axes; j++)
    n *= side->counts[j];
  return n;
}

static Order
get_order (const PdCopySide *side)
{
  Order order = { .side = side, .last = -1, .inner = 1, .row = 1, .period = 1 };

  for (guint j = 0; j < side->n_axes; j++)
    {
      if (side->dims_of[j] < 0)
        continue;
      if (order.last < 0)
        order.period = count_inner (side, (gint) j - 1);
      order.last = (gint) j;
    }
  if (order.last >= 0)
    {
      order.inner = count_inner (side, order.last);
      order.row = count_inner (side, order.last - 1);
    }
  return order;
}

static const PdCopyDim *
get_last_dim (const Order *self)
{
  return &self->side->dims[self->side->dims_of[self->last]];
}

static gdouble
count_slices (const Order *self, gint64 n_elements)
{
  if (self->last < 0)
    return 1;
  return ((gdouble) n_elements / (gdouble) self->row + 1) * get_last_dim (self)->n;
}

/* ---- counting */

typedef struct
{
  Order cut;     /* the side in slices */
  Order boxes;   /* the other one */
  gboolean swap; /* the slices are those of the target */
  gint64 weight; /* how often what is counted occurs */
  guint32 class; /* of the slice */
  PdRange box[PD_MAX_RANK];
  GArray *pairs; /* Pair, by from */
  guint n_merged;
} Count;

static int
compare_pairs (const void *a, const void *b)
{
  const Pair *x = a, *y = b;

  if (x->own != y->own)
    return x->own < y->own ? -1 : 1;
  return x->other < y->other ? -1 : x->other > y->other;
}

/* Sorts, and adds up what belongs together. */
static void
merge_pairs (Count *self)
{
  Pair *pairs = (Pair *) (void *) self->pairs->data;
  guint n = 0;

  if (self->pairs->len == 0)
    return;
  qsort (pairs, self->pairs->len, sizeof *pairs, compare_pairs);
  for (guint i = 1; i < self->pairs->len; i++)
    if (compare_pairs (&pairs[n], &pairs[i]) == 0)
      pairs[n].n_elements += pairs[i].n_elements;
    else
      pairs[++n] = pairs[i];
  g_array_set_size (self->pairs, n + 1);
  self->n_merged = n + 1;
}

/* Memory stays proportional to the number of different pairs. */
static void
add_pair (Count *self, guint32 class, gint64 n_elements)
{
  Pair pair = { self->swap ? class : self->class, self->swap ? self->class : class,
                n_elements * self->weight };

  if (self->pairs->len > 0)
    {
      Pair *last = &g_array_index (self->pairs, Pair, self->pairs->len - 1);

      if (compare_pairs (last, &pair) == 0)
        {
          last->n_elements += pair.n_elements;
          return;
        }
    }
  if (self->pairs->len >= 2 * self->n_merged + 4096)
    merge_pairs (self);
  g_array_append_val (self->pairs, pair);
}

/* The classes that hold something of the box, from dimension @d on. */
static void
count_classes (Count *self, guint d, guint32 class, gint64 n_elements)
{
  const PdCopyDim *dim = &self->boxes.side->dims[d];

  if (d == self->boxes.side->grid->rank)
    {
      add_pair (self, class, n_elements);
      return;
    }
  if (dim->axis < 0)
    {
      count_classes (self, d + 1, class, n_elements);
      return;
    }

  PdRange range = self->box[dim->axis];
  PdCopySlice slice = pd_copy_dim_meet (dim, range);
  for (guint32 i = slice.first; i < slice.first + slice.n; i++)
    count_classes (self, d + 1, class * dim->n + i,
                   n_elements * pd_range_length (pd_copy_meet_ranges (dim->cells[i].range, range)));
}

static void count_boxes (Count *self, gint axis, PdRange part, gint64 n_elements);

/* Takes indices @lo to @hi of an axis, and what @part says of those behind it. */
static void
count_indices (Count *self, gint axis, PdRange indices, PdRange part, gint64 n_elements)
{
  if (indices.lo > indices.hi)
    return;
  self->box[axis] = indices;
  if (self->boxes.side->dims_of[axis] < 0)
    n_elements *= pd_range_length (indices);
  count_boxes (self, axis + 1, part, n_elements);
}

/* Cuts elements @part of what the axes from @axis on span into boxes: a first
 * index that is not whole, whole ones, a last one. */
static void
count_boxes (Count *self, gint axis, PdRange part, gint64 n_elements)
{
  if (axis > self->boxes.last)
    {
      count_classes (self, 0, 0, n_elements * pd_range_length (part));
      return;
    }

  gint64 inner = count_inner (self->boxes.side, axis);
  PdRange whole = { part.lo / inner, part.hi / inner };
  PdRange first = { part.lo % inner, inner - 1 }, last = { 0, part.hi % inner };
  if (whole.lo == whole.hi)
    {
      count_indices (self, axis, whole, (PdRange){ first.lo, last.hi }, n_elements);
      return;
    }
  if (first.lo > 0)
    {
      count_indices (self, axis, (PdRange){ whole.lo, whole.lo }, first, n_elements);
      whole.lo++;
    }
  if (last.hi < inner - 1)
    {
      count_indices (self, axis, (PdRange){ whole.hi, whole.hi }, last, n_elements);
      whole.hi--;
    }
  count_indices (self, axis, whole, (PdRange){ 0, inner - 1 }, n_elements);
}

/* The place of row @row along the axes before the last divided one; FALSE if
 * nobody holds it. */
static gboolean
find_row (const Order *self, gint64 row, PdCopyPlace *place)
{
  for (gint j = self->last; j-- > 0; row /= self->side->counts[j])
    {
      gint64 index = row % self->side->counts[j];
      gint d = self->side->dims_of[j];

      if (d < 0)
        continue;
      PdCopySlice slice = pd_copy_dim_meet (&self->side->dims[d], (PdRange){ index, index });
      if (slice.n == 0)
        return FALSE;
      place->at[d] = slice.first;
    }
  return TRUE;
}

/* The slices of one row that lie within @part. */
static void
count_row (Count *self, gint64 row, PdRange part)
{
  const Order *cut = &self->cut;
  const PdCopyDim *dim = get_last_dim (cut);
  PdCopyPlace place;

  if (!find_row (cut, row, &place))
    return;
  for (guint32 i = 0; i < dim->n; i++)
    {
      PdRange cell = dim->cells[i].range;
      PdRange slice = { row * cut->row + cell.lo * cut->inner,
                        row * cut->row + cell.hi * cut->inner + cut->inner - 1 };

      slice = pd_copy_meet_ranges (slice, part);
      if (slice.lo > slice.hi)
        continue;
      place.at[cut->side->dims_of[cut->last]] = i;
      self->class = find_class (cut->side, &place);
      count_boxes (self, 0, slice, 1);
    }
}

/* The first @n elements. */
static void
count_part (Count *self, gint64 n, gint64 weight)
{
  if (n == 0)
    return;
  self->weight = weight;
  if (self->cut.last < 0)
    {
      self->class = 0;
      count_boxes (self, 0, (PdRange){ 0, n - 1 }, 1);
      return;
    }
  for (gint64 row = 0; row <= (n - 1) / self->cut.row; row++)
    count_row (self, row, (PdRange){ 0, n - 1 });
}

static gint64
get_common_period (gint64 a, gint64 b)
{
  gint64 x = a, y = b, period;

  while (y != 0)
    {
      gint64 rest = x % y;

      x = y;
      y = rest;
    }
  return __builtin_mul_overflow (a / x, b, &period) ? G_MAXINT64 : period;
}

static gboolean
is_held (const PdCopySide *side)
{
  for (guint d = 0; d < side->grid->rank; d++)
    if (side->dims[d].n == 0)
      return FALSE;
  return TRUE;
}

/* The pairs of classes, by source. */
static GArray *
count_pairs (const PdCopyPlan *plan)
{
  Count count = { .cut = get_order (&plan->from), .boxes = get_order (&plan->to) };
  gint64 n = MIN (count_inner (&plan->from, -1), count_inner (&plan->to, -1));
  gint64 period = get_common_period (count.cut.period, count.boxes.period);

  count.pairs = g_array_new (FALSE, FALSE, sizeof (Pair));
  if (!is_held (&plan->from) || !is_held (&plan->to))
    return count.pairs;
  if (count_slices (&count.cut, MIN (n, period)) > count_slices (&count.boxes, MIN (n, period)))
    {
      Order order = count.cut;

      count.cut = count.boxes;
      count.boxes = order;
      count.swap = TRUE;
    }
  if (n / period > 0)
    count_part (&count, period, n / period);
  count_part (&count, n % period, 1);
  merge_pairs (&count);
  return count.pairs;
}

/* ---- the plan */

/* The replicas of a class, from dimension @d on. */
static void
list_class (PdCopyView *view, const PdCopyPlace *place, guint d, guint32 linear, gint64 n_elements)
{
  const PdCopySide *side = view->side;
  const PdCopyDim *dim = &side->dims[d];

  if (d == side->grid->rank)
    {
      pd_copy_view_add (view, linear, n_elements);
      return;
    }
  guint32 first = dim->axis >= 0 ? place->at[d] : 0;
  guint32 n = dim->axis >= 0 ? 1 : dim->n;
  for (guint32 i = first; i < first + n; i++)
    list_class (view, place, d + 1, linear + pd_copy_dim_coord (dim, i) * side->grid->steps[d],
                n_elements);
}

static guint
find_pairs (const Pair *pairs, guint n, guint32 class)
{
  guint low = 0, high = n;

  while (low < high)
    {
      guint mid = low + (high - low) / 2;

      if (pairs[mid].own < class)
        low = mid + 1;
      else
        high = mid;
    }
  return low;
}

static int
compare_messages (const void *a, const void *b)
{
  const PdPlanMessage *x = a, *y = b;

  return x->peer < y->peer ? -1 : x->peer > y->peer;
}

static guint
list (const PairsPlan *self, guint32 processor, gboolean send, PdPlanMessage *out)
{
  const Pair *pairs = send ? self->by_from : self->by_to;
  PdCopyView view;
  guint32 class;

  if (!pd_copy_view_init (&view, &self->copy, processor, send, out))
    return 0;
  class = find_class (send ? &self->copy.from : &self->copy.to, &view.place);
  for (guint i = find_pairs (pairs, self->n_pairs, class);
       i < self->n_pairs && pairs[i].own == class; i++)
    {
      PdCopyPlace place;

      split_class (view.side, pairs[i].other, &place);
      list_class (&view, &place, 0, 0, pairs[i].n_elements);
    }
  if (out != NULL && pd_copy_side_count_replicas (view.side) > 1)
    qsort (out, view.n, sizeof *out, compare_messages);
  return view.n;
}

static guint
plan_get_max (const PdPlan *plan, guint32 processor)
{
  const PairsPlan *self = (const PairsPlan *) plan;

  return list (self, processor, FALSE, NULL) + list (self, processor, TRUE, NULL);
}

static guint
plan_get_messages (const PdPlan *plan, guint32 processor, PdPlanMessage *out)
{
  const PairsPlan *self = (const PairsPlan *) plan;
  guint n = list (self, processor, FALSE, out);

  return n + list (self, processor, TRUE, out + n);
}

static guint64
plan_get_total (const PdPlan *plan)
{
  return ((const PairsPlan *) plan)->total;
}

static void
plan_free (PdPlan *plan)
{
  PairsPlan *self = (PairsPlan *) plan;

  pd_copy_plan_clear (&self->copy);
  g_free (self->by_from);
  g_free (self->by_to);
  g_free (self);
}

static const PdPlanClass plan_class = {
  .get_max = plan_get_max,
  .get_messages = plan_get_messages,
  .get_total = plan_get_total,
  .free = plan_free,
};

PdPlan *
pd_copy_plan_new_pairs (const PdCopyPlan *copy)
{
  PairsPlan *self = g_new0 (PairsPlan, 1);
  GArray *pairs;

  self->copy = *copy;
  pd_plan_init (&self->copy.base, &plan_class);
  pairs = count_pairs (&self->copy);
  self->n_pairs = pairs->len;
  self->by_from = (Pair *) (void *) g_array_free (pairs, FALSE);
  self->by_to = g_new (Pair, self->n_pairs);
  for (guint i = 0; i < self->n_pairs; i++)
    self->by_to[i] =
        (Pair){ self->by_from[i].other, self->by_from[i].own, self->by_from[i].n_elements };
  if (self->n_pairs > 0)
    qsort (self->by_to, self->n_pairs, sizeof *self->by_to, compare_pairs);
  self->total =
      pd_copy_multiply (self->n_pairs, pd_copy_multiply (pd_copy_side_count_replicas (&copy->from),
                                                         pd_copy_side_count_replicas (&copy->to)));
  return &self->copy.base;
}
