/* Calls that ask again and again for what comes late.
 * SPDX-License-Identifier: MIT */
#include "planted.h"

#define WORLD MPI_COMM_WORLD

static int done;
static MPI_Status status;

static void
send_late (void)
{
  meet ();
  CALL (10, 11, MPI_Send (out, 8, MPI_BYTE, 1, 0, WORLD)); /* late */
}

static void
test (void)
{
  MPI_Request request;

  if (rank == 0)
    {
      send_late ();
      return;
    }
  CALL (0, 1, MPI_Irecv (in, 8, MPI_BYTE, 0, 0, WORLD, &request));
  POLL (2, 2, 0, 4, 12, MPI_Test (&request, &done, &status), /* waits */
        PMPI_Request_get_status (request, &done, &status), done);
}

const Pattern polls[] = {
  { "test", test },
  { NULL, NULL },
};
