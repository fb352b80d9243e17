/* Counts the elements that go from each class of one section to each class of
 * another one of a different shape. The owners of both repeat in linear order
 * with the lengths of their rows, so the elements between two boundaries of outer
 * axes are counted for one common period.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/copy/pd-dvm-copy-private.h"
#include "predictor/dvm/copy/pd-dvm-copy-count-private.h"
#include "predictor/dvm/copy/pd-dvm-copy-side-private.h"

#include <stdlib.h>

/* How far a side has been followed: all elements looked at lie in the same cells
 * of the axes before @axis. */
typedef struct
{
  const PdCopySide *side;
  guint axis; /* the next one that is divided; the number of axes: none */
  gint64 row; /* elements of a whole such axis, after which owners repeat; 1: none */
  gint64 run; /* elements that lie beside each other in memory, from multiples of it on */
  PdCopyPlace place;
} Walk;

typedef struct
{
  GArray *pairs; /* PdCopyPair */
  guint n_merged;
  const PdCopySide *own;    /* (nullable): only the class */
  const PdCopyPlace *place; /* of this place of it is wanted */
  gboolean full;            /* too many to be kept */
} Count;

/* ---- pairs */

int
pd_copy_compare_pairs (const void *a, const void *b)
{
  const PdCopyPair *x = a, *y = b;

  if (x->from != y->from)
    return x->from < y->from ? -1 : 1;
  return x->to < y->to ? -1 : x->to > y->to;
}

/* Sorts, and adds up what belongs together. */
static void
merge_pairs (Count *self)
{
  PdCopyPair *pairs = (PdCopyPair *) (void *) self->pairs->data;
  guint n = 0;

  if (self->pairs->len == 0)
    return;
  qsort (pairs, self->pairs->len, sizeof *pairs, pd_copy_compare_pairs);
  for (guint i = 1; i < self->pairs->len; i++)
    if (pd_copy_compare_pairs (&pairs[n], &pairs[i]) == 0)
      {
        pairs[n].n_elements += pairs[i].n_elements;
        pairs[n].runs[0] += pairs[i].runs[0];
        pairs[n].runs[1] += pairs[i].runs[1];
      }
    else
      pairs[++n] = pairs[i];
  g_array_set_size (self->pairs, n + 1);
  self->n_merged = n + 1;
}

/* Runs of elements @part. */
static gint64
count_runs (const Walk *walk, PdIndexRange part)
{
  return part.hi / walk->run - part.lo / walk->run + 1;
}

/* Adds @weight times elements @part. Memory stays proportional to the number of
 * different pairs. */
static void
add_pair (Count *self, const Walk walks[2], PdIndexRange part, gint64 weight)
{
  const Walk *from = &walks[0], *to = &walks[1];
  PdCopyPair pair = { pd_copy_side_get_class (from->side, &from->place),
                      pd_copy_side_get_class (to->side, &to->place),
                      pd_range_length (part) * weight,
                      { count_runs (from, part) * weight, count_runs (to, part) * weight } };

  if (self->pairs->len >= 2 * self->n_merged + 4096)
    merge_pairs (self);
  self->full = self->own == NULL && self->n_merged > PD_COPY_MAX_PAIRS;
  g_array_append_val (self->pairs, pair);
}

/* ---- boundaries */

/* The elements of axes @axis and all behind. */
static gint64
count_inner (const PdCopySide *side, guint axis)
{
  gint64 n = 1;

  for (guint j = axis; j < side->n_axes; j++)
    n *= side->counts[j];
  return n;
}

/* To the first divided axis from @axis on. */
static void
move_to (Walk *self, guint axis)
{
  const PdCopySide *side = self->side;

  while (axis < side->n_axes && side->dims_of[axis] < 0)
    axis++;
  self->axis = axis;
  self->row = axis < side->n_axes ? count_inner (side, axis) : 1;
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

static void count_part (Count *self, Walk from, Walk to, PdIndexRange part, gint64 weight);

/* Cuts the part of one row at the boundaries of the cells of the source's or,
 * with @of_to, the target's next axis. */
static void
cut_row (Count *self, const Walk walks[2], gboolean of_to, PdIndexRange part, gint64 weight)
{
  const Walk *walk = &walks[of_to];
  gint d = walk->side->dims_of[walk->axis];
  const PdCopyDim *dim = &walk->side->dims[d];
  gint64 inner = count_inner (walk->side, walk->axis + 1);
  gint64 start = part.lo - part.lo % walk->row;
  PdIndexRange indices = { (part.lo - start) / inner, (part.hi - start) / inner };
  PdCopySlice slice = pd_copy_dim_meet (dim, indices);

  if (walk->side == self->own)
    slice = (PdCopySlice){ self->place->at[d], self->place->at[d] - slice.first < slice.n, NULL };
  for (guint32 i = slice.first; i < slice.first + slice.n; i++)
    {
      PdIndexRange cell = dim->cells[i].range;
      PdIndexRange piece = { start + cell.lo * inner, start + cell.hi * inner + inner - 1 };
      Walk next[2] = { walks[0], walks[1] };

      next[of_to].place.at[d] = i;
      move_to (&next[of_to], walk->axis + 1);
      count_part (self, next[0], next[1], pd_copy_meet_ranges (piece, part), weight);
    }
}

/* Counts elements @part of the linear order, each @weight times. */
static void
count_part (Count *self, Walk from, Walk to, PdIndexRange part, gint64 weight)
{
  const Walk walks[2] = { from, to };
  gint64 period = get_common_period (from.row, to.row);
  gint64 times = pd_range_length (part) / period;
  gint64 row = MAX (from.row, to.row);

  if (row == 1)
    {
      add_pair (self, walks, part, weight);
      return;
    }
  if (times > 1)
    {
      PdIndexRange rest = { part.lo + times * period, part.hi };

      count_part (self, from, to, (PdIndexRange){ part.lo, part.lo + period - 1 }, times * weight);
      if (rest.lo <= rest.hi)
        count_part (self, from, to, rest, weight);
      return;
    }
  while (part.lo <= part.hi && !self->full)
    {
      gint64 last = part.lo - part.lo % row + (row - 1);

      cut_row (self, walks, to.row > from.row, (PdIndexRange){ part.lo, MIN (last, part.hi) },
               weight);
      if (last >= part.hi)
        return;
      part.lo = last + 1;
    }
}

static gboolean
is_held (const PdCopySide *side)
{
  for (guint d = 0; d < side->grid->rank; d++)
    if (side->dims[d].n == 0)
      return FALSE;
  return TRUE;
}

GArray *
pd_copy_count_pairs (const PdCopyPlan *plan, const PdCopySide *own, const PdCopyPlace *place)
{
  Count count = { .pairs = g_array_new (FALSE, FALSE, sizeof (PdCopyPair)),
                  .own = own,
                  .place = place };
  Walk from = { .side = &plan->from, .run = pd_copy_side_get_run (&plan->from, plan->from.counts) };
  Walk to = { .side = &plan->to, .run = pd_copy_side_get_run (&plan->to, plan->to.counts) };
  gint64 n = MIN (count_inner (&plan->from, 0), count_inner (&plan->to, 0));

  if (!is_held (&plan->from) || !is_held (&plan->to))
    return count.pairs;
  move_to (&from, 0);
  move_to (&to, 0);
  count_part (&count, from, to, (PdIndexRange){ 0, n - 1 }, 1);
  merge_pairs (&count);
  if (own == NULL && count.n_merged > PD_COPY_MAX_PAIRS)
    g_clear_pointer (&count.pairs, g_array_unref);
  return count.pairs;
}
