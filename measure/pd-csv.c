/* Blocks of comma-separated lines.
 * SPDX-License-Identifier: MIT */
#include "measure/pd-csv.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#define MAX_FIELDS 1000

struct _PdCsv
{
  const char *at;
  const char *end;
  const char *path;
  guint line; /* of the row, from 1 */
  guint next; /* line behind it */
  guint measurement;
  GPtrArray *header; /* char *, owned */
  GPtrArray *fields; /* char *, owned */
};

static gboolean fail (const PdCsv *self, GError **error, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

static gboolean
fail (const PdCsv *self, GError **error, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_READ, "%s:%u: %s", self->path, self->line,
               text);
  return FALSE;
}

/* ---- one line: fields, which may have commas, line feeds and doubled quotes in quotes */

static gboolean
read_quoted (PdCsv *self, GString *field, GError **error)
{
  for (self->at++; self->at < self->end; self->at++)
    {
      if (*self->at == '"' && (self->at + 1 == self->end || self->at[1] != '"'))
        {
          self->at++;
          return TRUE;
        }
      self->at += *self->at == '"';
      self->next += *self->at == '\n';
      g_string_append_c (field, *self->at);
    }
  return fail (self, error, "expected the end of a quotation");
}

static gboolean
read_field (PdCsv *self, GError **error)
{
  g_autoptr (GString) field = g_string_new (NULL);

  if (*self->at == '"')
    {
      if (!read_quoted (self, field, error))
        return FALSE;
    }
  else
    while (self->at < self->end && *self->at != ',' && *self->at != '\n')
      g_string_append_c (field, *self->at++);
  if (self->at == self->end)
    return fail (self, error, "expected the line to end: the file is cut off");
  if (*self->at != ',' && *self->at != '\n')
    return fail (self, error, "expected a comma behind a quotation");
  if (memchr (field->str, '\0', field->len) != NULL
      || !g_utf8_validate (field->str, (gssize) field->len, NULL))
    return fail (self, error, "expected text in UTF-8");
  if (self->fields->len == MAX_FIELDS)
    return fail (self, error, "expected at most %d fields", MAX_FIELDS);
  g_ptr_array_add (self->fields, g_strdup (field->str));
  return TRUE;
}

/* Goes behind the line. */
static gboolean
read_line (PdCsv *self, GError **error)
{
  g_ptr_array_set_size (self->fields, 0);
  self->line = self->next;
  for (;;)
    {
      if (!read_field (self, error))
        return FALSE;
      if (*self->at++ == '\n')
        break;
      if (self->at == self->end)
        return fail (self, error, "expected the line to end: the file is cut off");
    }
  self->next++;
  return TRUE;
}

/* ---- rows */

static void
take_header (PdCsv *self)
{
  GPtrArray *old = self->header;

  self->header = self->fields;
  self->fields = old;
  self->measurement += self->header->len > 1 && strcmp (self->header->pdata[1], "name") == 0;
}

gboolean
pd_csv_next (PdCsv *self, GError **error)
{
  while (self->at < self->end)
    {
      if (!read_line (self, error))
        return FALSE;
      if (self->fields->len == 1 && *(char *) self->fields->pdata[0] == '\0')
        continue; /* between blocks */
      if (strcmp (self->fields->pdata[0], "table") == 0)
        {
          take_header (self);
          continue;
        }
      if (self->header->len == 0)
        return fail (self, error, "expected a header that begins with table");
      if (self->fields->len != self->header->len)
        return fail (self, error, "expected %u fields, as the header has, found %u",
                     self->header->len, self->fields->len);
      return TRUE;
    }
  return FALSE;
}

const char *
pd_csv_table (const PdCsv *self)
{
  return self->fields->pdata[0];
}

guint
pd_csv_measurement (const PdCsv *self)
{
  return self->measurement;
}

const char *
pd_csv_get (const PdCsv *self, const char *column)
{
  for (guint i = 0; i < self->header->len; i++)
    if (strcmp (self->header->pdata[i], column) == 0)
      return self->fields->pdata[i];
  return NULL;
}

static const char *
need (const PdCsv *self, const char *column, GError **error)
{
  const char *field = pd_csv_get (self, column);

  if (field == NULL)
    fail (self, error, "expected a column %s of table %s", column, pd_csv_table (self));
  return field;
}

gboolean
pd_csv_get_real (const PdCsv *self, const char *column, gdouble *value, GError **error)
{
  const char *field = need (self, column, error);
  char *rest;

  if (field == NULL)
    return FALSE;
  *value = NAN;
  if (*field == '\0')
    return TRUE;
  *value = g_ascii_strtod (field, &rest);
  if (rest == field || *rest != '\0' || !isfinite (*value))
    return fail (self, error, "column %s: expected a number, found '%s'", column, field);
  return TRUE;
}

gboolean
pd_csv_get_integer (const PdCsv *self, const char *column, gint64 *value, GError **error)
{
  const char *field = need (self, column, error);
  char *rest;

  if (field == NULL)
    return FALSE;
  errno = 0;
  *value = g_ascii_strtoll (field, &rest, 10);
  if (rest == field || *rest != '\0' || errno != 0)
    return fail (self, error, "column %s: expected an integer, found '%s'", column, field);
  return TRUE;
}

/* ---- life */

PdCsv *
pd_csv_new (const char *text, gsize length, const char *path)
{
  PdCsv *self = g_new0 (PdCsv, 1);

  self->at = text;
  self->end = text + length;
  self->path = path;
  self->line = self->next = 1;
  self->header = g_ptr_array_new_with_free_func (g_free);
  self->fields = g_ptr_array_new_with_free_func (g_free);
  return self;
}

void
pd_csv_free (PdCsv *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->header);
  g_ptr_array_unref (self->fields);
  g_free (self);
}
