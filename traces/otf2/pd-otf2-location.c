/* Reading one location of an archive.
 * SPDX-License-Identifier: MIT */
#include "traces/otf2/pd-otf2-location-private.h"

#include <stdio.h>

/* The library tells one function of the process what goes wrong; what it said
 * last in a thread is what this thread's call did. */
static _Thread_local char complaint[256];

static OTF2_ErrorCode G_GNUC_PRINTF (6, 0)
    on_complaint (void *data G_GNUC_UNUSED, const char *file G_GNUC_UNUSED,
                  uint64_t line G_GNUC_UNUSED, const char *function G_GNUC_UNUSED,
                  OTF2_ErrorCode code, const char *format, va_list arguments)
{
  g_autofree char *text = format != NULL ? g_strdup_vprintf (format, arguments) : g_strdup ("");

  g_snprintf (complaint, sizeof complaint, "%s%s%s", OTF2_Error_GetDescription (code),
              *text != '\0' ? ": " : "", text);
  return code;
}

void
pd_otf2_listen (void)
{
  *complaint = '\0';
  OTF2_Error_RegisterCallback (on_complaint, NULL);
}

gboolean
pd_otf2_has_complaint (void)
{
  return *complaint != '\0';
}

const char *
pd_otf2_get_complaint (void)
{
  return *complaint != '\0' ? complaint : "unexpected end";
}

static gboolean
events_are_damaged (PdOtf2Archive *archive, OTF2_LocationRef location, GError **error)
{
  gpointer rank = g_hash_table_lookup (archive->rank_of, GSIZE_TO_POINTER ((gsize) location));

  g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_TRUNCATED,
               "%s: the events of rank %u cannot be read to their end: %s", archive->path,
               GPOINTER_TO_UINT (rank), pd_otf2_get_complaint ());
  return FALSE;
}

static gboolean
take_error (PdOtf2Archive *archive, GError **error)
{
  if (archive->error == NULL)
    return FALSE;
  g_propagate_error (error, g_steal_pointer (&archive->error));
  return TRUE;
}

/* (transfer full) @callbacks */
static gboolean
read_by_library (PdOtf2Archive *archive, OTF2_LocationRef location,
                 OTF2_EvtReaderCallbacks *callbacks, gpointer data, GError **error)
{
  OTF2_EvtReader *reader = OTF2_Reader_GetEvtReader (archive->reader, location);
  uint64_t n_read = 0, n_expected;
  OTF2_ErrorCode status;

  n_expected = GPOINTER_TO_SIZE (
      g_hash_table_lookup (archive->n_events, GSIZE_TO_POINTER ((gsize) location)));
  if (reader == NULL)
    {
      OTF2_EvtReaderCallbacks_Delete (callbacks);
      return n_expected == 0 || events_are_damaged (archive, location, error);
    }
  *complaint = '\0';
  OTF2_Reader_RegisterEvtCallbacks (archive->reader, reader, callbacks, data);
  OTF2_EvtReaderCallbacks_Delete (callbacks);
  status = OTF2_Reader_ReadAllLocalEvents (archive->reader, reader, &n_read);
  OTF2_Reader_CloseEvtReader (archive->reader, reader);
  if (take_error (archive, error))
    return FALSE;
  return (status == OTF2_SUCCESS && n_read >= n_expected)
         || events_are_damaged (archive, location, error);
}

gboolean
pd_otf2_read_location (PdOtf2Archive *archive, OTF2_LocationRef location,
                       const PdOtf2Handlers *handlers, gpointer data, GError **error)
{
  if (!pd_otf2_can_decode (archive, location) && archive->is_trusting)
    return events_are_damaged (archive, location, error); /* or not: they are not checked */
  if (!pd_otf2_can_decode (archive, location))
    return read_by_library (archive, location, pd_otf2_handlers_to_callbacks (handlers), data,
                            error);
  *complaint = '\0';
  gboolean is_whole = pd_otf2_decode_location (archive, location, handlers, data);
  if (take_error (archive, error))
    return FALSE;
  return is_whole || events_are_damaged (archive, location, error);
}
