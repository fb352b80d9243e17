/* Overlap of non-blocking operations with computation.
 * SPDX-License-Identifier: MIT */
#ifndef MPI_OVERLAP_PRIVATE_H
#define MPI_OVERLAP_PRIVATE_H

#include "measure/mpi/mpi-collective-run.h"

/* Whether this form of the operation can overlap with computation. */
gboolean pd_collective_overlaps (const PdMpiOperation *operation);

/* Three samples of rank 0 (NULL elsewhere): operation, computation, both. */
void pd_collective_measure_overlap (const PdLaunchSetup *setup, PdOperationRun *run,
                                    gint64 progress, PdLaunchSample *const samples[3]);

#endif
