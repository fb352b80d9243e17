/* The archive of a run, written by all its ranks together: each its own events,
 * rank 0 the definitions. If one rank fails, all give up.
 * SPDX-License-Identifier: MIT */
#include "record/life/pd-rec-collect.h"
#include "record/archive/pd-rec-otf2.h"
#include "record/archive/pd-rec-archive.h"
#include "record/archive/pd-rec-definitions.h"
#include "record/archive/pd-rec-events.h"
#include "record/archive/pd-rec-extract.h"
#include "record/archive/pd-rec-otf2-mpi.h"
#include "record/stream/pd-rec-report.h"
#include "record/stream/pd-rec-stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A stream of this rank. */
typedef struct
{
  PdRecFile file;
  PdRecReader reader;
  PdRecExtract extract;
  PdRecMap map;
  PdRecRankInfo info;
  char path[1200];
} Own;

typedef struct
{
  const PdRecMpi *mpi;
  const char *folder;
  uint32_t n_own;
  Own *own;
  OTF2_Archive *archive;
  PdRecError *error;
  /* at rank 0: */
  uint64_t *counts; /* streams, by rank */
  uint64_t *sizes;  /* bytes, by rank */
  uint32_t n;       /* streams of all ranks */
  PdRecMap *maps;   /* of all streams, rank by rank; likewise: */
  PdRecRankInfo *infos;
  PdRecMerged merged;
} Collect;

/* Whether all ranks can go on. */
static int
agree (Collect *self, int status)
{
  uint64_t failed = status != 0;

  if (self->mpi->maximum (self->mpi->data, &failed) != 0)
    return pd_rec_fail (self->error, "the ranks cannot reach each other");
  if (failed != 0)
    return pd_rec_fail (self->error, "another rank failed");
  return 0;
}

/* ---- definitions */

static int
read_own (Collect *self, Own *own, int thread)
{
  char first[1200];
  int is_damaged;

  pd_rec_stream_path (first, sizeof first, self->folder, self->mpi->rank);
  pd_rec_stream_name (own->path, sizeof own->path, first, thread);
  if (pd_rec_file_map (&own->file, own->path, self->error) != 0
      || pd_rec_reader_init (&own->reader, own->path, own->file.bytes, own->file.n, self->error)
             != 0
      || pd_rec_extract (&own->reader, &own->extract, &is_damaged, self->error) != 0)
    return -1;
  return is_damaged ? -1 : 0;
}

/* How many streams each rank has. */
static int
count_streams (Collect *self)
{
  const PdRecMpi *mpi = self->mpi;
  uint64_t own = self->n_own, n = 0;
  int status = mpi->gather (mpi->data, &own, sizeof own, self->counts);

  for (int i = 0; mpi->rank == 0 && i < mpi->size; i++)
    n += self->counts[i];
  self->n = (uint32_t) n;
  if (mpi->rank == 0 && status == 0)
    {
      self->maps = calloc (n, sizeof *self->maps);
      self->infos = calloc (n, sizeof *self->infos);
      if (self->maps == NULL || self->infos == NULL)
        status = pd_rec_fail (self->error, "out of memory");
    }
  return status;
}

static int
allocate (Collect *self)
{
  size_t n = (size_t) self->mpi->size;
  int is_complete;

  self->own = calloc (self->n_own, sizeof *self->own);
  is_complete = self->own != NULL;
  if (self->mpi->rank == 0)
    {
      self->counts = calloc (n, sizeof *self->counts);
      self->sizes = calloc (n, sizeof *self->sizes);
      is_complete = is_complete && self->counts != NULL && self->sizes != NULL;
    }
  return is_complete ? 0 : pd_rec_fail (self->error, "out of memory");
}

/* Adds the extract of one stream, which has the number @i of all. */
static int
add_extract (Collect *self, uint32_t i, PdRecExtract *extract)
{
  const PdRecHead *head = (const PdRecHead *) (const void *) extract->words;
  char name[60];

  snprintf (name, sizeof name, "rank %d, thread %u", head->rank, head->thread);
  self->infos[i].host = pd_rec_pool_add_text (&self->merged.strings, head->host);
  return self->infos[i].host == PD_REC_NONE
             ? pd_rec_fail (self->error, "out of memory")
             : pd_rec_merged_add (&self->merged, name, extract, &self->maps[i], self->error);
}

/* Splits the gathered words into one extract per stream; @words is freed. */
static int
merge (Collect *self, uint64_t *words)
{
  uint64_t *from = words;
  uint32_t next = 0;
  int status = pd_rec_merged_init (&self->merged, (uint32_t) self->mpi->size, self->error);

  for (int rank = 0; rank < self->mpi->size && status == 0; rank++)
    {
      const uint64_t *lengths = from;
      from += self->counts[rank];
      for (uint64_t i = 0; i < self->counts[rank] && status == 0; i++)
        {
          PdRecExtract extract = { from, (uint32_t) lengths[i], 0 };
          status = add_extract (self, next++, &extract);
          from += lengths[i];
        }
    }
  free (words);
  for (uint32_t i = 0; i < self->n && status == 0; i++)
    pd_rec_settle (&self->merged, &self->maps[i]);
  return status;
}

/* The extracts of this rank behind their lengths in words. NULL: out of memory. */
static uint64_t *
join_extracts (const Collect *self, uint64_t *bytes)
{
  uint64_t n = self->n_own, *words;

  for (uint32_t i = 0; i < self->n_own; i++)
    n += self->own[i].extract.n;
  *bytes = n * sizeof *words;
  words = malloc (*bytes);
  n = self->n_own;
  for (uint32_t i = 0; words != NULL && i < self->n_own; i++)
    {
      const PdRecExtract *extract = &self->own[i].extract;
      words[i] = extract->n;
      memcpy (words + n, extract->words, extract->n * sizeof *words);
      n += extract->n;
    }
  return words;
}

/* Rank 0 gets the extracts of all. */
static int
gather_extracts (Collect *self)
{
  const PdRecMpi *mpi = self->mpi;
  uint64_t bytes, sum = 0, *all = NULL;
  uint64_t *own = join_extracts (self, &bytes);
  int status = mpi->gather (mpi->data, &bytes, sizeof bytes, self->sizes);

  for (int i = 0; mpi->rank == 0 && i < mpi->size; i++)
    sum += self->sizes[i];
  if (mpi->rank == 0)
    all = malloc (sum > 0 ? sum : 1);
  if (agree (self, status != 0 || own == NULL || (mpi->rank == 0 && all == NULL)) != 0
      || mpi->gatherv (mpi->data, own, bytes, all, self->sizes) != 0)
    {
      free (own);
      free (all);
      return -1;
    }
  free (own);
  return mpi->rank == 0 ? merge (self, all) : 0;
}

/* The maps of all streams, each behind its length in words. NULL: out of memory. */
static uint32_t *
join_maps (Collect *self)
{
  uint64_t n = 0;
  uint32_t *words, next = 0;

  for (uint32_t i = 0; i < self->n; i++)
    n += 1 + self->maps[i].n_words;
  words = malloc (n * sizeof *words);
  n = 0;
  for (int rank = 0; words != NULL && rank < self->mpi->size; rank++)
    {
      uint64_t begin = n;
      for (uint64_t i = 0; i < self->counts[rank]; i++, next++)
        {
          const PdRecMap *map = &self->maps[next];
          words[n] = map->n_words;
          memcpy (words + n + 1, map->words, map->n_words * sizeof *words);
          n += 1 + map->n_words;
        }
      self->sizes[rank] = (n - begin) * sizeof *words;
    }
  return words;
}

/* The maps of the own streams from the message of rank 0. */
static int
split_maps (Collect *self, const uint32_t *words)
{
  for (uint32_t i = 0; i < self->n_own; i++)
    {
      uint32_t n = *words++;
      uint32_t *own = malloc (n * sizeof *own);
      if (own == NULL)
        return pd_rec_fail (self->error, "out of memory");
      memcpy (own, words, n * sizeof *own);
      words += n;
      if (pd_rec_map_set (&self->own[i].map, own, n) != 0)
        return -1;
    }
  return 0;
}

/* Each rank gets the maps of its streams. */
static int
scatter_maps (Collect *self)
{
  const PdRecMpi *mpi = self->mpi;
  uint64_t n = 0, *eights = NULL;
  uint32_t *all = NULL, *own = NULL;
  int status = 0;

  if (mpi->rank == 0)
    {
      all = join_maps (self);
      eights = malloc ((size_t) mpi->size * sizeof *eights);
      for (int i = 0; eights != NULL && i < mpi->size; i++)
        eights[i] = sizeof n;
      status = all == NULL || eights == NULL ? -1 : 0;
    }
  status = agree (self, status);
  if (status == 0)
    status = mpi->scatterv (mpi->data, self->sizes, eights, &n, sizeof n);
  if (status == 0)
    own = malloc (n > 0 ? n : 1);
  status = agree (self, status != 0 || own == NULL);
  if (status == 0)
    status = mpi->scatterv (mpi->data, all, self->sizes, own, n);
  if (status == 0)
    status = split_maps (self, own);
  free (own);
  free (all);
  free (eights);
  return status;
}

/* ---- the archive */

static int
write_own (Collect *self, Own *own)
{
  pd_rec_reader_clear (&own->reader);
  if (pd_rec_reader_init (&own->reader, own->path, own->file.bytes, own->file.n, self->error) != 0)
    return -1;
  if (pd_rec_write_events (self->archive, &own->reader, &own->map, &own->info, self->error) != 0)
    return -1;
  return pd_rec_note_events (self->folder, pd_rec_location (own->reader.head), &own->info,
                             self->error);
}

static int
write_all_own (Collect *self)
{
  int status = 0;

  for (uint32_t i = 0; i < self->n_own && status == 0; i++)
    status = write_own (self, &self->own[i]);
  return status;
}

static int
write_local_definitions (Collect *self)
{
  int status = 0;

  if (agree (self, OTF2_Archive_OpenDefFiles (self->archive) != OTF2_SUCCESS) != 0)
    return pd_rec_otf2_failed (self->error);
  for (uint32_t i = 0; i < self->n_own && status == 0; i++)
    status =
        pd_rec_write_local (self->archive, pd_rec_location (self->own[i].reader.head), self->error);
  if (OTF2_Archive_CloseDefFiles (self->archive) != OTF2_SUCCESS)
    status = pd_rec_otf2_failed (self->error);
  return agree (self, status);
}

/* Rank 0 gets what became of all streams; it alone knows their hosts. */
static int
gather_infos (Collect *self)
{
  const PdRecMpi *mpi = self->mpi;
  PdRecRankInfo *own = calloc (self->n_own, sizeof *own), *all = NULL;
  int status;

  for (uint32_t i = 0; own != NULL && i < self->n_own; i++)
    own[i] = self->own[i].info;
  if (mpi->rank == 0)
    all = malloc (self->n * sizeof *all);
  for (int i = 0; mpi->rank == 0 && i < mpi->size; i++)
    self->sizes[i] = self->counts[i] * sizeof *all;
  status = agree (self, own == NULL || (mpi->rank == 0 && all == NULL));
  if (status == 0)
    status = mpi->gatherv (mpi->data, own, self->n_own * sizeof *own, all, self->sizes);
  for (uint32_t i = 0; status == 0 && mpi->rank == 0 && i < self->n; i++)
    {
      all[i].host = self->infos[i].host;
      self->infos[i] = all[i];
    }
  free (own);
  free (all);
  return status;
}

static int
write_global_definitions (Collect *self)
{
  int status = gather_infos (self);

  if (status == 0 && self->mpi->rank == 0)
    status = pd_rec_write_definitions (self->archive, &self->merged, self->infos, self->n,
                                       self->own[0].reader.head->realtime, self->error);
  if (status == 0 && self->mpi->rank == 0)
    {
      pd_rec_note_properties (self->archive, self->infos, self->n);
      status = pd_rec_note_digests (self->archive, self->folder, self->infos, self->n, self->error);
    }
  return agree (self, status);
}

static int
write_archive (Collect *self)
{
  int status;

  self->archive = pd_rec_open_archive (self->folder, self->error);
  if (agree (self, self->archive == NULL) != 0)
    {
      self->archive = NULL; /* not closed: that would be collective */
      return -1;
    }
  status = pd_rec_set_collectives (self->archive, self->mpi);
  if (status == 0 && OTF2_Archive_OpenEvtFiles (self->archive) != OTF2_SUCCESS)
    status = pd_rec_otf2_failed (self->error);
  status = agree (self, status);
  if (status == 0)
    {
      status = write_all_own (self);
      if (OTF2_Archive_CloseEvtFiles (self->archive) != OTF2_SUCCESS)
        status = pd_rec_otf2_failed (self->error);
      status = agree (self, status);
    }
  if (status == 0)
    status = write_local_definitions (self);
  if (status == 0)
    status = write_global_definitions (self);
  if (OTF2_Archive_Close (self->archive) != OTF2_SUCCESS)
    status = pd_rec_otf2_failed (self->error);
  return agree (self, status);
}

static void
clear (Collect *self)
{
  for (uint32_t i = 0; self->own != NULL && i < self->n_own; i++)
    {
      Own *own = &self->own[i];
      pd_rec_reader_clear (&own->reader);
      free (own->extract.words);
      pd_rec_map_clear (&own->map);
      pd_rec_file_unmap (&own->file);
    }
  free (self->own);
  for (uint32_t i = 0; self->maps != NULL && i < self->n; i++)
    pd_rec_map_clear (&self->maps[i]);
  free (self->maps);
  free (self->counts);
  free (self->sizes);
  free (self->infos);
  pd_rec_merged_clear (&self->merged);
}

/* The report of rank 0 on ranks whose events end early. */
static void
report_truncated (const Collect *self)
{
  const PdRecRankInfo *first = NULL, *last = NULL;
  int n = 0;

  for (uint32_t i = 0; i < self->n; i++)
    {
      const PdRecRankInfo *info = &self->infos[i];
      if (pd_rec_reason_text (info) == NULL || (last != NULL && last->rank == info->rank))
        continue;
      first = first == NULL ? info : first;
      last = info;
      n++;
    }
  if (n > 0)
    pd_rec_say ("the events of %d of %d ranks end early; rank %u: %s", n, self->mpi->size,
                first->rank, pd_rec_reason_text (first));
}

static int
read_all_own (Collect *self)
{
  for (uint32_t i = 0; i < self->n_own; i++)
    if (read_own (self, &self->own[i], (int) i) != 0)
      return -1;
  return 0;
}

int
pd_rec_collect (const PdRecMpi *mpi, const char *folder, int n_streams, PdRecError *error)
{
  Collect self = { .mpi = mpi, .folder = folder, .n_own = (uint32_t) n_streams, .error = error };
  int status = allocate (&self);

  if (status == 0)
    status = read_all_own (&self);
  status = agree (&self, status);
  if (status == 0)
    status = agree (&self, count_streams (&self));
  if (status == 0)
    status = agree (&self, gather_extracts (&self));
  if (status == 0)
    status = agree (&self, scatter_maps (&self));
  if (status == 0)
    {
      status = write_archive (&self);
      if (status != 0 && mpi->rank == 0)
        pd_rec_remove_archive (folder);
    }
  if (status == 0 && mpi->rank == 0)
    report_truncated (&self);
  clear (&self);
  return status;
}
