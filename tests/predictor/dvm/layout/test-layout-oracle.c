/* Layouts and loops against other ways to compute them, on seeded random cases:
 * the block formula as the specification prints it, and membership element by
 * element.
 * SPDX-License-Identifier: MIT */
#include "tests/support/dvm/layouts.h"
#include "predictor/dvm/layout/pd-dvm-layout-align.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"
#include "predictor/dvm/layout/pd-dvm-layout-loop.h"

#include <string.h>

#define N_BLOCK_CASES 20000
#define N_ALIGN_CASES 4000
#define MAX_COORDS    16

static gint64
random_between (GRand *random, gint64 low, gint64 high)
{
  return g_rand_int_range (random, (gint32) low, (gint32) high + 1);
}

/* ---- blocks */

typedef struct
{
  gint64 n;
  gint64 s;
  gint64 param;
  gint64 d;
  gdouble raw[MAX_COORDS]; /* before the cut */
  gdouble cw[MAX_COORDS];
  gdouble prev[MAX_COORDS + 1];
} Literal;

/* Cutting of the weights, as the run-time system does it. */
static void
cut_weights (Literal *l)
{
  gdouble n = (gdouble) l->n;

  if (!(l->prev[l->s] > n))
    return;
  for (gint64 k = 0; k < l->s; k++)
    if (l->prev[k] + l->cw[k] > n)
      {
        gdouble delta = n - l->prev[k] - l->cw[k];

        l->cw[k] += delta;
        for (gint64 j = k + 1; j < l->s; j++)
          l->prev[j] += delta;
        break;
      }
  l->prev[l->s] = l->prev[l->s - 1] + l->cw[l->s - 1];
}

static gint64
literal_lower (const Literal *l, gdouble step, gint64 c)
{
  long lower = (long) (step * l->prev[c]);

  if (l->d != 1)
    lower -= lower % l->d;
  return lower;
}

/* One coordinate's block; FALSE if it is empty. */
static gboolean
literal_block (const Literal *l, gint64 c, gint64 *lower, gint64 *upper)
{
  gdouble step;

  if (l->param > 0)
    step = (gdouble) MIN (l->param, l->n);
  else
    {
      step = (gdouble) l->n / l->prev[l->s];
      if (l->d != 1 && step < (gdouble) l->d)
        step = (gdouble) l->d;
    }
  if (step < 1)
    step = 1;
  *lower = literal_lower (l, step, c);
  *upper = c == l->s - 1 ? l->n - 1 : literal_lower (l, step, c + 1) - 1;
  return !(*lower > *upper || *upper >= l->n);
}

/* The smallest positive weight is 1, so that normalising changes nothing. */
static void
random_weights (GRand *random, Literal *l, gboolean weighted)
{
  for (gint64 c = 0; c < l->s; c++)
    {
      gboolean zero = random_between (random, 0, 4) == 0;

      l->raw[c] = !weighted ? 1 : zero ? 0 : 1 + 4 * g_rand_double (random);
    }
  l->raw[random_between (random, 0, l->s - 1)] = 1;
  memcpy (l->cw, l->raw, sizeof l->cw);
  for (gint64 c = 0; c < l->s; c++)
    l->prev[c + 1] = l->prev[c] + l->cw[c];
}

static Literal
random_literal (GRand *random, gboolean weighted, gboolean cut)
{
  Literal l = { .d = 1 };

  l.n = random_between (random, 1, 200);
  l.s = random_between (random, 1, 14);
  if (random_between (random, 0, 3) == 0)
    l.d = random_between (random, 1, 6);
  l.n = (l.n + l.d - 1) / l.d * l.d;
  random_weights (random, &l, weighted);
  if (cut)
    cut_weights (&l);
  if (random_between (random, 0, 4) == 0)
    l.param = (gint64) ((gdouble) l.n / l.prev[l.s]) + random_between (random, 1, 9);
  return l;
}

static void
compare_blocks (const Literal *l, const PdLayout *layout)
{
  gint64 next = 0, lost = 0;

  for (gint64 c = 0; c < l->s; c++)
    {
      gint64 lower, upper, lo = -1, hi = -1;
      gboolean there = literal_block (l, c, &lower, &upper);
      gboolean any = pd_layout_get_range (layout, 0, (guint32) c, &lo, &hi);

      g_assert_cmpint (lo, ==, next); /* a partition, in order */
      next = hi + 1;
      if (there)
        {
          g_assert_true (any);
          g_assert_cmpint (lo, ==, lower);
          g_assert_cmpint (hi, ==, upper);
        }
      lost += any && !there ? hi - lo + 1 : 0;
    }
  g_assert_cmpint (next, ==, l->n);
  g_assert_cmpuint (pd_layout_get_repairs (layout), ==, lost > 0 ? PD_LAYOUT_BLOCK_CLIPPED : 0);
}

static void
test_blocks (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (20240611);
  gint64 axis = 1;
  guint n_clipped = 0;

  for (guint i = 0; i < N_BLOCK_CASES; i++)
    {
      gboolean weighted = i % 2 == 1, cut = i % 4 == 1;
      Literal l = random_literal (random, weighted, cut);
      g_autoptr (GArray) weights = g_array_new (FALSE, FALSE, sizeof (gdouble));
      PdBlockHints hints = { .divisor = { l.d },
                             .weights = { weighted ? weights : NULL },
                             .weights_of_grid = { !cut } };
      PdDvmDistribution distribution = { 1, &axis, &l.param };
      g_autoptr (PdGrid) grid = pd_grid_new (1, &l.s, NULL);
      g_autoptr (GError) error = NULL;

      g_array_append_vals (weights, l.raw, (guint) l.s);
      g_autoptr (PdLayout) layout =
          pd_layout_new_distributed (grid, 1, &l.n, &distribution, &hints, &error);
      g_assert_no_error (error);
      compare_blocks (&l, layout);
      n_clipped += pd_layout_get_repairs (layout) != 0 ? 1 : 0;
    }
  g_assert_cmpuint (n_clipped, >, 0);
}

/* ---- membership, element by element */

/* An array or loop on a pattern, by the texts' numbers. A template has no pattern. */
typedef struct _Object Object;
struct _Object
{
  const Object *pattern;
  guint rank;
  gint64 sizes[PD_MAX_RANK]; /* of a loop: unused */
  gint64 axes[PD_MAX_RANK];
  gint64 coeffs[PD_MAX_RANK];
  gint64 consts[PD_MAX_RANK];
};

/* Whether element @x may lie at index @t of template axis @m. */
static gboolean
may_lie (const Object *self, const gint64 *x, guint m, gint64 t)
{
  const Object *y = self->pattern;
  gint64 at[PD_MAX_RANK] = { 0 };

  if (y == NULL)
    return x[m] == t;
  for (guint k = 0; k < y->rank; k++)
    if (self->axes[k] != -1)
      at[k] = self->consts[k] + (self->coeffs[k] != 0 ? self->coeffs[k] * x[self->axes[k] - 1] : 0);
  if (may_lie (y, at, m, t))
    return TRUE;
  /* Only one axis of y matters for m: try every index of each replicated one. */
  for (guint k = 0; k < y->rank; k++)
    for (gint64 i = 0; self->axes[k] == -1 && i < y->sizes[k]; i++)
      {
        gint64 kept = at[k];

        at[k] = i;
        if (may_lie (y, at, m, t))
          return TRUE;
        at[k] = kept;
      }
  return FALSE;
}

/* Whether processor @p holds @x: on every axis some place of the template's part. */
static gboolean
holds (const Object *self, const PdLayout *base, guint32 p, const gint64 *x)
{
  gint64 lo[PD_MAX_RANK], hi[PD_MAX_RANK];

  if (!pd_layout_get_local (base, p, lo, hi))
    return FALSE;
  for (guint m = 0; m < pd_layout_get_rank (base); m++)
    {
      gboolean found = FALSE;

      for (gint64 t = lo[m]; !found && t <= hi[m]; t++)
        found = may_lie (self, x, m, t);
      if (!found)
        return FALSE;
    }
  return TRUE;
}

/* The next element in row-major order; FALSE after the last. */
static gboolean
advance (guint rank, const gint64 *first, const gint64 *counts, const gint64 *steps, gint64 *x)
{
  for (guint i = rank; i-- > 0;)
    {
      x[i] += steps[i];
      if (x[i] != first[i] + counts[i] * steps[i])
        return TRUE;
      x[i] = first[i];
    }
  return FALSE;
}

/* ---- random objects */

/* Rules on @pattern for indices from @first, @counts of them, by @steps: a random
 * choice among those that stay inside. */
static void
random_rules (GRand *random, Object *self, const gint64 *first, const gint64 *last)
{
  gboolean used[PD_MAX_RANK] = { FALSE };

  for (guint k = 0; k < self->pattern->rank; k++)
    {
      gint64 n = self->pattern->sizes[k];
      guint axis = (guint) random_between (random, 0, self->rank - 1);
      gint64 a = random_between (random, -3, 3);
      gint64 low = MIN (a * first[axis], a * last[axis]);
      gint64 high = MAX (a * first[axis], a * last[axis]);

      self->axes[k] = -1;
      self->coeffs[k] = self->consts[k] = 0;
      if (random_between (random, 0, 4) == 0)
        continue;
      self->axes[k] = 0;
      self->consts[k] = random_between (random, 0, n - 1);
      if (a == 0 || used[axis] || high - low >= n)
        continue;
      used[axis] = TRUE;
      self->axes[k] = axis + 1;
      self->coeffs[k] = a;
      self->consts[k] = random_between (random, -low, n - 1 - high);
      /* Replicating on a shorter array placed one to one is imitated as
       * replication on the whole template: kept out of this test. */
      if (a == 1 && low == 0 && self->consts[k] == 0 && high + 1 < n)
        self->consts[k] = 1;
    }
}

static void
random_array (GRand *random, Object *self, const Object *pattern)
{
  static const gint64 zeros[PD_MAX_RANK] = { 0 };
  gint64 last[PD_MAX_RANK];

  *self = (Object){ .pattern = pattern, .rank = (guint) random_between (random, 1, 3) };
  for (guint i = 0; i < self->rank; i++)
    {
      self->sizes[i] = random_between (random, 1, 6);
      last[i] = self->sizes[i] - 1;
    }
  random_rules (random, self, zeros, last);
}

static PdLayout *
random_base (GRand *random, Object *self, PdGrid **grid)
{
  gint64 sizes[PD_MAX_GRID_RANK], axes[PD_MAX_GRID_RANK], params[PD_MAX_GRID_RANK] = { 0 };
  guint rank = (guint) random_between (random, 1, PD_MAX_GRID_RANK);
  gboolean used[PD_MAX_RANK + 1] = { FALSE };
  PdDvmDistribution distribution = { (guint) random_between (random, 0, rank), axes, params };

  *self = (Object){ .rank = (guint) random_between (random, 1, 3) };
  for (guint i = 0; i < self->rank; i++)
    self->sizes[i] = random_between (random, 1, 9);
  for (guint d = 0; d < rank; d++)
    {
      sizes[d] = random_between (random, 1, 3);
      axes[d] = random_between (random, -1, self->rank);
      if (axes[d] == -1)
        params[d] = random_between (random, 0, sizes[d] - 1);
      else if (used[axes[d]])
        axes[d] = 0;
      else
        used[axes[d]] = TRUE;
    }
  *grid = pd_grid_new (rank, sizes, NULL);
  return pd_layout_new_distributed (*grid, self->rank, self->sizes, &distribution, NULL, NULL);
}

static PdAlignment
alignment_of (const Object *self)
{
  return (PdAlignment){ self->pattern->rank, self->axes, self->coeffs, self->consts };
}

/* ---- comparisons */

static void
compare_array (const Object *self, const PdLayout *base, const PdLayout *layout, guint32 p)
{
  static const gint64 zeros[PD_MAX_RANK] = { 0 };
  static const gint64 ones[PD_MAX_RANK] = { 1, 1, 1, 1, 1, 1, 1 };
  gint64 x[PD_MAX_RANK] = { 0 }, lo[PD_MAX_RANK], hi[PD_MAX_RANK];
  gboolean any = pd_layout_get_local (layout, p, lo, hi);
  gint64 count = 0;

  do
    {
      gboolean inside = any;

      for (guint i = 0; i < self->rank; i++)
        inside = inside && lo[i] <= x[i] && x[i] <= hi[i];
      g_assert_cmpint (inside, ==, holds (self, base, p, x));
      count += inside ? 1 : 0;
    }
  while (advance (self->rank, zeros, self->sizes, ones, x));
  g_assert_cmpint (pd_layout_get_local_count (layout, p), ==, count);
}

/* Bounds ascend or descend without gaps, empty ones included: the documented
 * promise that lets a search halve them. */
static void
check_monotone (const PdLayout *layout)
{
  PdGrid *grid = pd_layout_get_grid (layout);

  for (guint d = 0; d < pd_grid_get_rank (grid); d++)
    {
      gboolean up = TRUE, down = TRUE;
      gint64 previous_lo = 0, previous_hi = 0, lo = 0, hi = 0;

      if (pd_layout_holds (layout, d, NULL) != PD_HOLDS_RANGE)
        continue;
      for (guint32 c = 0; c < pd_grid_get_sizes (grid)[d]; c++)
        {
          pd_layout_get_range (layout, d, c, &lo, &hi);
          g_assert_cmpint (hi, >=, lo - 1);
          up = up && (c == 0 || lo == previous_hi + 1);
          down = down && (c == 0 || hi == previous_lo - 1);
          previous_lo = lo;
          previous_hi = hi;
        }
      g_assert_true (up || down);
    }
}

/* How many processors hold the same part as @p, of those that hold any. */
static guint32
count_same (const PdLayout *layout, guint32 p)
{
  gint64 lo[PD_MAX_RANK], hi[PD_MAX_RANK], other_lo[PD_MAX_RANK], other_hi[PD_MAX_RANK];
  gsize size = pd_layout_get_rank (layout) * sizeof *lo;
  guint32 same = 0;

  if (!pd_layout_get_local (layout, p, lo, hi))
    return 0;
  for (guint32 q = 0; q < pd_grid_get_n (pd_layout_get_grid (layout)); q++)
    if (pd_layout_get_local (layout, q, other_lo, other_hi) && memcmp (lo, other_lo, size) == 0
        && memcmp (hi, other_hi, size) == 0)
      same++;
  return same;
}

static void
test_aligned (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (7);

  for (guint i = 0; i < N_ALIGN_CASES; i++)
    {
      Object template_object, array, second;
      g_autoptr (PdGrid) grid = NULL;
      g_autoptr (PdLayout) base = random_base (random, &template_object, &grid);
      g_autoptr (GError) error = NULL;

      random_array (random, &array, &template_object);
      random_array (random, &second, &array);
      PdAlignment on_template = alignment_of (&array), on_array = alignment_of (&second);
      g_autoptr (PdLayout) layout =
          pd_layout_new_aligned (base, array.rank, array.sizes, &on_template, &error);
      g_assert_no_error (error);
      g_autoptr (PdLayout) layout2 =
          pd_layout_new_aligned (layout, second.rank, second.sizes, &on_array, &error);
      g_assert_no_error (error);
      check_monotone (layout);
      check_monotone (layout2);
      for (guint32 p = 0; p < pd_grid_get_n (grid); p++)
        {
          guint32 same = count_same (layout2, p);

          compare_array (&array, base, layout, p);
          compare_array (&second, base, layout2, p);
          if (same > 0)
            g_assert_cmpuint (same, ==, pd_layout_get_replication (layout2));
        }
    }
}

/* Counts the iterations of @p in the trace's own order of the indices. */
static gint64
count_iterations (const Object *loop, const PdLoopRange *ranges, const PdLayout *base, guint32 p)
{
  gint64 x[PD_MAX_RANK], first[PD_MAX_RANK], counts[PD_MAX_RANK], steps[PD_MAX_RANK];
  gint64 n = 0;

  for (guint i = 0; i < loop->rank; i++)
    {
      x[i] = first[i] = ranges[i].first;
      steps[i] = ranges[i].step;
      counts[i] = 0;
      for (gint64 v = first[i]; steps[i] > 0 ? v <= ranges[i].last : v >= ranges[i].last;
           v += steps[i])
        counts[i]++;
      if (counts[i] == 0)
        return 0;
    }
  do
    n += holds (loop, base, p, x) ? 1 : 0;
  while (advance (loop->rank, first, counts, steps, x));
  return n;
}

/* Iterations of the ascending ranges of @p, each of which it must execute. */
static gint64
check_range (const PdLoop *loop, const Object *object, const PdLayout *base, guint32 p)
{
  PdLoopRange local[PD_MAX_RANK];
  gint64 x[PD_MAX_RANK], first[PD_MAX_RANK], counts[PD_MAX_RANK], steps[PD_MAX_RANK];
  gint64 n = 0;

  if (!pd_loop_get_local_range (loop, p, local))
    return 0;
  for (guint i = 0; i < object->rank; i++)
    {
      g_assert_cmpint (local[i].step, >, 0);
      g_assert_cmpint ((local[i].last - local[i].first) % local[i].step, ==, 0);
      x[i] = first[i] = local[i].first;
      steps[i] = local[i].step;
      counts[i] = (local[i].last - local[i].first) / local[i].step + 1;
    }
  do
    {
      g_assert_true (holds (object, base, p, x));
      n++;
    }
  while (advance (object->rank, first, counts, steps, x));
  return n;
}

static void
random_ranges (GRand *random, Object *loop, PdLoopRange *ranges)
{
  gint64 first[PD_MAX_RANK], last[PD_MAX_RANK];

  loop->rank = (guint) random_between (random, 1, 3);
  for (guint i = 0; i < loop->rank; i++)
    {
      gint64 low = random_between (random, -4, 4), high = low + random_between (random, 0, 7);
      gint64 step = random_between (random, 1, 3);
      gboolean down = random_between (random, 0, 1) == 1;

      if (random_between (random, 0, 15) == 0)
        high = low - 1; /* empty */
      ranges[i] = down ? (PdLoopRange){ high, low, -step } : (PdLoopRange){ low, high, step };
      first[i] = low;
      last[i] = MAX (low, high);
    }
  random_rules (random, loop, first, last);
}

static void
test_loops (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (11);

  for (guint i = 0; i < N_ALIGN_CASES; i++)
    {
      Object template_object, array, object = { .pattern = &array };
      PdLoopRange ranges[PD_MAX_RANK];
      g_autoptr (PdGrid) grid = NULL;
      g_autoptr (PdLayout) base = random_base (random, &template_object, &grid);
      g_autoptr (GError) error = NULL;
      gint64 sum = 0;

      random_array (random, &array, &template_object);
      PdAlignment on_template = alignment_of (&array);
      g_autoptr (PdLayout) layout =
          pd_layout_new_aligned (base, array.rank, array.sizes, &on_template, NULL);
      random_ranges (random, &object, ranges);
      PdAlignment on_array = alignment_of (&object);
      g_autoptr (PdLoop) loop = pd_loop_new (layout, object.rank, ranges, &on_array, &error);
      g_assert_no_error (error);
      for (guint32 p = 0; p < pd_grid_get_n (grid); p++)
        {
          gint64 n = pd_loop_get_local (loop, p);

          g_assert_cmpint (n, ==, count_iterations (&object, ranges, base, p));
          g_assert_cmpint (n, ==, check_range (loop, &object, base, p));
          sum += n;
        }
      /* Every iteration is in one of the distinct sets, each executed rep times. */
      g_assert_cmpint (sum, ==,
                       pd_loop_get_total (loop)
                           * pd_layout_get_replication (pd_loop_get_layout (loop)));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/layout-oracle/blocks", test_blocks);
  g_test_add_func ("/layout-oracle/aligned", test_aligned);
  g_test_add_func ("/layout-oracle/loops", test_loops);
  return g_test_run ();
}
