/* Calls that ask again and again for what comes late.
 * SPDX-License-Identifier: MIT */
#include "planted.h"

#define WORLD MPI_COMM_WORLD

static int done, n_done, which, places[2];
static MPI_Status status, statuses[2];
static MPI_Request request, requests[2];
static MPI_Message message;

/* A message from rank 0, which all others let it send. */
#define SEND_LATE(tag)                                                                             \
  do                                                                                               \
    {                                                                                              \
      meet ();                                                                                     \
      CALL (10, 11, MPI_Send (out, 8, MPI_BYTE, 1, tag, WORLD));                                   \
    }                                                                                              \
  while (0)

#define RECEIVE CALL (12, 13, MPI_Recv (in, 8, MPI_BYTE, 0, 0, WORLD, MPI_STATUS_IGNORE))

static void
probe (void)
{
  if (rank == 0)
    SEND_LATE (0); /* late */
  else
    {
      meet ();
      CALL (2, 12, MPI_Probe (0, 0, WORLD, &status)); /* waits */
      RECEIVE;
    }
}

static void
mprobe (void)
{
  if (rank == 0)
    SEND_LATE (0); /* late */
  else
    {
      meet ();
      CALL (2, 12, MPI_Mprobe (MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &message, &status)); /* waits */
      CALL (12, 13, MPI_Mrecv (in, 8, MPI_BYTE, &message, &status));
    }
}

static void
iprobe (void)
{
  if (rank == 0)
    SEND_LATE (0); /* late */
  else
    {
      POLL (2, 2, 0, 4, 12, MPI_Iprobe (0, 0, WORLD, &done, &status), /* waits */
            PMPI_Iprobe (0, 0, WORLD, &done, &status), done);
      RECEIVE;
    }
}

/* Two units of computation between polls of one: 5 of 8 units are spent in polls. */
static void
iprobe_and_compute (void)
{
  if (rank == 0)
    SEND_LATE (0); /* late */
  else
    {
      POLL (0, 1, 2, 4, 13, MPI_Iprobe (0, 0, WORLD, &done, &status), /* waits */
            PMPI_Iprobe (0, 0, WORLD, &done, &status), done);
      CALL (13, 14, MPI_Recv (in, 8, MPI_BYTE, 0, 0, WORLD, MPI_STATUS_IGNORE));
    }
}

static void
improbe (void)
{
  if (rank == 0)
    SEND_LATE (0); /* late */
  else
    {
      POLL (2, 2, 0, 4, 12, MPI_Improbe (0, 0, WORLD, &done, &message, &status), /* waits */
            PMPI_Iprobe (0, 0, WORLD, &done, &status), done);
      CALL (12, 13, MPI_Mrecv (in, 8, MPI_BYTE, &message, &status));
    }
}

static void
test (void)
{
  if (rank == 0)
    SEND_LATE (0); /* late */
  else
    {
      CALL (0, 1, MPI_Irecv (in, 8, MPI_BYTE, 0, 0, WORLD, &request));
      POLL (2, 2, 0, 4, 12, MPI_Test (&request, &done, &status), /* waits */
            PMPI_Request_get_status (request, &done, &status), done);
    }
}

static void
test_and_wait (void)
{
  if (rank == 0)
    SEND_LATE (0); /* late */
  else
    {
      CALL (0, 1, MPI_Irecv (in, 8, MPI_BYTE, 0, 0, WORLD, &request));
      CALL (2, 4, MPI_Test (&request, &done, &status)); /* waits */
      meet ();
      CALL (6, 12, MPI_Wait (&request, &status));
    }
}

/* Of two messages; one is there from the beginning, and is received with another call. */
static void
testall (void)
{
  if (rank == 0)
    {
      CALL (0, 1, MPI_Send (out, 8, MPI_BYTE, 1, 1, WORLD));
      SEND_LATE (0); /* late */
      return;
    }
  CALL (0, 1, MPI_Irecv (in, 8, MPI_BYTE, 0, 0, WORLD, &requests[0]));
  CALL (1, 2, MPI_Irecv (in + 8, 8, MPI_BYTE, 0, 1, WORLD, &requests[1]));
  POLL (2, 2, 0, 4, 12, MPI_Testall (2, requests, &done, statuses), /* waits */
        PMPI_Request_get_status (requests[0], &done, &status), done);
}

static void
testany (void)
{
  if (rank == 0)
    SEND_LATE (0); /* late */
  else
    {
      requests[1] = MPI_REQUEST_NULL;
      CALL (0, 1, MPI_Irecv (in, 8, MPI_BYTE, 0, 0, WORLD, &requests[0]));
      POLL (2, 2, 0, 4, 12, MPI_Testany (2, requests, &which, &done, &status), /* waits */
            PMPI_Request_get_status (requests[0], &done, &status), done);
    }
}

static void
testsome (void)
{
  if (rank == 0)
    SEND_LATE (0); /* late */
  else
    {
      requests[1] = MPI_REQUEST_NULL;
      CALL (0, 1, MPI_Irecv (in, 8, MPI_BYTE, 0, 0, WORLD, &requests[0]));
      n_done = 0;
      POLL (2, 2, 0, 4, 12, /* waits */
            (MPI_Testsome (2, requests, &n_done, places, statuses), done = n_done > 0),
            PMPI_Request_get_status (requests[0], &done, &status), done);
    }
}

/* An operation of all that does not block, and for which one tests. */
static void
test_of_iallreduce (void)
{
  static int value, result;

  if (rank == 0)
    {
      meet ();
      CALL (10, 11,
            MPI_Iallreduce (&value, &result, 1, MPI_INT, MPI_SUM, WORLD, &request)); /* late */
      CALL (11, 12, MPI_Wait (&request, &status));
      return;
    }
  CALL (0, 1, MPI_Iallreduce (&value, &result, 1, MPI_INT, MPI_SUM, WORLD, &request));
  POLL (2, 2, 0, 4, 12, MPI_Test (&request, &done, &status), /* waits */
        PMPI_Request_get_status (request, &done, &status), done);
}

const Pattern polls[] = {
  { "probe", probe },
  { "mprobe", mprobe },
  { "iprobe", iprobe },
  { "iprobe_and_compute", iprobe_and_compute },
  { "improbe", improbe },
  { "test", test },
  { "test_and_wait", test_and_wait },
  { "testall", testall },
  { "testany", testany },
  { "testsome", testsome },
  { "test_of_iallreduce", test_of_iallreduce },
  { NULL, NULL },
};
