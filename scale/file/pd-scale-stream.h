/* Numbers and texts written to a file, or read from one. The same calls do both, so the written and
 * the read form cannot differ. Numbers take as many bytes as they need, in a fixed byte order.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SCALE_STREAM_H
#define PD_SCALE_STREAM_H

#include <glib.h>

typedef struct
{
  GByteArray *out;    /* the written bytes; %NULL: the stream is read, … */
  const guint8 *data; /* … from here: outside data, each value of which is checked */
  gsize size;
  gsize pos;
  GError
      *error; /* the first thing that is wrong; all that is read after it is the least possible */
} PdScaleStream;

/**
 * pd_scale_stream_refuse:
 * @expected: the content expected at the position of @self, "a rule"
 *
 * Sets the error, a %PD_TRACE_ERROR_FORMAT, unless there is one.
 */
void pd_scale_stream_refuse (PdScaleStream *self, const char *expected);

/**
 * pd_scale_stream_number:
 * @value: (inout): is written, or read: then from @low to @high, and @low after an error
 */
void pd_scale_stream_number (PdScaleStream *self, gint64 *value, gint64 low, gint64 high);

/**
 * pd_scale_stream_size:
 * @n: how many things are written
 *
 * Returns: how many there are: when reading never more than bytes are left, 0 after an error.
 */
guint pd_scale_stream_size (PdScaleStream *self, guint n);

/**
 * pd_scale_stream_real:
 * @value: (inout): is written, or read: then from @low to @high
 */
void pd_scale_stream_real (PdScaleStream *self, gdouble *value, gdouble low, gdouble high);

/**
 * pd_scale_stream_text:
 * @text: (inout) (transfer full): is written, or read
 */
void pd_scale_stream_text (PdScaleStream *self, char **text);

/* A field of another type, with a value that is one of gint64, too. */
#define pd_scale_stream_field(self, field, low, high)                                              \
  G_STMT_START                                                                                     \
  {                                                                                                \
    gint64 value_ = (gint64) (field);                                                              \
    pd_scale_stream_number ((self), &value_, (low), (high));                                       \
    (field) = (__typeof__ (field)) value_;                                                         \
  }                                                                                                \
  G_STMT_END

#endif
