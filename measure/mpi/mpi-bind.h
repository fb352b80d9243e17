/* Processes on processors of their own.
 * SPDX-License-Identifier: MIT */
#ifndef MPI_BIND_H
#define MPI_BIND_H

#include "measure/sheet/pd-sheet.h"

#include <mpi.h>

/**
 * pd_mpi_bind:
 * @threads: each process gets all processors of its share, not one of them
 *
 * Binds each process to a processor of its own, or several, if MPI has left them all on
 * the same ones.
 *
 * Returns: to how many, the least of all processes; 0 if it has not.
 */
int pd_mpi_bind (MPI_Comm comm, gboolean threads);

/**
 * pd_mpi_bind_fact:
 * @processors: as pd_mpi_bind() returned
 *
 * Adds to @output whether processes are bound, and by whom.
 */
void pd_mpi_bind_fact (PdSheet *output, int processors);

#endif
