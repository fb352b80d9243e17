/* Uneven blocks through the interpreter: what setpsw_, genblk_, setelw_ and
 * blkdiv_ do to the next distribution
 * in the trace or in a block file. Blocks are seen by the time that each
 * processor spends in a loop over all elements, a microsecond for each.
 * SPDX-License-Identifier: MIT */
#include "tests/support/predict.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"
#include "predictor/dvm/layout/pd-dvm-layout-speed.h"

#include <math.h>
#include <string.h>

#define ID G_GINT64_MODIFIER "x"

static gint64
create (TestTrace *trace, const char *sizes)
{
  gint64 id = trace->next_id += 8;
  g_auto (GStrv) words = g_strsplit (sizes, ",", -1);
  g_autofree char *list = test_trace_list ("SizeArray", sizes);
  g_autofree char *params = g_strdup_printf ("AMRefPtr=NULL; AMRef=0; Rank=%u; StaticSign=0;\n%s",
                                             g_strv_length (words), list);
  g_autofree char *result = g_strdup_printf ("AMViewRef=%" ID ";", id);

  test_trace_call (trace, "crtamv_", 0, 0, params, result);
  return id;
}

/* A record about template @view (0: all) and processor system @ps (0: the
 * current one). */
static void
say (TestTrace *trace, const char *name, gint64 ps, gint64 view, const char *text)
{
  g_autofree char *params = g_strdup_printf (
      "PSRefPtr=1; PSRef=%" ID "; AMViewRefPtr=2; AMViewRef=%" ID "; %s", ps, view, text);

  test_trace_call (trace, name, 0, 0, params, "");
}

static void
distribute (TestTrace *trace, gint64 ps, gint64 view, const char *axes, const char *params)
{
  g_auto (GStrv) dims = g_strsplit (axes, ",", -1);
  g_autofree char *axis_list = test_trace_list ("AxisArray", axes);
  g_autofree char *param_list = test_trace_list ("DistrParamArray", params);
  g_autofree char *text = g_strdup_printf ("PSRefPtr=1; PSRef=%" ID "; AMViewRefPtr=2; "
                                           "AMViewRef=%" ID "; ParamCount=%u;\n%s\n%s",
                                           ps, view, g_strv_length (dims), axis_list, param_list);

  test_trace_call (trace, "distr_", 0, 0, text, "IsLocal=1;");
}

/* A loop over all of a template of one axis of @n. */
static void
loop_over (TestTrace *trace, gint64 view, guint n)
{
  g_autofree char *size = g_strdup_printf ("%u", n);
  g_autofree char *range = g_strdup_printf ("0:%u", n - 1);
  gint64 array = test_trace_array (trace, size, view, "1*1+0");

  test_trace_run (trace, test_trace_loop (trace, array, range, "1*1+0"), n);
}

static PdBlockFile *
read_blocks (const char *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));
  g_autoptr (GError) error = NULL;
  PdBlockFile *file = pd_block_file_new_from_bytes (bytes, "test.blocks", &error);

  g_assert_no_error (error);
  return file;
}

/* ---- one template of one axis on four processors */

#define GENBLK_1(text) "AxisCount=1; DoubleSign=" text
#define ROW4(a, b, c, d)                                                                           \
  "\nAxisWeightAddr[0][0] = " #a "\nAxisWeightAddr[0][1] = " #b "\nAxisWeightAddr[0][2] = " #c     \
  "\nAxisWeightAddr[0][3] = " #d "\n"
#define ONE       "IntWeightSign=0;\nCoordWeight[0]= 1.00(1.00)  \n"
#define HARD      GENBLK_1 ("0") "\nAxisWeightAddr[0][0] = 10\n"
#define SOFT      GENBLK_1 ("1") "\nAxisWeightAddr[0][0] = 10.000000\n"
#define LOADS(x)  "\nAddrNumber=1;\nWeightNumber[0] = 10;\n" x
#define NO_LOADS  "\nAddrNumber=1;\n"
#define DIV(text) "AMVAxisCount=1\n" text " \n"
#define HERE      "t.fdv:20 " /* setpsw_, genblk_, setelw_, blkdiv_ */
#define THERE     "t.fdv:30 " /* distr_ */

static const char ones[] = "  LoadWeight[0] = 1.00;  LoadWeight[1] = 1.00; \n"
                           "  LoadWeight[2] = 1.00;  LoadWeight[3] = 1.00; \n"
                           "  LoadWeight[4] = 1.00;  LoadWeight[5] = 1.00; \n"
                           "  LoadWeight[6] = 1.00;  LoadWeight[7] = 1.00; \n"
                           "  LoadWeight[8] = 1.00;  LoadWeight[9] = 1.00; \n";

typedef struct
{
  const char *name;
  const char *function; /* (nullable) */
  const char *text;
  const char *second; /* (nullable): said after it */
  const char *second_text;
  const char *blocks; /* (nullable) */
  guint n;
  const char *param; /* of distr_ */
  const char *expected;
  const char *warning; /* (nullable) */
  gboolean recorded;   /* the trace is of a virtual processor system of four */
} Case;

static const Case cases[] = {
  /* with explicit sizes */
  { "blkdiv-2", "blkdiv_", DIV ("AMVAxisDiv[0]=2"), .n = 12, .expected = "2 4 2 4" },
  { "blkdiv-3", "blkdiv_", DIV ("AMVAxisDiv[0]=3"), .n = 12, .expected = "3 3 3 3" },
  { "blkdiv-4", "blkdiv_", DIV ("AMVAxisDiv[0]=4"), .n = 12, .expected = "4 4 4 0" },
  { "blkdiv-6", "blkdiv_", DIV ("AMVAxisDiv[0]=6"), .n = 12, .expected = "6 6 0 0" },
  { "param-3", .n = 12, .param = "3", .expected = "3 3 3 3" },
  { "param-12", .n = 12, .param = "12", .expected = "12 0 0 0" },
  { "param-5", .n = 12, .param = "5", .expected = "5 5 2 0", .warning = "block-clipped" },
  { "back", "blkdiv_", DIV ("AMVAxisDiv[0]=6"), "blkdiv_", "AMVAxisCount=0\n", NULL, 12,
    .expected = "3 3 3 3" },
  /* hard sizes reset divisors, a later blkdiv_ sets them again */
  { "genblk-resets", "blkdiv_", DIV ("AMVAxisDiv[0]=6"), "genblk_", HARD, NULL, 12,
    .expected = "3 3 3 3", .warning = "genblock-ignored" },
  { "setpsw-resets", "blkdiv_", DIV ("AMVAxisDiv[0]=6"), "setpsw_",
    "IntWeightSign=7ffe0;\nCoordWeight[0]= 1.00(1.00)  \n", NULL, 12, .expected = "3 3 3 3",
    .warning = "weights-ignored" },
  { "genbld-keeps", "blkdiv_", DIV ("AMVAxisDiv[0]=6"), "genblk_", SOFT, NULL, 12,
    .expected = "6 6 0 0", .warning = "weights-ignored" },
  { "genblk-then-blkdiv", "genblk_", HARD, "blkdiv_", DIV ("AMVAxisDiv[0]=6"), NULL, 12,
    .expected = "6 6 0 0", .warning = "genblock-ignored" },
  /* the lists from a block file */
  { "setpsw", "setpsw_", ONE, .blocks = HERE "weights dim 1 = 1 2 1 1\n", .n = 10,
    .expected = "2 4 2 2" },
  { "setpsw-parts", "setpsw_", ONE, .blocks = HERE "weights dim 1 = .5 1 2*.25\n", .n = 10,
    .expected = "2 5 1 2" },
  { "setpsw-full", "setpsw_", ONE, .blocks = HERE "weights axis 1 = 3*3 1\n", .n = 10,
    .expected = "3 3 3 1" },
  { "setpsw-default", "setpsw_", ONE, .blocks = HERE "weights dim 1 = 0 1 1 2\n", .n = 10,
    .expected = "2 3 2 3" },
  { "genblk", "genblk_", HARD, .blocks = HERE "sizes axis 1 = 5 1 0 4\n", .n = 10,
    .expected = "5 1 0 4" },
  { "genbld", "genblk_", SOFT, .blocks = HERE "weights axis 1 = 1 2 3 4\n", .n = 10,
    .expected = "1 2 3 4" },
  { "genbld-zero", "genblk_", SOFT, .blocks = HERE "weights axis 1 = 4 0 1 5\n", .n = 10,
    .expected = "4 0 1 5" },
  { "setelw-ones", "setelw_", NO_LOADS, .blocks = HERE "loads axis 1 = 10*1\n", .n = 10,
    .expected = "3 3 3 1" },
  { "setelw-one-large", "setelw_", NO_LOADS, .blocks = HERE "loads axis 1 = 10 9*1\n", .n = 10,
    .expected = "1 9 0 0" },
  { "setelw-rising", "setelw_", NO_LOADS, .blocks = HERE "loads dim 1 = 1 2 3 4 5 6 7 8 9 10\n",
    .n = 10, .expected = "5 2 2 1" },
  /* the lists in the trace */
  { "trace-genblk", "genblk_", GENBLK_1 ("0") ROW4 (5, 1, 0, 4), .n = 10, .expected = "5 1 0 4",
    .recorded = TRUE },
  { "trace-genbld", "genblk_", GENBLK_1 ("1") ROW4 (4., 0., 1., 5.), .n = 10, .expected = "4 0 1 5",
    .recorded = TRUE },
  { "trace-genbld-default", "genblk_", GENBLK_1 ("1") ROW4 (0., 1., 1., 2.), .n = 10,
    .expected = "2 3 2 3", .recorded = TRUE },
  { "trace-genblk-zero", "genblk_", GENBLK_1 ("0") ROW4 (0, 5, 1, 4), .n = 10,
    .expected = "0 5 1 4", .recorded = TRUE },
  { "trace-genblk-none", "genblk_", GENBLK_1 ("0") "\nAxisWeightAddr[0] = 0\n", .n = 10,
    .expected = "2 3 2 3" },
  { "trace-none-of-no-axis", "genblk_", "AxisCount=0; DoubleSign=0\n", .n = 10,
    .expected = "2 3 2 3" },
  { "trace-setelw", "setelw_", LOADS ("@"), .n = 10, .expected = "3 3 3 1" },
  { "file-over-trace", "genblk_", GENBLK_1 ("0") ROW4 (5, 1, 0, 4), .n = 10,
    .blocks = HERE "sizes axis 1 = 1 2 3 4\n", .expected = "1 2 3 4", .recorded = TRUE },
  { "trace-over-other-file", "genblk_", GENBLK_1 ("0") ROW4 (5, 1, 0, 4), .n = 10,
    .blocks = HERE "sizes axis 1 = 5 5\n", .expected = "5 1 0 4", .recorded = TRUE },
  /* lists of one value */
  { "setpsw-ignored", "setpsw_", ONE, .n = 10, .expected = "2 3 2 3",
    .warning = "weights-ignored" },
  { "genblk-ignored", "genblk_", HARD, .n = 10, .expected = "2 3 2 3",
    .warning = "genblock-ignored" },
  { "genbld-ignored", "genblk_", SOFT, .n = 10, .expected = "2 3 2 3",
    .warning = "weights-ignored" },
  { "setelw-ignored", "setelw_", NO_LOADS, .n = 10, .expected = "2 3 2 3",
    .warning = "weights-ignored" },
  { "file-for-others", "genblk_", HARD, .blocks = HERE "sizes axis 1 = 5 5\n", .n = 10,
    .expected = "2 3 2 3", .warning = "genblock-ignored" },
  { "file-few-loads", "setelw_", NO_LOADS, .blocks = HERE "loads axis 1 = 1 2 3\n", .n = 10,
    .expected = "2 3 2 3", .warning = "weights-ignored" },
  /* where the file speaks */
  { "place-of-distr", NULL, .blocks = THERE "sizes axis 1 = 5 1 0 4\n", .n = 10,
    .expected = "5 1 0 4" },
  { "distr-first", "genblk_", HARD,
    .blocks = HERE "sizes axis 1 = 1 2 3 4\n" THERE "sizes axis 1 = 5 1 0 4\n", .n = 10,
    .expected = "5 1 0 4" },
  { "sizes-first", "genblk_", HARD,
    .blocks = HERE "loads axis 1 = 10*1\n" HERE "weights dim 1 = 1 2 1 1\n" HERE
                   "sizes axis 1 = 1 2 3 4\n",
    .n = 10, .expected = "1 2 3 4" },
  { "grid-first", "genblk_", HARD,
    .blocks = HERE "sizes axis 1 = 1 2 3 4\n" HERE "weights dim 1 on 4 = 1 2 1 1\n", .n = 10,
    .expected = "2 4 2 2" },
  { "other-grid", "genblk_", HARD,
    .blocks = HERE "sizes axis 1 = 1 2 3 4\n" HERE "weights dim 1 on 8 = 1 2 1 1\n", .n = 10,
    .expected = "1 2 3 4" },
  { "unused-place", NULL, .blocks = "t.fdv:31 sizes axis 1 = 5 1 0 4\n", .n = 10,
    .expected = "2 3 2 3", .warning = "blocks-unused" },
  { "unused-file", NULL, .blocks = "u.fdv:30 sizes axis 1 = 5 1 0 4\n", .n = 10,
    .expected = "2 3 2 3", .warning = "blocks-unused" },
  { "unused-axis", NULL, .blocks = THERE "sizes axis 2 = 5 1 0 4\n", .n = 10, .expected = "2 3 2 3",
    .warning = "blocks-unused" },
  { "unused-dim", NULL, .blocks = THERE "weights dim 2 = 5 1 0 4\n", .n = 10, .expected = "2 3 2 3",
    .warning = "blocks-unused" },
};

static TestTrace *
build (const Case *c)
{
  TestTrace *trace = test_trace_new_virtual ("1", c->recorded ? "4" : NULL);
  g_autofree char *size = g_strdup_printf ("%u", c->n);
  gint64 view = create (trace, size);
  g_auto (GStrv) parts = g_strsplit (c->text != NULL ? c->text : "", "@", 2);
  g_autofree char *text = g_strjoinv (ones, parts);

  trace->line = 20;
  if (c->function != NULL)
    say (trace, c->function, 0, view, text);
  if (c->second != NULL)
    say (trace, c->second, 0, view, c->second_text);
  trace->line = 30;
  distribute (trace, 0, view, "1", c->param != NULL ? c->param : "0");
  loop_over (trace, view, c->n);
  return trace;
}

static void
test_case (gconstpointer data)
{
  const Case *c = data;
  static const char *const all[] = { "block-clipped", "genblock-ignored", "weights-ignored",
                                     "blocks-unused", "charged-as-ordinary" };
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (PdBlockFile) blocks = c->blocks != NULL ? read_blocks (c->blocks) : NULL;
  g_autoptr (TestTrace) trace = build (c);

  options.dvm.blocks = blocks;
  g_autoptr (TestRun) run = test_run (trace, "4", &options);
  g_autofree char *counts = test_values (run, 0, PD_C_CPU_TIME_PAR);
  g_assert_cmpstr (counts, ==, c->expected);
  for (gsize i = 0; i < G_N_ELEMENTS (all); i++)
    g_assert_cmpuint (pd_messages_count (run->messages, all[i]), ==,
                      g_strcmp0 (all[i], c->warning) == 0);
}

/* On one processor every list is that of one processor. */
static void
test_one_processor (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      PdPredictOptions options = test_options ("ideal");
      if (cases[i].recorded || cases[i].param != NULL || cases[i].blocks != NULL)
        continue;
      Case own = cases[i];
      own.n = own.function != NULL && strcmp (own.function, "genblk_") == 0 ? 10 : own.n;
      if (g_strcmp0 (own.second, "genblk_") == 0 || g_strcmp0 (own.second, "blkdiv_") == 0)
        continue;
      g_autoptr (TestTrace) trace = build (&own);
      g_autoptr (TestRun) run = test_run (trace, "1", &options);
      g_autofree char *counts = test_values (run, 0, PD_C_CPU_TIME_PAR);
      g_assert_cmpint (g_ascii_strtoll (counts, NULL, 10), ==, own.n);
      g_assert_cmpuint (pd_messages_get_n (run->messages), ==, 0);
    }
}

/* ---- whose weights they are */

/* Weights of a processor system are for every template on it, but not on another
 * one; those of a template go before, if it is the same processor system. */
static void
test_owners (void)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (PdBlockFile) blocks = read_blocks ("t.fdv:20 weights dim 1 = 1 2 1 1\n"
                                                "t.fdv:21 sizes dim 1 = 5 1 0 4\n");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 part = trace->next_id += 8;
  g_autofree char *made = g_strdup_printf ("PSRef=%" ID ";", part);
  gint64 first = create (trace, "10"), second = create (trace, "10"), third = create (trace, "10");

  options.dvm.blocks = blocks;
  test_trace_call (trace, "crtps_", 0, 0,
                   "PSRefPtr=NULL; PSRef=0; StaticSign=0;\nInitIndexArray[0]=0; \n"
                   "LastIndexArray[0]=3; ",
                   made);
  trace->line = 20;
  say (trace, "setpsw_", 0, 0, ONE);
  trace->line = 21;
  say (trace, "genblk_", part, third, HARD);
  trace->line = 30;
  distribute (trace, 0, first, "1", "0");
  test_trace_open (trace, "bsloop_", 101, 1, 0, 0);
  loop_over (trace, first, 10);
  test_trace_close (trace, "enloop_", 101, 1, 0, 0);
  trace->line = 30;
  distribute (trace, part, second, "1", "0");
  test_trace_open (trace, "bsloop_", 102, 2, 0, 0);
  loop_over (trace, second, 10);
  test_trace_close (trace, "enloop_", 102, 2, 0, 0);
  trace->line = 30;
  distribute (trace, part, third, "1", "0");
  test_trace_open (trace, "bsloop_", 103, 3, 0, 0);
  loop_over (trace, third, 10);
  test_trace_close (trace, "enloop_", 103, 3, 0, 0);
  trace->line = 30;
  distribute (trace, 0, third, "1", "0"); /* not the one that it was said for */
  test_trace_open (trace, "bsloop_", 104, 4, 0, 0);
  loop_over (trace, third, 10);
  test_trace_close (trace, "enloop_", 104, 4, 0, 0);

  static const char *const expected[] = { "2 4 2 2", "2 3 2 3", "5 1 0 4", "2 4 2 2" };
  g_autoptr (TestRun) run = test_run (trace, "4", &options);
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      guint32 node = test_node (run, PD_INTERVAL_SEQ, 101 + i);
      g_autofree char *counts = test_values (run, node, PD_C_CPU_TIME_PAR);
      g_assert_cmpstr (counts, ==, expected[i]);
    }
}

/* Weights of a template are cut at the end of the axis, those of a processor
 * system are not: the run-time system then leaves elements to nobody. */
static void
test_cut (void)
{
  for (guint own = 0; own < 2; own++)
    {
      PdPredictOptions options = test_options ("ideal");
      g_autoptr (TestTrace) trace = test_trace_new ("1");
      gint64 view = create (trace, "5");
      trace->line = 20;
      say (trace, "setpsw_", 0, own == 1 ? view : 0,
           "IntWeightSign=0;\nCoordWeight[0]= 1.00(1.00) 3.00(3.00) 3.00(3.00) 3.00(3.00)  \n");
      trace->line = 30;
      distribute (trace, 0, view, "1", "0");
      loop_over (trace, view, 5);
      g_autoptr (TestRun) run = test_run (trace, "4", &options);
      g_autofree char *counts = test_values (run, 0, PD_C_CPU_TIME_PAR);
      g_assert_cmpstr (counts, ==, "1 3 1 0");
      g_assert_cmpuint (pd_messages_count (run->messages, "block-clipped"), ==, 1 - own);
    }
}

/* Two dimensions; AxisArray 2, 1 as of Fortran. Axis 2 lies on dimension 1. */
static void
test_two_dimensions (void)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (PdBlockFile) blocks = read_blocks ("t.fdv:30 sizes axis 2 on 2x3 = 1 3\n"
                                                "t.fdv:30 weights dim 2 = 2 1 1\n");
  g_autoptr (TestTrace) trace = test_trace_new ("1 1");
  gint64 view = create (trace, "8,4");

  options.dvm.blocks = blocks;
  trace->line = 30;
  distribute (trace, 0, view, "2,1", "0,0");
  gint64 array = test_trace_array (trace, "8,4", view, "1*1+0,2*1+0");
  test_trace_run (trace, test_trace_loop (trace, array, "0:7,0:3", "1*1+0,2*1+0"), 32);
  g_autoptr (TestRun) run = test_run (trace, "2x3", &options);
  g_autofree char *counts = test_values (run, 0, PD_C_CPU_TIME_PAR);
  g_assert_cmpstr (counts, ==, "4 2 2 12 6 6");
  g_assert_cmpuint (pd_messages_get_n (run->messages), ==, 0);

  g_autoptr (TestRun) other = test_run (trace, "3x2", &options);
  g_assert_cmpuint (pd_messages_count (other->messages, "genblock-ignored"), ==, 1);
  g_assert_cmpuint (pd_messages_count (other->messages, "weights-ignored"), ==, 1);
}

/* Loads of the second dimension only: nothing is said about the first. */
static void
test_one_of_two (void)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new ("1 1");
  gint64 view = create (trace, "4,4");

  say (trace, "setelw_", 0, view,
       "\nAddrNumber=2;\n  LoadWeightAddr[0] = 0;\nWeightNumber[1] = 4;\n"
       "  LoadWeight[0] = 3.00;  LoadWeight[1] = 1.00; \n"
       "  LoadWeight[2] = 1.00;  LoadWeight[3] = 1.00; \n");
  distribute (trace, 0, view, "1,2", "0,0");
  gint64 array = test_trace_array (trace, "4,4", view, "1*1+0,2*1+0");
  test_trace_run (trace, test_trace_loop (trace, array, "0:3,0:3", "1*1+0,2*1+0"), 16);
  g_autoptr (TestRun) run = test_run (trace, "2x2", &options);
  g_autofree char *counts = test_values (run, 0, PD_C_CPU_TIME_PAR);
  g_assert_cmpstr (counts, ==, "2 6 2 6");
  g_assert_cmpuint (pd_messages_get_n (run->messages), ==, 0);
}

/* A deleted processor system takes its weights with it. */
static void
test_deleted (void)
{
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 part = trace->next_id += 8;
  g_autofree char *made = g_strdup_printf ("PSRef=%" ID ";", part);
  g_autofree char *gone = g_strdup_printf ("PSRefPtr=1; PSRef=%" ID ";", part);

  for (guint round = 0; round < 3; round++)
    {
      gint64 view = create (trace, "10");
      test_trace_call (trace, "crtps_", 0, 0,
                       "PSRefPtr=NULL; PSRef=0; StaticSign=0;\nInitIndexArray[0]=0; \n"
                       "LastIndexArray[0]=3; ",
                       made);
      if (round == 1)
        say (trace, "setpsw_", part, 0,
             "IntWeightSign=0;\nCoordWeight[0]= 1.00(1.00) 2.00(2.00) 1.00(1.00) 1.00(1.00)  \n");
      distribute (trace, part, view, "1", "0");
      test_trace_open (trace, "bsloop_", 101 + round, 1 + round, 0, 0);
      loop_over (trace, view, 10);
      test_trace_close (trace, "enloop_", 101 + round, 1 + round, 0, 0);
      test_trace_call (trace, "delps_", 0, 0, gone, "");
    }
  static const char *const expected[] = { "2 3 2 3", "2 4 2 2", "2 3 2 3" };
  g_autoptr (TestRun) run = test_run (trace, "4", &options);
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      g_autofree char *counts =
          test_values (run, test_node (run, PD_INTERVAL_SEQ, 101 + i), PD_C_CPU_TIME_PAR);
      g_assert_cmpstr (counts, ==, expected[i]);
    }
}

/* ---- what is refused */

static const struct
{
  const char *name;
  const char *function;
  const char *text; /* @V: the template */
  const char *blocks;
  int code;
} bad[] = {
  { "sum", "genblk_", "AMViewRef=@V; " GENBLK_1 ("0") ROW4 (5, 1, 0, 5), NULL,
    PD_DVM_MODEL_ERROR_PARAMETER },
  { "sum-file", "genblk_", "AMViewRef=@V; " HARD, HERE "sizes dim 1 = 5 1 0 5\n",
    PD_DVM_MODEL_ERROR_PARAMETER },
  { "sum-file-overflow", "genblk_", "AMViewRef=@V; " HARD,
    HERE "sizes dim 1 = 9223372036854775807 1 0 9\n", PD_DVM_MODEL_ERROR_PARAMETER },
  { "size-negative", "genblk_", "AMViewRef=@V; " GENBLK_1 ("0") ROW4 (12, -3, 0, 1), NULL,
    PD_DVM_MODEL_ERROR_PARAMETER },
  { "size-huge", "genblk_",
    "AMViewRef=@V; " GENBLK_1 ("0") ROW4 (9223372036854775807, 9223372036854775807, 12, 0), NULL,
    PD_DVM_MODEL_ERROR_PARAMETER },
  { "weight-negative", "genblk_", "AMViewRef=@V; " GENBLK_1 ("1") ROW4 (1.0, -2.0, 1.0, 1.0), NULL,
    PD_DVM_MODEL_ERROR_PARAMETER },
  { "weight-negative-ps", "setpsw_",
    "IntWeightSign=0;\nCoordWeight[0]= 1.00(1.00) 1.00(1.00) -1.00(1.00) 1.00(1.00)  \n", NULL,
    PD_DVM_MODEL_ERROR_PARAMETER },
  { "load-negative", "setelw_",
    "AMViewRef=@V;\nAddrNumber=1;\nWeightNumber[0] = 4;\n  LoadWeight[0] = 1.00;  LoadWeight[1] = "
    "-1.00;\n  LoadWeight[2] = 1.00;  LoadWeight[3] = 1.00;\n",
    NULL, PD_DVM_MODEL_ERROR_PARAMETER },
  { "too-many-axes", "genblk_", "AMViewRef=@V; AxisCount=2; DoubleSign=0\n", NULL,
    PD_DVM_MODEL_ERROR_PARAMETER },
  { "too-many-loads", "setelw_", "AMViewRef=@V;\nAddrNumber=-1;\n", NULL,
    PD_DVM_MODEL_ERROR_PARAMETER },
  { "divisor", "blkdiv_", "AMViewRef=@V; AMVAxisCount=1\nAMVAxisDiv[0]=3 \n", NULL,
    PD_DVM_MODEL_ERROR_PARAMETER },
  { "unknown-ps", "setpsw_", "PSRef=77; " ONE, NULL, PD_DVM_MODEL_ERROR_OBJECT },
  { "unknown-ps-genblk", "genblk_", "PSRef=77; " HARD, NULL, PD_DVM_MODEL_ERROR_OBJECT },
  { "unknown-view", "setpsw_", "AMViewRef=77; " ONE, NULL, PD_DVM_MODEL_ERROR_OBJECT },
  { "unknown-view-genblk", "genblk_", "AMViewRef=77; " HARD, NULL, PD_DVM_MODEL_ERROR_OBJECT },
  { "unknown-view-setelw", "setelw_", "AMViewRef=77; " NO_LOADS, NULL, PD_DVM_MODEL_ERROR_OBJECT },
  { "no-view-setelw", "setelw_", "AMViewRef=0; " NO_LOADS, NULL, PD_DVM_MODEL_ERROR_OBJECT },
};

static void
test_bad (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (PdBlockFile) blocks = bad[i].blocks != NULL ? read_blocks (bad[i].blocks) : NULL;
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  g_autoptr (GError) error = NULL;
  gint64 view = create (trace, "10");
  g_autofree char *id = g_strdup_printf ("%" ID, view);
  g_auto (GStrv) parts = g_strsplit (bad[i].text, "@V", 2);
  g_autofree char *text = g_strjoinv (id, parts);

  options.dvm.blocks = blocks;
  trace->line = 20;
  test_trace_call (trace, bad[i].function, 0, 0, text, "");
  trace->line = 30;
  distribute (trace, 0, view, "1", "0");
  test_trace_exit (trace, 0);
  g_assert_null (test_predict (trace->text->str, "4", &options, &error));
  g_assert_error (error, PD_DVM_MODEL_ERROR, bad[i].code);
}

/* Any number replaced by any other: an error, or a result. */
static void
test_altered (void)
{
  static const char *const values[] = { "-1",         "1",     "0",  "2",
                                        "4294967297", "1e300", "3",  "9223372036854775807",
                                        "x",          "7",     "0.5" };
  guint n = 0, n_results = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (PdBlockFile) blocks =
          cases[i].blocks != NULL ? read_blocks (cases[i].blocks) : NULL;
      g_autoptr (TestTrace) trace = build (&cases[i]);
      test_trace_exit (trace, 0);
      const char *text = trace->text->str;
      for (const char *at = strstr (text, "crtamv_"); (at = strchr (at, '=')) != NULL; at++)
        {
          PdPredictOptions options = test_options ("ethernet:startup=0,per-byte=0,speeds=1:2:1:3");
          g_autoptr (GError) error = NULL;
          g_autofree char *front = g_strndup (text, (gsize) (at + 1 - text));
          g_autofree char *altered =
              g_strconcat (front, values[n++ % G_N_ELEMENTS (values)],
                           at + 1 + strspn (at + 1, "-0123456789abcdef. "), NULL);
          if (at - text >= 4 && strncmp (at - 4, "TIME", 4) == 0)
            continue;
          options.dvm.blocks = blocks;
          options.dvm.weights_from_speed = i % 2 == 0;
          PdReportRun *run = test_predict (altered, "4", &options, &error);
          g_assert_true ((run == NULL) == (error != NULL));
          n_results += run != NULL;
          g_clear_pointer (&run, test_report_run_free);
        }
    }
  g_assert_cmpuint (n_results, >, n / 10);
}

/* ---- weights from speeds */

/* Computed by hand; r = 2^(1/3). */
static const struct
{
  const char *name;
  guint rank;
  gint64 sizes[3];
  gdouble powers[8];
  gdouble given[4]; /* of dimension 0; first 0: none */
  gdouble expected[6];
} speeds[] = {
  { "equal", 1, { 4 }, { 3, 3, 3, 3 }, { 0 }, { 1, 1, 1, 1 } },
  { "line", 1, { 4 }, { 1, 1, 2, 2 }, { 0 }, { 1, 1, 2, 2 } },
  { "given", 1, { 4 }, { 1, 1, 2, 2 }, { 1, 2, 1, 1 }, { 1, 2, 2, 2 } },
  { "given-zero", 1, { 4 }, { 1, 1, 2, 2 }, { 1, 0, 1, 1 }, { 1, 0, 2, 2 } },
  { "even-enough", 1, { 4 }, { 1, .9, .9, 1 }, { 0 }, { 1, 1, 1, 1 } },
  { "limit", 1, { 2 }, { 1, .85 }, { 0 }, { 1 / .85, 1 } },
  /* neighbours are even, but not with the mean */
  { "drift", 1, { 3 }, { 1, .9, .8 }, { 0 }, { 1.25, 1.125, 1 } },
  { "rows", 2, { 2, 2 }, { 1, 1, 2, 2 }, { 0 }, { 1, 2, 1, 1 } },
  { "columns", 2, { 2, 2 }, { 1, 2, 1, 2 }, { 0 }, { 1, 1, 1, 2 } },
  { "both", 2, { 2, 2 }, { 1, 2, 2, 4 }, { 0 }, { 1, G_SQRT2, 1, G_SQRT2 } },
  { "single-fast", 2, { 2, 2 }, { 1, 1, 1, 4 }, { 0 }, { 1, 1, 1, 2.5 } },
  { "three",
    3,
    { 2, 2, 2 },
    { 1, 2, 2, 4, 2, 4, 4, 8 },
    { 0 },
    { 1, 1.2599210498948732, 1, 1.2599210498948732, 1, 1.2599210498948732 } },
};

static void
test_powers (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (PdGrid) grid = pd_grid_new (speeds[i].rank, speeds[i].sizes, NULL);
  GArray *weights[PD_MAX_GRID_RANK] = { NULL };
  guint k = 0;

  if (speeds[i].given[0] > 0)
    {
      weights[0] = g_array_new (FALSE, FALSE, sizeof (gdouble));
      g_array_append_vals (weights[0], speeds[i].given, 4);
    }
  pd_grid_scale_weights (grid, speeds[i].powers, weights);
  for (guint d = 0; d < speeds[i].rank; d++)
    {
      g_assert_cmpint (weights[d]->len, ==, speeds[i].sizes[d]);
      for (guint c = 0; c < weights[d]->len; c++)
        g_assert_cmpfloat_with_epsilon (g_array_index (weights[d], gdouble, c),
                                        speeds[i].expected[k++], 1e-12);
      g_array_unref (weights[d]);
    }
}

/* with blocks that follow the speeds: 8 iterations on processors of speed 1
 * and 2, on the third of three that are twice as fast. */
static void
test_from_speed (void)
{
  static const struct
  {
    const char *machine, *grid, *given, *expected;
    guint n;
  } runs[] = {
    { "ethernet:startup=0,per-byte=0,speeds=1:2", "2", NULL, "3 3", 9 },
    { "ethernet:startup=0,per-byte=0,speeds=1:2", "2", "t.fdv:30 weights dim 1 = 2 1\n", "6 3",
      12 },
    { "ethernet:startup=0,per-byte=0,speeds=1:2", "2", "t.fdv:30 sizes dim 1 = 8 4\n", "8 2", 12 },
    { "ethernet:startup=0,per-byte=0,speeds=1:1", "2", NULL, "4 5", 9 },
    { "ethernet:startup=0,per-byte=0,speeds=1:1:2:2", "2x2", NULL, "2 2 2 2", 6 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (runs); i++)
    {
      PdPredictOptions options = test_options (runs[i].machine);
      g_autoptr (PdBlockFile) blocks = runs[i].given != NULL ? read_blocks (runs[i].given) : NULL;
      g_autoptr (TestTrace) trace = test_trace_new ("1");
      g_autofree char *size = g_strdup_printf ("%u", runs[i].n);
      gint64 view = create (trace, size);
      options.dvm.blocks = blocks;
      options.dvm.weights_from_speed = TRUE;
      trace->line = 30;
      distribute (trace, 0, view, "1", "0");
      loop_over (trace, view, runs[i].n);
      g_autoptr (TestRun) run = test_run (trace, runs[i].grid, &options);
      g_autofree char *times = test_values (run, 0, PD_C_CPU_TIME_PAR);
      g_assert_cmpstr (times, ==, runs[i].expected);
    }
}

/* The same result one step at a time, and twice. */
static void
test_one_step (void)
{
  static const char text[] = "t.fdv:30 loads axis 1 = 10 49*1\n";
  g_autoptr (PdBlockFile) blocks = read_blocks (text);
  char *dumps[3];
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 view = create (trace, "50");

  trace->line = 30;
  distribute (trace, 0, view, "1", "0");
  gint64 array = test_trace_array (trace, "50", view, "1*1+0");
  gint64 group = test_trace_shadow (trace, array, "1", "1", FALSE);
  test_trace_group (trace, "strtsh_", group, 1, 1);
  test_trace_run (trace, test_trace_loop (trace, array, "1:48", "1*1+0"), 48);
  test_trace_group (trace, "waitsh_", group, 1, 1);
  for (guint i = 0; i < 3; i++)
    {
      PdPredictOptions options = test_options (
          "ethernet:startup=2us,per-byte=10ns,processors-per-node=2,speeds=1:2:1:3:1:1:2");
      options.dvm.blocks = blocks;
      options.dvm.weights_from_speed = TRUE;
      options.one_step = i == 1;
      g_autoptr (TestRun) run = test_run (trace, "7", &options);
      dumps[i] = test_dump (run);
    }
  g_assert_cmpstr (dumps[0], ==, dumps[1]);
  g_assert_cmpstr (dumps[0], ==, dumps[2]);
  for (guint i = 0; i < 3; i++)
    g_free (dumps[i]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/predictor/dvm-weights/", cases[i].name, NULL);
      g_test_add_data_func (path, &cases[i], test_case);
    }
  g_test_add_func ("/predictor/dvm-weights/one-processor", test_one_processor);
  g_test_add_func ("/predictor/dvm-weights/owners", test_owners);
  g_test_add_func ("/predictor/dvm-weights/cut", test_cut);
  g_test_add_func ("/predictor/dvm-weights/two-dimensions", test_two_dimensions);
  g_test_add_func ("/predictor/dvm-weights/one-of-two", test_one_of_two);
  g_test_add_func ("/predictor/dvm-weights/deleted", test_deleted);
  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autofree char *path = g_strconcat ("/predictor/dvm-weights/bad/", bad[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_bad);
    }
  g_test_add_func ("/predictor/dvm-weights/altered", test_altered);
  for (gsize i = 0; i < G_N_ELEMENTS (speeds); i++)
    {
      g_autofree char *path = g_strconcat ("/predictor/dvm-weights/speeds/", speeds[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_powers);
    }
  g_test_add_func ("/predictor/dvm-weights/from-speed", test_from_speed);
  g_test_add_func ("/predictor/dvm-weights/one-step", test_one_step);
  return g_test_run ();
}
