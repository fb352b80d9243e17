/* What MPI-4 has added, with known arguments, for the tests of the recorder.
 * SPDX-License-Identifier: MIT */
#include <mpi.h>

enum
{
  N = 64
};

static int rank, size, next, before;
static int out[N], in[2][N];

static void
large_counts (void)
{
  MPI_Request request;
  MPI_Count counts[16];
  MPI_Aint places[16];

  MPI_Irecv_c (in[0], N, MPI_INT, before, 1, MPI_COMM_WORLD, &request);
  MPI_Send_c (out, 3, MPI_INT, next, 1, MPI_COMM_WORLD);
  MPI_Wait (&request, MPI_STATUS_IGNORE);
  for (int i = 0; i < size; i++)
    {
      counts[i] = i + 1;
      places[i] = 4 * i;
    }
  MPI_Allgatherv_c (out, rank + 1, MPI_INT, in[0], counts, places, MPI_INT, MPI_COMM_WORLD);
}

static void
both (void)
{
  MPI_Request request;

  MPI_Isendrecv (out, 4, MPI_INT, next, 2, in[0], 4, MPI_INT, before, 2, MPI_COMM_WORLD, &request);
  MPI_Wait (&request, MPI_STATUS_IGNORE);
  MPI_Isendrecv_replace (in[0], 5, MPI_INT, next, 3, before, 3, MPI_COMM_WORLD, &request);
  MPI_Wait (&request, MPI_STATUS_IGNORE);
  MPI_Isendrecv (out, 4, MPI_INT, rank == 0 ? MPI_PROC_NULL : rank - 1, 4, in[0], 4, MPI_INT,
                 rank == size - 1 ? MPI_PROC_NULL : rank + 1, 4, MPI_COMM_WORLD, &request);
  MPI_Wait (&request, MPI_STATUS_IGNORE);
}

static void
persistent (void)
{
  MPI_Request requests[2];

  MPI_Allreduce_init (out, in[0], 6, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
  MPI_Bcast_init (in[1], 7, MPI_INT, size - 1, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
  for (int i = 0; i < 2; i++)
    {
      MPI_Startall (2, requests);
      MPI_Waitall (2, requests, MPI_STATUSES_IGNORE);
    }
  MPI_Request_free (&requests[0]);
  MPI_Request_free (&requests[1]);
}

int
main (int argc, char **argv)
{
  MPI_Init (&argc, &argv);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  MPI_Comm_size (MPI_COMM_WORLD, &size);
  next = (rank + 1) % size;
  before = (rank + size - 1) % size;
  large_counts ();
  both ();
  persistent ();
  MPI_Finalize ();
  return 0;
}
