/* SPDX-License-Identifier: MIT */
#include "fit/pd-sheet-read.h"

#include <math.h>
#include <string.h>

#define MAX_COLUMNS 1000

G_DEFINE_QUARK (pd_fit_error_quark, pd_fit_error)

struct _PdSheetBlock
{
  char *file;
  char **columns; /* without the first one, which is the table's name */
  guint n_columns;
  GPtrArray *rows; /* char **, of all columns with the table's name */
  GArray *lines;   /* guint, of each row */
};

struct _PdSheetFile
{
  char *name;
  GHashTable *facts;  /* char * to char * */
  GHashTable *blocks; /* char * to PdSheetBlock * */
};

/* What is read, and how far. */
typedef struct
{
  PdSheetFile *sheet;
  const char *text; /* ends with a 0 */
  guint line;
  char **columns; /* of the block, the first one is "table"; owned */
  GError **error;
} Reader;

static gboolean fail (const Reader *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

static gboolean
fail (const Reader *self, const char *format, ...)
{
  va_list list;

  va_start (list, format);
  g_autofree char *text = g_strdup_vprintf (format, list);
  va_end (list);
  g_set_error (self->error, PD_FIT_ERROR, PD_FIT_ERROR_FORMAT, "%s:%u: %s", self->sheet->name,
               self->line, text);
  return FALSE;
}

/* ---- fields, as in RFC 4180, but for ends of lines in them */

static gboolean
read_quoted (Reader *self, GString *field)
{
  for (self->text++;; self->text++)
    {
      if (*self->text == '"' && self->text[1] != '"')
        break;
      if (*self->text == '\0' || *self->text == '\n' || *self->text == '\r')
        return fail (self, "a quoted field has no end");
      if (*self->text == '"')
        self->text++;
      g_string_append_c (field, *self->text);
    }
  self->text++;
  return *self->text == ',' || *self->text == '\n' || *self->text == '\r'
         || fail (self, "expected a comma or the end of the line behind a quoted field");
}

static gboolean
read_field (Reader *self, GPtrArray *fields)
{
  g_autoptr (GString) field = g_string_new (NULL);

  if (*self->text == '"' && !read_quoted (self, field))
    return FALSE;
  gsize rest = strcspn (self->text, ",\r\n");
  if (field->len > 0 || rest == 0)
    g_ptr_array_add (fields, g_string_free (g_steal_pointer (&field), FALSE));
  else
    g_ptr_array_add (fields, g_strndup (self->text, rest));
  self->text += rest;
  return fields->len <= MAX_COLUMNS || fail (self, "expected at most %d fields", MAX_COLUMNS);
}

/* The fields of the line, ends with NULL; the text goes on behind it. */
static char **
read_line (Reader *self)
{
  g_autoptr (GPtrArray) fields = g_ptr_array_new_with_free_func (g_free);

  do
    if (!read_field (self, fields))
      return NULL;
  while (*self->text++ == ',');
  self->text--;
  if (*self->text == '\r')
    self->text++;
  if (*self->text != '\n')
    {
      fail (self, "the file ends within the line");
      return NULL;
    }
  self->text++;
  g_ptr_array_add (fields, NULL);
  g_ptr_array_set_free_func (fields, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&fields), FALSE);
}

/* ---- blocks */

static void
block_free (gpointer data)
{
  PdSheetBlock *self = data;

  g_free (self->file);
  g_strfreev (self->columns);
  g_ptr_array_unref (self->rows);
  g_array_unref (self->lines);
  g_free (self);
}

static PdSheetBlock *
block_new (const Reader *reader)
{
  PdSheetBlock *self = g_new0 (PdSheetBlock, 1);

  self->file = g_strdup (reader->sheet->name);
  self->columns = g_strdupv (reader->columns);
  self->n_columns = g_strv_length (self->columns);
  self->rows = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  self->lines = g_array_new (FALSE, FALSE, sizeof (guint));
  return self;
}

static gboolean
begin_block (Reader *self, char **fields)
{
  for (guint i = 1; fields[i] != NULL; i++)
    for (guint k = 1; k < i; k++)
      if (strcmp (fields[i], fields[k]) == 0)
        return fail (self, "column '%s' is there twice", fields[i]);
  g_strfreev (self->columns);
  self->columns = g_strdupv (fields);
  return TRUE;
}

/* A file may have sheets of several launches, one behind the other. */
static gboolean
add_fact (Reader *self, char **fields, guint n)
{
  static const char *const lasting[] = { "command", "mpi", "hosts", NULL };

  if (n != 3 || strcmp (self->columns[1], "name") != 0 || strcmp (self->columns[2], "value") != 0)
    return fail (self, "a fact: expected the columns name and value");
  const char *before = g_hash_table_lookup (self->sheet->facts, fields[1]);
  if (before != NULL && strcmp (before, fields[2]) != 0 && g_strv_contains (lasting, fields[1]))
    return fail (self, "fact '%s' is '%s', before it was '%s'", fields[1], fields[2], before);
  g_hash_table_insert (self->sheet->facts, g_strdup (fields[1]), g_strdup (fields[2]));
  return TRUE;
}

/* Takes @fields. */
static gboolean
add_row (Reader *self, char **fields)
{
  PdSheetBlock *block = g_hash_table_lookup (self->sheet->blocks, fields[0]);

  if (block == NULL)
    {
      block = block_new (self);
      g_hash_table_insert (self->sheet->blocks, g_strdup (fields[0]), block);
    }
  g_ptr_array_add (block->rows, fields);
  g_array_append_val (block->lines, self->line);
  if (g_strv_equal ((const char *const *) block->columns, (const char *const *) self->columns))
    return TRUE;
  return fail (self, "table '%s' had other columns before", fields[0]);
}

static gboolean
take_line (Reader *self, char **fields)
{
  g_auto (GStrv) owned = fields;
  guint n = g_strv_length (fields);

  if (strcmp (fields[0], "table") == 0)
    return begin_block (self, fields);
  if (self->columns == NULL)
    return fail (self, "expected a line 'table,name,value', as predictor-measure --csv writes");
  if (n != g_strv_length (self->columns))
    return fail (self, "%u fields, expected %u", n, g_strv_length (self->columns));
  if (strcmp (fields[0], "fact") == 0)
    return add_fact (self, fields, n);
  return add_row (self, g_steal_pointer (&owned));
}

static gboolean
read_all (Reader *self)
{
  for (; *self->text != '\0'; self->line++)
    {
      if (*self->text == '\n' || (*self->text == '\r' && self->text[1] == '\n'))
        {
          self->text += *self->text == '\r' ? 2 : 1;
          continue;
        }
      char **fields = read_line (self);
      if (fields == NULL || !take_line (self, fields))
        return FALSE;
    }
  if (pd_sheet_file_get_fact (self->sheet, "command") != NULL)
    return TRUE;
  return fail (self, "expected the fact 'command', as predictor-measure --csv writes");
}

/* Anything else could not be written to XML. */
static gboolean
check_text (const Reader *self, gsize size)
{
  const char *end = NULL;

  if (!g_utf8_validate (self->text, (gssize) size, &end))
    return fail (self, "byte %" G_GSIZE_FORMAT ": expected a text in UTF-8",
                 (gsize) (end - self->text));
  for (gsize i = 0; i < size; i++)
    if ((guchar) self->text[i] < ' ' && strchr ("\r\n\t", self->text[i]) == NULL)
      return fail (self, "byte %" G_GSIZE_FORMAT ": a control character", i);
  return TRUE;
}

PdSheetFile *
pd_sheet_file_parse (const char *text, gsize size, const char *name, GError **error)
{
  g_autoptr (PdSheetFile) sheet = g_new0 (PdSheetFile, 1);
  g_autofree char *copy = g_strndup (size > 0 ? text : "", size);
  Reader reader = { sheet, copy, 1, NULL, error };

  sheet->name = g_strdup (name);
  sheet->facts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  sheet->blocks = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, block_free);
  gboolean ok = memchr (copy, '\0', size) == NULL
                    ? check_text (&reader, size) && read_all (&reader)
                    : fail (&reader, "expected a text, there are bytes 0");
  g_strfreev (reader.columns);
  return ok ? g_steal_pointer (&sheet) : NULL;
}

PdSheetFile *
pd_sheet_file_load (const char *path, GError **error)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) local = NULL;
  const char *file = strcmp (path, "-") == 0 ? "/dev/stdin" : path;
  gsize size;

  if (g_file_get_contents (file, &text, &size, &local))
    return pd_sheet_file_parse (text, size, path, error);
  g_set_error_literal (error, PD_FIT_ERROR, PD_FIT_ERROR_READ, local->message);
  return NULL;
}

void
pd_sheet_file_free (PdSheetFile *self)
{
  if (self == NULL)
    return;
  g_free (self->name);
  g_hash_table_unref (self->facts);
  g_hash_table_unref (self->blocks);
  g_free (self);
}

/* ---- what is in it */

const char *
pd_sheet_file_get_name (const PdSheetFile *self)
{
  return self->name;
}

const char *
pd_sheet_file_get_fact (const PdSheetFile *self, const char *name)
{
  return g_hash_table_lookup (self->facts, name);
}

const PdSheetBlock *
pd_sheet_file_get_block (const PdSheetFile *self, const char *name)
{
  return g_hash_table_lookup (self->blocks, name);
}

guint
pd_sheet_block_get_length (const PdSheetBlock *self)
{
  return self->rows->len;
}

/* 0 if there is none. */
static guint
find_column (const PdSheetBlock *self, const char *column)
{
  for (guint i = 1; i < self->n_columns; i++)
    if (strcmp (self->columns[i], column) == 0)
      return i;
  return 0;
}

gboolean
pd_sheet_block_has (const PdSheetBlock *self, const char *column)
{
  return find_column (self, column) > 0;
}

gboolean
pd_sheet_block_fail (const PdSheetBlock *self, guint row, GError **error, const char *format, ...)
{
  va_list list;

  va_start (list, format);
  g_autofree char *text = g_strdup_vprintf (format, list);
  va_end (list);
  g_set_error (error, PD_FIT_ERROR, PD_FIT_ERROR_FORMAT, "%s:%u: %s", self->file,
               g_array_index (self->lines, guint, row), text);
  return FALSE;
}

const char *
pd_sheet_block_get_text (const PdSheetBlock *self, guint row, const char *column, GError **error)
{
  char **fields = g_ptr_array_index (self->rows, row);
  guint i = find_column (self, column);

  if (i > 0)
    return fields[i];
  pd_sheet_block_fail (self, row, error, "table '%s': expected a column '%s'", fields[0], column);
  return NULL;
}

gboolean
pd_sheet_block_get_integer (const PdSheetBlock *self, guint row, const char *column, gint64 *value,
                            GError **error)
{
  const char *text = pd_sheet_block_get_text (self, row, column, error);

  if (text == NULL)
    return FALSE;
  return g_ascii_string_to_signed (text, 10, 0, G_MAXINT64, value, NULL)
         || pd_sheet_block_fail (self, row, error, "%s '%s': expected a whole number of at least 0",
                                 column, text);
}

gboolean
pd_sheet_block_get_real (const PdSheetBlock *self, guint row, const char *column, gdouble *value,
                         GError **error)
{
  char **fields = g_ptr_array_index (self->rows, row), *end;
  const char *text = fields[find_column (self, column)];

  *value = NAN;
  if (text == fields[0] || *text == '\0')
    return TRUE;
  *value = g_ascii_strtod (text, &end);
  return (*end == '\0' && isfinite (*value))
         || pd_sheet_block_fail (self, row, error, "%s '%s': expected a number", column, text);
}
