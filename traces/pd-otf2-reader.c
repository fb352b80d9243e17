/* OTF2 archives: opening them, and reading their locations one by one.
 * SPDX-License-Identifier: MIT */
#include "traces/pd-otf2-reader.h"

#include "traces/pd-otf2-private.h"

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

static void
group_free (gpointer data)
{
  PdOtf2Group *group = data;

  g_free (group->members);
  g_clear_pointer (&group->index, g_hash_table_unref);
  g_free (group);
}

static void
comm_free (gpointer data)
{
  PdOtf2Comm *comm = data;

  g_clear_pointer (&comm->gathered, g_array_unref);
  g_free (comm);
}

static void
archive_init (PdOtf2Archive *archive)
{
  archive->strings = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  archive->regions = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  archive->groups = g_hash_table_new_full (NULL, NULL, NULL, group_free);
  archive->comms = g_hash_table_new_full (NULL, NULL, NULL, comm_free);
  archive->windows = g_hash_table_new (NULL, NULL);
  archive->parameters = g_hash_table_new (NULL, NULL);
  archive->places = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  archive->contexts = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  archive->begins = g_array_new (FALSE, FALSE, sizeof (PdTime));
  archive->rank_of = g_hash_table_new (NULL, NULL);
  archive->n_events = g_hash_table_new (NULL, NULL);
  archive->locations = g_array_new (FALSE, FALSE, sizeof (PdOtf2Location));
  archive->unfinished = g_array_new (FALSE, FALSE, sizeof (guint32));
}

static void
archive_clear (PdOtf2Archive *archive)
{
  if (archive->reader != NULL)
    OTF2_Reader_Close (archive->reader);
  pd_program_builder_free (archive->builder);
  g_clear_pointer (&archive->strings, g_hash_table_unref);
  g_clear_pointer (&archive->regions, g_hash_table_unref);
  g_clear_pointer (&archive->groups, g_hash_table_unref);
  g_clear_pointer (&archive->comms, g_hash_table_unref);
  g_clear_pointer (&archive->windows, g_hash_table_unref);
  g_clear_pointer (&archive->parameters, g_hash_table_unref);
  g_clear_pointer (&archive->places, g_hash_table_unref);
  g_clear_pointer (&archive->contexts, g_hash_table_unref);
  g_clear_pointer (&archive->begins, g_array_unref);
  g_clear_pointer (&archive->rank_of, g_hash_table_unref);
  g_clear_pointer (&archive->n_events, g_hash_table_unref);
  g_clear_pointer (&archive->locations, g_array_unref);
  g_clear_pointer (&archive->unfinished, g_array_unref);
  g_clear_error (&archive->error);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PdOtf2Archive, archive_clear)

static gboolean
open_archive (PdOtf2Archive *archive, GError **error)
{
  pd_otf2_listen ();
  archive->reader = OTF2_Reader_Open (archive->path);
  if (archive->reader == NULL
      || OTF2_Reader_SetSerialCollectiveCallbacks (archive->reader) != OTF2_SUCCESS)
    {
      g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_OPEN,
                   "%s: not an OTF2 archive that can be read: %s", archive->path,
                   pd_otf2_get_complaint ());
      return FALSE;
    }
  return TRUE;
}

/* ---- events */

/* The location's own definitions say how its numbers map to the archive's;
 * they may be absent. */
static void
read_mappings (PdOtf2Archive *archive, OTF2_LocationRef location)
{
  OTF2_DefReader *reader = OTF2_Reader_GetDefReader (archive->reader, location);
  uint64_t n_read = 0;

  if (reader == NULL)
    return;
  OTF2_Reader_ReadAllLocalDefinitions (archive->reader, reader, &n_read);
  OTF2_Reader_CloseDefReader (archive->reader, reader);
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

gboolean
pd_otf2_read_location (PdOtf2Archive *archive, OTF2_LocationRef location,
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
  if (archive->error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&archive->error));
      return FALSE;
    }
  return (status == OTF2_SUCCESS && n_read >= n_expected)
         || events_are_damaged (archive, location, error);
}

/* All locations are selected, as the library wants it before files are opened. */
static void
open_files (PdOtf2Archive *archive)
{
  for (guint32 rank = 0; rank < archive->world->n; rank++)
    OTF2_Reader_SelectLocation (archive->reader, archive->world->members[rank]);
  if (OTF2_Reader_OpenDefFiles (archive->reader) == OTF2_SUCCESS)
    {
      for (guint32 rank = 0; rank < archive->world->n; rank++)
        read_mappings (archive, archive->world->members[rank]);
      OTF2_Reader_CloseDefFiles (archive->reader);
    }
  OTF2_Reader_OpenEvtFiles (archive->reader);
}

/* When each rank began, on the clock of all: the first one at 0. */
static void
set_begins (PdOtf2Archive *archive)
{
  const PdTime *begins = (const PdTime *) (void *) archive->begins->data;
  PdTime first = begins[0];

  for (guint32 rank = 1; rank < archive->begins->len; rank++)
    first.ps = MIN (first.ps, begins[rank].ps);
  for (guint32 rank = 0; rank < archive->begins->len; rank++)
    pd_program_builder_set_recorded_begin (archive->builder, rank,
                                           pd_time_sub (begins[rank], first));
}

/* Archives with regions of the user alone have neither beginning nor end. */
static gboolean
tell_unfinished (const PdOtf2Archive *archive)
{
  if (!archive->has_init)
    return FALSE;
  for (guint i = 0; i < archive->unfinished->len; i++)
    pd_messages_add (archive->messages, PD_SEVERITY_WARNING, "trace-incomplete", NULL,
                     &(PdPlace){ archive->path, 0, NULL, -1,
                                 g_array_index (archive->unfinished, guint32, i), TRUE },
                     "the events end before MPI_Finalize: figures may be wrong");
  return archive->unfinished->len > 0;
}

PdProgram *
pd_otf2_read (const char *path, gboolean recorded, gboolean *incomplete, PdMessages *messages,
              GError **error)
{
  g_auto (PdOtf2Archive) archive = { .path = path, .messages = messages, .recorded = recorded };

  archive_init (&archive);
  if (!open_archive (&archive, error) || !pd_otf2_read_definitions (&archive, error))
    return NULL;
  archive.builder = pd_program_builder_new (archive.world->n, PD_AMOUNT_TIME);
  open_files (&archive);
  if (!pd_otf2_gather_counts (&archive, error))
    return NULL;
  for (guint32 rank = 0; rank < archive.world->n; rank++)
    if (!pd_otf2_read_rank (&archive, rank, error))
      return NULL;
  set_begins (&archive);
  gboolean is_cut = tell_unfinished (&archive);
  if (incomplete != NULL)
    *incomplete = is_cut;
  return pd_program_builder_finish (g_steal_pointer (&archive.builder));
}
