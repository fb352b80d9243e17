/* SPDX-License-Identifier: MIT */
#include "base/pd-number.h"
#include "base/pd-text.h"
#include "fit/pd-sheet-read.h"
#include "base/pd-csv.h"
#include "base/pd-error.h"
#include "base/pd-file.h"

#include <math.h>
#include <string.h>

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

/* The text being read, and the place of the reader. */
typedef struct
{
  PdSheetFile *sheet;
  PdCsv *csv;
  GError **error;
} Reader;

#define fail(self, ...)                                                                            \
  pd_fail_at ((self)->error, PD_FIT_ERROR, PD_FIT_ERROR_FORMAT, (self)->sheet->name,               \
              pd_csv_get_line ((self)->csv), __VA_ARGS__)

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
  self->columns = g_strdupv (pd_csv_get_header (reader->csv));
  self->n_columns = g_strv_length (self->columns);
  self->rows = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  self->lines = g_array_new (FALSE, FALSE, sizeof (guint));
  return self;
}

/* A file may have sheets of several launches, one behind the other. */
static gboolean
add_fact (Reader *self, char **fields)
{
  static const char *const lasting[] = { "command", "mpi", "hosts", NULL };
  static const char *const columns[] = { "table", "name", "value", NULL };

  if (!g_strv_equal ((const char *const *) pd_csv_get_header (self->csv), columns))
    return fail (self, "a fact: expected the columns name and value");
  const char *before = g_hash_table_lookup (self->sheet->facts, fields[1]);
  if (before != NULL && strcmp (before, fields[2]) != 0 && g_strv_contains (lasting, fields[1]))
    return fail (self, "fact '%s' is '%s', before it was '%s'", fields[1], fields[2], before);
  g_hash_table_insert (self->sheet->facts, g_strdup (fields[1]), g_strdup (fields[2]));
  return TRUE;
}

static gboolean
add_row (Reader *self, char **fields)
{
  PdSheetBlock *block = g_hash_table_lookup (self->sheet->blocks, fields[0]);
  guint line = pd_csv_get_line (self->csv);

  if (block == NULL)
    {
      block = block_new (self);
      g_hash_table_insert (self->sheet->blocks, g_strdup (fields[0]), block);
    }
  g_ptr_array_add (block->rows, g_strdupv (fields));
  g_array_append_val (block->lines, line);
  if (g_strv_equal ((const char *const *) block->columns,
                    (const char *const *) pd_csv_get_header (self->csv)))
    return TRUE;
  return fail (self, "table '%s' had other columns before", fields[0]);
}

static gboolean
read_all (Reader *self)
{
  g_autoptr (GError) local = NULL;

  while (pd_csv_next (self->csv, &local))
    {
      char **fields = pd_csv_get_fields (self->csv);
      if (!(strcmp (fields[0], "fact") == 0 ? add_fact (self, fields) : add_row (self, fields)))
        return FALSE;
    }
  if (!pd_propagate (self->error, g_steal_pointer (&local)))
    return FALSE;
  if (pd_sheet_file_get_fact (self->sheet, "command") != NULL)
    return TRUE;
  return fail (self, "expected the fact 'command', as predictor-measure --csv writes");
}

/* Anything else could not be written to XML. */
static gboolean
check_text (const Reader *self, const char *text, gsize size)
{
  const char *end = NULL, *forbidden = pd_text_find_forbidden (text, size);

  if (!g_utf8_validate (text, (gssize) size, &end))
    return fail (self, "byte %" G_GSIZE_FORMAT ": expected a text in UTF-8", (gsize) (end - text));
  return forbidden == NULL
         || fail (self, "byte %" G_GSIZE_FORMAT ": a character that XML cannot hold",
                  (gsize) (forbidden - text));
}

PdSheetFile *
pd_sheet_file_parse (const char *text, gsize size, const char *name, GError **error)
{
  g_autoptr (PdSheetFile) sheet = g_new0 (PdSheetFile, 1);
  g_autoptr (PdCsv) csv = pd_csv_new (text, size, name, FALSE, PD_FIT_ERROR, PD_FIT_ERROR_FORMAT);
  Reader reader = { sheet, csv, error };

  sheet->name = g_strdup (name);
  sheet->facts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  sheet->blocks = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, block_free);
  return check_text (&reader, text, size) && read_all (&reader) ? g_steal_pointer (&sheet) : NULL;
}

PdSheetFile *
pd_sheet_file_load (const char *path, GError **error)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) local = NULL;
  gsize size;

  if (pd_file_read (path, &text, &size, &local))
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

/* ---- contents of a sheet */

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
  char **fields = g_ptr_array_index (self->rows, row);
  const char *text = fields[find_column (self, column)];

  *value = NAN;
  if (text == fields[0] || *text == '\0')
    return TRUE;
  return pd_number_parse_real (text, value)
         || pd_sheet_block_fail (self, row, error, "%s '%s': expected a number", column, text);
}
