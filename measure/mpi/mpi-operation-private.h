/* A collective operation prepared and launched.
 * SPDX-License-Identifier: MIT */
#ifndef MPI_OPERATION_PRIVATE_H
#define MPI_OPERATION_PRIVATE_H

#include "measure/mpi/pd-operation-private.h"

/* Of a buffer. */
int pd_operation_blocks (const PdTimedCollective *collective, PdBlocks blocks, int size);

#endif
