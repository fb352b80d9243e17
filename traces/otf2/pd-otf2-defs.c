/* OTF2 archives: what their definitions say.
 * SPDX-License-Identifier: MIT */
#include "traces/otf2/pd-otf2-private.h"
#include "traces/otf2/pd-otf2-calls-private.h"
#include "traces/otf2/pd-otf2-defs-private.h"
#include "traces/otf2/pd-otf2-dense-private.h"
#include "traces/otf2/pd-otf2-events-private.h"
#include "traces/otf2/pd-otf2-location-private.h"
#include "traces/otf2/pd-otf2-recording-private.h"
#include "traces/program/pd-program-builder.h"

#include <string.h>

/* References go up to 2^32, and may be anything in between. */
/* Frames of a call stack that are kept. */
#define MAX_STACK 64

#define KEY(ref) (GSIZE_TO_POINTER ((gsize) (ref)))

/* Notes the first error; what callbacks return. */
static OTF2_CallbackCode G_GNUC_PRINTF (2, 3) fail (PdOtf2Archive *archive, const char *format, ...)
{
  va_list arguments;

  if (archive->error != NULL)
    return OTF2_CALLBACK_INTERRUPT;
  va_start (arguments, format);
  g_autofree char *text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error (&archive->error, PD_TRACE_ERROR, PD_TRACE_ERROR_VALUE, "%s: %s", archive->path,
               text);
  return OTF2_CALLBACK_INTERRUPT;
}

/* A second definition would free what others refer to. */
static OTF2_CallbackCode
define (PdOtf2Archive *archive, GHashTable *table, const char *what, guint64 ref, gpointer value)
{
  if (g_hash_table_insert (table, KEY (ref), value))
    return OTF2_CALLBACK_SUCCESS;
  return fail (archive, "%s %" G_GUINT64_FORMAT " is defined twice", what, ref);
}

static const char *
find_string (const PdOtf2Archive *archive, OTF2_StringRef ref)
{
  const char *text = g_hash_table_lookup (archive->strings, KEY (ref));

  return text != NULL ? text : "";
}

/* ---- definitions, in the order in which they may refer to each other */

static OTF2_CallbackCode
on_clock (void *data, uint64_t resolution, uint64_t offset, uint64_t length,
          uint64_t realtime G_GNUC_UNUSED)
{
  PdOtf2Archive *archive = data;

  if (resolution == 0)
    return fail (archive, "a clock of 0 ticks per second");
  archive->resolution = resolution;
  archive->clock_begin = offset;
  archive->clock_length = length;
  return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_string (void *data, OTF2_StringRef self, const char *string)
{
  PdOtf2Archive *archive = data;

  return define (archive, archive->strings, "string", self, g_utf8_make_valid (string, -1));
}

static OTF2_CallbackCode
on_location (void *data, OTF2_LocationRef self, OTF2_StringRef name G_GNUC_UNUSED,
             OTF2_LocationType type, uint64_t n_events, OTF2_LocationGroupRef group)
{
  PdOtf2Archive *archive = data;
  PdOtf2Location location = { self, type, group, 0 };

  g_array_append_val (archive->locations, location);
  if (n_events == 0)
    return OTF2_CALLBACK_SUCCESS;
  return define (archive, archive->n_events, "location", self, KEY (n_events));
}

static OTF2_CallbackCode
on_region (void *data, OTF2_RegionRef self, OTF2_StringRef name, OTF2_StringRef canonical,
           OTF2_StringRef description G_GNUC_UNUSED, OTF2_RegionRole role G_GNUC_UNUSED,
           OTF2_Paradigm paradigm, OTF2_RegionFlag flags G_GNUC_UNUSED, OTF2_StringRef file,
           uint32_t begin, uint32_t end G_GNUC_UNUSED)
{
  PdOtf2Archive *archive = data;
  PdOtf2Region *region = g_new (PdOtf2Region, 1);
  const char *call = find_string (archive, canonical);
  gboolean is_mpi = paradigm == OTF2_PARADIGM_MPI;

  *region = (PdOtf2Region){
    .name = find_string (archive, name),
    .file = find_string (archive, file),
    .line = begin,
    .is_user = paradigm == OTF2_PARADIGM_USER || paradigm == OTF2_PARADIGM_COMPILER
               || paradigm == OTF2_PARADIGM_SAMPLING || paradigm == OTF2_PARADIGM_UNKNOWN,
    .is_lost = paradigm == OTF2_PARADIGM_NONE
               && g_str_equal (find_string (archive, name), PD_PROGRAM_LOST),
    .name_index = PD_PROGRAM_NONE,
    .interval = PD_PROGRAM_NONE,
    .paradigm = paradigm,
  };
  if (is_mpi)
    region->call = pd_otf2_call_find (g_str_has_prefix (call, "MPI_") ? call : region->name);
  return define (archive, archive->regions, "region", self, region);
}

static OTF2_CallbackCode
on_group (void *data, OTF2_GroupRef self, OTF2_StringRef name G_GNUC_UNUSED, OTF2_GroupType type,
          OTF2_Paradigm paradigm, OTF2_GroupFlag flags G_GNUC_UNUSED, uint32_t n,
          const uint64_t *members)
{
  PdOtf2Archive *archive = data;
  PdOtf2Group *group = g_new (PdOtf2Group, 1);

  *group = (PdOtf2Group){ type, paradigm, n, g_new (guint64, MAX (n, 1)), NULL };
  if (n > 0)
    memcpy (group->members, members, n * sizeof *members);
  if (type == OTF2_GROUP_TYPE_COMM_LOCATIONS && paradigm == OTF2_PARADIGM_MPI)
    archive->world = group;
  return define (archive, archive->groups, "group", self, group);
}

static OTF2_CallbackCode
on_comm (void *data, OTF2_CommRef self, OTF2_StringRef name G_GNUC_UNUSED, OTF2_GroupRef group,
         OTF2_CommRef parent G_GNUC_UNUSED, OTF2_CommFlag flags G_GNUC_UNUSED)
{
  PdOtf2Archive *archive = data;
  PdOtf2Comm *comm = g_new0 (PdOtf2Comm, 1);

  comm->group = group;
  return define (archive, archive->comms, "communicator", self, comm);
}

static OTF2_CallbackCode
on_inter_comm (void *data, OTF2_CommRef self, OTF2_StringRef name G_GNUC_UNUSED, OTF2_GroupRef a,
               OTF2_GroupRef b, OTF2_CommRef common G_GNUC_UNUSED,
               OTF2_CommFlag flags G_GNUC_UNUSED)
{
  PdOtf2Archive *archive = data;
  PdOtf2Comm *comm = g_new0 (PdOtf2Comm, 1);

  comm->group = a;
  comm->other = b;
  comm->is_inter = TRUE;
  return define (archive, archive->comms, "communicator", self, comm);
}

static OTF2_CallbackCode
on_window (void *data, OTF2_RmaWinRef self, OTF2_StringRef name G_GNUC_UNUSED, OTF2_CommRef comm,
           OTF2_RmaWinFlag flags G_GNUC_UNUSED)
{
  PdOtf2Archive *archive = data;

  return define (archive, archive->windows, "window", self, KEY (comm));
}

static OTF2_CallbackCode
on_parameter (void *data, OTF2_ParameterRef self, OTF2_StringRef name,
              OTF2_ParameterType type G_GNUC_UNUSED)
{
  PdOtf2Archive *archive = data;

  g_hash_table_insert (archive->parameters, KEY (self), (char *) find_string (archive, name));
  return OTF2_CALLBACK_SUCCESS;
}

/* ---- call stacks */

const PdOtf2AttributeRow pd_otf2_attributes[PD_OTF2_N_ATTRIBUTES] = {
  [PD_OTF2_CALL_STACK] = { "call stack", OTF2_TYPE_CALLING_CONTEXT },
  [PD_OTF2_WILDCARD] = { "wildcard", OTF2_TYPE_UINT8 },
  [PD_OTF2_SEND_MODE] = { "send mode", OTF2_TYPE_UINT8 },
  [PD_OTF2_FILE] = { "file handle", OTF2_TYPE_IO_HANDLE },
  [PD_OTF2_SOURCES] = { "neighbour sources", OTF2_TYPE_GROUP },
  [PD_OTF2_TARGETS] = { "neighbour targets", OTF2_TYPE_GROUP },
};

static OTF2_CallbackCode
on_attribute (void *data, OTF2_AttributeRef self, OTF2_StringRef name,
              OTF2_StringRef description G_GNUC_UNUSED, OTF2_Type type)
{
  PdOtf2Archive *archive = data;
  const char *text = find_string (archive, name);

  for (guint i = 0; i < PD_OTF2_N_ATTRIBUTES; i++)
    if (type == pd_otf2_attributes[i].type && g_str_equal (text, pd_otf2_attributes[i].name))
      {
        archive->has_attribute[i] = TRUE;
        archive->attributes[i] = self;
      }
  return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_place (void *data, OTF2_SourceCodeLocationRef self, OTF2_StringRef file, uint32_t line)
{
  PdOtf2Archive *archive = data;
  PdOtf2Place *place = g_new (PdOtf2Place, 1);

  *place = (PdOtf2Place){ find_string (archive, file), line };
  g_hash_table_insert (archive->places, KEY (self), place);
  return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_context (void *data, OTF2_CallingContextRef self, OTF2_RegionRef region,
            OTF2_SourceCodeLocationRef place, OTF2_CallingContextRef parent)
{
  PdOtf2Archive *archive = data;
  PdOtf2Context *context = g_new (PdOtf2Context, 1);

  *context = (PdOtf2Context){ .region = region, .place = place, .parent = parent };
  g_hash_table_insert (archive->contexts, KEY (self), context);
  return OTF2_CALLBACK_SUCCESS;
}

/* A library whose lines are not known, as the C library or a wrapper of MPI. */
static gboolean
is_in_library (const char *file, guint32 line)
{
  g_autofree char *name = g_path_get_basename (file);

  return line == 0 && strstr (name, ".so") != NULL;
}

/* The call site is the user's line: libraries that it calls are not shown, nor those
 * around it. Where nothing has lines, all is shown. */
static void
make_site (PdOtf2Archive *archive, PdOtf2Context *own, const PdOtf2Context *parent)
{
  const PdOtf2Place *place = g_hash_table_lookup (archive->places, KEY (own->place));
  const PdOtf2Region *region = g_hash_table_lookup (archive->regions, KEY (own->region));
  PdProgramSite site = { place != NULL ? place->file : "", region != NULL ? region->name : "",
                         place != NULL ? place->line : 0,
                         parent != NULL ? parent->site : PD_PROGRAM_NONE };
  gboolean is_library = place != NULL && is_in_library (place->file, place->line);

  own->is_known = TRUE;
  own->has_line = site.line > 0 || (parent != NULL && parent->has_line);
  own->around = parent != NULL ? parent->around : PD_PROGRAM_NONE;
  if (is_library && own->has_line)
    {
      own->site = parent->site;
      return;
    }
  if (site.line > 0)
    site.parent = own->around;
  own->site = pd_program_builder_add_site (archive->builder, &site);
  if (!is_library)
    own->around = own->site;
}

/* The context of who called; what calls main() is of no interest. */
static PdOtf2Context *
caller_of (const PdOtf2Archive *archive, const PdOtf2Context *own)
{
  const PdOtf2Place *place = g_hash_table_lookup (archive->places, KEY (own->place));
  const PdOtf2Region *region = g_hash_table_lookup (archive->regions, KEY (own->region));

  if (place != NULL && place->line > 0 && region != NULL && g_str_equal (region->name, "main"))
    return NULL;
  return g_hash_table_lookup (archive->contexts, KEY (own->parent));
}

/* A parent that is not known yet comes later in the chain of contexts; a chain
 * that bites its tail ends there. */
guint32
pd_otf2_find_site (PdOtf2Archive *archive, OTF2_CallingContextRef ref)
{
  PdOtf2Context *context = pd_otf2_get_context (archive, ref);

  if (context != NULL && context->is_known)
    return context->site;
  g_autoptr (GPtrArray) chain = g_ptr_array_new ();
  for (; context != NULL && !context->is_known && chain->len < MAX_STACK;
       context = caller_of (archive, context))
    g_ptr_array_add (chain, context);
  if (context != NULL && !context->is_known)
    context = NULL;
  for (guint i = chain->len; i-- > 0; context = chain->pdata[i])
    make_site (archive, chain->pdata[i], context);
  return context != NULL ? context->site : PD_PROGRAM_NONE;
}

const PdOtf2Place *
pd_otf2_find_place (const PdOtf2Archive *archive, OTF2_CallingContextRef ref)
{
  const PdOtf2Context *context = g_hash_table_lookup (archive->contexts, KEY (ref));

  return context != NULL ? g_hash_table_lookup (archive->places, KEY (context->place)) : NULL;
}

static void
set_callbacks (OTF2_GlobalDefReaderCallbacks *callbacks)
{
  OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback (callbacks, on_clock);
  OTF2_GlobalDefReaderCallbacks_SetStringCallback (callbacks, on_string);
  OTF2_GlobalDefReaderCallbacks_SetLocationCallback (callbacks, on_location);
  OTF2_GlobalDefReaderCallbacks_SetRegionCallback (callbacks, on_region);
  OTF2_GlobalDefReaderCallbacks_SetGroupCallback (callbacks, on_group);
  OTF2_GlobalDefReaderCallbacks_SetCommCallback (callbacks, on_comm);
  OTF2_GlobalDefReaderCallbacks_SetInterCommCallback (callbacks, on_inter_comm);
  OTF2_GlobalDefReaderCallbacks_SetRmaWinCallback (callbacks, on_window);
  OTF2_GlobalDefReaderCallbacks_SetParameterCallback (callbacks, on_parameter);
  OTF2_GlobalDefReaderCallbacks_SetAttributeCallback (callbacks, on_attribute);
  OTF2_GlobalDefReaderCallbacks_SetSourceCodeLocationCallback (callbacks, on_place);
  OTF2_GlobalDefReaderCallbacks_SetCallingContextCallback (callbacks, on_context);
  pd_otf2_files_define (callbacks);
  pd_otf2_usage_set_callbacks (callbacks);
}

/* ---- what they amount to */

static gint
compare_ranks (gconstpointer a, gconstpointer b)
{
  const PdOtf2Location *x = a, *y = b;

  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  return x->ref < y->ref ? -1 : x->ref > y->ref;
}

/* Threads are of the rank in whose group they are; without one they are nobody's. */
static void
find_threads (PdOtf2Archive *archive)
{
  g_autoptr (GHashTable) rank_of_group = g_hash_table_new (NULL, NULL);
  gpointer rank;

  for (guint i = 0; i < archive->locations->len; i++)
    {
      const PdOtf2Location *location = &g_array_index (archive->locations, PdOtf2Location, i);
      if (g_hash_table_lookup_extended (archive->rank_of, KEY (location->ref), NULL, &rank))
        g_hash_table_insert (rank_of_group, KEY (location->group), rank);
    }
  for (guint i = 0; i < archive->locations->len; i++)
    {
      PdOtf2Location thread = g_array_index (archive->locations, PdOtf2Location, i);
      if (thread.type != OTF2_LOCATION_TYPE_CPU_THREAD
          || g_hash_table_contains (archive->rank_of, KEY (thread.ref))
          || !g_hash_table_contains (archive->n_events, KEY (thread.ref)))
        continue;
      if (g_hash_table_lookup_extended (rank_of_group, KEY (thread.group), NULL, &rank))
        {
          thread.rank = GPOINTER_TO_UINT (rank);
          g_array_append_val (archive->threads, thread);
        }
      else
        pd_messages_add (archive->messages, PD_SEVERITY_WARNING, "thread-ignored", NULL,
                         &(PdPlace){ archive->path, 0, NULL, -1, -1, TRUE },
                         "events of a thread that belongs to no rank: left out");
    }
  g_array_sort (archive->threads, compare_ranks);
  for (guint i = 0; i < archive->threads->len; i++)
    {
      const PdOtf2Location *thread = &g_array_index (archive->threads, PdOtf2Location, i);
      g_hash_table_insert (archive->rank_of, KEY (thread->ref), GUINT_TO_POINTER (thread->rank));
    }
}

/* Which location is which rank. */
static gboolean
find_ranks (PdOtf2Archive *archive)
{
  guint32 n = archive->world != NULL ? archive->world->n : 0;

  if (n == 0 || n > PD_PROGRAM_MAX_RANKS)
    {
      fail (archive, n == 0 ? "no MPI ranks in this archive" : "%u ranks, expected at most %u", n,
            PD_PROGRAM_MAX_RANKS);
      return FALSE;
    }
  if (archive->resolution == 0)
    {
      fail (archive, "no clock in this archive");
      return FALSE;
    }
  for (guint32 rank = 0; rank < n; rank++)
    if (!g_hash_table_insert (archive->rank_of, KEY (archive->world->members[rank]),
                              GUINT_TO_POINTER (rank)))
      {
        fail (archive, "rank %u is at the location of another one", rank);
        return FALSE;
      }
  find_threads (archive);
  return TRUE;
}

gboolean
pd_otf2_read_definitions (PdOtf2Archive *archive, GError **error)
{
  OTF2_GlobalDefReader *reader = OTF2_Reader_GetGlobalDefReader (archive->reader);
  OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New ();
  uint64_t n_expected = 0, n_read = 0;
  OTF2_ErrorCode status = OTF2_ERROR_INVALID;

  if (reader != NULL && callbacks != NULL)
    {
      set_callbacks (callbacks);
      OTF2_Reader_RegisterGlobalDefCallbacks (archive->reader, reader, callbacks, archive);
      OTF2_Reader_GetNumberOfGlobalDefinitions (archive->reader, &n_expected);
      status = OTF2_Reader_ReadAllGlobalDefinitions (archive->reader, reader, &n_read);
      OTF2_Reader_CloseGlobalDefReader (archive->reader, reader);
    }
  OTF2_GlobalDefReaderCallbacks_Delete (callbacks);
  if (archive->error == NULL && (status != OTF2_SUCCESS || n_read < n_expected))
    g_set_error (&archive->error, PD_TRACE_ERROR, PD_TRACE_ERROR_FORMAT,
                 "%s: definitions cannot be read: %s", archive->path, pd_otf2_get_complaint ());
  if (archive->error == NULL && find_ranks (archive))
    {
      if (PD_PS_PER_S % archive->resolution == 0)
        archive->ps_per_tick = PD_PS_PER_S / archive->resolution;
      pd_otf2_make_dense (archive);
      return TRUE;
    }
  g_propagate_error (error, g_steal_pointer (&archive->error));
  return FALSE;
}

/* ---- communicators */

static PdOtf2Group *
find_group (const PdOtf2Archive *archive, OTF2_GroupRef ref)
{
  return g_hash_table_lookup (archive->groups, KEY (ref));
}

/* A communicator that holds the members of both groups, in that order. */
static gboolean
add_comm (PdOtf2Archive *archive, const PdOtf2Group *a, const PdOtf2Group *b,
          const PdOtf2NewComm *as, guint32 *index)
{
  g_autoptr (GArray) ranks = g_array_new (FALSE, FALSE, sizeof (guint32));
  gboolean is_world = b == NULL && a->n == archive->world->n;

  for (const PdOtf2Group *group = a; group != NULL; group = group == a ? b : NULL)
    for (guint32 i = 0; i < group->n; i++)
      {
        guint32 rank = (guint32) MIN (group->members[i], G_MAXUINT32);
        is_world = is_world && rank == i;
        g_array_append_val (ranks, rank);
      }
  *index = 0;
  if (!is_world)
    *index = pd_program_builder_add_comm (archive->builder, (guint32 *) (void *) ranks->data,
                                          ranks->len, &archive->error);
  if (archive->error == NULL && !is_world)
    g_array_append_val (archive->new_comms, *as);
  if (archive->error == NULL)
    return TRUE;
  g_prefix_error (&archive->error, "%s: ", archive->path);
  return FALSE;
}

gboolean
pd_otf2_find_comm (PdOtf2Archive *archive, OTF2_CommRef ref, guint32 rank, guint32 *index)
{
  PdOtf2Comm *comm = pd_otf2_get_comm (archive, ref);

  if (comm != NULL && comm->is_common)
    {
      *index = comm->index;
      return TRUE;
    }
  const PdOtf2Group *group = comm != NULL ? find_group (archive, comm->group) : NULL;
  const PdOtf2Group *other =
      comm != NULL && comm->is_inter ? find_group (archive, comm->other) : NULL;
  const PdOtf2NewComm as = { ref, rank };

  if (group == NULL || (comm->is_inter && other == NULL))
    {
      fail (archive, "unknown communicator %u", ref);
      return FALSE;
    }
  if (group->type == OTF2_GROUP_TYPE_COMM_SELF)
    {
      /* the same reference for all, each alone in its own */
      const PdOtf2Group self = { .n = 1, .members = &(guint64){ rank } };
      comm->is_known = comm->is_known && comm->owner == rank;
      comm->owner = rank;
      if (!comm->is_known && !add_comm (archive, &self, NULL, &as, &comm->index))
        return FALSE;
    }
  else if (!comm->is_known && !add_comm (archive, group, other, &as, &comm->index))
    return FALSE;
  comm->is_known = TRUE;
  comm->is_common = group->type != OTF2_GROUP_TYPE_COMM_SELF;
  *index = comm->index;
  return TRUE;
}

gboolean
pd_otf2_find_member (PdOtf2Group *group, guint32 rank, guint32 *place)
{
  gpointer found;

  if (rank < group->n && group->members[rank] == rank)
    {
      *place = rank;
      return TRUE;
    }
  if (group->index == NULL)
    {
      group->index = g_hash_table_new (NULL, NULL);
      for (guint32 i = 0; i < group->n; i++)
        g_hash_table_insert (group->index, KEY (group->members[i] + 1), GUINT_TO_POINTER (i));
    }
  if (!g_hash_table_lookup_extended (group->index, KEY ((gsize) rank + 1), NULL, &found))
    return FALSE;
  *place = GPOINTER_TO_UINT (found);
  return TRUE;
}

gint32
pd_otf2_find_peer (PdOtf2Archive *archive, OTF2_CommRef ref, guint32 rank, guint32 peer)
{
  const PdOtf2Comm *comm = pd_otf2_get_comm (archive, ref);
  guint32 place;

  if (peer > G_MAXINT32)
    return G_MAXINT32; /* refused as out of range */
  if (comm == NULL || !comm->is_inter)
    return (gint32) peer;
  PdOtf2Group *group = find_group (archive, comm->group);
  if (group == NULL)
    return (gint32) peer;
  /* of an inter-communicator: the peer is in the group where the rank is not */
  return pd_otf2_find_member (group, rank, &place)
             ? (gint32) MIN ((guint64) group->n + peer, G_MAXINT32)
             : (gint32) peer;
}

GArray *
pd_otf2_find_places (PdOtf2Archive *archive, OTF2_CommRef ref, OTF2_GroupRef group)
{
  GArray *places = g_array_new (FALSE, FALSE, sizeof (gint64));
  const PdOtf2Comm *comm = g_hash_table_lookup (archive->comms, KEY (ref));
  PdOtf2Group *all = comm != NULL ? find_group (archive, comm->group) : NULL;
  const PdOtf2Group *members = find_group (archive, group);
  guint32 place;

  if (all == NULL || members == NULL)
    {
      fail (archive, "unknown group %u", group);
      return places;
    }
  for (guint32 i = 0; i < members->n; i++)
    if (pd_otf2_find_member (all, (guint32) MIN (members->members[i], G_MAXUINT32), &place))
      {
        gint64 rank = place;
        g_array_append_val (places, rank);
      }
  return places;
}
