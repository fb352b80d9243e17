/* What a measurement found: facts and tables, written as text, CSV, XML and SQLite from
 * one description. predictor-measure(1) has the forms. Needs no MPI.
 * SPDX-License-Identifier: MIT */
#ifndef PD_OUTPUT_H
#define PD_OUTPUT_H

#include "measure/pd-timer.h"

G_BEGIN_DECLS

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
  const char *heading; /* of the text; NULL: not in the text */
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
} PdCell;

/* Where to; each %NULL: not written; "-": standard output (but the database). */
typedef struct
{
  char *text;
  char *csv;
  char *xml;
  char *db;
} PdOutputFiles;

/* "PdM" and a number: the application of the database (PRAGMA application_id). */
#define PD_MEASURE_APPLICATION 0x50644d01
/* Counted up when a database cannot be read as before (PRAGMA user_version). */
#define PD_MEASURE_VERSION 1

typedef struct _PdOutput PdOutput;

/**
 * pd_output_new:
 * @command: "transfer"
 * Returns: (transfer full): without facts and tables.
 */
PdOutput *pd_output_new (const char *command);

/**
 * pd_output_free:
 * @self: (nullable): what is to be freed
 */
void pd_output_free (PdOutput *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdOutput, pd_output_free)

/**
 * pd_output_fact:
 * @name: "timer"; each once
 * @format: printf()'s
 *
 * Adds something that holds for all rows.
 */
void pd_output_fact (PdOutput *self, const char *name, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

/**
 * pd_output_row:
 * @spec: (transfer none): the table, the same pointer for each row; is used until the end
 * @cells: (array length=spec->n_columns): copied
 *
 * Adds a row; tables appear in the order of their first rows.
 */
void pd_output_row (PdOutput *self, const PdTableSpec *spec, const PdCell *cells);

/**
 * pd_output_format_text:
 * Returns: (transfer full): facts and tables for people.
 */
char *pd_output_format_text (const PdOutput *self);

/**
 * pd_output_format_csv:
 * Returns: (transfer full): blocks of lines, each with a header whose first field is
 *   "table"; facts are the first.
 */
char *pd_output_format_csv (const PdOutput *self);

/**
 * pd_output_format_xml:
 * Returns: (transfer full): a document as in schemas/measurement.rng.
 */
char *pd_output_format_xml (const PdOutput *self);

/**
 * pd_output_write_db:
 * @path: made, or appended to
 * @error: return location for %PD_MEASURE_ERROR_WRITE, %PD_MEASURE_ERROR_FOREIGN
 *
 * Adds all of it as one measurement; on an error the database is as before.
 *
 * Returns: %FALSE with @error set if that is impossible.
 */
gboolean pd_output_write_db (const PdOutput *self, const char *path, GError **error);

/**
 * pd_output_write:
 * @error: return location for %PD_MEASURE_ERROR_WRITE, %PD_MEASURE_ERROR_FOREIGN
 * Returns: %FALSE with @error set if a file cannot be written; others may be.
 */
gboolean pd_output_write (const PdOutput *self, const PdOutputFiles *files, GError **error);

G_END_DECLS

#endif
