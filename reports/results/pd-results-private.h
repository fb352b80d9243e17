/* Shared declarations of the files that show stored results.
 * SPDX-License-Identifier: MIT */
#ifndef PD_RESULTS_PRIVATE_H
#define PD_RESULTS_PRIVATE_H

#include "reports/run/pd-report-sqlite.h"
#include "reports/results/pd-results.h"

/* Returns: (transfer full): the indented label of the interval whose depth, type, file, line
 * and index are in the first columns of @s, and its name in @name. */
char *pd_results_label (sqlite3_stmt *s, int name);

#endif
