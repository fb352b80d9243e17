/* Collective operations, blocking or not, to which one rank comes late: all others come
 * at 0, the last rank at 10, or the root does.
 * SPDX-License-Identifier: MIT */
#include "planted.h"

#define WORLD     MPI_COMM_WORLD
#define LATE(who) (rank == (who) ? 10 : 0)

static int vector[64], result[64];

/* One to which rank WHO comes late. */
#define BLOCKING(who, what) CALL (LATE (who), 12, what)

static void
barrier (void)
{
  BLOCKING (1, MPI_Barrier (WORLD)); /* waits late */
}

static void
allreduce (void)
{
  BLOCKING (1, MPI_Allreduce (vector, result, 1, MPI_INT, MPI_SUM, WORLD)); /* waits late */
}

static void
allgather (void)
{
  BLOCKING (1, MPI_Allgather (vector, 1, MPI_INT, result, 1, MPI_INT, WORLD)); /* waits late */
}

static void
alltoall (void)
{
  BLOCKING (1, MPI_Alltoall (vector, 1, MPI_INT, result, 1, MPI_INT, WORLD)); /* waits late */
}

static void
bcast (void)
{
  BLOCKING (1, MPI_Bcast (vector, 1, MPI_INT, 1, WORLD)); /* waits late */
}

static void
scatter (void)
{
  BLOCKING (1, MPI_Scatter (vector, 1, MPI_INT, result, 1, MPI_INT, 1, WORLD)); /* waits late */
}

static void
reduce (void)
{
  BLOCKING (1, MPI_Reduce (vector, result, 1, MPI_INT, MPI_SUM, 0, WORLD)); /* waits late */
}

static void
gather (void)
{
  BLOCKING (1, MPI_Gather (vector, 1, MPI_INT, result, 1, MPI_INT, 0, WORLD)); /* waits late */
}

static void
scan (void)
{
  BLOCKING (0, MPI_Scan (vector, result, 1, MPI_INT, MPI_SUM, WORLD)); /* waits late */
}

static void
exscan (void)
{
  BLOCKING (0, MPI_Exscan (vector, result, 1, MPI_INT, MPI_SUM, WORLD)); /* waits late */
}

const Pattern collectives[] = {
  { "barrier", barrier },
  { "allreduce", allreduce },
  { "allgather", allgather },
  { "alltoall", alltoall },
  { "bcast", bcast },
  { "scatter", scatter },
  { "reduce", reduce },
  { "gather", gather },
  { "scan", scan },
  { "exscan", exscan },
  { NULL, NULL },
};
