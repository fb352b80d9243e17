/* Fields written, lines of fields and blocks of them read.
 * SPDX-License-Identifier: MIT */
#include "base/pd-csv.h"
#include "base/pd-error.h"
#include "base/pd-number.h"
#include "base/pd-text.h"

#include <math.h>
#include <string.h>

#define MAX_FIELDS 1000

struct _PdCsv
{
  const char *at;
  const char *end;
  const char *path;
  gboolean by_hand;
  GQuark domain;
  gint code;
  guint line; /* of the row, from 1 */
  guint next; /* line behind it */
  guint measurement;
  GPtrArray *header; /* char *, owned; and a last NULL, as of the fields */
  GPtrArray *fields;
};

#define fail(self, error, ...)                                                                     \
  pd_fail_at (error, (self)->domain, (self)->code, (self)->path, (self)->line, __VA_ARGS__)

/* ---- writing */

/* A field that a spreadsheet would evaluate as a formula. */
static gboolean
is_formula (const char *text)
{
  gdouble number;

  return *text != '\0' && strchr ("=+-@", *text) != NULL && !pd_number_parse_real (text, &number);
}

void
pd_csv_append (GString *out, const char *text)
{
  g_autofree char *shown = pd_text_show (text);
  const char *mark = is_formula (shown) ? "'" : "";

  if (strpbrk (shown, ",\"") == NULL)
    {
      g_string_append_printf (out, "%s%s", mark, shown);
      return;
    }
  g_auto (GStrv) parts = g_strsplit (shown, "\"", -1);
  g_autofree char *doubled = g_strjoinv ("\"\"", parts);
  g_string_append_printf (out, "\"%s%s\"", mark, doubled);
}

/* ---- one line */

static gboolean
is_at (const PdCsv *self, const char *characters)
{
  return self->at < self->end && *self->at != '\0' && strchr (characters, *self->at) != NULL;
}

static void
skip_blanks (PdCsv *self)
{
  while (self->by_hand && is_at (self, " \t"))
    self->at++;
}

static gboolean
read_quoted (PdCsv *self, GString *field, GError **error)
{
  for (self->at++; self->at < self->end; self->at++)
    {
      if (*self->at == '"' && (self->at + 1 == self->end || self->at[1] != '"'))
        {
          self->at++;
          skip_blanks (self);
          return TRUE;
        }
      self->at += *self->at == '"';
      self->next += *self->at == '\n';
      g_string_append_c (field, *self->at);
    }
  return fail (self, error, "expected the end of a quotation");
}

static gboolean
read_plain (PdCsv *self, GString *field)
{
  const char *begin = self->at;

  while (self->at < self->end && *self->at != ',' && *self->at != '\n' && *self->at != '\r')
    self->at++;
  g_string_append_len (field, begin, self->at - begin);
  while (self->by_hand && field->len > 0 && g_ascii_isspace (field->str[field->len - 1]))
    g_string_truncate (field, field->len - 1);
  return TRUE;
}

static gboolean
read_field (PdCsv *self, GError **error)
{
  g_autoptr (GString) field = g_string_new (NULL);

  skip_blanks (self);
  if (!(is_at (self, "\"") ? read_quoted (self, field, error) : read_plain (self, field)))
    return FALSE;
  if (self->at == self->end && !self->by_hand)
    return fail (self, error, "expected the line to end: the file is cut off");
  if (self->at < self->end && !is_at (self, ",\r\n"))
    return fail (self, error, "expected a comma behind a quotation");
  if (!self->by_hand && !g_utf8_validate (field->str, (gssize) field->len, NULL))
    return fail (self, error, "expected text in UTF-8");
  if (self->fields->len == MAX_FIELDS)
    return fail (self, error, "expected at most %d fields", MAX_FIELDS);
  if (!self->by_hand && field->str[0] == '\'' && is_formula (field->str + 1))
    g_string_erase (field, 0, 1);
  g_ptr_array_add (self->fields, g_string_free (g_steal_pointer (&field), FALSE));
  return TRUE;
}

/* Goes behind the line. */
static gboolean
read_line (PdCsv *self, GError **error)
{
  g_ptr_array_set_size (self->fields, 0);
  self->line = self->next;
  while (read_field (self, error))
    if (is_at (self, ","))
      self->at++;
    else
      {
        gboolean is_return = is_at (self, "\r");
        self->at += is_return;
        self->at += is_at (self, "\n");
        self->next++;
        g_ptr_array_add (self->fields, NULL);
        return TRUE;
      }
  return FALSE;
}

gboolean
pd_csv_next_line (PdCsv *self, GError **error)
{
  while (self->at < self->end)
    {
      if (!read_line (self, error))
        return FALSE;
      if (self->fields->len > 2 || *(char *) self->fields->pdata[0] != '\0')
        return TRUE;
    }
  self->line = self->next;
  return FALSE;
}

char **
pd_csv_get_fields (const PdCsv *self)
{
  return (char **) self->fields->pdata;
}

char **
pd_csv_get_header (const PdCsv *self)
{
  return (char **) self->header->pdata;
}

guint
pd_csv_get_line (const PdCsv *self)
{
  return self->line;
}

/* ---- rows */

static gboolean
take_header (PdCsv *self, GError **error)
{
  GPtrArray *old = self->header;
  char **names = pd_csv_get_fields (self);

  for (guint i = 1; names[i] != NULL; i++)
    for (guint k = 1; k < i; k++)
      if (strcmp (names[i], names[k]) == 0)
        return fail (self, error, "column '%s' is there twice", names[i]);
  self->header = self->fields;
  self->fields = old;
  self->measurement += g_strcmp0 (names[1], "name") == 0;
  return TRUE;
}

gboolean
pd_csv_next (PdCsv *self, GError **error)
{
  while (pd_csv_next_line (self, error))
    {
      if (strcmp (self->fields->pdata[0], "table") == 0)
        {
          if (!take_header (self, error))
            return FALSE;
          continue;
        }
      if (self->header->len == 0)
        return fail (self, error,
                     "expected a line 'table,name,value', as predictor-measure --csv writes");
      if (self->fields->len != self->header->len)
        return fail (self, error, "expected %u fields, as the header has, found %u",
                     self->header->len - 1, self->fields->len - 1);
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
  for (guint i = 0; i + 1 < self->header->len; i++)
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

  if (field == NULL)
    return FALSE;
  *value = NAN;
  return *field == '\0' || pd_number_parse_real (field, value)
         || fail (self, error, "column %s: expected a number, found '%s'", column, field);
}

gboolean
pd_csv_get_integer (const PdCsv *self, const char *column, gint64 *value, GError **error)
{
  const char *field = need (self, column, error);

  if (field == NULL)
    return FALSE;
  return g_ascii_string_to_signed (field, 10, G_MININT64, G_MAXINT64, value, NULL)
         || fail (self, error, "column %s: expected an integer, found '%s'", column, field);
}

/* ---- life */

PdCsv *
pd_csv_new (const char *text, gsize length, const char *path, gboolean by_hand, GQuark domain,
            gint code)
{
  PdCsv *self = g_new0 (PdCsv, 1);

  self->at = text;
  self->end = text + length;
  self->path = path;
  self->by_hand = by_hand;
  self->domain = domain;
  self->code = code;
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
