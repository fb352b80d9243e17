/* Loops that are executed on shadow elements, too (addbnd_, addshd_): iterations
 * at the borders of blocks have several executors. Along each grid dimension
 * these are counted per coordinate; what all dimensions make is a product.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/layout/pd-dvm-layout-inside.h"
#include "predictor/dvm/layout/pd-dvm-layout-align.h"
#include "predictor/dvm/layout/pd-dvm-layout-halo.h"

#include <stdlib.h>

struct _PdHalo
{
  guint grid_rank;
  guint32 grid_sizes[PD_MAX_GRID_RANK];
  gint64 factor;                     /* of the loop indices that are not split */
  gint64 *counts[PD_MAX_GRID_RANK];  /* (nullable): of each coordinate: all it executes, */
  gdouble *shares[PD_MAX_GRID_RANK]; /* (nullable): and the sum of 1 / number of executors */
};

/* One index of the loop, by numbers of its iterations: 0, 1, 2, … */
typedef struct
{
  gint64 coeff; /* of the axis of the pattern, per number; not 0 */
  gint64 place; /* of iteration 0 */
  gint64 n;
} Index;

/* The iterations whose elements are in @elements; none: hi = lo - 1. */
static PdIndexRange
find_iterations (const Index *index, PdIndexRange elements)
{
  gint64 lo = elements.lo - index->place, hi = elements.hi - index->place;
  PdIndexRange range =
      index->coeff > 0
          ? (PdIndexRange){ pd_ceil_div (lo, index->coeff), pd_floor_div (hi, index->coeff) }
          : (PdIndexRange){ pd_ceil_div (-hi, -index->coeff), pd_floor_div (-lo, -index->coeff) };

  range.lo = MAX (range.lo, 0);
  range.hi = MAX (MIN (range.hi, index->n - 1), range.lo - 1);
  return range;
}

/* ---- executors */

/* Where their number changes. */
typedef struct
{
  gint64 at;
  gint32 change;
} Event;

static int
compare_events (const void *a, const void *b)
{
  const Event *x = a, *y = b;

  return x->at < y->at ? -1 : x->at > y->at;
}

/* Iterations from @at to the next entry, each of them with the share @each;
 * those before @at have @before together. */
typedef struct
{
  gint64 at;
  gdouble each;
  gdouble before;
} Piece;

static Piece *
make_pieces (const PdIndexRange *ranges, guint32 n, guint *n_pieces)
{
  g_autofree Event *events = g_new (Event, 2 * (gsize) n + 1);
  Piece *pieces = g_new0 (Piece, 2 * (gsize) n + 1);
  guint n_events = 0;
  gint32 executors = 0;

  for (guint32 c = 0; c < n; c++)
    {
      if (ranges[c].lo > ranges[c].hi)
        continue;
      events[n_events++] = (Event){ ranges[c].lo, 1 };
      events[n_events++] = (Event){ ranges[c].hi + 1, -1 };
    }
  if (n_events > 0)
    qsort (events, n_events, sizeof *events, compare_events);
  *n_pieces = 1; /* the first one is in front of all */
  pieces[0].at = n_events > 0 ? events[0].at : 0;
  for (guint i = 0; i < n_events; i++)
    {
      Piece *last = &pieces[*n_pieces - 1];
      executors += events[i].change;
      if (events[i].at > last->at)
        {
          pieces[*n_pieces] =
              (Piece){ events[i].at, 0,
                       last->before + last->each * (gdouble) (events[i].at - last->at) };
          last = &pieces[(*n_pieces)++];
        }
      last->each = executors > 0 ? 1.0 / executors : 0;
    }
  return pieces;
}

/* The shares of all iterations before @at. */
static gdouble
sum_before (const Piece *pieces, guint n, gint64 at)
{
  guint low = 0, high = n;

  while (high - low > 1)
    {
      guint mid = low + (high - low) / 2;
      if (pieces[mid].at <= at)
        low = mid;
      else
        high = mid;
    }
  return pieces[low].before
         + (at > pieces[low].at ? pieces[low].each * (gdouble) (at - pieces[low].at) : 0);
}

static void
count_dimension (PdHalo *self, guint dim, const PdIndexRange *ranges)
{
  guint32 n = self->grid_sizes[dim];
  guint n_pieces;
  g_autofree Piece *pieces = make_pieces (ranges, n, &n_pieces);

  self->counts[dim] = g_new (gint64, n);
  self->shares[dim] = g_new (gdouble, n);
  for (guint32 c = 0; c < n; c++)
    {
      self->counts[dim][c] = pd_range_length (ranges[c]);
      self->shares[dim][c] = sum_before (pieces, n_pieces, ranges[c].hi + 1)
                             - sum_before (pieces, n_pieces, ranges[c].lo);
    }
}

/* ---- construction */

/* Index @i of the loop, which runs along axis *@axis of the pattern. */
static Index
find_index (const PdLoop *loop, guint i, const PdAlignment *alignment, guint *axis)
{
  const PdLoopRange *range = &loop->ranges[i];
  Index index = { .n = (range->last - range->first) / range->step + 1 };

  for (guint k = 0; k < alignment->n; k++)
    if (alignment->axes[k] == (gint64) i + 1 && alignment->coeffs[k] != 0)
      {
        *axis = k;
        /* a single iteration may have any step */
        index.coeff = alignment->coeffs[k] * (index.n > 1 ? range->step : 1);
        index.place = alignment->coeffs[k] * range->first + alignment->consts[k];
      }
  return index;
}

/* The ranges that the coordinates of @dim execute of an index that is split along it. */
static PdIndexRange *
extend (const PdLoop *loop, const PdLayout *pattern, guint dim, const PdAlignment *alignment,
        const PdHaloWidths *widths)
{
  guint32 n = loop->grid_sizes[dim];
  PdIndexRange *ranges = g_new (PdIndexRange, n);
  const PdConstraint *own = &loop->layout->dims[dim], *held = &pattern->dims[dim];
  guint axis = 0;
  Index index = find_index (loop, own->axis, alignment, &axis);
  gint64 step = loop->ranges[own->axis].step;

  for (guint32 c = 0; c < n; c++)
    {
      PdIndexRange local = own->bounds[c], elements;

      ranges[c] = local.lo > local.hi ? (PdIndexRange){ 0, -1 }
                                      : (PdIndexRange){ local.lo / step, local.hi / step };
      if (index.coeff == 0 || held->kind != PD_HOLDS_RANGE || held->axis != axis)
        continue;
      elements = held->bounds[c];
      if (elements.lo > elements.hi)
        continue;
      elements.lo -= MIN (widths->low[axis], elements.lo);
      elements.hi += MIN (widths->high[axis], pattern->sizes[axis] - 1 - elements.hi);
      ranges[c] = find_iterations (&index, elements);
    }
  return ranges;
}

PdHalo *
pd_halo_new (const PdLoop *loop, const PdLayout *pattern, const PdAlignment *alignment,
             const PdHaloWidths *widths)
{
  PdHalo *self = g_rc_box_new0 (PdHalo);

  self->grid_rank = loop->grid_rank;
  self->factor = loop->factor;
  for (guint d = 0; d < self->grid_rank; d++)
    {
      self->grid_sizes[d] = loop->grid_sizes[d];
      if (loop->counts[d] == NULL)
        continue;
      if (loop->layout->dims[d].kind == PD_HOLDS_RANGE && loop->total > 0)
        {
          g_autofree PdIndexRange *ranges = extend (loop, pattern, d, alignment, widths);
          count_dimension (self, d, ranges);
          continue;
        }
      self->counts[d] = g_memdup (loop->counts[d], loop->grid_sizes[d] * (guint) sizeof (gint64));
    }
  return self;
}

PdHalo *
pd_halo_ref (PdHalo *self)
{
  return g_rc_box_acquire (self);
}

static void
clear_halo (gpointer data)
{
  for (guint d = 0; d < PD_MAX_GRID_RANK; d++)
    {
      g_free (((PdHalo *) data)->counts[d]);
      g_free (((PdHalo *) data)->shares[d]);
    }
}

void
pd_halo_unref (PdHalo *self)
{
  if (self != NULL)
    g_rc_box_release_full (self, clear_halo);
}

/* ---- questions */

gint64
pd_halo_get_local (const PdHalo *self, guint32 linear)
{
  gint64 n = self->factor;

  for (guint d = self->grid_rank; d-- > 0;)
    {
      guint32 coord = linear % self->grid_sizes[d];
      linear /= self->grid_sizes[d];
      if (self->counts[d] != NULL && __builtin_mul_overflow (n, self->counts[d][coord], &n))
        return G_MAXINT64;
    }
  return n;
}

gdouble
pd_halo_get_share (const PdHalo *self, guint32 linear)
{
  gdouble share = 1;

  for (guint d = self->grid_rank; d-- > 0;)
    {
      guint32 coord = linear % self->grid_sizes[d];
      linear /= self->grid_sizes[d];
      if (self->shares[d] != NULL && self->counts[d][coord] > 0)
        share *= self->shares[d][coord] / (gdouble) self->counts[d][coord];
    }
  return MIN (share, 1);
}

gdouble
pd_halo_get_executions (const PdHalo *self)
{
  gdouble all = 1;

  for (guint d = 0; d < self->grid_rank; d++)
    {
      gdouble n = 0, shares = 0;

      for (guint32 c = 0; self->shares[d] != NULL && c < self->grid_sizes[d]; c++)
        {
          n += (gdouble) self->counts[d][c];
          shares += self->shares[d][c];
        }
      if (shares > 0)
        all *= n / shares;
    }
  return all;
}
