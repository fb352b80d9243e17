/* Fields of a line of a time-independent trace.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TI_FIELDS_PRIVATE_H
#define PD_TI_FIELDS_PRIVATE_H

#include "traces/ti/pd-ti-private.h"

static inline gboolean
pd_ti_is_blank (char c)
{
  return c == ' ' || c == '\t' || c == '\r';
}

/* Whether there is a further field; fields->p is at it then. */
static inline gboolean
pd_ti_has_more (PdTiFields *fields)
{
  while (fields->p < fields->end && pd_ti_is_blank (*fields->p))
    fields->p++;
  return fields->p < fields->end;
}

/* How many fields are left. */
guint64 pd_ti_count_fields (PdTiFields fields);
/* The next field, of any form; @what names it in the error if it is missing. */
gboolean pd_ti_take_odd_int (PdTi *self, PdTiFields *fields, const char *what, gint64 *value,
                             GError **error);

/* Likewise, quick for digits. */
static inline gboolean
pd_ti_take_int (PdTi *self, PdTiFields *fields, const char *what, gint64 *value, GError **error)
{
  const char *p;

  if (pd_ti_has_more (fields))
    {
      p = pd_numbers_read_int (fields->p, fields->end, value);
      if (p != NULL && (p == fields->end || pd_ti_is_blank (*p)))
        {
          fields->p = p;
          return TRUE;
        }
    }
  return pd_ti_take_odd_int (self, fields, what, value, error);
}

gboolean pd_ti_take_double (PdTiFields *fields, const char *what, gdouble *value, GError **error);
/* Bytes per element; without a field those of the default type. */
gboolean pd_ti_take_type (PdTi *self, PdTiFields *fields, gint64 *size, GError **error);
/* @n elements in bytes. */
gboolean pd_ti_to_bytes (gint64 n, gint64 size, gint64 *bytes, GError **error);
/* A rank of the trace, or what stands for any or none. */
gboolean pd_ti_take_peer (PdTi *self, PdTiFields *fields, const char *what, gint32 *peer,
                          GError **error);
gboolean pd_ti_take_tag (PdTi *self, PdTiFields *fields, gint32 *tag, GError **error);
void pd_ti_warn (PdTi *self, PdSeverity severity, const char *id, const char *subject,
                 const char *format, ...) G_GNUC_PRINTF (5, 6);

#endif
