/* Timelines of message-passing programs and graphs: their files are read as a viewer would,
 * and what each rank does in them is, to the picosecond, what the report says; and being
 * told of changes nothing.
 * SPDX-License-Identifier: MIT */
#include "analyse/pd-analysis.h"
#include "predictor/mp/pd-mp.h"
#include "tests/support/folders.h"
#include "tests/support/mp/mp-random.h"
#include "tests/support/mp/mp-script.h"
#include "tests/support/timelines.h"
#include "traces/otf2/pd-otf2-writer.h"
#include "analyse/pd-analysis-timeline.h"
#include "intervals/pd-interval-fold.h"
#include "timeline/pd-timeline-feed.h"
#include "traces/program/pd-action.h"
#include "traces/program/pd-program-builder.h"
#include "traces/open/pd-trace-read.h"

#include <string.h>

/* ---- message passing */

static guint64
count_sends (const PdReportRun *run)
{
  const gsize n = PD_N_QUANTITIES - PD_N_TIMES;
  g_autofree guint64 *counts = g_new (guint64, run->n_processors * n);
  guint64 sum = 0;

  pd_interval_tree_get_counts (run->tree, PD_INTERVAL_ROOT, counts);
  for (guint32 rank = 0; rank < run->n_processors; rank++)
    sum += counts[rank * n + PD_Q_N_SENDS - PD_N_TIMES];
  return sum;
}

static PdReportRun *
predict_program (const PdProgram *program, const char *machine, PdTimelineFeed *feed,
                 gboolean one_step)
{
  g_autoptr (GError) error = NULL;
  const PdMpOptions options = {
    .trace = "test", .machine = machine, .timeline = feed, .one_step = one_step, .check = TRUE
  };
  PdReportRun *run = pd_mp_predict_program (&options, program, &error);

  g_assert_no_error (error);
  return run;
}

static void
try_program (const PdProgram *program, const char *machine)
{
  TestWatch watch, slow;

  test_watch_init (&watch);
  test_watch_init (&slow);
  PdReportRun *without = predict_program (program, machine, NULL, FALSE);
  PdReportRun *run = predict_program (program, machine, watch.feed, FALSE);
  PdReportRun *again = predict_program (program, machine, slow.feed, TRUE);
  g_autofree char *a = test_dump (without), *b = test_dump (run);

  g_assert_cmpstr (a, ==, b);
  test_watch_check (&watch, run);
  test_watch_check (&slow, again);
  g_assert_cmpuint (watch.timeline->n_messages + watch.timeline->n_left_out, ==, count_sends (run));
  test_watch_compare (&watch, &slow);
  test_watch_clear (&watch);
  test_watch_clear (&slow);
  pd_report_run_free (without);
  pd_report_run_free (run);
  pd_report_run_free (again);
}

static const char *const machines[] = {
  "ideal",
  "ethernet:startup=10us,per-byte=10ns,eager=1KiB",
  "myrinet:startup=7us,per-byte=4ns,channels=4,eager=10,detached=1MB",
  ("myrinet:startup=7us,per-byte=4ns,processors-per-node=2,memory-startup=1us,"
   "memory-per-byte=1ns,send-overhead=2us,recv-overhead=3us,wait-overhead=1us"),
  "loggops:L=2500ns,o=1500ns,g=1000ns,G=6ns,O=1ns,S=1000",
  "flow:topology=star,nic-latency=5us,nic-bandwidth=1GB/s,sharing=rtt,eager=1KiB",
  "dimemas:latency=5us,bandwidth=1GB/s,in-links=1,out-links=1,eager=1KiB",
};

static void
test_random_programs (gconstpointer data)
{
  const char *machine = data;

  for (guint32 seed = 0; seed < 30; seed++)
    {
      const TestContents contents = { .one_sided = seed % 2 == 0 };
      g_autoptr (PdProgram) program = test_draw_program (seed, contents);
      g_test_message ("seed %u", seed);
      try_program (program, machine);
    }
}

/* Wildcards, nonblocking operations, waits for some, persistent requests, one-sided
 * communication, reductions that compute, intervals within intervals, and again. */
static const struct
{
  const char *name;
  guint32 n;
  const char *text;
} scripts[] = {
  { "wildcards", 3,
    "1 compute 3;1 send 0 5000;2 send 0 70 4;0 recv any 5000;0 recv any 5000 4;0 compute 1" },
  { "beside", 2,
    "0 iallreduce 800 0;1 iallreduce 800 0;0 compute 50;1 compute 5;0 wait 0;1 wait 0" },
  { "some", 2,
    "0 irecv 1 10 0;0 irecv 1 20 1;1 compute 9;1 send 0 10;1 compute 9;1 send 0 20;"
    "0 waitany 0 1;0 compute 2;0 waitall" },
  { "persistent", 2,
    "0 sendinit 1 100 0;1 recvinit 0 100 0;0 start 0;1 start 0;0 compute 1;0 wait 0;1 wait 0;"
    "0 start 0;1 start 0;0 wait 0;1 compute 9;1 wait 0;0 free 0;1 free 0" },
  { "one-sided", 2,
    "0 put 1 1000;0 fence;1 fence;1 lock 0 1;1 get 0 10;1 accumulate 0 90;1 unlock 0;0 compute 5" },
  { "reductions", 3,
    "0 compute 5;0 allreduce 800 7;1 allreduce 800 7;2 allreduce 800 7;"
    "0 barrier;1 compute 3;1 barrier;2 barrier" },
  { "intervals", 2,
    "0 enter a;0 enter b;0 compute 5;0 leave b;0 enter b;0 leave b;0 send 1 10;0 leave a;"
    "1 enter a;1 enter a;1 recv 0 10;1 leave a;1 leave a;0 compute 2;0 enter c" },
  { "others", 2, "0 other MPI_File_open 12;0 delay 4;0 sendrecv 1 5 1 7;1 sendrecv 0 7 0 5" },
  { "nobody", 2, "0 compute 4" },
};

static void
test_script (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (PdProgram) program = mp_script_new (scripts[i].n, PD_AMOUNT_TIME, scripts[i].text);

  for (gsize k = 0; k < G_N_ELEMENTS (machines) - 1; k++)
    try_program (program, machines[k]);
}

/* ---- what was recorded */

/* A predicted run, as a measured one: its timeline is that of the prediction, but for
 * messages, which are received when a call says so. */
static void
test_recorded (void)
{
  for (guint32 seed = 0; seed < 30; seed++)
    {
      g_autoptr (PdProgram) program =
          test_draw_program (seed, (TestContents){ .one_sided = FALSE });
      g_autoptr (PdProgram) replayed = NULL;
      g_autoptr (GError) error = NULL;
      const PdMpOptions options = { .trace = "test",
                                    .machine = machines[1],
                                    .replayed = &replayed };
      PdReportRun *run = pd_mp_predict_program (&options, program, &error);
      g_assert_no_error (error);
      g_autoptr (PdAnalysis) analysis = pd_analysis_new (replayed, "test", NULL, &error);
      g_assert_no_error (error);
      TestWatch watch;
      test_watch_init (&watch);
      pd_analysis_notify (analysis, "test", watch.feed);
      test_watch_check (&watch, run);
      g_assert_cmpuint (watch.timeline->n_messages, ==, analysis->n_messages);
      test_watch_clear (&watch);
      pd_report_run_free (run);
    }
}

/* Ranks need not begin at once. */
static void
test_begins (void)
{
  g_autoptr (PdProgramBuilder) builder = pd_program_builder_new (2, PD_AMOUNT_TIME);
  g_autoptr (GError) error = NULL;
  PdAction action;
  TestWatch watch;

  for (guint32 rank = 0; rank < 2; rank++)
    {
      pd_action_init (&action, PD_ACT_COMPUTE);
      action.amount.time = PD_TIME (1000 + rank);
      g_assert_true (pd_program_builder_add (builder, rank, &action, &error));
      pd_action_init (&action, rank == 0 ? PD_ACT_SEND : PD_ACT_RECV);
      action.peer = 1 - (gint32) rank;
      action.tag = 3;
      action.bytes = 99;
      action.recorded = 5000;
      g_assert_true (pd_program_builder_add (builder, rank, &action, &error));
      pd_program_builder_set_recorded_begin (builder, rank, PD_TIME (rank * 777));
    }
  g_autoptr (PdProgram) program = pd_program_builder_finish (g_steal_pointer (&builder));
  g_autoptr (PdAnalysis) analysis = pd_analysis_new (program, "test", NULL, &error);
  const PdReportRun run = { .n_processors = 2,
                            .tree = analysis->tree,
                            .end_times = analysis->end_times };

  test_watch_init (&watch);
  pd_analysis_notify (analysis, "test", watch.feed);
  g_assert_true (pd_timeline_feed_end (watch.feed, &error));
  g_autoptr (TestTraceEvents) events = test_watch_read (&watch);
  test_watch_check_sums (&watch, events, &run, program);
  g_assert_cmpuint (watch.timeline->n_messages, ==, 1);
  g_assert_cmpint (watch.timeline->messages[0].sent.ps, ==, 1000);
  g_assert_cmpint (watch.timeline->messages[0].received.ps, ==, 777 + 1001 + 5000);
  g_assert_cmpint (watch.timeline->messages[0].bytes, ==, 99);
  test_watch_clear (&watch);
}

/* ---- files */

static PdMpTrace *
read_trace (const char *path, GBytes *bytes)
{
  const PdTraceSource source = { .path = path, .bytes = bytes };
  g_autoptr (PdMessages) messages = pd_messages_new ();
  g_autoptr (GError) error = NULL;
  PdMpTrace *trace = pd_mp_trace_read (&source, &(PdTraceReadOptions){ 0 }, messages, &error);

  g_assert_no_error (error);
  return trace;
}

static void
try_trace (const PdMpTrace *trace, const char *machine, gboolean one_cpu)
{
  g_autoptr (GError) error = NULL;
  TestWatch watch;

  test_watch_init (&watch);
  PdMpOptions options = { .trace = "test", .machine = machine, .check = TRUE };
  PdReportRun *without = pd_mp_predict (&options, trace, &error);
  g_assert_no_error (error);
  options.timeline = watch.feed;
  PdReportRun *run = pd_mp_predict (&options, trace, &error);
  g_assert_no_error (error);
  g_autofree char *a = test_dump (without), *b = test_dump (run);
  g_assert_cmpstr (a, ==, b);
  for (guint32 rank = 0; rank < run->n_processors; rank++)
    g_assert_cmpint (run->end_times[rank].ps, ==, without->end_times[rank].ps);
  if (one_cpu)
    test_watch_check (&watch, run);
  else
    {
      g_assert_true (pd_timeline_feed_end (watch.feed, &error));
      g_autoptr (TestTraceEvents) events = test_watch_read (&watch);
      g_assert_cmpuint (events->n_flows, ==, run->n_messages);
      g_assert_cmpuint (events->threads->len, >, run->n_processors);
    }
  test_watch_clear (&watch);
  pd_report_run_free (without);
  pd_report_run_free (run);
}

static const struct
{
  const char *name;
  const char *path; /* or the trace itself */
  const char *machine;
} files[] = {
  { "ring", "tests/data/ring.ti", "mvs1000" },
  { "graph-flow", "tests/data/graphs/overlap-rendezvous.goal",
    "flow:topology=crossbar,latency=10us,bandwidth=1GB/s" },
  { "graph-loggops",
    "num_ranks 2\nrank 0 {\na: calc 500\nb: send 1000b to 1\nb requires a\n}\n"
    "rank 1 {\na: recv 1000b from 0\nb: calc 70\nb requires a\n}\n",
    "loggops:L=2003ns,o=1009ns,g=3011ns,G=1ns" },
  { "graph-overheads", "tests/data/graphs/wildcards.goal",
    "ideal:send-overhead=2us,recv-overhead=1us" },
};

static void
test_file (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  gboolean is_text = strchr (files[i].path, '\n') != NULL;
  g_autoptr (GBytes) bytes =
      is_text ? g_bytes_new_static (files[i].path, strlen (files[i].path)) : NULL;
  g_autoptr (PdMpTrace) trace = read_trace (is_text ? "test" : files[i].path, bytes);

  try_trace (trace, files[i].machine, TRUE);
}

/* ---- what was recorded elsewhere */

static const struct
{
  const char *name;
  const char *file;
  const char *machine;
} recorded[] = {
  { "jacobi2d", "jacobi2d.64.ti.gz", "mvs1000" },
  { "ring", "ring.256.ti.gz", "ethernet:startup=10us,per-byte=10ns" },
  { "is", "is.S.4.ti.gz", "loggops:L=2500ns,o=1500ns,g=1000ns,G=6ps/B" },
  { "all-to-all", "a2a1.128.ti.gz", "mvs1000" },
};

static void
test_trace_of (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);
  const char *shared = g_getenv ("PREDICTOR_SHARED");
  g_autofree char *path = g_build_filename (shared != NULL ? shared : "../shared", "traces", "ti",
                                            recorded[i].file, NULL);

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_test_skip ("../shared is absent");
      return;
    }
  g_autoptr (PdMpTrace) trace = read_trace (path, NULL);
  try_trace (trace, recorded[i].machine, TRUE);
}

/* An archive is predicted, and analysed, as what it was made of. */
static void
test_archive (void)
{
  g_autoptr (PdProgram) program = test_draw_program (7, (TestContents){ .one_sided = FALSE });
  g_autoptr (PdProgram) replayed = NULL;
  g_autoptr (GError) error = NULL;
  const PdMpOptions options = { .trace = "test", .machine = machines[1], .replayed = &replayed };
  g_autofree char *folder = g_dir_make_tmp ("pd-test-XXXXXX", &error);
  g_autofree char *path = g_build_filename (folder, "run.otf2", NULL);
  g_autoptr (PdMessages) messages = pd_messages_new ();
  const PdTraceReadOptions reading = { .recorded = TRUE };
  TestWatch watch;

  pd_report_run_free (pd_mp_predict_program (&options, program, &error));
  g_assert_no_error (error);
  g_assert_true (pd_otf2_write (replayed, path, &(PdTraceWriteOptions){ 0 }, messages, &error));
  const PdTraceSource source = { .path = path };
  g_autoptr (PdMpTrace) trace = pd_mp_trace_read (&source, &reading, messages, &error);
  g_assert_no_error (error);
  try_trace (trace, machines[2], TRUE);
  g_autoptr (PdAnalysis) analysis = pd_analysis_new (trace->program, "test", NULL, &error);
  g_assert_no_error (error);
  const PdReportRun run = { .n_processors = pd_program_get_n_ranks (program),
                            .tree = analysis->tree,
                            .end_times = analysis->end_times };
  test_watch_init (&watch);
  pd_analysis_notify (analysis, "test", watch.feed);
  g_assert_true (pd_timeline_feed_end (watch.feed, &error));
  g_autoptr (TestTraceEvents) events = test_watch_read (&watch);
  test_watch_check_sums (&watch, events, &run, trace->program);
  g_assert_cmpuint (events->n_flows, ==, analysis->n_messages);
  test_watch_clear (&watch);
  test_remove_all (folder);
}

/* ---- graphs with several CPUs */

static const char several[] =
    "num_ranks 2\nrank 0 {\na: calc 5000 cpu 0\nb: calc 7000 cpu 1\nc: send 900b to 1 cpu 1\n"
    "c requires a\n}\nrank 1 {\na: recv 900b from 0 cpu 0\nb: calc 20000 cpu 1\n}\n";

static void
test_several_cpus (void)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (several, strlen (several));
  g_autoptr (PdMpTrace) trace = read_trace ("test", bytes);

  try_trace (trace, "ideal:send-overhead=2us,recv-overhead=1us", FALSE);
  try_trace (trace, "loggops:L=1us,o=1us,g=1us,G=1ns", FALSE);
}

/* The kernel for graphs, which clocks that go back need, tells nothing: that is an error, or, if
 * nobody has asked, silence. */
static void
test_kernel (void)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (several, strlen (several));
  g_autoptr (PdMpTrace) trace = read_trace ("test", bytes);
  g_autoptr (GError) error = NULL;
  PdMpOptions options = { .trace = "test",
                          .machine = "loggops:L=1us,o=1us,g=1us,G=1ns,compat=loggopsim" };
  TestWatch watch;

  test_watch_init (&watch);
  options.timeline = watch.feed;
  g_assert_null (pd_mp_predict (&options, trace, &error));
  g_assert_nonnull (error);
  options.timeline_if_cheap = TRUE;
  PdReportRun *run = pd_mp_predict (&options, trace, NULL);
  g_assert_nonnull (run);
  g_assert_cmpuint (watch.timeline->n_ranks, ==, 0);
  pd_report_run_free (run);
  test_watch_clear (&watch);
}

static void
add_rows (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (machines); i++)
    {
      g_autofree char *path = g_strdup_printf ("/timeline/runs/random/%u", (guint) i);
      g_test_add_data_func (path, machines[i], test_random_programs);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (scripts); i++)
    {
      g_autofree char *path = g_strconcat ("/timeline/runs/script/", scripts[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_script);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = g_strconcat ("/timeline/runs/file/", files[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_file);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (recorded); i++)
    {
      g_autofree char *path = g_strconcat ("/timeline/runs/trace/", recorded[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_trace_of);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add_rows ();
  g_test_add_func ("/timeline/runs/recorded", test_recorded);
  g_test_add_func ("/timeline/runs/begins", test_begins);
  g_test_add_func ("/timeline/runs/archive", test_archive);
  g_test_add_func ("/timeline/runs/several-cpus", test_several_cpus);
  g_test_add_func ("/timeline/runs/kernel", test_kernel);
  return g_test_run ();
}
