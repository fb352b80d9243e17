/* A pipeline: each rank computes a block when it has what the rank before computed
 * of it. The planted problem: blocks are so large that the last rank waits for most
 * of the run before it has anything to do, and the first one at the end for the last:
 * try more and smaller blocks.
 *
 *   mpiexec -n 4 ./pipeline [BLOCKS [MICROSECONDS]]
 * SPDX-License-Identifier: MIT */
#include "busy.h" /* first: it says which functions of the system it needs */

#include <mpi.h>

#define SIZE 256 /* doubles of a block's edge */

static double edge[SIZE];

static void
compute_block (int rank, int size, int block, double work)
{
  if (rank > 0)
    MPI_Recv (edge, SIZE, MPI_DOUBLE, rank - 1, block, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  busy (work);
  if (rank < size - 1)
    MPI_Send (edge, SIZE, MPI_DOUBLE, rank + 1, block, MPI_COMM_WORLD);
}

int
main (int argc, char **argv)
{
  int rank, size;

  MPI_Init (&argc, &argv);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  MPI_Comm_size (MPI_COMM_WORLD, &size);
  int blocks = argument (argc, argv, 1, 3);
  double work = 1e-6 * argument (argc, argv, 2, 30000) / blocks;

  for (int block = 0; block < blocks; block++)
    compute_block (rank, size, block, work);
  MPI_Barrier (MPI_COMM_WORLD);
  MPI_Finalize ();
  return 0;
}
