/* Processes on processors of their own.
 * SPDX-License-Identifier: MIT */
#ifndef MPI_BIND_H
#define MPI_BIND_H

#include "measure/mpi/mpi-collective-run.h"

/**
 * pd_collective_bind:
 * Binds each process to a processor of its own if MPI has left them all on the same
 * ones. Returns whether it has, the same at all processes.
 */
gboolean pd_collective_bind (MPI_Comm comm);

#endif
