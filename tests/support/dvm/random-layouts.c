/* SPDX-License-Identifier: MIT */
#include "tests/support/dvm/random-layouts.h"
#include "predictor/dvm/layout/pd-dvm-layout-align.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"

gint64
test_random_between (GRand *random, gint64 low, gint64 high)
{
  return g_rand_int_range (random, (gint32) low, (gint32) high + 1);
}

PdGrid *
test_random_system (GRand *random, guint rank)
{
  static const gint64 most[PD_MAX_GRID_RANK] = { 6, 3, 2, 2 };
  gint64 shape[PD_MAX_GRID_RANK];

  if (rank == 0)
    rank = (guint) test_random_between (random, 1, PD_MAX_GRID_RANK);
  for (guint d = 0; d < rank; d++)
    shape[d] = test_random_between (random, 1, most[d]);
  return pd_grid_new (rank, shape, NULL);
}

static GArray *
random_weights (GRand *random, guint32 n)
{
  GArray *weights = g_array_new (FALSE, FALSE, sizeof (gdouble));

  for (guint32 c = 0; c < n; c++)
    {
      gdouble weight = c == 0 ? 1 : (gdouble) test_random_between (random, 0, 3);

      g_array_append_val (weights, weight);
    }
  return weights;
}

PdLayout *
test_random_template (GRand *random, PdGrid *grid)
{
  const guint32 *shape = pd_grid_get_sizes (grid);
  gint64 sizes[PD_MAX_RANK], axes[PD_MAX_GRID_RANK], params[PD_MAX_GRID_RANK] = { 0 };
  guint rank = (guint) test_random_between (random, 1, 4);
  PdDvmDistribution distribution = { pd_grid_get_rank (grid), axes, params };
  gboolean used[PD_MAX_RANK + 1] = { FALSE };
  PdBlockHints hints = { .weights = { NULL } };
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < rank; i++)
    sizes[i] = test_random_between (random, 1, 9);
  for (guint d = 0; d < distribution.n; d++)
    {
      axes[d] = test_random_between (random, test_random_between (random, -1, 1), rank);
      if (axes[d] == -1)
        params[d] = test_random_between (random, 0, shape[d] - 1);
      else if (used[axes[d]])
        axes[d] = 0;
      else
        used[axes[d]] = TRUE;
    }
  if (test_random_between (random, 0, 1) == 1)
    hints.weights[0] = random_weights (random, shape[0]);
  PdLayout *layout = pd_layout_new_distributed (grid, rank, sizes, &distribution, &hints, &error);
  g_assert_no_error (error);
  g_clear_pointer (&hints.weights[0], g_array_unref);
  return layout;
}

PdLayout *
test_random_array (GRand *random, PdLayout *pattern, guint rank)
{
  const gint64 *pattern_sizes = pd_layout_get_sizes (pattern);
  gint64 sizes[PD_MAX_RANK], axes[PD_MAX_RANK], coeffs[PD_MAX_RANK], consts[PD_MAX_RANK];
  PdAlignment alignment = { pd_layout_get_rank (pattern), axes, coeffs, consts };
  gboolean used[PD_MAX_RANK] = { FALSE };
  g_autoptr (GError) error = NULL;

  if (rank == 0)
    rank = (guint) test_random_between (random, 1, 4);
  for (guint i = 0; i < rank; i++)
    sizes[i] = test_random_between (random, 1, 6);
  for (guint k = 0; k < alignment.n; k++)
    {
      guint axis = (guint) test_random_between (random, 0, rank - 1);
      gint64 a = test_random_between (random, 0, 5) == 0 ? -1 : test_random_between (random, 1, 2);
      gint64 reach = ABS (a) * (sizes[axis] - 1);

      axes[k] = test_random_between (random, -1, 0);
      coeffs[k] = 0;
      consts[k] = test_random_between (random, 0, pattern_sizes[k] - 1);
      if (used[axis] || reach >= pattern_sizes[k])
        continue;
      used[axis] = TRUE;
      axes[k] = axis + 1;
      coeffs[k] = a;
      consts[k] =
          (a < 0 ? reach : 0) + test_random_between (random, 0, pattern_sizes[k] - 1 - reach);
    }
  PdLayout *layout = pd_layout_new_aligned (pattern, rank, sizes, &alignment, &error);
  g_assert_no_error (error);
  return layout;
}
