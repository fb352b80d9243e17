/* OTF2 archives whose computation is processor time: what readers take for computation, written by
 * the library itself.
 * SPDX-License-Identifier: MIT */
#include "tests/support/folders.h"
#include "tests/support/mp/programs-random.h"
#include "tests/support/otf2-both.h"
#include "traces/otf2/pd-otf2-reader.h"
#include "traces/otf2/pd-otf2-writer.h"
#include "traces/program/pd-action-reader.h"
#include "traces/program/pd-action.h"
#include "traces/text/pd-text-writer.h"

#include <otf2/otf2.h>

/* A call: when it begins and ends, and what the thread's processor time is then, ns. */
typedef struct
{
  guint64 enter;
  guint64 leave;
  guint64 own[2]; /* 0 = no reading */
} Call;

#define MAX_CALLS 4

/* Computation between calls of MPI_Barrier, or of MPI_Comm_rank, which is computation itself. */
typedef struct
{
  const char *name;
  const char *clock;
  const char *until; /* (nullable) */
  const char *function;
  Call calls[MAX_CALLS];
  guint64 cost;               /* ps of a reading */
  gint64 computed[MAX_CALLS]; /* ps; ends with -1 */
  gint64 lost;                /* ps between calls, in all */
} Row;

static const Row rows[] = {
  { "cpu",
    "cpu",
    NULL,
    "MPI_Barrier",
    { { 0, 10, { 0, 1000 } }, { 60, 70, { 1030, 1040 } }, { 100, 110, { 1050, 1050 } } },
    0,
    { 30000, 10000, -1 },
    40000 },
  { "reading-is-taken-out",
    "cpu",
    NULL,
    "MPI_Barrier",
    { { 0, 10, { 0, 1000 } }, { 60, 70, { 1030, 1040 } }, { 100, 110, { 1050, 1050 } } },
    2500,
    { 27500, 7500, -1 },
    45000 },
  { "never-below-nothing",
    "cpu",
    NULL,
    "MPI_Barrier",
    { { 0, 10, { 0, 1000 } }, { 60, 70, { 1001, 1040 } }, { 100, 110, { 1050, 1050 } } },
    2500,
    { 0, 7500, -1 },
    72500 },
  { "never-above-what-passed",
    "cpu",
    NULL,
    "MPI_Barrier",
    { { 0, 10, { 0, 1000 } }, { 60, 70, { 9000, 9001 } }, { 100, 110, { G_MAXUINT64, 1 } } },
    0,
    { 50000, 30000, -1 },
    0 },
  { "wall",
    "wall",
    NULL,
    "MPI_Barrier",
    { { 0, 10, { 0, 1000 } }, { 60, 70, { 1030, 1040 } }, { 100, 110, { 1050, 1050 } } },
    2500,
    { 50000, 30000, -1 },
    0 },
  { "nothing-says-it",
    NULL,
    NULL,
    "MPI_Barrier",
    { { 0, 10, { 0, 1000 } }, { 60, 70, { 1030, 1040 } }, { 100, 110, { 1050, 1050 } } },
    2500,
    { 50000, 30000, -1 },
    0 },
  { "odd-clock",
    "moon",
    NULL,
    "MPI_Barrier",
    { { 0, 10, { 0, 1000 } }, { 60, 70, { 1030, 1040 } }, { 100, 110, { 1050, 1050 } } },
    2500,
    { 50000, 30000, -1 },
    0 },
  { "no-reading",
    "cpu",
    NULL,
    "MPI_Barrier",
    { { 0, 10, { 0, 0 } }, { 60, 70, { 0, 1040 } }, { 100, 110, { 1050, 1050 } } },
    0,
    { 50000, 10000, -1 },
    20000 },
  { "goes-back",
    "cpu",
    NULL,
    "MPI_Barrier",
    { { 0, 10, { 0, 1000 } }, { 60, 70, { 10, 1040 } }, { 100, 110, { 1050, 1050 } } },
    0,
    { 50000, 10000, -1 },
    20000 },
  /* 25 of 50 ns, in which the thread had a processor for 30 */
  { "cut",
    "cpu",
    "35 110",
    "MPI_Barrier",
    { { 0, 10, { 0, 1000 } }, { 60, 70, { 1030, 1040 } }, { 100, 110, { 1050, 1050 } } },
    0,
    { 15000, -1 },
    10000 },
};

/* Calls that concern nobody else are computation, too: 10 ns of 10, 30 of 50, 5 of 10, 10 of 30,
 * and nothing of the last 10. */
static const Row local = {
  "local",
  "cpu",
  NULL,
  "MPI_Comm_rank",
  { { 0, 10, { 990, 1000 } }, { 60, 70, { 1030, 1035 } }, { 100, 110, { 1045, 1045 } } },
  0,
  { 10000, 30000, 5000, 10000 },
  0
};

static OTF2_FlushType
before_flush (void *data G_GNUC_UNUSED, OTF2_FileType type G_GNUC_UNUSED,
              OTF2_LocationRef location G_GNUC_UNUSED, void *caller G_GNUC_UNUSED,
              bool final G_GNUC_UNUSED)
{
  return OTF2_FLUSH;
}

enum
{
  NONE,
  FUNCTION,
  METRIC,
  NS,
  COST,
};

static void
write_definitions (OTF2_GlobalDefWriter *out, guint64 n_events, const Row *row)
{
  const char *const strings[] = { "", row->function, "processor time of the thread", "ns",
                                  "PREDICTOR::READING_COST" };
  const uint64_t ranks[] = { 0 };

  OTF2_GlobalDefWriter_WriteClockProperties (out, 1000000000, 0, 111, OTF2_UNDEFINED_TIMESTAMP);
  for (guint32 i = 0; i < G_N_ELEMENTS (strings); i++)
    OTF2_GlobalDefWriter_WriteString (out, i, strings[i]);
  OTF2_GlobalDefWriter_WriteSystemTreeNode (out, 0, NONE, NONE, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
  OTF2_GlobalDefWriter_WriteLocationGroup (out, 0, NONE, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                           OTF2_UNDEFINED_LOCATION_GROUP);
  OTF2_GlobalDefWriter_WriteLocationGroupProperty (out, 0, COST, OTF2_TYPE_UINT64,
                                                   (OTF2_AttributeValue){ .uint64 = row->cost });
  OTF2_GlobalDefWriter_WriteLocation (out, 0, NONE, OTF2_LOCATION_TYPE_CPU_THREAD, n_events, 0);
  OTF2_GlobalDefWriter_WriteRegion (out, 0, FUNCTION, FUNCTION, NONE, OTF2_REGION_ROLE_FUNCTION,
                                    OTF2_PARADIGM_MPI, OTF2_REGION_FLAG_NONE, NONE, 0, 0);
  OTF2_GlobalDefWriter_WriteGroup (out, 0, NONE, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                   OTF2_GROUP_FLAG_NONE, 1, ranks);
  OTF2_GlobalDefWriter_WriteGroup (out, 1, NONE, OTF2_GROUP_TYPE_COMM_SELF, OTF2_PARADIGM_MPI,
                                   OTF2_GROUP_FLAG_NONE, 0, NULL);
  OTF2_GlobalDefWriter_WriteComm (out, 0, NONE, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
  OTF2_GlobalDefWriter_WriteMetricMember (out, 0, METRIC, NONE, OTF2_METRIC_TYPE_OTHER,
                                          OTF2_METRIC_ACCUMULATED_START, OTF2_TYPE_UINT64,
                                          OTF2_BASE_DECIMAL, 0, NS);
  OTF2_GlobalDefWriter_WriteMetricClass (out, 0, 1, (OTF2_MetricMemberRef[]){ 0 },
                                         OTF2_METRIC_SYNCHRONOUS, OTF2_RECORDER_KIND_CPU);
}

static void
write_reading (OTF2_EvtWriter *out, guint64 time, guint64 own)
{
  OTF2_Type type = OTF2_TYPE_UINT64;
  OTF2_MetricValue value = { .unsigned_int = own };

  if (own > 0)
    OTF2_EvtWriter_Metric (out, NULL, time, 0, 1, &type, &value);
}

static guint64
write_events (OTF2_EvtWriter *out, const Row *row)
{
  uint64_t n = 0;

  for (guint i = 0; i < MAX_CALLS && row->calls[i].leave > 0; i++)
    {
      const Call *call = &row->calls[i];
      write_reading (out, call->enter, call->own[0]);
      OTF2_EvtWriter_Enter (out, NULL, call->enter, 0);
      if (g_str_equal (row->function, "MPI_Barrier"))
        OTF2_EvtWriter_MpiCollectiveEnd (out, NULL, call->leave, OTF2_COLLECTIVE_OP_BARRIER, 0,
                                         OTF2_UNDEFINED_UINT32, 0, 0);
      write_reading (out, call->leave, call->own[1]);
      OTF2_EvtWriter_Leave (out, NULL, call->leave, 0);
    }
  OTF2_EvtWriter_GetNumberOfEvents (out, &n);
  return n;
}

static void
write_archive (const char *folder, const Row *row)
{
  static const OTF2_FlushCallbacks callbacks = { .otf2_pre_flush = before_flush };
  OTF2_Archive *archive =
      OTF2_Archive_Open (folder, "t", OTF2_FILEMODE_WRITE, 1024 * 1024, 4 * 1024 * 1024,
                         OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);

  g_assert_nonnull (archive);
  OTF2_Archive_SetFlushCallbacks (archive, &callbacks, NULL);
  OTF2_Archive_SetSerialCollectiveCallbacks (archive);
  OTF2_Archive_OpenEvtFiles (archive);
  OTF2_EvtWriter *events = OTF2_Archive_GetEvtWriter (archive, 0);
  guint64 n = write_events (events, row);
  OTF2_Archive_CloseEvtWriter (archive, events);
  OTF2_Archive_CloseEvtFiles (archive);
  write_definitions (OTF2_Archive_GetGlobalDefWriter (archive), n, row);
  if (row->clock != NULL)
    OTF2_Archive_SetProperty (archive, "PREDICTOR::CLOCK", row->clock, true);
  if (row->until != NULL)
    OTF2_Archive_SetProperty (archive, "PREDICTOR::COMMON_PART", row->until, true);
  g_assert_cmpint (OTF2_Archive_Close (archive), ==, OTF2_SUCCESS);
}

static PdProgram *
read_row (const Row *row, gboolean recorded)
{
  g_autofree char *base = g_dir_make_tmp ("otf2-XXXXXX", NULL);
  g_autofree char *folder = g_build_filename (base, "a", NULL);
  g_autofree char *path = g_build_filename (folder, "t.otf2", NULL);
  g_autoptr (GError) error = NULL;

  write_archive (folder, row);
  PdProgram *program = test_otf2_read (path, recorded, NULL, NULL, &error);
  g_assert_no_error (error);
  test_remove_all (base);
  return program;
}

/* What was computed is the same whether recorded times are wanted or not. */
static void
check (const Row *row, gboolean recorded)
{
  g_autoptr (PdProgram) program = read_row (row, recorded);
  g_auto (PdActionReader) reader = { 0 };
  const PdAction *action;
  gint64 lost = 0;
  guint n = 0;

  g_assert_cmpint (pd_program_get_recorded_clock (program), ==,
                   g_strcmp0 (row->clock, "cpu") == 0    ? PD_CLOCK_CPU
                   : g_strcmp0 (row->clock, "wall") == 0 ? PD_CLOCK_WALL
                                                         : PD_CLOCK_UNKNOWN);
  pd_action_reader_init (&reader, program);
  pd_action_reader_begin (&reader, 0);
  while ((action = pd_action_reader_next (&reader)) != NULL)
    if (action->kind == PD_ACT_COMPUTE)
      g_assert_cmpint (action->amount.time.ps, ==, row->computed[n++]);
    else if (action->kind == PD_ACT_LOCAL)
      {
        g_assert_cmpstr (pd_program_get_string (program, action->name), ==, PD_PROGRAM_LOST);
        g_assert_cmpint (action->amount.time.ps, ==, 0);
        lost += action->recorded;
      }
  g_assert_cmpint (row->computed[n], ==, -1);
  g_assert_cmpint (lost, ==, recorded ? row->lost : 0);
}

static void
test_computation (gconstpointer data)
{
  check (&rows[GPOINTER_TO_SIZE (data)], FALSE);
  check (&rows[GPOINTER_TO_SIZE (data)], TRUE);
}

/* Calls that are computation: of all together. */
static void
test_local (void)
{
  for (gboolean recorded = FALSE; recorded <= TRUE; recorded++)
    {
      g_autoptr (PdProgram) program = read_row (&local, recorded);
      g_auto (PdActionReader) reader = { 0 };
      const PdAction *action;
      gint64 computed = 0;
      pd_action_reader_init (&reader, program);
      pd_action_reader_begin (&reader, 0);
      while ((action = pd_action_reader_next (&reader)) != NULL)
        computed += action->amount.time.ps;
      g_assert_cmpint (computed, ==, 55000);
    }
}

/* The clock, the cost of recording, and what ranks had of their hosts are the same behind an
 * archive; so is time without a processor, which is no computation there. */
static void
test_round_trip (void)
{
  static const char text[] =
      "predictor-trace 1\nranks 2\ncomputation time\ncost blocking 80.5ns\ncost other 10ns\n"
      "clock cpu\nrank 0 {\n"
      "  usage host=\"a\" processors=\"0-1\" quota=500 threads=2 switches=0 memory=4096 waited=3ms "
      "reading-cost=500ps regions=1 region-threads=2 region-time=1ms region-busy=2ms "
      "region-longest=3ms region-capacity=4ms\n"
      "  compute 1us\n  local \"(no processor)\" 0ps took=2us\n  send 1 8 took=1us\n  end 4us\n}\n"
      "rank 1 {\n  usage host=\"b\" processors=\"3\"\n  begin 1us\n  recv 0 8 took=1us\n"
      "  local \"(no processor)\" 0ps took=2us\n  compute 1us\n  end 4us\n}\n";
  const PdTraceWriteOptions options = { 0, NULL };
  g_autofree char *base = g_dir_make_tmp ("otf2-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (base, "t.otf2", NULL);
  g_autoptr (PdMpTrace) trace = test_read_text (text);
  g_autoptr (PdMessages) messages = pd_messages_new ();
  g_autoptr (GError) error = NULL;

  g_assert_true (pd_otf2_write (trace->program, path, &options, messages, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (pd_messages_get_n (messages), ==, 0);
  g_autoptr (PdProgram) program = test_otf2_read (path, TRUE, NULL, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (GBytes) written = pd_program_to_text (program);
  g_autofree char *again = g_strndup (g_bytes_get_data (written, NULL), g_bytes_get_size (written));
  g_assert_cmpstr (again, ==, text);
  test_remove_all (base);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *name = g_strconcat ("/otf2/clock/", rows[i].name, NULL);
      g_test_add_data_func (name, GSIZE_TO_POINTER (i), test_computation);
    }
  g_test_add_func ("/otf2/clock/local", test_local);
  g_test_add_func ("/otf2/clock/round-trip", test_round_trip);
  return g_test_run ();
}
