/* A halo exchange in a ring: every step computes and exchanges borders with both
 * neighbours. The planted problem: the last rank has twice the work of the others,
 * or as many times as told, so that all wait for it.
 *
 *   mpiexec -n 4 ./halo [STEPS [MICROSECONDS [TIMES]]]
 * SPDX-License-Identifier: MIT */
#include "busy.h" /* first: it says which functions of the system it needs */

#include <mpi.h>

#define BORDER 1024 /* doubles */

static double halo[2][BORDER], border[2][BORDER];

static void
exchange (int left, int right)
{
  MPI_Request requests[4];
  MPI_Status statuses[4];

  MPI_Irecv (halo[0], BORDER, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv (halo[1], BORDER, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend (border[1], BORDER, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend (border[0], BORDER, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[3]);
  MPI_Waitall (4, requests, statuses);
}

int
main (int argc, char **argv)
{
  int rank, size;

  MPI_Init (&argc, &argv);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  MPI_Comm_size (MPI_COMM_WORLD, &size);
  int steps = argument (argc, argv, 1, 50);
  double work = 1e-6 * argument (argc, argv, 2, 1000);
  int times = argument (argc, argv, 3, 2);

  MPI_Pcontrol (100, 1);
  for (int step = 0; step < steps; step++)
    {
      busy (rank == size - 1 ? times * work : work);
      exchange ((rank + size - 1) % size, (rank + 1) % size);
    }
  MPI_Pcontrol (101, 1);
  MPI_Finalize ();
  return 0;
}
