/* Which edges the processors of a part exchange, and with which neighbours.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/layout/pd-shadow-part-private.h"

#include "predictor/dvm/layout/pd-dvm-layout-grid.h"

/* Few processors are listed one by one; more classes are kept nowhere. */
#define FEW_PROCESSORS 16
#define MOST_CLASSES   512

/* Bits of ShdSign. */
enum
{
  SIGN_INSIDE = 1,
  SIGN_LOW = 2,
  SIGN_HIGH = 4,
};

/* ---- edges, in the run-time system's order */

static gboolean
wants (const PdShadowArray *array, guint axis, guint pick)
{
  gint64 width = pick == PD_SHADOW_LOW ? array->low[axis] : array->high[axis];

  return width > 0 && (array->sign[axis] & (pick == PD_SHADOW_LOW ? SIGN_LOW : SIGN_HIGH)) != 0;
}

/* Grid dimension of each array axis, -1 where it cannot have neighbours. */
static void
find_dims (const PdLayout *layout, gint *dim_of)
{
  for (guint i = 0; i < PD_MAX_RANK; i++)
    dim_of[i] = -1;
  for (guint d = 0; d < layout->grid->rank; d++)
    if (layout->dims[d].kind == PD_HOLDS_RANGE && layout->grid->sizes[d] > 1)
      dim_of[layout->dims[d].axis] = (gint) d;
}

/* Adds the edge of @subset in the directions @high, both with the first axis
 * as the most significant bit. My low edge is sent for my low neighbour's high
 * shadow, hence the opposite picks. */
static void
add_edge (PdShadowPart *part, const guint *axes, const gint *dim_of, guint n_axes, guint high)
{
  PdShadowEdge edge = { { PD_SHADOW_INSIDE } };
  gboolean recv = TRUE, send = TRUE;

  for (guint i = 0; i < n_axes; i++)
    {
      guint8 pick = (high >> (n_axes - 1 - i) & 1) != 0 ? PD_SHADOW_HIGH : PD_SHADOW_LOW;

      edge.pick[dim_of[axes[i]]] = pick;
      recv = recv && wants (&part->array, axes[i], pick);
      send =
          send
          && wants (&part->array, axes[i], pick == PD_SHADOW_LOW ? PD_SHADOW_HIGH : PD_SHADOW_LOW);
    }
  if (recv)
    part->recv[part->n_recv++] = edge;
  if (send)
    part->send[part->n_send++] = edge;
}

static void
add_subset (PdShadowPart *part, guint subset, const gint *dim_of)
{
  guint rank = part->array.layout->rank;
  guint axes[PD_MAX_RANK];
  guint n_axes = 0;

  for (guint i = 0; i < rank; i++)
    {
      if ((subset >> (rank - 1 - i) & 1) == 0)
        {
          if ((part->array.sign[i] & SIGN_INSIDE) == 0)
            return;
          continue;
        }
      if (dim_of[i] < 0)
        return;
      axes[n_axes++] = i;
    }
  if (n_axes > part->array.max_count)
    return;
  for (guint high = 0; high < 1u << n_axes; high++)
    add_edge (part, axes, dim_of, n_axes, high);
}

static void
add_edges (PdShadowPart *part)
{
  gint dim_of[PD_MAX_RANK];

  find_dims (part->array.layout, dim_of);
  for (guint subset = 1; subset < 1u << part->array.layout->rank; subset++)
    add_subset (part, subset, dim_of);
}

/* ---- cells */

/* How many of the indices @lo to @hi are exchanged. */
static gint64
count_exchanged (const PdShadowArray *array, guint axis, gint64 lo, gint64 hi)
{
  if ((array->limited >> axis & 1) != 0)
    {
      lo = MAX (lo, array->first[axis]);
      hi = MIN (hi, array->last[axis]);
    }
  return lo > hi ? 0 : hi - lo + 1;
}

/* Joins the owners of neighbouring indices: @p holds the lower ones. The width
 * of an edge is cut to its owner's block, the same on both sides. */
static void
join_neighbours (PdShadowPart *part, guint dim, guint32 p, guint32 q)
{
  const PdShadowArray *array = &part->array;
  const PdConstraint *constraint = &array->layout->dims[dim];
  guint axis = constraint->axis;
  PdShadowCell *low = &part->cells[dim][p];
  PdShadowCell *high = &part->cells[dim][q];
  PdIndexRange p_block = constraint->bounds[p], q_block = constraint->bounds[q];
  gint64 p_length = pd_range_length (p_block), q_length = pd_range_length (q_block);
  gint64 low_skip = MIN (array->low_skip[axis], p_length), distance = (gint64) q - (gint64) p;
  gint64 high_skip = MIN (array->high_skip[axis], q_length);
  gint64 low_width = CLAMP (array->low[axis], 0, p_length - low_skip);
  gint64 high_width = CLAMP (array->high[axis], 0, q_length - high_skip);
  gint64 below = p_block.hi - low_skip, above = q_block.lo + high_skip;

  /* beyond the skipped part, and within the block it comes from */
  high->recv[PD_SHADOW_LOW] = low->send[PD_SHADOW_HIGH] =
      count_exchanged (array, axis, below - low_width + 1, below);
  low->recv[PD_SHADOW_HIGH] = high->send[PD_SHADOW_LOW] =
      count_exchanged (array, axis, above, above + high_width - 1);
  low->offset[PD_SHADOW_HIGH] = (gint32) (distance * part->grid->steps[dim]);
  high->offset[PD_SHADOW_LOW] = -low->offset[PD_SHADOW_HIGH];
  gboolean low_wanted = wants (array, axis, PD_SHADOW_LOW),
           high_wanted = wants (array, axis, PD_SHADOW_HIGH);
  part->clipped |= (low_wanted && low_width < array->low[axis])
                   || (high_wanted && high_width < array->high[axis]);
  part->skips |= (low_wanted || high_wanted) && ABS (distance) != 1;
}

static void
fill_cells (PdShadowPart *part, guint dim)
{
  const PdLayout *layout = part->array.layout;
  const PdConstraint *constraint = &layout->dims[dim];
  guint32 n_coords = part->grid->sizes[dim];
  gint64 previous = -1;

  part->cells[dim] = g_new0 (PdShadowCell, n_coords);
  for (guint32 c = 0; c < n_coords; c++)
    {
      PdShadowCell *cell = &part->cells[dim][c];
      gint64 lo = 0, hi = 0;

      if (!pd_layout_get_range (layout, dim, c, &lo, &hi))
        continue;
      cell->holds = TRUE;
      cell->recv[PD_SHADOW_INSIDE] = cell->send[PD_SHADOW_INSIDE] = 1;
      if (constraint->kind != PD_HOLDS_RANGE)
        continue;
      cell->recv[PD_SHADOW_INSIDE] = cell->send[PD_SHADOW_INSIDE] =
          count_exchanged (&part->array, constraint->axis, lo, hi);
      if (previous >= 0 && constraint->bounds[previous].lo < lo)
        join_neighbours (part, dim, (guint32) previous, c);
      else if (previous >= 0) /* a negative coefficient */
        join_neighbours (part, dim, c, (guint32) previous);
      previous = c;
    }
  if (constraint->kind == PD_HOLDS_RANGE && (part->array.thin >> constraint->axis & 1) != 0)
    part->cells[dim][0].recv[PD_SHADOW_INSIDE] = part->cells[dim][0].send[PD_SHADOW_INSIDE] = 1;
}

/* ---- parts */

/* Indices that are exchanged of an axis that is whole everywhere. */
static gint64
get_extent (const PdShadowArray *array, guint axis)
{
  return (array->thin >> axis & 1) != 0
             ? 1
             : count_exchanged (array, axis, 0, array->layout->sizes[axis] - 1);
}

/* The last axis varies fastest. Only its neighbours lie beside each other: what
 * is behind the end of a row is its shadow edge, unless it has none. */
static void
find_runs (PdShadowPart *part, const gboolean *split)
{
  const PdLayout *layout = part->array.layout;
  guint axis = layout->rank - 1;
  gint64 run = split[axis] ? 1 : get_extent (&part->array, axis);

  part->run_dim = -1;
  for (guint d = 0; d < part->grid->rank; d++)
    if (layout->dims[d].kind == PD_HOLDS_RANGE && layout->dims[d].axis == axis)
      part->run_dim = (gint) d;
  while (axis > 0 && !split[axis] && get_extent (&part->array, axis) == layout->sizes[axis]
         && part->array.low[axis] <= 0 && part->array.high[axis] <= 0)
    {
      axis--;
      if (!split[axis])
        run *= get_extent (&part->array, axis);
      else
        for (guint d = 0; d < part->grid->rank; d++)
          if (layout->dims[d].kind == PD_HOLDS_RANGE && layout->dims[d].axis == axis)
            part->run_dim = (gint) d;
    }
  part->n_runs = part->n_collapsed / MAX (run, 1);
}

static void
find_classes (PdShadowPart *part)
{
  gconstpointer cells[PD_MAX_GRID_RANK];

  if (pd_grid_get_n (part->grid) < FEW_PROCESSORS)
    return;
  for (guint k = 0; k < part->n_dims; k++)
    cells[k] = part->cells[part->dims[k]];
  part->classes = pd_cell_classes_new (part->grid, part->dims, part->n_dims, cells,
                                       sizeof (PdShadowCell), MOST_CLASSES);
  if (part->classes != NULL)
    part->patterns = g_new0 (PdShadowPattern, pd_cell_classes_get_n (part->classes));
}

PdShadowPart *
pd_shadow_part_new (const PdShadowArray *array)
{
  PdShadowPart *part = g_new0 (PdShadowPart, 1);
  const PdLayout *layout = array->layout;
  gboolean split[PD_MAX_RANK] = { FALSE };

  part->array = *array;
  pd_layout_ref (part->array.layout);
  part->grid = layout->grid;
  part->n_bytes = array->type_size;
  part->n_arrays = 1;
  add_edges (part);
  for (guint d = 0; d < part->grid->rank; d++)
    {
      if (layout->dims[d].kind == PD_HOLDS_RANGE)
        split[layout->dims[d].axis] = TRUE;
      if (layout->dims[d].kind == PD_HOLDS_ALL || part->n_recv + part->n_send == 0)
        continue;
      fill_cells (part, d);
      part->dims[part->n_dims++] = d;
    }
  part->n_collapsed = 1;
  for (guint i = 0; i < layout->rank; i++)
    part->n_collapsed *= split[i] ? 1 : get_extent (array, i);
  find_runs (part, split);
  find_classes (part);
  return part;
}

void
pd_shadow_part_free (gpointer data)
{
  PdShadowPart *part = data;

  for (guint d = 0; d < PD_MAX_GRID_RANK; d++)
    g_free (part->cells[d]);
  for (guint c = 0; part->classes != NULL && c < pd_cell_classes_get_n (part->classes); c++)
    g_free (part->patterns[c].messages);
  g_free (part->patterns);
  pd_cell_classes_free (part->classes);
  pd_layout_unref (part->array.layout);
  g_free (part);
}

/* ---- messages */

/* The cells of the processor's coordinates; FALSE if it holds nothing. */
static gboolean
find_cells (const PdShadowPart *part, guint32 linear, const PdShadowCell **cells)
{
  const PdGrid *grid = part->grid;

  for (guint k = 0; k < part->n_dims; k++)
    {
      guint d = part->dims[k];
      guint32 coord = linear / grid->steps[d];
      cells[k] = &part->cells[d][d == 0 ? coord : coord % grid->sizes[d]];
      if (!cells[k]->holds)
        return FALSE;
    }
  return TRUE;
}

/* Peers are distances from @linear. */
static guint
list_edges (const PdShadowPart *part, guint32 linear, PdPlanMessage *out)
{
  const PdShadowCell *cells[PD_MAX_GRID_RANK];
  guint n = 0;

  if (!find_cells (part, linear, cells))
    return 0;
  for (guint e = 0; e < part->n_recv + part->n_send; e++)
    {
      gboolean send = e >= part->n_recv;
      const PdShadowEdge *edge = send ? &part->send[e - part->n_recv] : &part->recv[e];
      gint64 bytes = part->n_bytes, runs = part->n_arrays * part->n_runs;
      gint32 distance = 0;

      for (guint k = 0; k < part->n_dims && bytes != 0; k++)
        {
          guint pick = edge->pick[part->dims[k]];
          gint64 count = send ? cells[k]->send[pick] : cells[k]->recv[pick];

          bytes *= count;
          runs *= (gint) part->dims[k] == part->run_dim ? 1 : count;
          distance += cells[k]->offset[pick];
        }
      if (bytes != 0)
        out[n++] = (PdPlanMessage){ (guint32) distance, send, bytes, runs };
    }
  return n;
}

static const PdShadowPattern *
get_pattern (const PdShadowPart *part, guint32 linear)
{
  PdShadowPattern *pattern = &part->patterns[pd_cell_classes_find (part->classes, linear)];

  if (G_UNLIKELY (!pattern->is_known))
    {
      pattern->messages = g_new (PdPlanMessage, part->n_recv + part->n_send);
      pattern->n = list_edges (part, linear, pattern->messages);
      pattern->is_known = TRUE;
    }
  return pattern;
}

guint
pd_shadow_part_list (const PdShadowPart *part, guint32 linear, PdPlanMessage *out)
{
  guint n;

  if (part->n_recv + part->n_send == 0)
    return 0;
  if (part->classes != NULL)
    {
      const PdShadowPattern *pattern = get_pattern (part, linear);
      n = pattern->n;
      for (guint i = 0; i < n; i++)
        out[i] = pattern->messages[i];
    }
  else
    n = list_edges (part, linear, out);
  for (guint i = 0; i < n; i++)
    out[i].peer = pd_grid_processor (part->grid, linear + out[i].peer);
  return n;
}
