/* The archive of a run that could not write it itself: the same in one process,
 * rank by rank.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "record/life/pd-rec-finish.h"
#include "record/archive/pd-rec-otf2.h"
#include "record/archive/pd-rec-archive.h"
#include "record/archive/pd-rec-definitions.h"
#include "record/archive/pd-rec-events.h"
#include "record/archive/pd-rec-extract.h"
#include "record/stream/pd-rec-report.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct
{
  const char *folder;
  const char *target; /* the archive's */
  PdRecError *error;
  uint32_t n_streams;
  uint32_t size; /* ranks; 0 = not known yet */
  PdRecMap *maps;
  PdRecRankInfo *infos;
  uint8_t *has_stream;
  uint64_t realtime; /* of the lowest rank there is */
  PdRecMerged merged;
  PdRecReader reader;
  OTF2_Archive *archive;
} Finish;

/* ---- which streams there are */

/* The rank whose stream has that name; -1: it is none. */
static int64_t
rank_of (const char *name)
{
  char again[40];
  long rank;

  if (strncmp (name, "rank-", 5) != 0)
    return -1;
  rank = strtol (name + 5, NULL, 10);
  if (rank < 0 || rank >= (long) PD_REC_MAX_RANKS)
    return -1;
  snprintf (again, sizeof again, "rank-%ld.raw", rank);
  return strcmp (again, name) == 0 ? rank : -1;
}

/* The next stream's rank; -1: there are no more. */
static int64_t
next_stream (DIR *dir)
{
  const struct dirent *entry;
  int64_t rank;

  while (dir != NULL && (entry = readdir (dir)) != NULL)
    if ((rank = rank_of (entry->d_name)) >= 0)
      return rank;
  return -1;
}

/* The lowest rank with a stream, or -1; (out) @n: how many streams there are. */
static int64_t
lowest_stream (const char *folder, uint32_t *n)
{
  DIR *dir = opendir (folder);
  int64_t lowest = -1;

  *n = 0;
  for (int64_t rank; (rank = next_stream (dir)) >= 0; (*n)++)
    lowest = lowest < 0 || rank < lowest ? rank : lowest;
  if (dir != NULL)
    closedir (dir);
  return lowest;
}

int
pd_rec_has_streams (const char *folder)
{
  return lowest_stream (folder, &(uint32_t){ 0 }) >= 0;
}

/* ---- runs that are not over */

/* Whether the process has a file of that inode mapped. */
static int
has_mapped (uint32_t pid, const struct stat *file)
{
  char path[40], inode[40], *line = NULL;
  size_t room = 0;
  int found = 0;
  FILE *maps;

  snprintf (path, sizeof path, "/proc/%u/maps", pid);
  snprintf (inode, sizeof inode, " %llu ", (unsigned long long) file->st_ino);
  maps = fopen (path, "re");
  while (maps != NULL && !found && getline (&line, &room, maps) > 0)
    found = strstr (line, inode) != NULL && strstr (line, ".raw") != NULL;
  free (line);
  if (maps != NULL)
    fclose (maps);
  return found;
}

static int
is_running (const char *path)
{
  PdRecHead head = { .reason = PD_REC_ENDED };
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  struct stat file;
  int is_read = fd >= 0 && fstat (fd, &file) == 0
                && pread (fd, &head, sizeof head, 0) == (ssize_t) sizeof head;

  if (fd >= 0)
    close (fd);
  return is_read && head.reason == PD_REC_RUNNING && has_mapped (head.pid, &file);
}

int64_t
pd_rec_still_runs (const char *folder)
{
  DIR *dir = opendir (folder);
  char path[1200];
  int64_t running = -1;

  for (int64_t rank; running < 0 && (rank = next_stream (dir)) >= 0;)
    {
      pd_rec_stream_path (path, sizeof path, folder, (int) rank);
      if (is_running (path))
        running = rank;
    }
  if (dir != NULL)
    closedir (dir);
  return running;
}

/* ---- removing */

/* Whether there were any. */
static int
remove_streams_found (const char *folder)
{
  DIR *dir = opendir (folder);
  char path[1200];
  int n = 0;

  for (int64_t rank; (rank = next_stream (dir)) >= 0;)
    {
      pd_rec_stream_path (path, sizeof path, folder, (int) rank);
      n += unlink (path) == 0;
    }
  if (dir != NULL)
    closedir (dir);
  return n > 0;
}

/* The locations that have a file in the archive's folder: one more than the last. */
static uint32_t
count_locations (const char *folder)
{
  char path[1200];
  uint32_t most = 0;

  snprintf (path, sizeof path, "%s/" PD_REC_ARCHIVE, folder);
  DIR *dir = opendir (path);
  for (const struct dirent *entry; dir != NULL && (entry = readdir (dir)) != NULL;)
    {
      unsigned long location = strtoul (entry->d_name, NULL, 10);
      if (location < PD_REC_MAX_RANKS && location + 1 > most)
        most = (uint32_t) location + 1;
    }
  if (dir != NULL)
    closedir (dir);
  return most;
}

void
pd_rec_remove (const char *folder)
{
  /* names that are removed while a folder is read may hide others */
  while (remove_streams_found (folder))
    ;
  pd_rec_remove_archive (folder, count_locations (folder));
}

/* ---- reading */

static int
is_of_run (Finish *self, int rank)
{
  const PdRecHead *head = self->reader.head;

  if (head->rank != rank)
    return pd_rec_fail (self->error, "%s: of rank %d, expected that of rank %d", self->reader.name,
                        head->rank, rank);
  if (self->size != 0 && head->size != (int32_t) self->size)
    return pd_rec_fail (self->error, "%s: of a run of %d ranks, expected %u as the others have",
                        self->reader.name, head->size, self->size);
  return 0;
}

/* Some ranks' streams may be lost; not nearly all. */
#define MOST_LOST 64

static int
allocate (Finish *self)
{
  if ((uint32_t) self->reader.head->size > MOST_LOST * self->n_streams)
    return pd_rec_fail (self->error, "%s: rank %d of %d, but the folder has %u streams",
                        self->reader.name, self->reader.head->rank, self->reader.head->size,
                        self->n_streams);
  self->size = (uint32_t) self->reader.head->size;
  self->realtime = self->reader.head->realtime;
  self->maps = calloc (self->size, sizeof *self->maps);
  self->infos = calloc (self->size, sizeof *self->infos);
  self->has_stream = calloc (self->size, 1);
  if (self->maps == NULL || self->infos == NULL || self->has_stream == NULL)
    return pd_rec_fail (self->error, "out of memory");
  if (pd_rec_merged_init (&self->merged, self->size, self->error) != 0)
    return -1;
  uint32_t unknown = pd_rec_pool_add_text (&self->merged.strings, "unknown");
  for (uint32_t i = 0; i < self->size; i++)
    self->infos[i] = (PdRecRankInfo){ .host = unknown };
  return unknown == PD_REC_NONE ? pd_rec_fail (self->error, "out of memory") : 0;
}

/* What a damaged stream says before the damage. */
static int
add_definitions (Finish *self, int rank)
{
  PdRecExtract extract = { 0 };
  PdRecError damage = { "" };
  int is_damaged, status;

  status = pd_rec_extract (&self->reader, &extract, &is_damaged, &damage);
  if (status != 0)
    pd_rec_fail (self->error, "%s", damage.text);
  else
    status = pd_rec_merged_add (&self->merged, self->reader.name, &extract, &self->maps[rank],
                                self->error);
  free (extract.words);
  if (status != 0)
    return -1;
  self->infos[rank].host = pd_rec_pool_add_text (&self->merged.strings, self->reader.head->host);
  self->has_stream[rank] = 1;
  return self->infos[rank].host == PD_REC_NONE ? pd_rec_fail (self->error, "out of memory") : 0;
}

/* Opens the stream of @rank; 0 with bytes NULL: there is none. */
static int
open_stream (Finish *self, int rank, PdRecFile *file, char *path, size_t n)
{
  PdRecError error = { "" };

  pd_rec_stream_path (path, n, self->folder, rank);
  if (pd_rec_file_map (file, path, &error) != 0)
    return errno == ENOENT ? 0 : pd_rec_fail (self->error, "%s", error.text);
  if (pd_rec_reader_init (&self->reader, path, file->bytes, file->n, self->error) == 0
      && is_of_run (self, rank) == 0)
    return 0;
  pd_rec_file_unmap (file);
  return -1;
}

static int
read_rank (Finish *self, int rank)
{
  char path[1200];
  PdRecFile file;
  int status = open_stream (self, rank, &file, path, sizeof path);

  if (status != 0 || file.bytes == NULL)
    return status;
  if (self->size == 0)
    status = allocate (self);
  if (status == 0)
    status = add_definitions (self, rank);
  pd_rec_reader_clear (&self->reader);
  pd_rec_file_unmap (&file);
  return status;
}

/* The lowest stream says how many ranks there are. */
static int
read_all (Finish *self)
{
  int64_t first = lowest_stream (self->folder, &self->n_streams);
  int64_t running = pd_rec_still_runs (self->folder);

  if (running >= 0)
    return pd_rec_fail (self->error, "%s: the process of rank %lld still runs", self->folder,
                        (long long) running);

  if (first < 0)
    return pd_rec_fail (self->error, "%s: no streams of a recording here", self->folder);
  if (read_rank (self, (int) first) != 0)
    return -1;
  for (uint32_t rank = (uint32_t) first + 1; rank < self->size; rank++)
    if (read_rank (self, (int) rank) != 0)
      return -1;
  for (uint32_t rank = 0; rank < self->size; rank++)
    if (self->has_stream[rank])
      pd_rec_settle (&self->merged, &self->maps[rank]);
  return 0;
}

/* ---- writing */

static int
write_rank (Finish *self, int rank)
{
  uint32_t host = self->infos[rank].host;
  char path[1200];
  PdRecFile file;
  int status = open_stream (self, rank, &file, path, sizeof path);

  if (status == 0 && file.bytes == NULL)
    return pd_rec_fail (self->error, "%s: has disappeared", path);
  if (status != 0)
    return -1;
  status = pd_rec_write_events (self->archive, &self->reader, &self->maps[rank], &self->infos[rank],
                                self->error);
  self->infos[rank].host = host;
  pd_rec_reader_clear (&self->reader);
  pd_rec_file_unmap (&file);
  return status;
}

static int
write_local_definitions (Finish *self)
{
  int is_fine = OTF2_Archive_OpenDefFiles (self->archive) == OTF2_SUCCESS;

  for (uint32_t rank = 0; rank < self->size && is_fine; rank++)
    {
      OTF2_DefWriter *out = OTF2_Archive_GetDefWriter (self->archive, rank);
      is_fine = out != NULL && OTF2_Archive_CloseDefWriter (self->archive, out) == OTF2_SUCCESS;
    }
  return is_fine && OTF2_Archive_CloseDefFiles (self->archive) == OTF2_SUCCESS
             ? 0
             : pd_rec_otf2_failed (self->error);
}

static int
write_events (Finish *self)
{
  uint64_t begin = UINT64_MAX;

  for (uint32_t rank = 0; rank < self->size; rank++)
    {
      if (self->has_stream[rank] && write_rank (self, (int) rank) != 0)
        return -1;
      if (self->has_stream[rank] && self->infos[rank].first < begin)
        begin = self->infos[rank].first;
    }
  for (uint32_t rank = 0; rank < self->size; rank++)
    if (!self->has_stream[rank]
        && pd_rec_write_nothing (self->archive, rank, begin, &self->infos[rank], self->error) != 0)
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
      || pd_rec_write_definitions (self->archive, &self->merged, self->infos, self->realtime,
                                   self->error)
             != 0)
    return -1;
  pd_rec_note_truncated (self->archive, self->infos, self->size);
  return 0;
}

static int
make_archive (Finish *self)
{
  int status;

  pd_rec_remove_archive (self->target, self->size);
  self->archive = pd_rec_open_archive (self->target, self->error);
  if (self->archive == NULL)
    return -1;
  status = write_all (self);
  if (OTF2_Archive_Close (self->archive) != OTF2_SUCCESS)
    status = pd_rec_otf2_failed (self->error);
  if (status != 0)
    pd_rec_remove_archive (self->target, self->size);
  return status;
}

/* ---- afterwards */

static void
report_all (const Finish *self, PdRecNotify notify, void *data)
{
  for (uint32_t rank = 0; rank < self->size; rank++)
    {
      const char *text = self->has_stream[rank] ? pd_rec_reason_text (&self->infos[rank])
                                                : "no stream of this rank was found";
      if (text != NULL)
        notify (data, rank, text);
    }
}

static void
remove_streams (const Finish *self)
{
  char path[1200];

  for (uint32_t rank = 0; rank < self->size; rank++)
    {
      pd_rec_stream_path (path, sizeof path, self->folder, (int) rank);
      unlink (path);
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
      remove_streams (self);
    }
  for (uint32_t i = 0; self->maps != NULL && i < self->size; i++)
    pd_rec_map_clear (&self->maps[i]);
  free (self->maps);
  free (self->infos);
  free (self->has_stream);
  pd_rec_merged_clear (&self->merged);
  free (self);
  return status;
}
