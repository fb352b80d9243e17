/* Copies between sections of different shapes, element by element in linear
 * order: how many elements go from each class of the source to each class of
 * the target is counted once and kept.
 * SPDX-License-Identifier: MIT */
#include "predictor/pd-dvm-copy-private.h"

#include <stdlib.h>

typedef struct
{
  PdCopyPlan copy;
  guint n_pairs;
  PdCopyPair *by_from;
  PdCopyPair *by_to; /* from and to exchanged */
  guint64 total;
} PairsPlan;

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
find_pairs (const PdCopyPair *pairs, guint n, guint32 class)
{
  guint low = 0, high = n;

  while (low < high)
    {
      guint mid = low + (high - low) / 2;

      if (pairs[mid].from < class)
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
  const PdCopyPair *pairs = send ? self->by_from : self->by_to;
  PdCopyView view;
  guint32 class;

  if (!pd_copy_view_init (&view, &self->copy, processor, send, out))
    return 0;
  class = pd_copy_side_get_class (send ? &self->copy.from : &self->copy.to, &view.place);
  for (guint i = find_pairs (pairs, self->n_pairs, class);
       i < self->n_pairs && pairs[i].from == class; i++)
    {
      PdCopyPlace place;

      split_class (view.side, pairs[i].to, &place);
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
  pairs = pd_copy_count_pairs (&self->copy);
  self->n_pairs = pairs->len;
  self->by_from = (PdCopyPair *) (void *) g_array_free (pairs, FALSE);
  self->by_to = g_new (PdCopyPair, self->n_pairs);
  for (guint i = 0; i < self->n_pairs; i++)
    self->by_to[i] =
        (PdCopyPair){ self->by_from[i].to, self->by_from[i].from, self->by_from[i].n_elements };
  if (self->n_pairs > 0)
    qsort (self->by_to, self->n_pairs, sizeof *self->by_to, pd_copy_compare_pairs);
  self->total =
      pd_copy_multiply (self->n_pairs, pd_copy_multiply (pd_copy_side_count_replicas (&copy->from),
                                                         pd_copy_side_count_replicas (&copy->to)));
  return &self->copy.base;
}
