/* The results of a measurement: facts and tables, written as text, CSV, XML and SQLite from
 * one description. predictor-measure(1) has the forms. Needs no MPI.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SHEET_H
#define PD_SHEET_H

#include "measure/stats/pd-timer.h"

typedef enum
{
  PD_COLUMN_INTEGER,
  PD_COLUMN_REAL, /* NaN: nothing is known; an empty field, no attribute, NULL */
  PD_COLUMN_TEXT,
} PdColumnKind;

/* @name has letters, digits and "_", ends with the unit (_us, _mb_s) where there is one,
 * and is not "measurement" or "number", which the database has. */
typedef struct
{
  const char *name;
  PdColumnKind kind;
  const char *heading; /* of the text; NULL: not in the text, nor a table of such columns */
  int decimals;        /* of a real in the text */
} PdColumn;

typedef struct
{
  const char *name;  /* as a column's */
  const char *title; /* of the text */
  const PdColumn *columns;
  gsize n_columns;
} PdTableSpec;

/* The field that its column's kind says. */
typedef union
{
  gint64 integer;
  gdouble real;
  const char *text;
} PdSheetCell;

/* Where to; each %NULL: not written; "-": standard output (but the database). */
typedef struct
{
  char *text;
  char *csv;
  char *xml;
  char *db;
} PdSheetFiles;

/* "PdM" and a number: the application of the database (PRAGMA application_id). */
#define PD_MEASURE_APPLICATION 0x50644d01
/* Counted up when a database cannot be read as before (PRAGMA user_version). */
#define PD_MEASURE_VERSION 1

typedef struct _PdSheet PdSheet;

/**
 * pd_sheet_new:
 * @command: "transfer"
 * Returns: (transfer full): without facts and tables.
 */
PdSheet *pd_sheet_new (const char *command);

/**
 * pd_sheet_free:
 * @self: (nullable): the sheet
 */
void pd_sheet_free (PdSheet *self);

/**
 * pd_sheet_fact:
 * @name: "timer"; each once
 * @format: as in printf
 *
 * Adds something that holds for all rows.
 */
void pd_sheet_fact (PdSheet *self, const char *name, const char *format, ...) G_GNUC_PRINTF (3, 4);

/**
 * pd_sheet_row:
 * @spec: (transfer none): the table, the same pointer for each row; is used until the end
 * @cells: (array length=spec->n_columns): copied
 *
 * Adds a row; tables appear in the order of their first rows.
 */
void pd_sheet_row (PdSheet *self, const PdTableSpec *spec, const PdSheetCell *cells);

/**
 * pd_sheet_note:
 * @text: (transfer none): lines for people, copied
 *
 * Adds something behind the tables of the text, which is in no other form.
 */
void pd_sheet_note (PdSheet *self, const char *text);

/**
 * pd_sheet_format_text:
 * Returns: (transfer full): facts and tables for people.
 */
char *pd_sheet_format_text (const PdSheet *self);

/**
 * pd_sheet_format_csv:
 * Returns: (transfer full): blocks of lines, each with a header whose first field is
 *   "table"; facts are the first.
 */
char *pd_sheet_format_csv (const PdSheet *self);

/**
 * pd_sheet_format_xml:
 * Returns: (transfer full): a document as in schemas/measurement.rng.
 */
char *pd_sheet_format_xml (const PdSheet *self);

/**
 * pd_sheet_write:
 * @error: return location for %PD_MEASURE_ERROR_WRITE, %PD_MEASURE_ERROR_FOREIGN
 * Returns: %FALSE with @error set if a file cannot be written; others may be.
 */
gboolean pd_sheet_write (const PdSheet *self, const PdSheetFiles *files, GError **error);

/**
 * pd_sheet_write_text:
 * @path: "-": standard output
 * @text: the contents
 * @error: return location for %PD_MEASURE_ERROR_WRITE
 * Returns: %FALSE with @error set if it cannot be written.
 */
gboolean pd_sheet_write_text (const char *path, const char *text, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdSheet, pd_sheet_free)

#endif
