/* Plain and gzip input. Members of a gzip file follow each other as the
 * run-time system appends them; a cut or damaged one ends the input, with
 * what was decoded before it kept.
 * SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* O_CLOEXEC, read() */

#include "traces/pd-dvm-input.h"

#include "traces/pd-dvm-reader.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

/* Fits the second-level cache together with what the reader touches. */
#define CHUNK    (128 * 1024)
#define RAW_SIZE (64 * 1024)

struct _PdDvmInput
{
  int fd;        /* -1: @bytes */
  GBytes *bytes; /* (nullable) */
  gsize bytes_used;
  gsize chunk;
  PdDvmWindow window;
  char *buffer; /* @window.data */
  gsize capacity;

  gboolean started;
  gboolean is_gzip;
  gboolean in_member; /* between a member's header and its end */
  gboolean at_end;
  z_stream stream; /* its next_in, avail_in are the bytes of @raw not yet used */
  guint8 *raw;

  PdDvmInputProblem problem;
};

/* ---- source */

/* Reads up to @n bytes; 0 at the end, and on an error, which is noted. */
static gsize
read_source (PdDvmInput *self, void *to, gsize n)
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
    self->problem = PD_DVM_INPUT_UNREADABLE;
  return got > 0 ? (gsize) got : 0;
}

/* Makes at least one byte of @raw available; FALSE at the end. */
static gboolean
refill_raw (PdDvmInput *self)
{
  gsize got;

  if (self->stream.avail_in > 0)
    return TRUE;
  got = read_source (self, self->raw, RAW_SIZE);
  self->stream.next_in = self->raw;
  self->stream.avail_in = (uInt) got;
  return got > 0;
}

/* ---- gzip */

/* Zero bytes between or after members are padding; anything else that does
 * not begin as a member is no longer the trace. */
static gboolean
begin_member (PdDvmInput *self)
{
  while (refill_raw (self) && *self->stream.next_in == 0)
    {
      self->stream.next_in++;
      self->stream.avail_in--;
    }
  if (!refill_raw (self))
    return FALSE;
  if (*self->stream.next_in != 0x1f)
    {
      self->problem = PD_DVM_INPUT_GARBAGE;
      return FALSE;
    }
  self->in_member = TRUE;
  return inflateReset (&self->stream) == Z_OK;
}

static gsize
inflate_some (PdDvmInput *self, char *to, gsize n)
{
  self->stream.next_out = (Bytef *) to;
  self->stream.avail_out = (uInt) n;
  while (self->stream.avail_out == n)
    {
      int status;

      if (!self->in_member && !begin_member (self))
        break;
      if (!refill_raw (self))
        {
          if (self->problem == PD_DVM_INPUT_FINE)
            self->problem = PD_DVM_INPUT_TRUNCATED;
          break;
        }
      status = inflate (&self->stream, Z_SYNC_FLUSH);
      if (status == Z_STREAM_END)
        self->in_member = FALSE;
      else if (status != Z_OK && status != Z_BUF_ERROR)
        {
          /* Stops here; what this call decoded is still given out. */
          self->problem = PD_DVM_INPUT_DAMAGED;
          self->at_end = TRUE;
          break;
        }
    }
  return n - self->stream.avail_out;
}

/* ---- window */

static gsize
read_plain (PdDvmInput *self, char *to, gsize n)
{
  gsize left = MIN (n, self->stream.avail_in);

  if (left == 0)
    return read_source (self, to, n);
  memcpy (to, self->stream.next_in, left);
  self->stream.next_in += left;
  self->stream.avail_in -= (uInt) left;
  return left;
}

/* The first bytes tell gzip from text. */
static void
start (PdDvmInput *self)
{
  gsize have = 0, got;

  self->started = TRUE;
  self->raw = g_malloc (RAW_SIZE);
  while (have < 2 && (got = read_source (self, self->raw + have, RAW_SIZE - have)) > 0)
    have += got;
  self->is_gzip = have >= 2 && self->raw[0] == 0x1f && self->raw[1] == 0x8b;
  if (self->is_gzip && inflateInit2 (&self->stream, 15 + 16) != Z_OK)
    {
      self->is_gzip = FALSE;
      self->at_end = TRUE;
      self->problem = PD_DVM_INPUT_DAMAGED;
    }
  self->stream.next_in = self->raw;
  self->stream.avail_in = (uInt) have;
  self->in_member = self->is_gzip;
}

static PdDvmInput *
input_new (int fd, GBytes *bytes)
{
  PdDvmInput *self = g_new0 (PdDvmInput, 1);

  self->fd = fd;
  self->bytes = bytes != NULL ? g_bytes_ref (bytes) : NULL;
  self->chunk = CHUNK;
  self->capacity = CHUNK + CHUNK / 4;
  self->buffer = g_malloc (self->capacity);
  self->window.data = self->buffer;
  return self;
}

/* ---- public */

PdDvmInput *
pd_dvm_input_new_from_file (const char *path, GError **error)
{
  gboolean is_stdin = strcmp (path, "-") == 0;
  int fd = is_stdin ? STDIN_FILENO : open (path, O_RDONLY | O_CLOEXEC);

  if (fd >= 0 && (!g_file_test (path, G_FILE_TEST_IS_DIR) || is_stdin))
    return input_new (fd, NULL);
  g_set_error (error, PD_DVM_ERROR, PD_DVM_ERROR_OPEN, "%s: cannot open the trace: %s", path,
               fd >= 0 ? "it is a folder" : g_strerror (errno));
  if (fd >= 0)
    close (fd);
  return NULL;
}

PdDvmInput *
pd_dvm_input_new_from_bytes (GBytes *bytes)
{
  return input_new (-1, bytes);
}

void
pd_dvm_input_free (PdDvmInput *self)
{
  if (self == NULL)
    return;
  if (self->is_gzip)
    inflateEnd (&self->stream);
  if (self->fd > STDIN_FILENO)
    close (self->fd);
  g_clear_pointer (&self->bytes, g_bytes_unref);
  g_free (self->raw);
  g_free (self->buffer);
  g_free (self);
}

void
pd_dvm_input_set_chunk (PdDvmInput *self, gsize chunk)
{
  g_return_if_fail (chunk >= 1 && !self->started);
  self->chunk = MIN (chunk, CHUNK);
}

const PdDvmWindow *
pd_dvm_input_get_window (const PdDvmInput *self)
{
  return &self->window;
}

gboolean
pd_dvm_input_fill (PdDvmInput *self, gsize keep)
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
      got =
          self->is_gzip ? inflate_some (self, to, self->chunk) : read_plain (self, to, self->chunk);
    }
  if (got == 0)
    self->at_end = TRUE;
  self->window.size += got;
  return got > 0;
}

PdDvmInputProblem
pd_dvm_input_get_problem (const PdDvmInput *self)
{
  return self->problem;
}
