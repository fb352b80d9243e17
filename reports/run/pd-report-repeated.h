/* Runs that were predicted again, in the text report, and in that of stored results.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REPORT_REPEATED_H
#define PD_REPORT_REPEATED_H

#include "reports/emit/pd-columns.h"
#include "base/pd-distribution.h"
#include "reports/run/pd-efficiency.h"
#include "reports/run/pd-report-types.h"

/**
 * pd_efficiency_add:
 * @label: of an interval; of a run, how many processors
 * @grid: (nullable): of a run
 * @n: how many of the efficiencies are shown, from the first on
 * @values: NaN: not known
 *
 * Adds a row to a table of efficiencies.
 */
void pd_efficiency_add (PdColumns *to, const char *label, guint depth, const char *grid, guint n,
                        const gdouble *values);

/**
 * pd_efficiency_end:
 * Ends a table of text, with its title above and an empty line below; nothing without rows.
 */
void pd_efficiency_end (PdColumns *to);

/**
 * pd_report_write_efficiencies:
 * Those of the whole program in each run; nothing if none is known.
 */
void pd_report_write_efficiencies (const PdReport *self, guint width, GString *out);

/**
 * pd_report_write_ranges:
 * A line for each run that has a range.
 */
void pd_report_write_ranges (const PdReport *self, guint width, GString *out);

/**
 * pd_report_write_sensitivities:
 * A line for each run whose sensitivity is known: the parameters that it depends on most.
 */
void pd_report_write_sensitivities (const PdReport *self, guint width, GString *out);

/**
 * pd_distribution_write_quantiles:
 * Adds the table of the distribution of samples, in one row.
 */
void pd_distribution_write_quantiles (const PdDistribution *d, PdColumns *to);

/**
 * pd_distribution_write_histogram:
 * Adds the table of how many samples take how long.
 */
void pd_distribution_write_histogram (const PdDistribution *d, PdColumns *to);

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
