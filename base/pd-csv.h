/* CSV: a writer of fields, and a reader of lines of fields, or of the form of measurements:
 * blocks of lines, each with a header whose first field is "table". Not installed.
 *
 *   g_autoptr (PdCsv) csv = pd_csv_new (text, length, path, FALSE, domain, code);
 *   while (pd_csv_next (csv, &local))
 *     if (strcmp (pd_csv_table (csv), "transfer") == 0
 *         && !pd_csv_get_real (csv, "median_us", &us, &local))
 *       break;
 *
 * SPDX-License-Identifier: MIT */
#ifndef PD_CSV_H
#define PD_CSV_H

#include <glib.h>

/**
 * pd_csv_append:
 * @text: (nullable): any bytes; %NULL is ""
 *
 * Appends @text as one field of RFC 4180, as pd_text_show() shows it. Spreadsheets take what
 * begins with "=", "+", "-" or "@" for a formula: unless it is a number, it gets a "'" in front,
 * which the reader takes off.
 */
void pd_csv_append (GString *out, const char *text);

typedef struct _PdCsv PdCsv;

/**
 * pd_csv_new:
 * @text: (transfer none) (array length=length): lives as long as the result
 * @length: bytes
 * @path: (transfer none): of messages
 * @by_hand: blanks around fields do not count, the last line may lack its end, and fields are
 *   any bytes; otherwise a file that is cut off, or not in UTF-8, is wrong, and the "'" of
 *   pd_csv_append() is taken off
 * @domain: of all errors
 * @code: of all errors
 * Returns: (transfer full): in front of the first line.
 */
PdCsv *pd_csv_new (const char *text, gsize length, const char *path, gboolean by_hand,
                   GQuark domain, gint code);

/**
 * pd_csv_free:
 * @self: (nullable): the reader
 */
void pd_csv_free (PdCsv *self);

/**
 * pd_csv_next_line:
 * @error: return location for an open quotation, a last line that does not end
 *
 * Goes to the next line that is not empty; it ends with a line feed, a carriage return or
 * both. Fields in quotes may have commas, ends of lines and doubled quotes.
 *
 * Returns: %FALSE at the end, or with @error set.
 */
gboolean pd_csv_next_line (PdCsv *self, GError **error);

/**
 * pd_csv_next:
 * @error: return location for what pd_csv_next_line() finds, a row without a header, or with
 *   another number of fields than that has, a header that has a column twice
 *
 * Goes to the next row of any table. Returns: %FALSE at the end, or with @error set.
 */
gboolean pd_csv_next (PdCsv *self, GError **error);

/**
 * pd_csv_get_fields:
 * Returns: (transfer none) (array zero-terminated=1): the fields of the line, until the next one.
 */
char **pd_csv_get_fields (const PdCsv *self);

/**
 * pd_csv_get_header:
 * Returns: (transfer none) (array zero-terminated=1): the header of the row, until the next one.
 */
char **pd_csv_get_header (const PdCsv *self);

/**
 * pd_csv_get_line:
 * Returns: the number of the line, from 1; at the end, of the one that is not there.
 */
guint pd_csv_get_line (const PdCsv *self);

/**
 * pd_csv_table:
 * Returns: (transfer none): the table of the row, until the next one.
 */
const char *pd_csv_table (const PdCsv *self);

/**
 * pd_csv_measurement:
 * Returns: the number of the measurement that the row is of, from 1: each begins with a
 *   block of facts.
 */
guint pd_csv_measurement (const PdCsv *self);

/**
 * pd_csv_get:
 * @column: a name
 * Returns: (transfer none) (nullable): the field, until the next row; %NULL if the table
 *   has no such column.
 */
const char *pd_csv_get (const PdCsv *self, const char *column);

/**
 * pd_csv_get_real:
 * @column: a name
 * @value: (out): NaN if the field is empty
 * @error: return location for an error
 * Returns: %FALSE with @error set if there is no such column, or no finite number in it.
 */
gboolean pd_csv_get_real (const PdCsv *self, const char *column, gdouble *value, GError **error);

/**
 * pd_csv_get_integer:
 * @column: a name
 * @value: (out): the number
 * @error: return location for an error
 * Returns: %FALSE with @error set if there is no such column, or no integer in it.
 */
gboolean pd_csv_get_integer (const PdCsv *self, const char *column, gint64 *value, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdCsv, pd_csv_free)

#endif
