/* The archive of a run that could not write it itself: the same in one process,
 * rank by rank.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "record/life/pd-rec-finish.h"
#include "record/life/pd-rec-folder.h"
#include "record/archive/pd-rec-otf2.h"
#include "record/archive/pd-rec-archive.h"
#include "record/archive/pd-rec-definitions.h"
#include "record/archive/pd-rec-events.h"
#include "record/archive/pd-rec-extract.h"
#include "record/stream/pd-rec-report.h"
#include "record/stream/pd-rec-stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A stream, or the place of one that is not there. */
typedef struct
{
  PdRecStreamFile file;
  int is_there;
  PdRecMap map;
} Stream;

typedef struct
{
  const char *folder;
  const char *target; /* the archive's */
  PdRecError *error;
  uint32_t size; /* ranks; 0 = not known yet */
  uint32_t n;    /* streams: at least one of each rank, the first thread's */
  Stream *streams;
  PdRecRankInfo *infos; /* of each */
  uint64_t realtime;    /* of the lowest rank there is */
  uint64_t run;         /* of the first stream that knows it; 0 = of none yet */
  PdRecMerged merged;
  PdRecReader reader;
  OTF2_Archive *archive;
} Finish;

static int
add_stream (Finish *self, uint32_t *room, PdRecStreamFile file, int is_there)
{
  if (pd_rec_make_room (&self->streams, room, self->n, sizeof *self->streams) != 0)
    return pd_rec_fail (self->error, "out of memory");
  self->streams[self->n++] = (Stream){ .file = file, .is_there = is_there };
  return 0;
}

/* Ranks whose first thread's stream is not there get a place for it. */
static int
add_streams (Finish *self, const PdRecStreamFile *found, uint32_t n)
{
  uint32_t room = 0, next = 0;
  int status = 0;

  for (int rank = 0; rank < (int) self->size && status == 0; rank++)
    {
      if (next == n || found[next].rank != rank || found[next].thread != 0)
        status = add_stream (self, &room, (PdRecStreamFile){ rank, 0 }, 0);
      for (; status == 0 && next < n && found[next].rank == rank; next++)
        status = add_stream (self, &room, found[next], 1);
    }
  return status;
}

/* ---- removing */

void
pd_rec_remove (const char *folder)
{
  pd_rec_folder_remove (folder);
  pd_rec_remove_archive (folder);
}

/* ---- reading */

static int
is_of_run (Finish *self, const PdRecStreamFile *stream)
{
  const PdRecHead *head = self->reader.head;

  if (head->rank != stream->rank || head->thread != (uint32_t) stream->thread)
    return pd_rec_fail (self->error,
                        "%s: of rank %d, thread %u, expected that of rank %d, thread %d",
                        self->reader.name, head->rank, head->thread, stream->rank, stream->thread);
  if (self->size != 0 && head->size != (int32_t) self->size)
    return pd_rec_fail (self->error, "%s: of a run of %d ranks, expected %u as the others have",
                        self->reader.name, head->size, self->size);
  if (self->run != 0 && head->run != 0 && head->run != self->run)
    return pd_rec_fail (self->error, "%s: of another run than the streams before it",
                        self->reader.name);
  self->run = self->run != 0 ? self->run : head->run;
  return 0;
}

/* Opens a stream. */
static int
open_stream (Finish *self, const PdRecStreamFile *stream, PdRecFile *file, char *path, size_t n)
{
  pd_rec_folder_name (path, n, self->folder, stream);
  if (pd_rec_file_map (file, path, self->error) != 0)
    return -1;
  if (pd_rec_reader_init (&self->reader, path, file->bytes, file->n, self->error) == 0
      && is_of_run (self, stream) == 0)
    return 0;
  pd_rec_file_unmap (file);
  return -1;
}

/* Some ranks' streams may be lost; not nearly all. */
#define MOST_LOST 64

/* The lowest stream says how many ranks there are. */
static int
find_size (Finish *self, const PdRecStreamFile *found, uint32_t n)
{
  char path[1300];
  PdRecFile file;
  uint32_t size;
  int last = found[n - 1].rank, status = 0;

  if (open_stream (self, &found[0], &file, path, sizeof path) != 0)
    return -1;
  size = (uint32_t) self->reader.head->size;
  if (size > MOST_LOST * n)
    status = pd_rec_fail (self->error, "%s: rank %d of %u, but the folder has %u streams", path,
                          self->reader.head->rank, size, n);
  else if (last >= (int) size)
    status = pd_rec_fail (self->error, "%s: of a run of %u ranks, but there is a stream of rank %d",
                          path, size, last);
  self->size = size;
  self->realtime = self->reader.head->realtime;
  pd_rec_reader_clear (&self->reader);
  pd_rec_file_unmap (&file);
  return status;
}

static int
find_streams (Finish *self)
{
  PdRecStreamFile *found;
  uint32_t n;
  int status = pd_rec_folder_list (self->folder, &found, &n, self->error);

  if (status == 0)
    status = find_size (self, found, n);
  if (status == 0)
    status = add_streams (self, found, n);
  free (found);
  return status;
}

static int
allocate (Finish *self)
{
  if (pd_rec_merged_init (&self->merged, self->size, self->error) != 0)
    return -1;
  uint32_t unknown = pd_rec_pool_add_text (&self->merged.strings, "unknown");
  self->infos = calloc (self->n, sizeof *self->infos);
  if (self->infos == NULL || unknown == PD_REC_NONE)
    return pd_rec_fail (self->error, "out of memory");
  for (uint32_t i = 0; i < self->n; i++)
    self->infos[i] = (PdRecRankInfo){ .host = unknown };
  return 0;
}

/* The part of a damaged stream before the damage. */
static int
add_definitions (Finish *self, uint32_t i)
{
  PdRecExtract extract = { 0 };
  PdRecError damage = { "" };
  int is_damaged, status;

  status = pd_rec_extract (&self->reader, &extract, &is_damaged, &damage);
  if (status != 0)
    pd_rec_fail (self->error, "%s", damage.text);
  else
    status = pd_rec_merged_add (&self->merged, self->reader.name, &extract, &self->streams[i].map,
                                self->error);
  free (extract.words);
  if (status != 0)
    return -1;
  self->infos[i].host = pd_rec_pool_add_text (&self->merged.strings, self->reader.head->host);
  return self->infos[i].host == PD_REC_NONE ? pd_rec_fail (self->error, "out of memory") : 0;
}

static int
read_stream (Finish *self, uint32_t i)
{
  char path[1300];
  PdRecFile file;
  int status;

  if (!self->streams[i].is_there)
    return 0;
  if (open_stream (self, &self->streams[i].file, &file, path, sizeof path) != 0)
    return -1;
  status = add_definitions (self, i);
  pd_rec_reader_clear (&self->reader);
  pd_rec_file_unmap (&file);
  return status;
}

static int
read_all (Finish *self)
{
  int64_t running = pd_rec_still_runs (self->folder);

  if (running >= 0)
    return pd_rec_fail (self->error, "%s: the process of rank %lld still runs", self->folder,
                        (long long) running);
  if (find_streams (self) != 0 || allocate (self) != 0)
    return -1;
  for (uint32_t i = 0; i < self->n; i++)
    if (read_stream (self, i) != 0)
      return -1;
  for (uint32_t i = 0; i < self->n; i++)
    if (self->streams[i].is_there)
      pd_rec_settle (&self->merged, &self->streams[i].map);
  return 0;
}

/* ---- writing */

static OTF2_LocationRef
location_of (const Finish *self, uint32_t i)
{
  const PdRecHead head = { .rank = self->streams[i].file.rank,
                           .size = (int32_t) self->size,
                           .thread = (uint32_t) self->streams[i].file.thread };

  return pd_rec_location (&head);
}

static int
write_stream (Finish *self, uint32_t i)
{
  uint32_t host = self->infos[i].host;
  char path[1300];
  PdRecFile file;
  int status;

  if (open_stream (self, &self->streams[i].file, &file, path, sizeof path) != 0)
    return -1;
  status = pd_rec_write_events (self->archive, &self->reader, &self->streams[i].map,
                                &self->infos[i], self->error);
  self->infos[i].host = host;
  if (status == 0)
    status = pd_rec_note_events (self->target, location_of (self, i), &self->infos[i], self->error);
  pd_rec_reader_clear (&self->reader);
  pd_rec_file_unmap (&file);
  return status;
}

static int
write_local_definitions (Finish *self)
{
  int is_fine = OTF2_Archive_OpenDefFiles (self->archive) == OTF2_SUCCESS;

  for (uint32_t i = 0; i < self->n && is_fine; i++)
    is_fine = pd_rec_write_local (self->archive, location_of (self, i), self->error) == 0;
  return is_fine && OTF2_Archive_CloseDefFiles (self->archive) == OTF2_SUCCESS
             ? 0
             : pd_rec_otf2_failed (self->error);
}

static int
write_events (Finish *self)
{
  uint64_t begin = UINT64_MAX;

  for (uint32_t i = 0; i < self->n; i++)
    {
      if (!self->streams[i].is_there)
        continue;
      if (write_stream (self, i) != 0)
        return -1;
      begin = self->infos[i].first < begin ? self->infos[i].first : begin;
    }
  for (uint32_t i = 0; i < self->n; i++)
    if (!self->streams[i].is_there
        && (pd_rec_write_nothing (self->archive, (uint32_t) self->streams[i].file.rank, begin,
                                  &self->infos[i], self->error)
                != 0
            || pd_rec_note_events (self->target, location_of (self, i), &self->infos[i],
                                   self->error)
                   != 0))
      return -1;
  return 0;
}

static int
write_all (Finish *self)
{
  if (OTF2_Archive_SetSerialCollectiveCallbacks (self->archive) != OTF2_SUCCESS
      || OTF2_Archive_OpenEvtFiles (self->archive) != OTF2_SUCCESS)
    return pd_rec_otf2_failed (self->error);
  if (write_events (self) != 0)
    return -1;
  if (OTF2_Archive_CloseEvtFiles (self->archive) != OTF2_SUCCESS)
    return pd_rec_otf2_failed (self->error);
  if (write_local_definitions (self) != 0
      || pd_rec_write_definitions (self->archive, &self->merged, self->infos, self->n,
                                   self->realtime, self->error)
             != 0)
    return -1;
  pd_rec_note_properties (self->archive, self->infos, self->n);
  return pd_rec_note_digests (self->archive, self->target, self->infos, self->n, self->error);
}

static int
make_archive (Finish *self)
{
  int status;

  pd_rec_remove_archive (self->target);
  self->archive = pd_rec_open_archive (self->target, self->error);
  if (self->archive == NULL)
    return -1;
  status = write_all (self);
  if (OTF2_Archive_Close (self->archive) != OTF2_SUCCESS)
    status = pd_rec_otf2_failed (self->error);
  if (status != 0)
    pd_rec_remove_archive (self->target);
  return status;
}

/* ---- afterwards */

/* Of each rank the message on the first of its streams that ends early. */
static void
report_all (const Finish *self, PdRecNotify notify, void *data)
{
  int last = -1;

  for (uint32_t i = 0; i < self->n; i++)
    {
      const char *text = self->streams[i].is_there ? pd_rec_reason_text (&self->infos[i])
                                                   : "no stream of this rank was found";
      if (text == NULL || self->streams[i].file.rank == last)
        continue;
      last = self->streams[i].file.rank;
      notify (data, last, text);
    }
}

int
pd_rec_finish (const char *folder, const char *target, PdRecNotify notify, void *data,
               PdRecError *error)
{
  Finish *self = calloc (1, sizeof *self);
  int status;

  if (self == NULL)
    return pd_rec_fail (error, "out of memory");
  self->folder = folder;
  self->target = target != NULL ? target : folder;
  self->error = error;
  status = read_all (self);
  if (status == 0)
    status = make_archive (self);
  if (status == 0)
    {
      report_all (self, notify, data);
      pd_rec_folder_remove (folder);
    }
  for (uint32_t i = 0; self->streams != NULL && i < self->n; i++)
    pd_rec_map_clear (&self->streams[i].map);
  free (self->streams);
  free (self->infos);
  pd_rec_merged_clear (&self->merged);
  free (self);
  return status;
}
