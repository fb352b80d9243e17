/* Ranks without MPI: forked processes, each connected with rank 0, for tests of
 * the recorder.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TEST_FORK_MPI_H
#define PD_TEST_FORK_MPI_H

#include "record/stream/pd-rec.h"

#include <glib.h>

/* What a rank does; what it returns is the exit status of its process. */
typedef int (*TestRank) (const PdRecMpi *mpi, gpointer data);

/* Runs @rank @size times at once. Returns the wait status of each process.
 * (transfer full) (array length=size) */
int *test_fork_mpi (int size, TestRank rank, gpointer data);

#endif
