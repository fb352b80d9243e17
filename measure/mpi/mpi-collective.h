/* Measuring collective operations on some of the processes: rounds over all cases, each
 * with buffers of its own, between comparisons of clocks.
 * SPDX-License-Identifier: MIT */
#ifndef MPI_COLLECTIVE_H
#define MPI_COLLECTIVE_H

#include "measure/mpi/mpi-collective-run.h"

/**
 * pd_collective_measure:
 * The first @processes measure all operations and sizes, the others sleep; rows are added
 * at rank 0. Returns FALSE with @error set at all processes of which some measured.
 */
gboolean pd_collective_measure (PdCollectiveRun *self, int processes, GError **error);

#endif
