/* OTF2 archives: opening them, and reading their ranks one by one.
 * SPDX-License-Identifier: MIT */
#include "traces/otf2/pd-otf2-rank-private.h"
#include "traces/otf2/pd-otf2-reader.h"

#include "base/memory/pd-memory.h"
#include "base/pd-parallel.h"
#include "traces/otf2/pd-otf2-anchor-private.h"
#include "traces/otf2/pd-otf2-private.h"
#include "traces/otf2/pd-otf2-chunks-private.h"
#include "traces/otf2/pd-otf2-counts-private.h"
#include "traces/otf2/pd-otf2-decode-private.h"
#include "traces/otf2/pd-otf2-defs-private.h"
#include "traces/otf2/pd-otf2-dense-private.h"
#include "traces/otf2/pd-otf2-recording-private.h"
#include "traces/otf2/pd-otf2-location-private.h"
#include "traces/program/pd-program-builder-take.h"
#include "traces/program/pd-program-builder.h"

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
  archive->mpi_io = g_hash_table_new (NULL, NULL);
  archive->files = g_hash_table_new (NULL, NULL);
  archive->handles = g_hash_table_new (NULL, NULL);
  archive->parameters = g_hash_table_new (NULL, NULL);
  archive->places = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  archive->contexts = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  archive->marked = g_hash_table_new (NULL, NULL);
  archive->processes = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  archive->nodes = g_hash_table_new (NULL, NULL);
  archive->members = g_hash_table_new (NULL, NULL);
  for (guint of = 0; of < PD_OTF2_N_OF; of++)
    archive->metrics[of] = g_hash_table_new (NULL, NULL);
  archive->begins = g_array_new (FALSE, FALSE, sizeof (PdTime));
  archive->computed = g_array_new (FALSE, FALSE, sizeof (PdTimeSum));
  archive->rank_of = g_hash_table_new (NULL, NULL);
  archive->n_events = g_hash_table_new (NULL, NULL);
  archive->plain = g_hash_table_new (NULL, NULL);
  archive->locations = g_array_new (FALSE, FALSE, sizeof (PdOtf2Location));
  archive->threads = g_array_new (FALSE, FALSE, sizeof (PdOtf2Location));
  archive->unfinished = g_array_new (FALSE, FALSE, sizeof (guint32));
  archive->new_comms = g_array_new (FALSE, FALSE, sizeof (PdOtf2NewComm));
}

static void
archive_clear (PdOtf2Archive *archive)
{
  if (archive->reader != NULL)
    OTF2_Reader_Close (archive->reader);
  pd_program_builder_free (archive->builder);
  pd_otf2_clear_dense (archive);
  g_clear_pointer (&archive->strings, g_hash_table_unref);
  g_clear_pointer (&archive->regions, g_hash_table_unref);
  g_clear_pointer (&archive->groups, g_hash_table_unref);
  g_clear_pointer (&archive->comms, g_hash_table_unref);
  g_clear_pointer (&archive->windows, g_hash_table_unref);
  g_clear_pointer (&archive->mpi_io, g_hash_table_unref);
  g_clear_pointer (&archive->files, g_hash_table_unref);
  g_clear_pointer (&archive->handles, g_hash_table_unref);
  g_clear_pointer (&archive->parameters, g_hash_table_unref);
  g_clear_pointer (&archive->places, g_hash_table_unref);
  g_clear_pointer (&archive->contexts, g_hash_table_unref);
  g_clear_pointer (&archive->marked, g_hash_table_unref);
  g_clear_pointer (&archive->processes, g_hash_table_unref);
  g_clear_pointer (&archive->nodes, g_hash_table_unref);
  g_clear_pointer (&archive->members, g_hash_table_unref);
  g_clear_pointer (&archive->reading_costs, g_free);
  for (guint of = 0; of < PD_OTF2_N_OF; of++)
    g_clear_pointer (&archive->metrics[of], g_hash_table_unref);
  g_clear_pointer (&archive->begins, g_array_unref);
  g_clear_pointer (&archive->computed, g_array_unref);
  g_clear_pointer (&archive->rank_of, g_hash_table_unref);
  g_clear_pointer (&archive->n_events, g_hash_table_unref);
  g_clear_pointer (&archive->digests, g_hash_table_unref);
  g_clear_pointer (&archive->plain, g_hash_table_unref);
  g_clear_pointer (&archive->locations, g_array_unref);
  g_clear_pointer (&archive->threads, g_array_unref);
  g_clear_pointer (&archive->unfinished, g_array_unref);
  g_clear_pointer (&archive->new_comms, g_array_unref);
  pd_otf2_clear_chunks (archive);
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

typedef struct
{
  PdOtf2Archive *archive;
  OTF2_LocationRef location;
} OwnDefinitions;

static OTF2_CallbackCode
on_mapping (void *data, OTF2_MappingType type G_GNUC_UNUSED, const OTF2_IdMap *map G_GNUC_UNUSED)
{
  OwnDefinitions *own = data;

  pd_otf2_decode_not (own->archive, own->location);
  return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_clock (void *data, OTF2_TimeStamp time G_GNUC_UNUSED, int64_t offset G_GNUC_UNUSED,
          double deviation G_GNUC_UNUSED)
{
  return on_mapping (data, OTF2_MAPPING_STRING, NULL);
}

/* The location's own definitions say how its numbers and its clock map to the archive's, as the
 * library does while it reads; they may be absent. */
static void
read_mappings (PdOtf2Archive *archive, OTF2_LocationRef location)
{
  OTF2_DefReader *reader = OTF2_Reader_GetDefReader (archive->reader, location);
  OwnDefinitions own = { archive, location };
  uint64_t n_read = 0;

  if (reader == NULL)
    return;
  OTF2_DefReaderCallbacks *callbacks = OTF2_DefReaderCallbacks_New ();
  OTF2_DefReaderCallbacks_SetMappingTableCallback (callbacks, on_mapping);
  OTF2_DefReaderCallbacks_SetClockOffsetCallback (callbacks, on_clock);
  OTF2_Reader_RegisterDefCallbacks (archive->reader, reader, callbacks, &own);
  OTF2_DefReaderCallbacks_Delete (callbacks);
  OTF2_Reader_ReadAllLocalDefinitions (archive->reader, reader, &n_read);
  OTF2_Reader_CloseDefReader (archive->reader, reader);
}

/* All locations are selected, as the library wants it before files are opened. */
static void
open_files (PdOtf2Archive *archive)
{
  for (guint32 rank = 0; rank < archive->world->n; rank++)
    OTF2_Reader_SelectLocation (archive->reader, archive->world->members[rank]);
  for (guint i = 0; i < archive->threads->len; i++)
    OTF2_Reader_SelectLocation (archive->reader,
                                g_array_index (archive->threads, PdOtf2Location, i).ref);
  if (OTF2_Reader_OpenDefFiles (archive->reader) == OTF2_SUCCESS)
    {
      for (guint32 rank = 0; rank < archive->world->n; rank++)
        read_mappings (archive, archive->world->members[rank]);
      for (guint i = 0; i < archive->threads->len; i++)
        read_mappings (archive, g_array_index (archive->threads, PdOtf2Location, i).ref);
      OTF2_Reader_CloseDefFiles (archive->reader);
    }
  OTF2_Reader_OpenEvtFiles (archive->reader);
}

/* ---- several threads */

/* Ranks that one thread reads, one after the other. */
typedef struct
{
  guint32 first;
  guint32 end; /* behind the last one */
  PdOtf2Archive archive;
  GError *error; /* (nullable) */
} Block;

/* The blocks of an archive, by rank. */
typedef struct
{
  const PdOtf2Archive *archive;
  Block *blocks;
} Blocks;

/* So many for each thread: ranks do not take the same time. */
#define BLOCKS_PER_THREAD 4

static void
read_block (guint i, gpointer data)
{
  const Blocks *all = data;
  Block *block = &all->blocks[i];

  pd_otf2_copy_init (&block->archive, all->archive);
  for (guint32 rank = block->first; rank < block->end; rank++)
    if (!pd_otf2_read_rank (&block->archive, rank, &block->error))
      return;
}

/* The intervals of the programmer's numbers that lower ranks have, by those of the block. */
static guint32 *
find_marked (const PdOtf2Archive *archive, const PdOtf2Archive *own)
{
  guint32 n = pd_program_builder_get_n_intervals (own->builder);
  guint32 *intervals = g_new (guint32, n + 1);
  GHashTableIter iter;
  gpointer key, value;

  for (guint32 i = 0; i < n; i++)
    intervals[i] = PD_PROGRAM_NONE;
  g_hash_table_iter_init (&iter, own->marked);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      guint known = GPOINTER_TO_UINT (g_hash_table_lookup (archive->marked, key));
      if (known > 0)
        intervals[GPOINTER_TO_UINT (value) - 1] = known - 1;
    }
  return intervals;
}

/* Those of the block, which are @intervals now, belong to the archive. */
static void
take_marked (PdOtf2Archive *archive, const PdOtf2Archive *own, const guint32 *intervals)
{
  GHashTableIter iter;
  gpointer key, value;

  g_hash_table_iter_init (&iter, own->marked);
  while (g_hash_table_iter_next (&iter, &key, &value))
    g_hash_table_insert (archive->marked, key,
                         GUINT_TO_POINTER (intervals[GPOINTER_TO_UINT (value) - 1] + 1));
}

/* Moves the results of a block to the archive, as if one thread had read all. */
static gboolean
take_block (PdOtf2Archive *archive, Block *block, GError **error)
{
  PdOtf2Archive *own = &block->archive;
  g_autofree guint32 *comms = g_new0 (guint32, own->new_comms->len + 1);
  g_autofree guint32 *intervals = find_marked (archive, own);
  const PdTakenRanks ranks = { block->first, block->end, comms, intervals };

  pd_messages_add_all (archive->messages, own->messages);
  if (block->error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&block->error));
      return FALSE;
    }
  for (guint i = 0; i < own->new_comms->len; i++)
    {
      const PdOtf2NewComm *comm = &g_array_index (own->new_comms, PdOtf2NewComm, i);
      pd_otf2_find_comm (archive, comm->ref, comm->rank, &comms[i + 1]);
    }
  if (!pd_program_builder_take (archive->builder, own->builder, &ranks, error))
    return FALSE;
  take_marked (archive, own, intervals);
  g_array_append_vals (archive->begins, own->begins->data, own->begins->len);
  g_array_append_vals (archive->computed, own->computed->data, own->computed->len);
  g_array_append_vals (archive->unfinished, own->unfinished->data, own->unfinished->len);
  archive->has_init |= own->has_init;
  return TRUE;
}

static gboolean
read_ranks_at_once (PdOtf2Archive *archive, guint n_threads, GError **error)
{
  guint32 n_ranks = archive->world->n;
  guint n = MIN (n_ranks, BLOCKS_PER_THREAD * n_threads);
  g_autofree Block *blocks = g_new0 (Block, n);
  Blocks all = { archive, blocks };
  gboolean fine = TRUE;

  for (guint i = 0; i < n; i++)
    {
      blocks[i].first = (guint32) ((guint64) n_ranks * i / n);
      blocks[i].end = (guint32) ((guint64) n_ranks * (i + 1) / n);
    }
  pd_parallel_run (n, n_threads, read_block, &all);
  for (guint i = 0; i < n; i++)
    {
      fine = fine && take_block (archive, &blocks[i], error);
      pd_otf2_copy_clear (&blocks[i].archive);
      g_clear_error (&blocks[i].error);
    }
  return fine;
}

/* The library reads in one thread only. */
static gboolean
needs_library (const PdOtf2Archive *archive)
{
  for (guint32 rank = 0; rank < archive->world->n; rank++)
    if (!pd_otf2_can_decode (archive, archive->world->members[rank]))
      return TRUE;
  for (guint i = 0; i < archive->threads->len; i++)
    if (!pd_otf2_can_decode (archive, g_array_index (archive->threads, PdOtf2Location, i).ref))
      return TRUE;
  return FALSE;
}

static gboolean
read_ranks (PdOtf2Archive *archive, GError **error)
{
  guint n_threads = MIN (archive->n_threads, archive->world->n);

  if (n_threads > 1 && !needs_library (archive))
    return read_ranks_at_once (archive, n_threads, error);
  for (guint32 rank = 0; rank < archive->world->n; rank++)
    if (!pd_otf2_read_rank (archive, rank, error))
      return FALSE;
  return TRUE;
}

/* ---- the whole */

/* When each rank began, on the clock of all: the first one at 0. Returns: when that was, since
 * the archive's origin. */
static PdTime
set_begins (PdOtf2Archive *archive)
{
  const PdTime *begins = (const PdTime *) (void *) archive->begins->data;
  PdTime first = begins[0];

  for (guint32 rank = 1; rank < archive->begins->len; rank++)
    first.ps = MIN (first.ps, begins[rank].ps);
  for (guint32 rank = 0; rank < archive->begins->len; rank++)
    pd_program_builder_set_recorded_begin (archive->builder, rank,
                                           pd_time_sub (begins[rank], first));
  return first;
}

/* Archives with regions of the user alone have neither beginning nor end. */
static gboolean
report_unfinished (const PdOtf2Archive *archive)
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

static PdProgram *
read_once (const PdOtf2Archive *what, gboolean *incomplete, GError **error)
{
  g_auto (PdOtf2Archive) archive = *what;

  archive_init (&archive);
  archive.progress = pd_messages_get_progress (archive.messages);
  if (!pd_otf2_check_anchor (archive.path, error) || !open_archive (&archive, error)
      || !pd_otf2_check_definitions (&archive, error) || !pd_otf2_read_definitions (&archive, error)
      || !pd_otf2_check_ranks (&archive, error))
    return NULL;
  pd_otf2_read_extent (&archive);
  archive.builder = pd_otf2_builder_new (&archive);
  pd_otf2_read_costs (&archive);
  pd_otf2_read_clock (&archive);
  open_files (&archive);
  if (!pd_otf2_gather_counts (&archive, error) || !read_ranks (&archive, error))
    return NULL;
  PdTime first = set_begins (&archive);
  gboolean is_cut = report_unfinished (&archive);
  is_cut |= pd_otf2_report_extent (&archive, first);
  if (incomplete != NULL)
    *incomplete = is_cut;
  pd_otf2_set_usages (&archive);
  PdProgram *program = pd_program_builder_finish (g_steal_pointer (&archive.builder));
  pd_otf2_report_usages (&archive, program);
  return program;
}

/* Most archives are whole and have nothing that only the library decodes: their events need not
 * be checked before they are decoded. Of others nothing is kept, no error or message either:
 * they are read again. */
static PdProgram *
read_archive (const PdOtf2Archive *what, gboolean *incomplete, GError **error)
{
  g_autoptr (PdMessages) messages = pd_messages_new ();
  PdOtf2Archive trusting = *what;

  if (what->by_library)
    return read_once (what, incomplete, error);
  pd_messages_set_progress (messages, pd_messages_get_progress (what->messages));
  trusting.is_trusting = TRUE;
  trusting.messages = messages;
  PdProgram *program = read_once (&trusting, incomplete, NULL);
  if (program == NULL)
    return read_once (what, incomplete, error);
  pd_messages_add_all (what->messages, messages);
  return program;
}

PdProgram *
pd_otf2_read_by_threads (const char *path, gboolean recorded, guint n_threads, PdMessages *messages,
                         GError **error)
{
  return read_archive (
      &(PdOtf2Archive){
          .path = path, .messages = messages, .recorded = recorded, .n_threads = n_threads },
      NULL, error);
}

PdProgram *
pd_otf2_read (const char *path, gboolean recorded, gboolean *incomplete, PdMessages *messages,
              GError **error)
{
  PdProgram *program =
      read_archive (&(PdOtf2Archive){ .path = path,
                                      .messages = messages,
                                      .recorded = recorded,
                                      .n_threads = pd_parallel_get_n_processors () },
                    incomplete, error);

  pd_memory_trim (); /* what the library and threads had for their buffers: some 10 MB */
  return program;
}

PdProgram *
pd_otf2_read_outline (const char *path, PdMessages *messages, GError **error)
{
  return read_archive (&(PdOtf2Archive){ .path = path,
                                         .messages = messages,
                                         .recorded = TRUE,
                                         .is_outline = TRUE,
                                         .n_threads = pd_parallel_get_n_processors () },
                       NULL, error);
}

PdProgram *
pd_otf2_read_by_library (const char *path, gboolean recorded, gboolean *incomplete,
                         PdMessages *messages, GError **error)
{
  return read_archive (&(PdOtf2Archive){ .path = path,
                                         .messages = messages,
                                         .recorded = recorded,
                                         .by_library = TRUE,
                                         .n_threads = 1 },
                       incomplete, error);
}
