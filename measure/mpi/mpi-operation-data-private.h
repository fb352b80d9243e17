/* The contents of the buffers of a collective operation, and the check of its result.
 * SPDX-License-Identifier: MIT */
#ifndef MPI_OPERATION_DATA_PRIVATE_H
#define MPI_OPERATION_DATA_PRIVATE_H

#include "measure/mpi/pd-operation-private.h"

/* Writes every page of all regions. */
void pd_operation_fill (PdOperationRun *run);

#endif
