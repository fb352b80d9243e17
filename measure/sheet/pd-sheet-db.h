/* Measurements in SQLite: one row of "measurement" each, its facts, and a table per kind
 * of rows, whose column "measurement" says which one they are of.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SHEET_DB_H
#define PD_SHEET_DB_H

#include "measure/sheet/pd-sheet.h"

/**
 * pd_sheet_write_db:
 * @path: made, or appended to
 * @error: return location for %PD_MEASURE_ERROR_WRITE, %PD_MEASURE_ERROR_FOREIGN
 *
 * Adds all of it as one measurement; on an error the database is as before.
 *
 * Returns: %FALSE with @error set if that is impossible.
 */
gboolean pd_sheet_write_db (const PdSheet *self, const char *path, GError **error);

#endif
