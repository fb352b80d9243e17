/* Loops that are executed on shadow elements, too (addbnd_, addshd_): who
 * executes what, and what of it is redundant; worked by hand. Every run is
 * checked against the identities of the characteristics.
 * SPDX-License-Identifier: MIT */
#include "tests/support/dvm/layouts.h"
#include "tests/support/predict.h"
#include "tests/support/dvm/multi-file.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"
#include "predictor/dvm/layout/pd-dvm-layout-halo.h"
#include "predictor/dvm/layout/pd-dvm-layout-loop.h"

#include <string.h>

#define ID G_GINT64_MODIFIER "x"

/* addshd_ or, without widths, addbnd_ */
static void
extend (TestTrace *trace, gint64 array, const char *low, const char *high)
{
  if (low == NULL)
    {
      test_trace_call (trace, "addbnd_", 0, 0, "", "");
      return;
    }
  g_autofree char *lows = test_trace_list ("LowShdWidthArray", low);
  g_autofree char *highs = test_trace_list ("HiShdWidthArray", high);
  g_autofree char *params = g_strdup_printf ("ArrayHeader=1; ArrayHandlePtr=%" ID ";\n%s\n%s",
                                             (guint64) array, lows, highs);

  test_trace_call (trace, "addshd_", 0, 0, params, "");
}

/* The same, put between crtpl_ and mappl_ of the last loop. */
static void
extend_last (TestTrace *trace, gint64 array, const char *low, const char *high)
{
  g_autoptr (TestTrace) extension = test_trace_new ("1");
  gsize empty = extension->text->len;
  const char *mappl = g_strrstr (trace->text->str, "call_mappl_");

  extend (extension, array, low, high);
  g_string_insert (trace->text, mappl - trace->text->str, extension->text->str + empty);
}

static gint64
make_loop (TestTrace *trace, gint64 array, const char *ranges, const char *rules, const char *low,
           const char *high)
{
  gint64 loop = test_trace_loop (trace, array, ranges, rules);

  extend_last (trace, array, low, high);
  return loop;
}

static const struct
{
  const char *name, *grid;
  const char *sizes, *axes, *alignment;
  const char *ranges, *rules;
  const char *low, *high; /* NULL: addbnd_: 1 */
  gint64 time;
  const char *par, *redundant;
} rows[] = {
  /* blocks of 3: 0-3, 2-6, 5-9, 8-11, and two executors at each of the borders */
  { "all-widths", "4", "12", "1", "1*1+0", "0:11", "1*1+0", NULL, NULL, 12, "4 5 5 4", "1 2 2 1" },
  { "given-widths", "4", "12", "1", "1*1+0", "0:11", "1*1+0", "1", "1", 12, "4 5 5 4", "1 2 2 1" },
  { "own-widths", "4", "12", "1", "1*1+0", "0:11", "1*1+0", "-1", "-1", 12, "4 5 5 4", "1 2 2 1" },
  { "no-more-than-own", "4", "12", "1", "1*1+0", "0:11", "1*1+0", "7", "7", 12, "4 5 5 4",
    "1 2 2 1" },
  { "low-only", "4", "12", "1", "1*1+0", "0:11", "1*1+0", "1", "0", 12, "3 4 4 4",
    "0.500000 1 1 0.500000" },
  { "none", "4", "12", "1", "1*1+0", "0:11", "1*1+0", "0", "0", 12, "3 3 3 3", "0 0 0 0" },
  { "one-processor", "1", "12", "1", "1*1+0", "0:11", "1*1+0", NULL, NULL, 12, "12", "0" },
  /* clipped to the loop: 0 executes the first iteration, which is 1's */
  { "part-of-loop", "4", "12", "1", "1*1+0", "3:10", "1*1+0", NULL, NULL, 8, "1 4 5 3",
    "0.500000 1.500000 2 1" },
  { "downwards", "4", "12", "1", "1*1+0", "10:3:-1", "1*1+0", NULL, NULL, 8, "1 4 5 3",
    "0.500000 1.500000 2 1" },
  /* elements 11 - i: iterations 8-11 on 0, 5-9, 2-6, 0-3 */
  { "backwards", "4", "12", "1", "1*1+0", "0:11", "1*-1+11", NULL, NULL, 12, "4 5 5 4", "1 2 2 1" },
  /* iterations 0 3 6 9; of 0-3, 2-6, 5-9, 8-11 */
  { "strided", "4", "12", "1", "1*1+0", "0:11:3", "1*1+0", NULL, NULL, 4, "2 2 2 1",
    "0.500000 1 1 0.500000" },
  /* elements 1 3 5 7 9 11 */
  { "every-second", "4", "12", "1", "1*1+0", "0:5", "1*2+1", NULL, NULL, 6, "2 2 3 2",
    "0.500000 1 1 0.500000" },
  /* a single iteration, of element 3, which is 1's: 0 executes it, too */
  { "single", "4", "12", "1", "1*1+0", "3:3:9", "1*1+0", NULL, NULL, 2, "2 2 0 0", "1 1 0 0" },
  /* rows 0-4, 3-7; columns the same: 5 of 8 in either, 4 of them one's own */
  { "two-dimensions", "2x2", "8,8", "1,2", "1*1+0,2*1+0", "0:7,0:7", "1*1+0,2*1+0", NULL, NULL, 64,
    "25 25 25 25", "9 9 9 9" },
  { "one-of-two", "2x2", "8,8", "1,2", "1*1+0,2*1+0", "0:7,0:7", "1*1+0,2*1+0", "1,0", "1,0", 64,
    "20 20 20 20", "4 4 4 4" },
  /* the second index is whole on all: its widths do not matter */
  { "collapsed", "2x1", "8,8", "1", "1*1+0,2*1+0", "0:7,0:7", "1*1+0,2*1+0", NULL, NULL, 64,
    "40 40", "8 8" },
  /* on each column of processors all of it once more */
  { "replicated", "2x2", "8,8", "1,2", "1*1+0,2*1+0", "0:7", "1*1+0,-1*0+0", NULL, NULL, 8,
    "5 5 5 5", "3 3 3 3" },
  { "constant", "2x2", "8,8", "1,2", "1*1+0,2*1+0", "0:7", "1*1+0,0*0+2", NULL, NULL, 8, "5 0 5 0",
    "1 0 1 0" },
  /* 0 1 2 -: who has no block has no shadow elements */
  { "few-elements", "4", "3", "1", "1*1+0", "0:2", "1*1+0", NULL, NULL, 6, "4 6 4 0",
    "2.333333 3.333333 2.333333 0" },
};

static void
test_row (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);

  for (guint k = 0; k < 2; k++)
    {
      PdPredictOptions options = test_options ("ideal");
      g_autoptr (TestTrace) trace = test_trace_new ("1 1");
      gint64 view = test_trace_template (trace, rows[i].sizes, rows[i].axes);
      gint64 array = test_trace_array (trace, rows[i].sizes, view, rows[i].alignment);
      gint64 loop =
          make_loop (trace, array, rows[i].ranges, rows[i].rules, rows[i].low, rows[i].high);

      options.one_step = k == 1;
      test_trace_run (trace, loop, rows[i].time);
      g_autoptr (TestRun) run = test_run (trace, rows[i].grid, &options);
      g_autofree char *par = test_values (run, 0, PD_C_CPU_TIME_PAR);
      g_autofree char *redundant = test_values (run, 0, PD_C_INSUFFICIENT_PARALLELISM_PAR);
      g_autofree PdIntervalResult *all = test_result (run, 0);
      g_assert_cmpstr (par, ==, rows[i].par);
      g_assert_cmpstr (redundant, ==, rows[i].redundant);
      /* I5 */
      gint64 productive = (gint64) all->values[PD_C_PRODUCTIVE_TIME].sum.ps;
      g_assert_cmpint (ABS (productive - rows[i].time * PD_PS_PER_US), <=, 4);
      g_assert_cmpuint (pd_messages_count (run->messages, "charged-as-ordinary"), ==, 0);
      g_assert_cmpuint (pd_messages_count (run->messages, "bounds-ignored"), ==, 0);
    }
}

/* ---- a run on two processors: each executed 7 iterations of 12 */

static void
record_extended (TestTrace *trace, guint rank)
{
  gint64 loop = make_loop (trace, test_set_array (trace), "0:11", "1*1+0", NULL, NULL);

  test_trace_run (trace, loop, rank == 0 ? 7 : 21);
}

static const struct
{
  const char *grid;
  const char *par, *redundant;
} recorded[] = {
  /* as they were: 1 or 3 each, of which 2 were executed by both */
  { "2", "7 21", "1 3" },
  /* 2 each: 28 of 14 iterations */
  { "1", "24", "0" },
  { "4", "8 10 10 8", "2 4 4 2" },
};

static void
test_recorded (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (recorded); i++)
    {
      g_autoptr (TestRun) run = test_set_try ("2", 2, record_extended, recorded[i].grid);

      test_set_assert (run, 0, PD_C_CPU_TIME_PAR, recorded[i].par);
      test_set_assert (run, 0, PD_C_INSUFFICIENT_PARALLELISM_PAR, recorded[i].redundant);
    }
}

/* ---- what does not extend a loop */

typedef enum
{
  ON_TEMPLATE,
  OTHER_RANK,
  TWO_RANKS,
  FORBIDDEN,
  ALLOWED_AGAIN,
  LOOP_BEFORE,
  LOOP_AFTER,
} What;

static const struct
{
  const char *name;
  What what;
  const char *par;
  guint64 n_warnings;
} ignored[] = {
  { "template", ON_TEMPLATE, "3 3 3 3", 1 },
  { "other-rank", OTHER_RANK, "3 3 3 3", 1 },
  { "two-ranks", TWO_RANKS, "4 5 5 4", 1 },
  { "forbidden", FORBIDDEN, "3 3 3 3", 0 },
  { "allowed-again", ALLOWED_AGAIN, "4 5 5 4", 0 },
  { "another-loop-begins", LOOP_BEFORE, "3 3 3 3", 0 },
  { "next-loop", LOOP_AFTER, "7 8 8 7", 0 },
};

static gint64
make_template_loop (TestTrace *trace, gint64 view)
{
  g_autofree char *params = g_strdup_printf (
      "LoopRefPtr=1; LoopRef=77; PatternRefPtr=2; PatternRef=%" ID " (AMView); \nAxisArray[0]=1; \n"
      "CoeffArray[0]=1; \nConstArray[0]=0; \nInInitIndexArray[0]=0; \nInLastIndexArray[0]=11; \n"
      "InStepArray[0]=1; \n",
      (guint64) view);

  test_trace_call (trace, "crtpl_", 0, 0, "Rank=1; ", "LoopRefPtr=1; LoopRef=77; ");
  extend (trace, 0, NULL, NULL);
  test_trace_call (trace, "mappl_", 0, 0, params, "IsLocal=1; ");
  return 0x77;
}

/* addshd_ names an array that the loop is not mapped on, alone or after one that
 * it is. */
static gint64
make_other (TestTrace *trace, gint64 array, gboolean alone)
{
  gint64 view = test_trace_template (trace, "12,12", "1");
  gint64 plane = test_trace_array (trace, "12,12", view, "1*1+0,2*1+0");
  gint64 loop = test_trace_loop (trace, array, "0:11", "1*1+0");

  if (!alone)
    extend_last (trace, array, "1", "1");
  extend_last (trace, plane, "1,1", "1,1");
  return loop;
}

static gint64
make_ignored (TestTrace *trace, What what, gint64 view, gint64 array)
{
  switch (what)
    {
    case ON_TEMPLATE:
      return make_template_loop (trace, view);
    case OTHER_RANK:
    case TWO_RANKS:
      return make_other (trace, array, what == OTHER_RANK);
    case LOOP_BEFORE:
      extend (trace, array, NULL, NULL);
      return test_trace_loop (trace, array, "0:11", "1*1+0");
    case LOOP_AFTER:
      test_trace_run (trace, make_loop (trace, array, "0:11", "1*1+0", NULL, NULL), 12);
      return test_trace_loop (trace, array, "0:11", "1*1+0");
    case FORBIDDEN:
    case ALLOWED_AGAIN:
    default:
      test_trace_call (trace, "rstba_", 0, 0, "", "");
      if (what == ALLOWED_AGAIN)
        test_trace_call (trace, "setba_", 0, 0, "", "");
      return make_loop (trace, array, "0:11", "1*1+0", NULL, NULL);
    }
}

static void
test_ignored (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 view = test_trace_template (trace, "12", "1");
  gint64 array = test_trace_array (trace, "12", view, "1*1+0");

  test_trace_run (trace, make_ignored (trace, ignored[i].what, view, array), 12);
  g_autoptr (TestRun) run = test_run (trace, "4", &options);
  g_autofree char *par = test_values (run, 0, PD_C_CPU_TIME_PAR);
  g_assert_cmpstr (par, ==, ignored[i].par);
  g_assert_cmpuint (pd_messages_count (run->messages, "bounds-ignored"), ==, ignored[i].n_warnings);
}

/* The array that addshd_ names must exist. */
static void
test_damaged (void)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  g_autoptr (GError) error = NULL;

  extend (trace, 0xbad, "1", "1");
  g_assert_null (test_predict (trace->text->str, "2", &options, &error));
  g_assert_error (error, PD_DVM_MODEL_ERROR, PD_DVM_MODEL_ERROR_OBJECT);
}

/* ---- the counts themselves, against counting one by one */

static gint64
random_between (GRand *random, gint64 first, gint64 last)
{
  return first + g_rand_int_range (random, 0, (gint32) (last - first + 1));
}

/* Whether the block of @coord, extended, has element @element. */
static gboolean
executes (const PdLayout *pattern, guint dim, guint32 coord, const PdHaloWidths *widths,
          gint64 element)
{
  gint64 lo, hi;

  return pd_layout_get_range (pattern, dim, coord, &lo, &hi) && element >= lo - widths->low[dim]
         && element <= hi + widths->high[dim];
}

static void
check_line (GRand *random, guint32 n)
{
  gint64 sizes[] = { n }, size[] = { random_between (random, 1, 40) };
  gint64 axes[] = { 1 }, params[] = { 0 }, one[] = { 1 };
  PdDvmDistribution distribution = { 1, axes, params };
  g_autoptr (PdGrid) grid = pd_grid_new (1, sizes, NULL);
  g_autoptr (PdLayout) pattern =
      pd_layout_new_distributed (grid, 1, size, &distribution, NULL, NULL);
  gint64 coeffs[] = { random_between (random, 0, 1) == 0 ? 1 : -1 };
  gint64 consts[] = { coeffs[0] > 0 ? 0 : size[0] - 1 };
  PdAlignment alignment = { 1, one, coeffs, consts };
  gint64 first = random_between (random, 0, size[0] - 1);
  PdLoopRange range = { first, random_between (random, first, size[0] - 1),
                        random_between (random, 1, 4) };
  PdHaloWidths widths = { { random_between (random, 0, 9) }, { random_between (random, 0, 9) } };
  g_autoptr (PdLoop) loop = pd_loop_new (pattern, 1, &range, &alignment, NULL);
  PdHalo *halo = pd_halo_new (loop, pattern, &alignment, &widths);
  gdouble executions = 0, expected[16] = { 0 };
  gint64 counts[16] = { 0 };

  for (gint64 i = range.first; i <= range.last; i += range.step)
    {
      guint m = 0;
      gint64 element = coeffs[0] * i + consts[0];
      for (guint32 c = 0; c < n; c++)
        m += executes (pattern, 0, c, &widths, element) ? 1 : 0;
      executions += m;
      for (guint32 c = 0; c < n; c++)
        if (executes (pattern, 0, c, &widths, element))
          counts[c]++, expected[c] += 1.0 / m;
    }
  for (guint32 c = 0; c < n; c++)
    {
      g_assert_cmpint (pd_halo_get_local (halo, c), ==, counts[c]);
      g_assert_cmpfloat_with_epsilon (pd_halo_get_share (halo, c),
                                      counts[c] > 0 ? expected[c] / (gdouble) counts[c] : 1, 1e-12);
    }
  g_assert_cmpfloat_with_epsilon (pd_halo_get_executions (halo),
                                  executions / (gdouble) pd_loop_get_total (loop), 1e-12);
  pd_halo_unref (halo);
}

static void
test_random (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (7);

  for (guint i = 0; i < 3000; i++)
    check_line (random, (guint32) random_between (random, 1, 16));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *path = g_strconcat ("/predictor/dvm-bounds/", rows[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_row);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (ignored); i++)
    {
      g_autofree char *path = g_strconcat ("/predictor/dvm-bounds/ignored/", ignored[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_ignored);
    }
  g_test_add_func ("/predictor/dvm-bounds/recorded", test_recorded);
  g_test_add_func ("/predictor/dvm-bounds/damaged", test_damaged);
  g_test_add_func ("/predictor/dvm-bounds/random", test_random);
  return g_test_run ();
}
