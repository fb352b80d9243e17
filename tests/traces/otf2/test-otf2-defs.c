/* OTF2 archives with odd definitions, and pauses, written by the library itself.
 * SPDX-License-Identifier: MIT */
#include "tests/support/folders.h"
#include "tests/support/otf2-both.h"
#include "traces/otf2/pd-otf2-reader.h"
#include "traces/program/pd-action-reader.h"
#include "traces/program/pd-action.h"

#include <otf2/otf2.h>

#define N_BARRIERS 5

/* What is defined twice. */
typedef enum
{
  NOTHING,
  STRING,
  REGION,
  GROUP,
  COMM,
  PAUSED, /* nothing is, but the recording pauses */
  WHOLE,  /* likewise, from MPI_Init to MPI_Finalize */
  CUT,    /* likewise, but MPI_Finalize is missing */
} Twice;

static const struct
{
  const char *name;
  Twice twice;
} rows[] = {
  { "string", STRING },
  { "region", REGION },
  { "group", GROUP },
  { "communicator", COMM },
};

static OTF2_FlushType
before_flush (void *data G_GNUC_UNUSED, OTF2_FileType type G_GNUC_UNUSED,
              OTF2_LocationRef location G_GNUC_UNUSED, void *caller G_GNUC_UNUSED,
              bool final G_GNUC_UNUSED)
{
  return OTF2_FLUSH;
}

static const OTF2_FlushCallbacks flush_callbacks = { .otf2_pre_flush = before_flush };

/* Their names are the strings that come after them. */
enum
{
  BARRIER,
  INIT,
  FINALIZE,
};

static void
write_region (OTF2_GlobalDefWriter *out, guint32 region)
{
  OTF2_GlobalDefWriter_WriteRegion (out, region, region + 1, region + 1, 0,
                                    OTF2_REGION_ROLE_BARRIER, OTF2_PARADIGM_MPI,
                                    OTF2_REGION_FLAG_NONE, 0, 0, 0);
}

static void
write_definitions (OTF2_GlobalDefWriter *out, guint64 n_events, Twice twice)
{
  const uint64_t ranks[] = { 0 };

  OTF2_GlobalDefWriter_WriteClockProperties (out, 1000000000, 0, 100, OTF2_UNDEFINED_TIMESTAMP);
  OTF2_GlobalDefWriter_WriteString (out, 0, "");
  OTF2_GlobalDefWriter_WriteString (out, 1 + BARRIER, "MPI_Barrier");
  OTF2_GlobalDefWriter_WriteString (out, 1 + INIT, "MPI_Init");
  OTF2_GlobalDefWriter_WriteString (out, 1 + FINALIZE, "MPI_Finalize");
  OTF2_GlobalDefWriter_WriteSystemTreeNode (out, 0, 0, 0, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
  OTF2_GlobalDefWriter_WriteLocationGroup (out, 0, 0, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                           OTF2_UNDEFINED_LOCATION_GROUP);
  OTF2_GlobalDefWriter_WriteLocation (out, 0, 0, OTF2_LOCATION_TYPE_CPU_THREAD, n_events, 0);
  for (guint32 region = BARRIER; region <= FINALIZE; region++)
    write_region (out, region);
  OTF2_GlobalDefWriter_WriteGroup (out, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                   OTF2_GROUP_FLAG_NONE, 1, ranks);
  OTF2_GlobalDefWriter_WriteGroup (out, 1, 0, OTF2_GROUP_TYPE_COMM_SELF, OTF2_PARADIGM_MPI,
                                   OTF2_GROUP_FLAG_NONE, 0, NULL);
  OTF2_GlobalDefWriter_WriteComm (out, 0, 0, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
  if (twice == STRING)
    OTF2_GlobalDefWriter_WriteString (out, 1, "MPI_Bcast");
  if (twice == REGION)
    write_region (out, BARRIER);
  if (twice == GROUP)
    OTF2_GlobalDefWriter_WriteGroup (out, 0, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                     OTF2_GROUP_FLAG_NONE, 1, ranks);
  if (twice == COMM)
    OTF2_GlobalDefWriter_WriteComm (out, 0, 0, 0, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
}

static void
write_empty (OTF2_EvtWriter *out, guint32 region, guint64 time)
{
  OTF2_EvtWriter_Enter (out, NULL, time, region);
  OTF2_EvtWriter_Leave (out, NULL, time, region);
}

/* One rank, which calls barriers on its MPI_COMM_SELF, and computes for 5 ns between
 * them. Between the third and the fourth the recording may go on, but pauses
 * again after 1 ns. */
static guint64
write_events (OTF2_EvtWriter *out, Twice twice)
{
  uint64_t n = 0;

  if (twice == WHOLE || twice == CUT)
    write_empty (out, INIT, 0);
  for (guint i = 0; i < N_BARRIERS; i++)
    {
      OTF2_EvtWriter_Enter (out, NULL, 10 * i, 0);
      OTF2_EvtWriter_MpiCollectiveEnd (out, NULL, 10 * i + 5, OTF2_COLLECTIVE_OP_BARRIER, 0,
                                       OTF2_UNDEFINED_UINT32, 0, 0);
      OTF2_EvtWriter_Leave (out, NULL, 10 * i + 5, 0);
      if (twice == PAUSED && i == 0)
        OTF2_EvtWriter_MeasurementOnOff (out, NULL, 7, OTF2_MEASUREMENT_OFF);
      if (twice == PAUSED && i == 2)
        OTF2_EvtWriter_MeasurementOnOff (out, NULL, 28, OTF2_MEASUREMENT_ON);
      if (twice == PAUSED && i == 2)
        OTF2_EvtWriter_MeasurementOnOff (out, NULL, 29, OTF2_MEASUREMENT_OFF);
    }
  if (twice == WHOLE)
    write_empty (out, FINALIZE, 10 * N_BARRIERS);
  OTF2_EvtWriter_GetNumberOfEvents (out, &n);
  return n;
}

static void
write_archive (const char *folder, Twice twice, const char *common_part)
{
  OTF2_Archive *archive =
      OTF2_Archive_Open (folder, "t", OTF2_FILEMODE_WRITE, 1024 * 1024, 4 * 1024 * 1024,
                         OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);

  g_assert_nonnull (archive);
  OTF2_Archive_SetFlushCallbacks (archive, &flush_callbacks, NULL);
  OTF2_Archive_SetSerialCollectiveCallbacks (archive);
  OTF2_Archive_OpenEvtFiles (archive);
  OTF2_EvtWriter *events = OTF2_Archive_GetEvtWriter (archive, 0);
  guint64 n = write_events (events, twice);
  OTF2_Archive_CloseEvtWriter (archive, events);
  OTF2_Archive_CloseEvtFiles (archive);
  write_definitions (OTF2_Archive_GetGlobalDefWriter (archive), n, twice);
  if (common_part != NULL)
    OTF2_Archive_SetProperty (archive, "PREDICTOR::COMMON_PART", common_part, true);
  g_assert_cmpint (OTF2_Archive_Close (archive), ==, OTF2_SUCCESS);
}

static PdProgram *
read_part (Twice twice, const char *common_part, gboolean recorded, gboolean *incomplete,
           PdMessages *messages, GError **error)
{
  g_autofree char *base = g_dir_make_tmp ("otf2-XXXXXX", NULL);
  g_autofree char *folder = g_build_filename (base, "a", NULL);
  g_autofree char *path = g_build_filename (folder, "t.otf2", NULL);

  write_archive (folder, twice, common_part);
  PdProgram *program = test_otf2_read (path, recorded, incomplete, messages, error);
  test_remove_all (base);
  return program;
}

static PdProgram *
read_archive (Twice twice, gboolean recorded, gboolean *incomplete, GError **error)
{
  return read_part (twice, NULL, recorded, incomplete, NULL, error);
}

/* What others refer to stays, so that a second definition is refused. */
static void
test_twice (gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (read_archive (rows[GPOINTER_TO_SIZE (data)].twice, FALSE, NULL, &error));
  g_assert_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_VALUE);
}

/* A rank has one communicator of its own, however often it is used. */
static void
test_self (void)
{
  g_autoptr (GError) error = NULL;
  PdProgram *program = read_archive (NOTHING, FALSE, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (pd_program_get_n_actions (program, 0), ==, 2 * N_BARRIERS - 1);
  g_assert_cmpuint (pd_program_get_n_comms (program), <=, 2);
  pd_program_free (program);
}

/* Picoseconds of computation, and of what is not recorded. */
static void
add_up (const PdProgram *program, gint64 *computed, gint64 *unknown)
{
  g_auto (PdActionReader) reader = { 0 };
  const PdAction *action;

  *computed = *unknown = 0;
  pd_action_reader_init (&reader, program);
  pd_action_reader_begin (&reader, 0);
  while ((action = pd_action_reader_next (&reader)) != NULL)
    if (action->kind == PD_ACT_COMPUTE)
      *computed += action->amount.time.ps;
    else if (pd_action_is_pause (action))
      *unknown += action->recorded;
}

/* Calls are recorded in a pause, which they do not end; nor does the last one. */
static void
test_pauses (gconstpointer data)
{
  gboolean recorded = GPOINTER_TO_INT (data);
  g_autoptr (GError) error = NULL;
  PdProgram *program = read_archive (PAUSED, recorded, NULL, &error);
  gint64 computed, unknown;

  g_assert_no_error (error);
  add_up (program, &computed, &unknown);
  g_assert_cmpint (computed, ==, 3000);
  g_assert_cmpint (unknown, ==, recorded ? 17000 : 0);
  g_assert_cmpint (pd_program_get_recorded_end (program, 0).ps, ==, 28000);
  pd_program_free (program);
}

/* Where nothing is said of the beginning, nothing is of the end; who pauses to the
 * end is not cut. */
static void
test_cut (void)
{
  static const Twice archives[] = { NOTHING, PAUSED, WHOLE, CUT };

  for (gsize i = 0; i < G_N_ELEMENTS (archives); i++)
    {
      g_autoptr (GError) error = NULL;
      gboolean incomplete = -1;
      PdProgram *program = read_archive (archives[i], TRUE, &incomplete, &error);
      g_assert_no_error (error);
      g_assert_cmpint (incomplete, ==, archives[i] == CUT);
      pd_program_free (program);
    }
}

/* Of the barriers from 0 to 5, 10 to 15 … ns and what lies between them. */
static const struct
{
  const char *property;
  gint64 computed; /* ps */
  gint64 end;
  gdouble share;
  guint64 n_actions;
} parts[] = {
  { "22 50", 10000, 22000, 0.44, 5 }, /* in the third barrier */
  { "17 68", 7000, 17000, 0.25, 4 },  /* between two */
  { "25 50", 10000, 25000, 0.5, 5 },  /* when one ends */
  { "17", 7000, 17000, 0, 4 },        /* nobody knows of how much */
  { "0 50", 0, 0, 0, 1 },
  { "50 50", 25000, 50000, 1, 10 },
};

static void
test_parts (gconstpointer data)
{
  gboolean recorded = GPOINTER_TO_INT (data);

  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (PdMessages) messages = pd_messages_new ();
      gboolean incomplete = FALSE;
      gint64 computed, unknown;
      g_autoptr (PdProgram) program =
          read_part (WHOLE, parts[i].property, recorded, &incomplete, messages, &error);
      g_assert_no_error (error);
      add_up (program, &computed, &unknown);
      g_assert_true (incomplete);
      g_assert_cmpint (computed, ==, parts[i].computed);
      g_assert_cmpuint (pd_program_get_n_actions (program, 0), ==, parts[i].n_actions);
      g_assert_cmpint (pd_program_get_recorded_end (program, 0).ps, ==, parts[i].end);
      g_assert_cmpfloat (pd_program_get_recorded_share (program), ==, parts[i].share);
      g_assert_cmpuint (pd_messages_count (messages, "recording-truncated"), ==, 1);
      g_assert_cmpuint (pd_messages_get_n (messages), ==, 1);
    }
}

/* All but the actions, of whatever length. */
static void
test_outline (void)
{
  g_autofree char *base = g_dir_make_tmp ("otf2-XXXXXX", NULL);
  g_autofree char *folder = g_build_filename (base, "a", NULL);
  g_autofree char *path = g_build_filename (folder, "t.otf2", NULL);
  g_autoptr (PdMessages) messages = pd_messages_new ();
  g_autoptr (GError) error = NULL;

  write_archive (folder, WHOLE, "22 50");
  g_autoptr (PdProgram) program = pd_otf2_read_outline (path, messages, &error);
  test_remove_all (base);
  g_assert_no_error (error);
  const PdProgramCell *end, *cells = pd_program_get_cells (program, 0, &end);
  g_assert_true (cells == end);
  g_assert_cmpuint (pd_program_get_n_actions (program, 0), ==, 5);
  g_assert_cmpint (pd_program_get_recorded_end (program, 0).ps, ==, 22000);
  g_assert_cmpfloat (pd_program_get_recorded_share (program), ==, 0.44);
  g_assert_cmpuint (pd_messages_count (messages, "recording-truncated"), ==, 1);
}

/* What makes no sense is said, and then it is as if it were not there. */
static void
test_bad_parts (void)
{
  static const char *const bad[] = { "x",        "17 x", "50 17",
                                     "17 50 50", "-17",  "17 -5",
                                     "1e1 5e1",  "17.5", "99999999999999999999" };

  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (PdMessages) messages = pd_messages_new ();
      gboolean incomplete = TRUE;
      g_autoptr (PdProgram) program =
          read_part (WHOLE, bad[i], TRUE, &incomplete, messages, &error);
      g_assert_no_error (error);
      g_assert_false (incomplete);
      g_assert_cmpint (pd_program_get_recorded_end (program, 0).ps, ==, 50000);
      g_assert_cmpuint (pd_messages_count (messages, "property-ignored"), ==, 1);
      g_assert_cmpuint (pd_messages_get_n (messages), ==, 1);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *path = g_strconcat ("/traces/otf2-defs/twice/", rows[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_twice);
    }
  g_test_add_func ("/traces/otf2-defs/self", test_self);
  g_test_add_func ("/traces/otf2-defs/cut", test_cut);
  g_test_add_data_func ("/traces/otf2-defs/pauses/recorded", GINT_TO_POINTER (TRUE), test_pauses);
  g_test_add_data_func ("/traces/otf2-defs/pauses/predicted", GINT_TO_POINTER (FALSE), test_pauses);
  g_test_add_data_func ("/traces/otf2-defs/parts/recorded", GINT_TO_POINTER (TRUE), test_parts);
  g_test_add_data_func ("/traces/otf2-defs/parts/predicted", GINT_TO_POINTER (FALSE), test_parts);
  g_test_add_func ("/traces/otf2-defs/parts/bad", test_bad_parts);
  g_test_add_func ("/traces/otf2-defs/outline", test_outline);
  return g_test_run ();
}
