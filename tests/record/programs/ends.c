/* Exchanges with both neighbours in a ring, and an end of choice:
 *   ends ROUNDS [abort|kill|exit|status|late|fork]
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <mpi.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define N 100

static double out[2 * N], in[2 * N];

static void
exchange (int rank, int size)
{
  MPI_Request requests[4];
  MPI_Status statuses[4];
  int left = (rank + size - 1) % size, right = (rank + 1) % size;

  MPI_Irecv (in, N, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv (in + N, N, MPI_DOUBLE, right, 2, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend (out, N, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend (out + N, N, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, &requests[3]);
  MPI_Waitall (4, requests, statuses);
}

/* In the middle of the run, on rank 1. */
static void
end_early (const char *how)
{
  if (strcmp (how, "abort") == 0)
    MPI_Abort (MPI_COMM_WORLD, 3);
  if (strcmp (how, "kill") == 0)
    raise (SIGKILL);
  if (strcmp (how, "exit") == 0)
    exit (5);
}

/* The child does what it may not do; nobody shall see it. */
static int
fork_child (void)
{
  pid_t child = fork ();
  int status, rank;

  if (child == 0)
    {
      for (int i = 0; i < 1000; i++)
        MPI_Comm_rank (MPI_COMM_WORLD, &rank);
      _exit (0);
    }
  waitpid (child, &status, 0);
  return WIFEXITED (status) ? WEXITSTATUS (status) : 1;
}

static int
after_finalize (void)
{
  int is_finalized = 0;

  MPI_Finalized (&is_finalized);
  return is_finalized ? 0 : 1;
}

int
main (int argc, char **argv)
{
  int rank, size, status = 0, rounds = argc > 1 ? atoi (argv[1]) : 10;
  const char *how = argc > 2 ? argv[2] : "";
  double own = 1, sum;

  MPI_Init (&argc, &argv);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  MPI_Comm_size (MPI_COMM_WORLD, &size);
  MPI_Pcontrol (100, 7);
  for (int i = 0; i < rounds; i++)
    {
      exchange (rank, size);
      if (rank == 1 && i == rounds / 2)
        end_early (how);
      MPI_Allreduce (&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
  MPI_Pcontrol (101, 7);
  if (strcmp (how, "fork") == 0)
    status = fork_child ();
  if (rank == 0)
    printf ("sum %g\n", sum);
  MPI_Finalize ();
  if (strcmp (how, "late") == 0)
    status = after_finalize ();
  return strcmp (how, "status") == 0 ? 7 : status;
}
