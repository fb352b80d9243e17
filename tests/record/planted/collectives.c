/* Collective operations, blocking or not, to which one rank comes late: it at 10, all
 * others at 0.
 * SPDX-License-Identifier: MIT */
#include "planted.h"

#define WORLD     MPI_COMM_WORLD
#define SHARED    MPI_COMM_TYPE_SHARED
#define LATE(who) (rank == (who) ? 10 : 0)

static int vector[64], result[64];
static MPI_Status statuses[2];

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

/* A blocking operation between one that does not block and the wait for it. */
static void
ibarrier_and_barrier (void)
{
  MPI_Request request;

  CALL (0, 1, MPI_Ibarrier (WORLD, &request));
  CALL (1 + LATE (1), 12, MPI_Barrier (WORLD)); /* waits late */
  CALL (12, 13, MPI_Wait (&request, MPI_STATUS_IGNORE));
}

static void
ibarrier (void)
{
  MPI_Request request;

  CALL (LATE (1), LATE (1) + 1, /* late */
        MPI_Ibarrier (WORLD, &request));
  CALL (LATE (1) + 1, 12, MPI_Wait (&request, MPI_STATUS_IGNORE)); /* waits */
}

static void
iallreduce (void)
{
  MPI_Request request;

  CALL (LATE (1), LATE (1) + 1, /* late */
        MPI_Iallreduce (vector, result, 1, MPI_INT, MPI_SUM, WORLD, &request));
  CALL (LATE (1) + 1, 12, MPI_Wait (&request, MPI_STATUS_IGNORE)); /* waits */
}

static void
iallgather (void)
{
  MPI_Request request;

  CALL (LATE (1), LATE (1) + 1, /* late */
        MPI_Iallgather (vector, 1, MPI_INT, result, 1, MPI_INT, WORLD, &request));
  CALL (LATE (1) + 1, 12, MPI_Wait (&request, MPI_STATUS_IGNORE)); /* waits */
}

static void
ialltoall (void)
{
  MPI_Request request;

  CALL (LATE (1), LATE (1) + 1, /* late */
        MPI_Ialltoall (vector, 1, MPI_INT, result, 1, MPI_INT, WORLD, &request));
  CALL (LATE (1) + 1, 12, MPI_Wait (&request, MPI_STATUS_IGNORE)); /* waits */
}

static void
ibcast (void)
{
  MPI_Request request;

  CALL (LATE (1), LATE (1) + 1, /* late */
        MPI_Ibcast (vector, 1, MPI_INT, 1, WORLD, &request));
  CALL (LATE (1) + 1, 12, MPI_Wait (&request, MPI_STATUS_IGNORE)); /* waits */
}

static void
ireduce (void)
{
  MPI_Request request;

  CALL (LATE (1), LATE (1) + 1, /* late */
        MPI_Ireduce (vector, result, 1, MPI_INT, MPI_SUM, 0, WORLD, &request));
  CALL (LATE (1) + 1, 12, MPI_Wait (&request, MPI_STATUS_IGNORE)); /* waits */
}

static void
igather (void)
{
  MPI_Request request;

  CALL (LATE (1), LATE (1) + 1, /* late */
        MPI_Igather (vector, 1, MPI_INT, result, 1, MPI_INT, 0, WORLD, &request));
  CALL (LATE (1) + 1, 12, MPI_Wait (&request, MPI_STATUS_IGNORE)); /* waits */
}

static void
iscan (void)
{
  MPI_Request request;

  CALL (LATE (0), LATE (0) + 1, /* late */
        MPI_Iscan (vector, result, 1, MPI_INT, MPI_SUM, WORLD, &request));
  CALL (LATE (0) + 1, 12, MPI_Wait (&request, MPI_STATUS_IGNORE)); /* waits */
}

static void
iallreduce_of_waitall (void)
{
  MPI_Request requests[2];

  CALL (LATE (1), LATE (1) + 1,
        MPI_Iallreduce (vector, result, 1, MPI_INT, MPI_SUM, WORLD, &requests[0]));
  CALL (LATE (1) + 1, LATE (1) + 1, /* late */
        MPI_Iallreduce (vector + 1, result + 1, 1, MPI_INT, MPI_SUM, WORLD, &requests[1]));
  CALL (LATE (1) + 1, 12, MPI_Waitall (2, requests, statuses)); /* waits */
}

/* ---- operations that make something */

static MPI_Comm made;
static MPI_Win win;
static void *base;
static const int periods[1];

/* ---- neighbours: ranks in a line, made by all at once */

static MPI_Comm line;

static void
make_line (void)
{
  int periodic = 0;

  CALL (0, 1, MPI_Cart_create (WORLD, 1, &n_ranks, &periodic, 0, &line));
}

#define OF_LINE(who) (rank == (who) ? 10 : 1)

static void
neighbour_allgather (void)
{
  make_line ();
  CALL (OF_LINE (1), 12,
        MPI_Neighbor_allgather (vector, 1, MPI_INT, result, 1, MPI_INT, line)); /* waits late */
  UNSEEN (PMPI_Comm_free (&line));
}

/* Only the one beside it waits for the first. */
static void
neighbour_of_end (void)
{
  make_line ();
  CALL (OF_LINE (0), rank == 2 ? 3 : 12,
        MPI_Neighbor_alltoall (vector, 1, MPI_INT, result, 1, MPI_INT, line)); /* waits late */
  UNSEEN (PMPI_Comm_free (&line));
}

static void
neighbour_alltoallv (void)
{
  int counts[] = { 2, 2 }, places[] = { 0, 2 };

  make_line ();
  CALL (OF_LINE (1), 12, /* late */
        MPI_Neighbor_alltoallv (vector, counts, places, MPI_INT, result, counts, places, MPI_INT,
                                line)); /* waits */
  UNSEEN (PMPI_Comm_free (&line));
}

static void
ineighbour_allgather (void)
{
  MPI_Request request;

  make_line ();
  CALL (OF_LINE (1), OF_LINE (1) + 1, /* late */
        MPI_Ineighbor_allgather (vector, 1, MPI_INT, result, 1, MPI_INT, line, &request));
  CALL (OF_LINE (1) + 1, 12, MPI_Wait (&request, MPI_STATUS_IGNORE)); /* waits */
  UNSEEN (PMPI_Comm_free (&line));
}

static void
comm_dup (void)
{
  CALL (LATE (1), 12, MPI_Comm_dup (WORLD, &made)); /* waits late */
  UNSEEN (PMPI_Comm_free (&made));
}

static void
comm_split (void)
{
  CALL (LATE (1), 12, MPI_Comm_split (WORLD, 0, rank, &made)); /* waits late */
  UNSEEN (PMPI_Comm_free (&made));
}

static void
comm_split_type (void)
{
  CALL (LATE (1), 12,
        MPI_Comm_split_type (WORLD, SHARED, 0, MPI_INFO_NULL, &made)); /* waits late */
  UNSEEN (PMPI_Comm_free (&made));
}

static void
cart_create (void)
{
  CALL (LATE (1), 12, MPI_Cart_create (WORLD, 1, &n_ranks, periods, 0, &made)); /* waits late */
  UNSEEN (PMPI_Comm_free (&made));
}

static void
win_create (void)
{
  CALL (LATE (1), 12,
        MPI_Win_create (vector, sizeof vector, 1, MPI_INFO_NULL, WORLD, &win)); /* waits late */
  UNSEEN (PMPI_Win_free (&win));
}

static void
win_allocate (void)
{
  CALL (LATE (1), 12, MPI_Win_allocate (64, 1, MPI_INFO_NULL, WORLD, &base, &win)); /* waits late */
  UNSEEN (PMPI_Win_free (&win));
}

static void
comm_create (void)
{
  static MPI_Group group;

  CALL (0, 0, MPI_Comm_group (WORLD, &group));
  CALL (LATE (1), 12, MPI_Comm_create (WORLD, group, &made)); /* waits late */
  UNSEEN (PMPI_Comm_free (&made));
}

static void
win_free (void)
{
  CALL (0, 1, MPI_Win_create (vector, sizeof vector, 1, MPI_INFO_NULL, WORLD, &win));
  CALL (1 + LATE (1), 12, MPI_Win_free (&win)); /* waits late */
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
  { "ibarrier", ibarrier },
  { "iallreduce", iallreduce },
  { "iallgather", iallgather },
  { "ialltoall", ialltoall },
  { "ibcast", ibcast },
  { "ireduce", ireduce },
  { "igather", igather },
  { "iscan", iscan },
  { "iallreduce_of_waitall", iallreduce_of_waitall },
  { "ibarrier_and_barrier", ibarrier_and_barrier },
  { "neighbour_allgather", neighbour_allgather },
  { "neighbour_of_end", neighbour_of_end },
  { "neighbour_alltoallv", neighbour_alltoallv },
  { "ineighbour_allgather", ineighbour_allgather },
  { "comm_dup", comm_dup },
  { "comm_split", comm_split },
  { "comm_split_type", comm_split_type },
  { "cart_create", cart_create },
  { "win_create", win_create },
  { "win_allocate", win_allocate },
  { "comm_create", comm_create },
  { "win_free", win_free },
  { NULL, NULL },
};
