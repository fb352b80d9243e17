/* Processes on processors of their own.
 * SPDX-License-Identifier: MIT */
#ifndef MPI_BIND_H
#define MPI_BIND_H

#include "measure/sheet/pd-sheet.h"

#include <mpi.h>

/**
 * pd_mpi_bind:
 * Binds each process to a processor of its own if MPI has left them all on the same
 * ones. Returns whether it has, the same at all processes.
 */
gboolean pd_mpi_bind (MPI_Comm comm);

/**
 * pd_mpi_bind_fact:
 * Adds to @output whether processes are bound, and by whom.
 */
void pd_mpi_bind_fact (PdSheet *output, gboolean is_bound);

#endif
