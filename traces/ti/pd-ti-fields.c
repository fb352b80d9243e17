/* Fields of a line of a time-independent trace.
 * SPDX-License-Identifier: MIT */
#include "base/pd-text.h"
#include "traces/ti/pd-ti-private.h"
#include "traces/ti/pd-ti-fields-private.h"

#include <math.h>
#include <string.h>

/* Bytes of an element by the type's number, as SMPI's replay numbers them. */
static const guint8 type_sizes[] = {
  8,  4,  1,  2,  8,  4, 1,  8,  1, 1,  /* 0: double int char short long float byte … */
  2,  4,  8,  8,  16, 4, 1,  1,  2, 4,  /* 10: ushort uint ulong … */
  8,  1,  2,  4,  8,  8, 16, 32, 8, 8,  /* 20: int64 uint8 … aint offset */
  8,  16, 16, 8,  8,  8, 16, 16, 4, 4,  /* 30: float_int … real real4 */
  8,  16, 8,  16, 16, 4, 2,  4,  8, 16, /* 40: real8 … integer16 */
  32, 1,  8,  16, 32, 0, 0,  1,  8, 8,  /* 50: long_double_int … count */
};

static const char *
find_field_end (const PdTiFields *fields)
{
  const char *p = fields->p;

  while (p < fields->end && !pd_ti_is_blank (*p))
    p++;
  return p;
}

guint64
pd_ti_count_fields (PdTiFields fields)
{
  guint64 n = 0;

  for (; pd_ti_has_more (&fields); n++)
    fields.p = find_field_end (&fields);
  return n;
}

static gboolean
refuse (const PdTiFields *fields, const char *what, const char *kind, GError **error)
{
  int n = (int) MIN (find_field_end (fields) - fields->p, 40);

  if (fields->p == fields->end)
    g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_SYNTAX, "the %s is missing", what);
  else
    {
      g_autofree char *text = g_strndup (fields->p, (gsize) n);
      g_autofree char *shown = pd_text_show (text);
      g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_SYNTAX, "the %s is '%s', expected %s",
                   what, shown, kind);
    }
  return FALSE;
}

gboolean
pd_ti_take_double (PdTiFields *fields, const char *what, gdouble *value, GError **error)
{
  const char *end;

  if (!pd_ti_has_more (fields))
    return refuse (fields, what, "a number", error);
  end = find_field_end (fields);
  if (!pd_numbers_read_double (fields->p, end, value))
    return refuse (fields, what, "a number", error);
  fields->p = end;
  return TRUE;
}

/* "1e3", "100.7": read as what they say, without their fraction. */
gboolean
pd_ti_take_odd_int (PdTi *self, PdTiFields *fields, const char *what, gint64 *value, GError **error)
{
  PdTiFields from;
  gdouble number;

  if (!pd_ti_has_more (fields))
    return refuse (fields, what, "a number", error);
  from = *fields;
  if (!pd_ti_take_double (fields, what, &number, error))
    return FALSE;
  if (fabs (number) >= 9e18)
    return refuse (&from, what, "less than 9e18", error);
  *value = (gint64) number;
  if (memchr (from.p, 'e', (gsize) (fields->p - from.p)) != NULL)
    pd_ti_warn (self, PD_SEVERITY_NOTE, "ti-exponent", NULL,
                "the %s has an exponent, which is heeded; SMPI's replay heeds it in some fields",
                what);
  return TRUE;
}

gboolean
pd_ti_take_type (PdTi *self, PdTiFields *fields, gint64 *size, GError **error)
{
  gint64 type;

  *size = MAX (self->own->element_size, 1);
  if (!pd_ti_has_more (fields))
    return TRUE;
  if (!pd_ti_take_int (self, fields, "type", &type, error))
    return FALSE;
  *size = 0;
  if (type < 0)
    pd_ti_warn (self, PD_SEVERITY_WARNING, "ti-derived-type", NULL,
                "a derived type, whose size the trace does not record, counts as 0 bytes");
  else if (type < (gint64) G_N_ELEMENTS (type_sizes))
    *size = type_sizes[type];
  else
    {
      g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_VALUE,
                   "type %" G_GINT64_FORMAT ", expected at most %d", type,
                   (int) G_N_ELEMENTS (type_sizes) - 1);
      return FALSE;
    }
  return TRUE;
}

gboolean
pd_ti_to_bytes (gint64 n, gint64 size, gint64 *bytes, GError **error)
{
  if (n >= 0 && !__builtin_mul_overflow (n, size, bytes))
    return TRUE;
  g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_VALUE,
               "%" G_GINT64_FORMAT " elements of %" G_GINT64_FORMAT " bytes", n, size);
  return FALSE;
}

gboolean
pd_ti_take_peer (PdTi *self, PdTiFields *fields, const char *what, gint32 *peer, GError **error)
{
  gint64 value;

  if (!pd_ti_take_int (self, fields, what, &value, error))
    return FALSE;
  if (value == PD_TI_ANY_SOURCE_TRACED || value == PD_TI_ANY_SOURCE || value == -1)
    value = PD_PROGRAM_ANY;
  else if (value == PD_TI_PROC_NULL || value == -2)
    value = PD_PROGRAM_PROC_NULL;
  else if (value < 0 || value >= self->n_ranks)
    {
      g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_VALUE,
                   "the %s is %" G_GINT64_FORMAT
                   ", but ranks with lines or files in the trace are 0 to %u",
                   what, value, self->n_ranks - 1);
      return FALSE;
    }
  *peer = (gint32) value;
  return TRUE;
}

gboolean
pd_ti_take_tag (PdTi *self, PdTiFields *fields, gint32 *tag, GError **error)
{
  gint64 value;

  if (!pd_ti_take_int (self, fields, "tag", &value, error))
    return FALSE;
  if (value == PD_TI_ANY_TAG || value == -1)
    value = PD_PROGRAM_ANY;
  else if (value < G_MININT32 || value > G_MAXINT32)
    {
      g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_VALUE, "the tag is %" G_GINT64_FORMAT,
                   value);
      return FALSE;
    }
  *tag = (gint32) value;
  return TRUE;
}

void
pd_ti_warn (PdTi *self, PdSeverity severity, const char *id, const char *subject,
            const char *format, ...)
{
  PdPlace place = { self->name, self->line, NULL, -1, self->has_rank ? (gint64) self->rank : -1,
                    TRUE };
  va_list arguments;

  self->n_warned++;
  va_start (arguments, format);
  g_autofree char *text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  if (self->action != NULL)
    place.record = self->action->name;
  pd_messages_add (self->messages, severity, id, subject, &place, "%s", text);
}
