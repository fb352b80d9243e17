/* The archive of a run, written by all its ranks together: each its own events,
 * rank 0 the definitions. What one rank cannot do, none does.
 * SPDX-License-Identifier: MIT */
#include "record/life/pd-rec-collect.h"
#include "record/archive/pd-rec-otf2.h"
#include "record/archive/pd-rec-archive.h"
#include "record/archive/pd-rec-definitions.h"
#include "record/archive/pd-rec-events.h"
#include "record/archive/pd-rec-extract.h"
#include "record/archive/pd-rec-otf2-mpi.h"
#include "record/stream/pd-rec-report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct
{
  const PdRecMpi *mpi;
  const char *folder;
  PdRecFile file;
  PdRecReader *reader;
  PdRecExtract extract;
  PdRecMap map;
  PdRecRankInfo info;
  OTF2_Archive *archive;
  PdRecError *error;
  /* at rank 0: */
  uint64_t *sizes; /* bytes, by rank */
  PdRecExtract *extracts;
  PdRecMap *maps;
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
read_own (Collect *self)
{
  char path[1200];
  int is_damaged;

  pd_rec_stream_path (path, sizeof path, self->folder, self->mpi->rank);
  if (pd_rec_file_map (&self->file, path, self->error) != 0
      || pd_rec_reader_init (self->reader, path, self->file.bytes, self->file.n, self->error) != 0
      || pd_rec_extract (self->reader, &self->extract, &is_damaged, self->error) != 0)
    return -1;
  return is_damaged ? -1 : 0;
}

static int
allocate (Collect *self)
{
  size_t n = (size_t) self->mpi->size;

  self->reader = calloc (1, sizeof *self->reader);
  if (self->mpi->rank == 0)
    {
      self->sizes = calloc (n, sizeof *self->sizes);
      self->extracts = calloc (n, sizeof *self->extracts);
      self->maps = calloc (n, sizeof *self->maps);
      self->infos = calloc (n, sizeof *self->infos);
    }
  return self->reader == NULL
                 || (self->mpi->rank == 0
                     && (self->sizes == NULL || self->extracts == NULL || self->maps == NULL
                         || self->infos == NULL))
             ? pd_rec_fail (self->error, "out of memory")
             : 0;
}

/* Splits what was gathered into one extract per rank; @words is freed. */
static int
merge (Collect *self, uint64_t *words)
{
  const uint64_t *from = words;
  int status = pd_rec_merged_init (&self->merged, (uint32_t) self->mpi->size, self->error);

  for (int i = 0; i < self->mpi->size && status == 0; i++)
    {
      char name[40];
      PdRecExtract extract = { (uint64_t *) from, (uint32_t) (self->sizes[i] / 8), 0 };
      const PdRecHead *head = (const PdRecHead *) (const void *) from;
      snprintf (name, sizeof name, "rank %d", i);
      self->infos[i].host = pd_rec_pool_add_text (&self->merged.strings, head->host);
      status = self->infos[i].host == PD_REC_NONE
                   ? pd_rec_fail (self->error, "out of memory")
                   : pd_rec_merged_add (&self->merged, name, &extract, &self->maps[i], self->error);
      from += extract.n;
    }
  free (words);
  for (int i = 0; i < self->mpi->size && status == 0; i++)
    pd_rec_settle (&self->merged, &self->maps[i]);
  return status;
}

/* Rank 0 gets the extracts of all. */
static int
gather_extracts (Collect *self)
{
  const PdRecMpi *mpi = self->mpi;
  uint64_t own = (uint64_t) self->extract.n * 8, sum = 0, *words = NULL;
  int status = mpi->gather (mpi->data, &own, sizeof own, self->sizes);

  for (int i = 0; mpi->rank == 0 && i < mpi->size; i++)
    sum += self->sizes[i];
  if (mpi->rank == 0)
    words = malloc (sum > 0 ? sum : 1);
  if (agree (self, status != 0 || (mpi->rank == 0 && words == NULL)) != 0
      || mpi->gatherv (mpi->data, self->extract.words, own, words, self->sizes) != 0)
    {
      free (words);
      return -1;
    }
  return mpi->rank == 0 ? merge (self, words) : 0;
}

/* The maps of all ranks, one behind the other. NULL: out of memory. */
static uint32_t *
join_maps (Collect *self)
{
  uint64_t n = 0;
  uint32_t *words;

  for (int i = 0; i < self->mpi->size; i++)
    {
      self->sizes[i] = (uint64_t) self->maps[i].n_words * sizeof *words;
      n += self->maps[i].n_words;
    }
  words = malloc (n * sizeof *words);
  n = 0;
  for (int i = 0; words != NULL && i < self->mpi->size; i++)
    {
      memcpy (words + n, self->maps[i].words, self->sizes[i]);
      n += self->maps[i].n_words;
    }
  return words;
}

/* Each rank gets its map. */
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
  if (own != NULL && pd_rec_map_set (&self->map, own, (uint32_t) (n / sizeof *own)) != 0)
    status = -1;
  free (all);
  free (eights);
  return status;
}

/* ---- the archive */

static int
write_own (Collect *self)
{
  char path[1200];

  pd_rec_stream_path (path, sizeof path, self->folder, self->mpi->rank);
  pd_rec_reader_clear (self->reader);
  if (pd_rec_reader_init (self->reader, path, self->file.bytes, self->file.n, self->error) != 0)
    return -1;
  return pd_rec_write_events (self->archive, self->reader, &self->map, &self->info, self->error);
}

static int
write_local_definitions (Collect *self)
{
  OTF2_DefWriter *out;
  int status = 0;

  if (agree (self, OTF2_Archive_OpenDefFiles (self->archive) != OTF2_SUCCESS) != 0)
    return pd_rec_otf2_failed (self->error);
  out = OTF2_Archive_GetDefWriter (self->archive, (OTF2_LocationRef) self->mpi->rank);
  if (out == NULL || OTF2_Archive_CloseDefWriter (self->archive, out) != OTF2_SUCCESS)
    status = pd_rec_otf2_failed (self->error);
  if (OTF2_Archive_CloseDefFiles (self->archive) != OTF2_SUCCESS)
    status = pd_rec_otf2_failed (self->error);
  return agree (self, status);
}

static int
write_global_definitions (Collect *self)
{
  const PdRecMpi *mpi = self->mpi;
  PdRecRankInfo *gathered = NULL;
  int status = 0;

  if (mpi->rank == 0)
    gathered = malloc ((size_t) mpi->size * sizeof *gathered);
  if (agree (self, mpi->rank == 0 && gathered == NULL) != 0)
    {
      free (gathered);
      return -1;
    }
  status = mpi->gather (mpi->data, &self->info, sizeof self->info, gathered);
  for (int i = 0; mpi->rank == 0 && i < mpi->size; i++)
    {
      gathered[i].host = self->infos[i].host;
      self->infos[i] = gathered[i];
    }
  free (gathered);
  if (status == 0 && mpi->rank == 0)
    status = pd_rec_write_definitions (self->archive, &self->merged, self->infos,
                                       self->reader->head->realtime, self->error);
  if (status == 0 && mpi->rank == 0)
    pd_rec_note_truncated (self->archive, self->infos, self->merged.size);
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
      status = write_own (self);
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
  if (self->reader != NULL)
    pd_rec_reader_clear (self->reader);
  free (self->reader);
  free (self->extract.words);
  pd_rec_map_clear (&self->map);
  for (int i = 0; self->maps != NULL && i < self->mpi->size; i++)
    pd_rec_map_clear (&self->maps[i]);
  free (self->maps);
  free (self->sizes);
  free (self->extracts);
  free (self->infos);
  pd_rec_merged_clear (&self->merged);
  pd_rec_file_unmap (&self->file);
}

/* What rank 0 tells of ranks whose events end early. */
static void
report_truncated (const Collect *self)
{
  int n = 0, first = -1;

  for (int i = 0; i < self->mpi->size; i++)
    if (pd_rec_reason_text (&self->infos[i]) != NULL)
      {
        first = first < 0 ? i : first;
        n++;
      }
  if (n > 0)
    pd_rec_say ("the events of %d of %d ranks end early; rank %d: %s", n, self->mpi->size, first,
                pd_rec_reason_text (&self->infos[first]));
}

int
pd_rec_collect (const PdRecMpi *mpi, const char *folder, PdRecError *error)
{
  Collect self = { .mpi = mpi, .folder = folder, .error = error };
  int status = allocate (&self);

  if (status == 0)
    status = read_own (&self);
  status = agree (&self, status);
  if (status == 0)
    status = agree (&self, gather_extracts (&self));
  if (status == 0)
    status = agree (&self, scatter_maps (&self));
  if (status == 0)
    {
      status = write_archive (&self);
      if (status != 0 && mpi->rank == 0)
        pd_rec_remove_archive (folder, (uint32_t) mpi->size);
    }
  if (status == 0 && mpi->rank == 0)
    report_truncated (&self);
  clear (&self);
  return status;
}
