/* OTF2 archives: files of MPI-IO, and what calls do with them, read and written. Handles
 * of other paradigms are left out: a library of MPI may use them inside its calls.
 * SPDX-License-Identifier: MIT */
#include "traces/otf2/pd-otf2-events-private.h"
#include "traces/otf2/pd-otf2-write-private.h"
#include "traces/program/pd-program-builder.h"

#define KEY(ref) (GSIZE_TO_POINTER ((gsize) (ref)))

/* ---- definitions */

static const char *
find_string (const PdOtf2Archive *archive, OTF2_StringRef ref)
{
  const char *text = g_hash_table_lookup (archive->strings, KEY (ref));

  return text != NULL ? text : "";
}

static OTF2_CallbackCode
on_paradigm (void *data, OTF2_IoParadigmRef self, OTF2_StringRef identification,
             OTF2_StringRef name G_GNUC_UNUSED, OTF2_IoParadigmClass class G_GNUC_UNUSED,
             OTF2_IoParadigmFlag flags G_GNUC_UNUSED, uint8_t n G_GNUC_UNUSED,
             const OTF2_IoParadigmProperty *properties G_GNUC_UNUSED,
             const OTF2_Type *types G_GNUC_UNUSED, const OTF2_AttributeValue *values G_GNUC_UNUSED)
{
  PdOtf2Archive *archive = data;

  if (g_str_equal (find_string (archive, identification), PD_OTF2_MPI_IO))
    g_hash_table_add (archive->mpi_io, KEY (self));
  return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_file (void *data, OTF2_IoFileRef self, OTF2_StringRef name,
         OTF2_SystemTreeNodeRef scope G_GNUC_UNUSED)
{
  PdOtf2Archive *archive = data;

  g_hash_table_insert (archive->files, KEY (self), (char *) find_string (archive, name));
  return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_handle (void *data, OTF2_IoHandleRef self, OTF2_StringRef name, OTF2_IoFileRef file,
           OTF2_IoParadigmRef paradigm, OTF2_IoHandleFlag flags G_GNUC_UNUSED,
           OTF2_CommRef comm G_GNUC_UNUSED, OTF2_IoHandleRef parent G_GNUC_UNUSED)
{
  PdOtf2Archive *archive = data;
  const char *path = g_hash_table_lookup (archive->files, KEY (file));

  if (g_hash_table_contains (archive->mpi_io, KEY (paradigm)))
    g_hash_table_insert (archive->handles, KEY (self),
                         (char *) (path != NULL ? path : find_string (archive, name)));
  return OTF2_CALLBACK_SUCCESS;
}

void
pd_otf2_files_define (OTF2_GlobalDefReaderCallbacks *callbacks)
{
  OTF2_GlobalDefReaderCallbacks_SetIoParadigmCallback (callbacks, on_paradigm);
  OTF2_GlobalDefReaderCallbacks_SetIoRegularFileCallback (callbacks, on_file);
  OTF2_GlobalDefReaderCallbacks_SetIoHandleCallback (callbacks, on_handle);
}

/* ---- events */

void
pd_otf2_files_note (PdOtf2Rank *self, OTF2_IoHandleRef handle, PdFileOp op)
{
  PdOtf2Archive *archive = self->archive;
  const char *name;

  if (!archive->recorded || self->mpi == NULL || self->work.file != PD_PROGRAM_NONE)
    return;
  name = g_hash_table_lookup (archive->handles, KEY (handle));
  if (name == NULL)
    return;
  self->work =
      (PdOtf2FileWork){ .file = pd_program_builder_add_string (archive->builder, name), .op = op };
}

static OTF2_CallbackCode
on_create (OTF2_LocationRef location G_GNUC_UNUSED, OTF2_TimeStamp time G_GNUC_UNUSED,
           uint64_t position G_GNUC_UNUSED, void *data,
           OTF2_AttributeList *attributes G_GNUC_UNUSED, OTF2_IoHandleRef handle,
           OTF2_IoAccessMode mode G_GNUC_UNUSED, OTF2_IoCreationFlag creation G_GNUC_UNUSED,
           OTF2_IoStatusFlag status G_GNUC_UNUSED)
{
  pd_otf2_files_note (data, handle, PD_FILE_OPEN);
  return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_destroy (OTF2_LocationRef location G_GNUC_UNUSED, OTF2_TimeStamp time G_GNUC_UNUSED,
            uint64_t position G_GNUC_UNUSED, void *data,
            OTF2_AttributeList *attributes G_GNUC_UNUSED, OTF2_IoHandleRef handle)
{
  pd_otf2_files_note (data, handle, PD_FILE_CLOSE);
  return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_seek (OTF2_LocationRef location G_GNUC_UNUSED, OTF2_TimeStamp time G_GNUC_UNUSED,
         uint64_t position G_GNUC_UNUSED, void *data, OTF2_AttributeList *attributes G_GNUC_UNUSED,
         OTF2_IoHandleRef handle, int64_t offset G_GNUC_UNUSED,
         OTF2_IoSeekOption whence G_GNUC_UNUSED, uint64_t result G_GNUC_UNUSED)
{
  pd_otf2_files_note (data, handle, PD_FILE_SEEK);
  return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_begin (OTF2_LocationRef location G_GNUC_UNUSED, OTF2_TimeStamp time G_GNUC_UNUSED,
          uint64_t position G_GNUC_UNUSED, void *data, OTF2_AttributeList *attributes G_GNUC_UNUSED,
          OTF2_IoHandleRef handle, OTF2_IoOperationMode mode, OTF2_IoOperationFlag flags,
          uint64_t bytes, uint64_t matching)
{
  static const PdFileOp ops[] = { [OTF2_IO_OPERATION_MODE_READ] = PD_FILE_READ,
                                  [OTF2_IO_OPERATION_MODE_WRITE] = PD_FILE_WRITE,
                                  [OTF2_IO_OPERATION_MODE_FLUSH] = PD_FILE_SYNC };
  PdOtf2Rank *self = data;
  gboolean is_first = self->work.file == PD_PROGRAM_NONE;

  pd_otf2_files_note (self, handle, mode < G_N_ELEMENTS (ops) ? ops[mode] : PD_FILE_OTHER);
  if (!is_first || self->work.file == PD_PROGRAM_NONE)
    return OTF2_CALLBACK_SUCCESS;
  self->work.is_collective = (flags & OTF2_IO_OPERATION_FLAG_COLLECTIVE) != 0;
  self->work.bytes = bytes == OTF2_UNDEFINED_UINT64 ? 0 : (gint64) MIN (bytes, G_MAXINT64);
  self->work.matching = matching;
  return OTF2_CALLBACK_SUCCESS;
}

/* The end of an operation: if the call itself began it, its bytes; otherwise the call waited for
 * it. */
static OTF2_CallbackCode
on_complete (OTF2_LocationRef location G_GNUC_UNUSED, OTF2_TimeStamp time G_GNUC_UNUSED,
             uint64_t position G_GNUC_UNUSED, void *data,
             OTF2_AttributeList *attributes G_GNUC_UNUSED, OTF2_IoHandleRef handle, uint64_t bytes,
             uint64_t matching)
{
  PdOtf2Rank *self = data;
  gboolean moves = self->work.op == PD_FILE_READ || self->work.op == PD_FILE_WRITE;

  if (self->work.file == PD_PROGRAM_NONE)
    pd_otf2_files_note (self, handle, PD_FILE_WAIT);
  else if (moves && self->work.matching == matching && bytes != OTF2_UNDEFINED_UINT64)
    self->work.bytes = (gint64) MIN (bytes, G_MAXINT64);
  return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_test (OTF2_LocationRef location G_GNUC_UNUSED, OTF2_TimeStamp time G_GNUC_UNUSED,
         uint64_t position G_GNUC_UNUSED, void *data, OTF2_AttributeList *attributes G_GNUC_UNUSED,
         OTF2_IoHandleRef handle, uint64_t matching G_GNUC_UNUSED)
{
  pd_otf2_files_note (data, handle, PD_FILE_WAIT);
  return OTF2_CALLBACK_SUCCESS;
}

void
pd_otf2_set_file_handlers (PdOtf2Handlers *handlers)
{
  handlers->io_create = on_create;
  handlers->io_destroy = on_destroy;
  handlers->io_seek = on_seek;
  handlers->io_begin = on_begin;
  handlers->io_test = on_test;
  handlers->io_complete = on_complete;
}

/* ---- writing */

guint32
pd_otf2_write_handle (PdOtf2Writer *writer, guint32 file)
{
  gpointer key = GUINT_TO_POINTER (file);
  guint known = GPOINTER_TO_UINT (g_hash_table_lookup (writer->handles, key));

  if (known == 0)
    {
      g_array_append_val (writer->files, file);
      known = writer->files->len;
      g_hash_table_insert (writer->handles, key, GUINT_TO_POINTER (known));
    }
  return known - 1;
}

static void
write_operation (OTF2_EvtWriter *out, guint64 now, guint32 handle, const PdAction *a)
{
  OTF2_IoOperationMode mode = a->file_op == PD_FILE_READ    ? OTF2_IO_OPERATION_MODE_READ
                              : a->file_op == PD_FILE_WRITE ? OTF2_IO_OPERATION_MODE_WRITE
                                                            : OTF2_IO_OPERATION_MODE_FLUSH;
  OTF2_IoOperationFlag flag =
      a->file_collective ? OTF2_IO_OPERATION_FLAG_COLLECTIVE : OTF2_IO_OPERATION_FLAG_NONE;

  OTF2_EvtWriter_IoOperationBegin (out, NULL, now, handle, mode, flag, (guint64) a->file_bytes, 0);
  OTF2_EvtWriter_IoOperationComplete (out, NULL, now, handle, (guint64) a->file_bytes, 0);
}

void
pd_otf2_write_file (PdOtf2Writer *writer, OTF2_EvtWriter *out, guint64 now, const PdAction *a)
{
  guint32 handle = pd_otf2_write_handle (writer, a->file);

  switch (a->file_op)
    {
    case PD_FILE_OPEN:
      OTF2_EvtWriter_IoCreateHandle (out, NULL, now, handle, OTF2_IO_ACCESS_MODE_READ_WRITE,
                                     OTF2_IO_CREATION_FLAG_NONE, OTF2_IO_STATUS_FLAG_NONE);
      break;
    case PD_FILE_CLOSE:
      OTF2_EvtWriter_IoDestroyHandle (out, NULL, now, handle);
      break;
    case PD_FILE_READ:
    case PD_FILE_WRITE:
    case PD_FILE_SYNC:
      write_operation (out, now, handle, a);
      break;
    case PD_FILE_WAIT:
      OTF2_EvtWriter_IoOperationTest (out, NULL, now, handle, 0);
      break;
    case PD_FILE_SEEK:
      OTF2_EvtWriter_IoSeek (out, NULL, now, handle, 0, OTF2_IO_SEEK_FROM_CURRENT,
                             OTF2_UNDEFINED_UINT64);
      break;
    default:; /* an attribute of the call's end */
    }
}
