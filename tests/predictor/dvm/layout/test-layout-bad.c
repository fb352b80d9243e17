/* What a trace can say wrongly about grids, distribution and alignment.
 * SPDX-License-Identifier: MIT */
#include "tests/support/dvm/layouts.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"

#include <math.h>

static const struct
{
  const char *name;
  guint rank;
  gint64 sizes[5];
} bad_grids[] = {
  { "rank-0", 0, { 0 } },
  { "rank-5", 5, { 1, 1, 1, 1, 1 } },
  { "size-0", 2, { 4, 0 } },
  { "size-negative", 1, { -4 } },
  { "size-too-large", 1, { G_GINT64_CONSTANT (1) << 31 } },
  { "product-too-large", 2, { 65536, 32768 } },
  { "product-wraps", 4, { G_MAXINT32, G_MAXINT32, G_MAXINT32, G_MAXINT32 } },
};

static void
test_bad_grids (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (bad_grids); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (PdGrid) grid = pd_grid_new (bad_grids[i].rank, bad_grids[i].sizes, &error);

      g_assert_null (grid);
      g_assert_error (error, PD_LAYOUT_ERROR, PD_LAYOUT_ERROR_GRID);
    }
}

static void
test_bad_parts (void)
{
  static const gint64 rows[][4] = { /* first, first, last, last */
                                    { -1, 0, 1, 2 },
                                    { 0, 0, 2, 2 },
                                    { 0, 0, 1, 3 },
                                    { 1, 0, 0, 2 },
                                    { 0, G_MININT64, 1, G_MAXINT64 }
  };
  g_autoptr (PdGrid) grid = test_grid ("2x3");

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (PdGrid) part = pd_grid_new_part (grid, rows[i], rows[i] + 2, &error);

      g_assert_null (part);
      g_assert_error (error, PD_LAYOUT_ERROR, PD_LAYOUT_ERROR_GRID);
    }
}

static void
test_bad_views (void)
{
  static const gint64 sizes[][2] = { { 2, 2 }, { 7, 1 }, { 0, 6 }, { -2, -3 } };
  g_autoptr (PdGrid) grid = test_grid ("2x3");

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (PdGrid) view = pd_grid_new_view (grid, 2, sizes[i], &error);

      g_assert_null (view);
      g_assert_error (error, PD_LAYOUT_ERROR, PD_LAYOUT_ERROR_GRID);
    }
}

/* On a grid 4 x 3. Lists are on dimension 0. */
static const struct
{
  const char *name;
  const char *sizes;
  const char *axes;
  const char *params;
  gint64 divisor;
  gdouble weights[4]; /* first 0: none */
  const char *blocks; /* GENBLOCK */
  int code;
} bad[] = {
  { "rank-0", "", "0", "0", 0, { 0 }, NULL, PD_LAYOUT_ERROR_RANK },
  { "rank-8", "1,1,1,1,1,1,1,1", "0", "0", 0, { 0 }, NULL, PD_LAYOUT_ERROR_RANK },
  { "size-0", "8,0", "1", "0", 0, { 0 }, NULL, PD_LAYOUT_ERROR_VALUE },
  { "size-negative", "-8", "1", "0", 0, { 0 }, NULL, PD_LAYOUT_ERROR_VALUE },
  { "sizes-overflow", "4294967296,2147483648", "1", "0", 0, { 0 }, NULL, PD_LAYOUT_ERROR_VALUE },
  { "axis-3", "8,8", "3", "0", 0, { 0 }, NULL, PD_LAYOUT_ERROR_RANK },
  { "axis-minus-2", "8,8", "-2", "0", 0, { 0 }, NULL, PD_LAYOUT_ERROR_RANK },
  { "axis-twice", "8,8", "1,1", "0,0", 0, { 0 }, NULL, PD_LAYOUT_ERROR_RANK },
  { "count-3", "8,8", "1,2,0", "0,0,0", 0, { 0 }, NULL, PD_LAYOUT_ERROR_RANK },
  { "param-negative", "8,8", "1", "-1", 0, { 0 }, NULL, PD_LAYOUT_ERROR_VALUE },
  { "param-too-small", "12,8", "1", "2", 0, { 0 }, NULL, PD_LAYOUT_ERROR_VALUE },
  { "coordinate-negative", "8,8", "-1", "-1", 0, { 0 }, NULL, PD_LAYOUT_ERROR_VALUE },
  { "coordinate-4", "8,8", "-1", "4", 0, { 0 }, NULL, PD_LAYOUT_ERROR_VALUE },
  { "divisor-3-of-8", "8,8", "1", "0", 3, { 0 }, NULL, PD_LAYOUT_ERROR_VALUE },
  { "divisor-negative", "8,8", "1", "0", -2, { 0 }, NULL, PD_LAYOUT_ERROR_VALUE },
  { "weight-negative", "8,8", "1", "0", 0, { 1, -1, 1, 1 }, NULL, PD_LAYOUT_ERROR_VALUE },
  { "weight-nan", "8,8", "1", "0", 0, { 1, NAN, 1, 1 }, NULL, PD_LAYOUT_ERROR_VALUE },
  { "weights-sum-infinite",
    "8,8",
    "1",
    "0",
    0,
    { 1, 1e308, 1e308, 1e308 },
    NULL,
    PD_LAYOUT_ERROR_VALUE },
  { "blocks-short", "8,8", "1", "0", 0, { 0 }, "2,2,2,1", PD_LAYOUT_ERROR_VALUE },
  { "blocks-long", "8,8", "1", "0", 0, { 0 }, "2,2,2,3", PD_LAYOUT_ERROR_VALUE },
  { "block-negative", "8,8", "1", "0", 0, { 0 }, "2,9,-5,2", PD_LAYOUT_ERROR_VALUE },
  { "blocks-overflow",
    "8,8",
    "1",
    "0",
    0,
    { 0 },
    "9223372036854775807,9223372036854775807,2,8",
    PD_LAYOUT_ERROR_VALUE },
};

static void
test_bad_distribution (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  gint64 sizes[16], axes[16], params[16], values[16];
  guint rank = test_list (bad[i].sizes, sizes);
  PdDvmDistribution distribution = { test_list (bad[i].axes, axes), axes, params };
  g_autoptr (GArray) weights = g_array_new (FALSE, FALSE, sizeof (gdouble));
  g_autoptr (GArray) blocks = g_array_new (FALSE, FALSE, sizeof (gint64));
  PdBlockHints hints = { .divisor = { bad[i].divisor },
                         .weights = { bad[i].weights[0] > 0 ? weights : NULL },
                         .sizes = { bad[i].blocks != NULL ? blocks : NULL } };
  g_autoptr (PdGrid) grid = test_grid ("4x3");
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (test_list (bad[i].params, params), ==, distribution.n);
  g_array_append_vals (weights, bad[i].weights, 4);
  g_array_append_vals (blocks, values, test_list (bad[i].blocks, values));

  g_autoptr (PdLayout) layout =
      pd_layout_new_distributed (grid, rank, sizes, &distribution, &hints, &error);
  g_assert_null (layout);
  g_assert_error (error, PD_LAYOUT_ERROR, bad[i].code);
}

/* Weights so far apart that block bounds exceed what 64 bits hold are good. */
static void
test_extreme_weights (void)
{
  gint64 sizes[] = { G_MAXINT64 }, axes[] = { 1 }, params[] = { G_MAXINT64 };
  gdouble values[] = { 1e200, 1, 1e100, 1e250 };
  PdDvmDistribution distribution = { 1, axes, params };
  g_autoptr (GArray) weights = g_array_new (FALSE, FALSE, sizeof (gdouble));
  PdBlockHints hints = { .weights = { weights }, .weights_of_grid = { TRUE } };
  g_autoptr (PdGrid) grid = test_grid ("4");
  gint64 covered = 0;

  g_array_append_vals (weights, values, 4);
  for (guint round = 0; round < 4; round++)
    {
      params[0] = round % 2 == 0 ? 0 : G_MAXINT64;
      hints.weights_of_grid[0] = round < 2;
      g_autoptr (PdLayout) layout =
          pd_layout_new_distributed (grid, 1, sizes, &distribution, &hints, NULL);

      g_assert_nonnull (layout);
      covered = 0;
      for (guint32 p = 0; p < 4; p++)
        covered += pd_layout_get_local_count (layout, p);
      g_assert_cmpint (covered, ==, G_MAXINT64);
    }
}

static const struct
{
  const char *name;
  const char *sizes;
  const char *rules; /* on T(8,9), whose axes are both distributed */
  int code;
} bad_aligned[] = {
  { "rank-0", "", "0*0+0,0*0+0", PD_LAYOUT_ERROR_RANK },
  { "rank-8", "1,1,1,1,1,1,1,1", "0*0+0,0*0+0", PD_LAYOUT_ERROR_RANK },
  { "rules-1", "8", "1*1+0", PD_LAYOUT_ERROR_RANK },
  { "rules-3", "8", "1*1+0,0*0+0,0*0+0", PD_LAYOUT_ERROR_RANK },
  { "axis-2", "8", "2*1+0,0*0+0", PD_LAYOUT_ERROR_RANK },
  { "axis-0", "8", "0*1+0,0*0+0", PD_LAYOUT_ERROR_RANK },
  { "axis-minus-2", "8", "-2*1+0,0*0+0", PD_LAYOUT_ERROR_RANK },
  { "axis-twice", "8", "1*1+0,1*1+0", PD_LAYOUT_ERROR_RANK },
  { "size-0", "0", "1*1+0,0*0+0", PD_LAYOUT_ERROR_VALUE },
  { "sizes-overflow", "8,4294967296,4294967296", "1*1+0,0*0+0", PD_LAYOUT_ERROR_VALUE },
  { "beyond-end", "8", "1*1+1,0*0+0", PD_LAYOUT_ERROR_VALUE },
  { "before-start", "8", "1*1+-1,0*0+0", PD_LAYOUT_ERROR_VALUE },
  { "reversed-before-start", "8", "1*-1+6,0*0+0", PD_LAYOUT_ERROR_VALUE },
  { "constant-beyond", "8", "1*1+0,0*0+9", PD_LAYOUT_ERROR_VALUE },
  { "constant-before", "8", "1*1+0,0*0+-1", PD_LAYOUT_ERROR_VALUE },
  { "coefficient-huge", "8", "1*9223372036854775807+0,0*0+0", PD_LAYOUT_ERROR_VALUE },
  { "coefficient-least", "1", "1*-9223372036854775808+0,0*0+0", PD_LAYOUT_ERROR_VALUE },
  { "constant-huge", "8", "1*1+9223372036854775807,0*0+0", PD_LAYOUT_ERROR_VALUE },
};

static void
test_bad_aligned (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (PdGrid) grid = test_grid ("2x3");
  g_autoptr (PdLayout) pattern = test_template (grid, "8,9", "1,2");
  g_autoptr (GError) error = NULL;
  g_autoptr (PdLayout) layout =
      test_align (pattern, bad_aligned[i].sizes, bad_aligned[i].rules, &error);

  g_assert_null (layout);
  g_assert_error (error, PD_LAYOUT_ERROR, bad_aligned[i].code);
}

/* A single element may have any coefficient, until it is multiplied. */
static void
test_bad_composition (void)
{
  g_autoptr (PdGrid) grid = test_grid ("2");
  g_autoptr (PdLayout) pattern = test_template (grid, "8", "1");
  g_autoptr (PdLayout) via = test_align (pattern, "3", "1*2+1", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (PdLayout) good = test_align (via, "1", "1*4611686018427387903+2", NULL);
  g_autoptr (PdLayout) wrong = test_align (via, "1", "1*4611686018427387904+2", &error);
  g_autofree char *shown = test_show (good);

  g_assert_cmpstr (shown, ==, "- 0");
  g_assert_null (wrong);
  g_assert_error (error, PD_LAYOUT_ERROR, PD_LAYOUT_ERROR_VALUE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/layout-bad/grids", test_bad_grids);
  g_test_add_func ("/layout-bad/parts", test_bad_parts);
  g_test_add_func ("/layout-bad/views", test_bad_views);
  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autofree char *path = g_strdup_printf ("/layout-bad/distribution/%s", bad[i].name);

      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_bad_distribution);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (bad_aligned); i++)
    {
      g_autofree char *path = g_strdup_printf ("/layout-bad/aligned/%s", bad_aligned[i].name);

      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_bad_aligned);
    }
  g_test_add_func ("/layout-bad/composition", test_bad_composition);
  g_test_add_func ("/layout-bad/extreme-weights", test_extreme_weights);
  return g_test_run ();
}
