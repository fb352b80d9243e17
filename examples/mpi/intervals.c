/* Intervals inside intervals, entered again and again: 1 is a time step, in it 2 the
 * solution and 3 the output. The planted problem: rank 0 alone writes, in interval 3,
 * and the others wait for it in the reduction at the beginning of the next step; and
 * all ranks prepare the same table, which is marked as such. With more WRITERS the
 * output is divided among them.
 *
 *   mpiexec -n 4 ./intervals [STEPS [MICROSECONDS [WRITERS]]]
 * SPDX-License-Identifier: MIT */
#include "busy.h" /* first: it says which functions of the system it needs */

#include <mpi.h>

static void
solve (double work)
{
  double residual = 1, sum;

  MPI_Pcontrol (100, 2);
  MPI_Allreduce (&residual, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  busy (work);
  MPI_Pcontrol (101, 2);
}

static void
output (int rank, int writers, double work)
{
  MPI_Pcontrol (100, 3);
  if (rank < writers)
    busy (work / writers);
  MPI_Pcontrol (101, 3);
}

int
main (int argc, char **argv)
{
  int rank;

  MPI_Init (&argc, &argv);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  int steps = argument (argc, argv, 1, 20);
  double work = 1e-6 * argument (argc, argv, 2, 1000);
  int writers = argument (argc, argv, 3, 1);

  MPI_Pcontrol (200, 1);
  busy (5 * work);
  MPI_Pcontrol (201, 1);
  for (int step = 0; step < steps; step++)
    {
      MPI_Pcontrol (100, 1);
      solve (work);
      output (rank, writers, work);
      MPI_Pcontrol (101, 1);
    }
  MPI_Barrier (MPI_COMM_WORLD);
  MPI_Finalize ();
  return 0;
}
