/* The window over the decoded bytes; a long compressed file is decoded by another thread.
 * SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* O_CLOEXEC */

#include "traces/io/pd-input.h"
#include "base/pd-file.h"
#include "traces/io/pd-ahead-private.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* Fits the second-level cache together with the data of the reader. */
#define CHUNK PD_AHEAD_BLOCK

/* Bytes after which a thread pays off. */
#define LONG (1024 * 1024)

struct _PdInput
{
  PdDecoder *decoder;
  PdAhead *ahead; /* (nullable): has @decoder then */
  guint64 n_read; /* bytes */
  gsize chunk;
  PdWindow window;
  char *buffer; /* @window.data */
  gsize capacity;
  gboolean at_end;
  PdCoding coding;
  PdInputProblem problem;
};

/* Reads at most a chunk. The thread begins where a call without it would go on, and reads in the
 * same steps: what readers see does not depend on it. */
static gsize
read_decoded (PdInput *self, char *to)
{
  gsize got;

  if (self->ahead == NULL && self->n_read >= LONG && self->coding != PD_CODING_PLAIN)
    self->ahead = pd_ahead_new (self->decoder);
  if (self->ahead != NULL)
    got = pd_ahead_read (self->ahead, to, self->chunk, &self->problem);
  else
    {
      got = pd_decoder_read (self->decoder, to, self->chunk);
      self->problem = pd_decoder_get_problem (self->decoder);
      self->coding = pd_decoder_get_coding (self->decoder);
    }
  self->n_read += got;
  return got;
}

static PdInput *
input_new (PdDecoder *decoder)
{
  PdInput *self = g_new0 (PdInput, 1);

  self->decoder = decoder;
  self->chunk = CHUNK;
  self->capacity = CHUNK + CHUNK / 4;
  self->buffer = g_malloc (self->capacity);
  self->window.data = self->buffer;
  return self;
}

/* Returns: a descriptor, or -1 with @error set. */
static int
open_file (const char *path, GError **error)
{
  gboolean is_stdin = strcmp (path, "-") == 0;
  g_autoptr (GError) local = NULL;
  const char *resolved = is_stdin ? path : pd_file_resolve (path, &local);

  if (resolved == NULL)
    {
      g_set_error_literal (error, PD_TRACE_ERROR, PD_TRACE_ERROR_OPEN, local->message);
      return -1;
    }
  int fd = is_stdin ? STDIN_FILENO : open (resolved, O_RDONLY | O_CLOEXEC);
  if (fd >= 0 && (!g_file_test (path, G_FILE_TEST_IS_DIR) || is_stdin))
    return fd;
  g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_OPEN, "%s: cannot open the trace: %s", path,
               fd >= 0 ? "it is a folder" : g_strerror (errno));
  if (fd >= 0)
    close (fd);
  return -1;
}

/* ---- public */

PdInput *
pd_input_new_from_file (const char *path, GError **error)
{
  int fd = open_file (path, error);

  return fd >= 0 ? input_new (pd_decoder_new (fd, NULL)) : NULL;
}

PdInput *
pd_input_new_from_bytes (GBytes *bytes)
{
  return input_new (pd_decoder_new (-1, bytes));
}

PdInput *
pd_input_new_from_part (const char *path, GBytes *bytes, guint64 begin, guint64 end, GError **error)
{
  int fd = bytes == NULL ? open_file (path, error) : -1;

  return bytes != NULL || fd >= 0 ? input_new (pd_decoder_new_part (fd, bytes, begin, end)) : NULL;
}

void
pd_input_move_to (PdInput *self, guint64 begin)
{
  pd_decoder_move_to (self->decoder, begin);
  self->n_read = 0;
  self->window.size = 0;
  self->at_end = FALSE;
}

guint64
pd_input_get_plain_size (PdInput *self)
{
  if (self->window.size == 0)
    pd_input_fill (self, 0);
  return self->window.size > 0 && self->coding == PD_CODING_PLAIN
             ? pd_decoder_get_size (self->decoder)
             : 0;
}

void
pd_input_free (PdInput *self)
{
  if (self == NULL)
    return;
  pd_ahead_free (self->ahead);
  pd_decoder_free (self->decoder);
  g_free (self->buffer);
  g_free (self);
}

void
pd_input_set_chunk (PdInput *self, gsize chunk)
{
  g_return_if_fail (chunk >= 1 && self->n_read == 0);
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
    got = read_decoded (self, self->buffer + self->window.size);
  self->at_end = got == 0;
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
    [PD_INPUT_NO_ZSTD] = { PD_TRACE_ERROR_OPEN,
                           "the library zstd, which decompresses the file, cannot be loaded" },
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
                             "the compressed data are cut; the part before the cut is used" },
    [PD_INPUT_DAMAGED] = { { "unreadable", "gzip-damaged", "zstd-damaged" },
                           "the compressed data are damaged; the part before the damage is used" },
    [PD_INPUT_GARBAGE] = { { "unreadable", "gzip-garbage", "zstd-garbage" },
                           "the data after the compressed data are no trace, ignored" },
    [PD_INPUT_UNREADABLE] = { { "unreadable", "unreadable", "unreadable" },
                              "the rest of the file cannot be read" },
    [PD_INPUT_NO_ZSTD] = { { "unreadable", "unreadable", "unreadable" },
                           "the library zstd, which decompresses the file, cannot be loaded" },
  };

  if (self->problem != PD_INPUT_FINE)
    pd_messages_add (messages, PD_SEVERITY_WARNING, problems[self->problem].ids[self->coding], NULL,
                     place, "%s", problems[self->problem].text);
}
