/* Layouts: distribution of templates, and questions to any layout. A layout is
 * a product of one constraint per grid dimension, never a list of boxes.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/layout/pd-dvm-layout-inside.h"
#include "predictor/dvm/layout/pd-dvm-layout-blocks-private.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid-private.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"

#include <string.h>

/* ---- checks shared by all constructors */

gboolean
pd_layout_check_rank (guint rank, GError **error)
{
  if (rank >= 1 && rank <= PD_MAX_RANK)
    return TRUE;
  g_set_error (error, PD_LAYOUT_ERROR, PD_LAYOUT_ERROR_RANK, "rank %u, expected 1 to %d", rank,
               PD_MAX_RANK);
  return FALSE;
}

gboolean
pd_layout_check_sizes (guint rank, const gint64 *sizes, gint64 least, GError **error)
{
  gint64 product = 1;

  for (guint i = 0; i < rank; i++)
    if (sizes[i] < least || __builtin_mul_overflow (product, MAX (sizes[i], 1), &product))
      {
        g_set_error (error, PD_LAYOUT_ERROR, PD_LAYOUT_ERROR_VALUE,
                     "size %" G_GINT64_FORMAT " of axis %u, expected at least 1 and fewer than "
                     "2^63 elements in all",
                     sizes[i], i + 1);
        return FALSE;
      }
  return TRUE;
}

gboolean
pd_layout_take_axis (gint64 axis, guint rank, gboolean *used, GError **error)
{
  if (axis < 1 || axis > (gint64) rank)
    {
      g_set_error (error, PD_LAYOUT_ERROR, PD_LAYOUT_ERROR_RANK,
                   "axis %" G_GINT64_FORMAT ", expected 1 to %u", axis, rank);
      return FALSE;
    }
  if (used[axis - 1])
    {
      g_set_error (error, PD_LAYOUT_ERROR, PD_LAYOUT_ERROR_RANK,
                   "axis %" G_GINT64_FORMAT " is named twice", axis);
      return FALSE;
    }
  used[axis - 1] = TRUE;
  return TRUE;
}

PdLayout *
pd_layout_new_empty (PdGrid *grid, guint rank, const gint64 *sizes)
{
  PdLayout *self = g_rc_box_new0 (PdLayout);

  self->grid = pd_grid_ref (grid);
  self->rank = rank;
  for (guint i = 0; i < rank; i++)
    self->sizes[i] = sizes[i];
  return self;
}

/* ---- distribution */

/* A list serves only the number of coordinates it was made for. */
static gboolean
list_fits (const GArray *list, guint32 n_coords, guint repair, guint *repairs)
{
  if (list == NULL)
    return FALSE;
  if (list->len == n_coords)
    return TRUE;
  *repairs |= repair;
  return FALSE;
}

static gboolean
collect_weights (PdLayout *self, const PdBlockHints *hints, PdWeights *weights, GError **error)
{
  gboolean any = FALSE;

  for (guint d = 0; hints != NULL && d < self->grid->rank; d++)
    if (list_fits (hints->weights[d], self->grid->sizes[d], PD_LAYOUT_WEIGHTS_IGNORED,
                   &self->repairs))
      {
        weights->of[d] =
            g_memdup (hints->weights[d]->data, hints->weights[d]->len * (guint) sizeof (gdouble));
        any = TRUE;
      }
  return !any || hints->weights_ready || pd_weights_normalise (self->grid, weights, error);
}

static PdIndexRange *
new_blocks (PdLayout *self, guint dim, gint64 param, const PdBlockHints *hints,
            const PdWeights *weights, GError **error)
{
  guint axis = self->dims[dim].axis;
  gboolean clipped = FALSE;
  PdBlockSpec spec = { .n = self->sizes[axis],
                       .n_coords = self->grid->sizes[dim],
                       .param = param,
                       .divisor = hints != NULL ? hints->divisor[axis] : 0,
                       .weights = weights->of[dim],
                       .cut = hints != NULL && !hints->weights_of_grid[dim] };

  if (hints != NULL
      && list_fits (hints->sizes[dim], spec.n_coords, PD_LAYOUT_GENBLOCK_IGNORED, &self->repairs))
    return pd_blocks_new_from_list (spec.n, hints->sizes[dim], error);

  PdIndexRange *blocks = pd_blocks_new (&spec, &clipped, error);
  if (clipped)
    self->repairs |= PD_LAYOUT_BLOCK_CLIPPED;
  return blocks;
}

/* AxisArray -1: everything is on one coordinate. */
static gboolean
set_fixed (PdConstraint *self, gint64 coord, guint32 n_coords, GError **error)
{
  if (coord < 0 || coord >= n_coords)
    {
      g_set_error (error, PD_LAYOUT_ERROR, PD_LAYOUT_ERROR_VALUE,
                   "coordinate %" G_GINT64_FORMAT ", expected 0 to %u", coord, n_coords - 1);
      return FALSE;
    }
  self->kind = PD_HOLDS_FIXED;
  self->fixed = (guint32) coord;
  return TRUE;
}

static gboolean
distribute (PdLayout *self, const PdDvmDistribution *distribution, const PdBlockHints *hints,
            const PdWeights *weights, GError **error)
{
  gboolean used[PD_MAX_RANK] = { FALSE };

  for (guint d = 0; d < distribution->n; d++)
    {
      PdConstraint *dim = &self->dims[d];
      gint64 axis = distribution->axes[d];
      gint64 param = distribution->params[d];

      if (axis == 0)
        continue;
      if (axis == -1)
        {
          if (!set_fixed (dim, param, self->grid->sizes[d], error))
            return FALSE;
          continue;
        }
      if (!pd_layout_take_axis (axis, self->rank, used, error))
        return FALSE;
      dim->axis = (guint) axis - 1;
      dim->bounds = new_blocks (self, d, param, hints, weights, error);
      if (dim->bounds == NULL)
        return FALSE;
      dim->kind = PD_HOLDS_RANGE;
    }
  return TRUE;
}

PdLayout *
pd_layout_new_distributed (PdGrid *grid, guint rank, const gint64 *sizes,
                           const PdDvmDistribution *distribution, const PdBlockHints *hints,
                           GError **error)
{
  g_autoptr (PdLayout) self = NULL;
  PdWeights weights = { { NULL } };

  g_return_val_if_fail (grid != NULL && distribution != NULL, NULL);
  if (!pd_layout_check_rank (rank, error) || !pd_layout_check_sizes (rank, sizes, 1, error))
    return NULL;
  if (distribution->n > grid->rank)
    {
      g_set_error (error, PD_LAYOUT_ERROR, PD_LAYOUT_ERROR_RANK,
                   "a distribution over %u dimensions of a grid of rank %u", distribution->n,
                   grid->rank);
      return NULL;
    }

  self = pd_layout_new_empty (grid, rank, sizes);
  self->n_rules = rank;
  for (guint m = 0; m < rank; m++)
    self->rules[m] = (PdRule){ .kind = PD_RULE_LINEAR, .axis = m, .a = 1 };

  gboolean ok = collect_weights (self, hints, &weights, error)
                && distribute (self, distribution, hints, &weights, error);
  pd_weights_clear (&weights);
  return ok ? g_steal_pointer (&self) : NULL;
}

guint
pd_layout_get_repairs (const PdLayout *self)
{
  return self->repairs;
}

/* ---- references */

PdLayout *
pd_layout_ref (PdLayout *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return g_rc_box_acquire (self);
}

static void
clear_layout (gpointer data)
{
  PdLayout *self = data;

  for (guint d = 0; d < PD_MAX_GRID_RANK; d++)
    {
      g_clear_pointer (&self->dims[d].bounds, g_rc_box_release);
      g_clear_pointer (&self->dims[d].member, g_rc_box_release);
    }
  g_clear_pointer (&self->base, pd_layout_unref);
  pd_grid_unref (self->grid);
}

void
pd_layout_unref (PdLayout *self)
{
  g_return_if_fail (self != NULL);
  g_rc_box_release_full (self, clear_layout);
}

/* ---- questions */

PdGrid *
pd_layout_get_grid (const PdLayout *self)
{
  return self->grid;
}

guint
pd_layout_get_rank (const PdLayout *self)
{
  return self->rank;
}

const gint64 *
pd_layout_get_sizes (const PdLayout *self)
{
  return self->sizes;
}

PdHolds
pd_layout_holds (const PdLayout *self, guint dim, guint *axis)
{
  g_return_val_if_fail (dim < self->grid->rank, PD_HOLDS_ALL);
  if (axis != NULL && self->dims[dim].kind == PD_HOLDS_RANGE)
    *axis = self->dims[dim].axis;
  return self->dims[dim].kind;
}

gboolean
pd_layout_get_range (const PdLayout *self, guint dim, guint32 coord, gint64 *lo, gint64 *hi)
{
  g_return_val_if_fail (dim < self->grid->rank && coord < self->grid->sizes[dim], FALSE);

  const PdConstraint *constraint = &self->dims[dim];
  switch (constraint->kind)
    {
    case PD_HOLDS_ALL:
      return TRUE;
    case PD_HOLDS_FIXED:
      return constraint->fixed == coord;
    case PD_HOLDS_SET:
      return constraint->member[coord];
    case PD_HOLDS_RANGE:
    default:
      if (lo != NULL)
        *lo = constraint->bounds[coord].lo;
      if (hi != NULL)
        *hi = constraint->bounds[coord].hi;
      return constraint->bounds[coord].lo <= constraint->bounds[coord].hi;
    }
}

gboolean
pd_layout_get_local (const PdLayout *self, guint32 linear, gint64 *lo, gint64 *hi)
{
  guint32 coords[PD_MAX_GRID_RANK];

  g_return_val_if_fail (linear < self->grid->n, FALSE);
  for (guint i = 0; i < self->rank; i++)
    {
      if (self->sizes[i] == 0)
        return FALSE;
      lo[i] = 0;
      hi[i] = self->sizes[i] - 1;
    }
  pd_grid_get_coords (self->grid, linear, coords);
  for (guint d = 0; d < self->grid->rank; d++)
    {
      guint axis = self->dims[d].axis;

      if (!pd_layout_get_range (self, d, coords[d], &lo[axis], &hi[axis]))
        return FALSE;
    }
  return TRUE;
}

gint64
pd_layout_get_local_count (const PdLayout *self, guint32 linear)
{
  gint64 lo[PD_MAX_RANK], hi[PD_MAX_RANK];
  gint64 count = 1;

  if (!pd_layout_get_local (self, linear, lo, hi))
    return 0;
  for (guint i = 0; i < self->rank; i++)
    count *= hi[i] - lo[i] + 1;
  return count;
}

guint32
pd_layout_get_replication (const PdLayout *self)
{
  guint32 replication = 1;

  for (guint d = 0; d < self->grid->rank; d++)
    if (self->dims[d].kind == PD_HOLDS_ALL)
      replication *= self->grid->sizes[d];
    else if (self->dims[d].kind == PD_HOLDS_SET)
      replication *= self->dims[d].n_set;
  return replication;
}

/* Replicated as such, whether or not some coordinates have nothing to hold. */
static gboolean
is_replicated (const PdLayout *self, guint dim)
{
  const PdConstraint *from = &(self->base != NULL ? self->base : self)->dims[dim];

  return from->kind == PD_HOLDS_ALL
         || (from->kind == PD_HOLDS_RANGE && self->rules[from->axis].kind == PD_RULE_REPL);
}

guint
pd_layout_reduction_split (const PdLayout *self, gboolean *split_dim)
{
  guint n = 0;

  for (guint d = 0; d < PD_MAX_GRID_RANK; d++)
    {
      split_dim[d] = d < self->grid->rank && self->grid->sizes[d] > 1 && is_replicated (self, d);
      n += split_dim[d] ? 1 : 0;
    }
  return n;
}

/* ---- comparing */

static gboolean
same_constraint (const PdConstraint *a, const PdConstraint *b, guint32 n_coords)
{
  if (a->kind != b->kind)
    return FALSE;
  switch (a->kind)
    {
    case PD_HOLDS_ALL:
      return TRUE;
    case PD_HOLDS_FIXED:
      return a->fixed == b->fixed;
    case PD_HOLDS_SET:
      return memcmp (a->member, b->member, n_coords) == 0;
    case PD_HOLDS_RANGE:
    default:
      return a->axis == b->axis
             && (a->bounds == b->bounds
                 || memcmp (a->bounds, b->bounds, n_coords * sizeof *a->bounds) == 0);
    }
}

gboolean
pd_layout_same_blocks (const PdLayout *a, const PdLayout *b)
{
  const PdLayout *base_a = a->base != NULL ? a->base : a;
  const PdLayout *base_b = b->base != NULL ? b->base : b;

  if (a == b)
    return TRUE;
  if (base_a != base_b || a->rank != b->rank)
    return FALSE;
  for (guint i = 0; i < a->rank; i++)
    if (a->sizes[i] != b->sizes[i])
      return FALSE;
  for (guint d = 0; d < a->grid->rank; d++)
    if (!same_constraint (&a->dims[d], &b->dims[d], a->grid->sizes[d]))
      return FALSE;
  return TRUE;
}
