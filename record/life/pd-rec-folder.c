/* The streams in the folder of a recording.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "record/life/pd-rec-folder.h"
#include "record/archive/pd-rec-archive.h"
#include "record/stream/pd-rec-pool.h"
#include "record/stream/pd-rec-report.h"
#include "record/stream/pd-rec-stream.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void
pd_rec_folder_name (char *path, size_t n, const char *folder, const PdRecStreamFile *stream)
{
  char first[1200];

  pd_rec_stream_path (first, sizeof first, folder, stream->rank);
  pd_rec_stream_name (path, n, first, stream->thread);
}

/* A number without a sign, up to @most; -1: none. */
static long
read_number (const char **text, long most)
{
  char *rest;
  long number = isdigit ((unsigned char) **text) ? strtol (*text, &rest, 10) : -1;

  if (number < 0 || number > most)
    return -1;
  *text = rest;
  return number;
}

/* Whether a stream has that name, and which one. */
static int
is_stream (const char *name, PdRecStreamFile *stream)
{
  char again[60];
  const char *at = name + strlen ("rank-");
  long rank, thread = 0;

  if (strncmp (name, "rank-", strlen ("rank-")) != 0)
    return 0;
  rank = read_number (&at, (long) PD_REC_MAX_RANKS - 1);
  if (rank >= 0 && at[0] == '.' && isdigit ((unsigned char) at[1]))
    {
      at++;
      thread = read_number (&at, (long) PD_REC_MAX_THREADS - 1);
    }
  if (rank < 0 || thread < 0)
    return 0;
  *stream = (PdRecStreamFile){ .rank = (int) rank, .thread = (int) thread };
  snprintf (again, sizeof again, "rank-%ld.raw", rank);
  if (thread > 0)
    snprintf (again, sizeof again, "rank-%ld.%ld.raw", rank, thread);
  return strcmp (again, name) == 0;
}

/* The next stream; 0: there are no more. */
static int
next_stream (DIR *dir, PdRecStreamFile *stream)
{
  const struct dirent *entry;

  while (dir != NULL && (entry = readdir (dir)) != NULL)
    if (is_stream (entry->d_name, stream))
      return 1;
  return 0;
}

int
pd_rec_has_streams (const char *folder)
{
  DIR *dir = opendir (folder);
  PdRecStreamFile stream;
  int found = next_stream (dir, &stream);

  if (dir != NULL)
    closedir (dir);
  return found;
}

static int
compare_streams (const void *a, const void *b)
{
  const PdRecStreamFile *x = a, *y = b;

  return x->rank != y->rank ? (x->rank > y->rank) - (x->rank < y->rank)
                            : (x->thread > y->thread) - (x->thread < y->thread);
}

int
pd_rec_folder_list (const char *folder, PdRecStreamFile **streams, uint32_t *n, PdRecError *error)
{
  DIR *dir = opendir (folder);
  uint32_t room = 0;
  int status = 0;

  *streams = NULL;
  *n = 0;
  for (PdRecStreamFile stream; status == 0 && next_stream (dir, &stream);)
    if (pd_rec_make_room (streams, &room, *n, sizeof stream) == 0)
      (*streams)[(*n)++] = stream;
    else
      status = pd_rec_fail (error, "out of memory");
  if (dir != NULL)
    closedir (dir);
  if (status == 0 && *n == 0)
    return pd_rec_fail (error, "%s: no streams of a recording here", folder);
  if (*n > 0)
    qsort (*streams, *n, sizeof **streams, compare_streams);
  return status;
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
  char path[1300];
  int64_t running = -1;

  for (PdRecStreamFile stream; running < 0 && next_stream (dir, &stream);)
    {
      pd_rec_folder_name (path, sizeof path, folder, &stream);
      if (is_running (path))
        running = stream.rank;
    }
  if (dir != NULL)
    closedir (dir);
  return running;
}

/* ---- removing */

/* Whether there were any. */
static int
remove_streams (const char *folder)
{
  DIR *dir = opendir (folder);
  char path[1300];
  int n = 0;

  for (PdRecStreamFile stream; next_stream (dir, &stream);)
    {
      pd_rec_folder_name (path, sizeof path, folder, &stream);
      n += unlink (path) == 0;
    }
  if (dir != NULL)
    closedir (dir);
  return n > 0;
}

void
pd_rec_folder_remove (const char *folder)
{
  /* names that are removed while a folder is read may hide others */
  while (remove_streams (folder))
    ;
}
