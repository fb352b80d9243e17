/* How many messages a copy takes in all, without listing them.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/copy/pd-dvm-copy-private.h"
#include "predictor/dvm/copy/pd-dvm-copy-side-private.h"
#include "predictor/dvm/copy/pd-dvm-copy-total-private.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"

/* ---- number of messages of all */

/* Pairs of cells of the two sides that meet along an axis. */
static guint64
count_axis (const PdCopyPlan *self, guint axis)
{
  gint from = self->from.dims_of[axis], to = self->to.dims_of[axis];
  guint64 n = 0;

  if (from < 0 || to < 0)
    return from >= 0 ? self->from.dims[from].n : to >= 0 ? self->to.dims[to].n : 1;
  for (guint32 i = 0; i < self->from.dims[from].n; i++)
    n += pd_copy_dim_meet (&self->to.dims[to], self->from.dims[from].cells[i].range).n;
  return n;
}

/* Coordinates of a grid dimension that hold, on both sides, something that meets. */
static guint64
count_common (const PdCopyPlan *self, guint dim)
{
  const PdCopyDim *from = &self->from.dims[dim], *to = &self->to.dims[dim];
  guint64 n = 0;

  for (guint32 i = 0; i < from->n; i++)
    {
      gint64 k = pd_copy_dim_find (to, pd_copy_dim_coord (from, i));

      if (k < 0)
        continue;
      if (from->axis >= 0 && from->axis == to->axis)
        {
          PdIndexRange range = pd_copy_meet_ranges (from->cells[i].range, to->cells[k].range);

          n += range.lo <= range.hi ? 1 : 0;
          continue;
        }
      n++;
    }
  return n;
}

/* Processors that hold something on both sides that meets, so would send to
 * themselves; 0 where an axis is divided by different dimensions: there they are
 * no product. */
static guint64
count_selves (const PdCopyPlan *self)
{
  guint64 n = 1;

  if (!pd_grid_equal (self->from.grid, self->to.grid))
    return 0;
  for (guint j = 0; j < self->from.n_axes; j++)
    if (self->from.dims_of[j] >= 0 && self->to.dims_of[j] >= 0
        && self->from.dims_of[j] != self->to.dims_of[j])
      return 0;
  for (guint d = 0; d < self->from.grid->rank; d++)
    n *= count_common (self, d);
  return n;
}

guint32
pd_copy_plan_count_senders (const PdCopyPlan *self)
{
  guint32 n = pd_copy_side_count_replicas (&self->from);

  return self->once ? MIN (n, 1) : n;
}

guint64
pd_copy_plan_count_messages (const PdCopyPlan *self, const PdCopyVector *vector)
{
  /* those that send the same to everybody */
  guint64 n_senders = vector != NULL ? MIN (self->from.dims[vector->from_dim].n, 1)
                                     : pd_copy_plan_count_senders (self);
  guint64 n = pd_copy_multiply (n_senders, pd_copy_side_count_replicas (&self->to));

  if (self->silent)
    return 0;
  for (guint j = 0; j < self->from.n_axes; j++)
    n = pd_copy_multiply (n, count_axis (self, j));
  return n - MIN (n, pd_copy_multiply (count_selves (self), self->elementwise ? n_senders : 1));
}
