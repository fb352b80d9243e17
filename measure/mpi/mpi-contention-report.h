/* The report of contention: facts, tables, matrices, the recommended number of processes.
 * SPDX-License-Identifier: MIT */
#ifndef MPI_CONTENTION_REPORT_H
#define MPI_CONTENTION_REPORT_H

#include "measure/mpi/mpi-sharers.h"

/**
 * pd_contention_report:
 * At rank 0, with cells compared: adds the whole report to the output.
 */
void pd_contention_report (const PdContentionRun *self);

#endif
