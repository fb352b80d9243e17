/* The stored data of a run besides its intervals: efficiencies, the range of its time, samples,
 * sensitivity, diagnosis, what-ifs.
 * SPDX-License-Identifier: MIT */
#ifndef PD_RESULTS_REPEATED_PRIVATE_H
#define PD_RESULTS_REPEATED_PRIVATE_H

#include "reports/results/pd-results-private.h"

/* Appends what else is stored of a run, each with an empty line in front. */
gboolean pd_results_write_again (sqlite3 *db, gint64 run, guint width, GString *out,
                                 GError **error);

/* @what_ifs: (out) (transfer full) (nullable): those of a run; NULL: it has none. */
gboolean pd_results_read_what_ifs (sqlite3 *db, gint64 run, GArray **what_ifs, GError **error);

/* @range: (out) (transfer full) (nullable): that of a run; NULL: it has none. */
gboolean pd_results_read_range (sqlite3 *db, gint64 run, PdTimeRange **range, GError **error);

#endif
