/* Parallel loops: the tables of the run-time system.
 * SPDX-License-Identifier: MIT */
#include "tests/support/dvm/layouts.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"
#include "predictor/dvm/layout/pd-dvm-layout-loop.h"

static const struct
{
  const char *name;
  const char *grid;
  const char *sizes; /* of A */
  const char *axes;  /* its distribution */
  const char *ranges;
  const char *rules;
  const char *parts;
  const char *counts;
  gint64 total;
  guint replication;
} loops[] = {
  { "inner", "4", "8,8", "1", "1:6", "1*1+0,0*0+0", "1 2-3 4-5 6", "1,2,2,1", 6, 1 },
  { "inner-2d", "4", "8,8", "1", "1:6,1:6", "1*1+0,2*1+0", "1x1-6 2-3x1-6 4-5x1-6 6x1-6",
    "6,12,12,6", 36, 1 },
  { "step-2", "4", "8,8", "1", "1:7:2", "1*1+0,0*0+0", "1 3 5 7", "1,1,1,1", 4, 1 },
  { "step-3", "4", "8,8", "1", "0:7:3", "1*1+0,0*0+0", "0 3 - 6", "1,1,0,1", 3, 1 },
  { "reversed", "4", "8,8", "1", "6:1:-1", "1*1+0,0*0+0", "1 2-3 4-5 6", "1,2,2,1", 6, 1 },
  { "reversed-2", "4", "8,8", "1", "7:0:-2", "1*1+0,0*0+0", "1 3 5 7", "1,1,1,1", 4, 1 },
  { "reversed-3", "2", "8,8", "1", "7:0:-3", "1*1+0,0*0+0", "1 4-7:3", "1,2", 3, 1 },
  { "replicated", "4", "8,8", "1", "0:7", "-1*0+0,1*1+0", "0-7 0-7 0-7 0-7", "8,8,8,8", 8, 4 },
  { "constant", "4", "8,8", "1", "0:7", "0*0+4,1*1+0", "- - 0-7 -", "0,0,8,0", 8, 1 },
  { "coefficient", "4", "8,8", "1", "0:3", "1*2+1,-1*0+0", "0 1 2 3", "1,1,1,1", 4, 1 },
  { "coefficient-negative", "4", "8,8", "1", "0:7", "1*-1+7,-1*0+0", "6-7 4-5 2-3 0-1", "2,2,2,2",
    8, 1 },
  { "square-replicated", "2x2", "8,8", "1,2", "0:7", "-1*0+0,1*1+0", "0-3 4-7 0-3 4-7", "4,4,4,4",
    8, 2 },
  { "square-constant", "2x2", "8,8", "1,2", "0:7", "0*0+3,1*1+0", "0-3 4-7 - -", "4,4,0,0", 8, 1 },
  { "negative-first", "2", "8", "1", "-3:4", "1*1+3", "-3-0 1-4", "4,4", 8, 1 },
  { "swapped", "2x2", "4,4", "1,2", "0:3,0:1", "2*2+0,1*1+0", "0-1x0 2-3x0 0-1x1 2-3x1", "2,2,2,2",
    8, 1 },
  { "empty", "4", "8,8", "1", "3:2", "1*1+0,0*0+0", "- - - -", "0,0,0,0", 0, 1 },
  { "empty-reversed", "4", "8,8", "1", "2:3:-1", "1*1+0,0*0+0", "- - - -", "0,0,0,0", 0, 1 },
  { "empty-other-index", "2", "8,8", "1", "0:7,1:0", "1*1+0,2*1+0", "- -", "0,0", 0, 1 },
  { "empty-outside", "2", "8,8", "1", "99:0", "1*1+0,0*0+99", "- -", "0,0", 0, 1 },
  { "empty-replicated", "2", "8,8", "1", "1:0", "-1*1+0,1*1+0", "- -", "0,0", 0, 2 },
  { "replicated-on-few", "4", "3,8", "1", "0:7", "-1*0+0,1*1+0", "0-7 0-7 0-7 -", "8,8,8,0", 8, 3 },
  { "single", "4", "8,8", "1", "5:5:-7", "1*1+0,0*0+0", "- - 5 -", "0,0,1,0", 1, 1 },
};

static void
test_loop_table (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  gint64 counts[16];
  g_autoptr (GError) error = NULL;
  g_autoptr (PdGrid) grid = test_grid (loops[i].grid);
  g_autoptr (PdLayout) pattern = test_template (grid, loops[i].sizes, loops[i].axes);
  g_autoptr (PdLoop) loop = test_loop (pattern, loops[i].ranges, loops[i].rules, &error);

  g_assert_no_error (error);
  g_autofree char *shown = test_show_loop (loop);
  g_assert_cmpstr (shown, ==, loops[i].parts);
  g_assert_cmpint (pd_loop_get_total (loop), ==, loops[i].total);
  g_assert_cmpuint (test_list (loops[i].counts, counts), ==, pd_grid_get_n (grid));
  for (guint32 p = 0; p < pd_grid_get_n (grid); p++)
    g_assert_cmpint (pd_loop_get_local (loop, p), ==, counts[p]);
  g_assert_cmpuint (pd_layout_get_replication (pd_loop_get_layout (loop)), ==,
                    loops[i].replication);
}

/* (f), (g): which processors reduce together. */
static void
test_split (void)
{
  static const struct
  {
    const char *grid, *axes, *rules;
    guint n;
    gboolean split[PD_MAX_GRID_RANK];
  } rows[] = {
    { "2x2", "1,2", "-1*0+0,1*1+0", 1, { TRUE, FALSE, FALSE, FALSE } },
    { "2x2", "1,2", "1*1+0,-1*0+0", 1, { FALSE, TRUE, FALSE, FALSE } },
    { "2x2", "1,2", "0*0+3,1*1+0", 0, { FALSE, FALSE, FALSE, FALSE } },
    { "2x2", "1,0", "-1*0+0,1*1+0", 2, { TRUE, TRUE, FALSE, FALSE } },
    { "2x1x2x1", "1,2", "1*1+0,-1*0+0", 1, { FALSE, FALSE, TRUE, FALSE } },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      gboolean split[PD_MAX_GRID_RANK];
      g_autoptr (PdGrid) grid = test_grid (rows[i].grid);
      g_autoptr (PdLayout) pattern = test_template (grid, "8,8", rows[i].axes);
      g_autoptr (PdLoop) loop = test_loop (pattern, "0:7", rows[i].rules, NULL);

      g_assert_cmpuint (pd_layout_reduction_split (pd_loop_get_layout (loop), split), ==,
                        rows[i].n);
      for (guint d = 0; d < PD_MAX_GRID_RANK; d++)
        g_assert_cmpint (split[d], ==, rows[i].split[d]);
    }
}

/* The pattern keeps its bounds when a loop with a step is mapped on it. */
static void
test_pattern_unchanged (void)
{
  g_autoptr (PdGrid) grid = test_grid ("4");
  g_autoptr (PdLayout) pattern = test_template (grid, "10", "1");
  g_autofree char *before = test_show (pattern);
  g_autoptr (PdLoop) loop = test_loop (pattern, "0:9:3", "1*1+0", NULL);
  g_autofree char *after = test_show (pattern);
  g_autofree char *parts = test_show_loop (loop);

  g_assert_cmpstr (parts, ==, "0 3 6 9");
  g_assert_cmpstr (before, ==, after);
}

static const struct
{
  const char *name;
  const char *ranges;
  const char *rules;
  int code;
} bad[] = {
  { "step-0", "0:7:0", "1*1+0,0*0+0", PD_LAYOUT_ERROR_VALUE },
  { "step-least", "7:0:-9223372036854775808", "1*1+0,0*0+0", PD_LAYOUT_ERROR_VALUE },
  { "too-long", "-9223372036854775807:9223372036854775807", "1*0+0,0*0+0", PD_LAYOUT_ERROR_VALUE },
  { "too-long-by-1", "0:9223372036854775807", "-1*0+0,0*0+0", PD_LAYOUT_ERROR_VALUE },
  { "too-many", "0:4294967295,0:4294967295", "-1*0+0,-1*0+0", PD_LAYOUT_ERROR_VALUE },
  { "outside-low", "-1:6", "1*1+0,0*0+0", PD_LAYOUT_ERROR_VALUE },
  { "outside-high", "1:8", "1*1+0,0*0+0", PD_LAYOUT_ERROR_VALUE },
  { "outside-constant", "1:6", "1*1+0,0*0+8", PD_LAYOUT_ERROR_VALUE },
  { "shift-overflows", "9223372036854775806:9223372036854775806", "1*2+0,0*0+0",
    PD_LAYOUT_ERROR_VALUE },
  { "coefficient-overflows", "0:6", "1*9223372036854775807+0,0*0+0", PD_LAYOUT_ERROR_VALUE },
  { "axis-0", "1:6", "0*1+0,0*0+0", PD_LAYOUT_ERROR_RANK },
  { "axis-2", "1:6", "2*1+0,0*0+0", PD_LAYOUT_ERROR_RANK },
  { "axis-twice", "1:6", "1*1+0,1*1+0", PD_LAYOUT_ERROR_RANK },
  { "few-rules", "1:6", "1*1+0", PD_LAYOUT_ERROR_RANK },
  { "many-rules", "1:6", "1*1+0,0*0+0,0*0+0,0*0+0,0*0+0,0*0+0,0*0+0,0*0+0", PD_LAYOUT_ERROR_RANK },
  { "rank-8", "1:6,1:6,1:6,1:6,1:6,1:6,1:6,1:6", "1*1+0,0*0+0", PD_LAYOUT_ERROR_RANK },
};

static void
test_bad (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (GError) error = NULL;
  g_autoptr (PdGrid) grid = test_grid ("2x2");
  g_autoptr (PdLayout) pattern = test_template (grid, "8,8", "1,2");
  g_autoptr (PdLoop) loop = test_loop (pattern, bad[i].ranges, bad[i].rules, &error);

  g_assert_null (loop);
  g_assert_error (error, PD_LAYOUT_ERROR, bad[i].code);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (loops); i++)
    {
      g_autofree char *path = g_strdup_printf ("/loop/table/%s", loops[i].name);

      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_loop_table);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autofree char *path = g_strdup_printf ("/loop/bad/%s", bad[i].name);

      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_bad);
    }
  g_test_add_func ("/loop/reduction-split", test_split);
  g_test_add_func ("/loop/pattern-unchanged", test_pattern_unchanged);
  return g_test_run ();
}
