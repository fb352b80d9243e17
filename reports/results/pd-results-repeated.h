/* The stored data of a run besides its intervals: efficiencies, samples, sensitivity.
 * SPDX-License-Identifier: MIT */
#ifndef PD_RESULTS_REPEATED_H
#define PD_RESULTS_REPEATED_H

#include "reports/results/pd-results.h"

/**
 * pd_results_write_sensitivity_csv:
 * @out: the sensitivity of run @run, as pd_sensitivity_append_csv() writes it, is appended
 *   with its heading; nothing if none is stored
 * @error: return location for a #PdReportError
 */
gboolean pd_results_write_sensitivity_csv (const char *path, gint64 run, GString *out,
                                           GError **error);

#endif
