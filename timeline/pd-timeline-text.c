/* SPDX-License-Identifier: MIT */
#include "timeline/pd-timeline-text.h"

#include "base/pd-text.h"
#include "traces/io/pd-output.h"

#include <string.h>
#include <zlib.h>

/* A gzip file instead of one of zlib, see deflateInit2(). */
#define GZIP_WINDOW (15 + 16)

struct _PdTimelineText
{
  PdOutput *out;
  z_stream *gzip; /* (nullable) */
  gsize used;
  char buffer[64 * 1024];
};

PdTimelineText *
pd_timeline_text_new (const char *path, GError **error)
{
  PdOutput *out = pd_output_new (path, error);

  if (out == NULL)
    return NULL;
  PdTimelineText *self = g_new0 (PdTimelineText, 1);
  self->out = out;
  if (!g_str_has_suffix (path, ".gz"))
    return self;
  self->gzip = g_new0 (z_stream, 1);
  /* only memory can lack, which ends the program anyway; the header has no time */
  if (deflateInit2 (self->gzip, Z_BEST_SPEED, Z_DEFLATED, GZIP_WINDOW, 8, Z_DEFAULT_STRATEGY)
      == Z_OK)
    return self;
  g_error ("out of memory");
}

void
pd_timeline_text_free (PdTimelineText *self)
{
  if (self == NULL)
    return;
  if (self->gzip != NULL)
    deflateEnd (self->gzip);
  g_free (self->gzip);
  pd_output_free (self->out);
  g_free (self);
}

static void
compress_buffer (PdTimelineText *self, int flush)
{
  unsigned char bytes[16 * 1024];

  self->gzip->next_in = (Bytef *) self->buffer;
  self->gzip->avail_in = (uInt) self->used;
  do
    {
      self->gzip->next_out = bytes;
      self->gzip->avail_out = sizeof bytes;
      deflate (self->gzip, flush);
      pd_output_add (self->out, bytes, sizeof bytes - self->gzip->avail_out);
    }
  while (self->gzip->avail_out == 0);
}

static void
empty (PdTimelineText *self, int flush)
{
  if (self->gzip != NULL)
    compress_buffer (self, flush);
  else
    pd_output_add (self->out, self->buffer, self->used);
  self->used = 0;
}

static void
add_bytes (PdTimelineText *self, const char *bytes, gsize n)
{
  while (n > sizeof self->buffer - self->used)
    {
      gsize some = sizeof self->buffer - self->used;
      memcpy (self->buffer + self->used, bytes, some);
      self->used += some;
      bytes += some;
      n -= some;
      empty (self, Z_NO_FLUSH);
    }
  memcpy (self->buffer + self->used, bytes, n);
  self->used += n;
}

void
pd_timeline_text_add (PdTimelineText *self, const char *text)
{
  add_bytes (self, text, strlen (text));
}

/* The digits of @value, at least @n, that end at @end; returns where they begin. */
static char *
put_digits (char *end, guint64 value, guint n)
{
  char *at = end;

  for (; value > 0 || n > 0; value /= 10, n -= n > 0)
    *--at = (char) ('0' + value % 10);
  return at;
}

void
pd_timeline_text_add_int (PdTimelineText *self, gint64 value)
{
  char text[24];
  guint64 size = value < 0 ? (guint64) - (value + 1) + 1 : (guint64) value;
  char *at = put_digits (text + sizeof text, size, 1);

  if (value < 0)
    *--at = '-';
  add_bytes (self, at, (gsize) (text + sizeof text - at));
}

gint64
pd_timeline_text_to_ns (PdTime time)
{
  return time.ps / PD_PS_PER_NS + (time.ps % PD_PS_PER_NS >= PD_PS_PER_NS / 2);
}

void
pd_timeline_text_add_microseconds (PdTimelineText *self, PdTime time)
{
  char text[32], *end = text + sizeof text;
  guint64 rest = (guint64) (time.ps % PD_PS_PER_US);
  guint n = 6;

  if (rest > 0)
    {
      for (; rest % 10 == 0; n--)
        rest /= 10;
      char *at = put_digits (end, rest, n);
      *--at = '.';
      at = put_digits (at, (guint64) (time.ps / PD_PS_PER_US), 1);
      add_bytes (self, at, (gsize) (end - at));
      return;
    }
  pd_timeline_text_add_int (self, time.ps / PD_PS_PER_US);
}

char *
pd_timeline_text_quote (const char *text)
{
  GString *quoted = g_string_new (NULL);

  pd_text_append_json (quoted, text);
  return g_string_free (quoted, FALSE);
}

gboolean
pd_timeline_text_close (PdTimelineText *self, GError **error)
{
  empty (self, Z_FINISH);
  return pd_output_close (self->out, error);
}
