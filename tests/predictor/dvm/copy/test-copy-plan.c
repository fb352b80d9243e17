/* Copies: the run-time system's messages, row by row.
 * SPDX-License-Identifier: MIT */
#include "tests/support/dvm/copies.h"
#include "tests/support/dvm/layouts.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"
#include "predictor/dvm/layout/pd-dvm-layout-loop.h"

#include <string.h>

#define LINE     "10", "1", "10", "1*1+0"
#define ROWS     "10,4", "1", "10,4", "1*1+0,2*1+0"
#define SQUARE   "9,9", "1,2", "9,9", "1*1+0,2*1+0"
#define ON_ROWS  "9,9", "1,2", "9", "1*1+0,-1*0+0"
#define ON_COLS  "9,9", "1,2", "9", "-1*0+0,1*1+0"
#define EIGHT    "8,8", "1,2", "8,8", "1*1+0,2*1+0"
#define BUFFER_I "8,8", "1,2", "8", "1*1+0,-1*0+0"
#define EVERY    "8,8", "1,2", "8", "-1*0+0,-1*0+0"

static const struct
{
  const char *name;
  const char *grid;
  TestArray from;
  TestArray to;
  const char *messages;
} copies[] = {
  { "shifted", "4", { LINE, "0:8" }, { LINE, "1:9" }, "0>1:8 1>2:8 2>3:8" },
  { "strided", "4", { LINE, "0:8:2" }, { LINE, "0:4" }, "1>0:8 2>1:8 3>1:8" },
  { "to-replicated",
    "4",
    { LINE, NULL },
    { "10", "1", "10", "-1*0+0", NULL },
    "0>1:16 0>2:16 0>3:16 1>0:24 1>2:24 1>3:24 2>0:16 2>1:16 2>3:16 3>0:24 3>1:24 3>2:24" },
  { "from-replicated", "4", { "10", "1", "10", "-1*0+0", NULL }, { LINE, NULL }, "" },
  { "row-to-line", "4", { ROWS, "2,-1" }, { LINE, "0:3" }, "1>0:16" },
  { "column-to-row-of-3x3",
    "3x3",
    { SQUARE, "-1,4" },
    { ON_ROWS, NULL },
    "1>0:24 1>2:24 4>3:24 4>5:24 7>6:24 7>8:24" },
  { "other-shape", "4", { ROWS, "0:4,0:1" }, { LINE, NULL }, "0>1:16 1>2:16 1>3:24" },
  { "vector-rows-to-columns", "2x2", { ON_ROWS, NULL }, { ON_COLS, NULL }, "1>2:32 2>1:40" },
  { "vector-shifted",
    "3x3",
    { ON_ROWS, "0:7" },
    { ON_ROWS, "1:8" },
    "0>1:16 0>2:16 0>3:8 0>4:8 0>5:8 1>0:16 1>2:16 1>3:8 1>4:8 1>5:8 "
    "2>0:16 2>1:16 2>3:8 2>4:8 2>5:8 3>4:16 3>5:16 3>6:8 3>7:8 3>8:8 "
    "4>3:16 4>5:16 4>6:8 4>7:8 4>8:8 5>3:16 5>4:16 5>6:8 5>7:8 5>8:8 "
    "6>7:16 6>8:16 7>6:16 7>8:16 8>6:16 8>7:16" },
  { "vector-in-place", "3x3", { ON_ROWS, "0:8" }, { ON_ROWS, "0:8" }, "" },
  { "vector-to-constant",
    "3x3",
    { ON_ROWS, NULL },
    { "9,9", "1,2", "9", "1*1+0,0*0+4", NULL },
    "" },
  { "vector-from-constant",
    "3x3",
    { "9,9", "1,2", "9", "1*1+0,0*0+4", NULL },
    { ON_ROWS, NULL },
    "1>0:24 1>2:24 4>3:24 4>5:24 7>6:24 7>8:24" },
  { "vector-constant-to-columns",
    "3x3",
    { "9,9", "1,2", "9", "1*1+0,0*0+4", NULL },
    { ON_COLS, NULL },
    "1>0:24 1>3:24 1>6:24 4>1:24 4>7:24 7>2:24 7>5:24 7>8:24" },
  /* the template's second axis leaves the third column of processors empty */
  { "vector-from-bounded",
    "4x3",
    { "9,2", "1,2", "9", "1*1+0,-1*0+0", NULL },
    { ON_COLS, NULL },
    "0>6:16 0>9:16 1>3:16 3>0:8 3>1:8 3>6:8 3>7:8 3>9:8 3>10:8 6>1:16 6>10:16 7>4:16 9>2:24 9>8:24 "
    "9>11:24 10>5:24" },
  { "redistribution",
    "4",
    { "8,8", "1", "8,8", "1*1+0,2*1+0", NULL },
    { "8,8", "2", "8,8", "1*1+0,2*1+0", NULL },
    "0>1:32 0>2:32 0>3:32 1>0:32 1>2:32 1>3:32 2>0:32 2>1:32 2>3:32 3>0:32 3>1:32 3>2:32" },
  { "realignment",
    "4",
    { "10", "1", "8", "1*1+0", NULL },
    { "10", "1", "8", "1*1+2", NULL },
    "0>1:16 1>2:16 2>3:16" },
  { "buffer-B(i,3)", "2x2", { EIGHT, "-1,3" }, { BUFFER_I, NULL }, "0>1:32 2>3:32" },
  { "buffer-B(*,3)",
    "2x2",
    { EIGHT, "-1,3" },
    { EVERY, NULL },
    "0>1:32 0>2:32 0>3:32 2>0:32 2>1:32 2>3:32" },
  { "buffer-B(5,3)",
    "2x2",
    { EIGHT, "5,3" },
    { "8,8", "1,2", "1", "-1*0+0,-1*0+0", NULL },
    "2>0:8 2>1:8 2>3:8" },
  { "buffer-on-grid-B(*,3)",
    "2x2",
    { EIGHT, "-1,3" },
    { "8,8", "0,0", "8", "1*1+0,-1*0+0", NULL },
    "0>1:32 0>2:32 0>3:32 2>0:32 2>1:32 2>3:32" },
  { "buffer-B(j,i)",
    "2x2",
    { EIGHT, NULL },
    { "8,8", "1,2", "8,8", "2*1+0,1*1+0", NULL },
    "1>2:128 2>1:128" },
};

/* The same with dedupe_copies: of the replicas only the first one sends, and not
 * to those that have the part. */
static const struct
{
  const char *name;
  const char *grid;
  TestArray from;
  TestArray to;
  const char *messages;
} once[] = {
  { "vector-shifted",
    "3x3",
    { ON_ROWS, "0:7" },
    { ON_ROWS, "1:8" },
    "0>3:8 0>4:8 0>5:8 3>6:8 3>7:8 3>8:8" },
  { "replicas-to-all",
    "2x2",
    { EIGHT, "-1,3" },
    { EVERY, NULL },
    "0>1:32 0>2:32 0>3:32 2>0:32 2>1:32 2>3:32" },
  { "half-replicated-to-all",
    "2x2",
    { "8,8", "1,2", "8", "1*1+0,-1*0+0", "1:6" },
    { EVERY, "1:6" },
    "0>2:24 0>3:24 2>0:24 2>1:24" },
  { "other-shape",
    "2x2",
    { "8,8", "1,2", "8,2", "1*1+0,-1*0+0", NULL },
    { "16,8", "1,2", "16", "1*1+0,-1*0+0", NULL },
    "" },
  { "other-shape-shifted",
    "2x2",
    { "8,8", "1,2", "8,2", "1*1+0,-1*0+0", "0:5,-1" },
    { "16,8", "1,2", "16", "1*1+0,-1*0+0", "4:15" },
    "0>2:32 0>3:32" },
};

static void
test_copy_once (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (PdGrid) grid = test_grid (once[i].grid);
  g_autoptr (PdLayout) from_layout = test_array (grid, &once[i].from);
  g_autoptr (PdLayout) to_layout = test_array (grid, &once[i].to);
  PdSection from, to;

  test_section (&from, from_layout, once[i].from.section);
  test_section (&to, to_layout, once[i].to.section);
  from.once = TRUE;
  g_autoptr (PdPlan) plan = pd_copy_plan_new (&from, &to, 8);
  g_autofree char *shown = test_show_plan (plan, pd_grid_get_n (grid) + 1);
  g_assert_cmpstr (shown, ==, once[i].messages);
}

static void
test_copy (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (PdGrid) grid = test_grid (copies[i].grid);
  g_autoptr (PdLayout) from_layout = test_array (grid, &copies[i].from);
  g_autoptr (PdLayout) to_layout = test_array (grid, &copies[i].to);
  PdSection from, to;

  test_section (&from, from_layout, copies[i].from.section);
  test_section (&to, to_layout, copies[i].to.section);
  g_assert_cmpint (pd_section_get_count (&from), ==, pd_section_get_count (&to));
  g_autoptr (PdPlan) plan = pd_copy_plan_new (&from, &to, 8);
  g_autofree char *shown = test_show_plan (plan, pd_grid_get_n (grid) + 1);
  g_assert_cmpstr (shown, ==, copies[i].messages);
}

/* A buffer may be laid out as a loop, with indices that no iteration has. */
static void
test_loop_layout (void)
{
  g_autoptr (PdGrid) grid = test_grid ("4");
  g_autoptr (PdLayout) layout = test_template (grid, "10", "1");
  g_autoptr (PdLoop) loop = test_loop (layout, "1:9:3", "1*1+0", NULL);
  g_autoptr (PdLoop) empty = test_loop (layout, "5:4:1", "1*1+0", NULL);
  PdSection from, to;

  test_section (&from, layout, "0:6:3");                  /* of 0, 1, 2 */
  test_section (&to, pd_loop_get_layout (loop), "0:6:3"); /* 1, 4, 7: of 0, 1, 3 */
  g_autoptr (PdPlan) plan = pd_copy_plan_new (&from, &to, 8);
  g_autofree char *shown = test_show_plan (plan, 4);
  g_assert_cmpstr (shown, ==, "2>3:8");

  test_section (&to, pd_loop_get_layout (empty), NULL);
  g_assert_cmpint (pd_section_get_count (&to), ==, 0);
  g_autoptr (PdPlan) nothing = pd_copy_plan_new (&from, &to, 8);
  g_autofree char *none = test_show_plan (nothing, 4);
  g_assert_cmpstr (none, ==, "");
  g_assert_cmpuint (pd_plan_get_total (nothing), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (copies); i++)
    {
      g_autofree char *path = g_strdup_printf ("/predictor/copy/%s", copies[i].name);

      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_copy);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (once); i++)
    {
      g_autofree char *path = g_strdup_printf ("/predictor/copy/once/%s", once[i].name);

      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_copy_once);
    }
  g_test_add_func ("/predictor/copy/loop-layout", test_loop_layout);
  return g_test_run ();
}
