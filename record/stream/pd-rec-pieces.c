/* A stream as a file that grows piece by piece.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "record/stream/pd-rec-pieces-private.h"
#include "record/stream/pd-rec-report.h"
#include "record/stream/pd-rec-room.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* Of all streams of the process. */
static struct
{
  uint64_t piece_bytes;
  uint64_t limit;
  uint32_t n_ranks;       /* whose streams share the disk */
  _Atomic uint64_t bytes; /* allocated */
} all;

/* A process that writes beyond its limit would get a signal. */
static int
may_grow (const PdRecStream *self)
{
  struct rlimit limit;

  return getrlimit (RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY
         || self->file_bytes + all.piece_bytes <= limit.rlim_cur;
}

/* The file is opened for each piece: a descriptor that stays open may be closed by
 * a program that closes all it does not know, and be another file's from then on. */
static int
open_again (const PdRecStream *self)
{
  int fd = open (self->path, O_RDWR | O_CLOEXEC);
  struct stat file;

  if (fd >= 0
      && (fstat (fd, &file) != 0 || file.st_dev != self->file.st_dev
          || file.st_ino != self->file.st_ino))
    {
      close (fd);
      fd = -1;
    }
  return fd;
}

static PdRecReason
map_next (PdRecStream *self, int fd)
{
  int status;

  do
    status = posix_fallocate (fd, (off_t) self->file_bytes, (off_t) all.piece_bytes);
  while (status == EINTR);
  if (status != 0)
    return PD_REC_DISK_FULL;
  void *map = mmap (NULL, all.piece_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd,
                    (off_t) self->file_bytes);
  if (map == MAP_FAILED)
    return PD_REC_NO_MEMORY;
  self->piece = self->at = map;
  self->end = self->at + all.piece_bytes / 8 - 1;
  self->piece_begin = self->file_bytes;
  self->file_bytes += all.piece_bytes;
  return PD_REC_RUNNING;
}

/* Allocates @bytes within the limit of the rank. */
static int
take_room (uint64_t bytes)
{
  if (atomic_fetch_add (&all.bytes, bytes) + bytes <= all.limit)
    return 1;
  atomic_fetch_sub (&all.bytes, bytes);
  return 0;
}

/* Whether the disk has room for a piece that take_room() allocated. */
static int
has_disk (const PdRecStream *self)
{
  uint64_t before = atomic_load (&all.bytes) - all.piece_bytes;

  return pd_rec_room (self->path, before, all.n_ranks) >= all.piece_bytes;
}

PdRecReason
pd_rec_pieces_map (PdRecStream *self)
{
  PdRecReason reason;
  int fd;

  if (!take_room (all.piece_bytes))
    return PD_REC_OVER_LIMIT;
  if (!may_grow (self) || !has_disk (self))
    return PD_REC_DISK_FULL;
  fd = open_again (self);
  if (fd < 0)
    return PD_REC_FILE_LOST;
  reason = map_next (self, fd);
  close (fd);
  return reason;
}

void
pd_rec_pieces_unmap (PdRecStream *self)
{
  if (self->piece != NULL)
    munmap (self->piece, all.piece_bytes);
  self->piece = self->at = self->end = NULL;
}

void
pd_rec_pieces_close (PdRecStream *self)
{
  pd_rec_pieces_unmap (self);
  if (self->head != NULL)
    munmap (self->head, PD_REC_HEAD_BYTES);
  self->head = NULL;
}

uint64_t
pd_rec_pieces_size (const char *path, uint64_t *limit)
{
  uint64_t size = atomic_load (&all.bytes);
  uint64_t room = pd_rec_room (path, size, all.n_ranks);

  *limit = all.limit > size && all.limit - size > room ? size + room : all.limit;
  return size;
}

void
pd_rec_pieces_begin (const PdRecOptions *options)
{
  all.piece_bytes = options->buffer;
  all.limit = options->max_size;
  all.n_ranks = options->n_ranks;
  if (all.limit < PD_REC_HEAD_BYTES + all.piece_bytes)
    all.limit = PD_REC_HEAD_BYTES + all.piece_bytes;
  atomic_store (&all.bytes, 0);
}

/* Maps the head, for as long as there is a stream. */
static int
map_head (PdRecStream *self, int fd, const PdRecHead *head)
{
  int status = fstat (fd, &self->file) != 0 ? errno : posix_fallocate (fd, 0, PD_REC_HEAD_BYTES);
  void *map = status != 0
                  ? MAP_FAILED
                  : mmap (NULL, PD_REC_HEAD_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

  if (map == MAP_FAILED)
    return status != 0 ? status : errno;
  self->head = map;
  *self->head = *head;
  self->file_bytes = PD_REC_HEAD_BYTES;
  return 0;
}

PdRecReason
pd_rec_pieces_open (PdRecStream *self, const PdRecHead *head, PdRecError *error)
{
  PdRecReason reason = PD_REC_DISK_FULL;
  int fd, status;

  if (!take_room (PD_REC_HEAD_BYTES))
    {
      pd_rec_fail (error, "%s: no room below the limit of the size", self->path);
      return PD_REC_OVER_LIMIT;
    }
  fd = open (self->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  status = fd < 0 ? errno : map_head (self, fd, head);
  if (fd >= 0)
    close (fd);
  if (status != 0)
    pd_rec_fail (error, "%s: cannot be made: %s", self->path, strerror (status));
  else if ((reason = pd_rec_pieces_map (self)) == PD_REC_RUNNING)
    return PD_REC_RUNNING;
  else
    pd_rec_fail (error, "%s: %s", self->path,
                 reason == PD_REC_DISK_FULL ? "no room on the disk" : "cannot be mapped");
  pd_rec_pieces_close (self);
  if (fd >= 0)
    unlink (self->path);
  return reason;
}
