/* Processor grids and the weights of their coordinates.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/layout/pd-dvm-layout-inside.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid-private.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"

#include <math.h>
#include <string.h>

G_DEFINE_QUARK (pd_layout_error_quark, pd_layout_error)

/* ---- processor numbers */

guint32
pd_grid_processor_slow (const PdGrid *self, guint32 linear)
{
  guint32 processor = self->first;

  if (self->table != NULL)
    return self->table[linear];
  for (guint d = self->rank; d-- > 0; linear /= self->sizes[d])
    processor += linear % self->sizes[d] * self->strides[d];
  return processor;
}

static gint64
find_in_table (const PdGrid *self, guint32 processor)
{
  guint32 low = 0, high = self->n;

  while (low < high)
    {
      guint32 mid = low + (high - low) / 2;

      if (self->table[mid] < processor)
        low = mid + 1;
      else
        high = mid;
    }
  return low < self->n && self->table[low] == processor ? (gint64) low : -1;
}

/* ---- construction */

static PdGrid *
new_shape (guint rank, const gint64 *sizes, GError **error)
{
  guint64 n = 1;

  if (rank < 1 || rank > PD_MAX_GRID_RANK)
    {
      g_set_error (error, PD_LAYOUT_ERROR, PD_LAYOUT_ERROR_GRID,
                   "a grid of rank %u, expected 1 to %d", rank, PD_MAX_GRID_RANK);
      return NULL;
    }
  for (guint d = 0; d < rank; d++)
    {
      if (sizes[d] < 1 || sizes[d] > G_MAXINT32 || n * (guint64) sizes[d] > G_MAXINT32)
        {
          g_set_error (error, PD_LAYOUT_ERROR, PD_LAYOUT_ERROR_GRID,
                       "size %" G_GINT64_FORMAT " of dimension %u of a grid, expected at least 1 "
                       "and fewer than 2^31 processors in all",
                       sizes[d], d + 1);
          return NULL;
        }
      n *= (guint64) sizes[d];
    }

  PdGrid *self = g_rc_box_new0 (PdGrid);
  guint32 step = 1;
  self->rank = rank;
  self->n = (guint32) n;
  for (guint d = rank; d-- > 0; step *= self->sizes[d])
    {
      self->sizes[d] = (guint32) sizes[d];
      self->steps[d] = self->strides[d] = step;
    }
  self->contiguous = TRUE;
  return self;
}

PdGrid *
pd_grid_new (guint rank, const gint64 *sizes, GError **error)
{
  g_return_val_if_fail (sizes != NULL || rank == 0, NULL);
  return new_shape (rank, sizes, error);
}

/* The linear number in @parent of each linear number of its part. */
static guint32 *
new_part_table (const PdGrid *self, const PdGrid *parent, const gint64 *first)
{
  guint32 *table = g_new (guint32, self->n);

  for (guint32 i = 0; i < self->n; i++)
    {
      guint32 coords[PD_MAX_GRID_RANK];

      pd_grid_get_coords (self, i, coords);
      for (guint d = 0; d < self->rank; d++)
        coords[d] += (guint32) first[d];
      table[i] = pd_grid_processor (parent, pd_grid_get_linear (parent, coords));
    }
  return table;
}

/* Strides of dimensions of size 1 do not matter. */
static gboolean
is_contiguous (const PdGrid *self)
{
  for (guint d = 0; d < self->rank; d++)
    if (self->sizes[d] > 1 && self->strides[d] != self->steps[d])
      return FALSE;
  return TRUE;
}

PdGrid *
pd_grid_new_part (PdGrid *parent, const gint64 *first, const gint64 *last, GError **error)
{
  gint64 sizes[PD_MAX_GRID_RANK];

  g_return_val_if_fail (parent != NULL, NULL);
  for (guint d = 0; d < parent->rank; d++)
    {
      if (first[d] < 0 || last[d] < first[d] || last[d] >= parent->sizes[d])
        {
          g_set_error (error, PD_LAYOUT_ERROR, PD_LAYOUT_ERROR_GRID,
                       "part %" G_GINT64_FORMAT "..%" G_GINT64_FORMAT
                       " of dimension %u of a grid, expected within 0..%u",
                       first[d], last[d], d + 1, parent->sizes[d] - 1);
          return NULL;
        }
      sizes[d] = last[d] - first[d] + 1;
    }

  PdGrid *self = new_shape (parent->rank, sizes, error);
  g_return_val_if_fail (self != NULL, NULL); /* a part of a grid is a grid */
  if (parent->table != NULL)
    {
      self->table = new_part_table (self, parent, first);
      self->contiguous = FALSE;
      return self;
    }
  self->first = parent->first;
  for (guint d = 0; d < self->rank; d++)
    {
      self->strides[d] = parent->strides[d];
      self->first += (guint32) first[d] * self->strides[d];
    }
  self->contiguous = is_contiguous (self);
  return self;
}

PdGrid *
pd_grid_new_view (PdGrid *parent, guint rank, const gint64 *sizes, GError **error)
{
  g_autoptr (PdGrid) self = NULL;

  g_return_val_if_fail (parent != NULL, NULL);
  self = new_shape (rank, sizes, error);
  if (self == NULL)
    return NULL;
  if (self->n != parent->n)
    {
      g_set_error (error, PD_LAYOUT_ERROR, PD_LAYOUT_ERROR_GRID,
                   "a view of %u processors on a grid of %u", self->n, parent->n);
      return NULL;
    }

  self->first = parent->first;
  self->contiguous = parent->contiguous;
  if (!self->contiguous)
    {
      self->table = g_new (guint32, self->n);
      for (guint32 i = 0; i < self->n; i++)
        self->table[i] = pd_grid_processor (parent, i);
    }
  return g_steal_pointer (&self);
}

PdGrid *
pd_grid_ref (PdGrid *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return g_rc_box_acquire (self);
}

static void
clear_grid (gpointer data)
{
  g_free (((PdGrid *) data)->table);
}

void
pd_grid_unref (PdGrid *self)
{
  g_return_if_fail (self != NULL);
  g_rc_box_release_full (self, clear_grid);
}

/* ---- questions */

guint
pd_grid_get_rank (const PdGrid *self)
{
  return self->rank;
}

const guint32 *
pd_grid_get_sizes (const PdGrid *self)
{
  return self->sizes;
}

guint32
pd_grid_get_n (const PdGrid *self)
{
  return self->n;
}

guint32
pd_grid_get_processor (const PdGrid *self, guint32 linear)
{
  g_return_val_if_fail (linear < self->n, 0);
  return pd_grid_processor (self, linear);
}

gint64
pd_grid_find (const PdGrid *self, guint32 processor)
{
  guint32 rest = processor - self->first;
  guint32 linear = 0;

  if (self->table != NULL)
    return find_in_table (self, processor);
  if (processor < self->first)
    return -1;
  if (self->contiguous)
    return rest < self->n ? (gint64) rest : -1;
  for (guint d = 0; d < self->rank; d++)
    {
      guint32 coord = rest / self->strides[d];

      if (coord >= self->sizes[d])
        return -1;
      rest %= self->strides[d];
      linear += coord * self->steps[d];
    }
  return rest == 0 ? (gint64) linear : -1;
}

void
pd_grid_get_coords (const PdGrid *self, guint32 linear, guint32 *coords)
{
  g_return_if_fail (linear < self->n);
  for (guint d = self->rank; d-- > 0; linear /= self->sizes[d])
    coords[d] = linear % self->sizes[d];
}

guint32
pd_grid_get_linear (const PdGrid *self, const guint32 *coords)
{
  guint32 linear = 0;

  for (guint d = 0; d < self->rank; d++)
    {
      g_return_val_if_fail (coords[d] < self->sizes[d], 0);
      linear += coords[d] * self->steps[d];
    }
  return linear;
}

guint32
pd_grid_get_central (const PdGrid *self)
{
  guint32 linear = 0;

  for (guint d = 0; d < self->rank; d++)
    linear += self->sizes[d] / 2 * self->steps[d];
  return linear;
}

gboolean
pd_grid_equal (const PdGrid *a, const PdGrid *b)
{
  if (a == b)
    return TRUE;
  if (a->rank != b->rank || memcmp (a->sizes, b->sizes, sizeof a->sizes) != 0)
    return FALSE;
  if (a->contiguous && b->contiguous)
    return a->first == b->first;
  for (guint32 i = 0; i < a->n; i++)
    if (pd_grid_processor (a, i) != pd_grid_processor (b, i))
      return FALSE;
  return TRUE;
}

/* ---- weights */

void
pd_weights_clear (PdWeights *weights)
{
  for (guint d = 0; d < PD_MAX_GRID_RANK; d++)
    g_clear_pointer (&weights->of[d], g_free);
}

/* The smallest positive weight, 0 if there is none, -1 if one cannot be. */
static gdouble
min_positive (const gdouble *weights, guint32 n)
{
  gdouble min = 0;

  for (guint32 i = 0; i < n; i++)
    {
      if (!isfinite (weights[i]) || weights[i] < 0)
        return -1;
      if (weights[i] > 0 && (min <= 0 || weights[i] < min))
        min = weights[i];
    }
  return min;
}

static void
scale (gdouble *weights, guint32 n, gdouble factor)
{
  for (guint32 i = 0; i < n; i++)
    weights[i] *= factor;
}

/* Fills in ones, takes the smallest weight of each dimension and refuses what
 * cannot be normalised. */
static gboolean
prepare_weights (const PdGrid *grid, PdWeights *weights, gdouble *mins, GError **error)
{
  for (guint d = 0; d < grid->rank; d++)
    {
      if (weights->of[d] == NULL)
        {
          weights->of[d] = g_new (gdouble, grid->sizes[d]);
          for (guint32 i = 0; i < grid->sizes[d]; i++)
            weights->of[d][i] = 1;
        }
      mins[d] = min_positive (weights->of[d], grid->sizes[d]);
      if (mins[d] > 0 && isfinite (1. / mins[d]))
        continue;
      g_set_error (error, PD_LAYOUT_ERROR, PD_LAYOUT_ERROR_VALUE,
                   "weights of dimension %u of a grid, expected finite and not negative ones, "
                   "not all 0",
                   d + 1);
      return FALSE;
    }
  return TRUE;
}

/* The result of an earlier call, where rounding left the weights of some
 * dimension an ulp off 1: a second pass would move them again. */
static gboolean
are_normalised (const gdouble *mins, guint rank)
{
  for (guint d = 0; d < rank; d++)
    if (fabs (mins[d] - 1) > 0x1p-52)
      return FALSE;
  return TRUE;
}

gboolean
pd_weights_normalise (const PdGrid *grid, PdWeights *weights, GError **error)
{
  gdouble mins[PD_MAX_GRID_RANK];
  gdouble min = G_MAXDOUBLE;

  if (!prepare_weights (grid, weights, mins, error))
    return FALSE;
  if (are_normalised (mins, grid->rank))
    return TRUE;

  for (guint d = 0; d < grid->rank; d++)
    {
      scale (weights->of[d], grid->sizes[d], 1. / mins[d]);
      min = MIN (min, mins[d] * (1. / mins[d]));
    }
  for (guint d = 0; d < grid->rank; d++)
    {
      scale (weights->of[d], grid->sizes[d], 1. / min);
      if (min_positive (weights->of[d], grid->sizes[d]) > 0)
        continue;
      g_set_error (error, PD_LAYOUT_ERROR, PD_LAYOUT_ERROR_VALUE,
                   "weights of dimension %u of a grid differ too much", d + 1);
      return FALSE;
    }
  return TRUE;
}

/* Splits the concatenated list into one per dimension. */
static PdWeights
split_weights (const PdGrid *self, const gdouble *values)
{
  PdWeights weights = { { NULL } };

  for (guint d = 0; d < self->rank; values += self->sizes[d], d++)
    weights.of[d] = g_memdup (values, (guint) (self->sizes[d] * sizeof *values));
  return weights;
}

gboolean
pd_grid_normalise_weights (const PdGrid *self, const gdouble *values, gsize n, GArray **weights,
                           GError **error)
{
  gsize sum = 0;

  g_return_val_if_fail (self != NULL && weights != NULL, FALSE);
  for (guint d = 0; d < PD_MAX_GRID_RANK; d++)
    weights[d] = NULL;
  for (guint d = 0; d < self->rank; d++)
    sum += self->sizes[d];
  if (values == NULL || n == 0 || values[0] == 0 || values[0] == -1)
    return TRUE;
  if (n != sum)
    {
      g_set_error (error, PD_LAYOUT_ERROR, PD_LAYOUT_ERROR_VALUE,
                   "%" G_GSIZE_FORMAT " weights for a grid that needs %" G_GSIZE_FORMAT, n, sum);
      return FALSE;
    }

  PdWeights lists = split_weights (self, values);
  gboolean ok = pd_weights_normalise (self, &lists, error);
  for (guint d = 0; ok && d < self->rank; d++)
    {
      weights[d] = g_array_sized_new (FALSE, FALSE, sizeof (gdouble), self->sizes[d]);
      g_array_append_vals (weights[d], lists.of[d], self->sizes[d]);
    }
  pd_weights_clear (&lists);
  return ok;
}
