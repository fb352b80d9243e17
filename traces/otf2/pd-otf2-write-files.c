/* OTF2 archives: what calls do with files becomes events.
 * SPDX-License-Identifier: MIT */
#include "traces/otf2/pd-otf2-private.h"
#include "traces/otf2/pd-otf2-write-private.h"

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
