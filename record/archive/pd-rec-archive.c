/* Functions that make an archive, in all ranks or in one process.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "record/archive/pd-rec-otf2.h"
#include "record/archive/pd-rec-archive.h"
#include "record/stream/pd-rec-report.h"

#include "base/pd-digest.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNK (1024 * 1024) /* also of rewritten definitions: predictor/symbols/pd-resolve.c */

/* ---- the library */

static char complaint[400];

static OTF2_ErrorCode listen (void *data, const char *file, uint64_t line, const char *function,
                              OTF2_ErrorCode code, const char *format, va_list arguments)
    __attribute__ ((format (printf, 6, 0)));

static OTF2_ErrorCode
listen (void *data, const char *file, uint64_t line, const char *function, OTF2_ErrorCode code,
        const char *format, va_list arguments)
{
  (void) data, (void) file, (void) line, (void) function;
  if (complaint[0] == '\0')
    {
      int n = snprintf (complaint, sizeof complaint, "%s", OTF2_Error_GetDescription (code));
      if (format != NULL && *format != '\0' && n >= 0 && (size_t) n + 3 < sizeof complaint)
        {
          strcat (complaint, ": ");
          vsnprintf (complaint + n + 2, sizeof complaint - (size_t) n - 2, format, arguments);
        }
    }
  return code;
}

int
pd_rec_otf2_failed (PdRecError *error)
{
  return pd_rec_fail (error, "the archive cannot be written: %s",
                      complaint[0] != '\0' ? complaint : "the OTF2 library refuses");
}

/* The library asks before it writes a buffer to its file. */
static OTF2_FlushType
before_flush (void *data, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
  (void) data, (void) type, (void) location, (void) caller, (void) final;
  return OTF2_FLUSH;
}

OTF2_Archive *
pd_rec_open_archive (const char *folder, PdRecError *error)
{
  static const OTF2_FlushCallbacks callbacks = { .otf2_pre_flush = before_flush };
  OTF2_Archive *archive;

  complaint[0] = '\0';
  OTF2_Error_RegisterCallback (listen, NULL);
  archive = OTF2_Archive_Open (folder, PD_REC_ARCHIVE, OTF2_FILEMODE_WRITE, CHUNK, 4 * CHUNK,
                               OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
  if (archive == NULL || OTF2_Archive_SetFlushCallbacks (archive, &callbacks, NULL) != OTF2_SUCCESS
      || OTF2_Archive_SetCreator (archive, "predictor record") != OTF2_SUCCESS)
    {
      pd_rec_otf2_failed (error);
      if (archive != NULL)
        OTF2_Archive_Close (archive);
      return NULL;
    }
  return archive;
}

int
pd_rec_write_local (OTF2_Archive *archive, OTF2_LocationRef location, PdRecError *error)
{
  OTF2_DefWriter *out = OTF2_Archive_GetDefWriter (archive, location);

  return out != NULL && OTF2_Archive_CloseDefWriter (archive, out) == OTF2_SUCCESS
             ? 0
             : pd_rec_otf2_failed (error);
}

/* Whether the library gives a file of a location that name. */
static int
is_of_location (const char *name)
{
  size_t digits = strspn (name, "0123456789");

  return digits > 0 && (strcmp (name + digits, ".evt") == 0 || strcmp (name + digits, ".def") == 0);
}

/* Whether there were any. */
static int
remove_locations (const char *folder)
{
  char path[1500];
  int n = 0;

  DIR *dir = opendir (folder);
  for (const struct dirent *entry; dir != NULL && (entry = readdir (dir)) != NULL;)
    if (is_of_location (entry->d_name))
      {
        snprintf (path, sizeof path, "%s/%s", folder, entry->d_name);
        n += unlink (path) == 0;
      }
  if (dir != NULL)
    closedir (dir);
  return n > 0;
}

void
pd_rec_remove_archive (const char *folder)
{
  static const char *const names[] = { PD_REC_ARCHIVE ".otf2", PD_REC_ARCHIVE ".def" };
  char path[1200];

  snprintf (path, sizeof path, "%s/" PD_REC_ARCHIVE, folder);
  /* names that are removed while a folder is read may hide others */
  while (remove_locations (path))
    ;
  rmdir (path);
  for (int i = 0; i < 2; i++)
    {
      snprintf (path, sizeof path, "%s/%s", folder, names[i]);
      unlink (path);
    }
}

/* ---- communicators without members */

void
pd_rec_settle (const PdRecMerged *merged, PdRecMap *map)
{
  for (uint32_t i = PD_REC_COMM_SELF + 1; i < map->words[2]; i++)
    if (map->comms[i] != PD_REC_NONE && merged->comms[map->comms[i]].members == NULL)
      map->comms[i] = PD_REC_NONE;
  for (uint32_t i = 0; i < map->words[3]; i++)
    {
      uint32_t window = map->windows[i];
      uint32_t comm = window == PD_REC_NONE ? PD_REC_NONE : merged->windows[window].comm;
      if (comm == PD_REC_NONE || (comm > PD_REC_COMM_SELF && merged->comms[comm].members == NULL))
        map->windows[i] = PD_REC_NONE;
    }
}

/* ---- files */

void
pd_rec_stream_path (char *path, size_t n, const char *folder, int rank)
{
  snprintf (path, n, "%s/rank-%d.raw", folder, rank);
}

int
pd_rec_file_map (PdRecFile *self, const char *path, PdRecError *error)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC), reason = errno;
  struct stat info;

  *self = (PdRecFile){ NULL, 0 };
  if (fd < 0 || fstat (fd, &info) != 0)
    {
      reason = fd < 0 ? reason : errno;
      if (fd >= 0)
        close (fd);
      pd_rec_fail (error, "%s: %s", path, strerror (reason));
      errno = reason;
      return -1;
    }
  self->n = S_ISREG (info.st_mode) ? (uint64_t) info.st_size : 0;
  void *map =
      self->n == 0 ? MAP_FAILED : mmap (NULL, (size_t) self->n, PROT_READ, MAP_PRIVATE, fd, 0);
  reason = self->n == 0 ? EINVAL : errno;
  close (fd);
  if (map == MAP_FAILED)
    {
      pd_rec_fail (error, "%s: not a stream of the recorder", path);
      errno = reason;
      return -1;
    }
  self->bytes = map;
  return 0;
}

void
pd_rec_file_unmap (PdRecFile *self)
{
  if (self->bytes != NULL)
    munmap (self->bytes, (size_t) self->n);
  self->bytes = NULL;
}

const char *
pd_rec_reason_text (const PdRecRankInfo *info)
{
  static const char *const texts[PD_REC_N_REASONS] = {
    [PD_REC_RUNNING] = "the process ended without MPI_Finalize",
    [PD_REC_AGREED] = "the size limit was near: all ranks stopped at the same operation",
    [PD_REC_OVER_LIMIT] = "the size limit was reached",
    [PD_REC_DISK_FULL] = "no room on the disk",
    [PD_REC_NO_MEMORY] = "out of memory",
    [PD_REC_FILE_LOST] = "its stream could not be opened again",
  };

  return info->is_damaged ? "the stream is damaged" : texts[info->reason];
}

static int
was_stopped (const PdRecRankInfo *info)
{
  return info->is_damaged || info->reason >= PD_REC_AGREED;
}

/* When the last rank ended; 0: not known of all. */
static uint64_t
find_end (const PdRecRankInfo *infos, uint32_t n)
{
  uint64_t end = 0;

  for (uint32_t i = 0; i < n; i++)
    {
      if (infos[i].ended == 0)
        return 0;
      end = infos[i].ended > end ? infos[i].ended : end;
    }
  return end;
}

/* Until when the rank of infos[0] was recorded, UINT64_MAX: to its end. Its threads stop
 * together; a damaged stream ends alone. Returns: how many streams it has. */
static uint32_t
find_stop (const PdRecRankInfo *infos, uint32_t n, uint64_t *until)
{
  uint64_t damaged = UINT64_MAX, stopped = 0;
  uint32_t i;

  for (i = 0; i < n && infos[i].rank == infos[0].rank; i++)
    if (infos[i].is_damaged)
      damaged = infos[i].last < damaged ? infos[i].last : damaged;
    else if (was_stopped (&infos[i]))
      stopped = infos[i].last > stopped ? infos[i].last : stopped;
  *until = stopped > 0 && stopped < damaged ? stopped : damaged;
  return i;
}

/* Ranks that agreed to stop have recorded the same operations, though not to the same moment. */
static void
note_common_part (OTF2_Archive *archive, const PdRecRankInfo *infos, uint32_t n)
{
  uint64_t until = UINT64_MAX, latest = 0, end = find_end (infos, n), stop;
  uint32_t n_agreed = 0;
  char text[60];
  int used;

  for (uint32_t i = 0; i < n; i++)
    {
      if (!was_stopped (&infos[i]))
        continue;
      n_agreed += !infos[i].is_damaged && infos[i].reason == PD_REC_AGREED;
      latest = infos[i].last > latest ? infos[i].last : latest;
    }
  for (uint32_t i = 0; i < n;)
    {
      i += find_stop (infos + i, n - i, &stop);
      until = stop < until ? stop : until;
    }
  if (until == UINT64_MAX)
    return;
  until = n_agreed == n ? latest : until;
  used = snprintf (text, sizeof text, "%llu", (unsigned long long) until);
  if (end >= until)
    snprintf (text + used, sizeof text - (size_t) used, " %llu", (unsigned long long) end);
  OTF2_Archive_SetProperty (archive, "PREDICTOR::COMMON_PART", text, true);
}

/* "CALLS:NANOSECONDS" of each kind of calls: how many, and what recording one costs at most. */
static void
note_costs (OTF2_Archive *archive, const PdRecRankInfo *infos, uint32_t n)
{
  char text[PD_REC_N_COSTS * 50];
  size_t used = 0;

  for (int kind = 0; kind < PD_REC_N_COSTS; kind++)
    {
      unsigned long long calls = 0, cost = 0;
      for (uint32_t i = 0; i < n; i++)
        {
          calls += infos[i].n_calls[kind];
          cost = infos[i].costs[kind] > cost ? infos[i].costs[kind] : cost;
        }
      used += (size_t) snprintf (text + used, sizeof text - used, "%s%llu:%llu.%03llu",
                                 kind == 0 ? "" : " ", calls, cost / 1000, cost % 1000);
    }
  OTF2_Archive_SetProperty (archive, "PREDICTOR::CALL_COSTS", text, true);
}

/* The clock of computation; all ranks have chosen the same. */
static void
note_clock (OTF2_Archive *archive, const PdRecRankInfo *infos, uint32_t n)
{
  static const char *const names[PD_REC_N_CLOCKS] = {
    [PD_REC_CLOCK_WALL] = "wall", [PD_REC_CLOCK_CPU] = "cpu"
  };

  for (uint32_t i = 0; i < n; i++)
    if (infos[i].thread == 0 && names[infos[i].clock] != NULL)
      {
        OTF2_Archive_SetProperty (archive, "PREDICTOR::CLOCK", names[infos[i].clock], true);
        return;
      }
}

void
pd_rec_note_properties (OTF2_Archive *archive, const PdRecRankInfo *infos, uint32_t n)
{
  char text[200] = "";
  size_t used = 0;
  uint32_t last = 0;

  for (uint32_t i = 0; i < n; i++)
    {
      if (pd_rec_reason_text (&infos[i]) != NULL && used + 20 < sizeof text
          && (used == 0 || infos[i].rank != last))
        {
          last = infos[i].rank;
          used +=
              (size_t) snprintf (text + used, sizeof text - used, used == 0 ? "%u" : " %u", last);
        }
    }
  if (used > 0)
    OTF2_Archive_SetProperty (archive, "PREDICTOR::TRUNCATED", text, true);
  note_common_part (archive, infos, n);
  note_costs (archive, infos, n);
  note_clock (archive, infos, n);
}

/* ---- digests */

static int
find_digest (const char *path, uint64_t *digest, PdRecError *error)
{
  return pd_digest_file (path, digest) == 0
             ? 0
             : pd_rec_fail (error, "%s: cannot be read again: %s", path, strerror (errno));
}

int
pd_rec_note_events (const char *folder, OTF2_LocationRef location, PdRecRankInfo *info,
                    PdRecError *error)
{
  char path[1300];

  info->location = location;
  snprintf (path, sizeof path, "%s/" PD_REC_ARCHIVE "/%" PRIu64 ".evt", folder, location);
  return find_digest (path, &info->digest, error);
}

int
pd_rec_note_digests (OTF2_Archive *archive, const char *folder, const PdRecRankInfo *infos,
                     uint32_t n, PdRecError *error)
{
  OTF2_GlobalDefWriter *definitions = OTF2_Archive_GetGlobalDefWriter (archive);
  size_t room = ((size_t) n + 1) * sizeof " 18446744073709551615:0123456789abcdef", used;
  char path[1300];
  uint64_t digest;

  if (definitions == NULL
      || OTF2_Archive_CloseGlobalDefWriter (archive, definitions) != OTF2_SUCCESS)
    return pd_rec_otf2_failed (error);
  snprintf (path, sizeof path, "%s/" PD_REC_ARCHIVE ".def", folder);
  if (find_digest (path, &digest, error) != 0)
    return -1;
  char *text = malloc (room);
  if (text == NULL)
    return pd_rec_fail (error, "out of memory");
  used = (size_t) snprintf (text, room, "%" PRIx64, digest);
  for (uint32_t i = 0; i < n; i++)
    used += (size_t) snprintf (text + used, room - used, " %" PRIu64 ":%" PRIx64, infos[i].location,
                               infos[i].digest);
  OTF2_ErrorCode status = OTF2_Archive_SetProperty (archive, "PREDICTOR::DIGESTS", text, true);
  free (text);
  return status == OTF2_SUCCESS ? 0 : pd_rec_otf2_failed (error);
}
