/* The time of an MPI program from the end of MPI_Init to the beginning of MPI_Finalize, on the
 * slowest rank: a line of seconds at the end of the file $WALL. Loaded before the MPI library; it
 * does nothing in between, so that it does not disturb the run. Ranks leave MPI_Init milliseconds
 * apart: they meet before the time begins, as recorded ones do.
 * SPDX-License-Identifier: MIT */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

void pmpi_init_ (int *status);
void pmpi_finalize_ (int *status);
void mpi_init_ (int *status);
void mpi_finalize_ (int *status);

static double began;
static int is_over; /* a Fortran binding may call that of C */

static double
now (void)
{
  struct timespec t;

  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

static void
begin (void)
{
  PMPI_Barrier (MPI_COMM_WORLD);
  began = now ();
}

static void
finish (void)
{
  double own = now () - began, longest = 0;
  const char *path = getenv ("WALL");
  int rank;

  if (is_over++)
    return;
  PMPI_Reduce (&own, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  PMPI_Comm_rank (MPI_COMM_WORLD, &rank);
  FILE *file = rank == 0 && path != NULL ? fopen (path, "a") : NULL;
  if (file == NULL)
    return;
  fprintf (file, "%.9f\n", longest);
  fclose (file);
}

int
MPI_Init (int *argc, char ***argv)
{
  int status = PMPI_Init (argc, argv);

  begin ();
  return status;
}

int
MPI_Finalize (void)
{
  finish ();
  return PMPI_Finalize ();
}

void
mpi_init_ (int *status)
{
  pmpi_init_ (status);
  begin ();
}

void
mpi_finalize_ (int *status)
{
  finish ();
  pmpi_finalize_ (status);
}
