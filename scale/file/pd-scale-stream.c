/* SPDX-License-Identifier: MIT */
#include "scale/file/pd-scale-stream.h"

#include "traces/io/pd-trace-error.h"

#include <string.h>

#define LAST_BITS 63 /* of a number: shifts of the bytes before its last one are less */

void
pd_scale_stream_refuse (PdScaleStream *self, const char *expected)
{
  if (self->error == NULL)
    g_set_error (&self->error, PD_TRACE_ERROR, PD_TRACE_ERROR_FORMAT,
                 "offset %" G_GSIZE_FORMAT ": expected %s", self->pos, expected);
}

/* ---- numbers: seven bits a byte, the lowest first; the lowest bit of all is the sign */

static void
write_number (PdScaleStream *self, gint64 value)
{
  guint64 bits = ((guint64) value << 1) ^ (value < 0 ? G_MAXUINT64 : 0);

  do
    {
      guint8 byte = (guint8) ((bits & 0x7f) | (bits > 0x7f ? 0x80 : 0));
      g_byte_array_append (self->out, &byte, 1);
      bits >>= 7;
    }
  while (bits > 0);
}

static gboolean
read_number (PdScaleStream *self, gint64 *value)
{
  guint64 bits = 0;

  for (guint shift = 0; shift <= LAST_BITS && self->pos < self->size; shift += 7)
    {
      guint8 byte = self->data[self->pos++];
      bits |= (guint64) (byte & 0x7f) << shift;
      if ((byte & 0x80) == 0)
        {
          *value = (gint64) ((bits >> 1) ^ ((bits & 1) != 0 ? G_MAXUINT64 : 0));
          return TRUE;
        }
    }
  return FALSE;
}

static void
refuse_number (PdScaleStream *self, gint64 low, gint64 high)
{
  g_autofree char *range =
      g_strdup_printf ("a number from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT, low, high);

  pd_scale_stream_refuse (self, range);
}

void
pd_scale_stream_number (PdScaleStream *self, gint64 *value, gint64 low, gint64 high)
{
  if (self->out != NULL)
    {
      write_number (self, *value);
      return;
    }
  gsize begin = self->pos;
  if (self->error == NULL && read_number (self, value) && *value >= low && *value <= high)
    return;
  self->pos = begin;
  refuse_number (self, low, high);
  *value = low;
}

guint
pd_scale_stream_size (PdScaleStream *self, guint n)
{
  gint64 size = n;

  pd_scale_stream_number (self, &size, 0, (gint64) MIN (self->size - self->pos, G_MAXINT32));
  return (guint) size;
}

/* ---- others */

void
pd_scale_stream_real (PdScaleStream *self, gdouble *value, gdouble low, gdouble high)
{
  guint64 bits = 0;

  if (self->out != NULL)
    {
      memcpy (&bits, value, sizeof bits);
      bits = GUINT64_TO_LE (bits);
      g_byte_array_append (self->out, (const guint8 *) &bits, sizeof bits);
      return;
    }
  if (self->error == NULL && self->size - self->pos >= sizeof bits)
    {
      memcpy (&bits, self->data + self->pos, sizeof bits);
      bits = GUINT64_FROM_LE (bits);
      memcpy (value, &bits, sizeof bits);
      if (*value >= low && *value <= high)
        {
          self->pos += sizeof bits;
          return;
        }
    }
  pd_scale_stream_refuse (self, "a real number");
  *value = low;
}

void
pd_scale_stream_text (PdScaleStream *self, char **text)
{
  guint n = pd_scale_stream_size (self, self->out != NULL ? (guint) strlen (*text) : 0);

  if (self->out != NULL)
    {
      g_byte_array_append (self->out, (const guint8 *) *text, n);
      return;
    }
  if (n > self->size - self->pos || (n > 0 && memchr (self->data + self->pos, '\0', n) != NULL))
    {
      pd_scale_stream_refuse (self, "a text");
      n = 0;
    }
  *text = g_strndup (n > 0 ? (const char *) self->data + self->pos : "", n);
  self->pos += n;
}
