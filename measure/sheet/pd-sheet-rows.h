/* Rows of files that measurements were written to, CSV or SQLite, as texts.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SHEET_ROWS_H
#define PD_SHEET_ROWS_H

#include "measure/sheet/pd-sheet.h"

#include <sqlite3.h>

/* Gets a field of the row, until the next one: NULL for a column that is not there, or
 * has nothing. */
typedef const char *(*PdSheetGet) (gpointer source, const char *column);

/* Called with each row; @measurement counts from 1. Returns FALSE with @error set to stop. */
typedef gboolean (*PdSheetRowFunc) (gpointer data, const char *table, guint measurement,
                                    PdSheetGet get, gpointer source, GError **error);

/**
 * pd_sheet_each_row:
 * @path: ends with ".csv", or is a database
 * @tables: (array zero-terminated=1): those to be read; facts are the table "fact"
 * @error: return location for %PD_MEASURE_ERROR_READ, %PD_MEASURE_ERROR_FOREIGN
 *
 * Of a database table after table, of CSV in the order of lines.
 *
 * Returns: %FALSE with @error set if that is impossible.
 */
gboolean pd_sheet_each_row (const char *path, const char *const *tables, PdSheetRowFunc func,
                            gpointer data, GError **error);

/**
 * pd_sheet_get_real:
 * @value: (out): NaN if the field is empty, or not there
 * @error: return location for %PD_MEASURE_ERROR_READ
 * Returns: %FALSE with @error set if the field is no finite number.
 */
gboolean pd_sheet_get_real (PdSheetGet get, gpointer source, const char *column, gdouble *value,
                            GError **error);

/**
 * pd_sheet_db_open:
 * @error: return location for %PD_MEASURE_ERROR_READ, %PD_MEASURE_ERROR_FOREIGN
 * Returns: (transfer full) (nullable): a database of measurements, to be read;
 *   sqlite3_close() it.
 */
sqlite3 *pd_sheet_db_open (const char *path, GError **error);

/**
 * pd_sheet_db_fail:
 * Returns: %FALSE, with %PD_MEASURE_ERROR_READ set.
 */
gboolean pd_sheet_db_fail (sqlite3 *db, const char *path, GError **error);

/**
 * pd_sheet_db_find:
 * Returns: the number of the column, -1 if there is none.
 */
int pd_sheet_db_find (sqlite3_stmt *statement, const char *column);

/**
 * pd_sheet_db_get:
 * @statement: a statement that is at a row
 * As #PdSheetGet.
 */
const char *pd_sheet_db_get (gpointer statement, const char *column);

#endif
