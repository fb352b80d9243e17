/* The recorder without MPI: what is told to it is read again, also of ranks that
 * died or forked, and of hosts with other clocks.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "record/life/pd-rec-finish.h"
#include "record/life/pd-rec-folder.h"
#include "tests/support/record.h"
#include "record/archive/pd-rec-align.h"
#include "record/archive/pd-rec-define.h"
#include "record/life/pd-rec-life.h"
#include "record/stream/pd-rec-clock.h"
#include "record/stream/pd-rec-stream.h"
#include "predictor/symbols/pd-resolve.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void
test_everything (TestRecord *fixture, gconstpointer data G_GNUC_UNUSED)
{
  test_record_set_clock (fixture, TEST_CLOCK_OF_TWO);
  test_record_run (2, test_record_two, NULL);
  g_assert_false (test_record_has (fixture, "rank-0.raw"));
  g_assert_false (test_record_has (fixture, "rank-1.raw"));
  g_autofree char *text = test_record_text (fixture);
  test_assert_lines (text, test_record_text_of_two);
}

/* ---- what recording costs */

static int
costing (const PdRecMpi *mpi, gpointer data G_GNUC_UNUSED)
{
  if (!test_record_begin (mpi))
    return 1;
  pd_rec_set_cost (PD_REC_COST_BLOCKING, mpi->rank == 0 ? 250125 : 7);
  pd_rec_set_cost (PD_REC_COST_TEST, mpi->rank == 0 ? 0 : 61000);
  test_record_call (SEND, NULL);
  pd_rec_send (1 - mpi->rank, 0, PD_REC_COMM_WORLD, 8, 0, PD_REC_STANDARD);
  for (int i = 0; i < 3; i++)
    {
      test_record_call (IRECV, NULL);
      pd_rec_recv_posted (1 - mpi->rank, 0, PD_REC_COMM_WORLD, 8, (uint32_t) i + 1);
      test_record_call (WAITALL, NULL);
      if (i > 0)
        pd_rec_tested ((uint32_t) i + 1);
      else
        pd_rec_recv_done ((uint32_t) i + 1, 1 - mpi->rank, 0, PD_REC_COMM_WORLD, 8);
    }
  test_record_call (IBCAST, NULL);
  pd_rec_collective (PD_REC_BCAST, PD_REC_COMM_WORLD, 0, 0, 0, 9);
  test_record_call (ALLREDUCE, NULL);
  pd_rec_collective (PD_REC_ALLREDUCE, PD_REC_COMM_WORLD, PD_REC_NO_ROOT, 16, 16, 0);
  test_record_end ();
  return 0;
}

/* Of both ranks; the greatest cost counts. */
static void
test_costs (TestRecord *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_auto (PdRecordedInfo) info = { 0 };
  GError *error = NULL;

  test_record_set_clock (fixture, TEST_CLOCK_OF_TWO);
  test_record_run (2, costing, NULL);
  pd_resolve_archive (fixture->archive, &info, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (info.call_costs, ==, "2:250.125 10:0.000 2:0.000 4:61.000 4:0.000");
  g_assert_cmpuint (info.n_calls, ==, 22);
  gdouble blocking = 250.125e-9 / info.length, tests = 2 * 61e-9 / info.length;
  g_assert_cmpfloat_with_epsilon (pd_recorded_info_get_overhead_of (&info, PD_RECORDED_BLOCKING),
                                  blocking, 1e-9 * blocking);
  g_assert_cmpfloat_with_epsilon (pd_recorded_info_get_overhead (&info), blocking + tests,
                                  1e-9 * blocking);
}

/* ---- runs that end otherwise */

/* The archive is made from the streams, with the calls up to the last. */
static void
test_died (TestRecord *fixture, gconstpointer data G_GNUC_UNUSED)
{
  test_record_set_clock (fixture, TEST_CLOCK_OF_TWO);
  test_record_run (2, test_record_two, fixture);
  g_assert_false (test_record_has (fixture, "traces.otf2"));
  g_assert_cmpuint (test_record_finish (fixture), ==, 2);
  g_autofree char *text = test_record_text (fixture);
  g_auto (GStrv) parts = g_strsplit (test_record_text_of_two, "  compute 1us\n  end 27us\n", 2);
  test_assert_lines (text, parts[0]);
}

/* Rank 1 waits for ever. */
static int
killed_in_call (const PdRecMpi *mpi, gpointer data G_GNUC_UNUSED)
{
  if (!test_record_begin (mpi))
    return 1;
  test_record_call (BARRIER, NULL);
  pd_rec_collective (PD_REC_BARRIER, PD_REC_COMM_WORLD, PD_REC_NO_ROOT, 0, 0, 0);
  if (mpi->rank == 1)
    pd_rec_entering (RECV, pd_rec_now ());
  raise (SIGKILL);
  return 0;
}

static void
test_killed (TestRecord *fixture, gconstpointer data G_GNUC_UNUSED)
{
  test_record_set_clock (fixture, "* times 0 10 20 50 80\n");
  g_autofree int *statuses = test_fork_mpi (2, killed_in_call, NULL);

  g_assert_true (WIFSIGNALED (statuses[0]) && WIFSIGNALED (statuses[1]));
  g_assert_cmpuint (test_record_finish (fixture), ==, 2);
  g_autofree char *text = test_record_text (fixture);
  test_assert_lines (text, "rank 0 {\n  compute 10ns\n  barrier took=30ns\n  end 40ns\n}\n"
                           "rank 1 {\n  compute 10ns\n  barrier took=30ns\n  compute 30ns\n"
                           "  end 70ns\n}\n");
}

/* What a child does is nobody's record; it may even end MPI. */
static int
forks (const PdRecMpi *mpi, gpointer data G_GNUC_UNUSED)
{
  int status;

  if (!test_record_begin (mpi))
    return 1;
  test_record_call (BARRIER, NULL);
  pd_rec_collective (PD_REC_BARRIER, PD_REC_COMM_WORLD, PD_REC_NO_ROOT, 0, 0, 0);
  pid_t child = fork ();
  if (child == 0)
    {
      if (pd_rec_is_on () || pd_rec_is_open () || pd_rec_was_begun ())
        _exit (1);
      test_record_call (SEND, __builtin_return_address (0));
      pd_rec_send (0, 0, PD_REC_COMM_WORLD, 1, 0, PD_REC_STANDARD);
      pd_rec_world_synchronised ();
      pd_rec_end ();
      _exit (0);
    }
  waitpid (child, &status, 0);
  test_record_end ();
  return status;
}

/* The streams of a run that is not over stay what they are. */
static int
still_runs (const PdRecMpi *mpi, gpointer data)
{
  TestRecord *fixture = data;
  PdRecError error = { "" };
  int status = 0;

  if (!test_record_begin (mpi))
    return 1;
  mpi->barrier (mpi->data);
  if (mpi->rank == 0
      && (pd_rec_still_runs (fixture->folder) < 0
          || pd_rec_finish (fixture->folder, NULL, NULL, NULL, &error) == 0
          || error.text[0] == '\0'))
    status = 2;
  mpi->barrier (mpi->data);
  test_record_end ();
  return status;
}

static void
test_still_runs (TestRecord *fixture, gconstpointer data G_GNUC_UNUSED)
{
  test_record_run (2, still_runs, fixture);
  g_assert_cmpint (pd_rec_still_runs (fixture->folder), ==, -1);
  g_assert_true (test_record_has (fixture, "traces.otf2"));
}

/* ---- several threads */

/* A message over a communicator of its own, told to the streams of both threads. */
static gpointer
sends_over_new (gpointer data)
{
  const PdRecMpi *mpi = data;
  int32_t members[] = { 0, 1 };

  pd_rec_thread_begin ();
  test_record_call (SPLIT, NULL);
  uint32_t comm = pd_rec_comm (members, 2, PD_REC_COMM_WORLD, 17, "new");
  pd_rec_collective (PD_REC_CREATE_HANDLE, PD_REC_COMM_WORLD, PD_REC_NO_ROOT, 0, 0, 0);
  test_record_call (ISEND, NULL);
  pd_rec_send (1 - mpi->rank, 1, comm, 8, 1, PD_REC_STANDARD);
  test_record_call (IRECV, NULL);
  pd_rec_recv_posted (1 - mpi->rank, 1, comm, 8, 2);
  test_record_call (IBCAST, NULL);
  pd_rec_collective (PD_REC_BCAST, comm, 1, mpi->rank == 1 ? 128 : 0, 64, 3);
  pd_rec_stream_leave ();
  return GUINT_TO_POINTER (comm);
}

/* One more, which takes the stream that the first has left. */
static gpointer
sends_again (gpointer data)
{
  const PdRecMpi *mpi = data;

  pd_rec_thread_begin ();
  pd_rec_stream_catch_up (G_MAXUINT64 - 1);
  test_record_call (SEND, NULL);
  pd_rec_send (1 - mpi->rank, 2, PD_REC_COMM_WORLD, 16, 0, PD_REC_STANDARD);
  pd_rec_stream_leave ();
  return NULL;
}

static int
has_threads (const PdRecMpi *mpi, gpointer data)
{
  if (!test_record_begin (mpi))
    return 1;
  uint32_t comm =
      GPOINTER_TO_UINT (g_thread_join (g_thread_new ("first", sends_over_new, (gpointer) mpi)));
  pd_rec_define_catch_up ();
  test_record_call (WAITALL, NULL);
  pd_rec_recv_done (2, 1 - mpi->rank, 1, comm, 8);
  pd_rec_send_done (1);
  pd_rec_coll_done (PD_REC_BCAST, comm, 1, mpi->rank == 1 ? 128 : 0, 64, 3);
  pd_rec_switch (0, pd_rec_now ());
  pd_rec_switch (1, pd_rec_now ());
  g_thread_join (g_thread_new ("second", sends_again, (gpointer) mpi));
  test_record_call (RECV, NULL);
  pd_rec_recv (1 - mpi->rank, 2, PD_REC_COMM_WORLD, 16, 0);
  if (data != NULL)
    raise (SIGKILL);
  test_record_end ();
  return 0;
}

static const char text_of_threads[] = "  comm_split took=1us\n"
                                      "  compute 1us\n"
                                      "  isend PEER 8 tag=1 request=0 took=1us\n"
                                      "  compute 1us\n"
                                      "  irecv PEER 8 tag=1 request=1 took=1us\n"
                                      "  compute 1us\n"
                                      "  ibcast 64 root=1 request=2 took=1us\n"
                                      "  compute 1us\n"
                                      "  waitall 1 0 2 took=1us\n"
                                      "  compute 1us\n"
                                      "  delay 0ps took=1us\n"
                                      "  compute 1us\n"
                                      "  send PEER 16 tag=2 took=1us\n"
                                      "  compute 1us\n"
                                      "  recv PEER 16 tag=2 took=1us\n";

static void
check_threads (TestRecord *fixture)
{
  g_autofree char *text = test_record_text (fixture);
  g_auto (GStrv) ranks = g_strsplit (text, "rank ", -1);
  const char *peers[] = { "1", "0" };

  for (guint i = 0; i < G_N_ELEMENTS (peers); i++)
    {
      g_auto (GStrv) parts = g_strsplit (text_of_threads, "PEER", -1);
      g_autofree char *expected = g_strjoinv (peers[i], parts);
      const char *rank = ranks[g_strv_length (ranks) - 2 + i];
      if (strstr (rank, expected) == NULL)
        g_error ("expected\n%s\nin\n%s", expected, rank);
    }
}

static void
test_threads (TestRecord *fixture, gconstpointer data G_GNUC_UNUSED)
{
  test_record_set_clock (fixture, "* times 0\n");
  test_record_run (2, has_threads, NULL);
  g_assert_false (test_record_has (fixture, "rank-0.1.raw"));
  g_assert_true (test_record_has (fixture, "traces/3.evt"));
  g_assert_false (test_record_has (fixture, "traces/4.evt"));
  check_threads (fixture);
}

static void
test_killed_threads (TestRecord *fixture, gconstpointer data G_GNUC_UNUSED)
{
  test_record_set_clock (fixture, "* times 0\n");
  g_autofree int *statuses = test_fork_mpi (2, has_threads, fixture);

  g_assert_true (WIFSIGNALED (statuses[0]) && WIFSIGNALED (statuses[1]));
  g_assert_true (test_record_has (fixture, "rank-0.1.raw"));
  g_assert_false (test_record_has (fixture, "rank-0.2.raw"));
  g_assert_cmpuint (test_record_finish (fixture), ==, 2);
  check_threads (fixture);
}

/* A descriptor that a program might close, and get again for a file of its own. */
static gboolean
has_open_stream (void)
{
  g_autoptr (GDir) dir = g_dir_open ("/proc/self/fd", 0, NULL);
  gboolean found = FALSE;

  for (const char *name; dir != NULL && (name = g_dir_read_name (dir)) != NULL;)
    {
      g_autofree char *path = g_build_filename ("/proc/self/fd", name, NULL);
      g_autofree char *file = g_file_read_link (path, NULL);
      found = found || (file != NULL && g_str_has_suffix (file, ".raw"));
    }
  return found || dir == NULL;
}

/* The folder's name is relative to where the program was at its beginning. */
static int
goes_away (const PdRecMpi *mpi, gpointer data)
{
  TestRecord *fixture = data;

  if (chdir (fixture->top) != 0)
    return 1;
  g_setenv ("PREDICTOR_RECORD_DIR", "run", TRUE);
  if (!test_record_begin (mpi))
    return 2;
  if (chdir ("/") != 0 || has_open_stream ())
    return 3;
  for (int i = 0; i < 5000; i++)
    {
      test_record_call (BARRIER, NULL);
      pd_rec_collective (PD_REC_BARRIER, PD_REC_COMM_WORLD, PD_REC_NO_ROOT, 0, 0, 0);
    }
  if (has_open_stream ())
    return 4;
  test_record_end ();
  return 0;
}

static void
test_goes_away (TestRecord *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_setenv ("PREDICTOR_BUFFER_SIZE", "64Ki", TRUE);
  test_record_run (2, goes_away, fixture);
  g_autoptr (PdProgram) program = test_record_read (fixture);
  g_assert_cmpuint (test_record_count (program, 0), ==, 5000);
  g_assert_cmpuint (test_record_count (program, 1), ==, 5000);
}

/* Who removes the stream ends the recording, and nothing else. */
static int
loses_file (const PdRecMpi *mpi, gpointer data)
{
  TestRecord *fixture = data;
  g_autofree char *path = g_strdup_printf ("%s/rank-1.raw", fixture->folder);

  if (!test_record_begin (mpi))
    return 1;
  if (mpi->rank == 1)
    unlink (path);
  for (int i = 0; i < 5000; i++)
    test_record_call (BARRIER, NULL);
  if (pd_rec_is_open () != (mpi->rank == 0))
    return 2;
  test_record_end ();
  return 0;
}

static void
test_loses_file (TestRecord *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_setenv ("PREDICTOR_BUFFER_SIZE", "64Ki", TRUE);
  test_record_run (2, loses_file, fixture);
  g_assert_true (test_record_has (fixture, "rank-0.raw"));
  g_assert_cmpuint (test_record_finish (fixture), ==, 1);
}

static void
test_fork (TestRecord *fixture, gconstpointer data G_GNUC_UNUSED)
{
  test_record_set_clock (fixture, "* times 0 10 20 50 80\n");
  test_record_run (2, forks, NULL);
  g_autofree char *text = test_record_text (fixture);
  test_assert_lines (text, "rank 0 {\n  compute 10ns\n  barrier took=30ns\n  compute 30ns\n}\n"
                           "rank 1 {\n  compute 10ns\n  barrier took=30ns\n  compute 30ns\n}\n");
}

/* ---- switched off and on */

static int
pauses (const PdRecMpi *mpi, gpointer data G_GNUC_UNUSED)
{
  if (!test_record_begin (mpi))
    return 1;
  test_record_call (BARRIER, NULL);
  pd_rec_collective (PD_REC_BARRIER, PD_REC_COMM_WORLD, PD_REC_NO_ROOT, 0, 0, 0);
  pd_rec_switch (0, 100);
  if (pd_rec_is_on () || !pd_rec_is_open ())
    return 2;
  uint32_t comm = pd_rec_comm ((const int32_t[]){ 0, 1 }, 2, PD_REC_COMM_WORLD, 9, NULL);
  pd_rec_switch (1, 5000);
  test_record_call (BARRIER, NULL);
  pd_rec_collective (PD_REC_BARRIER, comm, PD_REC_NO_ROOT, 0, 0, 0);
  test_record_end ();
  return 0;
}

static void
test_pause (TestRecord *fixture, gconstpointer data G_GNUC_UNUSED)
{
  test_record_set_clock (fixture, "* times 0 10 20 50 6000 6500\n");
  test_record_run (2, pauses, NULL);
  g_autoptr (PdProgram) program = test_record_read (fixture);
  g_assert_cmpuint (test_record_count (program, 0), ==, 2);
  g_assert_cmpuint (test_record_count (program, 1), ==, 2);
}

/* ---- clocks of several hosts */

/* The clock is five seconds ahead, and gains: the barriers of both meet all the
 * same. */
static int
meets (const PdRecMpi *mpi, gpointer data G_GNUC_UNUSED)
{
  if (!test_record_begin (mpi))
    return 1;
  for (int i = 0; i < 3; i++)
    {
      uint64_t t0 = pd_rec_now ();
      mpi->barrier (mpi->data);
      pd_rec_call (BARRIER, 0, t0, pd_rec_now ());
      pd_rec_collective (PD_REC_BARRIER, PD_REC_COMM_WORLD, PD_REC_NO_ROOT, 0, 0, 0);
      g_usleep (20000);
    }
  test_record_end ();
  return 0;
}

typedef struct
{
  guint64 first[3]; /* ns, of the first event of each rank */
  guint64 last[3];
} Span;

static OTF2_CallbackCode
on_leave (OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position G_GNUC_UNUSED,
          void *data, OTF2_AttributeList *attributes G_GNUC_UNUSED,
          OTF2_RegionRef region G_GNUC_UNUSED)
{
  Span *span = data;

  span->last[location] = time;
  if (span->first[location] == 0)
    span->first[location] = time;
  return OTF2_CALLBACK_SUCCESS;
}

static Span
read_span (TestRecord *fixture, uint32_t n)
{
  OTF2_Reader *reader = OTF2_Reader_Open (fixture->archive);
  OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New ();
  Span span = { { 0 }, { 0 } };

  OTF2_Reader_SetSerialCollectiveCallbacks (reader);
  OTF2_EvtReaderCallbacks_SetLeaveCallback (callbacks, on_leave);
  for (uint32_t i = 0; i < n; i++)
    OTF2_Reader_SelectLocation (reader, i);
  OTF2_Reader_OpenEvtFiles (reader);
  for (uint32_t i = 0; i < n; i++)
    {
      OTF2_EvtReader *events = OTF2_Reader_GetEvtReader (reader, i);
      uint64_t n_read;
      OTF2_Reader_RegisterEvtCallbacks (reader, events, callbacks, &span);
      OTF2_Reader_ReadAllLocalEvents (reader, events, &n_read);
      OTF2_Reader_CloseEvtReader (reader, events);
    }
  OTF2_EvtReaderCallbacks_Delete (callbacks);
  OTF2_Reader_Close (reader);
  return span;
}

/* Rank 2 shares the host of rank 1, and its offset. */
static void
test_hosts (TestRecord *fixture, gconstpointer data G_GNUC_UNUSED)
{
  test_record_set_clock (fixture, "0 host a\n1 host b\n2 host b\n"
                                  "1 skew 5000000000 20000000\n2 skew 5000000000 20000000\n");
  test_record_run (3, meets, NULL);
  Span span = read_span (fixture, 3);
  for (int i = 1; i < 3; i++)
    {
      gint64 first = (gint64) (span.first[i] - span.first[0]);
      gint64 last = (gint64) (span.last[i] - span.last[0]);
      g_test_message ("rank %d: %" G_GINT64_FORMAT " and %" G_GINT64_FORMAT " ns", i, first, last);
      /* five seconds, if clocks were not compared */
      g_assert_cmpint (ABS (first), <, 1000000000);
      g_assert_cmpint (ABS (last), <, 1000000000);
    }
}

static const struct
{
  const char *name;
  uint32_t n_offsets;
  PdRecOffset offsets[2];
  uint64_t t;
  uint64_t expected;
} clocks[] = {
  { "none", 0, { { 0, 0 }, { 0, 0 } }, 1000, 1000 },
  { "begin", 1, { { 0, -300 }, { 0, 0 } }, 1000, 700 },
  { "linear", 2, { { 1000, 100 }, { 2000, 300 } }, 1500, 1700 },
  { "before", 2, { { 1000, 100 }, { 2000, 300 } }, 500, 500 },
  { "after", 2, { { 1000, 100 }, { 2000, 300 } }, 2500, 2900 },
  { "backwards", 2, { { 1000, 100 }, { 2000, -1000 } }, 1500, 1600 },
  { "same moment", 2, { { 1000, 100 }, { 1000, 300 } }, 1500, 1600 },
  { "below zero", 1, { { 0, -2000 }, { 0, 0 } }, 1000, 0 },
  { "huge", 2, { { 0, 0 }, { 1, INT64_MAX } }, UINT64_MAX, INT64_MAX },
};

static void
test_clocks (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (clocks); i++)
    {
      PdRecHead head = { .n_offsets = clocks[i].n_offsets };
      memcpy (head.offsets, clocks[i].offsets, sizeof head.offsets);
      g_test_message ("%s", clocks[i].name);
      g_assert_cmpuint (pd_rec_aligned (&head, clocks[i].t), ==, clocks[i].expected);
    }
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *path;
    void (*test) (TestRecord *fixture, gconstpointer data);
  } tests[] = {
    { "/record/run/everything", test_everything },
    { "/record/run/costs", test_costs },
    { "/record/run/died", test_died },
    { "/record/run/killed", test_killed },
    { "/record/run/fork", test_fork },
    { "/record/run/pause", test_pause },
    { "/record/run/goes-away", test_goes_away },
    { "/record/run/loses-file", test_loses_file },
    { "/record/run/still-runs", test_still_runs },
    { "/record/run/threads", test_threads },
    { "/record/run/killed-threads", test_killed_threads },
    { "/record/clocks/hosts", test_hosts },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, TestRecord, NULL, test_record_set_up, tests[i].test,
                test_record_tear_down);
  g_test_add_func ("/record/clocks/aligned", test_clocks);
  return g_test_run ();
}
