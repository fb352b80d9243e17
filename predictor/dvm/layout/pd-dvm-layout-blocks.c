/* The blocks of one distributed axis, exactly as Lib-DVM computes them. The
 * order of the floating-point operations is part of the result: a version in
 * integers gives other bounds in 0.03 % of cases.
 * SPDX-License-Identifier: MIT */
#include "predictor/dvm/layout/pd-dvm-layout-inside.h"
#include "predictor/dvm/layout/pd-dvm-layout-blocks-private.h"
#include "predictor/dvm/layout/pd-dvm-layout-blocks.h"

#include <math.h>

/* setelw_precision of the run-time system */
#define LOAD_PRECISION 0.001

/* ---- BLOCK, with weights and divisors */

/* C's conversion to long, defined for every x >= 0. */
static gint64
truncated (gdouble x)
{
  return x >= 0x1p63 ? G_MAXINT64 : (gint64) x;
}

/* Sums of the weights before each coordinate, cut at n if that is asked for.
 * Returns the sum of all. */
static gdouble
sum_weights (const PdBlockSpec *spec, gdouble *prev)
{
  guint32 last = spec->n_coords - 1;
  gdouble n = (gdouble) spec->n;
  gdouble end = spec->weights != NULL ? spec->weights[last] : 1;
  guint32 k = 0;

  prev[0] = 0;
  for (guint32 c = 0; c < last; c++)
    prev[c + 1] = prev[c] + (spec->weights != NULL ? spec->weights[c] : 1);
  if (spec->weights == NULL || !spec->cut || !(prev[last] + end > n))
    return prev[last] + end;

  while (!(prev[k] + spec->weights[k] > n))
    k++;
  gdouble delta = n - prev[k] - spec->weights[k];
  for (guint32 c = k + 1; c <= last; c++)
    prev[c] += delta;
  return prev[last] + (k == last ? end + delta : end);
}

/* The block size of weight 1 ("DisPar"); 0 if distr_ refuses the parameter. */
static gdouble
block_step (const PdBlockSpec *spec, gdouble total)
{
  gdouble n = (gdouble) spec->n;
  gdouble step = n / total;

  if (spec->param > 0)
    {
      if (spec->param < truncated (step))
        return 0;
      step = (gdouble) MIN (spec->param, spec->n);
    }
  else if (spec->divisor > 1 && step < (gdouble) spec->divisor)
    step = (gdouble) spec->divisor;
  return step < 1 ? 1 : step;
}

/* May lie beyond the end of the axis. */
static gint64
lower_bound (const PdBlockSpec *spec, gdouble step, gdouble prev)
{
  gint64 lower = truncated (step * prev);

  return spec->divisor > 1 ? lower - lower % spec->divisor : lower;
}

static gboolean
check_spec (const PdBlockSpec *spec, GError **error)
{
  if (spec->param < 0)
    {
      g_set_error (error, PD_LAYOUT_ERROR, PD_LAYOUT_ERROR_VALUE,
                   "block size %" G_GINT64_FORMAT ", expected 0 or more", spec->param);
      return FALSE;
    }
  if (spec->divisor < 0 || (spec->divisor > 1 && spec->n % spec->divisor != 0))
    {
      g_set_error (error, PD_LAYOUT_ERROR, PD_LAYOUT_ERROR_VALUE,
                   "block divisor %" G_GINT64_FORMAT " does not divide the size %" G_GINT64_FORMAT,
                   spec->divisor, spec->n);
      return FALSE;
    }
  return TRUE;
}

PdIndexRange *
pd_blocks_new (const PdBlockSpec *spec, gboolean *clipped, GError **error)
{
  if (!check_spec (spec, error))
    return NULL;

  g_autofree gdouble *prev = g_new (gdouble, spec->n_coords);
  gdouble total = sum_weights (spec, prev);
  gdouble step = isfinite (total) ? block_step (spec, total) : 0;
  if (!(step > 0))
    {
      g_set_error (error, PD_LAYOUT_ERROR, PD_LAYOUT_ERROR_VALUE,
                   "block size %" G_GINT64_FORMAT " for %" G_GINT64_FORMAT
                   " elements and a sum of weights of %g",
                   spec->param, spec->n, total);
      return NULL;
    }

  PdIndexRange *blocks = g_rc_box_alloc0 (spec->n_coords * sizeof *blocks);
  for (guint32 c = 0; c < spec->n_coords; c++)
    {
      gint64 lower = lower_bound (spec, step, prev[c]);

      blocks[c] = (PdIndexRange){ MIN (lower, spec->n), spec->n - 1 };
      if (c == 0)
        continue;
      /* A block that reaches beyond the end is empty for the run-time system,
       * and its elements have no owner. */
      if (lower > spec->n && blocks[c - 1].lo < spec->n)
        *clipped = TRUE;
      blocks[c - 1].hi = blocks[c].lo - 1;
    }
  return blocks;
}

PdIndexRange *
pd_blocks_new_from_list (gint64 n, const GArray *sizes, GError **error)
{
  PdIndexRange *blocks = g_rc_box_alloc0 (sizes->len * sizeof *blocks);
  gint64 lower = 0;

  for (guint c = 0; c < sizes->len; c++)
    {
      gint64 size = g_array_index (sizes, gint64, c);

      if (size < 0 || size > n - lower)
        {
          lower = -1;
          break;
        }
      blocks[c] = (PdIndexRange){ lower, lower + size - 1 };
      lower += size;
    }
  if (lower == n)
    return blocks;
  g_rc_box_release (blocks);
  g_set_error (error, PD_LAYOUT_ERROR, PD_LAYOUT_ERROR_VALUE,
               "block sizes do not add up to the size %" G_GINT64_FORMAT " of the axis", n);
  return NULL;
}

/* ---- weights from loads */

/* Fills groups of at most @limit; returns whether @n_groups of them took all.
 * The last group gets the remainder of rounding. */
static gboolean
fill_groups (const gdouble *loads, gsize n, gdouble limit, guint n_groups, gdouble *counts)
{
  gsize i = 0;

  for (guint g = 0; g < n_groups; g++)
    {
      gdouble sum = 0;
      gsize start = i;

      while (i < n && sum + loads[i] <= limit)
        sum += loads[i++];
      counts[g] = (gdouble) (i - start);
    }
  counts[n_groups - 1] += (gdouble) (n - i);
  return i == n;
}

GArray *
pd_layout_weights_from_loads (const gdouble *loads, gsize n, guint n_weights, GError **error)
{
  gdouble sum = 0, max = 0;
  gboolean ok = n_weights >= 1 && n >= n_weights;

  for (gsize i = 0; ok && i < n; i++)
    {
      ok = isfinite (loads[i]) && loads[i] >= 0;
      sum += loads[i];
      max = MAX (max, loads[i]);
    }
  if (!ok || !isfinite (sum))
    {
      g_set_error (error, PD_LAYOUT_ERROR, PD_LAYOUT_ERROR_VALUE,
                   "loads of %" G_GSIZE_FORMAT " elements for %u processors, expected as many or "
                   "more, finite and not negative",
                   n, n_weights);
      return NULL;
    }

  GArray *weights = g_array_sized_new (FALSE, FALSE, sizeof (gdouble), n_weights);
  g_array_set_size (weights, n_weights);
  gdouble *counts = (gdouble *) (gpointer) weights->data;
  gdouble low = sum / n_weights;
  gdouble high = MIN (sum, low + max);
  while (high - low > LOAD_PRECISION)
    {
      gdouble mid = low + (high - low) / 2;

      if (mid <= low || mid >= high) /* loads so large that an ulp is more */
        break;
      if (fill_groups (loads, n, mid, n_weights, counts))
        high = mid;
      else
        low = mid;
    }
  fill_groups (loads, n, high, n_weights, counts);
  return weights;
}
