/* Plain, gzip and zstd input. Members of a gzip file (frames of a zstd file)
 * follow each other as programs append them; a cut or damaged one ends the
 * input, with what was decoded before it kept.
 * SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* O_CLOEXEC, read() */

#include "traces/io/pd-input.h"
#include "base/pd-file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

/* Fits the second-level cache together with what the reader touches. */
#define CHUNK    (128 * 1024)
#define RAW_SIZE (64 * 1024)
#define MAGIC    4 /* bytes that tell the coding */

typedef enum
{
  PLAIN,
  GZIP,
  ZSTD,
} Coding;

struct _PdInput
{
  int fd;        /* -1: @bytes */
  GBytes *bytes; /* (nullable) */
  gsize bytes_used;
  gsize chunk;
  PdWindow window;
  char *buffer; /* @window.data */
  gsize capacity;

  gboolean started;
  Coding coding;
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
read_source (PdInput *self, void *to, gsize n)
{
  ssize_t got;

  if (self->fd < 0)
    {
      gsize size;
      const char *data = g_bytes_get_data (self->bytes, &size);
      gsize left = MIN (n, size - self->bytes_used);
      if (left > 0)
        memcpy (to, data + self->bytes_used, left);
      self->bytes_used += left;
      return left;
    }
  do
    got = read (self->fd, to, n);
  while (got < 0 && errno == EINTR);
  if (got < 0)
    self->problem = PD_INPUT_UNREADABLE;
  return got > 0 ? (gsize) got : 0;
}

/* Makes at least one byte of @raw available; FALSE at the end. */
static gboolean
refill_raw (PdInput *self)
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
stop_damaged (PdInput *self)
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
inflate_step (PdInput *self, char *to, gsize n)
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
unzstd_step (PdInput *self, char *to, gsize n)
{
  ZSTD_inBuffer in = { self->next, self->left, 0 };
  ZSTD_outBuffer out = { to, n, 0 };
  gsize status = ZSTD_decompressStream (self->zstd, &out, &in);

  self->next += in.pos;
  self->left -= in.pos;
  if (ZSTD_getErrorCode (status) == ZSTD_error_memory_allocation)
    end_without_memory ();
  if (ZSTD_isError (status))
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
begin_member (PdInput *self)
{
  while (refill_raw (self) && *self->next == 0)
    {
      self->next++;
      self->left--;
    }
  if (!refill_raw (self))
    return FALSE;
  if (self->coding == GZIP ? *self->next != 0x1f : !begins_as_zstd (*self->next))
    {
      self->problem = PD_INPUT_GARBAGE;
      return FALSE;
    }
  self->in_member = TRUE;
  return self->coding == ZSTD || inflateReset (&self->gzip) == Z_OK;
}

static gsize
read_coded (PdInput *self, char *to, gsize n)
{
  gsize got = 0;

  while (got == 0 && !self->at_end)
    {
      if (!self->in_member && !begin_member (self))
        break;
      /* What zstd still holds of a frame comes without further input. */
      if (!refill_raw (self) && self->coding == GZIP)
        break;
      got = self->coding == GZIP ? inflate_step (self, to, n) : unzstd_step (self, to, n);
      if (got == 0 && self->left == 0 && self->in_member && !refill_raw (self))
        break;
    }
  if (got == 0 && self->in_member && self->problem == PD_INPUT_FINE)
    self->problem = PD_INPUT_TRUNCATED;
  return got;
}

static gsize
read_plain (PdInput *self, char *to, gsize n)
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

static Coding
detect (const guint8 *raw, gsize n)
{
  static const guint8 frame[MAGIC] = { 0x28, 0xb5, 0x2f, 0xfd };

  if (n >= 2 && raw[0] == 0x1f && raw[1] == 0x8b)
    return GZIP;
  if (n < MAGIC)
    return PLAIN;
  if (memcmp (raw, frame, MAGIC) == 0)
    return ZSTD;
  return (raw[0] & 0xf0) == 0x50 && memcmp (raw + 1, "\x2a\x4d\x18", 3) == 0 ? ZSTD : PLAIN;
}

/* The first bytes tell the coding. */
static void
start (PdInput *self)
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
  if ((self->coding == GZIP && inflateInit2 (&self->gzip, 15 + 16) != Z_OK)
      || (self->coding == ZSTD && (self->zstd = ZSTD_createDStream ()) == NULL))
    end_without_memory ();
  self->in_member = self->coding != PLAIN;
}

static PdInput *
input_new (int fd, GBytes *bytes)
{
  PdInput *self = g_new0 (PdInput, 1);

  self->fd = fd;
  self->bytes = bytes != NULL ? g_bytes_ref (bytes) : NULL;
  self->chunk = CHUNK;
  self->capacity = CHUNK + CHUNK / 4;
  self->buffer = g_malloc (self->capacity);
  self->window.data = self->buffer;
  return self;
}

/* ---- public */

PdInput *
pd_input_new_from_file (const char *path, GError **error)
{
  gboolean is_stdin = strcmp (path, "-") == 0;
  g_autoptr (GError) local = NULL;
  const char *resolved = is_stdin ? path : pd_file_resolve (path, &local);

  if (resolved == NULL)
    {
      g_set_error_literal (error, PD_TRACE_ERROR, PD_TRACE_ERROR_OPEN, local->message);
      return NULL;
    }
  int fd = is_stdin ? STDIN_FILENO : open (resolved, O_RDONLY | O_CLOEXEC);
  if (fd >= 0 && (!g_file_test (path, G_FILE_TEST_IS_DIR) || is_stdin))
    return input_new (fd, NULL);
  g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_OPEN, "%s: cannot open the trace: %s", path,
               fd >= 0 ? "it is a folder" : g_strerror (errno));
  if (fd >= 0)
    close (fd);
  return NULL;
}

PdInput *
pd_input_new_from_bytes (GBytes *bytes)
{
  return input_new (-1, bytes);
}

void
pd_input_free (PdInput *self)
{
  if (self == NULL)
    return;
  if (self->coding == GZIP)
    inflateEnd (&self->gzip);
  ZSTD_freeDStream (self->zstd);
  if (self->fd > STDIN_FILENO)
    close (self->fd);
  g_clear_pointer (&self->bytes, g_bytes_unref);
  g_free (self->raw);
  g_free (self->buffer);
  g_free (self);
}

void
pd_input_set_chunk (PdInput *self, gsize chunk)
{
  g_return_if_fail (chunk >= 1 && !self->started);
  self->chunk = MIN (chunk, CHUNK);
}

const PdWindow *
pd_input_get_window (const PdInput *self)
{
  return &self->window;
}

gboolean
pd_input_fill (PdInput *self, gsize keep)
{
  gsize got = 0;

  g_return_val_if_fail (keep <= self->window.size, FALSE);
  if (!self->started)
    start (self);
  self->window.size -= keep;
  if (keep > 0)
    memmove (self->buffer, self->buffer + keep, self->window.size);
  /* Doubling keeps the cost of a long line linear. */
  if (self->capacity - self->window.size < self->chunk)
    {
      self->capacity = MAX (2 * self->capacity, self->window.size + self->chunk);
      self->buffer = g_realloc (self->buffer, self->capacity);
      self->window.data = self->buffer;
    }
  if (!self->at_end)
    {
      char *to = self->buffer + self->window.size;
      got = self->coding == PLAIN ? read_plain (self, to, self->chunk)
                                  : read_coded (self, to, self->chunk);
    }
  if (got == 0)
    self->at_end = TRUE;
  self->window.size += got;
  return got > 0;
}

PdInputProblem
pd_input_get_problem (const PdInput *self)
{
  return self->problem;
}

gboolean
pd_input_check (const PdInput *self, const char *place, GError **error)
{
  static const struct
  {
    PdTraceError code;
    const char *text;
  } problems[] = {
    [PD_INPUT_TRUNCATED] = { PD_TRACE_ERROR_TRUNCATED, "the compressed file is cut" },
    [PD_INPUT_DAMAGED] = { PD_TRACE_ERROR_FORMAT, "the compressed file is damaged" },
    [PD_INPUT_GARBAGE] = { PD_TRACE_ERROR_FORMAT, "bytes follow the end of the compressed file" },
    [PD_INPUT_UNREADABLE] = { PD_TRACE_ERROR_OPEN, "the file cannot be read to its end" },
  };

  if (self->problem != PD_INPUT_FINE)
    g_set_error (error, PD_TRACE_ERROR, (gint) problems[self->problem].code, "%s: %s", place,
                 problems[self->problem].text);
  return self->problem == PD_INPUT_FINE;
}

void
pd_input_report (const PdInput *self, PdMessages *messages, const PdPlace *place)
{
  static const struct
  {
    const char *ids[3]; /* by Coding */
    const char *text;
  } problems[] = {
    [PD_INPUT_TRUNCATED] = { { "unreadable", "gzip-truncated", "zstd-truncated" },
                             "the compressed data are cut; what is before is used" },
    [PD_INPUT_DAMAGED] = { { "unreadable", "gzip-damaged", "zstd-damaged" },
                           "the compressed data are damaged; what is before is used" },
    [PD_INPUT_GARBAGE] = { { "unreadable", "gzip-garbage", "zstd-garbage" },
                           "what follows the compressed data is no trace, ignored" },
    [PD_INPUT_UNREADABLE] = { { "unreadable", "unreadable", "unreadable" },
                              "the rest of the file cannot be read" },
  };

  if (self->problem != PD_INPUT_FINE)
    pd_messages_add (messages, PD_SEVERITY_WARNING, problems[self->problem].ids[self->coding], NULL,
                     place, "%s", problems[self->problem].text);
}
