/* The sensitivity of a run in result files.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SENSITIVITY_DB_H
#define PD_SENSITIVITY_DB_H

#include "reports/run/pd-sensitivity-private.h"

/**
 * pd_sensitivity_append_schema:
 * Appends the statements that make the tables but that of the head.
 */
void pd_sensitivity_append_schema (GString *sql);

/**
 * pd_sensitivity_read:
 * @found: (out) (nullable) (transfer full): that of run @id, if it is stored. Returns: %FALSE
 * if the file is damaged.
 */
gboolean pd_sensitivity_read (sqlite3 *db, gint64 id, PdSensitivity **found, GError **error);

#endif
