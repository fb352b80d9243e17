/* Grids, distribution and alignment: the tables of the run-time system.
 * SPDX-License-Identifier: MIT */
#include "tests/support/dvm/layouts.h"
#include "predictor/dvm/layout/pd-dvm-layout-align.h"
#include "predictor/dvm/layout/pd-dvm-layout-blocks.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"

#include <math.h>

/* ---- blocks of one axis on one grid dimension */

typedef enum
{
  PLAIN,
  WEIGHTS,         /* of the template */
  WEIGHTS_OF_GRID, /* not cut */
  SIZES,           /* GENBLOCK */
} ListKind;

static const struct
{
  const char *name;
  gint64 n;
  gint64 coords;
  gint64 param;
  gint64 divisor;
  ListKind kind;
  gdouble list[8];
  guint repairs;
  const char *blocks;
} blocks[] = {
  { "10-on-4", 10, 4, 0, 0, PLAIN, { 0 }, 0, "0-1 2-4 5-6 7-9" },
  { "7-on-4", 7, 4, 0, 0, PLAIN, { 0 }, 0, "0 1-2 3-4 5-6" },
  { "8-on-4", 8, 4, 0, 0, PLAIN, { 0 }, 0, "0-1 2-3 4-5 6-7" },
  { "12-on-4", 12, 4, 0, 0, PLAIN, { 0 }, 0, "0-2 3-5 6-8 9-11" },
  { "100-on-4", 100, 4, 0, 0, PLAIN, { 0 }, 0, "0-24 25-49 50-74 75-99" },
  { "5-on-4", 5, 4, 0, 0, PLAIN, { 0 }, 0, "0 1 2 3-4" },
  { "9-on-8", 9, 8, 0, 0, PLAIN, { 0 }, 0, "0 1 2 3 4 5 6 7-8" },
  { "100-on-3", 100, 3, 0, 0, PLAIN, { 0 }, 0, "0-32 33-65 66-99" },
  { "6-on-4", 6, 4, 0, 0, PLAIN, { 0 }, 0, "0 1-2 3 4-5" },
  { "14-on-4", 14, 4, 0, 0, PLAIN, { 0 }, 0, "0-2 3-6 7-9 10-13" },
  { "3-on-4", 3, 4, 0, 0, PLAIN, { 0 }, 0, "0 1 2 -" },
  { "1-on-4", 1, 4, 0, 0, PLAIN, { 0 }, 0, "0 - - -" },
  { "rounding",
    122,
    14,
    0,
    0,
    PLAIN,
    { 0 },
    0,
    "0-7 8-16 17-25 26-33 34-42 43-51 52-59 60-68 69-77 78-86 87-94 95-103 104-112 113-121" },
  { "divisor-1", 10, 4, 0, 1, PLAIN, { 0 }, 0, "0-1 2-4 5-6 7-9" },
  { "divisor-2", 12, 4, 0, 2, PLAIN, { 0 }, 0, "0-1 2-5 6-7 8-11" },
  { "divisor-3", 12, 4, 0, 3, PLAIN, { 0 }, 0, "0-2 3-5 6-8 9-11" },
  { "divisor-4", 12, 4, 0, 4, PLAIN, { 0 }, 0, "0-3 4-7 8-11 -" },
  { "divisor-6", 12, 4, 0, 6, PLAIN, { 0 }, 0, "0-5 6-11 - -" },
  { "param-3", 12, 4, 3, 0, PLAIN, { 0 }, 0, "0-2 3-5 6-8 9-11" },
  { "param-12", 12, 4, 12, 0, PLAIN, { 0 }, 0, "0-11 - - -" },
  { "param-beyond", 12, 4, 99, 0, PLAIN, { 0 }, 0, "0-11 - - -" },
  { "param-5-clipped", 12, 4, 5, 0, PLAIN, { 0 }, PD_LAYOUT_BLOCK_CLIPPED, "0-4 5-9 10-11 -" },
  { "weights", 10, 4, 0, 0, WEIGHTS, { 1, 2, 1, 1 }, 0, "0-1 2-5 6-7 8-9" },
  { "weights-fractions", 10, 4, 0, 0, WEIGHTS, { .5, 1, .25, .25 }, 0, "0-1 2-6 7 8-9" },
  { "weights-full", 10, 4, 0, 0, WEIGHTS, { 3, 3, 3, 1 }, 0, "0-2 3-5 6-8 9" },
  { "weights-genbld", 10, 4, 0, 0, WEIGHTS, { 1, 2, 3, 4 }, 0, "0 1-2 3-5 6-9" },
  { "weights-zero", 10, 4, 0, 0, WEIGHTS, { 4, 0, 1, 5 }, 0, "0-3 - 4 5-9" },
  { "weights-cut", 5, 4, 0, 0, WEIGHTS, { 1, 3, 3, 3 }, 0, "0 1-3 4 -" },
  { "weights-cut-last", 5, 3, 0, 0, WEIGHTS, { 1, 3, 3 }, 0, "0 1-3 4" },
  { "weights-of-grid-uncut",
    5,
    4,
    0,
    0,
    WEIGHTS_OF_GRID,
    { 1, 3, 3, 3 },
    PD_LAYOUT_BLOCK_CLIPPED,
    "0 1-3 4 -" },
  { "weights-of-other-grid",
    10,
    4,
    0,
    0,
    WEIGHTS,
    { 7, 1 },
    PD_LAYOUT_WEIGHTS_IGNORED,
    "0-1 2-4 5-6 7-9" },
  { "genblock", 10, 4, 0, 0, SIZES, { 5, 1, 0, 4 }, 0, "0-4 5 - 6-9" },
  { "genblock-zero-end", 10, 4, 0, 3, SIZES, { 0, 1, 9, 0 }, 0, "- 0 1-9 -" },
  { "genblock-of-other-grid",
    10,
    4,
    0,
    0,
    SIZES,
    { 10 },
    PD_LAYOUT_GENBLOCK_IGNORED,
    "0-1 2-4 5-6 7-9" },
  { "huge", G_MAXINT64, 1, 0, 0, PLAIN, { 0 }, 0, "0-9223372036854775806" },
};

/* The length of a list is where it ends for this test, not the grid's size. */
static guint
list_length (const char *name, gint64 coords)
{
  if (g_str_equal (name, "weights-of-other-grid"))
    return 2;
  return g_str_equal (name, "genblock-of-other-grid") ? 1 : (guint) coords;
}

static void
test_blocks (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  gint64 axes[] = { 1 };
  PdDvmDistribution distribution = { 1, axes, &blocks[i].param };
  PdBlockHints hints = { .divisor = { blocks[i].divisor } };
  g_autoptr (PdGrid) grid = pd_grid_new (1, &blocks[i].coords, NULL);
  g_autoptr (GArray) weights = g_array_new (FALSE, FALSE, sizeof (gdouble));
  g_autoptr (GArray) sizes = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GError) error = NULL;

  for (guint c = 0; c < list_length (blocks[i].name, blocks[i].coords) && c < 8; c++)
    {
      gint64 size = (gint64) blocks[i].list[c];

      g_array_append_val (weights, blocks[i].list[c]);
      g_array_append_val (sizes, size);
    }
  if (blocks[i].kind == WEIGHTS || blocks[i].kind == WEIGHTS_OF_GRID)
    hints.weights[0] = weights;
  if (blocks[i].kind == SIZES)
    hints.sizes[0] = sizes;
  hints.weights_of_grid[0] = blocks[i].kind == WEIGHTS_OF_GRID;

  g_autoptr (PdLayout) layout =
      pd_layout_new_distributed (grid, 1, &blocks[i].n, &distribution, &hints, &error);
  g_assert_no_error (error);
  g_autofree char *shown = test_show (layout);
  g_assert_cmpstr (shown, ==, blocks[i].blocks);
  g_assert_cmpuint (pd_layout_get_repairs (layout), ==, blocks[i].repairs);
}

/* ---- weights */

static const struct
{
  const char *name;
  guint n;
  guint n_weights;
  gdouble loads[10];
  gint64 counts[4]; /* all 0: refused */
} loads[] = {
  { "equal", 10, 4, { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 }, { 3, 3, 3, 1 } },
  { "one-heavy", 10, 4, { 10, 1, 1, 1, 1, 1, 1, 1, 1, 1 }, { 1, 9, 0, 0 } },
  { "rising", 10, 4, { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 }, { 5, 2, 2, 1 } },
  { "none", 4, 2, { 0, 0, 0, 0 }, { 4, 0 } },
  { "huge", 4, 2, { 1e300, 1e300, 1e300, 1e300 }, { 2, 2 } },
  { "too-few", 3, 4, { 1, 1, 1 }, { 0 } },
  { "no-processors", 3, 0, { 1, 1, 1 }, { 0 } },
  { "negative", 4, 2, { 1, -1, 1, 1 }, { 0 } },
  { "nan", 4, 2, { 1, NAN, 1, 1 }, { 0 } },
  { "overflow", 4, 2, { 1e308, 1e308, 1e308, 1 }, { 0 } },
};

static void
test_loads (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) weights =
      pd_layout_weights_from_loads (loads[i].loads, loads[i].n, loads[i].n_weights, &error);

  if (loads[i].counts[0] == 0)
    {
      g_assert_null (weights);
      g_assert_error (error, PD_LAYOUT_ERROR, PD_LAYOUT_ERROR_VALUE);
      return;
    }
  g_assert_no_error (error);
  g_assert_cmpuint (weights->len, ==, loads[i].n_weights);
  for (guint c = 0; c < weights->len; c++)
    g_assert_cmpint ((gint64) g_array_index (weights, gdouble, c), ==, loads[i].counts[c]);
}

/* setelw_: from loads to blocks. */
static void
test_loads_to_blocks (void)
{
  static const char *const expected[] = { "0-2 3-5 6-8 9", "0 1-9 - -", "0-4 5-6 7-8 9" };
  gint64 n = 10, axis = 1, param = 0;
  PdDvmDistribution distribution = { 1, &axis, &param };
  g_autoptr (PdGrid) grid = test_grid ("4");

  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (GArray) weights = pd_layout_weights_from_loads (loads[i].loads, 10, 4, NULL);
      PdBlockHints hints = { .weights = { weights } };
      g_autoptr (PdLayout) layout =
          pd_layout_new_distributed (grid, 1, &n, &distribution, &hints, NULL);
      g_autofree char *shown = test_show (layout);

      g_assert_cmpstr (shown, ==, expected[i]);
    }
}

static const struct
{
  const char *name;
  const char *grid;
  guint n;
  gdouble values[8];
  int code;            /* -1: good */
  gdouble expected[8]; /* concatenated; first 0: unit weights */
} weights[] = {
  { "fractions", "4", 4, { .5, 1, .25, .25 }, -1, { 2, 4, 1, 1 } },
  { "first-zero", "4", 4, { 0, 1, 1, 2 }, -1, { 0 } },
  { "unit", "4", 1, { -1 }, -1, { 0 } },
  { "none", "4", 0, { 0 }, -1, { 0 } },
  { "two-dims", "2x3", 5, { 2, 6, 3, 0, 12 }, -1, { 1, 3, 1, 0, 4 } },
  { "one-processor", "2x3", 2, { 1, 1 }, PD_LAYOUT_ERROR_VALUE, { 0 } },
  { "negative", "2", 2, { 1, -2 }, PD_LAYOUT_ERROR_VALUE, { 0 } },
  { "infinite", "2", 2, { 1, INFINITY }, PD_LAYOUT_ERROR_VALUE, { 0 } },
  { "apart", "2", 2, { 1e-300, 1e300 }, PD_LAYOUT_ERROR_VALUE, { 0 } },
  { "denormal", "2", 2, { 5e-324, 1 }, PD_LAYOUT_ERROR_VALUE, { 0 } },
  { "dim-of-zeros", "2x2", 4, { 1, 1, 0, 0 }, PD_LAYOUT_ERROR_VALUE, { 0 } },
};

static void
test_weights (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (PdGrid) grid = test_grid (weights[i].grid);
  g_autoptr (GError) error = NULL;
  GArray *out[PD_MAX_GRID_RANK];
  gboolean ok = pd_grid_normalise_weights (grid, weights[i].values, weights[i].n, out, &error);
  const gdouble *expected = weights[i].expected;

  g_assert_cmpint (ok, ==, weights[i].code < 0);
  if (!ok)
    g_assert_error (error, PD_LAYOUT_ERROR, weights[i].code);
  for (guint d = 0; d < PD_MAX_GRID_RANK; d++)
    {
      if (!ok || d >= pd_grid_get_rank (grid) || weights[i].expected[0] == 0)
        {
          g_assert_null (out[d]);
          continue;
        }
      g_assert_cmpuint (out[d]->len, ==, pd_grid_get_sizes (grid)[d]);
      for (guint c = 0; c < out[d]->len; c++)
        g_assert_cmpfloat (g_array_index (out[d], gdouble, c), ==, *expected++);
      g_array_unref (out[d]);
    }
}

/* Normalising what is normalised changes no bit, though 49 * (1 / 49) < 1. */
static void
test_weights_twice (void)
{
  static const gdouble values[] = { 49, 98, 3, 5, 7 };
  gdouble first[5];
  GArray *out[PD_MAX_GRID_RANK], *again[PD_MAX_GRID_RANK];
  g_autoptr (PdGrid) grid = test_grid ("2x3");

  g_assert_true (pd_grid_normalise_weights (grid, values, 5, out, NULL));
  for (guint i = 0; i < 5; i++)
    first[i] = i < 2 ? g_array_index (out[0], gdouble, i) : g_array_index (out[1], gdouble, i - 2);
  g_assert_cmpfloat (first[0], ==, 49 * (1. / 49) * (1. / (49 * (1. / 49))));
  g_assert_cmpfloat (first[3], ==, 5 * (1. / 3) * (1. / (49 * (1. / 49))));
  g_assert_true (pd_grid_normalise_weights (grid, first, 5, again, NULL));
  for (guint d = 0; d < 2; d++)
    {
      for (guint c = 0; c < out[d]->len; c++)
        g_assert_cmpfloat (g_array_index (out[d], gdouble, c), ==,
                           g_array_index (again[d], gdouble, c));
      g_array_unref (out[d]);
      g_array_unref (again[d]);
    }
}

/* ---- grids */

static void
assert_processors (const PdGrid *grid, const char *expected)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gint64 found = 0;

  for (guint32 i = 0; i < pd_grid_get_n (grid); i++)
    {
      guint32 coords[PD_MAX_GRID_RANK];
      guint32 processor = pd_grid_get_processor (grid, i);

      g_string_append_printf (text, "%s%u", i > 0 ? "," : "", processor);
      pd_grid_get_coords (grid, i, coords);
      g_assert_cmpuint (pd_grid_get_linear (grid, coords), ==, i);
      g_assert_cmpint (pd_grid_find (grid, processor), ==, i);
    }
  g_assert_cmpstr (text->str, ==, expected);
  for (guint32 p = 0; p < 100; p++)
    found += pd_grid_find (grid, p) >= 0 ? 1 : 0;
  g_assert_cmpint (found, ==, pd_grid_get_n (grid));
}

static void
test_grid_parts (void)
{
  g_autoptr (PdGrid) grid = test_grid ("2x3");
  g_autoptr (PdGrid) part = pd_grid_new_part (grid, (gint64[]){ 0, 1 }, (gint64[]){ 1, 2 }, NULL);
  g_autoptr (PdGrid) line = pd_grid_new_part (part, (gint64[]){ 0, 1 }, (gint64[]){ 1, 1 }, NULL);
  g_autoptr (PdGrid) row = pd_grid_new_part (grid, (gint64[]){ 1, 0 }, (gint64[]){ 1, 2 }, NULL);
  g_autoptr (PdGrid) view = pd_grid_new_view (part, 1, (gint64[]){ 4 }, NULL);
  g_autoptr (PdGrid) of_view = pd_grid_new_part (view, (gint64[]){ 1 }, (gint64[]){ 2 }, NULL);

  assert_processors (grid, "0,1,2,3,4,5");
  assert_processors (part, "1,2,4,5");
  assert_processors (line, "2,5");
  assert_processors (row, "3,4,5");
  assert_processors (view, "1,2,4,5");
  assert_processors (of_view, "2,4");
  g_assert_cmpuint (pd_grid_get_processor (part, 0), ==, 1); /* its I/O processor */

  g_autoptr (PdLayout) rows = test_template (part, "8", "1,0");
  g_autofree char *shown_rows = test_show (rows);
  g_assert_cmpstr (shown_rows, ==, "0-3 0-3 4-7 4-7");
  g_autoptr (PdLayout) columns = test_template (part, "8", "0,1");
  g_autofree char *shown_columns = test_show (columns);
  g_assert_cmpstr (shown_columns, ==, "0-3 4-7 0-3 4-7");
}

static void
test_grid_views (void)
{
  g_autoptr (PdGrid) grid = test_grid ("2x3");
  g_autoptr (PdGrid) line = pd_grid_new_view (grid, 1, (gint64[]){ 6 }, NULL);
  g_autoptr (PdGrid) tall = pd_grid_new_view (grid, 2, (gint64[]){ 3, 2 }, NULL);
  gint64 n = 12, axes[] = { 1, -1 }, params[] = { 0, 1 };
  PdDvmDistribution distribution = { 2, axes, params };

  g_autoptr (PdLayout) on_line = test_template (line, "12", "1");
  g_autofree char *shown_line = test_show (on_line);
  g_assert_cmpstr (shown_line, ==, "0-1 2-3 4-5 6-7 8-9 10-11");

  g_autoptr (PdLayout) on_tall = pd_layout_new_distributed (tall, 1, &n, &distribution, NULL, NULL);
  g_autofree char *shown_tall = test_show (on_tall);
  g_assert_cmpstr (shown_tall, ==, "- 0-3 - 4-7 - 8-11");
  g_assert_cmpint (pd_layout_get_local_count (on_tall, 3), ==, 4);
  g_assert_cmpint (pd_layout_get_local_count (on_tall, 2), ==, 0);
}

static void
test_grid_central (void)
{
  static const struct
  {
    const char *grid;
    guint32 central;
  } rows[] = { { "4", 2 }, { "2x2", 3 }, { "2x3", 4 }, { "3x3", 4 }, { "1", 0 }, { "3x2x4", 14 } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (PdGrid) grid = test_grid (rows[i].grid);

      g_assert_cmpuint (pd_grid_get_central (grid), ==, rows[i].central);
    }
}

static void
test_grid_equal (void)
{
  g_autoptr (PdGrid) grid = test_grid ("2x3");
  g_autoptr (PdGrid) same = test_grid ("2x3");
  g_autoptr (PdGrid) tall = pd_grid_new_view (grid, 2, (gint64[]){ 3, 2 }, NULL);
  g_autoptr (PdGrid) back = pd_grid_new_view (tall, 2, (gint64[]){ 2, 3 }, NULL);
  g_autoptr (PdGrid) low = pd_grid_new_part (grid, (gint64[]){ 0, 0 }, (gint64[]){ 1, 1 }, NULL);
  g_autoptr (PdGrid) high = pd_grid_new_part (grid, (gint64[]){ 0, 1 }, (gint64[]){ 1, 2 }, NULL);
  g_autoptr (PdGrid) copy = pd_grid_new_view (high, 2, (gint64[]){ 2, 2 }, NULL);

  g_assert_true (pd_grid_equal (grid, same));
  g_assert_true (pd_grid_equal (grid, back));
  g_assert_true (pd_grid_equal (high, copy)); /* strides and a table */
  g_assert_false (pd_grid_equal (grid, tall));
  g_assert_false (pd_grid_equal (low, high));
}

/* ---- alignment */

static const struct
{
  const char *name;
  const char *sizes;
  const char *rules; /* on A(8,9) over 2x3; with via, on A through it */
  const char *via_sizes;
  const char *via_rules;
  const char *parts;
  guint replication;
} aligned[] = {
  { "a", "8,9", "1*1+0,2*1+0", NULL, NULL, "0-3x0-2 0-3x3-5 0-3x6-8 4-7x0-2 4-7x3-5 4-7x6-8", 1 },
  { "b", "4", "1*2+1,0*0+4", NULL, NULL, "- 0-1 - - 2-3 -", 1 },
  { "c-on-b", "2", "1*2+0", "4", "1*2+1,0*0+4", "- 0 - - 1 -", 1 },
  { "d-collapsed", "3,4", "-1*0+0,2*2+1", NULL, NULL, "0-2x0 0-2x1-2 0-2x3 0-2x0 0-2x1-2 0-2x3",
    2 },
  { "e-bounded", "4", "-1*0+0", "4", "1*2+1,0*0+4", "- 0-3 - - 0-3 -", 2 },
  { "f-constant", "5", "0*0+3,1*1+2", NULL, NULL, "0 1-3 4 - - -", 1 },
  { "constant-any-axis", "5", "9*0+3,1*1+2", NULL, NULL, "0 1-3 4 - - -", 1 },
  { "reversed", "8", "1*-1+7,0*0+0", NULL, NULL, "4-7 - - 0-3 - -", 1 },
  { "reversed-twice", "8", "1*-1+7", "8", "1*-1+7,0*0+0", "0-3 - - 4-7 - -", 1 },
  { "bounded-one-row", "3", "-1*0+0", "2", "1*3+0,-1*0+0", "0-2 0-2 0-2 - - -", 3 },
  { "replicated-on-short", "3", "-1*0+0", "2", "1*1+0,0*0+0", "0-2 - - 0-2 - -", 2 },
  { "on-collapsed-axis", "3", "0*0+0,1*1+0", "4,3", "1*2+0,0*0+0", "0-2 - - - - -", 1 },
  { "replicated-everywhere", "2", "-1*1+0,-1*1+0", NULL, NULL, "0-1 0-1 0-1 0-1 0-1 0-1", 6 },
};

static void
test_aligned (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (GError) error = NULL;
  g_autoptr (PdGrid) grid = test_grid ("2x3");
  g_autoptr (PdLayout) pattern = test_template (grid, "8,9", "1,2");

  if (aligned[i].via_sizes != NULL)
    {
      g_autoptr (PdLayout) via =
          test_align (pattern, aligned[i].via_sizes, aligned[i].via_rules, &error);

      g_assert_no_error (error);
      pd_layout_unref (pattern);
      pattern = g_steal_pointer (&via);
    }
  g_autoptr (PdLayout) layout = test_align (pattern, aligned[i].sizes, aligned[i].rules, &error);
  g_assert_no_error (error);
  g_autofree char *shown = test_show (layout);
  g_assert_cmpstr (shown, ==, aligned[i].parts);
  g_assert_cmpuint (pd_layout_get_replication (layout), ==, aligned[i].replication);
}

/* X(m) aligned with 2 i + 1, or i + shift, of a template on 4 processors. */
static void
test_aligned_line (void)
{
  static const struct
  {
    const char *n, *m, *rule, *parts;
  } rows[] = {
    { "10", "5", "1*2+1", "0 1 2 3-4" },     { "12", "6", "1*2+1", "0 1-2 3 4-5" },
    { "8", "4", "1*2+1", "0 1 2 3" },        { "7", "3", "1*2+1", "- 0 1 2" },
    { "3", "1", "1*2+1", "- 0 - -" },        { "100", "50", "1*2+1", "0-11 12-24 25-36 37-49" },
    { "10", "8", "1*1+0", "0-1 2-4 5-6 7" }, { "10", "8", "1*1+2", "- 0-2 3-4 5-7" },
    { "10", "1", "1*77+9", "- - - 0" },
  };
  g_autoptr (PdGrid) grid = test_grid ("4");

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (PdLayout) pattern = test_template (grid, rows[i].n, "1");
      g_autoptr (PdLayout) layout = test_align (pattern, rows[i].m, rows[i].rule, NULL);
      g_autofree char *shown = test_show (layout);

      g_assert_cmpstr (shown, ==, rows[i].parts);
    }
}

/* redis_: the same alignment on another layout, another grid even. */
static void
test_redistributed (void)
{
  g_autoptr (PdGrid) grid = test_grid ("4");
  g_autoptr (PdGrid) square = test_grid ("2x2");
  g_autoptr (PdLayout) rows = test_template (grid, "8,8", "1");
  g_autoptr (PdLayout) columns = test_template (grid, "8,8", "2");
  g_autoptr (PdLayout) both = test_template (square, "8,8", "2,1");
  g_autoptr (PdLayout) array = test_align (rows, "8,4", "1*1+0,2*2+1", NULL);
  g_autoptr (PdLayout) moved = pd_layout_new_redistributed (array, columns);
  g_autoptr (PdLayout) again = pd_layout_new_redistributed (moved, both);
  g_autofree char *before = test_show (array);
  g_autofree char *after = test_show (moved);
  g_autofree char *last = test_show (again);

  g_assert_cmpstr (before, ==, "0-1x0-3 2-3x0-3 4-5x0-3 6-7x0-3");
  g_assert_cmpstr (after, ==, "0-7x0 0-7x1 0-7x2 0-7x3");
  g_assert_cmpstr (last, ==, "0-3x0-1 4-7x0-1 0-3x2-3 4-7x2-3");
  g_assert_true (pd_layout_get_grid (again) == square);
}

static void
test_holds (void)
{
  g_autoptr (PdGrid) grid = test_grid ("2x2x2x2");
  g_autoptr (PdLayout) template_layout = test_template (grid, "8,8,8", "1,2,3,0");
  g_autoptr (PdLayout) via = test_align (template_layout, "8,2,2", "1*1+0,2*2+4,3*1+0", NULL);
  g_autoptr (PdLayout) layout = test_align (via, "8", "1*1+0,-1*0+0,0*0+1", NULL);
  gboolean split[PD_MAX_GRID_RANK];
  guint axis = 7;
  gint64 lo = -5, hi = -5;

  g_assert_cmpint (pd_layout_holds (layout, 0, &axis), ==, PD_HOLDS_RANGE);
  g_assert_cmpuint (axis, ==, 0);
  g_assert_cmpint (pd_layout_holds (layout, 1, NULL), ==, PD_HOLDS_SET);
  g_assert_cmpint (pd_layout_holds (layout, 2, NULL), ==, PD_HOLDS_FIXED);
  g_assert_cmpint (pd_layout_holds (layout, 3, NULL), ==, PD_HOLDS_ALL);
  g_assert_true (pd_layout_get_range (layout, 0, 1, &lo, &hi));
  g_assert_cmpint (lo, ==, 4);
  g_assert_cmpint (hi, ==, 7);
  g_assert_false (pd_layout_get_range (layout, 1, 0, NULL, NULL));
  g_assert_true (pd_layout_get_range (layout, 1, 1, NULL, NULL));
  g_assert_true (pd_layout_get_range (layout, 2, 0, NULL, NULL));
  g_assert_false (pd_layout_get_range (layout, 2, 1, NULL, NULL));
  g_assert_cmpuint (pd_layout_get_replication (layout), ==, 2);
  g_assert_cmpuint (pd_layout_reduction_split (layout, split), ==, 1);
  for (guint d = 0; d < PD_MAX_GRID_RANK; d++)
    g_assert_cmpint (split[d], ==, d == 3);
}

#define ADD_TABLE(folder, rows, function)                                                          \
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)                                                  \
    {                                                                                              \
      g_autofree char *path = g_strdup_printf ("/layout/" folder "/%s", rows[i].name);             \
                                                                                                   \
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), function);                                 \
    }

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD_TABLE ("blocks", blocks, test_blocks)
  ADD_TABLE ("loads", loads, test_loads)
  ADD_TABLE ("weights", weights, test_weights)
  ADD_TABLE ("aligned", aligned, test_aligned)
  g_test_add_func ("/layout/loads/to-blocks", test_loads_to_blocks);
  g_test_add_func ("/layout/weights/twice", test_weights_twice);
  g_test_add_func ("/layout/grid/parts", test_grid_parts);
  g_test_add_func ("/layout/grid/views", test_grid_views);
  g_test_add_func ("/layout/grid/central", test_grid_central);
  g_test_add_func ("/layout/grid/equal", test_grid_equal);
  g_test_add_func ("/layout/aligned/line", test_aligned_line);
  g_test_add_func ("/layout/redistributed", test_redistributed);
  g_test_add_func ("/layout/holds", test_holds);
  return g_test_run ();
}
