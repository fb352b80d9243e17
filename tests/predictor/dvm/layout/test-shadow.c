/* Exchange of shadow edges: the run-time system's messages, and all messages of
 * seeded random groups against the halos counted element by element.
 * SPDX-License-Identifier: MIT */
#include "tests/support/dvm/layouts.h"
#include "predictor/dvm/layout/pd-dvm-layout-align.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"
#include "predictor/dvm/layout/pd-dvm-layout-shadow.h"

#include <string.h>

#define MAX_MESSAGES 1024
#define N_CASES      4000

/* ---- tables */

typedef struct
{
  const char *sizes; /* of the array on the template of the case; NULL = none */
  const char *rules;
  const char *low;
  const char *high;
  const char *sign; /* NULL: 7 everywhere */
  guint max_count;
  gint64 type_size;
} ArrayRow;

#define SQUARE "9,9", "1*1+0,2*1+0"

/* @texts: processor, then its messages in posting order: "<peer:bytes" received,
 * ">peer:bytes" sent. */
static const struct
{
  const char *name;
  const char *grid;
  const char *sizes; /* of the template */
  const char *axes;
  ArrayRow arrays[3];
  const char *texts[4];
  guint n_messages; /* sent by all; 0: not known */
  gint64 n_bytes;
} exchanges[] = {
  { "plain",
    "3x3",
    "9,9",
    "1,2",
    { { SQUARE, "1,1", "1,1", NULL, 1, 8 } },
    { "0 <1:24 <3:24 >1:24 >3:24", "1 <0:24 <2:24 <4:24 >0:24 >2:24 >4:24",
      "4 <3:24 <5:24 <1:24 <7:24 >3:24 >5:24 >1:24 >7:24" },
    24,
    576 },
  { "corners",
    "3x3",
    "9,9",
    "1,2",
    { { SQUARE, "1,1", "1,1", NULL, 2, 8 } },
    { "0 <1:24 <3:24 <4:8 >1:24 >3:24 >4:8",
      "1 <0:24 <2:24 <4:24 <3:8 <5:8 >0:24 >2:24 >4:24 >3:8 >5:8",
      "4 <3:24 <5:24 <1:24 <7:24 <0:8 <2:8 <6:8 <8:8 >3:24 >5:24 >1:24 >7:24 >0:8 >2:8 >6:8 >8:8" },
    40,
    704 },
  { "asymmetric",
    "3x3",
    "9,9",
    "1,2",
    { { SQUARE, "1,0", "0,1", NULL, 1, 8 } },
    { "4 <5:24 <1:24 >3:24 >7:24", "0 <1:24 >3:24", "1 <2:24 >0:24 >4:24" },
    12,
    288 },
  { "asymmetric-corners",
    "3x3",
    "9,9",
    "1,2",
    { { SQUARE, "1,0", "0,1", NULL, 2, 8 } },
    { "4 <5:24 <1:24 <2:8 >3:24 >7:24 >6:8", "0 <1:24 >3:24", "1 <2:24 >0:24 >4:24 >3:8" },
    16,
    320 },
  { "low-1-high-2",
    "3x3",
    "9,9",
    "1,2",
    { { SQUARE, "1,1", "2,2", NULL, 2, 8 } },
    { "4 <3:24 <5:48 <1:24 <7:48 <0:8 <2:16 <6:16 <8:32 "
      ">3:48 >5:24 >1:48 >7:24 >0:32 >2:16 >6:16 >8:8",
      "0 <1:48 <3:48 <4:32 >1:24 >3:24 >4:8" },
    0,
    0 },
  { "only-corners",
    "3x3",
    "9,9",
    "1,2",
    { { SQUARE, "1,1", "1,1", "6,6", 2, 8 } },
    { "4 <0:8 <2:8 <6:8 <8:8 >0:8 >2:8 >6:8 >8:8", "0 <4:8 >4:8", "1 <3:8 <5:8 >3:8 >5:8" },
    16,
    128 },
  { "only-dim-0",
    "3x3",
    "9,9",
    "1,2",
    { { SQUARE, "1,1", "1,1", "7,1", 2, 8 } },
    { "4 <1:24 <7:24 >1:24 >7:24", "0 <3:24 >3:24", "1 <4:24 >4:24" },
    12,
    288 },
  { "width-2",
    "3x3",
    "9,9",
    "1,2",
    { { SQUARE, "2,2", "2,2", NULL, 1, 8 } },
    { "0 <1:48 <3:48 >1:48 >3:48" },
    24,
    1152 },
  { "two-equal",
    "3x3",
    "9,9",
    "1,2",
    { { SQUARE, "1,1", "1,1", NULL, 1, 8 }, { SQUARE, "1,1", "1,1", NULL, 1, 8 } },
    { "4 <3:48 <5:48 <1:48 <7:48 >3:48 >5:48 >1:48 >7:48" },
    24,
    1152 },
  { "equal-other-size",
    "3x3",
    "9,9",
    "1,2",
    { { SQUARE, "1,1", "1,1", NULL, 1, 8 }, { SQUARE, "1,1", "1,1", NULL, 1, 4 } },
    { "0 <1:36 <3:36 >1:36 >3:36" },
    24,
    864 },
  { "last-inserted-first",
    "3x3",
    "9,9",
    "1,2",
    { { SQUARE, "1,1", "1,1", NULL, 1, 8 },
      { SQUARE, "1,0", "0,0", NULL, 1, 8 },
      { SQUARE, "1,1", "1,1", NULL, 1, 8 } },
    { "0 <1:48 <3:48 >1:48 >3:48 >3:24", "8 <7:48 <5:48 >7:48 >5:48 <5:24" },
    30,
    1296 },
  { "other-widths",
    "3x3",
    "9,9",
    "1,2",
    { { SQUARE, "1,0", "0,0", NULL, 1, 8 }, { SQUARE, "1,1", "1,1", NULL, 1, 8 } },
    { "0 <1:24 <3:24 >1:24 >3:24 >3:24" },
    30,
    720 },
  { "other-corners",
    "3x3",
    "9,9",
    "1,2",
    { { SQUARE, "1,1", "1,1", NULL, 2, 8 }, { SQUARE, "1,1", "1,1", NULL, 1, 8 } },
    { "0 <1:24 <3:24 >1:24 >3:24 <1:24 <3:24 <4:8 >1:24 >3:24 >4:8" },
    64,
    1280 },
  { "other-signs",
    "3x3",
    "9,9",
    "1,2",
    { { SQUARE, "1,1", "1,1", "7,1", 1, 8 }, { SQUARE, "1,1", "1,1", NULL, 1, 8 } },
    { "0 <1:24 <3:24 >1:24 >3:24 <3:24 >3:24" },
    36,
    864 },
  { "replicated-vector",
    "3x3",
    "9,9",
    "1,2",
    { { "9", "1*1+0,-1*0+0", "1", "1", NULL, 1, 8 } },
    { "4 <1:8 <7:8 >1:8 >7:8", "0 <3:8 >3:8", "1 <4:8 >4:8" },
    12,
    96 },
  { "constant-vector",
    "3x3",
    "9,9",
    "1,2",
    { { "9", "1*1+0,0*0+4", "1", "1", NULL, 1, 8 } },
    { "4 <1:8 <7:8 >1:8 >7:8", "0", "1 <4:8 >4:8" },
    4,
    32 },
  { "square-8",
    "2x2",
    "8,8",
    "1,2",
    { { "8,8", "1*1+0,2*1+0", "1,1", "1,1", NULL, 1, 8 } },
    { "0 <1:32 <2:32 >1:32 >2:32", "3 <2:32 <1:32 >2:32 >1:32" },
    8,
    256 },
  { "collapsed-is-no-edge",
    "4",
    "8,8",
    "1",
    { { "8,8", "1*1+0,2*1+0", "1,1", "1,1", NULL, 2, 8 } },
    { "1 <0:64 <2:64 >0:64 >2:64" },
    6,
    384 },
  { "collapsed-not-inside",
    "4",
    "8,8",
    "1",
    { { "8,8", "1*1+0,2*1+0", "1,1", "1,1", "7,6", 2, 8 } },
    { "1" },
    0,
    0 },
  { "reversed",
    "4",
    "8,8",
    "1",
    { { "8", "1*-1+7,0*0+0", "1", "2", NULL, 1, 8 } },
    { "0 <1:8 >1:16", "3 <2:16 >2:8", "1 <2:8 <0:16 >2:16 >0:8" },
    6,
    72 },
  { "swapped-dims",
    "2x3",
    "6,6",
    "2,1",
    { { "6,6", "1*1+0,2*1+0", "1,1", "1,1", NULL, 2, 1 } },
    { "0 <3:2 <1:3 <4:1 >3:2 >1:3 >4:1" },
    22,
    44 },
  { "no-corners-wanted",
    "3x3",
    "9,9",
    "1,2",
    { { SQUARE, "1,1", "1,1", NULL, 0, 8 } },
    { "4" },
    0,
    0 },
  { "one-processor", "1x1", "9,9", "1,2", { { SQUARE, "1,1", "1,1", NULL, 2, 8 } }, { "0" }, 0, 0 },
};

static PdShadowArray
make_array (PdLayout *pattern, const ArrayRow *row)
{
  gint64 values[16];
  PdShadowArray array = { .type_size = row->type_size, .max_count = row->max_count };
  g_autoptr (GError) error = NULL;

  array.layout = test_align (pattern, row->sizes, row->rules, &error);
  g_assert_no_error (error);
  test_list (row->low, values);
  memcpy (array.low, values, pd_layout_get_rank (array.layout) * sizeof *values);
  test_list (row->high, values);
  memcpy (array.high, values, pd_layout_get_rank (array.layout) * sizeof *values);
  test_list (row->sign, values);
  for (guint i = 0; i < pd_layout_get_rank (array.layout); i++)
    array.sign[i] = row->sign != NULL ? (guint8) values[i] : 7;
  return array;
}

static char *
show_messages (const PdPlan *plan, guint32 processor)
{
  PdPlanMessage messages[MAX_MESSAGES];
  GString *text = g_string_new (NULL);

  g_assert_cmpuint (pd_plan_get_max (plan, 0), <=, MAX_MESSAGES);
  guint n = pd_plan_get_messages (plan, processor, messages);
  g_assert_cmpuint (n, <=, pd_plan_get_max (plan, 0));
  g_string_append_printf (text, "%u", processor);
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, " %c%u:%" G_GINT64_FORMAT, messages[i].send ? '>' : '<',
                            messages[i].peer, messages[i].bytes);
  return g_string_free (text, FALSE);
}

static void
test_exchange (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (PdMessages) warnings = pd_messages_new ();
  g_autoptr (PdGrid) grid = test_grid (exchanges[i].grid);
  g_autoptr (PdLayout) pattern = test_template (grid, exchanges[i].sizes, exchanges[i].axes);
  PdShadowArray arrays[3];
  guint n_arrays = 0, n_messages = 0;
  gint64 n_bytes = 0;

  for (; n_arrays < 3 && exchanges[i].arrays[n_arrays].sizes != NULL; n_arrays++)
    arrays[n_arrays] = make_array (pattern, &exchanges[i].arrays[n_arrays]);
  g_autoptr (PdPlan) plan = pd_shadow_plan_new (arrays, n_arrays, warnings);
  for (guint a = 0; a < n_arrays; a++)
    pd_layout_unref (arrays[a].layout);

  for (guint t = 0; t < 4 && exchanges[i].texts[t] != NULL; t++)
    {
      guint32 processor = (guint32) g_ascii_strtoull (exchanges[i].texts[t], NULL, 10);
      g_autofree char *shown = show_messages (plan, processor);

      g_assert_cmpstr (shown, ==, exchanges[i].texts[t]);
    }
  for (guint32 p = 0; p < pd_grid_get_n (grid) + 3; p++)
    {
      PdPlanMessage messages[MAX_MESSAGES];
      guint n = pd_plan_get_messages (plan, p, messages);

      g_assert_true (n == 0 || p < pd_grid_get_n (grid));
      for (guint m = 0; m < n; m++)
        if (messages[m].send)
          {
            n_messages++;
            n_bytes += messages[m].bytes;
          }
    }
  if (exchanges[i].n_messages > 0)
    {
      g_assert_cmpuint (n_messages, ==, exchanges[i].n_messages);
      g_assert_cmpint (n_bytes, ==, exchanges[i].n_bytes);
    }
  g_assert_cmpuint (pd_messages_get_n (warnings), ==, 0);
}

/* ---- repairs */

static PdLayout *
genblock (PdGrid *grid, gint64 n, const char *blocks)
{
  gint64 axis = 1, param = 0, values[16];
  PdDvmDistribution distribution = { 1, &axis, &param };
  g_autoptr (GArray) sizes = g_array_new (FALSE, FALSE, sizeof (gint64));
  PdBlockHints hints = { .sizes = { sizes } };

  g_array_append_vals (sizes, values, test_list (blocks, values));
  return pd_layout_new_distributed (grid, 1, &n, &distribution, &hints, NULL);
}

static void
test_repairs (void)
{
  static const struct
  {
    const char *blocks;
    gint64 low, high;
    guint8 sign;
    guint64 clipped, skips;
    const char *texts[4];
  } rows[] = {
    { "5,1,0,4", 1, 1, 7, 0, 1, { "0 <1:8 >1:8", "1 <0:8 <3:8 >0:8 >3:8", "2", "3 <1:8 >1:8" } },
    { "5,1,0,4",
      3,
      2,
      7,
      1,
      1,
      { "0 <1:8 >1:24", "1 <0:24 <3:16 >0:8 >3:8", "2", "3 <1:8 >1:16" } },
    { "1,3,3,3", 0, 2, 7, 0, 0, { "0 <1:16", "1 <2:16 >0:16", "2 <3:16 >1:16", "3 >2:16" } },
    { "1,3,3,3", 0, 2, 3, 0, 0, { "0", "1", "2", "3" } },
    { "1,3,3,3", 2, 0, 7, 1, 0, { "0 >1:8", "1 <0:8 >2:16", "2 <1:16 >3:16", "3 <2:16" } },
    { "0,10,0,0", 2, 2, 7, 0, 0, { "0", "1", "2", "3" } },
    { "5,1,0,4", -1, 1, 7, 0, 1, { "0 <1:8", "1 <3:8 >0:8", "2", "3 >1:8" } },
    { "4,2,2,2",
      G_MAXINT64,
      0,
      7,
      1,
      0,
      { "0 >1:32", "1 <0:32 >2:16", "2 <1:16 >3:16", "3 <2:16" } },
  };
  g_autoptr (PdGrid) grid = test_grid ("4");

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (PdMessages) warnings = pd_messages_new ();
      g_autoptr (PdLayout) layout = genblock (grid, 10, rows[i].blocks);
      PdShadowArray array = { .layout = layout, .type_size = 8, .max_count = 1 };

      array.low[0] = rows[i].low;
      array.high[0] = rows[i].high;
      array.sign[0] = rows[i].sign;
      g_autoptr (PdPlan) plan = pd_shadow_plan_new (&array, 1, warnings);
      for (guint32 p = 0; p < 4; p++)
        {
          g_autofree char *shown = show_messages (plan, p);

          g_assert_cmpstr (shown, ==, rows[i].texts[p]);
        }
      g_assert_cmpuint (pd_messages_count (warnings, "shadow-width-clipped"), ==, rows[i].clipped);
      g_assert_cmpuint (pd_messages_count (warnings, "shadow-skips-empty"), ==, rows[i].skips);
    }
}

/* A sparse alignment: elements of X(3) on 3 of 5 processors. Each array warns. */
static void
test_sparse (void)
{
  g_autoptr (PdMessages) warnings = pd_messages_new ();
  g_autoptr (PdGrid) grid = test_grid ("5");
  g_autoptr (PdLayout) pattern = test_template (grid, "5", "1");
  g_autoptr (PdLayout) layout = test_align (pattern, "3", "1*2+0", NULL);
  PdShadowArray array = {
    .layout = layout, .type_size = 1, .low = { 1 }, .max_count = 1, .sign = { 7 }
  };
  PdShadowArray arrays[] = { array, array };
  g_autoptr (PdPlan) plan = pd_shadow_plan_new (arrays, 2, warnings);
  g_autofree char *middle = show_messages (plan, 2);
  g_autofree char *empty = show_messages (plan, 1);

  g_assert_cmpstr (middle, ==, "2 <0:2 >4:2");
  g_assert_cmpstr (empty, ==, "1");
  g_assert_cmpuint (pd_messages_count (warnings, "shadow-skips-empty"), ==, 2);
}

/* What cannot be the size of an element leaves the array out, with a warning. */
static void
test_skipped (void)
{
  static const gint64 type_sizes[] = { 0, -8, G_MAXINT64, G_MAXINT64 / 2 };
  g_autoptr (PdGrid) grid = test_grid ("3x3");
  g_autoptr (PdLayout) pattern = test_template (grid, "9,9", "1,2");

  for (gsize i = 0; i < G_N_ELEMENTS (type_sizes); i++)
    {
      g_autoptr (PdMessages) warnings = pd_messages_new ();
      ArrayRow row = { SQUARE, "1,1", "1,1", NULL, 1, 8 };
      PdShadowArray arrays[2] = { make_array (pattern, &row), make_array (pattern, &row) };
      arrays[0].type_size = type_sizes[i];
      g_autoptr (PdPlan) plan = pd_shadow_plan_new (arrays, 2, warnings);
      g_autofree char *shown = show_messages (plan, 0);

      g_assert_cmpstr (shown, ==, "0 <1:24 <3:24 >1:24 >3:24");
      g_assert_cmpuint (pd_messages_count (warnings, "shadow-array-skipped"), ==, 1);
      pd_layout_unref (arrays[0].layout);
      pd_layout_unref (arrays[1].layout);
    }
}

static void
test_nothing (void)
{
  PdPlanMessage messages[1];
  g_autoptr (PdPlan) plan = pd_shadow_plan_new (NULL, 0, NULL);
  g_autoptr (PdPlan) same = pd_plan_ref (plan);

  g_assert_cmpuint (pd_plan_get_max (same, 0), ==, 0);
  g_assert_cmpuint (pd_plan_get_messages (same, 0, messages), ==, 0);
}

/* Processors of a sub-grid are named by their global numbers. */
static void
test_sub_grid (void)
{
  g_autoptr (PdGrid) whole = test_grid ("3x4");
  g_autoptr (PdGrid) part = pd_grid_new_part (whole, (gint64[]){ 1, 1 }, (gint64[]){ 2, 2 }, NULL);
  g_autoptr (PdGrid) view = pd_grid_new_view (part, 1, (gint64[]){ 4 }, NULL);
  g_autoptr (PdLayout) square = test_template (part, "4,4", "1,2");
  g_autoptr (PdLayout) line = test_template (view, "8", "1");
  PdShadowArray array = { .layout = square,
                          .type_size = 8,
                          .low = { 1, 1 },
                          .high = { 1, 1 },
                          .max_count = 2,
                          .sign = { 7, 7 } };
  g_autoptr (PdPlan) plan = pd_shadow_plan_new (&array, 1, NULL);
  array.layout = line;
  g_autoptr (PdPlan) plan_line = pd_shadow_plan_new (&array, 1, NULL);
  g_autofree char *first = show_messages (plan, 5);
  g_autofree char *outside = show_messages (plan, 7);
  g_autofree char *second = show_messages (plan_line, 6);

  g_assert_cmpstr (first, ==, "5 <6:16 <9:16 <10:8 >6:16 >9:16 >10:8");
  g_assert_cmpstr (outside, ==, "7");
  g_assert_cmpstr (second, ==, "6 <5:8 <9:8 >5:8 >9:8");
}

/* ---- random groups against the halos, element by element */

static gint64
random_between (GRand *random, gint64 low, gint64 high)
{
  return g_rand_int_range (random, (gint32) low, (gint32) high + 1);
}

/* A template over a grid of up to 54 processors, with zero blocks now and then. */
static PdLayout *
random_template (GRand *random, PdGrid **grid)
{
  gint64 sizes[PD_MAX_RANK], axes[PD_MAX_GRID_RANK], params[PD_MAX_GRID_RANK] = { 0 };
  gint64 shape[PD_MAX_GRID_RANK];
  guint rank = (guint) random_between (random, 1, 4);
  PdDvmDistribution distribution = { (guint) random_between (random, 1, 4), axes, params };
  gboolean used[PD_MAX_RANK + 1] = { FALSE };
  PdBlockHints hints = { .weights = { NULL } };

  for (guint i = 0; i < rank; i++)
    sizes[i] = random_between (random, 1, 9);
  for (guint d = 0; d < distribution.n; d++)
    {
      shape[d] = random_between (random, 1, d == 0 ? 6 : d == 1 ? 3 : 2);
      axes[d] = random_between (random, random_between (random, -1, 1), rank);
      if (axes[d] == -1)
        params[d] = random_between (random, 0, shape[d] - 1);
      else if (used[axes[d]])
        axes[d] = 0;
      else
        used[axes[d]] = TRUE;
    }
  *grid = pd_grid_new (distribution.n, shape, NULL);
  if (random_between (random, 0, 1) == 1)
    {
      hints.weights[0] = g_array_new (FALSE, FALSE, sizeof (gdouble));
      for (gint64 c = 0; c < shape[0]; c++)
        {
          gdouble weight = c == 0 ? 1 : (gdouble) random_between (random, 0, 3);

          g_array_append_val (hints.weights[0], weight);
        }
    }
  PdLayout *layout = pd_layout_new_distributed (*grid, rank, sizes, &distribution, &hints, NULL);
  g_clear_pointer (&hints.weights[0], g_array_unref);
  return layout;
}

static PdLayout *
random_layout (GRand *random, PdLayout *pattern)
{
  const gint64 *pattern_sizes = pd_layout_get_sizes (pattern);
  guint rank = (guint) random_between (random, 1, 4);
  gint64 sizes[PD_MAX_RANK], axes[PD_MAX_RANK], coeffs[PD_MAX_RANK], consts[PD_MAX_RANK];
  PdAlignment alignment = { pd_layout_get_rank (pattern), axes, coeffs, consts };
  gboolean used[PD_MAX_RANK] = { FALSE };
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < rank; i++)
    sizes[i] = random_between (random, 1, 6);
  for (guint k = 0; k < alignment.n; k++)
    {
      guint axis = (guint) random_between (random, 0, rank - 1);
      gint64 a = random_between (random, 0, 5) == 0 ? -1 : random_between (random, 1, 2);
      gint64 reach = ABS (a) * (sizes[axis] - 1);

      axes[k] = random_between (random, -1, 0);
      coeffs[k] = 0;
      consts[k] = random_between (random, 0, pattern_sizes[k] - 1);
      if (used[axis] || reach >= pattern_sizes[k])
        continue;
      used[axis] = TRUE;
      axes[k] = axis + 1;
      coeffs[k] = a;
      consts[k] = (a < 0 ? reach : 0) + random_between (random, 0, pattern_sizes[k] - 1 - reach);
    }
  PdLayout *layout = pd_layout_new_aligned (pattern, rank, sizes, &alignment, &error);
  g_assert_no_error (error);
  return layout;
}

static PdShadowArray
random_array (GRand *random, PdLayout *pattern)
{
  PdShadowArray array = { .layout = random_layout (random, pattern),
                          .type_size = random_between (random, 1, 16),
                          .max_count = (guint) random_between (random, 0, 4) };

  for (guint i = 0; i < PD_MAX_RANK; i++)
    {
      array.low[i] = random_between (random, 0, 3);
      array.high[i] = random_between (random, 0, 3);
      array.sign[i] =
          (guint8) (random_between (random, 0, 2) > 0 ? 7 : random_between (random, 0, 7));
    }
  return array;
}

/* Where the index next to the block of @coord in one direction is; -1 if nowhere. */
static gint64
find_owner (const PdLayout *layout, guint dim, gint64 index)
{
  for (guint32 c = 0; c < pd_grid_get_sizes (pd_layout_get_grid (layout))[dim]; c++)
    {
      gint64 lo, hi;

      if (pd_layout_get_range (layout, dim, c, &lo, &hi) && lo <= index && index <= hi)
        return c;
    }
  return -1;
}

/* Whether element @x of the halo of the box is wanted, and if so where it comes
 * from: @coords become those of the owner. */
static gboolean
trace_element (const PdShadowArray *array, const gint64 *x, const gint64 *lo, const gint64 *hi,
               guint32 *coords)
{
  const PdLayout *layout = array->layout;
  guint n_outside = 0;

  for (guint i = 0; i < pd_layout_get_rank (layout); i++)
    {
      gboolean below = x[i]<lo[i], above = x[i]> hi[i];
      gint64 owner = -1;

      if (!below && !above && (array->sign[i] & 1) == 0)
        return FALSE;
      if (!below && !above)
        continue;
      if (below ? (array->sign[i] & 2) == 0 || lo[i] - x[i] > array->low[i]
                : (array->sign[i] & 4) == 0 || x[i] - hi[i] > array->high[i])
        return FALSE;
      n_outside++;
      for (guint d = 0; d < pd_grid_get_rank (pd_layout_get_grid (layout)); d++)
        {
          guint axis;

          if (pd_layout_holds (layout, d, &axis) != PD_HOLDS_RANGE || axis != i)
            continue;
          owner = find_owner (layout, d, x[i]);
          /* only from the direct neighbour */
          if (owner != find_owner (layout, d, below ? lo[i] - 1 : hi[i] + 1))
            return FALSE;
          coords[d] = (guint32) owner;
        }
      g_assert_cmpint (owner, >=, 0); /* a whole axis has no halo inside the array */
    }
  return n_outside > 0 && n_outside <= array->max_count;
}

/* Adds the bytes @linear receives of one array to its row of @bytes. */
static void
count_halo (const PdShadowArray *array, guint32 linear, gint64 *bytes)
{
  const PdLayout *layout = array->layout;
  const gint64 *sizes = pd_layout_get_sizes (layout);
  guint rank = pd_layout_get_rank (layout);
  gint64 lo[PD_MAX_RANK], hi[PD_MAX_RANK], x[PD_MAX_RANK] = { 0 };
  guint i;

  if (!pd_layout_get_local (layout, linear, lo, hi))
    return;
  do
    {
      guint32 coords[PD_MAX_GRID_RANK];

      pd_grid_get_coords (pd_layout_get_grid (layout), linear, coords);
      if (trace_element (array, x, lo, hi, coords))
        bytes[pd_grid_get_linear (pd_layout_get_grid (layout), coords)] += array->type_size;
      for (i = rank; i-- > 0 && ++x[i] == sizes[i];)
        x[i] = 0;
    }
  while (i < rank);
}

static void
test_random (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (42);
  gint64 total = 0;

  for (guint n = 0; n < N_CASES; n++)
    {
      gint64 halo[81][81] = { { 0 } }, received[81][81] = { { 0 } }, sent[81][81] = { { 0 } };
      g_autoptr (PdGrid) grid = NULL;
      g_autoptr (PdLayout) pattern = random_template (random, &grid);
      PdShadowArray arrays[3] = { random_array (random, pattern), random_array (random, pattern) };
      arrays[2] = arrays[random_between (random, 0, 1)];
      g_autoptr (PdPlan) plan = pd_shadow_plan_new (arrays, 3, NULL);

      for (guint32 p = 0; p < pd_grid_get_n (grid); p++)
        {
          PdPlanMessage messages[MAX_MESSAGES];
          guint n_messages = pd_plan_get_messages (plan, p, messages);

          for (guint m = 0; m < n_messages; m++)
            {
              gint64 *cell =
                  messages[m].send ? &sent[messages[m].peer][p] : &received[p][messages[m].peer];

              g_assert_cmpint (messages[m].bytes, >, 0);
              g_assert_cmpuint (messages[m].peer, !=, p);
              *cell += messages[m].bytes;
              total += messages[m].bytes;
            }
          for (guint a = 0; a < 3; a++)
            count_halo (&arrays[a], p, halo[p]);
        }
      for (guint p = 0; p < 81; p++)
        for (guint q = 0; q < 81; q++)
          {
            g_assert_cmpint (received[p][q], ==, halo[p][q]);
            g_assert_cmpint (sent[p][q], ==, received[p][q]);
          }
      pd_layout_unref (arrays[0].layout);
      pd_layout_unref (arrays[1].layout);
    }
  g_assert_cmpint (total, >, N_CASES);
}

/* The k-th message from q to p and the k-th p expects of q have the same size. */
static void
test_matching (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (43);

  for (guint n = 0; n < N_CASES; n++)
    {
      g_autoptr (PdGrid) grid = NULL;
      g_autoptr (PdLayout) pattern = random_template (random, &grid);
      PdShadowArray array = random_array (random, pattern);
      g_autoptr (PdPlan) plan = pd_shadow_plan_new (&array, 1, NULL);
      g_autoptr (GHashTable) open = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

      for (guint32 p = 0; p < pd_grid_get_n (grid); p++)
        {
          PdPlanMessage messages[MAX_MESSAGES];
          guint n_messages = pd_plan_get_messages (plan, p, messages);

          for (guint m = 0; m < n_messages; m++)
            {
              guint32 from = messages[m].send ? p : messages[m].peer;
              guint32 to = messages[m].send ? messages[m].peer : p;
              char *key = g_strdup_printf ("%u>%u:%" G_GINT64_FORMAT, from, to, messages[m].bytes);
              gint left = GPOINTER_TO_INT (g_hash_table_lookup (open, key));

              g_assert_true (m == 0 || messages[m].send || !messages[m - 1].send);
              g_hash_table_insert (open, key, GINT_TO_POINTER (left + (messages[m].send ? 1 : -1)));
            }
        }
      GHashTableIter iter;
      gpointer left;
      g_hash_table_iter_init (&iter, open);
      while (g_hash_table_iter_next (&iter, NULL, &left))
        g_assert_cmpint (GPOINTER_TO_INT (left), ==, 0);
      pd_layout_unref (array.layout);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (exchanges); i++)
    {
      g_autofree char *path = g_strdup_printf ("/shadow/exchange/%s", exchanges[i].name);

      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_exchange);
    }
  g_test_add_func ("/shadow/repairs", test_repairs);
  g_test_add_func ("/shadow/sparse", test_sparse);
  g_test_add_func ("/shadow/skipped", test_skipped);
  g_test_add_func ("/shadow/nothing", test_nothing);
  g_test_add_func ("/shadow/sub-grid", test_sub_grid);
  g_test_add_func ("/shadow/random/halos", test_random);
  g_test_add_func ("/shadow/random/matching", test_matching);
  return g_test_run ();
}
