/* Plain, gzip and zstd data. Members of a gzip file (frames of a zstd file)
 * follow each other as programs append them. A cut or damaged one ends the
 * input; the bytes decoded before it are kept.
 * SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* read(), lseek() */

#include "base/pd-library.h"
#include "traces/io/pd-decoder-private.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

/* clang-format off */
#define FUNCTIONS(F) \
  F (ZSTD_createDStream) F (ZSTD_decompressStream) F (ZSTD_freeDStream) F (ZSTD_getErrorCode) \
  F (ZSTD_isError)
/* clang-format on */

PD_LIBRARY_DEFINE (zstd, PD_SONAME_ZSTD, FUNCTIONS);

#define RAW_SIZE (64 * 1024)
#define MAGIC    4 /* bytes that show the coding */

struct _PdDecoder
{
  int fd;        /* -1: @bytes */
  GBytes *bytes; /* (nullable) */
  guint64 at;    /* offset of the next byte */
  guint64 end;   /* offset behind the last byte that may be read */

  gboolean started;
  PdCoding coding;
  gboolean in_member; /* between the header and the end of a member or frame */
  gboolean at_end;
  z_stream gzip;
  ZSTD_DStream *zstd;
  guint8 *raw;
  const guint8 *next; /* of @raw, not yet used */
  gsize left;

  PdInputProblem problem;
};

/* ---- source */

/* Reads up to @n bytes; 0 at the end, and on an error, which is noted. */
static gsize
read_source (PdDecoder *self, void *to, gsize n)
{
  ssize_t got = (ssize_t) MIN (n, self->end - self->at);

  if (self->fd < 0)
    {
      if (got > 0)
        memcpy (to, (const char *) g_bytes_get_data (self->bytes, NULL) + self->at, (gsize) got);
    }
  else
    {
      do
        got = read (self->fd, to, (gsize) MIN (n, self->end - self->at));
      while (got < 0 && errno == EINTR);
      if (got < 0)
        self->problem = PD_INPUT_UNREADABLE;
      got = MAX (got, 0);
    }
  self->at += (guint64) got;
  return (gsize) got;
}

/* Makes at least one byte of @raw available; FALSE at the end. */
static gboolean
refill_raw (PdDecoder *self)
{
  if (self->left > 0)
    return TRUE;
  self->left = read_source (self, self->raw, RAW_SIZE);
  self->next = self->raw;
  return self->left > 0;
}

/* ---- decoding: each gives how many bytes it put at @to, and ends its member */

/* Stops here; what this call decoded is still given out. */
static void
stop_damaged (PdDecoder *self)
{
  self->problem = PD_INPUT_DAMAGED;
  self->at_end = TRUE;
}

/* zlib has the allocator of GLib, which ends the process where there is no memory; zstd can only
 * say that it had none. A file must not be called damaged for that. */
static voidpf
allocate (voidpf opaque, uInt n, uInt size)
{
  (void) opaque;
  return g_malloc_n (n, size);
}

static void
release (voidpf opaque, voidpf memory)
{
  (void) opaque;
  g_free (memory);
}

static void
end_without_memory (void)
{
  g_error ("out of memory to decompress a file");
}

static gsize
inflate_step (PdDecoder *self, char *to, gsize n)
{
  int status;

  self->gzip.next_in = (Bytef *) self->next;
  self->gzip.avail_in = (uInt) self->left;
  self->gzip.next_out = (Bytef *) to;
  self->gzip.avail_out = (uInt) n;
  status = inflate (&self->gzip, Z_SYNC_FLUSH);
  self->next = self->gzip.next_in;
  self->left = self->gzip.avail_in;
  if (status == Z_STREAM_END)
    self->in_member = FALSE;
  else if (status != Z_OK && status != Z_BUF_ERROR)
    stop_damaged (self);
  return n - self->gzip.avail_out;
}

static gsize
unzstd_step (PdDecoder *self, char *to, gsize n)
{
  ZSTD_inBuffer in = { self->next, self->left, 0 };
  ZSTD_outBuffer out = { to, n, 0 };
  gsize status = zstd.ZSTD_decompressStream (self->zstd, &out, &in);

  self->next += in.pos;
  self->left -= in.pos;
  if (zstd.ZSTD_getErrorCode (status) == ZSTD_error_memory_allocation)
    end_without_memory ();
  if (zstd.ZSTD_isError (status))
    stop_damaged (self);
  else if (status == 0)
    self->in_member = FALSE;
  return out.pos;
}

static gboolean
begins_as_zstd (guint8 byte)
{
  return byte == 0x28 || (byte & 0xf0) == 0x50;
}

/* Zero bytes between or after members are padding; anything else that does
 * not begin as a member is no longer the trace. */
static gboolean
begin_member (PdDecoder *self)
{
  while (refill_raw (self) && *self->next == 0)
    {
      self->next++;
      self->left--;
    }
  if (!refill_raw (self))
    return FALSE;
  if (self->coding == PD_CODING_GZIP ? *self->next != 0x1f : !begins_as_zstd (*self->next))
    {
      self->problem = PD_INPUT_GARBAGE;
      return FALSE;
    }
  self->in_member = TRUE;
  return self->coding == PD_CODING_ZSTD || inflateReset (&self->gzip) == Z_OK;
}

static gsize
read_coded (PdDecoder *self, char *to, gsize n)
{
  gsize got = 0;

  while (got == 0 && !self->at_end)
    {
      if (!self->in_member && !begin_member (self))
        break;
      /* zstd may still hold bytes of a frame, which need no further input */
      if (!refill_raw (self) && self->coding == PD_CODING_GZIP)
        break;
      got = self->coding == PD_CODING_GZIP ? inflate_step (self, to, n) : unzstd_step (self, to, n);
      if (got == 0 && self->left == 0 && self->in_member && !refill_raw (self))
        break;
    }
  if (got == 0 && self->in_member && self->problem == PD_INPUT_FINE)
    self->problem = PD_INPUT_TRUNCATED;
  return got;
}

static gsize
read_plain (PdDecoder *self, char *to, gsize n)
{
  gsize left = MIN (n, self->left);

  if (left == 0)
    return read_source (self, to, n);
  memcpy (to, self->next, left);
  self->next += left;
  self->left -= left;
  return left;
}

/* ---- beginning */

static PdCoding
detect (const guint8 *raw, gsize n)
{
  static const guint8 frame[MAGIC] = { 0x28, 0xb5, 0x2f, 0xfd };

  if (n >= 2 && raw[0] == 0x1f && raw[1] == 0x8b)
    return PD_CODING_GZIP;
  if (n < MAGIC)
    return PD_CODING_PLAIN;
  if (memcmp (raw, frame, MAGIC) == 0)
    return PD_CODING_ZSTD;
  return (raw[0] & 0xf0) == 0x50 && memcmp (raw + 1, "\x2a\x4d\x18", 3) == 0 ? PD_CODING_ZSTD
                                                                             : PD_CODING_PLAIN;
}

/* FALSE: without memory. */
static gboolean
begin_zstd (PdDecoder *self)
{
  if (pd_library_load (&zstd_library, NULL))
    return (self->zstd = zstd.ZSTD_createDStream ()) != NULL;
  self->problem = PD_INPUT_NO_ZSTD;
  self->at_end = TRUE;
  return TRUE;
}

/* The first bytes show the coding. */
static void
start (PdDecoder *self)
{
  gsize have = 0, got;

  self->started = TRUE;
  self->raw = g_malloc (RAW_SIZE);
  while (have < MAGIC && (got = read_source (self, self->raw + have, RAW_SIZE - have)) > 0)
    have += got;
  self->next = self->raw;
  self->left = have;
  self->coding = detect (self->raw, have);
  self->gzip.zalloc = allocate;
  self->gzip.zfree = release;
  if ((self->coding == PD_CODING_GZIP && inflateInit2 (&self->gzip, 15 + 16) != Z_OK)
      || (self->coding == PD_CODING_ZSTD && !begin_zstd (self)))
    end_without_memory ();
  self->in_member = self->coding != PD_CODING_PLAIN;
}

/* ---- public */

PdDecoder *
pd_decoder_new (int fd, GBytes *bytes)
{
  PdDecoder *self = g_new0 (PdDecoder, 1);

  self->fd = fd;
  self->bytes = bytes != NULL ? g_bytes_ref (bytes) : NULL;
  self->end = bytes != NULL ? g_bytes_get_size (bytes) : G_MAXUINT64;
  return self;
}

PdDecoder *
pd_decoder_new_part (int fd, GBytes *bytes, guint64 begin, guint64 end)
{
  PdDecoder *self = pd_decoder_new (fd, bytes);

  self->started = TRUE;
  self->end = CLAMP (end, MIN (begin, self->end), self->end);
  pd_decoder_move_to (self, begin);
  return self;
}

void
pd_decoder_move_to (PdDecoder *self, guint64 begin)
{
  self->at = MIN (begin, self->end);
  self->at_end = self->fd >= 0 && lseek (self->fd, (off_t) self->at, SEEK_SET) < 0;
  if (self->at_end)
    self->problem = PD_INPUT_UNREADABLE;
}

guint64
pd_decoder_get_size (const PdDecoder *self)
{
  struct stat status;

  if (self->bytes != NULL)
    return g_bytes_get_size (self->bytes);
  return fstat (self->fd, &status) == 0 && S_ISREG (status.st_mode) ? (guint64) status.st_size : 0;
}

void
pd_decoder_free (PdDecoder *self)
{
  if (self->coding == PD_CODING_GZIP)
    inflateEnd (&self->gzip);
  if (self->zstd != NULL)
    zstd.ZSTD_freeDStream (self->zstd);
  if (self->fd > STDIN_FILENO)
    close (self->fd);
  g_clear_pointer (&self->bytes, g_bytes_unref);
  g_free (self->raw);
  g_free (self);
}

gsize
pd_decoder_read (PdDecoder *self, char *to, gsize n)
{
  gsize got = 0;

  if (!self->started)
    start (self);
  if (!self->at_end)
    got = self->coding == PD_CODING_PLAIN ? read_plain (self, to, n) : read_coded (self, to, n);
  if (got == 0)
    self->at_end = TRUE;
  return got;
}

PdCoding
pd_decoder_get_coding (const PdDecoder *self)
{
  return self->coding;
}

PdInputProblem
pd_decoder_get_problem (const PdDecoder *self)
{
  return self->problem;
}
