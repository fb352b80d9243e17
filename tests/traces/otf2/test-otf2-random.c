/* Random events of all kinds that are decoded without the library, written by it: both tell the
 * same, event by event.
 * SPDX-License-Identifier: MIT */
#include "tests/support/folders.h"
#include "traces/otf2/pd-otf2-decode-private.h"

#include <string.h>

#define N_EVENTS 60000 /* several chunks of the least size */
#define CHUNK    (256 * 1024)

/* ---- writing */

/* Numbers of all widths, and those that say that nothing is defined. */
static guint64
draw (GRand *random, guint bytes)
{
  guint64 value = (guint64) g_rand_int (random) << 32 | g_rand_int (random);
  gint32 width = g_rand_int_range (random, -1, (gint32) bytes + 1);

  if (width <= 0)
    return width < 0 ? G_MAXUINT64 : 0;
  return value >> (64 - 8 * width);
}

#define U32 (guint32) draw (random, 4)
#define U64 draw (random, 8)

/* Of two kinds that are looked for, and of another; @list is empty. */
static void
draw_attributes (OTF2_AttributeList *list, GRand *random)
{
  if (g_rand_boolean (random))
    OTF2_AttributeList_AddCallingContextRef (list, 0, U32);
  if (g_rand_boolean (random))
    OTF2_AttributeList_AddUint8 (list, 1, (guint8) U32);
  if (g_rand_boolean (random))
    OTF2_AttributeList_AddUint64 (list, 70, U64);
}

static OTF2_ErrorCode
write_message (OTF2_EvtWriter *out, OTF2_AttributeList *list, GRand *random, guint64 time)
{
  switch (g_rand_int_range (random, 0, 8))
    {
    case 0:
      return OTF2_EvtWriter_MpiSend (out, list, time, U32, U32, U32, U64);
    case 1:
      return OTF2_EvtWriter_MpiIsend (out, list, time, U32, U32, U32, U64, U64);
    case 2:
      return OTF2_EvtWriter_MpiIsendComplete (out, list, time, U64);
    case 3:
      return OTF2_EvtWriter_MpiIrecvRequest (out, list, time, U64);
    case 4:
      return OTF2_EvtWriter_MpiRecv (out, list, time, U32, U32, U32, U64);
    case 5:
      return OTF2_EvtWriter_MpiIrecv (out, list, time, U32, U32, U32, U64, U64);
    case 6:
      return OTF2_EvtWriter_MpiRequestTest (out, list, time, U64);
    default:
      return OTF2_EvtWriter_MpiRequestCancelled (out, list, time, U64);
    }
}

static OTF2_ErrorCode
write_window_event (OTF2_EvtWriter *out, OTF2_AttributeList *list, GRand *random, guint64 time)
{
  OTF2_CollectiveOp op = (OTF2_CollectiveOp) (U32 % 256);

  switch (g_rand_int_range (random, 0, 14))
    {
    case 0:
      return OTF2_EvtWriter_RmaWinCreate (out, list, time, U32);
    case 1:
      return OTF2_EvtWriter_RmaWinDestroy (out, list, time, U32);
    case 2:
      return OTF2_EvtWriter_RmaCollectiveBegin (out, list, time);
    case 3:
      return OTF2_EvtWriter_RmaCollectiveEnd (out, list, time, op, U32, U32, U32, U64, U64);
    case 4:
      return OTF2_EvtWriter_RmaGroupSync (out, list, time, U32, U32, U32);
    case 5:
      return OTF2_EvtWriter_RmaAcquireLock (out, list, time, U32, U32, U64, OTF2_LOCK_EXCLUSIVE);
    case 6:
      return OTF2_EvtWriter_RmaReleaseLock (out, list, time, U32, U32, U64);
    case 7:
      return OTF2_EvtWriter_RmaSync (out, list, time, U32, U32, OTF2_RMA_SYNC_TYPE_NOTIFY_IN);
    case 8:
      return OTF2_EvtWriter_RmaPut (out, list, time, U32, U32, U64, U64);
    case 9:
      return OTF2_EvtWriter_RmaGet (out, list, time, U32, U32, U64, U64);
    case 10:
      return OTF2_EvtWriter_RmaAtomic (out, list, time, U32, U32, OTF2_RMA_ATOMIC_TYPE_SWAP, U64,
                                       U64, U64);
    case 11:
      return OTF2_EvtWriter_RmaOpCompleteBlocking (out, list, time, U32, U64);
    case 12:
      return OTF2_EvtWriter_RmaOpCompleteNonBlocking (out, list, time, U32, U64);
    default:
      return OTF2_EvtWriter_RmaOpTest (out, list, time, U32, U64);
    }
}

static OTF2_ErrorCode
write_file_event (OTF2_EvtWriter *out, OTF2_AttributeList *list, GRand *random, guint64 time)
{
  switch (g_rand_int_range (random, 0, 7))
    {
    case 0:
      return OTF2_EvtWriter_IoCreateHandle (out, list, time, U32, OTF2_IO_ACCESS_MODE_READ_WRITE,
                                            U32, U32);
    case 1:
      return OTF2_EvtWriter_IoDestroyHandle (out, list, time, U32);
    case 2:
      return OTF2_EvtWriter_IoSeek (out, list, time, U32, (gint64) U64, OTF2_IO_SEEK_FROM_CURRENT,
                                    U64);
    case 3:
      return OTF2_EvtWriter_IoOperationBegin (out, list, time, U32, OTF2_IO_OPERATION_MODE_WRITE,
                                              U32, U64, U64);
    case 4:
      return OTF2_EvtWriter_IoOperationTest (out, list, time, U32, U64);
    case 5:
      return OTF2_EvtWriter_IoOperationIssued (out, list, time, U32, U64);
    default:
      return OTF2_EvtWriter_IoOperationComplete (out, list, time, U32, U64, U64);
    }
}

static OTF2_ErrorCode
write_event (OTF2_EvtWriter *out, OTF2_AttributeList *list, GRand *random, guint64 time)
{
  OTF2_CollectiveOp op = (OTF2_CollectiveOp) (U32 % 256);
  OTF2_Type type = OTF2_TYPE_UINT64;
  OTF2_MetricValue value = { .unsigned_int = U64 };

  switch (g_rand_int_range (random, 0, 16))
    {
    case 0:
      return OTF2_EvtWriter_MeasurementOnOff (out, list, time, OTF2_MEASUREMENT_OFF);
    case 1:
      return OTF2_EvtWriter_Enter (out, list, time, U32);
    case 2:
      return OTF2_EvtWriter_Leave (out, list, time, U32);
    case 3:
      return OTF2_EvtWriter_MpiCollectiveBegin (out, list, time);
    case 4:
      return OTF2_EvtWriter_MpiCollectiveEnd (out, list, time, op, U32, U32, U64, U64);
    case 5:
      return OTF2_EvtWriter_Metric (out, list, time, U32, 1, &type, &value);
    case 6:
      return OTF2_EvtWriter_NonBlockingCollectiveRequest (out, list, time, U64);
    case 7:
      return OTF2_EvtWriter_NonBlockingCollectiveComplete (out, list, time, op, U32, U32, U64, U64,
                                                           U64);
    case 8:
      return OTF2_EvtWriter_ParameterInt (out, list, time, U32, (gint64) U64);
    case 9:
    case 10:
      return write_window_event (out, list, random, time);
    case 11:
      return write_file_event (out, list, random, time);
    default:
      return write_message (out, list, random, time);
    }
}

static OTF2_FlushType
before_flush (void *data G_GNUC_UNUSED, OTF2_FileType type G_GNUC_UNUSED,
              OTF2_LocationRef location G_GNUC_UNUSED, void *caller G_GNUC_UNUSED,
              bool final G_GNUC_UNUSED)
{
  return OTF2_FLUSH;
}

static const OTF2_FlushCallbacks flush_callbacks = { .otf2_pre_flush = before_flush };

static void
write_archive (const char *folder, GRand *random)
{
  OTF2_Archive *archive = OTF2_Archive_Open (folder, "t", OTF2_FILEMODE_WRITE, CHUNK, 4 * CHUNK,
                                             OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
  guint64 time = 0;

  g_assert_nonnull (archive);
  OTF2_Archive_SetFlushCallbacks (archive, &flush_callbacks, NULL);
  OTF2_Archive_SetSerialCollectiveCallbacks (archive);
  OTF2_Archive_OpenEvtFiles (archive);
  OTF2_EvtWriter *out = OTF2_Archive_GetEvtWriter (archive, 0);
  OTF2_AttributeList *list = OTF2_AttributeList_New ();
  for (guint i = 0; i < N_EVENTS; i++)
    {
      time += draw (random, 2) % 1000;
      draw_attributes (list, random);
      g_assert_cmpint (write_event (out, list, random, time), ==, OTF2_SUCCESS);
      OTF2_AttributeList_RemoveAllAttributes (list);
    }
  OTF2_AttributeList_Delete (list);
  OTF2_Archive_CloseEvtWriter (archive, out);
  OTF2_Archive_CloseEvtFiles (archive);
  OTF2_GlobalDefWriter *definitions = OTF2_Archive_GetGlobalDefWriter (archive);
  OTF2_GlobalDefWriter_WriteClockProperties (definitions, 1000000000, 0, time,
                                             OTF2_UNDEFINED_TIMESTAMP);
  OTF2_GlobalDefWriter_WriteString (definitions, 0, "");
  OTF2_GlobalDefWriter_WriteSystemTreeNode (definitions, 0, 0, 0, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
  OTF2_GlobalDefWriter_WriteLocationGroup (definitions, 0, 0, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                           OTF2_UNDEFINED_LOCATION_GROUP);
  OTF2_GlobalDefWriter_WriteLocation (definitions, 0, 0, OTF2_LOCATION_TYPE_CPU_THREAD, N_EVENTS,
                                      0);
  g_assert_cmpint (OTF2_Archive_Close (archive), ==, OTF2_SUCCESS);
}

/* ---- reading: what is told, as text */

typedef struct
{
  PdOtf2Archive archive;
  GString *text;
  const PdOtf2Handlers *handlers;
} Listener;

static void
add_attributes (Listener *self, OTF2_AttributeList *list)
{
  const PdOtf2Attributes *present = self->archive.present;
  uint32_t context = 0;
  uint8_t byte = 0;

  if (present != NULL && (present->has & 1) != 0)
    context = present->values[0].callingContextRef;
  if (present != NULL && (present->has & 2) != 0)
    byte = present->values[1].uint8;
  if (present == NULL && OTF2_AttributeList_TestAttributeByID (list, 0))
    OTF2_AttributeList_GetCallingContextRef (list, 0, &context);
  if (present == NULL && OTF2_AttributeList_TestAttributeByID (list, 1))
    OTF2_AttributeList_GetUint8 (list, 1, &byte);
  g_string_append_printf (self->text, " [%u %u]", context, byte);
}

#define EVENT                                                                                      \
  OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position G_GNUC_UNUSED, void *data,     \
      OTF2_AttributeList *list

static OTF2_CallbackCode
note (EVENT, const char *name, const guint64 *fields, guint n)
{
  Listener *self = data;

  g_string_append_printf (self->text, "%s %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT, name, location,
                          time);
  for (guint i = 0; i < n; i++)
    g_string_append_printf (self->text, " %" G_GUINT64_FORMAT, fields[i]);
  if (self->handlers->with_attributes)
    add_attributes (self, list);
  g_string_append_c (self->text, '\n');
  return OTF2_CALLBACK_SUCCESS;
}

#define NOTE(name, ...)                                                                            \
  note (location, time, position, data, list, name, (const guint64[]){ __VA_ARGS__ },              \
        sizeof (guint64[]){ __VA_ARGS__ } / sizeof (guint64))

/* A handler that notes its fields, which have these types. */
#define ONE(name, A)                                                                               \
  static OTF2_CallbackCode on_##name (EVENT, A a)                                                  \
  {                                                                                                \
    return NOTE (#name, a);                                                                        \
  }
#define TWO(name, A, B)                                                                            \
  static OTF2_CallbackCode on_##name (EVENT, A a, B b)                                             \
  {                                                                                                \
    return NOTE (#name, a, (guint64) b);                                                           \
  }
#define THREE(name, A, B, C)                                                                       \
  static OTF2_CallbackCode on_##name (EVENT, A a, B b, C c)                                        \
  {                                                                                                \
    return NOTE (#name, a, b, c);                                                                  \
  }
#define FOUR(name, A, B, C, D)                                                                     \
  static OTF2_CallbackCode on_##name (EVENT, A a, B b, C c, D d)                                   \
  {                                                                                                \
    return NOTE (#name, a, (guint64) b, c, d);                                                     \
  }
#define FIVE(name, A, B, C, D, E)                                                                  \
  static OTF2_CallbackCode on_##name (EVENT, A a, B b, C c, D d, E e)                              \
  {                                                                                                \
    return NOTE (#name, a, b, c, d, e);                                                            \
  }
#define SIX(name, A, B, C, D, E, F)                                                                \
  static OTF2_CallbackCode on_##name (EVENT, A a, B b, C c, D d, E e, F f)                         \
  {                                                                                                \
    return NOTE (#name, a, b, c, d, e, f);                                                         \
  }

ONE (on_off, OTF2_MeasurementMode)
ONE (enter, OTF2_RegionRef)
ONE (leave, OTF2_RegionRef)
FOUR (send, guint32, OTF2_CommRef, guint32, uint64_t)
FIVE (isend, guint32, OTF2_CommRef, guint32, uint64_t, uint64_t)
ONE (isend_complete, uint64_t)
ONE (irecv_request, uint64_t)
FOUR (recv, guint32, OTF2_CommRef, guint32, uint64_t)
FIVE (irecv, guint32, OTF2_CommRef, guint32, uint64_t, uint64_t)
ONE (test, uint64_t)
ONE (cancelled, uint64_t)
FIVE (collective_end, OTF2_CollectiveOp, OTF2_CommRef, guint32, uint64_t, uint64_t)
ONE (collective_request, uint64_t)
SIX (collective_complete, OTF2_CollectiveOp, OTF2_CommRef, guint32, uint64_t, uint64_t, uint64_t)
TWO (parameter, OTF2_ParameterRef, int64_t)
SIX (rma_collective_end, OTF2_CollectiveOp, OTF2_RmaSyncLevel, OTF2_RmaWinRef, guint32, uint64_t,
     uint64_t)
THREE (group_sync, OTF2_RmaSyncLevel, OTF2_RmaWinRef, OTF2_GroupRef)
FOUR (lock, OTF2_RmaWinRef, guint32, uint64_t, OTF2_LockType)
THREE (unlock, OTF2_RmaWinRef, guint32, uint64_t)
THREE (sync, OTF2_RmaWinRef, guint32, OTF2_RmaSyncType)
FOUR (put, OTF2_RmaWinRef, guint32, uint64_t, uint64_t)
FOUR (get, OTF2_RmaWinRef, guint32, uint64_t, uint64_t)
SIX (atomic, OTF2_RmaWinRef, guint32, OTF2_RmaAtomicType, uint64_t, uint64_t, uint64_t)
TWO (rma_complete, OTF2_RmaWinRef, uint64_t)
TWO (rma_test, OTF2_RmaWinRef, uint64_t)
FOUR (io_create, OTF2_IoHandleRef, OTF2_IoAccessMode, OTF2_IoCreationFlag, OTF2_IoStatusFlag)
ONE (io_destroy, OTF2_IoHandleRef)
FOUR (io_seek, OTF2_IoHandleRef, int64_t, OTF2_IoSeekOption, uint64_t)
FIVE (io_begin, OTF2_IoHandleRef, OTF2_IoOperationMode, OTF2_IoOperationFlag, uint64_t, uint64_t)
TWO (io_test, OTF2_IoHandleRef, uint64_t)
THREE (io_complete, OTF2_IoHandleRef, uint64_t, uint64_t)

static OTF2_CallbackCode
on_metric (EVENT, OTF2_MetricRef metric, uint8_t n, const OTF2_Type *types,
           const OTF2_MetricValue *values)
{
  return NOTE ("metric", metric, n, types[0], values[0].unsigned_int);
}

static const PdOtf2Handlers handlers = {
  .on_off = on_on_off,
  .enter = on_enter,
  .leave = on_leave,
  .send = on_send,
  .isend = on_isend,
  .isend_complete = on_isend_complete,
  .irecv_request = on_irecv_request,
  .recv = on_recv,
  .irecv = on_irecv,
  .test = on_test,
  .cancelled = on_cancelled,
  .collective_end = on_collective_end,
  .metric = on_metric,
  .collective_request = on_collective_request,
  .collective_complete = on_collective_complete,
  .parameter = on_parameter,
  .rma_collective_end = on_rma_collective_end,
  .group_sync = on_group_sync,
  .lock = on_lock,
  .unlock = on_unlock,
  .sync = on_sync,
  .put = on_put,
  .get = on_get,
  .atomic = on_atomic,
  .rma_complete = on_rma_complete,
  .rma_test = on_rma_test,
  .io_create = on_io_create,
  .io_destroy = on_io_destroy,
  .io_seek = on_io_seek,
  .io_begin = on_io_begin,
  .io_test = on_io_test,
  .io_complete = on_io_complete,
  .with_attributes = TRUE,
};

/* Without attributes, and what is between is skipped. */
static const PdOtf2Handlers few = { .leave = on_leave, .irecv = on_irecv };

static void
read_by_library (Listener *self)
{
  OTF2_Reader *reader = self->archive.reader;
  OTF2_EvtReaderCallbacks *callbacks = pd_otf2_handlers_to_callbacks (self->handlers);
  uint64_t n = 0;

  OTF2_Reader_SelectLocation (reader, 0);
  OTF2_Reader_OpenEvtFiles (reader);
  OTF2_EvtReader *events = OTF2_Reader_GetEvtReader (reader, 0);
  OTF2_Reader_RegisterEvtCallbacks (reader, events, callbacks, self);
  OTF2_EvtReaderCallbacks_Delete (callbacks);
  g_assert_cmpint (OTF2_Reader_ReadAllLocalEvents (reader, events, &n), ==, OTF2_SUCCESS);
  g_assert_cmpuint (n, ==, N_EVENTS);
  OTF2_Reader_CloseEvtReader (reader, events);
}

/* What is told of at least once. */
static const char *const names[] = {
  "\non_off ",
  "\nenter ",
  "\nleave ",
  "\nsend ",
  "\nisend ",
  "\nisend_complete ",
  "\nirecv_request ",
  "\nrecv ",
  "\nirecv ",
  "\ntest ",
  "\ncancelled ",
  "\ncollective_end ",
  "\nmetric ",
  "\ncollective_request ",
  "\ncollective_complete ",
  "\nparameter ",
  "\nrma_collective_end ",
  "\ngroup_sync ",
  "\nlock ",
  "\nunlock ",
  "\nsync ",
  "\nput ",
  "\nget ",
  "\natomic ",
  "\nrma_complete ",
  "\nrma_test ",
  "\nio_create ",
  "\nio_destroy ",
  "\nio_seek ",
  "\nio_begin ",
  "\nio_test ",
  "\nio_complete ",
};

/* Returns: (transfer full): what is told. */
static char *
read_both (const char *path, const PdOtf2Handlers *to)
{
  g_autoptr (GString) theirs = g_string_new (NULL), ours = g_string_new (NULL);
  Listener self = { { .path = path, .has_attribute = { TRUE, TRUE }, .attributes = { 0, 1 } },
                    theirs,
                    to };

  self.archive.reader = OTF2_Reader_Open (path);
  g_assert_nonnull (self.archive.reader);
  OTF2_Reader_SetSerialCollectiveCallbacks (self.archive.reader);
  read_by_library (&self);
  self.text = ours;
  g_assert_true (pd_otf2_decode_location (&self.archive, 0, to, &self));
  g_assert_no_error (self.archive.error);
  OTF2_Reader_Close (self.archive.reader);
  gsize same = 0;
  while (same < ours->len && ours->str[same] == theirs->str[same])
    same++;
  if (same < MAX (ours->len, theirs->len))
    g_error ("at %" G_GSIZE_FORMAT ": %.80s, expected %.80s", same, ours->str + same,
             theirs->str + same);
  return g_string_free (g_steal_pointer (&ours), FALSE);
}

static void
test_random (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (19);
  g_autofree char *folder = g_dir_make_tmp ("random-XXXXXX", NULL);
  g_autofree char *own = g_build_filename (folder, "a", NULL);
  g_autofree char *path = g_build_filename (own, "t.otf2", NULL);

  write_archive (own, random);
  g_autofree char *all = read_both (path, &handlers);
  g_autofree char *some = read_both (path, &few);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    g_assert_nonnull (strstr (all, names[i]));
  g_assert_nonnull (strstr (some, "\nleave "));
  g_assert_nonnull (strstr (some, "\nirecv "));
  test_remove_all (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/traces/otf2/random", test_random);
  return g_test_run ();
}
