/* OTF2 archives of ranks with several threads, written by the library itself.
 * SPDX-License-Identifier: MIT */
#include "tests/support/folders.h"
#include "tests/support/otf2-both.h"
#include "traces/text/pd-text-writer.h"

#include <otf2/otf2.h>
#include <string.h>

enum
{
  INIT,
  SEND,
  RECV,
  ISEND,
  WAIT,
  BARRIER,
  LOOP, /* of OpenMP */
  N_REGIONS,
};

static const char *const names[N_REGIONS] = { "MPI_Init", "MPI_Send",    "MPI_Recv", "MPI_Isend",
                                              "MPI_Wait", "MPI_Barrier", "loop" };

/* A call of a location, to or from rank 0 itself over MPI_COMM_WORLD. */
typedef struct
{
  guint location;
  guint region;
  guint64 begin; /* ns */
  guint64 end;
  guint tag; /* or request */
} Event;

typedef enum
{
  WELL,
  TWICE,   /* the second location is defined twice */
  FOREIGN, /* it is of a process that is no rank */
} How;

static const struct
{
  const char *name;
  How how;
  Event events[8];
  const char *warns; /* (nullable) */
  const char *text;  /* (nullable): what the rank does; NULL: an error */
} rows[] = {
  { "in turns",
    WELL,
    { { 0, INIT, 0, 0, 0 }, { 1, SEND, 10, 20, 1 }, { 0, RECV, 30, 50, 1 } },
    NULL,
    "  compute 10ns\n  send 0 8 tag=1 took=10ns\n  compute 10ns\n  recv 0 8 tag=1 took=20ns\n" },
  { "at once",
    WELL,
    { { 0, INIT, 0, 0, 0 }, { 0, RECV, 10, 50, 1 }, { 1, SEND, 20, 40, 1 } },
    "threads-concurrent",
    "  compute 10ns\n  isend 0 8 tag=1 request=0 took=0ps\n  recv 0 8 tag=1 took=40ns\n"
    "  wait 0 took=0ps\n" },
  { "two receive, the last before the first",
    WELL,
    { { 0, INIT, 0, 0, 0 },
      { 0, SEND, 60, 61, 2 },
      { 0, SEND, 70, 71, 1 },
      { 1, RECV, 10, 71, 1 },
      { 2, RECV, 20, 61, 2 } },
    "threads-concurrent",
    "  compute 10ns\n  irecv 0 8 tag=1 request=0 took=0ps\n  compute 10ns\n"
    "  irecv 0 8 tag=2 request=1 took=0ps\n  compute 40ns\n  send 0 8 tag=2 took=1ns\n"
    "  wait 1 took=0ps\n  compute 9ns\n  send 0 8 tag=1 took=1ns\n  wait 0 took=0ps\n" },
  { "one begins, another waits",
    WELL,
    { { 0, INIT, 0, 0, 0 },
      { 0, RECV, 30, 40, 7 },
      { 0, WAIT, 50, 60, 7 },
      { 1, ISEND, 10, 20, 7 } },
    NULL,
    "  compute 10ns\n  isend 0 8 tag=7 request=0 took=10ns\n  compute 10ns\n"
    "  recv 0 8 tag=7 took=10ns\n  compute 10ns\n  wait 0 took=10ns\n" },
  { "without calls",
    WELL,
    { { 0, INIT, 0, 0, 0 }, { 1, LOOP, 10, 20, 0 }, { 0, BARRIER, 30, 50, 0 } },
    NULL,
    "  compute 30ns\n  barrier took=20ns\n" },
  { "foreign",
    FOREIGN,
    { { 0, INIT, 0, 0, 0 }, { 1, SEND, 10, 20, 1 }, { 0, BARRIER, 30, 50, 0 } },
    "thread-ignored",
    "  compute 30ns\n  barrier took=20ns\n" },
  { "twice", TWICE, { { 0, INIT, 0, 0, 0 }, { 1, SEND, 10, 20, 1 } }, NULL, NULL },
};

#define N_LOCATIONS 3

/* ---- writing */

static OTF2_FlushType
before_flush (void *data G_GNUC_UNUSED, OTF2_FileType type G_GNUC_UNUSED,
              OTF2_LocationRef location G_GNUC_UNUSED, void *caller G_GNUC_UNUSED,
              bool final G_GNUC_UNUSED)
{
  return OTF2_FLUSH;
}

static const OTF2_FlushCallbacks flush_callbacks = { .otf2_pre_flush = before_flush };

static void
write_definitions (OTF2_GlobalDefWriter *out, const guint64 *n_events, How how)
{
  const uint64_t zero = 0;

  OTF2_GlobalDefWriter_WriteClockProperties (out, 1000000000, 0, 100, OTF2_UNDEFINED_TIMESTAMP);
  OTF2_GlobalDefWriter_WriteString (out, N_REGIONS, "");
  OTF2_GlobalDefWriter_WriteSystemTreeNode (out, 0, N_REGIONS, N_REGIONS,
                                            OTF2_UNDEFINED_SYSTEM_TREE_NODE);
  for (guint32 group = 0; group < 2; group++)
    OTF2_GlobalDefWriter_WriteLocationGroup (
        out, group, N_REGIONS, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0, OTF2_UNDEFINED_LOCATION_GROUP);
  for (guint i = 0; i < N_LOCATIONS; i++)
    for (guint times = i == 1 && how == TWICE ? 2 : 1; times > 0; times--)
      OTF2_GlobalDefWriter_WriteLocation (out, i, N_REGIONS, OTF2_LOCATION_TYPE_CPU_THREAD,
                                          n_events[i], i == 1 && how == FOREIGN ? 1 : 0);
  for (guint32 region = 0; region < N_REGIONS; region++)
    {
      OTF2_GlobalDefWriter_WriteString (out, region, names[region]);
      OTF2_GlobalDefWriter_WriteRegion (out, region, region, region, N_REGIONS,
                                        OTF2_REGION_ROLE_FUNCTION,
                                        region == LOOP ? OTF2_PARADIGM_OPENMP : OTF2_PARADIGM_MPI,
                                        OTF2_REGION_FLAG_NONE, N_REGIONS, 0, 0);
    }
  OTF2_GlobalDefWriter_WriteGroup (out, 0, N_REGIONS, OTF2_GROUP_TYPE_COMM_LOCATIONS,
                                   OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 1, &zero);
  OTF2_GlobalDefWriter_WriteGroup (out, 1, N_REGIONS, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                   OTF2_GROUP_FLAG_NONE, 1, &zero);
  OTF2_GlobalDefWriter_WriteComm (out, 0, N_REGIONS, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
}

static void
write_event (OTF2_EvtWriter *out, const Event *event)
{
  OTF2_EvtWriter_Enter (out, NULL, event->begin, event->region);
  switch (event->region)
    {
    case SEND:
      OTF2_EvtWriter_MpiSend (out, NULL, event->begin, 0, 0, event->tag, 8);
      break;
    case RECV:
      OTF2_EvtWriter_MpiRecv (out, NULL, event->end, 0, 0, event->tag, 8);
      break;
    case ISEND:
      OTF2_EvtWriter_MpiIsend (out, NULL, event->begin, 0, 0, event->tag, 8, event->tag);
      break;
    case WAIT:
      OTF2_EvtWriter_MpiIsendComplete (out, NULL, event->end, event->tag);
      break;
    case BARRIER:
      OTF2_EvtWriter_MpiCollectiveEnd (out, NULL, event->end, OTF2_COLLECTIVE_OP_BARRIER, 0,
                                       OTF2_UNDEFINED_UINT32, 0, 0);
      break;
    default:
      break;
    }
  OTF2_EvtWriter_Leave (out, NULL, event->end, event->region);
}

/* The events of a location among those of all; how many. */
static guint64
write_location (OTF2_Archive *archive, guint location, const Event *events)
{
  OTF2_EvtWriter *out = OTF2_Archive_GetEvtWriter (archive, location);
  uint64_t n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (rows[0].events); i++)
    if (events[i].location == location && (i == 0 || events[i].end > 0))
      write_event (out, &events[i]);
  OTF2_EvtWriter_GetNumberOfEvents (out, &n);
  OTF2_Archive_CloseEvtWriter (archive, out);
  return n;
}

static void
write_archive (const char *folder, const Event *events, How how)
{
  guint64 n_events[N_LOCATIONS];
  OTF2_Archive *archive =
      OTF2_Archive_Open (folder, "t", OTF2_FILEMODE_WRITE, 1024 * 1024, 4 * 1024 * 1024,
                         OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);

  g_assert_nonnull (archive);
  OTF2_Archive_SetFlushCallbacks (archive, &flush_callbacks, NULL);
  OTF2_Archive_SetSerialCollectiveCallbacks (archive);
  OTF2_Archive_OpenEvtFiles (archive);
  for (guint i = 0; i < N_LOCATIONS; i++)
    n_events[i] = write_location (archive, i, events);
  OTF2_Archive_CloseEvtFiles (archive);
  OTF2_Archive_OpenDefFiles (archive);
  for (guint i = 0; i < N_LOCATIONS; i++)
    OTF2_Archive_CloseDefWriter (archive, OTF2_Archive_GetDefWriter (archive, i));
  OTF2_Archive_CloseDefFiles (archive);
  write_definitions (OTF2_Archive_GetGlobalDefWriter (archive), n_events, how);
  g_assert_cmpint (OTF2_Archive_Close (archive), ==, OTF2_SUCCESS);
}

/* ---- reading */

static gboolean
has_message (const PdMessages *messages, const char *id)
{
  for (guint i = 0; i < pd_messages_get_n (messages); i++)
    if (g_str_equal (pd_messages_get (messages, i)->id, id))
      return TRUE;
  return FALSE;
}

static void
test_threads (void)
{
  g_autofree char *folder = g_dir_make_tmp ("threads-XXXXXX", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *own = g_strdup_printf ("%s/%u", folder, i);
      g_autofree char *path = g_build_filename (own, "t.otf2", NULL);
      g_autoptr (PdMessages) messages = pd_messages_new ();
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", rows[i].name);
      write_archive (own, rows[i].events, rows[i].how);
      g_autoptr (PdProgram) program = test_otf2_read (path, TRUE, NULL, messages, &error);
      if (rows[i].text == NULL)
        {
          g_assert_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_VALUE);
          continue;
        }
      g_assert_no_error (error);
      g_assert_cmpint (has_message (messages, "threads-concurrent"), ==,
                       g_strcmp0 (rows[i].warns, "threads-concurrent") == 0);
      g_assert_cmpint (has_message (messages, "thread-ignored"), ==,
                       g_strcmp0 (rows[i].warns, "thread-ignored") == 0);
      g_autoptr (GBytes) bytes = pd_program_to_text (program);
      g_autofree char *text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
      g_autofree char *expected = g_strdup_printf ("rank 0 {\n%s  end", rows[i].text);
      if (strstr (text, expected) == NULL)
        g_error ("expected\n%s\nin\n%s", expected, text);
    }
  test_remove_all (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/traces/otf2/threads", test_threads);
  return g_test_run ();
}
