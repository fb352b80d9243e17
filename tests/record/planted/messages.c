/* Messages that come late, and receives that are posted late.
 * SPDX-License-Identifier: MIT */
#include "planted.h"

#define WORLD MPI_COMM_WORLD

static MPI_Status statuses[2];

static void
late_sender (void)
{
  if (rank == 0)
    CALL (10, 11, MPI_Send (out, 8, MPI_BYTE, 1, 0, WORLD)); /* late */
  else
    CALL (0, 12, MPI_Recv (in, 8, MPI_BYTE, 0, 0, WORLD, MPI_STATUS_IGNORE)); /* waits */
}

static void
late_sender_of_wait (void)
{
  MPI_Request request;

  if (rank == 0)
    CALL (10, 11, MPI_Send (out, 8, MPI_BYTE, 1, 0, WORLD)); /* late */
  else
    {
      CALL (0, 1, MPI_Irecv (in, 8, MPI_BYTE, 0, 0, WORLD, &request));
      CALL (4, 12, MPI_Wait (&request, MPI_STATUS_IGNORE)); /* waits */
    }
}

static void
late_sender_of_waitall (void)
{
  MPI_Request requests[2];

  if (rank < 2)
    CALL (rank == 0 ? 6 : 10, 11, MPI_Send (out, 8, MPI_BYTE, 2, 0, WORLD)); /* late */
  else
    {
      CALL (0, 1, MPI_Irecv (in, 8, MPI_BYTE, 0, 0, WORLD, &requests[0]));
      CALL (1, 2, MPI_Irecv (in + 8, 8, MPI_BYTE, 1, 0, WORLD, &requests[1]));
      CALL (4, 12, MPI_Waitall (2, requests, statuses)); /* waits */
    }
}

static void
late_sender_of_sendrecv (void)
{
  CALL (rank == 0 ? 10 : 0, 12, /* waits late */
        MPI_Sendrecv (out, 8, MPI_BYTE, 1 - rank, 0, in, 8, MPI_BYTE, 1 - rank, 0, WORLD,
                      MPI_STATUS_IGNORE));
}

static void
late_sender_of_persistent (void)
{
  MPI_Request request = MPI_REQUEST_NULL;

  if (rank == 0)
    CALL (10, 11, MPI_Send (out, 8, MPI_BYTE, 1, 0, WORLD)); /* late */
  else
    {
      CALL (0, 0, MPI_Recv_init (in, 8, MPI_BYTE, 0, 0, WORLD, &request));
      CALL (0, 1, MPI_Start (&request));
      CALL (4, 12, MPI_Wait (&request, MPI_STATUS_IGNORE)); /* waits */
      CALL (12, 12, MPI_Request_free (&request));
    }
}

/* One after another, twenty times: 10 units of computation before each receive. */
static void
late_receiver (void)
{
  for (int i = 0; i < 20; i++)
    if (rank == 0)
      CALL (12 * i, 12 * i + 12, MPI_Send (out, LARGE, MPI_BYTE, 1, 0, WORLD)); /* waits */
    else
      CALL (12 * i + 10, 12 * i + 12, /* late */
            MPI_Recv (in, LARGE, MPI_BYTE, 0, 0, WORLD, MPI_STATUS_IGNORE));
}

static void
late_receiver_of_ssend (void)
{
  if (rank == 0)
    CALL (2, 12, MPI_Ssend (out, 8, MPI_BYTE, 1, 0, WORLD)); /* waits */
  else
    CALL (10, 12, MPI_Recv (in, 8, MPI_BYTE, 0, 0, WORLD, MPI_STATUS_IGNORE)); /* late */
}

static void
late_receiver_of_wait (void)
{
  MPI_Request request;

  if (rank == 0)
    {
      CALL (0, 1, MPI_Isend (out, LARGE, MPI_BYTE, 1, 0, WORLD, &request));
      CALL (3, 12, MPI_Wait (&request, MPI_STATUS_IGNORE)); /* waits */
    }
  else
    CALL (10, 12, MPI_Recv (in, LARGE, MPI_BYTE, 0, 0, WORLD, MPI_STATUS_IGNORE)); /* late */
}

static void
late_receiver_of_waitall (void)
{
  MPI_Request requests[2];

  if (rank == 0)
    {
      CALL (0, 1, MPI_Isend (out, LARGE, MPI_BYTE, 1, 0, WORLD, &requests[0]));
      CALL (1, 2, MPI_Isend (out, LARGE, MPI_BYTE, 2, 0, WORLD, &requests[1]));
      CALL (3, 12, MPI_Waitall (2, requests, statuses)); /* waits */
    }
  else
    CALL (rank == 1 ? 5 : 10, 12, /* late */
          MPI_Recv (in, LARGE, MPI_BYTE, 0, 0, WORLD, MPI_STATUS_IGNORE));
}

/* Who is late lets the next one be late: rank 2 waits for rank 1, which waited. */
static void
late_chain (void)
{
  if (rank == 0)
    CALL (10, 11, MPI_Send (out, 8, MPI_BYTE, 1, 0, WORLD)); /* late */
  else if (rank == 1)
    {
      CALL (0, 12, MPI_Recv (in, 8, MPI_BYTE, 0, 0, WORLD, MPI_STATUS_IGNORE)); /* waits */
      CALL (12, 13, MPI_Send (out, 8, MPI_BYTE, 2, 0, WORLD));
    }
  else
    CALL (0, 14, MPI_Recv (in, 8, MPI_BYTE, 1, 0, WORLD, MPI_STATUS_IGNORE));
}

/* Nobody waits: the message is there before it is asked for. */
static void
early_sender (void)
{
  if (rank == 0)
    CALL (0, 1, MPI_Send (out, 8, MPI_BYTE, 1, 0, WORLD)); /* late */
  else
    CALL (10, 11, MPI_Recv (in, 8, MPI_BYTE, 0, 0, WORLD, MPI_STATUS_IGNORE)); /* waits */
}

const Pattern messages[] = {
  { "late_sender", late_sender },
  { "late_sender_of_wait", late_sender_of_wait },
  { "late_sender_of_waitall", late_sender_of_waitall },
  { "late_sender_of_sendrecv", late_sender_of_sendrecv },
  { "late_sender_of_persistent", late_sender_of_persistent },
  { "late_receiver", late_receiver },
  { "late_receiver_of_ssend", late_receiver_of_ssend },
  { "late_receiver_of_wait", late_receiver_of_wait },
  { "late_receiver_of_waitall", late_receiver_of_waitall },
  { "late_chain", late_chain },
  { "early_sender", early_sender },
  { NULL, NULL },
};
