/* Requests of all kinds with known arguments, for the tests of the recorder.
 * SPDX-License-Identifier: MIT */
#include <mpi.h>

enum
{
  N = 64
};

static int rank, size, next, before;
static int out[N], in[8][N];

static void
waits (void)
{
  MPI_Request r[4];
  MPI_Status statuses[4];
  int index, n, indices[4];

  MPI_Irecv (in[0], N, MPI_INT, before, 1, MPI_COMM_WORLD, &r[0]);
  MPI_Isend (out, 1, MPI_INT, next, 1, MPI_COMM_WORLD, &r[1]);
  MPI_Wait (&r[0], &statuses[0]);
  MPI_Wait (&r[1], MPI_STATUS_IGNORE);

  /* two sends of different modes, a null request between the receives */
  MPI_Irecv (in[0], N, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &r[0]);
  r[1] = MPI_REQUEST_NULL;
  MPI_Irecv (in[1], N, MPI_INT, before, MPI_ANY_TAG, MPI_COMM_WORLD, &r[2]);
  MPI_Issend (out, 2, MPI_INT, next, 2, MPI_COMM_WORLD, &r[3]);
  MPI_Send (out, 3, MPI_INT, next, 3, MPI_COMM_WORLD);
  MPI_Waitall (4, r, MPI_STATUSES_IGNORE);

  /* nothing but null requests and messages to nobody */
  MPI_Isend (out, 1, MPI_INT, MPI_PROC_NULL, 4, MPI_COMM_WORLD, &r[0]);
  MPI_Irecv (in[0], 1, MPI_INT, MPI_PROC_NULL, 4, MPI_COMM_WORLD, &r[1]);
  MPI_Waitall (2, r, statuses);
  MPI_Waitany (2, r, &index, MPI_STATUS_IGNORE);
  MPI_Waitall (0, r, MPI_STATUSES_IGNORE);

  /* one at a time: only one can be complete */
  MPI_Irecv (in[0], N, MPI_INT, before, 5, MPI_COMM_WORLD, &r[1]);
  r[0] = MPI_REQUEST_NULL;
  MPI_Send (out, 4, MPI_INT, next, 5, MPI_COMM_WORLD);
  MPI_Waitany (2, r, &index, MPI_STATUS_IGNORE);
  MPI_Irecv (in[0], N, MPI_INT, before, 6, MPI_COMM_WORLD, &r[1]);
  MPI_Send (out, 5, MPI_INT, next, 6, MPI_COMM_WORLD);
  MPI_Waitsome (2, r, &n, indices, MPI_STATUSES_IGNORE);
}

/* Once in vain, then until it is there, which may be at once. */
static void
tests (void)
{
  MPI_Request r[2];
  int flag = 0, index, n, indices[2];

  MPI_Irecv (in[0], N, MPI_INT, before, 7, MPI_COMM_WORLD, &r[0]);
  MPI_Irecv (in[1], N, MPI_INT, before, 8, MPI_COMM_WORLD, &r[1]);
  MPI_Test (&r[0], &flag, MPI_STATUS_IGNORE);
  MPI_Testall (2, r, &flag, MPI_STATUSES_IGNORE);
  MPI_Testany (2, r, &index, &flag, MPI_STATUS_IGNORE);
  MPI_Testsome (2, r, &n, indices, MPI_STATUSES_IGNORE);
  MPI_Barrier (MPI_COMM_WORLD);
  MPI_Send (out, 6, MPI_INT, next, 7, MPI_COMM_WORLD);
  MPI_Send (out, 7, MPI_INT, next, 8, MPI_COMM_WORLD);
  MPI_Pcontrol (0);
  while (!flag)
    MPI_Testall (2, r, &flag, MPI_STATUSES_IGNORE);
  MPI_Pcontrol (1);
}

static void
persistent (void)
{
  MPI_Request r[3], one;

  MPI_Send_init (out, 8, MPI_INT, next, 9, MPI_COMM_WORLD, &r[0]);
  MPI_Ssend_init (out, 9, MPI_INT, next, 10, MPI_COMM_WORLD, &r[1]);
  MPI_Recv_init (in[0], N, MPI_INT, before, 9, MPI_COMM_WORLD, &r[2]);
  MPI_Recv_init (in[1], N, MPI_INT, MPI_ANY_SOURCE, 10, MPI_COMM_WORLD, &one);
  for (int i = 0; i < 2; i++)
    {
      MPI_Start (&one);
      MPI_Startall (3, r);
      MPI_Waitall (3, r, MPI_STATUSES_IGNORE);
      MPI_Wait (&one, MPI_STATUS_IGNORE);
    }
  MPI_Wait (&one, MPI_STATUS_IGNORE); /* not active */
  for (int i = 0; i < 3; i++)
    MPI_Request_free (&r[i]);
  MPI_Request_free (&one);
}

static void
cancelled (void)
{
  MPI_Request r;
  MPI_Status status;
  int flag;

  MPI_Irecv (in[0], N, MPI_INT, before, 11, MPI_COMM_WORLD, &r);
  MPI_Cancel (&r);
  MPI_Wait (&r, &status);
  MPI_Test_cancelled (&status, &flag);
  MPI_Isend (out, 10, MPI_INT, next, 12, MPI_COMM_WORLD, &r);
  MPI_Request_free (&r);
  MPI_Recv (in[0], N, MPI_INT, before, 12, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Many sends that are complete at once may have one handle. */
static void
many (void)
{
  MPI_Request r[100];

  for (int i = 0; i < 50; i++)
    MPI_Isend (out, 1, MPI_INT, next, 13, MPI_COMM_WORLD, &r[i]);
  for (int i = 50; i < 100; i++)
    MPI_Irecv (in[0], 1, MPI_INT, before, 13, MPI_COMM_WORLD, &r[i]);
  MPI_Waitall (100, r, MPI_STATUSES_IGNORE);
}

int
main (int argc, char **argv)
{
  MPI_Init (&argc, &argv);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  MPI_Comm_size (MPI_COMM_WORLD, &size);
  next = (rank + 1) % size;
  before = (rank + size - 1) % size;
  waits ();
  tests ();
  persistent ();
  cancelled ();
  many ();
  MPI_Finalize ();
  return 0;
}
