/* Copies between sections of different shapes, element by element in linear
 * order: how many elements go from each class of the source to each class of
 * the target is counted once and kept or, where that would be too much, counted
 * anew for each processor that asks.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/copy/pd-dvm-copy-private.h"
#include "predictor/dvm/copy/pd-dvm-copy-count-private.h"
#include "predictor/dvm/copy/pd-dvm-copy-pairs-private.h"
#include "predictor/dvm/copy/pd-dvm-copy-side-private.h"
#include "predictor/dvm/copy/pd-dvm-copy-total-private.h"
#include "predictor/dvm/copy/pd-dvm-copy-view-private.h"

#include <stdlib.h>

typedef struct
{
  PdCopyPlan copy;
  GArray *by_from; /* (nullable): PdCopyPair, sorted; */
  GArray *by_to;   /* here, from and to are exchanged */
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
list_class (PdCopyView *view, const PdCopyPlace *place, guint d, guint32 linear,
            const PdCopyPair *pair)
{
  const PdCopySide *side = view->side;
  const PdCopyDim *dim = &side->dims[d];

  if (d == side->grid->rank)
    {
      pd_copy_view_add (view, linear, pair->n_elements, pair->runs[view->send ? 0 : 1]);
      return;
    }
  guint32 first = dim->axis >= 0 ? place->at[d] : 0;
  guint32 n = dim->axis >= 0 || (view->plan->once && !view->send) ? MIN (dim->n, 1) : dim->n;
  for (guint32 i = first; i < first + n; i++)
    list_class (view, place, d + 1, linear + pd_copy_dim_coord (dim, i) * side->grid->steps[d],
                pair);
}

static guint
find_pairs (const GArray *pairs, guint32 class)
{
  guint low = 0, high = pairs->len;

  while (low < high)
    {
      guint mid = low + (high - low) / 2;

      if (g_array_index (pairs, PdCopyPair, mid).from < class)
        low = mid + 1;
      else
        high = mid;
    }
  return low;
}

static void
list_pair (PdCopyView *view, guint32 class, const PdCopyPair *pair)
{
  PdCopyPlace place;

  split_class (view->side, class, &place);
  list_class (view, &place, 0, 0, pair);
}

static void
list_table (PdCopyView *view, const GArray *pairs, guint32 class)
{
  for (guint i = find_pairs (pairs, class); i < pairs->len; i++)
    {
      const PdCopyPair *pair = &g_array_index (pairs, PdCopyPair, i);

      if (pair->from != class)
        return;
      list_pair (view, pair->to, pair);
    }
}

static void
list_anew (PdCopyView *view)
{
  const PdCopySide *own = view->send ? &view->plan->from : &view->plan->to;
  g_autoptr (GArray) pairs = pd_copy_count_pairs (view->plan, own, &view->place);

  for (guint i = 0; i < pairs->len; i++)
    {
      const PdCopyPair *pair = &g_array_index (pairs, PdCopyPair, i);

      list_pair (view, view->send ? pair->to : pair->from, pair);
    }
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
  const PdCopySide *own = send ? &self->copy.from : &self->copy.to;
  PdCopyView view;

  if (!pd_copy_view_init (&view, &self->copy, processor, send, out))
    return 0;
  if (self->by_from != NULL)
    list_table (&view, send ? self->by_from : self->by_to,
                pd_copy_side_get_class (own, &view.place));
  else
    list_anew (&view);
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

static void
plan_get_local (const PdPlan *plan, guint32 processor, PdPlanLocal *out)
{
  const PairsPlan *self = (const PairsPlan *) plan;
  g_autoptr (GArray) own = NULL;
  PdCopyPlace from, to;

  if (!pd_copy_plan_find_both (&self->copy, processor, &from, &to))
    return;
  guint32 class = pd_copy_side_get_class (&self->copy.from, &from);
  guint32 wanted = pd_copy_side_get_class (&self->copy.to, &to);
  const GArray *pairs = self->by_from;
  if (pairs == NULL)
    pairs = own = pd_copy_count_pairs (&self->copy, &self->copy.from, &from);
  for (guint i = find_pairs (pairs, class); i < pairs->len; i++)
    {
      const PdCopyPair *pair = &g_array_index (pairs, PdCopyPair, i);

      if (pair->from != class || pair->to != wanted)
        continue;
      out->copied = pd_copy_times (pair->n_elements, self->copy.type_size);
      out->runs = MAX (pair->runs[0], pair->runs[1]);
      return;
    }
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
  g_clear_pointer (&self->by_from, g_array_unref);
  g_clear_pointer (&self->by_to, g_array_unref);
  g_free (self);
}

static const PdPlanClass plan_class = {
  .get_max = plan_get_max,
  .get_messages = plan_get_messages,
  .get_total = plan_get_total,
  .get_local = plan_get_local,
  .free = plan_free,
};

static GArray *
exchange (const GArray *pairs)
{
  GArray *exchanged = g_array_sized_new (FALSE, FALSE, sizeof (PdCopyPair), pairs->len);

  for (guint i = 0; i < pairs->len; i++)
    {
      const PdCopyPair *pair = &g_array_index (pairs, PdCopyPair, i);
      PdCopyPair other = {
        pair->to, pair->from, pair->n_elements, { pair->runs[0], pair->runs[1] }
      };

      g_array_append_val (exchanged, other);
    }
  if (exchanged->len > 0)
    qsort (exchanged->data, exchanged->len, sizeof (PdCopyPair), pd_copy_compare_pairs);
  return exchanged;
}

PdPlan *
pd_copy_plan_new_pairs (const PdCopyPlan *copy)
{
  PairsPlan *self = g_new0 (PairsPlan, 1);

  self->copy = *copy;
  pd_plan_init (&self->copy.base, &plan_class);
  self->total = copy->silent ? 0
                             : pd_copy_multiply (pd_copy_plan_count_senders (copy),
                                                 pd_copy_side_count_replicas (&copy->to));
  self->by_from = pd_copy_count_pairs (&self->copy, NULL, NULL);
  if (self->by_from != NULL)
    {
      self->by_to = exchange (self->by_from);
      self->total = pd_copy_multiply (self->total, self->by_from->len);
    }
  else if (!copy->silent)
    self->total =
        pd_copy_multiply (self->total, pd_copy_multiply (pd_copy_side_count_classes (&copy->from),
                                                         pd_copy_side_count_classes (&copy->to)));
  return &self->copy.base;
}
