/* Facts and tables of a measurement, and their text, CSV and XML.
 * SPDX-License-Identifier: MIT */
#include "base/pd-csv.h"
#include "base/pd-text.h"
#include "measure/sheet/pd-sheet-private.h"
#include "base/pd-target.h"
#include "measure/sheet/pd-sheet-db.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- contents */

PdSheet *
pd_sheet_new (const char *command)
{
  PdSheet *self = g_new0 (PdSheet, 1);

  self->command = g_strdup (command);
  self->facts = g_array_new (FALSE, TRUE, sizeof (PdFact));
  self->tables = g_ptr_array_new ();
  self->texts = g_string_chunk_new (256);
  self->notes = g_string_new (NULL);
  return self;
}

void
pd_sheet_free (PdSheet *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->tables->len; i++)
    {
      PdSheetTable *table = g_ptr_array_index (self->tables, i);
      g_array_free (table->cells, TRUE);
      g_free (table);
    }
  g_ptr_array_free (self->tables, TRUE);
  g_array_free (self->facts, TRUE);
  g_string_chunk_free (self->texts);
  g_string_free (self->notes, TRUE);
  g_free (self->command);
  g_free (self);
}

void
pd_sheet_fact (PdSheet *self, const char *name, const char *format, ...)
{
  g_autofree char *value = NULL;
  PdFact fact;
  va_list arguments;

  va_start (arguments, format);
  value = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  fact.name = g_string_chunk_insert (self->texts, name);
  g_autofree char *shown = pd_text_show (value);
  fact.value = g_string_chunk_insert (self->texts, shown);
  g_array_append_val (self->facts, fact);
}

static PdSheetTable *
find_table (PdSheet *self, const PdTableSpec *spec)
{
  PdSheetTable *table;

  for (guint i = 0; i < self->tables->len; i++)
    {
      table = g_ptr_array_index (self->tables, i);
      if (table->spec == spec)
        return table;
    }
  table = g_new (PdSheetTable, 1);
  *table = (PdSheetTable){ spec, g_array_new (FALSE, TRUE, sizeof (PdSheetCell)) };
  g_ptr_array_add (self->tables, table);
  return table;
}

void
pd_sheet_row (PdSheet *self, const PdTableSpec *spec, const PdSheetCell *cells)
{
  PdSheetTable *table = find_table (self, spec);

  for (gsize i = 0; i < spec->n_columns; i++)
    {
      PdSheetCell cell = cells[i];
      if (spec->columns[i].kind == PD_COLUMN_TEXT)
        cell.text = g_string_chunk_insert (self->texts, cell.text);
      g_array_append_val (table->cells, cell);
    }
}

void
pd_sheet_note (PdSheet *self, const char *text)
{
  g_string_append_printf (self->notes, "\n%s", text);
}

gsize
pd_sheet_table_length (const PdSheetTable *table)
{
  return table->cells->len / table->spec->n_columns;
}

const PdSheetCell *
pd_sheet_table_row (const PdSheetTable *table, gsize row)
{
  return &g_array_index (table->cells, PdSheetCell, row * table->spec->n_columns);
}

/* ---- text */

static char *
format_cell (const PdColumn *column, PdSheetCell cell)
{
  switch (column->kind)
    {
    case PD_COLUMN_INTEGER:
      return g_strdup_printf ("%" G_GINT64_FORMAT, cell.integer);
    case PD_COLUMN_REAL:
      return isnan (cell.real) ? g_strdup ("-")
                               : g_strdup_printf ("%.*f", column->decimals, cell.real);
    case PD_COLUMN_TEXT:
      break;
    }
  return g_strdup (cell.text);
}

/* Columns as wide as their contents, aligned to the right. */
static void
append_text_table (GString *out, const PdSheetTable *table)
{
  const PdTableSpec *spec = table->spec;
  gsize n = pd_sheet_table_length (table);
  g_autofree glong *widths = g_new0 (glong, spec->n_columns);

  for (gsize row = 0; row < 2 * n + 1; row++)
    {
      const PdSheetCell *cells =
          row == n ? NULL : pd_sheet_table_row (table, row < n ? row : row - n - 1);
      gsize shown = 0;
      for (gsize i = 0; i < spec->n_columns; i++)
        {
          const PdColumn *column = &spec->columns[i];
          if (column->heading == NULL)
            continue;
          g_autofree char *text =
              cells == NULL ? g_strdup (column->heading) : format_cell (column, cells[i]);
          glong length = g_utf8_strlen (text, -1);
          widths[i] = MAX (widths[i], length);
          if (row >= n)
            g_string_append_printf (out, "%s%*s%s", shown++ > 0 ? "  " : "",
                                    (int) (widths[i] - length), "", text);
        }
      if (row >= n)
        g_string_append_c (out, '\n');
    }
}

static gboolean
is_in_text (const PdTableSpec *spec)
{
  for (gsize i = 0; i < spec->n_columns; i++)
    if (spec->columns[i].heading != NULL)
      return TRUE;
  return FALSE;
}

char *
pd_sheet_format_text (const PdSheet *self)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < self->facts->len; i++)
    {
      const PdFact *fact = &g_array_index (self->facts, PdFact, i);
      g_string_append_printf (out, "%s: %s\n", fact->name, fact->value);
    }
  for (guint i = 0; i < self->tables->len; i++)
    {
      const PdSheetTable *table = g_ptr_array_index (self->tables, i);
      if (!is_in_text (table->spec))
        continue;
      g_string_append_printf (out, "\n%s\n", table->spec->title);
      append_text_table (out, table);
    }
  g_string_append (out, self->notes->str);
  return g_string_free (out, FALSE);
}

/* ---- CSV */

gboolean
pd_sheet_append (GString *out, const PdColumn *column, PdSheetCell cell)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  switch (column->kind)
    {
    case PD_COLUMN_INTEGER:
      g_string_append_printf (out, "%" G_GINT64_FORMAT, cell.integer);
      return TRUE;
    case PD_COLUMN_REAL:
      if (isnan (cell.real))
        return FALSE;
      g_string_append (out, g_ascii_formatd (number, sizeof number, "%.9g", cell.real));
      return TRUE;
    case PD_COLUMN_TEXT:
      break;
    }
  g_string_append (out, cell.text);
  return TRUE;
}

static void
append_csv_table (GString *out, const PdSheetTable *table)
{
  const PdTableSpec *spec = table->spec;
  gsize n = pd_sheet_table_length (table);

  g_string_append (out, "\ntable");
  for (gsize i = 0; i < spec->n_columns; i++)
    g_string_append_printf (out, ",%s", spec->columns[i].name);
  g_string_append_c (out, '\n');
  for (gsize row = 0; row < n; row++)
    {
      const PdSheetCell *cells = pd_sheet_table_row (table, row);
      g_string_append (out, spec->name);
      for (gsize i = 0; i < spec->n_columns; i++)
        {
          g_autoptr (GString) field = g_string_new (NULL);
          pd_sheet_append (field, &spec->columns[i], cells[i]);
          g_string_append_c (out, ',');
          pd_csv_append (out, field->str);
        }
      g_string_append_c (out, '\n');
    }
}

char *
pd_sheet_format_csv (const PdSheet *self)
{
  GString *out = g_string_new ("table,name,value\n");

  g_string_append_printf (out, "fact,command,%s\n", self->command);
  for (guint i = 0; i < self->facts->len; i++)
    {
      const PdFact *fact = &g_array_index (self->facts, PdFact, i);
      g_string_append_printf (out, "fact,%s,", fact->name);
      pd_csv_append (out, fact->value);
      g_string_append_c (out, '\n');
    }
  for (guint i = 0; i < self->tables->len; i++)
    append_csv_table (out, g_ptr_array_index (self->tables, i));
  return g_string_free (out, FALSE);
}

/* ---- XML */

static void
append_xml_table (GString *out, const PdSheetTable *table)
{
  const PdTableSpec *spec = table->spec;
  gsize n = pd_sheet_table_length (table);

  g_string_append_printf (out, "  <table name=\"%s\">\n", spec->name);
  for (gsize row = 0; row < n; row++)
    {
      const PdSheetCell *cells = pd_sheet_table_row (table, row);
      g_string_append (out, "    <row>");
      for (gsize i = 0; i < spec->n_columns; i++)
        {
          g_autoptr (GString) field = g_string_new (NULL);
          if (!pd_sheet_append (field, &spec->columns[i], cells[i]))
            continue;
          g_autofree char *escaped = g_markup_escape_text (field->str, -1);
          g_string_append_printf (out, "<cell column=\"%s\">%s</cell>", spec->columns[i].name,
                                  escaped);
        }
      g_string_append (out, "</row>\n");
    }
  g_string_append (out, "  </table>\n");
}

char *
pd_sheet_format_xml (const PdSheet *self)
{
  GString *out = g_string_new ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");

  g_string_append_printf (out, "<measurement version=\"%d\" command=\"%s\">\n", PD_MEASURE_VERSION,
                          self->command);
  for (guint i = 0; i < self->facts->len; i++)
    {
      const PdFact *fact = &g_array_index (self->facts, PdFact, i);
      g_autofree char *text =
          g_markup_printf_escaped ("  <fact name=\"%s\">%s</fact>\n", fact->name, fact->value);
      g_string_append (out, text);
    }
  for (guint i = 0; i < self->tables->len; i++)
    append_xml_table (out, g_ptr_array_index (self->tables, i));
  g_string_append (out, "</measurement>\n");
  return g_string_free (out, FALSE);
}

/* ---- files */

gboolean
pd_sheet_write_text (const char *path, const char *text, GError **error)
{
  g_autoptr (GError) local = NULL;

  if (pd_target_save (path, text, strlen (text), &local))
    return TRUE;
  g_set_error_literal (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_WRITE, local->message);
  return FALSE;
}

gboolean
pd_sheet_write (const PdSheet *self, const PdSheetFiles *files, GError **error)
{
  const struct
  {
    const char *path;
    char *(*format) (const PdSheet *self);
  } forms[] = {
    { files->text, pd_sheet_format_text },
    { files->csv, pd_sheet_format_csv },
    { files->xml, pd_sheet_format_xml },
  };

  if (files->db != NULL && !pd_sheet_write_db (self, files->db, error))
    return FALSE;
  for (gsize i = 0; i < G_N_ELEMENTS (forms); i++)
    {
      if (forms[i].path == NULL)
        continue;
      g_autofree char *text = forms[i].format (self);
      if (!pd_sheet_write_text (forms[i].path, text, error))
        return FALSE;
    }
  return TRUE;
}
