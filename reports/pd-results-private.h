/* What the files that show stored results share.
 * SPDX-License-Identifier: MIT */
#ifndef PD_RESULTS_PRIVATE_H
#define PD_RESULTS_PRIVATE_H

#include "reports/pd-report-sqlite.h"
#include "reports/pd-results.h"

G_BEGIN_DECLS

/* Returns: (transfer full): the indented label of the interval whose depth, type, file, line
 * and index are in the first columns of @s, and its name in @name. */
char *pd_results_label (sqlite3_stmt *s, int name);

/* Appends what else is stored of a run, each with an empty line in front. */
gboolean pd_results_write_again (sqlite3 *db, gint64 run, guint width, GString *out,
                                 GError **error);

G_END_DECLS

#endif
