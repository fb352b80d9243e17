/* The tables of result files, and how older files get the newest.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REPORT_SCHEMA_H
#define PD_REPORT_SCHEMA_H

#include <glib.h>

/**
 * pd_report_db_migration:
 * Returns: (transfer full): the statements that bring a file of an older @version to
 *   the present one.
 */
char *pd_report_db_migration (gint64 version);

/**
 * pd_report_db_schema:
 * Returns: (transfer full): the statements that make an empty file ours.
 */
char *pd_report_db_schema (void);

#endif
