/* Measured runs of DVM programs: the recorded times of every interval and processor.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_MEASURED_H
#define PD_DVM_MEASURED_H

#include "reports/run/pd-report.h"

/**
 * pd_dvm_measure:
 * @trace: as for pd_recorded_open(): a folder with one file per processor, one of them, or one
 *   trace
 * @bytes: (nullable): the one trace itself, if it is in memory
 * @error: return location for the errors of pd_recorded_open(), or of reading
 *
 * Each file is read by itself; docs/models.md says to which characteristic a recorded time
 * belongs. An operation takes as many seconds of Synchronization on a processor as it takes
 * longer there than on the processor where it was shortest.
 *
 * The messages of the run have a warning "recording-disturbed" for the program and for each
 * interval whose waiting neither the recorded computation nor the usual length of its operations
 * explains.
 *
 * Returns: (transfer full) (nullable): the run, its tree not folded yet; the number of messages
 *   is not known, and 0.
 */
PdReportRun *pd_dvm_measure (const char *trace, GBytes *bytes, GError **error);

#endif
