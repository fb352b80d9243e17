/* The raw stream of this process: a file that grows piece by piece; the piece
 * being filled is mapped. Its blocks are allocated before they are mapped, so a
 * full disk ends the recording and not the program.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "record/stream/pd-rec-clock.h"
#include "record/stream/pd-rec-report.h"
#include "record/stream/pd-rec-stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

int pd_rec_state = PD_REC_CLOSED;

static struct
{
  uint64_t *at;    /* where the next record goes */
  uint64_t *end;   /* of the mapped piece; a word is kept for %PD_REC_PAD */
  uint64_t *piece; /* mapped */
  uint64_t piece_bytes;
  uint64_t file_bytes; /* allocated */
  uint64_t limit;
  uint64_t call; /* where the last call is in the file, with its details behind it */
  PdRecHead *head;
  char path[1200];
  struct stat file; /* that the path named at the beginning */
} self;

/* ---- pieces of the file */

static uint64_t
position (void)
{
  return self.file_bytes - self.piece_bytes + (uint64_t) (self.at - self.piece) * 8;
}

static void
unmap_piece (void)
{
  if (self.piece != NULL)
    munmap (self.piece, self.piece_bytes);
  self.piece = self.at = self.end = NULL;
}

void
pd_rec_stream_stop (PdRecReason reason)
{
  if (self.head == NULL || self.head->reason != PD_REC_RUNNING)
    return;
  self.head->reason = reason;
  pd_rec_state = PD_REC_CLOSED;
  unmap_piece ();
}

/* A process that writes beyond its limit would get a signal. */
static int
may_grow (void)
{
  struct rlimit limit;

  return getrlimit (RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY
         || self.file_bytes + self.piece_bytes <= limit.rlim_cur;
}

/* The file is opened for each piece: a descriptor that stays open may be closed by
 * a program that closes all it does not know, and be another file's from then on. */
static int
open_again (void)
{
  int fd = open (self.path, O_RDWR | O_CLOEXEC);
  struct stat file;

  if (fd >= 0
      && (fstat (fd, &file) != 0 || file.st_dev != self.file.st_dev
          || file.st_ino != self.file.st_ino))
    {
      close (fd);
      fd = -1;
    }
  return fd;
}

static PdRecReason
map_next (int fd)
{
  int status;

  do
    status = posix_fallocate (fd, (off_t) self.file_bytes, (off_t) self.piece_bytes);
  while (status == EINTR);
  if (status != 0)
    return PD_REC_DISK_FULL;
  void *map = mmap (NULL, self.piece_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd,
                    (off_t) self.file_bytes);
  if (map == MAP_FAILED)
    return PD_REC_NO_MEMORY;
  self.piece = self.at = map;
  self.end = self.at + self.piece_bytes / 8 - 1;
  self.file_bytes += self.piece_bytes;
  return PD_REC_RUNNING;
}

static PdRecReason
map_piece (void)
{
  PdRecReason reason;
  int fd;

  if (self.file_bytes + self.piece_bytes > self.limit)
    return PD_REC_OVER_LIMIT;
  if (!may_grow ())
    return PD_REC_DISK_FULL;
  fd = open_again ();
  if (fd < 0)
    return PD_REC_FILE_LOST;
  reason = map_next (fd);
  close (fd);
  return reason;
}

/* A call whose details do not fit is left out as a whole. */
static int
next_piece (int is_detail)
{
  uint64_t rest = (uint64_t) (self.end + 1 - self.at);
  uint64_t here = position ();
  PdRecReason reason;

  atomic_store_explicit ((_Atomic uint64_t *) self.at, PD_REC_FIRST (PD_REC_PAD, 0, 0, rest),
                         memory_order_release);
  unmap_piece ();
  reason = map_piece ();
  if (reason == PD_REC_RUNNING)
    return 1;
  self.head->cut = is_detail && self.call != 0 ? self.call : here;
  pd_rec_stream_stop (reason);
  return 0;
}

/* Room for @n words; NULL: there is none, and recording has stopped. */
static inline uint64_t *
reserve (unsigned n, int is_detail)
{
  if (__builtin_expect ((size_t) (self.end - self.at) < n, 0)
      && (pd_rec_state == PD_REC_CLOSED || !next_piece (is_detail)))
    return NULL;
  return self.at;
}

static inline void
publish (uint64_t *record, uint64_t first, unsigned n)
{
  atomic_store_explicit ((_Atomic uint64_t *) record, first, memory_order_release);
  self.at = record + n;
}

/* ---- records */

void
pd_rec_entering (uint16_t function, uint64_t t0)
{
  if (pd_rec_state == PD_REC_CLOSED)
    return;
  self.head->entered = 1u + function;
  self.head->entered_at = t0;
}

void
pd_rec_call (uint16_t function, uint32_t stack, uint64_t t0, uint64_t t1)
{
  uint64_t *w = reserve (3, 0);

  if (w == NULL)
    return;
  self.call = position ();
  w[1] = t0;
  w[2] = t1;
  publish (w, PD_REC_FIRST (PD_REC_CALL, 3, function, stack), 3);
}

/* A message: @request is written where @n is 4. */
static inline void
put_message (uint64_t first, unsigned n, uint64_t envelope, uint64_t bytes, uint32_t request)
{
  uint64_t *w = reserve (n, 1);

  if (w == NULL)
    return;
  w[1] = envelope;
  w[2] = bytes;
  if (n == 4)
    w[3] = request;
  publish (w, first, n);
}

void
pd_rec_send (int32_t dest, int32_t tag, uint32_t comm, uint64_t bytes, uint32_t request, int mode)
{
  unsigned n = request == 0 ? 3 : 4;

  put_message (PD_REC_FIRST (request == 0 ? PD_REC_SENT : PD_REC_ISENT, n, mode, comm), n,
               PD_REC_PAIR (dest, tag), bytes, request);
}

void
pd_rec_recv (int32_t source, int32_t tag, uint32_t comm, uint64_t bytes, unsigned wildcard)
{
  put_message (PD_REC_FIRST (PD_REC_RECEIVED, 3, wildcard, comm), 3, PD_REC_PAIR (source, tag),
               bytes, 0);
}

void
pd_rec_recv_posted (int32_t source, int32_t tag, uint32_t comm, uint64_t bytes, uint32_t request)
{
  put_message (PD_REC_FIRST (PD_REC_POSTED, 4, 0, comm), 4, PD_REC_PAIR (source, tag), bytes,
               request);
}

void
pd_rec_recv_done (uint32_t request, int32_t source, int32_t tag, uint32_t comm, uint64_t bytes)
{
  put_message (PD_REC_FIRST (PD_REC_ARRIVED, 4, 0, comm), 4, PD_REC_PAIR (source, tag), bytes,
               request);
}

static inline void
put_request (PdRecKind kind, uint32_t request)
{
  uint64_t *w = reserve (1, 1);

  if (w != NULL)
    publish (w, PD_REC_FIRST (kind, 1, 0, request), 1);
}

void
pd_rec_send_done (uint32_t request)
{
  put_request (PD_REC_SEND_ENDED, request);
}

void
pd_rec_cancelled (uint32_t request)
{
  put_request (PD_REC_WAS_CANCELLED, request);
}

void
pd_rec_tested (uint32_t request)
{
  put_request (PD_REC_WAS_TESTED, request);
}

void
pd_rec_coll_done (uint32_t request)
{
  put_request (PD_REC_COLL_ENDED, request);
}

void
pd_rec_collective (int op, uint32_t comm, int32_t root, uint64_t sent, uint64_t received,
                   uint32_t request)
{
  uint64_t *w = reserve (4, 1);

  if (w == NULL)
    return;
  w[1] = PD_REC_PAIR (root, request);
  w[2] = sent;
  w[3] = received;
  publish (w, PD_REC_FIRST (PD_REC_COLLECTIVE, 4, op, comm), 4);
}

void
pd_rec_rma (int what, uint32_t window, int32_t target, uint64_t sent, uint64_t received)
{
  uint64_t *w = reserve (4, 1);

  if (w == NULL)
    return;
  w[1] = PD_REC_PAIR (target, 0);
  w[2] = sent;
  w[3] = received;
  publish (w, PD_REC_FIRST (PD_REC_ONE_SIDED, 4, what, window), 4);
}

void
pd_rec_pcontrol (int level, int64_t id)
{
  uint64_t *w = reserve (2, 1);

  if (w == NULL)
    return;
  w[1] = (uint64_t) id;
  publish (w, PD_REC_FIRST (PD_REC_CONTROL, 2, 0, level), 2);
}

void
pd_rec_switch (int on, uint64_t t)
{
  uint64_t *w;

  if (pd_rec_state != (on ? PD_REC_PAUSED : PD_REC_ON))
    return;
  w = reserve (2, 0);
  if (w == NULL)
    return;
  w[1] = t;
  publish (w, PD_REC_FIRST (PD_REC_SWITCH, 2, on != 0, 0), 2);
  pd_rec_state = on ? PD_REC_ON : PD_REC_PAUSED;
}

void
pd_rec_define (uint64_t first, const uint64_t *words, unsigned n, const void *data, size_t n_data)
{
  const char *rest = data;
  uint64_t *w;

  while (n_data > 0)
    {
      size_t part = n_data < (PD_REC_MAX_WORDS - 1) * 8 ? n_data : (PD_REC_MAX_WORDS - 1) * 8;
      unsigned used = 1 + (unsigned) ((part + 7) / 8);
      w = reserve (used, 1);
      if (w == NULL)
        return;
      memcpy (w + 1, rest, part);
      publish (w, PD_REC_FIRST (PD_REC_DATA, used, 0, part), used);
      rest += part;
      n_data -= part;
    }
  w = reserve (1 + n, 1);
  if (w == NULL)
    return;
  for (unsigned i = 0; i < n; i++)
    w[1 + i] = words[i];
  publish (w, first, 1 + n);
}

/* ---- the whole */

PdRecHead *
pd_rec_stream_head (void)
{
  return self.head;
}

uint64_t
pd_rec_stream_size (uint64_t *limit)
{
  *limit = self.limit;
  return self.piece != NULL ? position () : self.file_bytes;
}

void
pd_rec_stream_close (void)
{
  pd_rec_state = PD_REC_CLOSED;
  unmap_piece ();
  if (self.head != NULL)
    munmap (self.head, PD_REC_HEAD_BYTES);
  self.head = NULL;
}

/* Maps the head, for as long as there is a stream. */
static int
map_head (int fd, const PdRecHead *head)
{
  int status = fstat (fd, &self.file) != 0 ? errno : posix_fallocate (fd, 0, PD_REC_HEAD_BYTES);
  void *map = status != 0
                  ? MAP_FAILED
                  : mmap (NULL, PD_REC_HEAD_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

  if (map == MAP_FAILED)
    return status != 0 ? status : errno;
  self.head = map;
  *self.head = *head;
  self.file_bytes = PD_REC_HEAD_BYTES;
  return 0;
}

static int
make_file (const PdRecHead *head, PdRecError *error)
{
  int fd = open (self.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  int status = fd < 0 ? errno : map_head (fd, head);
  PdRecReason reason;

  if (fd >= 0)
    close (fd);
  if (status != 0)
    pd_rec_fail (error, "%s: cannot be made: %s", self.path, strerror (status));
  else if ((reason = map_piece ()) != PD_REC_RUNNING)
    pd_rec_fail (error, "%s: %s", self.path,
                 reason == PD_REC_DISK_FULL ? "no room on the disk" : "cannot be mapped");
  if (error->text[0] == '\0')
    return 0;
  pd_rec_stream_close ();
  if (fd >= 0)
    unlink (self.path);
  return -1;
}

int
pd_rec_stream_open (const char *path, const PdRecHead *head, const PdRecOptions *options,
                    PdRecError *error)
{
  snprintf (self.path, sizeof self.path, "%s", path);
  self.limit = options->max_size;
  self.piece_bytes = options->buffer;
  self.call = 0;
  if (self.limit < PD_REC_HEAD_BYTES + self.piece_bytes)
    self.limit = PD_REC_HEAD_BYTES + self.piece_bytes;
  if (make_file (head, error) != 0)
    return -1;
  pd_rec_state = PD_REC_ON;
  return 0;
}

uint64_t
pd_rec_stream_measure (void)
{
  enum
  {
    TRIALS = 5,
    CALLS = 200,
    WORDS = 6
  };
  uint64_t *begin = self.at, best = UINT64_MAX;
  uint64_t call = self.call;

  if ((size_t) (self.end - self.at) < CALLS * WORDS)
    return 0;
  for (int trial = 0; trial < TRIALS; trial++)
    {
      uint64_t t0 = pd_rec_now (), took;
      for (int i = 0; i < CALLS; i++)
        {
          uint64_t t1 = pd_rec_now ();
          pd_rec_entering (0, t1);
          pd_rec_call (0, 0, t1, pd_rec_now ());
          pd_rec_send (0, 0, 0, 0, 0, 0);
        }
      took = (pd_rec_now () - t0) * 1000 / CALLS;
      best = took < best ? took : best;
      memset (begin, 0, CALLS * WORDS * sizeof *begin);
      self.at = begin;
    }
  self.call = call;
  self.head->entered = 0;
  self.head->entered_at = 0;
  return best;
}
