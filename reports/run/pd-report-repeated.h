/* What the text report, and that of stored results, say of runs that were predicted again.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REPORT_REPEATED_H
#define PD_REPORT_REPEATED_H

#include "reports/run/pd-efficiency.h"
#include "reports/run/pd-report-types.h"
#include "reports/emit/pd-table.h"

/**
 * pd_efficiency_table_new:
 * A table of efficiencies: @of_runs: by processors and grid, two cells in front; else by
 * interval, one cell. @n: how many of the efficiencies are shown, from the first on.
 */
PdTable *pd_efficiency_table_new (gboolean of_runs, guint n);

/**
 * pd_efficiency_table_add:
 * Appends the cells of one row behind those in front; NaN: not known.
 */
void pd_efficiency_table_add (PdTable *table, guint n, const gdouble *values);

/**
 * pd_efficiency_table_write:
 * With its title, and an empty line.
 */
void pd_efficiency_table_write (const PdTable *table, guint width, GString *out);

/**
 * pd_report_write_efficiencies:
 * Those of the whole program in each run; nothing if none is known.
 */
void pd_report_write_efficiencies (const PdReport *self, guint width, GString *out);

/**
 * pd_report_write_samples:
 * @samples: at least one PdTime.
 */
void pd_report_write_samples (const GArray *samples, guint64 first_seed, guint width, GString *out);

/**
 * pd_report_write_all_samples:
 * A line for each run that has samples.
 */
void pd_report_write_all_samples (const PdReport *self, guint width, GString *out);

#endif
