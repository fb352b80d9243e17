/* Messages with known arguments, for the tests of the recorder. Rank r sends to
 * r + 1 and receives from r - 1.
 * SPDX-License-Identifier: MIT */
#include <mpi.h>
#include <stdlib.h>

enum
{
  N = 64
};

static int rank, size, next, before;
static double out[N], in[N];

/* To the next rank, with each mode; even ranks send first. */
static void
blocking (void)
{
  static char room[8192];
  MPI_Status status;
  void *detached;
  int n;

  MPI_Buffer_attach (room, sizeof room);
  MPI_Bsend (out, 10, MPI_DOUBLE, next, 1, MPI_COMM_WORLD); /* 80 bytes */
  MPI_Recv (in, N, MPI_DOUBLE, before, 1, MPI_COMM_WORLD, &status);
  MPI_Buffer_detach (&detached, &n);
  if (rank % 2 == 0)
    {
      MPI_Send (out, 3, MPI_INT, next, 2, MPI_COMM_WORLD);   /* 12 */
      MPI_Ssend (out, 5, MPI_CHAR, next, 3, MPI_COMM_WORLD); /* 5 */
      MPI_Recv (in, N, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Recv (in, N, MPI_CHAR, before, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  else
    {
      MPI_Recv (in, N, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Recv (in, N, MPI_CHAR, before, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send (out, 3, MPI_INT, next, 2, MPI_COMM_WORLD);
      MPI_Ssend (out, 5, MPI_CHAR, next, 3, MPI_COMM_WORLD);
    }
  MPI_Send (out, 1, MPI_INT, MPI_PROC_NULL, 4, MPI_COMM_WORLD);
  MPI_Recv (in, 1, MPI_INT, MPI_PROC_NULL, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* A ready send may only come when the receive is there. */
static void
ready (void)
{
  MPI_Request request;

  MPI_Irecv (in, N, MPI_INT, before, 5, MPI_COMM_WORLD, &request);
  MPI_Barrier (MPI_COMM_WORLD);
  MPI_Rsend (out, 7, MPI_INT, next, 5, MPI_COMM_WORLD); /* 28 */
  MPI_Wait (&request, MPI_STATUS_IGNORE);
}

static void
both (void)
{
  MPI_Datatype pairs;

  MPI_Sendrecv (out, 4, MPI_INT, next, 6, in, N, MPI_INT, before, 6, MPI_COMM_WORLD,
                MPI_STATUS_IGNORE);
  MPI_Sendrecv_replace (in, 6, MPI_DOUBLE, next, 7, before, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv (out, 1, MPI_INT, MPI_PROC_NULL, 8, in, 1, MPI_INT, MPI_PROC_NULL, 8, MPI_COMM_WORLD,
                MPI_STATUS_IGNORE);
  MPI_Type_vector (3, 2, 4, MPI_DOUBLE, &pairs); /* 48 bytes */
  MPI_Type_commit (&pairs);
  MPI_Sendrecv (out, 2, pairs, next, 9, in, 12, MPI_DOUBLE, before, MPI_ANY_TAG, MPI_COMM_WORLD,
                MPI_STATUS_IGNORE);
  MPI_Type_free (&pairs);
}

static void
matched (void)
{
  MPI_Message message;
  MPI_Request requests[3];
  MPI_Status status;
  int flag = 0;

  MPI_Isend (out, 9, MPI_INT, next, 10, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend (out, 11, MPI_INT, next, 11, MPI_COMM_WORLD, &requests[1]);
  MPI_Probe (before, 10, MPI_COMM_WORLD, &status);
  MPI_Mprobe (MPI_ANY_SOURCE, 10, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
  MPI_Mrecv (in, N, MPI_INT, &message, MPI_STATUS_IGNORE); /* 36 */
  MPI_Probe (before, 11, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Improbe (before, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &message, &status);
  if (!flag)
    MPI_Abort (MPI_COMM_WORLD, 1);
  MPI_Imrecv (in, N, MPI_INT, &message, &requests[2]); /* 44 */
  MPI_Waitall (3, requests, MPI_STATUSES_IGNORE);
}

int
main (int argc, char **argv)
{
  int is_there = 0;

  MPI_Initialized (&is_there);
  MPI_Init (&argc, &argv);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  MPI_Comm_size (MPI_COMM_WORLD, &size);
  next = (rank + 1) % size;
  before = (rank + size - 1) % size;
  blocking ();
  ready ();
  both ();
  matched ();
  MPI_Finalize ();
  MPI_Finalized (&is_there);
  return !is_there;
}
