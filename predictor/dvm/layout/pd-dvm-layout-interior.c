/* Loops that are cut into edges and interior, so that an exchange of edges goes
 * on while the interior is computed: iterations of each processor, counted per
 * coordinate, without lists of portions.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/layout/pd-dvm-layout-inside.h"
#include "predictor/dvm/layout/pd-dvm-layout-align.h"
#include "predictor/dvm/layout/pd-dvm-layout-interior.h"

struct _PdInterior
{
  guint grid_rank;
  guint32 grid_sizes[PD_MAX_GRID_RANK];
  gint64 factor;                    /* of the loop indices that are not split */
  gint64 *counts[PD_MAX_GRID_RANK]; /* (nullable): of each coordinate */
};

/* One index of the loop and the axis of the pattern it runs along. */
typedef struct
{
  gint64 last;  /* in the loop's space, which begins at 0 */
  gint64 step;  /* > 0 */
  gint64 coeff; /* 0: along no axis */
  gint64 place; /* of iteration 0 on the axis */
  gint64 low;   /* widths */
  gint64 high;
} Index;

static Index
find_index (const PdLoop *loop, guint i, const PdAlignment *alignment, const gint64 *low,
            const gint64 *high, guint *axis)
{
  const PdLoopRange *range = &loop->ranges[i];
  Index index = { .last = range->last - range->first, .step = range->step };

  for (guint k = 0; k < alignment->n; k++)
    if (alignment->axes[k] == (gint64) i + 1 && alignment->coeffs[k] != 0)
      {
        *axis = k;
        index.coeff = alignment->coeffs[k];
        index.place = alignment->coeffs[k] * range->first + alignment->consts[k];
        index.low = low[k];
        index.high = high[k];
      }
  return index;
}

/* The iterations of @local whose elements are inside @owned. */
static gint64
count_inside (const Index *index, PdIndexRange local, PdIndexRange owned)
{
  gint64 length = pd_range_length (owned);
  gint64 first = owned.lo + MIN (index->high, length) - index->place;
  gint64 last = owned.hi - MIN (index->low, length) - index->place;

  if (index->coeff > 0)
    {
      local.lo = MAX (local.lo, pd_ceil_div (first, index->coeff));
      local.hi = MIN (local.hi, pd_floor_div (last, index->coeff));
    }
  else if (index->coeff < 0)
    {
      local.lo = MAX (local.lo, pd_ceil_div (-last, -index->coeff));
      local.hi = MIN (local.hi, pd_floor_div (-first, -index->coeff));
    }
  local.lo = index->step * pd_ceil_div (local.lo, index->step);
  return local.lo > local.hi ? 0 : (local.hi - local.lo) / index->step + 1;
}

/* The elements of @axis that coordinate @coord of grid dimension @dim owns. */
static PdIndexRange
get_owned (const PdLayout *pattern, guint axis, gint dim, guint32 coord)
{
  PdIndexRange owned = { 0, pattern->sizes[axis] - 1 };

  if (dim >= 0 && pattern->dims[dim].kind == PD_HOLDS_RANGE && pattern->dims[dim].axis == axis)
    owned = pattern->dims[dim].bounds[coord];
  return owned;
}

/* The counts of the coordinates of @dim, along which index @i is split. */
static void
count_split (PdInterior *self, const PdLoop *loop, const PdLayout *pattern, const Index *index,
             guint axis, guint dim)
{
  for (guint32 c = 0; c < self->grid_sizes[dim]; c++)
    {
      PdIndexRange local = loop->layout->dims[dim].bounds[c];
      self->counts[dim][c] =
          local.lo > local.hi
              ? 0
              : count_inside (index, local, get_owned (pattern, axis, (gint) dim, c));
    }
}

PdInterior *
pd_interior_new (const PdLoop *loop, const PdLayout *pattern, const PdAlignment *alignment,
                 const gint64 *low, const gint64 *high)
{
  PdInterior *self = g_rc_box_new0 (PdInterior);
  gint dim_of[PD_MAX_RANK];

  self->grid_rank = loop->grid_rank;
  for (guint i = 0; i < loop->rank; i++)
    dim_of[i] = -1;
  for (guint d = 0; d < self->grid_rank; d++)
    {
      const PdConstraint *constraint = &loop->layout->dims[d];
      self->grid_sizes[d] = loop->grid_sizes[d];
      if (loop->counts[d] != NULL)
        self->counts[d] = g_memdup (loop->counts[d], loop->grid_sizes[d] * (guint) sizeof (gint64));
      if (constraint->kind == PD_HOLDS_RANGE)
        dim_of[constraint->axis] = (gint) d;
    }
  self->factor = loop->total > 0 ? 1 : 0;
  for (guint i = 0; i < loop->rank && loop->total > 0; i++)
    {
      guint axis = 0;
      Index index = find_index (loop, i, alignment, low, high, &axis);
      if (dim_of[i] >= 0)
        count_split (self, loop, pattern, &index, axis, (guint) dim_of[i]);
      else
        self->factor *= count_inside (&index, (PdIndexRange){ 0, index.last },
                                      get_owned (pattern, axis, -1, 0));
    }
  return self;
}

PdInterior *
pd_interior_ref (PdInterior *self)
{
  return g_rc_box_acquire (self);
}

static void
clear_interior (gpointer data)
{
  for (guint d = 0; d < PD_MAX_GRID_RANK; d++)
    g_free (((PdInterior *) data)->counts[d]);
}

void
pd_interior_unref (PdInterior *self)
{
  if (self != NULL)
    g_rc_box_release_full (self, clear_interior);
}

gint64
pd_interior_get_local (const PdInterior *self, guint32 linear)
{
  gint64 n = self->factor;

  for (guint d = self->grid_rank; d-- > 0;)
    {
      guint32 coord = linear % self->grid_sizes[d];
      linear /= self->grid_sizes[d];
      if (self->counts[d] != NULL)
        n *= self->counts[d][coord];
    }
  return n;
}
