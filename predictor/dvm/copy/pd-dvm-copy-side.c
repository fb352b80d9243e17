/* A section of an array as its processors hold it: per grid dimension a sorted
 * list of coordinates with disjoint intervals.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/copy/pd-dvm-copy-private.h"
#include "predictor/dvm/copy/pd-dvm-copy-side-private.h"
#include "predictor/dvm/layout/pd-dvm-layout-align.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"

/* ---- construction */

PdIndexRange
pd_copy_to_section (const PdLoopRange *range, gint64 lo, gint64 hi)
{
  gint64 first = MAX (pd_ceil_div (lo - range->first, range->step), 0);
  gint64 last = pd_floor_div (MIN (hi, range->last) - range->first, range->step);

  return (PdIndexRange){ first, MAX (last, first - 1) };
}

/* The whole axis, or its only index, is on one coordinate. */
static void
keep_coord (PdCopyDim *self)
{
  self->axis = -1;
  self->coords = g_new (guint32, 1);
  self->coords[0] = self->cells[0].coord;
  g_clear_pointer (&self->cells, g_free);
}

static void
fill_cells (PdCopyDim *self, const PdSection *section, guint dim, gint64 count)
{
  const PdConstraint *constraint = &section->layout->dims[dim];
  const PdLoopRange *range = &section->ranges[constraint->axis];
  guint32 n_coords = section->layout->grid->sizes[dim];

  gint64 before = 0;

  self->cells = g_new (PdCopyCell, n_coords);
  for (guint32 c = 0; c < n_coords; c++)
    {
      PdIndexRange bounds = constraint->bounds[c];
      PdIndexRange part = pd_copy_to_section (range, bounds.lo, bounds.hi);

      if (bounds.lo > bounds.hi || part.lo > part.hi)
        continue;
      self->cells[self->n++] = (PdCopyCell){ c, part, before };
      before += pd_range_length (part);
    }
  if (self->n == 1 && pd_range_length (self->cells[0].range) == count)
    {
      keep_coord (self);
      return;
    }
  self->cells = g_renew (PdCopyCell, self->cells, MAX (self->n, 1));
  self->descending = self->n > 0 && self->cells[0].range.lo > self->cells[self->n - 1].range.lo;
}

static void
fill_set (PdCopyDim *self, const PdConstraint *constraint, guint32 n_coords)
{
  self->coords = g_new (guint32, MAX (constraint->n_set, 1));
  for (guint32 c = 0; c < n_coords; c++)
    if (constraint->member[c])
      self->coords[self->n++] = c;
}

static void
fill_fixed (PdCopyDim *self, guint32 coord)
{
  self->coords = g_new (guint32, 1);
  self->coords[0] = coord;
  self->n = coord == G_MAXUINT32 ? 0 : 1;
}

static void
fill_dim (PdCopySide *self, const PdSection *section, guint dim)
{
  const PdConstraint *constraint = &section->layout->dims[dim];
  PdCopyDim *out = &self->dims[dim];

  out->axis = -1;
  switch (constraint->kind)
    {
    case PD_HOLDS_RANGE:
      out->axis = self->axes[constraint->axis];
      fill_cells (out, section, dim, out->axis >= 0 ? self->counts[out->axis] : 1);
      if (out->axis >= 0)
        self->dims_of[out->axis] = (gint) dim;
      break;
    case PD_HOLDS_FIXED:
      fill_fixed (out, constraint->fixed);
      break;
    case PD_HOLDS_SET:
      fill_set (out, constraint, self->grid->sizes[dim]);
      break;
    case PD_HOLDS_ALL:
    default:
      out->n = self->grid->sizes[dim];
      break;
    }
}

void
pd_copy_side_init (PdCopySide *self, const PdSection *section)
{
  *self =
      (PdCopySide){ .grid = pd_grid_ref (section->layout->grid), .rank = section->layout->rank };
  for (guint i = 0; i < section->layout->rank; i++)
    {
      const PdLoopRange *range = &section->ranges[i];
      gint64 count = (range->last - range->first) / range->step + 1;

      self->axes[i] = -1;
      self->sizes[i] = section->layout->sizes[i];
      self->strided[i] = range->step != 1;
      if (count == 1)
        continue;
      self->axes[i] = (gint) self->n_axes;
      self->dims_of[self->n_axes] = -1;
      self->counts[self->n_axes++] = count;
    }
  for (guint d = 0; d < self->grid->rank; d++)
    fill_dim (self, section, d);
}

void
pd_copy_side_clear (PdCopySide *self)
{
  for (guint d = 0; d < PD_MAX_GRID_RANK; d++)
    {
      g_clear_pointer (&self->dims[d].cells, g_free);
      g_clear_pointer (&self->dims[d].coords, g_free);
    }
  g_clear_pointer (&self->grid, pd_grid_unref);
}

/* ---- questions */

gint64
pd_copy_dim_find (const PdCopyDim *self, guint32 coord)
{
  guint32 low = 0, high = self->n;

  if (self->axis < 0 && self->coords == NULL)
    return coord < self->n ? (gint64) coord : -1;
  while (low < high)
    {
      guint32 mid = low + (high - low) / 2;

      if (pd_copy_dim_coord (self, mid) < coord)
        low = mid + 1;
      else
        high = mid;
    }
  return low < self->n && pd_copy_dim_coord (self, low) == coord ? (gint64) low : -1;
}

gboolean
pd_copy_side_find (const PdCopySide *self, guint32 processor, PdCopyPlace *place)
{
  guint32 coords[PD_MAX_GRID_RANK];
  gint64 linear = pd_grid_find (self->grid, processor);

  if (linear < 0)
    return FALSE;
  pd_grid_get_coords (self->grid, (guint32) linear, coords);
  for (guint d = 0; d < self->grid->rank; d++)
    {
      gint64 at = pd_copy_dim_find (&self->dims[d], coords[d]);

      if (at < 0)
        return FALSE;
      place->at[d] = (guint32) at;
    }
  return TRUE;
}

gboolean
pd_copy_side_same_class (const PdCopySide *self, const PdCopyPlace *a, const PdCopyPlace *b)
{
  for (guint d = 0; d < self->grid->rank; d++)
    if (self->dims[d].axis >= 0 && a->at[d] != b->at[d])
      return FALSE;
  return TRUE;
}

gboolean
pd_copy_side_is_first (const PdCopySide *self, const PdCopyPlace *place)
{
  for (guint d = 0; d < self->grid->rank; d++)
    if (self->dims[d].axis < 0 && place->at[d] > 0)
      return FALSE;
  return TRUE;
}

guint32
pd_copy_side_get_class (const PdCopySide *self, const PdCopyPlace *place)
{
  guint32 class = 0;

  for (guint d = 0; d < self->grid->rank; d++)
    if (self->dims[d].axis >= 0)
      class = class * self->dims[d].n + place->at[d];
  return class;
}

guint32
pd_copy_side_count_classes (const PdCopySide *self)
{
  guint32 n = 1;

  for (guint d = 0; d < self->grid->rank; d++)
    if (self->dims[d].axis >= 0)
      n *= self->dims[d].n;
  return n;
}

guint32
pd_copy_side_count_replicas (const PdCopySide *self)
{
  guint32 n = 1;

  for (guint d = 0; d < self->grid->rank; d++)
    if (self->dims[d].axis < 0)
      n *= self->dims[d].n;
  return n;
}

void
pd_copy_side_get_box (const PdCopySide *self, const PdCopyPlace *place, PdIndexRange *box)
{
  for (guint j = 0; j < self->n_axes; j++)
    {
      gint d = self->dims_of[j];

      box[j] = d >= 0 ? self->dims[d].cells[place->at[d]].range
                      : (PdIndexRange){ 0, self->counts[j] - 1 };
    }
}

gint64
pd_copy_side_get_run (const PdCopySide *self, const gint64 *lengths)
{
  gint64 run = 1;

  for (guint i = self->rank; i-- > 0 && !self->strided[i];)
    {
      gint j = self->axes[i];
      gint64 n = j >= 0 ? lengths[j] : 1;

      run *= n;
      if (n != self->sizes[i]) /* as of a divided axis */
        break;
    }
  return run;
}

/* The first cell not before @range or, with @end, the first one behind it. */
static guint32
find_cell (const PdCopyDim *self, PdIndexRange range, gboolean end)
{
  guint32 low = 0, high = self->n;

  while (low < high)
    {
      guint32 mid = low + (high - low) / 2;
      PdIndexRange cell = self->cells[mid].range;
      gboolean below = end ? cell.lo <= range.hi : cell.hi < range.lo;
      gboolean above = end ? cell.hi >= range.lo : cell.lo > range.hi;

      if (self->descending ? above : below)
        low = mid + 1;
      else
        high = mid;
    }
  return low;
}

gboolean
pd_copy_slice_has (const PdCopySlice *self, guint32 index)
{
  guint32 low = 0, high = self->n;

  if (self->list == NULL)
    return index - self->first < self->n;
  while (low < high)
    {
      guint32 mid = low + (high - low) / 2;

      if (pd_copy_slice_index (self, mid) < index)
        low = mid + 1;
      else
        high = mid;
    }
  return low < self->n && pd_copy_slice_index (self, low) == index;
}

PdCopySlice
pd_copy_dim_meet (const PdCopyDim *self, PdIndexRange range)
{
  guint32 first = find_cell (self, range, FALSE);

  return (PdCopySlice){ first, find_cell (self, range, TRUE) - first, NULL };
}

guint64
pd_copy_side_meet (const PdCopySide *self, const PdIndexRange *box, PdCopySlice *slices)
{
  guint64 n = 1;

  for (guint d = 0; d < self->grid->rank; d++)
    {
      const PdCopyDim *dim = &self->dims[d];

      slices[d] = dim->axis >= 0 ? pd_copy_dim_meet (dim, box[dim->axis])
                                 : (PdCopySlice){ 0, dim->n, NULL };
      n *= slices[d].n;
    }
  return n;
}

gboolean
pd_copy_grid_is_inside (const PdGrid *inner, const PdGrid *outer)
{
  if (pd_grid_equal (inner, outer))
    return TRUE;
  /* numbers ascend with the linear number */
  if (outer->contiguous)
    return pd_grid_find (outer, pd_grid_processor (inner, 0)) >= 0
           && pd_grid_find (outer, pd_grid_processor (inner, inner->n - 1)) >= 0;
  for (guint32 i = 0; i < inner->n; i++)
    if (pd_grid_find (outer, pd_grid_processor (inner, i)) < 0)
      return FALSE;
  return TRUE;
}
