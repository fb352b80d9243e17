/* Which messages a DVM program sends, seen by an observer: the cases that need no tasks, pipelines
 * or copies.
 * SPDX-License-Identifier: MIT */
#include "tests/support/predict.h"

/* ---- the library's own work on messages */

/* An 8x8 array exchanges edges of width 1 on a network that costs nothing. Each
 * edge is 8 elements of 8 bytes: a row is one run of them, a column is eight.
 * Packing costs 1 ns per byte and 10 ns per run, each exchange 100 ns; every
 * message is packed and unpacked. */
static const struct
{
  const char *name, *grid, *ends; /* microseconds */
} packings[] = {
  { "alone", "1", "0" },
  { "rows", "2", "0.248000 0.248000" },                     /* 100 + 2 (64 + 10) */
  { "columns", "1x2", "0.388000 0.388000" },                /* 100 + 2 (64 + 80) */
  { "between", "3", "0.322000 0.396000 0.322000" },         /* 1 packs both: until 248 */
  { "both", "2x2", "0.328000 0.328000 0.328000 0.328000" }, /* 100 + 2 (32 + 10) + 2 (32 + 40) */
};

static void
test_packing (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  PdPredictOptions options =
      test_options ("ideal:pack-per-byte=1ns,pack-per-run=10ns,exchange-overhead=100ns");
  g_autoptr (TestTrace) trace = test_trace_new ("1 1");
  gint64 view = test_trace_template (trace, "8,8", "1,2");
  gint64 array = test_trace_array (trace, "8,8", view, "1*1+0,2*1+0");
  gint64 group = test_trace_shadow (trace, array, "1,1", "1,1", FALSE);

  options.settings = NULL;
  test_trace_group (trace, "strtsh_", group, 0, 0);
  test_trace_group (trace, "waitsh_", group, 0, 0);
  g_autoptr (TestRun) run = test_run (trace, packings[i].grid, &options);
  g_autofree char *ends = test_values (run, 0, PD_C_EXECUTION_TIME);
  g_autofree char *waits = test_values (run, 0, PD_C_WAIT_SHADOW);
  g_assert_cmpstr (ends, ==, packings[i].ends);
  g_assert_cmpstr (waits, ==, packings[i].ends);
}

/* ---- reductions */

/* @mapping: of a loop 0..7 on an 8x8 array, or NULL: no loop. @messages:
 * all that are no part of a collective; @collectives: those of @rank. */
static const struct
{
  const char *name, *grid, *vars, *mapping;
  const char *messages;
  guint32 rank;
  const char *collectives;
} reductions[] = {
  { "a-sum-max", "2x2", "1 4 1 0,3 4 1 0", NULL, "", 2, "allreduce:8 allreduce:8" },
  { "b-classes", "2x2", "1 4 3 0,1 4 1 0,3 4 1 0,1 1 1 0,1 3 1 0,1 2 1 0", NULL, "", 1,
    "allreduce:32 allreduce:8 allreduce:4 allreduce:4 allreduce:8" },
  { "b-order", "2x2", "3 4 1 0,1 4 3 0,3 4 2 0", NULL, "", 0, "allreduce:24 allreduce:24" },
  { "c-maxloc", "2x2", "3 4 1 8", NULL, "0>3:16 1>3:16 2>3:16 3>0:16 3>1:16 3>2:16", 0, "" },
  { "c-2x3", "2x3", "3 4 1 8", NULL,
    "0>4:16 1>4:16 2>4:16 3>4:16 4>0:16 4>1:16 4>2:16 4>3:16 4>5:16 5>4:16", 4, "" },
  { "d-minloc-sum", "2x2", "4 4 1 8,1 4 1 0", NULL, "0>3:24 1>3:24 2>3:24 3>0:24 3>1:24 3>2:24", 0,
    "" },
  { "e-three", "2x2", "1 4 3 0,1 4 1 0,3 4 1 8", NULL, "0>3:48 1>3:48 2>3:48 3>0:48 3>1:48 3>2:48",
    0, "" },
  { "f-replicated-0", "2x2", "1 4 1 0", "-1*0+0,1*1+0", "", 0, "comm_split:0 allreduce:8" },
  { "f-replicated-3", "2x2", "1 4 1 0", "-1*0+0,1*1+0", "", 3, "comm_split:0 allreduce:8" },
  { "f-2x3", "2x3", "1 4 1 0", "-1*0+0,1*1+0", "", 5, "comm_split:0 allreduce:8" },
  { "f-star", "2x3", "3 4 1 4", "-1*0+0,1*1+0",
    "0>1:12 1>0:12 1>2:12 2>1:12 3>4:12 4>3:12 4>5:12 5>4:12", 1, "comm_split:0" },
  { "g-constant", "2x2", "1 4 1 0", "0*0+3,1*1+0", "", 3, "allreduce:8" },
  { "equ", "2", "8 1 1 0", NULL, "0>1:4 1>0:4", 0, "" },
  { "complex-sum", "2", "1 6 2 0", NULL, "", 0, "allreduce:32" },
  { "complex-product", "2", "2 6 2 0", NULL, "0>1:32 1>0:32", 0, "" },
  { "location-of-sum", "2", "1 4 1 8", NULL, "", 0, "allreduce:8" },
  { "types", "2", "1 0 1 0,1 5 1 0,1 8 1 0,1 13 3 0", NULL, "", 0,
    "allreduce:1 allreduce:8 allreduce:8 allreduce:6" },
  { "one-processor", "1", "3 4 1 8", NULL, "", 0, "" },
};

static void
test_reduction (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (TestLog) log = test_log_new ();
  PdObserver observer = test_log_observer (log);
  PdPredictOptions options = test_options ("ethernet:startup=1us,per-byte=1ns");
  g_autoptr (TestTrace) trace = test_trace_new ("1 1");
  gint64 loop = 0;

  if (reductions[i].mapping != NULL)
    {
      gint64 view = test_trace_template (trace, "8,8", "1,2");
      gint64 array = test_trace_array (trace, "8,8", view, "1*1+0,2*1+0");
      loop = test_trace_loop (trace, array, "0:7", reductions[i].mapping);
    }
  gint64 group = test_trace_reduction (trace, reductions[i].vars, loop);
  if (loop != 0)
    {
      test_trace_dopl (trace, loop, 0, 1);
      test_trace_dopl (trace, loop, 8, 0);
    }
  test_trace_group (trace, "strtrd_", group, 0, 0);
  test_trace_group (trace, "waitrd_", group, 0, 0);
  options.observer = &observer;
  test_watch (trace, reductions[i].grid, &options);
  g_autofree char *messages = test_log_show (log);
  g_autofree char *collectives = test_log_show_collectives (log, reductions[i].rank);
  g_assert_cmpstr (messages, ==, reductions[i].messages);
  g_assert_cmpstr (collectives, ==, reductions[i].collectives);
}

/* Each line of a split reduction is on its own: with rows of 2 and 6
 * iterations neither row waits for the other. */
static void
test_split_apart (void)
{
  PdPredictOptions options =
      test_options ("ethernet:startup=0,per-byte=0,collectives=simple,collective-time=1us");
  g_autoptr (TestTrace) trace = test_trace_new ("1 1");
  gint64 view = test_trace_template (trace, "8,8", "1,2");
  gint64 array = test_trace_array (trace, "8,8", view, "1*1+0,2*1+0");
  gint64 loop = test_trace_loop (trace, array, "0:7", "1*1+0,-1*0+0");
  gint64 group = test_trace_reduction (trace, "1 4 1 0", loop);

  options.dvm.no_comm_split = TRUE;
  test_trace_run (trace, test_trace_loop (trace, array, "2:7,0:7", "1*1+0,2*1+0"), 48);
  test_trace_group (trace, "strtrd_", group, 0, 0);
  g_autoptr (TestRun) run = test_run (trace, "2x2", &options);
  g_autofree char *waits = test_values (run, 0, PD_C_WAIT_REDUCTION);
  g_autofree char *end = test_values (run, 0, PD_C_EXECUTION_TIME);
  g_assert_cmpstr (waits, ==, "9 9 1 1"); /* columns {0,2} and {1,3}: 8 and 16, then 1 */
  g_assert_cmpstr (end, ==, "17 17 17 17");
}

/* The communicators of a group are made once. */
static void
test_split_once (void)
{
  g_autoptr (TestLog) log = test_log_new ();
  PdObserver observer = test_log_observer (log);
  PdPredictOptions options = test_options ("ethernet:startup=1us,per-byte=1ns");
  g_autoptr (TestTrace) trace = test_trace_new ("1 1");
  gint64 view = test_trace_template (trace, "8,8", "1,2");
  gint64 array = test_trace_array (trace, "8,8", view, "1*1+0,2*1+0");
  gint64 loop = test_trace_loop (trace, array, "0:7", "1*1+0,-1*0+0");
  gint64 group = test_trace_reduction (trace, "1 4 1 0", loop);

  for (guint i = 0; i < 3; i++)
    {
      test_trace_group (trace, "strtrd_", group, 0, 0);
      test_trace_group (trace, "waitrd_", group, 0, 0);
    }
  options.observer = &observer;
  test_watch (trace, "2x2", &options);
  g_assert_cmpuint (test_log_count_collectives (log, "comm_split", -1), ==, 4);
  g_assert_cmpuint (test_log_count_collectives (log, "allreduce", 8), ==, 12);

  options.dvm.no_comm_split = TRUE;
  test_watch (trace, "2x2", &options);
  g_assert_cmpuint (test_log_count_collectives (log, "comm_split", -1), ==, 4);
  g_assert_cmpuint (test_log_count_collectives (log, "allreduce", 8), ==, 24);
}

/* A star by hand: messages take 1 each, on a bus. At 0, 0, 0, 0 the others
 * send to 3, which has all at 3 and answers until 6. */
static void
test_star_times (void)
{
  PdPredictOptions options = test_options ("ethernet:startup=1us,per-byte=0");
  g_autoptr (TestTrace) trace = test_trace_new ("1 1");
  gint64 group = test_trace_reduction (trace, "3 4 1 8", 0);

  test_trace_group (trace, "strtrd_", group, 0, 0);
  test_trace_ordinary (trace, 2, 0);
  test_trace_group (trace, "waitrd_", group, 0, 0);
  g_autoptr (TestRun) run = test_run (trace, "2x2", &options);
  g_autofree char *waits = test_values (run, 0, PD_C_WAIT_REDUCTION);
  g_autofree char *overlap = test_values (run, 0, PD_C_REDUCTION_OVERLAP);
  g_assert_cmpstr (waits, ==, "2 3 4 1"); /* the central one's sends are eager */
  g_assert_cmpstr (overlap, ==, "2 2 2 2");
}

/* A reduction that is started but never waited for, in every way that can be. */
static void
test_star_unfinished (gconstpointer data)
{
  guint n = GPOINTER_TO_UINT (data);
  g_autoptr (TestLog) log = test_log_new ();
  PdObserver observer = test_log_observer (log);
  PdPredictOptions options = test_options ("ethernet:startup=1us,per-byte=0");
  g_autoptr (TestTrace) trace = test_trace_new ("1 1");
  gint64 group = test_trace_reduction (trace, "3 4 1 8", 0);
  gint64 other = test_trace_reduction (trace, "4 4 1 8", 0);

  for (guint i = 0; i < n; i++)
    test_trace_group (trace, "strtrd_", group, 0, 0);
  test_trace_group (trace, "strtrd_", other, 0, 0);
  test_trace_group (trace, "delrg_", group, 0, 0);
  options.observer = &observer;
  g_autoptr (TestRun) run = test_run (trace, "2x2", &options);
  gint64 bytes;
  g_assert_cmpuint (test_log_count (log, &bytes), ==, 6 * (n + 1));
  g_assert_cmpuint (pd_messages_count (run->messages, "not-waited"), ==, n + 1);
}

/* --mpi-reduce off: stars for everything. */
static void
test_star_always (void)
{
  g_autoptr (TestLog) log = test_log_new ();
  PdObserver observer = test_log_observer (log);
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new ("1 1");
  gint64 group = test_trace_reduction (trace, "1 4 2 0,3 1 1 0", 0);

  options.dvm.mpi_reduce = FALSE;
  options.observer = &observer;
  test_trace_group (trace, "strtrd_", group, 0, 0);
  test_trace_group (trace, "waitrd_", group, 0, 0);
  test_watch (trace, "3", &options);
  g_autofree char *messages = test_log_show (log);
  g_assert_cmpstr (messages, ==, "0>1:20 1>0:20 1>2:20 2>1:20");
}

/* A variable that is a distributed array has that array's length. */
static void
test_array_variable (void)
{
  g_autoptr (TestLog) log = test_log_new ();
  PdObserver observer = test_log_observer (log);
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 view = test_trace_template (trace, "3,5", "0");
  gint64 array = test_trace_array (trace, "3,5", view, "1*1+0,2*1+0");
  g_autofree char *params =
      g_strdup_printf ("RedFuncNumb=1; RedArrayHeader=1; RedArrayHandlePtr=%" G_GINT64_MODIFIER
                       "x; RedArrayType=4; RedArrayLength=0; LocArrayPtr=0; LocElmLength=0; "
                       "StaticSign=0;",
                       (guint64) array);

  options.observer = &observer;
  test_trace_call (trace, "crtrg_", 0, 0, "StaticSign=1; DelRedSign=1;", "RedGroupRef=aa;");
  test_trace_call (trace, "crtred_", 0, 0, params, "RedRef=bb;");
  test_trace_call (trace, "insred_", 0, 0, "RedGroupRef=aa; RedRef=bb; PSSpaceRef=0;", "");
  test_trace_group (trace, "strtrd_", 0xaa, 0, 0);
  test_watch (trace, "2", &options);
  g_assert_cmpuint (test_log_count_collectives (log, "allreduce", 120), ==, 2);
}

/* Sub-systems made again and again: each has communicators of its own, of
 * which only the last ones are kept. */
static void
test_many_systems (void)
{
  g_autoptr (TestLog) log = test_log_new ();
  PdObserver observer = test_log_observer (log);
  PdPredictOptions options = test_options ("ethernet:startup=1us,per-byte=1ns,speeds=1:2:3");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  const guint n = 300;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *params = g_strdup_printf (
          "PSRef=0; StaticSign=0; InitIndexArray[0]=%u; LastIndexArray[0]=%u;", i % 3, i % 3 + 2);
      g_autofree char *result = g_strdup_printf ("PSRef=%x;", 0x100 + i);
      g_autofree char *inserted = g_strdup_printf ("RedGroupRef=1; RedRef=2; PSRef=%x;", 0x100 + i);
      test_trace_call (trace, "crtps_", 0, 0, params, result);
      test_trace_call (trace, "crtrg_", 0, 0, "StaticSign=1; DelRedSign=1;", "RedGroupRef=1;");
      test_trace_call (trace, "crtred_", 0, 0, "RedFuncNumb=1; RedArrayType=4; RedArrayLength=1;",
                       "RedRef=2;");
      test_trace_call (trace, "insred_", 0, 0, inserted, "");
      test_trace_ordinary (trace, 1, 1);
      test_trace_group (trace, "strtrd_", 1, 0, 0);
      test_trace_group (trace, "waitrd_", 1, 0, 0);
    }
  options.observer = &observer;
  test_watch (trace, "5", &options);
  g_assert_cmpuint (test_log_count_collectives (log, "allreduce", 8), ==, 3 * n);
}

/* ---- shadow edges */

static const struct
{
  const char *name, *grid, *size, *low, *high;
  gboolean corners;
  guint n;
  gint64 bytes;
} exchanges[] = {
  { "faces", "3x3", "9,9", "1,1", "1,1", FALSE, 24, 576 },
  { "corners", "3x3", "9,9", "1,1", "1,1", TRUE, 40, 704 },
  { "own-widths", "3x3", "9,9", "-1,-1", "-1,-1", FALSE, 24, 576 },
  { "asymmetric", "3x3", "9,9", "1,0", "0,1", FALSE, 12, 288 },
  { "2x2", "2x2", "8,8", "1,1", "1,1", FALSE, 8, 256 },
  { "wider-than-declared", "2x2", "8,8", "5,5", "5,5", FALSE, 8, 256 },
  { "nothing", "2x2", "8,8", "0,0", "0,0", TRUE, 0, 0 },
  { "single", "1", "8,8", "1,1", "1,1", TRUE, 0, 0 },
};

static void
test_exchange (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (TestLog) log = test_log_new ();
  PdObserver observer = test_log_observer (log);
  PdPredictOptions options = test_options ("ethernet:startup=1us,per-byte=1ns");
  g_autoptr (TestTrace) trace = test_trace_new ("1 1");
  gint64 view = test_trace_template (trace, exchanges[i].size, "1,2");
  gint64 array = test_trace_array (trace, exchanges[i].size, view, "1*1+0,2*1+0");
  gint64 group =
      test_trace_shadow (trace, array, exchanges[i].low, exchanges[i].high, exchanges[i].corners);
  gint64 bytes;

  options.observer = &observer;
  test_trace_group (trace, "strtsh_", group, 0, 0);
  test_trace_group (trace, "waitsh_", group, 0, 0);
  test_watch (trace, exchanges[i].grid, &options);
  g_assert_cmpuint (test_log_count (log, &bytes), ==, exchanges[i].n);
  g_assert_cmpint (bytes, ==, exchanges[i].bytes);
}

/* Two arrays in one group: equal ones share messages, others do not; and a
 * group may hold arrays of different processor systems. */
static void
test_several_arrays (void)
{
  g_autoptr (TestLog) log = test_log_new ();
  PdObserver observer = test_log_observer (log);
  PdPredictOptions options = test_options ("ethernet:startup=1us,per-byte=1ns");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 all = test_trace_array (trace, "8", test_trace_template (trace, "8", "1"), "1*1+0");

  test_trace_call (trace, "crtps_", 0, 0,
                   "PSRef=0; StaticSign=0;\nInitIndexArray[0]=1;\nLastIndexArray[0]=2;",
                   "PSRef=abc0;");
  test_trace_call (trace, "crtamv_", 0, 0, "AMRef=0; Rank=1; StaticSign=0;\nSizeArray[0]=6;",
                   "AMViewRef=def0;");
  test_trace_call (trace, "distr_", 0, 0,
                   "AMViewRef=def0; PSRef=abc0; ParamCount=1;\nAxisArray[0]=1;\n"
                   "DistrParamArray[0]=0;",
                   "IsLocal=1;");
  gint64 part = test_trace_array (trace, "6", 0xdef0, "1*1+0");
  for (guint order = 0; order < 2; order++)
    {
      gint64 group = test_trace_shadow (trace, order == 0 ? all : part, "1", "1", FALSE);
      g_autofree char *second = g_strdup_printf (
          "ShadowGroupRef=%" G_GINT64_MODIFIER "x; ArrayHandlePtr=%" G_GINT64_MODIFIER
          "x; FullShdSign=0;\nLowShdWidthArray[0]=1;\nHiShdWidthArray[0]=1;",
          (guint64) group, (guint64) (order == 0 ? part : all));
      test_trace_call (trace, "inssh_", 0, 0, second, "");
      test_trace_group (trace, "strtsh_", group, 0, 0);
      test_trace_group (trace, "waitsh_", group, 0, 0);
    }
  options.observer = &observer;
  test_watch (trace, "4", &options);
  g_autofree char *messages = test_log_show (log);
  /* twice: all on 0-1-2-3, the part on 1-2 */
  g_assert_cmpstr (messages, ==,
                   "0>1:8 0>1:8 1>0:8 1>0:8 1>2:8 1>2:8 1>2:8 1>2:8 2>1:8 2>1:8 2>1:8 2>1:8 "
                   "2>3:8 2>3:8 3>2:8 3>2:8");
}

/* ---- input and output */

#define ARRAY "ArrayHeader=1; ArrayHandlePtr=ARRAY; "

static const struct
{
  const char *name, *function, *params, *results;
  const char *collectives; /* of processor 1 */
  const char *messages;
} operations[] = {
  { "printf", "dvm_printf", "Format=x", "Res=2;", "bcast:4", "" },
  { "void-printf", "dvm_void_printf", "Format=x", "", "", "" },
  { "fopen", "dvm_fopen", "Filename=a.dat; Type=wb;", "Res=106d7d8;", "bcast:8", "" },
  { "fclose", "dvm_fclose", "Stream=1;", "Res=0;", "bcast:4", "" },
  { "rewind", "dvm_rewind", "Stream=1;", "", "", "" },
  { "ftell", "dvm_ftell", "Stream=1;", "Res=0;", "bcast:8", "" },
  { "fgetpos", "dvm_fgetpos", "Stream=1;", "Res=0; Pos=0;", "bcast:4 bcast:16", "" },
  { "stat", "dvm_stat", "FileName=a;", "Res=0;", "bcast:4 bcast:144", "" },
  { "fgets-empty", "dvm_fgets", "Stream=1; N=80;", "Res=0; String=", "bcast:8 bcast:4 bcast:1",
    "" },
  { "fgets", "dvm_fgets", "Stream=1; N=80;", "Res=12ff; String=\n", "bcast:8 bcast:4 bcast:2", "" },
  { "fgets-text", "dvm_fgets", "Stream=1; N=80;", "Res=12ff; String=ab;c\n",
    "bcast:8 bcast:4 bcast:6", "" },
  { "tmpnam", "dvm_tmpnam", "", "Res=1; FileName=/tmp/x", "bcast:8 bcast:4 bcast:7", "" },
  { "fread-memory", "dvm_fread", "Buffer=1; Size=4; Count=12; Stream=1;", "Res=10;",
    "bcast:4 bcast:40", "" },
  { "fread-failed", "dvm_fread", "Buffer=1; Size=4; Count=12; Stream=1;", "Res=-1;",
    "bcast:4 bcast:0", "" },
  { "fread-huge", "dvm_fread", "Buffer=1; Size=9000000000000000000; Count=2; Stream=1;", "Res=2;",
    "bcast:4 bcast:0", "" },
  { "read", "dvm_read", "HandlePtr=1; Buffer=1; Count=100;", "Res=77;", "bcast:4 bcast:77", "" },
  { "fwrite-memory", "dvm_fwrite", "Buffer=1; Size=4; Count=12; Stream=1;", "Res=12;", "bcast:4",
    "" },
  { "fwrite-array", "dvm_fwrite", ARRAY "Size=8; Count=64; Stream=1;", "Res=64;", "bcast:4 bcast:8",
    "1>0:128 2>0:128 3>0:128" },
  /* 20 elements: rows 0, 1 and half of row 2 */
  { "fwrite-prefix", "dvm_fwrite", ARRAY "Size=8; Count=20; Stream=1;", "Res=20;",
    "bcast:4 bcast:8", "1>0:64" },
  { "fwrite-nothing", "dvm_fwrite", ARRAY "Size=8; Count=0; Stream=1;", "Res=0;", "bcast:4 bcast:8",
    "" },
  { "fwrite-too-many", "dvm_fwrite", ARRAY "Size=8; Count=6400; Stream=1;", "Res=64;",
    "bcast:4 bcast:8", "1>0:128 2>0:128 3>0:128" },
  { "fread-array", "dvm_fread", ARRAY "Size=8; Count=64; Stream=1;", "Res=64;", "bcast:4 bcast:8",
    "0>1:128 0>2:128 0>3:128" },
  { "dfwrite", "dvm_dfwrite", ARRAY "Count=64; Stream=1;", "Res=64;", "bcast:4 bcast:8",
    "1>0:128 2>0:128 3>0:128" },
  { "DisArrRead", "DisArrRead", "Stream=1; " ARRAY, "Res=64;", "bcast:4 bcast:8",
    "0>1:128 0>2:128 0>3:128" },
  { "scanf", "dvm_scanf", "Format=%d %d", "Res=2;", "bcast:8 bcast:8 bcast:4", "" },
  { "srmem", "srmem_", "MemoryCount=2;\nLengthArray[0]=8; LengthArray[1]=3;", "", "bcast:8 bcast:3",
    "" },
  { "srmem-hex", "srmem_", "MemoryCount=1;\nLengthArray[0]=1f40;", "", "bcast:8000", "" },
  { "srmem-none", "srmem_", "MemoryCount=0;", "", "", "" },
  { "bsynch", "bsynch_", "", "", "barrier:0", "" },
  { "tsynch", "tsynch_", "TimeEqualizationCount = 10", "", "barrier:0", "" },
};

static void
test_operation (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (TestLog) log = test_log_new ();
  PdObserver observer = test_log_observer (log);
  PdPredictOptions options = test_options ("ethernet:startup=1us,per-byte=1ns");
  g_autoptr (TestTrace) trace = test_trace_new ("1 1");
  gint64 view = test_trace_template (trace, "8,8", "1,2");
  gint64 array = test_trace_array (trace, "8,8", view, "1*1+0,2*1+0");
  g_autofree char *handle = g_strdup_printf ("%" G_GINT64_MODIFIER "x", (guint64) array);
  g_auto (GStrv) parts = g_strsplit (operations[i].params, "ARRAY", -1);
  g_autofree char *params = g_strjoinv (handle, parts);

  options.observer = &observer;
  test_trace_io (trace, operations[i].function, 3, params, operations[i].results);
  test_watch (trace, "2x2", &options);
  g_autofree char *collectives = test_log_show_collectives (log, 1);
  g_autofree char *messages = test_log_show (log);
  g_assert_cmpstr (collectives, ==, operations[i].collectives);
  g_assert_cmpstr (messages, ==, operations[i].messages);
}

/* The order within array output: Bcast, gathering, writing, Bcast. With a bus
 * on which each message takes 1, on 1x2: Bcast 1, gather 1, write 3, Bcast 1. */
static void
test_array_output_times (void)
{
  PdPredictOptions options = test_options ("ethernet:startup=1us,per-byte=0");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 array = test_trace_array (trace, "8", test_trace_template (trace, "8", "1"), "1*1+0");
  g_autofree char *params = g_strdup_printf ("ArrayHeader=1; ArrayHandlePtr=%" G_GINT64_MODIFIER
                                             "x; Size=8; Count=8; Stream=1;",
                                             (guint64) array);

  test_trace_io (trace, "dvm_fwrite", 3, params, "Res=8;");
  g_autoptr (TestRun) run = test_run (trace, "2", &options);
  g_autofree char *files = test_values (run, 0, PD_C_IO_TIME);
  g_autofree char *waits = test_values (run, 0, PD_C_IO_COMM);
  /* 0: its Bcast sends are eager; waits for the part from 0 to 2, writes to 5,
   * sends at 5. 1: Bcast to 1, sends at 1, waits for the Bcast until 6. */
  g_assert_cmpstr (files, ==, "3 0");
  g_assert_cmpstr (waits, ==, "2 6");
}

/* Replicas take part in array input and output as well. */
static void
test_replicated_output (void)
{
  g_autoptr (TestLog) log = test_log_new ();
  PdObserver observer = test_log_observer (log);
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new ("1 1");
  gint64 view = test_trace_template (trace, "8", "1,0");
  gint64 array = test_trace_array (trace, "8", view, "1*1+0");
  g_autofree char *params = g_strdup_printf (
      "Stream=1; ArrayHeader=1; ArrayHandlePtr=%" G_GINT64_MODIFIER "x;", (guint64) array);

  options.observer = &observer;
  test_trace_io (trace, "DisArrWrite", 0, params, "Res=8;");
  test_watch (trace, "2x2", &options);
  g_autofree char *messages = test_log_show (log);
  g_assert_cmpstr (messages, ==, "1>0:32 2>0:32 3>0:32");
}

/* ---- a real trace */

static char *
find_jac1d (void)
{
  const char *shared = g_getenv ("PREDICTOR_SHARED");
  g_autofree char *path =
      g_build_filename (shared != NULL ? shared : "../shared", "traces/dvm/jac1d.ptr", NULL);

  if (g_file_test (path, G_FILE_TEST_EXISTS))
    return g_steal_pointer (&path);
  g_test_skip ("../shared is absent");
  return NULL;
}

/* Times in units of 10 ns, the trace's. */
static const struct
{
  const char *grid;
  guint n_messages; /* not those of collectives */
  gint64 n_bytes;
  const char *first; /* what processor 1 enters, at the end */
} jacobi[] = {
  { "1x1", 0, 0, NULL },
  { "2x2", 88 + 3, 88 * 32 + 3 * 128, "bcast:8 bcast:4 bcast:8" },
  { "3x1", 44 + 2, 44 * 64 + 192 + 192, "bcast:8 bcast:4 bcast:8" },
};

static void
assert_jacobi (const PdReportRun *run, gint64 startup)
{
  g_autofree PdIntervalResult *all = test_result (run, 0);
  const gint64 unit = PD_PS_PER_US / 100;
  gint64 cpu = (gint64) (all->values[PD_C_CPU_TIME].sum.ps
                         - all->values[PD_C_INSUFFICIENT_PARALLELISM].sum.ps);
  gint64 slack = run->n_processors * 700; /* rounding of 1 ps per charge */

  g_assert_cmpint ((gint64) all->values[PD_C_IO_TIME].sum.ps, ==, 290561 * unit);
  g_assert_cmpint (ABS (cpu - (251933 - startup) * unit), <=, slack);
  g_assert_cmpint (
      ABS ((gint64) all->values[PD_C_PRODUCTIVE_TIME].sum.ps - (542494 - startup) * unit), <=,
      slack);
}

static void
test_jacobi (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autofree char *path = find_jac1d ();

  for (guint keep = 0; path != NULL && keep < 2; keep++)
    {
      g_autoptr (TestLog) log = test_log_new ();
      PdObserver observer = test_log_observer (log);
      PdPredictOptions options = test_options ("ideal");
      gint64 bytes, startup = keep == 1 ? 0 : 1697;
      options.observer = &observer;
      options.dvm.keep_startup = keep == 1;
      g_autoptr (TestRun) run = test_run_file (path, jacobi[i].grid, &options);
      g_assert_cmpuint (test_log_count (log, &bytes), ==, jacobi[i].n_messages);
      g_assert_cmpint (bytes, ==, jacobi[i].n_bytes);
      g_assert_cmpuint (test_log_count_collectives (log, "allreduce", 8), ==,
                        11 * run->n_processors);
      g_assert_cmpuint (test_log_count_collectives (log, "allreduce", -1), ==,
                        11 * run->n_processors);
      assert_jacobi (run, startup);
      if (run->n_processors == 1)
        {
          g_assert_cmpint (test_value (run, 0, 0, PD_C_EXECUTION_TIME), ==,
                           (542494 - startup) * PD_PS_PER_US / 100);
          continue;
        }
      g_autofree char *entered = test_log_show_collectives (log, 1);
      g_assert_true (g_str_has_suffix (entered, jacobi[i].first));
    }
}

/* Line 40 takes 4077 in 11 loops of 36 iterations, line 48 2330, line 29 196
 * for 64: on 3x1 processor 0 has 6 of 36, 1 has 18, 2 has 12; 16, 24, 24 of 64. */
static void
test_jacobi_iterations (void)
{
  static const gint64 of_36[] = { 6, 18, 12 }, of_64[] = { 16, 24, 24 };
  PdPredictOptions options = test_options ("ideal");
  g_autofree char *path = find_jac1d ();

  if (path == NULL)
    return;
  g_autoptr (TestRun) run = test_run_file (path, "3x1", &options);
  for (guint32 p = 0; p < 3; p++)
    {
      gint64 expected = (4077 + 2330) * 10000 * of_36[p] / 36 + 196 * 10000 * of_64[p] / 64;
      g_assert_cmpint (ABS (test_value (run, 0, p, PD_C_CPU_TIME_PAR) - expected), <=, 23);
    }
  g_autoptr (TestRun) square = test_run_file (path, "2x2", &options);
  for (guint32 p = 0; p < 4; p++)
    g_assert_cmpint (
        ABS (test_value (square, 0, p, PD_C_CPU_TIME_PAR) - (4077 + 2330 + 196) * 10000 / 4), <=,
        23);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (reductions); i++)
    {
      g_autofree char *path =
          g_strconcat ("/predictor/dvm-messages/reduction/", reductions[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_reduction);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (packings); i++)
    {
      g_autofree char *path =
          g_strdup_printf ("/predictor/dvm-messages/packing/%s", packings[i].name);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_packing);
    }
  g_test_add_func ("/predictor/dvm-messages/split/apart", test_split_apart);
  g_test_add_func ("/predictor/dvm-messages/split/once", test_split_once);
  g_test_add_func ("/predictor/dvm-messages/star/times", test_star_times);
  g_test_add_data_func ("/predictor/dvm-messages/star/unfinished", GUINT_TO_POINTER (1),
                        test_star_unfinished);
  g_test_add_data_func ("/predictor/dvm-messages/star/restarted", GUINT_TO_POINTER (2),
                        test_star_unfinished);
  g_test_add_func ("/predictor/dvm-messages/star/always", test_star_always);
  g_test_add_func ("/predictor/dvm-messages/many-systems", test_many_systems);
  g_test_add_func ("/predictor/dvm-messages/array-variable", test_array_variable);
  for (gsize i = 0; i < G_N_ELEMENTS (exchanges); i++)
    {
      g_autofree char *path =
          g_strconcat ("/predictor/dvm-messages/shadow/", exchanges[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_exchange);
    }
  g_test_add_func ("/predictor/dvm-messages/shadow/several-arrays", test_several_arrays);
  for (gsize i = 0; i < G_N_ELEMENTS (operations); i++)
    {
      g_autofree char *path = g_strconcat ("/predictor/dvm-messages/io/", operations[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_operation);
    }
  g_test_add_func ("/predictor/dvm-messages/io/array-output-times", test_array_output_times);
  g_test_add_func ("/predictor/dvm-messages/io/replicated", test_replicated_output);
  for (gsize i = 0; i < G_N_ELEMENTS (jacobi); i++)
    {
      g_autofree char *path = g_strconcat ("/predictor/dvm-messages/jac1d/", jacobi[i].grid, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_jacobi);
    }
  g_test_add_func ("/predictor/dvm-messages/jac1d/iterations", test_jacobi_iterations);
  return g_test_run ();
}
