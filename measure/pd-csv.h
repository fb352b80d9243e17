/* Reads the CSV that measurements are written as: blocks of lines, each with a header
 * whose first field is "table". Needs no MPI.
 *
 *   g_autoptr (PdCsv) csv = pd_csv_new (text, length, path);
 *   while (pd_csv_next (csv, &local))
 *     if (strcmp (pd_csv_table (csv), "transfer") == 0
 *         && !pd_csv_get_real (csv, "median_us", &us, &local))
 *       break;
 *
 * SPDX-License-Identifier: MIT */
#ifndef PD_CSV_H
#define PD_CSV_H

#include "measure/pd-timer.h"

G_BEGIN_DECLS

typedef struct _PdCsv PdCsv;

/**
 * pd_csv_new:
 * @text: (transfer none) (array length=length): lives as long as the result
 * @length: bytes
 * @path: (transfer none): of messages
 * Returns: (transfer full): in front of the first row.
 */
PdCsv *pd_csv_new (const char *text, gsize length, const char *path);

/**
 * pd_csv_free:
 * @self: (nullable): what is to be freed
 */
void pd_csv_free (PdCsv *self);

/**
 * pd_csv_next:
 * @error: return location for %PD_MEASURE_ERROR_READ: a row without a header, or with
 *   another number of fields than that has, an open quotation, a last line that does not
 *   end
 *
 * Goes to the next row of any table. Returns: %FALSE at the end, or with @error set.
 */
gboolean pd_csv_next (PdCsv *self, GError **error);

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
 * @error: return location for %PD_MEASURE_ERROR_READ
 * Returns: %FALSE with @error set if there is no such column, or no finite number in it.
 */
gboolean pd_csv_get_real (const PdCsv *self, const char *column, gdouble *value, GError **error);

/**
 * pd_csv_get_integer:
 * @column: a name
 * @value: (out): the number
 * @error: return location for %PD_MEASURE_ERROR_READ
 * Returns: %FALSE with @error set if there is no such column, or no integer in it.
 */
gboolean pd_csv_get_integer (const PdCsv *self, const char *column, gint64 *value, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdCsv, pd_csv_free)

G_END_DECLS

#endif
