/* Copies between arrays and memory through the interpreter: which messages they
 * send, what copying costs by itself, and what is wrong.
 * SPDX-License-Identifier: MIT */
#include "tests/support/dvm/copy-trace.h"
#include "tests/support/predict.h"

/* Arrays of the rows: template sizes, AxisArray, array sizes, rules. */
typedef struct
{
  const char *sizes, *axes, *array, *rules;
} Array;

static const Array line_10 = { "10", "1", "10", "1*1+0" };
static const Array all_10 = { "10", "0", "10", "1*1+0" };
static const Array rows_10x4 = { "10,4", "1", "10,4", "1*1+0,2*1+0" };
static const Array grid_9x9 = { "9,9", "1,2", "9,9", "1*1+0,2*1+0" };
static const Array rows_9 = { "9,9", "1,2", "9", "1*1+0,-1*0+0" };
static const Array columns_9 = { "9,9", "1,2", "9", "-1*0+0,1*1+0" };
static const Array column_4 = { "9,9", "1,2", "9", "1*1+0,0*0+4" };

/* No array: memory. */
static const struct
{
  const char *name, *function, *grid;
  const Array *from;
  const char *from_where;
  const Array *to;
  const char *to_where;
  const char *more;
  const char *messages;
} copies[] = {
  /* 6.6 */
  { "shifted", "arrcpy_", "4", &line_10, "0:8:1", &line_10, "1:9:1", "", "0>1:8 1>2:8 2>3:8" },
  { "every-second", "arrcpy_", "4", &line_10, "0:8:2", &line_10, "0:4:1", "", "1>0:8 2>1:8 3>1:8" },
  { "to-replicated", "arrcpy_", "4", &line_10, "-1", &all_10, "-1", "",
    "0>1:16 0>2:16 0>3:16 1>0:24 1>2:24 1>3:24 2>0:16 2>1:16 2>3:16 3>0:24 3>1:24 3>2:24" },
  { "from-replicated", "arrcpy_", "4", &all_10, "-1", &line_10, "-1", "", "" },
  { "row", "arrcpy_", "4", &rows_10x4, "2:2,-1", &line_10, "0:3", "", "1>0:16" },
  { "other-shape", "arrcpy_", "4", &rows_10x4, "0:4,0:1", &line_10, "0:9", "",
    "0>1:16 1>2:16 1>3:24" },
  { "column", "arrcpy_", "3x3", &grid_9x9, "-1,4:4", &rows_9, "-1", "",
    "1>0:24 1>2:24 4>3:24 4>5:24 7>6:24 7>8:24" },
  { "vector", "arrcpy_", "3x3", &rows_9, "0:8", &rows_9, "0:8", "", "" },
  { "vector-turned", "arrcpy_", "2x2", &rows_9, "-1", &columns_9, "-1", "", "1>2:32 2>1:40" },
  { "regim-ignored", "arrcpy_", "4", &line_10, "0:8:1", &line_10, "1:9:1", "CopyRegim=2;",
    "0>1:8 1>2:8 2>3:8" },
  { "one-processor", "arrcpy_", "1", &line_10, "0:8:1", &line_10, "1:9:1", "", "" },
  /* 6.5 */
  { "to-memory", "arrcpy_", "3x3", &grid_9x9, "-1,4:4", NULL, NULL, "CopyRegim=0;",
    "1>0:24 1>2:24 1>3:24 1>4:24 1>5:24 1>6:24 1>7:24 1>8:24 4>0:24 4>1:24 4>2:24 4>3:24 4>5:24 "
    "4>6:24 4>7:24 4>8:24 7>0:24 7>1:24 7>2:24 7>3:24 7>4:24 7>5:24 7>6:24 7>8:24" },
  { "to-io-memory", "arrcpy_", "3x3", &grid_9x9, "-1,4:4", NULL, NULL, "CopyRegim=2;",
    "1>0:24 4>0:24 7>0:24" },
  { "from-memory", "arrcpy_", "3x3", NULL, NULL, &grid_9x9, "-1,4:4", "CopyRegim=0;", "" },
  { "from-io-memory", "arrcpy_", "3x3", NULL, NULL, &grid_9x9, "-1,4:4", "CopyRegim=1;",
    "0>1:24 0>4:24 0>7:24" },
  { "fill", "arrcpy_", "3x3", NULL, NULL, &grid_9x9, "-1,4:4", "CopyRegim=-1;", "" },
  { "replicas-to-io", "arrcpy_", "3x3", &rows_9, "-1", NULL, NULL, "CopyRegim=1;",
    "3>0:24 4>0:24 5>0:24 6>0:24 7>0:24 8>0:24" },
  { "replicated-to-memory", "arrcpy_", "4", &all_10, "-1", NULL, NULL, "CopyRegim=0;", "" },
  /* 6.8 */
  { "read-element", "rwelm_", "3x3", &grid_9x9, "4,4", NULL, NULL, "",
    "4>0:8 4>1:8 4>2:8 4>3:8 4>5:8 4>6:8 4>7:8 4>8:8" },
  { "write-element", "rwelm_", "3x3", NULL, NULL, &grid_9x9, "4,4", "", "" },
  { "element-to-memory", "elmcpy_", "2x2", &grid_9x9, "8,0", NULL, NULL, "CopyRegim=0;",
    "2>0:8 2>1:8 2>3:8" },
  { "element-to-io", "elmcpy_", "3x3", &grid_9x9, "4,4", NULL, NULL, "CopyRegim=1;", "4>0:8" },
  { "own-element-to-io", "elmcpy_", "3x3", &grid_9x9, "0,0", NULL, NULL, "CopyRegim=1;", "" },
  { "element-from-io", "elmcpy_", "3x3", NULL, NULL, &rows_9, "4", "CopyRegim=1;",
    "0>3:8 0>4:8 0>5:8" },
  { "element-from-memory", "elmcpy_", "3x3", NULL, NULL, &rows_9, "4", "CopyRegim=0;", "" },
  { "element-to-vector", "copelm_", "3x3", &grid_9x9, "4,4", &rows_9, "4", "", "4>3:8 4>5:8" },
  { "element-to-column", "copelm_", "3x3", &grid_9x9, "4,4", &column_4, "8", "", "4>7:8" },
};

static gint64
make_array (TestTrace *trace, const Array *array)
{
  if (array == NULL)
    return 0;
  gint64 view = test_trace_template (trace, array->sizes, array->axes);
  return test_trace_array (trace, array->array, view, array->rules);
}

/* The copy of row @i as @function, which takes @ret. */
static void
add_copy (TestTrace *trace, gsize i, const char *function, const char *more, gint64 ret)
{
  g_autofree char *all = g_strconcat (copies[i].more, more, NULL);
  TestSide from = { make_array (trace, copies[i].from), copies[i].from_where };
  TestSide to = { make_array (trace, copies[i].to), copies[i].to_where };

  test_trace_copy (trace, function, from, to, all, ret);
}

static char *
watch_messages (TestTrace *trace, const char *grid)
{
  g_autoptr (TestLog) log = test_log_new ();
  PdObserver observer = test_log_observer (log);
  PdPredictOptions options = test_options ("ethernet:startup=1us,per-byte=1ns");

  options.observer = &observer;
  test_watch (trace, grid, &options);
  return test_log_show (log);
}

static void
test_copy (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (TestTrace) trace = test_trace_new ("1 1");

  add_copy (trace, i, copies[i].function, "", 0);
  g_autofree char *messages = watch_messages (trace, copies[i].grid);
  g_assert_cmpstr (messages, ==, copies[i].messages);
}

/* The same, started and waited for. */
static void
test_async (gconstpointer data)
{
  static const char *const pairs[][2] = {
    { "arrcpy_", "aarrcp_" },
    { "rwelm_", "arwelm_" },
    { "elmcpy_", "aelmcp_" },
    { "copelm_", "acopel_" },
  };
  gsize i = GPOINTER_TO_SIZE (data);
  const char *function = NULL;
  g_autoptr (TestTrace) trace = test_trace_new ("1 1");

  for (gsize k = 0; k < G_N_ELEMENTS (pairs); k++)
    if (g_str_equal (pairs[k][0], copies[i].function))
      function = pairs[k][1];
  add_copy (trace, i, function, "CopyFlagPtr=51b440;", 0);
  test_trace_ordinary (trace, 1, 1);
  test_trace_waitcp (trace, "51b440", 0);
  g_autofree char *messages = watch_messages (trace, copies[i].grid);
  g_assert_cmpstr (messages, ==, copies[i].messages);
}

/* 36 messages: replicas send to each other and to the next row (6.6). */
static void
test_replicas (void)
{
  g_autoptr (TestLog) log = test_log_new ();
  PdObserver observer = test_log_observer (log);
  PdPredictOptions options = test_options ("ethernet:startup=1us,per-byte=1ns");
  g_autoptr (TestTrace) trace = test_trace_new ("1 1");
  gint64 array = make_array (trace, &rows_9), bytes;

  test_trace_copy (trace, "arrcpy_", (TestSide){ array, "0:7" }, (TestSide){ array, "1:8" }, "", 0);
  options.observer = &observer;
  test_watch (trace, "3x3", &options);
  g_assert_cmpuint (test_log_count (log, &bytes), ==, 36);
  g_assert_cmpint (bytes, ==, 18 * 16 + 18 * 8);
}

/* ---- what copying costs by itself: the ret_ time is 10 */

static const struct
{
  const char *name, *function;
  const Array *from;
  const char *from_where;
  const Array *to;
  const char *to_where;
  const char *more;
  const char *par, *seq, *insufficient; /* of each of 4 processors */
} times[] = {
  { "to-blocks", "arrcpy_", &line_10, "-1", &line_10, "-1", "", "2 3 2 3", "0 0 0 0", "0 0 0 0" },
  { "to-part", "arrcpy_", &line_10, "0:4", &line_10, "0:4", "", "4 6 0 0", "0 0 0 0", "0 0 0 0" },
  { "to-steps", "arrcpy_", &line_10, "0:4", &line_10, "0:8:2", "", "2 4 2 2", "0 0 0 0",
    "0 0 0 0" },
  { "to-replicated", "arrcpy_", &line_10, "-1", &all_10, "-1", "", "10 10 10 10", "0 0 0 0",
    "7.500000 7.500000 7.500000 7.500000" },
  { "to-memory", "arrcpy_", &line_10, "-1", NULL, NULL, "CopyRegim=0;", "0 0 0 0", "10 10 10 10",
    "7.500000 7.500000 7.500000 7.500000" },
  { "from-memory", "arrcpy_", NULL, NULL, &line_10, "-1", "CopyRegim=0;", "2 3 2 3", "0 0 0 0",
    "0 0 0 0" },
  { "element", "copelm_", &line_10, "0", &line_10, "4", "", "0 10 0 0", "0 0 0 0", "0 0 0 0" },
  { "element-to-memory", "rwelm_", &line_10, "0", NULL, NULL, "", "0 0 0 0", "10 10 10 10",
    "7.500000 7.500000 7.500000 7.500000" },
};

static void
test_time (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  PdPredictOptions options = test_options ("ideal");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  TestSide from = { make_array (trace, times[i].from), times[i].from_where };
  TestSide to = { make_array (trace, times[i].to), times[i].to_where };

  test_trace_copy (trace, times[i].function, from, to, times[i].more, 10);
  g_autoptr (TestRun) run = test_run (trace, "4", &options);
  g_autofree char *par = test_values (run, 0, PD_C_CPU_TIME_PAR);
  g_autofree char *seq = test_values (run, 0, PD_C_CPU_TIME_SEQ);
  g_autofree char *insufficient = test_values (run, 0, PD_C_INSUFFICIENT_PARALLELISM);
  g_assert_cmpstr (par, ==, times[i].par);
  g_assert_cmpstr (seq, ==, times[i].seq);
  g_assert_cmpstr (insufficient, ==, times[i].insufficient);
}

/* Speeds 1 and 2: a half of 10 each takes 5 and 2.5; 10 replicated 10 and 5. */
static void
test_speeds (void)
{
  PdPredictOptions options = test_options ("ideal:speeds=1:2");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 array = make_array (trace, &line_10), all = make_array (trace, &all_10);

  test_trace_copy (trace, "arrcpy_", (TestSide){ 0, NULL }, (TestSide){ array, "-1" }, "", 10);
  test_trace_copy (trace, "arrcpy_", (TestSide){ 0, NULL }, (TestSide){ all, "-1" }, "", 10);
  g_autoptr (TestRun) run = test_run (trace, "2", &options);
  g_autofree char *par = test_values (run, 0, PD_C_CPU_TIME_PAR);
  g_autofree char *insufficient = test_values (run, 0, PD_C_INSUFFICIENT_PARALLELISM);
  g_assert_cmpstr (par, ==, "15 7.500000");
  g_assert_cmpstr (insufficient, ==, "5 2.500000");
}

/* One message of 8 bytes from 0 to 1, which takes 1 + 8 * 1. Processor 0 has
 * sent it at once; 1 waits. Remote_access at first sight, I/O_comm between
 * biof_ and eiof_, where the copying itself is the I/O processor's. */
static void
test_component (gconstpointer data)
{
  gboolean in_io = GPOINTER_TO_INT (data);
  PdPredictOptions options = test_options ("ethernet:startup=1us,per-byte=1us");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 array = make_array (trace, &line_10);

  if (in_io)
    test_trace_call (trace, "biof_", 0, 0, "", "");
  test_trace_copy (trace, "copelm_", (TestSide){ array, "0" }, (TestSide){ array, "9" }, "", 10);
  if (in_io)
    test_trace_call (trace, "eiof_", 0, 0, "", "");
  g_autoptr (TestRun) run = test_run (trace, "2", &options);
  g_autofree char *remote = test_values (run, 0, PD_C_REMOTE_ACCESS);
  g_autofree char *io = test_values (run, 0, PD_C_IO_COMM);
  g_autofree char *file = test_values (run, 0, PD_C_IO_TIME);
  g_autofree char *par = test_values (run, 0, PD_C_CPU_TIME_PAR);
  g_autofree PdIntervalResult *result = test_result (run, 0);
  g_assert_cmpstr (remote, ==, in_io ? "0 0" : "0 9");
  g_assert_cmpstr (io, ==, in_io ? "0 9" : "0 0");
  g_assert_cmpstr (file, ==, in_io ? "10 0" : "0 0");
  g_assert_cmpstr (par, ==, in_io ? "0 0" : "0 10");
  g_assert_cmpuint (result->counts[PD_Q_N_REMOTE_ACCESS - PD_N_TIMES], ==, in_io ? 0 : 1);
}

/* Started at 0, the message is there at 9. Processor 1 computes 4 and waits 5;
 * each computed 4 after both had started. */
static void
test_overlap (void)
{
  PdPredictOptions options = test_options ("ethernet:startup=1us,per-byte=1us");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 array = make_array (trace, &line_10);

  test_trace_copy (trace, "acopel_", (TestSide){ array, "0" }, (TestSide){ array, "9" },
                   "CopyFlagPtr=77;", 0);
  test_trace_ordinary (trace, 4, 0);
  test_trace_waitcp (trace, "77", 0);
  g_autoptr (TestRun) run = test_run (trace, "2", &options);
  g_autofree char *remote = test_values (run, 0, PD_C_REMOTE_ACCESS);
  g_autofree char *overlap = test_values (run, 0, PD_C_OVERLAP);
  g_assert_cmpstr (remote, ==, "0 5");
  g_assert_cmpstr (overlap, ==, "4 4");
}

/* ---- what is wrong, or odd */

typedef enum
{
  FINE = -1,
  OBJECT = PD_DVM_MODEL_ERROR_OBJECT,
  PARAMETER = PD_DVM_MODEL_ERROR_PARAMETER,
} Code;

/* Array 1 is line_10, 2 rows_10x4, 3 not aligned, 9 does not exist. */
static const struct
{
  const char *name, *function;
  TestSide from, to;
  const char *more;
  Code code;
  const char *warning;
} odd[] = {
  { "no-source", "arrcpy_", { 9, "0:1" }, { 1, "0:1" }, "", OBJECT, NULL },
  { "no-target", "arrcpy_", { 1, "0:1" }, { 9, "0:1" }, "", OBJECT, NULL },
  { "memory-only", "arrcpy_", { 0, NULL }, { 0, NULL }, "", PARAMETER, NULL },
  { "rank", "arrcpy_", { 2, "0:1" }, { 1, "0:1" }, "", PARAMETER, NULL },
  { "outside", "arrcpy_", { 1, "10:11" }, { 1, "0:1" }, "", PARAMETER, NULL },
  { "clipped", "arrcpy_", { 1, "8:99" }, { 1, "0:1" }, "", FINE, NULL },
  { "shortened", "arrcpy_", { 1, "0:8" }, { 1, "0:3" }, "", FINE, "copy-shortened" },
  { "shortened-target", "arrcpy_", { 1, "0:3" }, { 2, "-1,-1" }, "", FINE, "copy-shortened" },
  { "not-aligned", "arrcpy_", { 3, "0:1" }, { 1, "0:1" }, "", FINE, "pattern-not-mapped" },
  { "to-not-aligned", "copelm_", { 1, "0" }, { 3, "0" }, "", FINE, "pattern-not-mapped" },
  { "no-flag", "aarrcp_", { 1, "0:1" }, { 1, "0:1" }, "", PARAMETER, NULL },
  { "element-outside", "rwelm_", { 1, "10" }, { 0, NULL }, "", PARAMETER, NULL },
  { "element-negative", "rwelm_", { 1, "-1" }, { 0, NULL }, "", PARAMETER, NULL },
  { "element-rank", "elmcpy_", { 2, "1" }, { 0, NULL }, "", PARAMETER, NULL },
};

static void
test_odd (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  PdPredictOptions options = test_options ("ethernet:startup=1us,per-byte=1ns");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  g_autoptr (GError) error = NULL;
  gint64 arrays[10] = { [9] = 0x99 };
  TestSide from = odd[i].from, to = odd[i].to;

  arrays[1] = make_array (trace, &line_10);
  arrays[2] = make_array (trace, &rows_10x4);
  arrays[3] = 0x10;
  test_trace_call (trace, "crtda_", 0, 0,
                   "ArrayHeader=8; Rank=1; TypeSize=8; ReDistrSign=0; SizeArray[0]=10;",
                   "ArrayHandlePtr=10;");
  from.array = arrays[from.array];
  to.array = arrays[to.array];
  test_trace_copy (trace, odd[i].function, from, to, odd[i].more, 3);
  test_trace_exit (trace, 0);
  PdReportRun *run = test_predict (trace->text->str, "4", &options, &error);
  if (odd[i].code != FINE)
    {
      g_assert_null (run);
      g_assert_error (error, PD_DVM_MODEL_ERROR, odd[i].code);
      return;
    }
  g_assert_no_error (error);
  g_assert_cmpuint (pd_messages_get_n (run->messages), ==, odd[i].warning == NULL ? 0 : 1);
  if (odd[i].warning != NULL)
    g_assert_cmpuint (pd_messages_count (run->messages, odd[i].warning), ==, 1);
  test_report_run_free (run);
}

/* As many elements as the smaller section has. */
static void
test_shortened (void)
{
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 array = make_array (trace, &line_10);

  test_trace_copy (trace, "arrcpy_", (TestSide){ array, "-1" }, (TestSide){ array, "9:9" }, "", 0);
  g_autofree char *messages = watch_messages (trace, "4");
  g_assert_cmpstr (messages, ==, "0>3:8");
}

/* A copy that was not started, or waited for already: only its time passes. */
static void
test_not_started (void)
{
  PdPredictOptions options = test_options ("ethernet:startup=1us,per-byte=1us");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 array = make_array (trace, &line_10);

  test_trace_waitcp (trace, "77", 3);
  test_trace_copy (trace, "aarrcp_", (TestSide){ array, "0:0" }, (TestSide){ array, "9:9" },
                   "CopyFlagPtr=77;", 0);
  test_trace_waitcp (trace, "77", 0);
  test_trace_waitcp (trace, "77", 3);
  g_autoptr (TestRun) run = test_run (trace, "2", &options);
  g_autofree char *seq = test_values (run, 0, PD_C_CPU_TIME_SEQ);
  g_assert_cmpuint (pd_messages_count (run->messages, "not-started"), ==, 2);
  g_assert_cmpstr (seq, ==, "6 6");
}

/* A flag is used again before it was waited for: the later copy counts. */
static void
test_restarted (void)
{
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 array = make_array (trace, &line_10);

  for (guint k = 0; k < 2; k++)
    test_trace_copy (trace, "aarrcp_", (TestSide){ array, "0:0" }, (TestSide){ array, "9:9" },
                     "CopyFlagPtr=77;", 0);
  test_trace_waitcp (trace, "77", 0);
  g_autofree char *messages = watch_messages (trace, "2");
  g_assert_cmpstr (messages, ==, "0>1:8 0>1:8");
}

/* Inside a portion of a loop only its time counts, as that of all collectives. */
static void
test_in_loop (void)
{
  PdPredictOptions options = test_options ("ethernet:startup=1us,per-byte=1us");
  g_autoptr (TestTrace) trace = test_trace_new ("1");
  gint64 array = make_array (trace, &line_10);
  gint64 loop = test_trace_loop (trace, array, "0:9", "1*1+0");

  test_trace_dopl (trace, loop, 0, 1);
  test_trace_copy (trace, "copelm_", (TestSide){ array, "0" }, (TestSide){ array, "9" }, "", 10);
  test_trace_dopl (trace, loop, 0, 0);
  g_autoptr (TestRun) run = test_run (trace, "2", &options);
  g_autofree char *par = test_values (run, 0, PD_C_CPU_TIME_PAR);
  g_assert_cmpuint (pd_messages_count (run->messages, "collective-in-loop"), ==, 1);
  g_assert_cmpstr (par, ==, "5 5");
}

/* Within a task of processors 0 and 1, who alone come to it, an array of all 4 is
 * copied between those two, and then to one outside. */
static void
test_in_task (void)
{
  g_autoptr (TestLog) log = test_log_new ();
  PdObserver observer = test_log_observer (log);
  PdPredictOptions options = test_options ("ethernet:startup=1us,per-byte=1us");
  g_autoptr (TestTrace) trace = test_trace_new_virtual ("1", "4");
  Array line_8 = { "8", "1", "8", "1*1+0" };
  gint64 array = make_array (trace, &line_8);

  test_trace_call (trace, "crtps_", 0, 0, "PSRef=0; InitIndexArray[0]=0; LastIndexArray[0]=1;",
                   "PSRef=d1;");
  test_trace_call (trace, "crtamv_", 0, 0, "AMRef=0; Rank=1; SizeArray[0]=1;", "AMViewRef=e;");
  test_trace_call (trace, "getamr_", 0, 0, "AMViewRef=e; IndexArray[0]=0;", "AMRef=e1;");
  test_trace_call (trace, "mapam_", 0, 0, "AMRef=e1; PSRef=d1;", "");
  test_trace_call (trace, "runam_", 0, 0, "AMRef=e1;", "Run=1;");
  test_trace_copy (trace, "copelm_", (TestSide){ array, "0" }, (TestSide){ array, "3" }, "", 0);
  test_trace_copy (trace, "copelm_", (TestSide){ array, "0" }, (TestSide){ array, "7" }, "", 5);
  test_trace_call (trace, "stopam_", 0, 0, "", "");
  test_trace_copy (trace, "copelm_", (TestSide){ array, "0" }, (TestSide){ array, "7" }, "", 0);
  options.observer = &observer;
  g_autoptr (TestRun) run = test_run (trace, "4", &options);
  g_autofree char *messages = test_log_show (log);
  g_assert_cmpstr (messages, ==, "0>1:8 0>3:8");
  g_assert_cmpuint (pd_messages_count (run->messages, "copy-outside-task"), ==, 1);
}

static void
add_table (const char *folder, const char *name, gsize i, GTestDataFunc func)
{
  g_autofree char *path = g_strdup_printf ("/predictor/dvm-copies/%s/%s", folder, name);

  g_test_add_data_func (path, GSIZE_TO_POINTER (i), func);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (copies); i++)
    {
      add_table ("messages", copies[i].name, i, test_copy);
      add_table ("async", copies[i].name, i, test_async);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (times); i++)
    add_table ("time", times[i].name, i, test_time);
  for (gsize i = 0; i < G_N_ELEMENTS (odd); i++)
    add_table ("odd", odd[i].name, i, test_odd);
  g_test_add_func ("/predictor/dvm-copies/replicas", test_replicas);
  g_test_add_func ("/predictor/dvm-copies/speeds", test_speeds);
  g_test_add_data_func ("/predictor/dvm-copies/component/remote", GINT_TO_POINTER (FALSE),
                        test_component);
  g_test_add_data_func ("/predictor/dvm-copies/component/io", GINT_TO_POINTER (TRUE),
                        test_component);
  g_test_add_func ("/predictor/dvm-copies/overlap", test_overlap);
  g_test_add_func ("/predictor/dvm-copies/shortened", test_shortened);
  g_test_add_func ("/predictor/dvm-copies/not-started", test_not_started);
  g_test_add_func ("/predictor/dvm-copies/restarted", test_restarted);
  g_test_add_func ("/predictor/dvm-copies/in-loop", test_in_loop);
  g_test_add_func ("/predictor/dvm-copies/in-task", test_in_task);
  return g_test_run ();
}
