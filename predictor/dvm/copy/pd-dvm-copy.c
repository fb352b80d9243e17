/* Sections of arrays, and which rule a copy between two of them follows.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/copy/pd-dvm-copy-private.h"
#include "predictor/dvm/copy/pd-dvm-copy-pairs-private.h"
#include "predictor/dvm/copy/pd-dvm-copy-product-private.h"
#include "predictor/dvm/copy/pd-dvm-copy-side-private.h"
#include "predictor/dvm/copy/pd-dvm-copy-vector-private.h"
#include "predictor/dvm/copy/pd-dvm-copy-view-private.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"

#include <string.h>

/* ---- sections */

static gint64
count_range (const PdLoopRange *range)
{
  return (range->last - range->first) / range->step + 1;
}

/* The first @count indices of @range. */
static void
set_count (PdLoopRange *range, gint64 count)
{
  if (count <= 1)
    range->step = 1;
  range->last = range->first + (count - 1) * range->step;
}

gboolean
pd_section_init (PdSection *self, PdLayout *layout, const gint64 *first, const gint64 *last,
                 const gint64 *step, GError **error)
{
  g_return_val_if_fail (self != NULL && layout != NULL, FALSE);

  *self = (PdSection){ .layout = layout };
  for (guint i = 0; i < layout->rank; i++)
    {
      PdLoopRange *range = &self->ranges[i];
      gint64 size = layout->sizes[i];

      *range = (PdLoopRange){ 0, size - 1, 1 };
      if (first == NULL || first[i] == -1)
        continue;
      if (first[i] < 0 || first[i] >= size)
        {
          g_set_error (error, PD_LAYOUT_ERROR, PD_LAYOUT_ERROR_VALUE,
                       "first index %" G_GINT64_FORMAT " of axis %u of a section, expected -1 to "
                       "%" G_GINT64_FORMAT,
                       first[i], i + 1, size - 1);
          return FALSE;
        }
      range->first = first[i];
      range->last = last != NULL ? CLAMP (last[i], first[i], size - 1) : first[i];
      range->step = step != NULL ? MAX (step[i], 1) : 1;
      set_count (range, count_range (range));
    }
  return TRUE;
}

gint64
pd_section_get_count (const PdSection *self)
{
  gint64 count = 1;

  for (guint i = 0; i < self->layout->rank; i++)
    if (__builtin_mul_overflow (count, count_range (&self->ranges[i]), &count))
      return G_MAXINT64;
  return count;
}

gint64
pd_section_get_local_count (const PdSection *self, guint32 processor)
{
  gint64 lo[PD_MAX_RANK], hi[PD_MAX_RANK];
  gint64 linear = pd_grid_find (self->layout->grid, processor);
  gint64 count = 1;

  if (linear < 0 || !pd_layout_get_local (self->layout, (guint32) linear, lo, hi))
    return 0;
  for (guint i = 0; i < self->layout->rank; i++)
    count *= pd_range_length (pd_copy_to_section (&self->ranges[i], lo[i], hi[i]));
  return count;
}

gint64
pd_section_truncate (PdSection *self, gint64 count)
{
  gint64 inner = pd_section_get_count (self);

  g_return_val_if_fail (count >= 1, inner);
  for (guint i = 0; i < self->layout->rank && count < inner; i++)
    {
      PdLoopRange *range = &self->ranges[i];
      gint64 n = count_range (range);

      inner /= n; /* elements of a slice */
      n = CLAMP (count / inner, 1, n);
      set_count (range, n);
      if (count >= inner)
        return n * inner;
    }
  return inner;
}

/* ---- which rule */

/* The first rule: everybody has the source. */
static gboolean
is_everywhere (const PdSection *from, const PdSection *to)
{
  for (guint d = 0; d < from->layout->grid->rank; d++)
    if (from->layout->dims[d].kind != PD_HOLDS_ALL)
      return FALSE;
  return pd_copy_grid_is_inside (to->layout->grid, from->layout->grid);
}

/* The axis with more than one index if there is just one such axis, or -1. */
static gint
find_only_varying (const PdSection *section)
{
  gint axis = -1;

  for (guint i = 0; i < section->layout->rank; i++)
    {
      if (count_range (&section->ranges[i]) == 1)
        continue;
      if (axis >= 0)
        return -1;
      axis = (gint) i;
    }
  return axis;
}

static gboolean
same_range (const PdLoopRange *a, const PdLoopRange *b)
{
  return a->last - a->first == b->last - b->first && a->step == b->step;
}

/* The grid dimension that divides a vector of which @section is a part from
 * index 0 on without gaps, or -1. */
static gint
find_vector_dim (const PdSection *section)
{
  const PdLayout *layout = section->layout;

  if (layout->grid->rank != 2 || layout->rank != 1 || section->ranges[0].first != 0
      || section->ranges[0].step != 1)
    return -1;
  for (guint d = 0; d < 2; d++)
    if (layout->dims[d].kind == PD_HOLDS_RANGE)
      return (gint) d;
  return -1;
}

/* The second rule. */
static gboolean
are_vectors (const PdSection *from, const PdSection *to)
{
  return find_vector_dim (from) >= 0 && find_vector_dim (to) >= 0
         && pd_grid_equal (from->layout->grid, to->layout->grid)
         && from->ranges[0].last == to->ranges[0].last;
}

/* The third rule. */
static gboolean
has_equal_shape (const PdSection *from, const PdSection *to)
{
  gint a = find_only_varying (from), b = find_only_varying (to);
  gboolean equal = from->layout->rank == to->layout->rank;

  for (guint i = 0; equal && i < from->layout->rank; i++)
    equal = same_range (&from->ranges[i], &to->ranges[i]);
  return equal || (a >= 0 && b >= 0 && same_range (&from->ranges[a], &to->ranges[b]));
}

/* ---- plans */

/* Whether element by element in
 * linear order is also index by index. */
static gboolean
has_equal_counts (const PdCopySide *a, const PdCopySide *b)
{
  return a->n_axes == b->n_axes
         && memcmp (a->counts, b->counts, a->n_axes * sizeof *a->counts) == 0;
}

static PdPlan *
new_elementwise (const PdSection *from, const PdSection *to, gint64 type_size, gboolean silent)
{
  PdCopyPlan plan;

  pd_copy_plan_init (&plan, from, to, type_size);
  plan.elementwise = TRUE;
  plan.once = from->once;
  plan.silent = silent;
  return has_equal_counts (&plan.from, &plan.to) ? pd_copy_plan_new_product (&plan, NULL)
                                                 : pd_copy_plan_new_pairs (&plan);
}

static PdPlan *
new_vector (const PdSection *from, const PdSection *to, gint64 type_size)
{
  guint from_dim = (guint) find_vector_dim (from), to_dim = (guint) find_vector_dim (to);
  guint other = 1 - from_dim;
  PdCopyPlan plan;

  pd_copy_plan_init (&plan, from, to, type_size);
  plan.elementwise = TRUE;
  return pd_copy_plan_new_product (
      &plan, pd_copy_vector_new (&plan, other, from_dim == to_dim ? other : from_dim));
}

PdPlan *
pd_copy_plan_new (const PdSection *from, const PdSection *to, gint64 type_size)
{
  PdCopyPlan plan;

  g_return_val_if_fail (from != NULL && to != NULL && type_size >= 1, NULL);
  if (pd_section_get_count (from) == 0 || pd_section_get_count (to) == 0)
    return pd_copy_plan_new_nothing ();
  if (is_everywhere (from, to))
    return new_elementwise (from, to, type_size, TRUE);
  if (are_vectors (from, to))
    return new_vector (from, to, type_size);
  if (from->once || !has_equal_shape (from, to))
    return new_elementwise (from, to, type_size, FALSE);
  pd_copy_plan_init (&plan, from, to, type_size);
  return pd_copy_plan_new_product (&plan, NULL);
}

PdPlan *
pd_copy_plan_new_element (const PdSection *from, const PdSection *to, gint64 type_size)
{
  g_return_val_if_fail (from != NULL && to != NULL && type_size >= 1, NULL);
  if (pd_section_get_count (from) == 0 || pd_section_get_count (to) == 0)
    return pd_copy_plan_new_nothing ();
  return new_elementwise (from, to, type_size, FALSE);
}

/* The memory of processors as an array that has the section's elements, held by
 * one processor of @grid, or by all of them. */
static PdSection
make_memory (const PdSection *section, PdGrid *grid, guint32 only)
{
  guint rank = section->layout->rank;
  gint64 sizes[PD_MAX_RANK];
  guint32 coords[PD_MAX_GRID_RANK];
  PdSection memory = { .once = FALSE };

  for (guint i = 0; i < rank; i++)
    {
      sizes[i] = count_range (&section->ranges[i]);
      memory.ranges[i] = (PdLoopRange){ 0, sizes[i] - 1, 1 };
    }
  memory.layout = pd_layout_new_empty (grid, rank, sizes);
  if (only == G_MAXUINT32)
    return memory;
  pd_grid_get_coords (grid, only, coords);
  for (guint d = 0; d < grid->rank; d++)
    {
      memory.layout->dims[d].kind = PD_HOLDS_FIXED;
      memory.layout->dims[d].fixed = coords[d];
    }
  return memory;
}

/* Processors of the array's grid outside the current one do not come to the call. */
static PdGrid *
limit_to (const PdSection *section, PdGrid *current)
{
  return pd_copy_grid_is_inside (section->layout->grid, current) ? NULL : pd_grid_ref (current);
}

PdPlan *
pd_copy_plan_new_gather (const PdSection *from, PdGrid *current, guint32 only, gint64 type_size)
{
  PdCopyPlan plan;

  g_return_val_if_fail (from != NULL && current != NULL && type_size >= 1, NULL);
  g_return_val_if_fail (only == G_MAXUINT32 || only < current->n, NULL);
  if (pd_section_get_count (from) == 0)
    return pd_copy_plan_new_nothing ();

  PdSection memory = make_memory (from, current, only);
  pd_copy_plan_init (&plan, from, &memory, type_size);
  pd_layout_unref (memory.layout);
  plan.elementwise = TRUE;
  plan.sends_first = TRUE;
  plan.within = limit_to (from, current);
  /* the first holder may be one that does not come */
  plan.once = from->once && plan.within == NULL;
  return pd_copy_plan_new_product (&plan, NULL);
}

PdPlan *
pd_copy_plan_new_scatter (const PdSection *to, PdGrid *current, guint32 from, gint64 type_size)
{
  PdCopyPlan plan;

  g_return_val_if_fail (to != NULL && current != NULL && type_size >= 1, NULL);
  g_return_val_if_fail (from < current->n, NULL);
  if (pd_section_get_count (to) == 0)
    return pd_copy_plan_new_nothing ();

  PdSection memory = make_memory (to, current, from);
  pd_copy_plan_init (&plan, &memory, to, type_size);
  pd_layout_unref (memory.layout);
  plan.within = limit_to (to, current);
  return pd_copy_plan_new_product (&plan, NULL);
}
