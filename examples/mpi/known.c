/* Two ranks whose figures are known: both follow a timetable, in units of a
 * millisecond or as told, and keep busy until each entry.
 *
 *   unit  rank 0            rank 1             what it shows
 *    0    interval 1 begins interval 1 begins
 *    1                      receive
 *    4    send                                 Real Sync 3
 *   10    barrier
 *   15                      barrier            Potential Sync 5
 *   20    broadcasts
 *   26                      broadcast          Potential Sync 6, Time Variation 6
 *   30    begins to send
 *   31                      begins to receive
 *   34    waits                                Overlap 4
 *   36                      waits              Overlap 5
 *   42    interval ends
 *   50                      interval ends      Idle 8, Load Imbalance 50 - 3 - (42 - 5) = 10
 *
 *   mpiexec -n 2 ./known [MICROSECONDS]
 * SPDX-License-Identifier: MIT */
#include "busy.h" /* first: it says which functions of the system it needs */

#include <mpi.h>

static double begin, unit;

static void
until (int entry)
{
  busy (begin + entry * unit - now ());
}

static void
first (void)
{
  double value = 1;
  MPI_Request request;

  until (0);
  MPI_Pcontrol (100, 1);
  until (4);
  MPI_Send (&value, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
  until (10);
  MPI_Barrier (MPI_COMM_WORLD);
  until (20);
  MPI_Bcast (&value, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  until (30);
  MPI_Isend (&value, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, &request);
  until (34);
  MPI_Wait (&request, MPI_STATUS_IGNORE);
  until (42);
  MPI_Pcontrol (101, 1);
}

static void
second (void)
{
  double value;
  MPI_Request request;

  until (0);
  MPI_Pcontrol (100, 1);
  until (1);
  MPI_Recv (&value, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  until (15);
  MPI_Barrier (MPI_COMM_WORLD);
  until (26);
  MPI_Bcast (&value, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  until (31);
  MPI_Irecv (&value, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &request);
  until (36);
  MPI_Wait (&request, MPI_STATUS_IGNORE);
  until (50);
  MPI_Pcontrol (101, 1);
}

int
main (int argc, char **argv)
{
  int rank;

  MPI_Init (&argc, &argv);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  unit = 1e-6 * argument (argc, argv, 1, 1000);
  /* the ranks of one node have one clock */
  begin = now () + 5 * unit;
  MPI_Bcast (&begin, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  if (rank == 0)
    first ();
  else if (rank == 1)
    second ();
  MPI_Finalize ();
  return 0;
}
