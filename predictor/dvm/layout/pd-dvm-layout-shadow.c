/* Exchange of shadow edges: which messages every processor sends and receives.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/layout/pd-dvm-layout-inside.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"
#include "predictor/dvm/layout/pd-dvm-layout-shadow.h"

/* The non-empty choices of inside, low, high in each grid dimension: 3^4 - 1. */
#define MAX_EDGES 80

enum
{
  INSIDE,
  LOW,
  HIGH,
  N_PICKS
};

/* Bits of ShdSign. */
enum
{
  SIGN_INSIDE = 1,
  SIGN_LOW = 2,
  SIGN_HIGH = 4,
};

/* One coordinate of one grid dimension. Numbers of indices along it: the own
 * part (INSIDE), and of the edges towards its neighbours, 0
 * if there is no neighbour or no width. */
typedef struct
{
  gint64 recv[N_PICKS];
  gint64 send[N_PICKS];
  gint32 offset[N_PICKS]; /* of the neighbour's linear number */
  gint32 holds;           /* whether it holds any index, be it exchanged or not */
} Cell;

/* What is picked in each grid dimension. */
typedef struct
{
  guint8 pick[PD_MAX_GRID_RANK];
} Edge;

/* The arrays merged into one message per edge. */
typedef struct
{
  PdShadowArray array; /* the last inserted of them; the layout is a reference */
  const PdGrid *grid;
  gint64 n_collapsed; /* elements per index of the cells */
  gint64 n_bytes;     /* per element, of all merged; times n_collapsed in the end */
  gint64 n_arrays;
  gint64 n_runs; /* of neighbouring elements, per index of the cells but those of run_dim */
  gint run_dim;  /* grid dimension of the last axis; -1: it is collapsed */
  gboolean clipped;
  gboolean skips;
  Cell *cells[PD_MAX_GRID_RANK]; /* NULL where every coordinate holds everything */
  guint n_dims;
  guint dims[PD_MAX_GRID_RANK]; /* those that have cells */
  guint n_recv;
  guint n_send;
  Edge recv[MAX_EDGES];
  Edge send[MAX_EDGES];
} Part;

typedef struct
{
  PdPlan base;
  guint max;
  guint n_parts;
  Part **parts; /* in posting order */
} ShadowPlan;

/* ---- edges, in the run-time system's order */

static gboolean
wants (const PdShadowArray *array, guint axis, guint pick)
{
  gint64 width = pick == LOW ? array->low[axis] : array->high[axis];

  return width > 0 && (array->sign[axis] & (pick == LOW ? SIGN_LOW : SIGN_HIGH)) != 0;
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
add_edge (Part *part, const guint *axes, const gint *dim_of, guint n_axes, guint high)
{
  Edge edge = { { INSIDE } };
  gboolean recv = TRUE, send = TRUE;

  for (guint i = 0; i < n_axes; i++)
    {
      guint8 pick = (high >> (n_axes - 1 - i) & 1) != 0 ? HIGH : LOW;

      edge.pick[dim_of[axes[i]]] = pick;
      recv = recv && wants (&part->array, axes[i], pick);
      send = send && wants (&part->array, axes[i], pick == LOW ? HIGH : LOW);
    }
  if (recv)
    part->recv[part->n_recv++] = edge;
  if (send)
    part->send[part->n_send++] = edge;
}

static void
add_subset (Part *part, guint subset, const gint *dim_of)
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
add_edges (Part *part)
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
join_neighbours (Part *part, guint dim, guint32 p, guint32 q)
{
  const PdShadowArray *array = &part->array;
  const PdConstraint *constraint = &array->layout->dims[dim];
  guint axis = constraint->axis;
  Cell *low = &part->cells[dim][p];
  Cell *high = &part->cells[dim][q];
  PdIndexRange p_block = constraint->bounds[p], q_block = constraint->bounds[q];
  gint64 p_length = pd_range_length (p_block), q_length = pd_range_length (q_block);
  gint64 low_skip = MIN (array->low_skip[axis], p_length), distance = (gint64) q - (gint64) p;
  gint64 high_skip = MIN (array->high_skip[axis], q_length);
  gint64 low_width = CLAMP (array->low[axis], 0, p_length - low_skip);
  gint64 high_width = CLAMP (array->high[axis], 0, q_length - high_skip);
  gint64 below = p_block.hi - low_skip, above = q_block.lo + high_skip;

  /* beyond what is skipped, and within the block it comes from */
  high->recv[LOW] = low->send[HIGH] = count_exchanged (array, axis, below - low_width + 1, below);
  low->recv[HIGH] = high->send[LOW] = count_exchanged (array, axis, above, above + high_width - 1);
  low->offset[HIGH] = (gint32) (distance * part->grid->steps[dim]);
  high->offset[LOW] = -low->offset[HIGH];
  gboolean low_wanted = wants (array, axis, LOW), high_wanted = wants (array, axis, HIGH);
  part->clipped |= (low_wanted && low_width < array->low[axis])
                   || (high_wanted && high_width < array->high[axis]);
  part->skips |= (low_wanted || high_wanted) && ABS (distance) != 1;
}

static void
fill_cells (Part *part, guint dim)
{
  const PdLayout *layout = part->array.layout;
  const PdConstraint *constraint = &layout->dims[dim];
  guint32 n_coords = part->grid->sizes[dim];
  gint64 previous = -1;

  part->cells[dim] = g_new0 (Cell, n_coords);
  for (guint32 c = 0; c < n_coords; c++)
    {
      Cell *cell = &part->cells[dim][c];
      gint64 lo = 0, hi = 0;

      if (!pd_layout_get_range (layout, dim, c, &lo, &hi))
        continue;
      cell->holds = TRUE;
      cell->recv[INSIDE] = cell->send[INSIDE] = 1;
      if (constraint->kind != PD_HOLDS_RANGE)
        continue;
      cell->recv[INSIDE] = cell->send[INSIDE] =
          count_exchanged (&part->array, constraint->axis, lo, hi);
      if (previous >= 0 && constraint->bounds[previous].lo < lo)
        join_neighbours (part, dim, (guint32) previous, c);
      else if (previous >= 0) /* a negative coefficient */
        join_neighbours (part, dim, c, (guint32) previous);
      previous = c;
    }
  if (constraint->kind == PD_HOLDS_RANGE && (part->array.thin >> constraint->axis & 1) != 0)
    part->cells[dim][0].recv[INSIDE] = part->cells[dim][0].send[INSIDE] = 1;
}

/* ---- parts */

static gboolean
can_merge (const PdShadowArray *a, const PdShadowArray *b)
{
  if (a->max_count != b->max_count || a->limited != b->limited
      || !pd_layout_same_blocks (a->layout, b->layout))
    return FALSE;
  for (guint i = 0; i < a->layout->rank; i++)
    if (a->low[i] != b->low[i] || a->high[i] != b->high[i] || a->sign[i] != b->sign[i]
        || a->low_skip[i] != b->low_skip[i] || a->high_skip[i] != b->high_skip[i]
        || ((a->limited >> i & 1) != 0 && (a->first[i] != b->first[i] || a->last[i] != b->last[i])))
      return FALSE;
  return TRUE;
}

/* Whether the bytes of all of the array fit 64 bits, so those of an edge do. */
static gboolean
fits (const PdLayout *layout, gint64 n_bytes)
{
  for (guint i = 0; i < layout->rank; i++)
    if (__builtin_mul_overflow (n_bytes, layout->sizes[i], &n_bytes))
      return FALSE;
  return TRUE;
}

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
find_runs (Part *part, const gboolean *split)
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

static Part *
new_part (const PdShadowArray *array)
{
  Part *part = g_new0 (Part, 1);
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
  return part;
}

static void
free_part (gpointer data)
{
  Part *part = data;

  for (guint d = 0; d < PD_MAX_GRID_RANK; d++)
    g_free (part->cells[d]);
  pd_layout_unref (part->array.layout);
  g_free (part);
}

/* Adds an array to the part it belongs to, or makes a new one. */
static Part *
add_array (GPtrArray *parts, const PdShadowArray *array)
{
  gint64 n_bytes;

  for (guint i = 0; i < parts->len; i++)
    {
      Part *part = parts->pdata[i];

      if (!can_merge (&part->array, array))
        continue;
      if (__builtin_add_overflow (part->n_bytes, array->type_size, &n_bytes)
          || !fits (array->layout, n_bytes))
        return NULL;
      part->n_bytes = n_bytes;
      part->n_arrays++;
      return part;
    }
  if (!fits (array->layout, array->type_size))
    return NULL;
  g_ptr_array_add (parts, new_part (array));
  return parts->pdata[parts->len - 1];
}

static void
report (PdMessages *messages, guint number, const Part *part)
{
  static const PdPlace nowhere = { NULL, 0, NULL, -1, -1, FALSE };

  if (part == NULL)
    pd_messages_add (messages, PD_SEVERITY_WARNING, "shadow-array-skipped", NULL, &nowhere,
                     "array %u of a shadow group has elements of no size, or too many bytes; its "
                     "edges are left out",
                     number);
  if (part != NULL && part->clipped)
    pd_messages_add (messages, PD_SEVERITY_WARNING, "shadow-width-clipped", NULL, &nowhere,
                     "a shadow edge of array %u of a shadow group is wider than the block it "
                     "comes from; it is taken as wide as the block",
                     number);
  if (part != NULL && part->skips)
    pd_messages_add (messages, PD_SEVERITY_WARNING, "shadow-skips-empty", NULL, &nowhere,
                     "array %u of a shadow group has processors without elements between others; "
                     "the next one with elements is taken for the neighbour",
                     number);
}

/* ---- the plan */

static void
plan_free (PdPlan *plan)
{
  ShadowPlan *self = (ShadowPlan *) plan;

  for (guint i = 0; i < self->n_parts; i++)
    free_part (self->parts[i]);
  g_free (self->parts);
  g_free (self);
}

static guint
plan_get_max (const PdPlan *plan, guint32 processor G_GNUC_UNUSED)
{
  return ((const ShadowPlan *) plan)->max;
}

static guint64
plan_get_total (const PdPlan *plan)
{
  const ShadowPlan *self = (const ShadowPlan *) plan;
  guint64 total = 0;

  for (guint i = 0; i < self->n_parts; i++)
    total += (guint64) self->parts[i]->n_send * pd_grid_get_n (self->parts[i]->grid);
  return total;
}

/* The cells of the processor's coordinates; FALSE if it holds nothing. */
static gboolean
find_cells (const Part *part, guint32 linear, const Cell **cells)
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

static guint
list_part (const Part *part, guint32 linear, PdPlanMessage *out)
{
  const Cell *cells[PD_MAX_GRID_RANK];
  guint n = 0;

  if (part->n_recv + part->n_send == 0 || !find_cells (part, linear, cells))
    return 0;
  for (guint e = 0; e < part->n_recv + part->n_send; e++)
    {
      gboolean send = e >= part->n_recv;
      const Edge *edge = send ? &part->send[e - part->n_recv] : &part->recv[e];
      gint64 bytes = part->n_bytes, runs = part->n_arrays * part->n_runs;
      gint64 peer = linear;

      for (guint k = 0; k < part->n_dims && bytes != 0; k++)
        {
          guint pick = edge->pick[part->dims[k]];
          gint64 count = send ? cells[k]->send[pick] : cells[k]->recv[pick];

          bytes *= count;
          runs *= (gint) part->dims[k] == part->run_dim ? 1 : count;
          peer += cells[k]->offset[pick];
        }
      if (bytes != 0)
        out[n++] =
            (PdPlanMessage){ pd_grid_processor (part->grid, (guint32) peer), send, bytes, runs };
    }
  return n;
}

static guint
plan_get_messages (const PdPlan *plan, guint32 processor, PdPlanMessage *out)
{
  const ShadowPlan *self = (const ShadowPlan *) plan;
  guint n = 0;

  for (guint i = 0; i < self->n_parts; i++)
    {
      const Part *part = self->parts[i];
      gint64 linear = pd_grid_find (part->grid, processor);

      if (linear >= 0)
        n += list_part (part, (guint32) linear, out + n);
    }
  return n;
}

static const PdPlanClass plan_class = {
  .get_max = plan_get_max,
  .get_messages = plan_get_messages,
  .get_total = plan_get_total,
  .free = plan_free,
};

PdPlan *
pd_shadow_plan_new (const PdShadowArray *arrays, guint n, PdMessages *messages)
{
  g_return_val_if_fail (arrays != NULL || n == 0, NULL);

  ShadowPlan *self = g_new0 (ShadowPlan, 1);
  GPtrArray *parts = g_ptr_array_new ();
  pd_plan_init (&self->base, &plan_class);
  for (guint i = n; i-- > 0;)
    report (messages, i + 1, arrays[i].type_size < 1 ? NULL : add_array (parts, &arrays[i]));
  for (guint i = 0; i < parts->len; i++)
    {
      Part *part = parts->pdata[i];

      part->n_bytes *= part->n_collapsed;
      self->max += part->n_recv + part->n_send;
    }
  self->n_parts = parts->len;
  self->parts = (Part **) g_ptr_array_free (parts, FALSE);
  return &self->base;
}
