/* Statistics files of the DVM system as measured runs.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_STATISTICS_H
#define PD_DVM_STATISTICS_H

#include "reports/run/pd-report.h"
#include "traces/io/pd-trace-source.h"

/**
 * pd_dvm_measure_statistics:
 * @source: a statistics file, see pd_pppa_read()
 * @error: return location for a #PdTraceError
 *
 * docs/models.md says what its times are among the characteristics.
 *
 * Returns: (transfer full) (nullable): the run, its tree not folded yet; the number of messages
 *   is not known, and 0.
 */
PdReportRun *pd_dvm_measure_statistics (const PdTraceSource *source, GError **error);

#endif
