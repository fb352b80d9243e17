/* The cost of recording: calls of MPI, which go through the recorder, against calls
 * of PMPI, which bypass it, by turns in one process; the least of many rounds.
 * Under the recorder with two ranks.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct
{
  int (*comm_rank) (MPI_Comm, int *);
  int (*isend) (const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
  int (*irecv) (void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
  int (*wait) (MPI_Request *, MPI_Status *);
  int (*waitall) (int, MPI_Request *, MPI_Status *);
  int (*allreduce) (const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
} Calls;

static const Calls with = { MPI_Comm_rank, MPI_Isend,   MPI_Irecv,
                            MPI_Wait,      MPI_Waitall, MPI_Allreduce };
static const Calls without = { PMPI_Comm_rank, PMPI_Isend,   PMPI_Irecv,
                               PMPI_Wait,      PMPI_Waitall, PMPI_Allreduce };

static int rank, size;

static double
now (void)
{
  struct timespec t;

  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

/* ---- one call after the other; each returns how many calls it makes */

enum
{
  N_CALLS = 3000 /* more than stacks are remembered */
};

static __attribute__ ((noinline)) int
empty_calls (const Calls *mpi)
{
  int me;

  for (int i = 0; i < N_CALLS; i++)
    mpi->comm_rank (MPI_COMM_WORLD, &me);
  return N_CALLS;
}

/* From changing places of the stack, which no table of known places can hold. */
static __attribute__ ((noinline)) int
moving_calls (const Calls *mpi)
{
  static int place;
  int me;

  for (int i = 0; i < N_CALLS; i++)
    {
      volatile char *room = __builtin_alloca (16);

      room[0] = (char) place++;
      mpi->comm_rank (MPI_COMM_WORLD, &me);
    }
  return N_CALLS;
}

static __attribute__ ((noinline)) int
messages_to_self (const Calls *mpi)
{
  MPI_Request requests[2];
  int out = 1, in;

  for (int i = 0; i < N_CALLS / 4; i++)
    {
      mpi->irecv (&in, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, &requests[0]);
      mpi->isend (&out, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, &requests[1]);
      mpi->wait (&requests[0], MPI_STATUS_IGNORE);
      mpi->wait (&requests[1], MPI_STATUS_IGNORE);
    }
  return N_CALLS;
}

/* Deep enough for any depth of stacks. */
static __attribute__ ((noinline)) int
deeper (int (*work) (const Calls *), const Calls *mpi, volatile int depth)
{
  int n = depth > 0 ? deeper (work, mpi, depth - 1) : work (mpi);

  return n + (depth - depth);
}

static void
report_calls (const char *what, int (*work) (const Calls *))
{
  double least[2] = { 1e9, 1e9 };

  for (int round = 0; round < 40; round++)
    for (int i = 0; i < 2; i++)
      {
        double begin = now ();
        int n = deeper (work, i == 0 ? &without : &with, 6);

        least[i] = fmin (least[i], (now () - begin) / n);
      }
  if (rank == 0)
    printf ("%-34s %7.3f us without, %7.3f us with, %6.3f us per call\n", what, 1e6 * least[0],
            1e6 * least[1], 1e6 * (least[1] - least[0]));
}

/* ---- halo exchange: a square of each rank, two neighbours in a ring, a
 * reduction now and then */

enum
{
  SIDE = 512,
  STEPS = 4 /* few: the shorter, the more rounds are undisturbed */
};

static double grid[2][SIDE + 2][SIDE];

static void
exchange (const Calls *mpi, double (*u)[SIDE])
{
  int up = (rank + 1) % size, down = (rank + size - 1) % size;
  MPI_Request requests[4];

  mpi->irecv (u[0], SIDE, MPI_DOUBLE, down, 1, MPI_COMM_WORLD, &requests[0]);
  mpi->irecv (u[SIDE + 1], SIDE, MPI_DOUBLE, up, 2, MPI_COMM_WORLD, &requests[1]);
  mpi->isend (u[SIDE], SIDE, MPI_DOUBLE, up, 1, MPI_COMM_WORLD, &requests[2]);
  mpi->isend (u[1], SIDE, MPI_DOUBLE, down, 2, MPI_COMM_WORLD, &requests[3]);
  mpi->waitall (4, requests, MPI_STATUSES_IGNORE);
}

static double
relax (double (*to)[SIDE], double (*from)[SIDE])
{
  double change = 0;

  for (int i = 1; i <= SIDE; i++)
    for (int j = 1; j < SIDE - 1; j++)
      {
        to[i][j] = 0.25 * (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]);
        change += fabs (to[i][j] - from[i][j]);
      }
  return change;
}

static void
halo (const Calls *mpi)
{
  for (int step = 0; step < STEPS; step++)
    {
      double change, total;

      exchange (mpi, grid[step % 2]);
      change = relax (grid[1 - step % 2], grid[step % 2]);
      if (step % STEPS == STEPS - 1)
        mpi->allreduce (&change, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
}

/* For some seconds by the clock of rank 0: where others want the processors, too,
 * a round may take very long. */
static int
is_time_left (double since)
{
  int goes_on = now () - since < 4;

  PMPI_Bcast (&goes_on, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return goes_on;
}

static void
report_halo (void)
{
  double least[2] = { 1e9, 1e9 }, since = now ();
  int n_rounds = 0;

  while (is_time_left (since))
    {
      for (int i = 0; i < 2; i++)
        {
          double begin;

          PMPI_Barrier (MPI_COMM_WORLD);
          begin = now ();
          halo (i == 0 ? &without : &with);
          least[i] = fmin (least[i], now () - begin);
        }
      n_rounds++;
    }
  if (rank == 0)
    printf ("%-34s %7.3f ms without, %7.3f ms with, %6.2f %%, %d rounds\n",
            "halo exchange, 4 steps of 512x512", 1e3 * least[0], 1e3 * least[1],
            100 * (least[1] / least[0] - 1), n_rounds);
}

int
main (int argc, char **argv)
{
  MPI_Init (&argc, &argv);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  MPI_Comm_size (MPI_COMM_WORLD, &size);
  for (int i = 0; i < SIDE + 2; i++)
    for (int j = 0; j < SIDE; j++)
      grid[0][i][j] = i * j % 7;
  memcpy (grid[1], grid[0], sizeof grid[0]);
  report_calls ("MPI_Comm_rank", empty_calls);
  report_calls ("MPI_Irecv, Isend, Wait, Wait", messages_to_self);
  report_calls ("MPI_Comm_rank, unknown stacks", moving_calls);
  report_halo ();
  MPI_Finalize ();
  return 0;
}
