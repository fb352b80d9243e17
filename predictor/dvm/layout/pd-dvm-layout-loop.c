/* Parallel loops: iterations of each processor.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/layout/pd-dvm-layout-inside.h"
#include "predictor/dvm/layout/pd-dvm-layout-align.h"
#include "predictor/dvm/layout/pd-dvm-layout-loop.h"

/* ---- ranges */

/* Turns the range ascending, as far as it is reached. Sets @count, 0 if empty. */
static gboolean
normalise_range (PdLoopRange *range, gint64 *count)
{
  gboolean down = range->step < 0;
  gint64 distance;

  *count = 0;
  if (range->step == 0 || range->step == G_MININT64)
    return FALSE;
  if (down ? range->first < range->last : range->first > range->last)
    return TRUE;
  if (__builtin_sub_overflow (down ? range->first : range->last, down ? range->last : range->first,
                              &distance)
      || distance == G_MAXINT64)
    return FALSE;

  range->step = ABS (range->step);
  distance -= distance % range->step;
  *count = distance / range->step + 1;
  if (down)
    *range = (PdLoopRange){ range->first - distance, range->first, range->step };
  else
    range->last = range->first + distance;
  return TRUE;
}

static gboolean
read_ranges (PdLoop *self, const PdLoopRange *ranges, gint64 *counts, GError **error)
{
  gboolean empty = FALSE;

  self->total = 1;
  for (guint i = 0; i < self->rank; i++)
    {
      self->ranges[i] = ranges[i];
      gboolean ok = normalise_range (&self->ranges[i], &counts[i]);
      empty = empty || counts[i] == 0;
      if (ok && !__builtin_mul_overflow (self->total, MAX (counts[i], 1), &self->total))
        continue;
      g_set_error (error, PD_LAYOUT_ERROR, PD_LAYOUT_ERROR_VALUE,
                   "loop index %u from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT
                   " by %" G_GINT64_FORMAT ", expected a step and fewer than 2^63 iterations",
                   i + 1, ranges[i].first, ranges[i].last, ranges[i].step);
      return FALSE;
    }
  if (empty)
    self->total = 0;
  return TRUE;
}

/* ---- mapping */

/* The rules of the loop's 0-based space: b + a * first instead of b. */
static gboolean
shift_consts (const PdLoop *self, const PdAlignment *alignment, gint64 *consts)
{
  for (guint k = 0; k < alignment->n; k++)
    {
      gint64 axis = alignment->axes[k];
      gint64 shift;

      consts[k] = alignment->consts[k];
      if (self->total == 0 || axis < 1 || axis > (gint64) self->rank)
        continue; /* nothing to place, no index, or left to be refused */
      if (__builtin_mul_overflow (alignment->coeffs[k], self->ranges[axis - 1].first, &shift)
          || __builtin_add_overflow (consts[k], shift, &consts[k]))
        return FALSE;
    }
  return TRUE;
}

static PdLayout *
map_space (const PdLoop *self, PdLayout *pattern, const PdAlignment *alignment, GError **error)
{
  gint64 consts[PD_MAX_RANK];
  gint64 sizes[PD_MAX_RANK];
  PdAlignment shifted = { alignment->n, alignment->axes, alignment->coeffs, consts };

  for (guint i = 0; i < self->rank; i++)
    sizes[i] = self->total == 0 ? 0 : self->ranges[i].last - self->ranges[i].first + 1;
  if (alignment->n > PD_MAX_RANK)
    {
      g_set_error (error, PD_LAYOUT_ERROR, PD_LAYOUT_ERROR_RANK,
                   "%u rules of alignment, expected at most %d", alignment->n, PD_MAX_RANK);
      return NULL;
    }
  if (!shift_consts (self, alignment, consts))
    {
      g_set_error (error, PD_LAYOUT_ERROR, PD_LAYOUT_ERROR_VALUE,
                   "the alignment of a loop is out of range");
      return NULL;
    }
  return pd_layout_new_placed (pattern, self->rank, sizes, &shifted, error);
}

/* Moves the bounds inwards onto iterations. They may be shared: replaces them. */
static void
step_bounds (PdConstraint *dim, gint64 step, guint32 n_coords)
{
  PdIndexRange *stepped = g_rc_box_alloc0 (n_coords * sizeof *stepped);

  for (guint32 c = 0; c < n_coords; c++)
    {
      stepped[c] = dim->bounds[c];
      if (stepped[c].lo > stepped[c].hi)
        continue;
      stepped[c].lo = step * pd_ceil_div (stepped[c].lo, step);
      stepped[c].hi = step * pd_floor_div (stepped[c].hi, step);
      stepped[c].hi = MAX (stepped[c].hi, stepped[c].lo - 1);
    }
  g_rc_box_release (dim->bounds);
  dim->bounds = stepped;
}

static void
count_iterations (PdLoop *self, const gint64 *counts)
{
  gboolean split[PD_MAX_RANK] = { FALSE };

  for (guint d = 0; d < self->grid_rank; d++)
    {
      PdConstraint *dim = &self->layout->dims[d];
      gint64 step = self->ranges[dim->axis].step;

      if (dim->kind == PD_HOLDS_ALL)
        continue;
      if (dim->kind == PD_HOLDS_RANGE)
        {
          split[dim->axis] = TRUE;
          if (self->total > 0 && step > 1)
            step_bounds (dim, step, self->grid_sizes[d]);
        }
      self->counts[d] = g_new (gint64, self->grid_sizes[d]);
      for (guint32 c = 0; c < self->grid_sizes[d]; c++)
        {
          gint64 lo = 0, hi = 0;
          gboolean any = pd_layout_get_range (self->layout, d, c, &lo, &hi);
          self->counts[d][c] = any ? (hi - lo) / (dim->kind == PD_HOLDS_RANGE ? step : 1) + 1 : 0;
        }
    }
  self->factor = self->total > 0 ? 1 : 0;
  for (guint i = 0; self->total > 0 && i < self->rank; i++)
    self->factor *= split[i] ? 1 : counts[i];
}

PdLoop *
pd_loop_new (PdLayout *pattern, guint rank, const PdLoopRange *ranges, const PdAlignment *alignment,
             GError **error)
{
  g_autoptr (PdLoop) self = NULL;
  gint64 counts[PD_MAX_RANK];

  g_return_val_if_fail (pattern != NULL && alignment != NULL, NULL);
  if (!pd_layout_check_rank (rank, error))
    return NULL;
  self = g_rc_box_new0 (PdLoop);
  self->rank = rank;
  if (!read_ranges (self, ranges, counts, error))
    return NULL;
  self->layout = map_space (self, pattern, alignment, error);
  if (self->layout == NULL)
    return NULL;

  self->grid_rank = pattern->grid->rank;
  self->grid_n = pattern->grid->n;
  for (guint d = 0; d < self->grid_rank; d++)
    self->grid_sizes[d] = pattern->grid->sizes[d];
  count_iterations (self, counts);
  return g_steal_pointer (&self);
}

PdLoop *
pd_loop_ref (PdLoop *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return g_rc_box_acquire (self);
}

static void
clear_loop (gpointer data)
{
  PdLoop *self = data;

  for (guint d = 0; d < PD_MAX_GRID_RANK; d++)
    g_free (self->counts[d]);
  g_clear_pointer (&self->layout, pd_layout_unref);
}

void
pd_loop_unref (PdLoop *self)
{
  g_return_if_fail (self != NULL);
  g_rc_box_release_full (self, clear_loop);
}

/* ---- questions */

gint64
pd_loop_get_total (const PdLoop *self)
{
  return self->total;
}

gint64
pd_loop_get_local (const PdLoop *self, guint32 linear)
{
  gint64 n = self->factor;
  guint32 rest = linear;

  g_return_val_if_fail (linear < self->grid_n, 0);
  for (guint d = self->grid_rank; d-- > 0;)
    {
      guint32 coord = rest;

      if (d > 0)
        {
          rest /= self->grid_sizes[d];
          coord -= rest * self->grid_sizes[d];
        }
      if (self->counts[d] != NULL)
        n *= self->counts[d][coord];
    }
  return n;
}

gboolean
pd_loop_get_local_range (const PdLoop *self, guint32 linear, PdLoopRange *ranges)
{
  gint64 lo[PD_MAX_RANK], hi[PD_MAX_RANK];

  if (!pd_layout_get_local (self->layout, linear, lo, hi))
    return FALSE;
  for (guint i = 0; i < self->rank; i++)
    ranges[i] = (PdLoopRange){ self->ranges[i].first + lo[i], self->ranges[i].first + hi[i],
                               self->ranges[i].step };
  return TRUE;
}

const PdLoopRange *
pd_loop_get_ranges (const PdLoop *self)
{
  return self->ranges;
}

PdLayout *
pd_loop_get_layout (const PdLoop *self)
{
  return self->layout;
}
