/* The contents of the buffers of a collective operation, and the check of its result.
 * SPDX-License-Identifier: MIT */
#ifndef MPI_OPERATION_DATA_H
#define MPI_OPERATION_DATA_H

#include "measure/plan/pd-operation.h"

/**
 * pd_operation_verify:
 *
 * Called by all processes: launches the operation once in each of the first and the last
 * region, on known data, and compares the result. Buffers are as before then.
 *
 * Returns: %FALSE at all processes if the result is wrong at one of them.
 */
gboolean pd_operation_verify (PdOperationRun *run);

#endif
