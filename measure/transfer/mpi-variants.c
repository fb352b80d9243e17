/* The ways to exchange messages between two processes: 1 to 3 as in the original
 * TRANSFER, 4 to 6 are ours.
 * SPDX-License-Identifier: MIT */
#include "measure/transfer/mpi-pair.h"
#include "measure/transfer/mpi-variants.h"

#define TAG  1
#define PEER (1 - pair->me)
#define PAGE 4096

/* The buffers of the next repetition: those after the last ones, a page apart. */
static void
move_on (PdPair *pair)
{
  gsize step = ((gsize) pair->bytes / PAGE + 2) * PAGE, at = (gsize) (pair->out - pair->outs);

  if (!pair->is_cold)
    return;
  at = at + 2 * step <= pair->room ? at + step : 0;
  pair->out = pair->outs + at;
  pair->in = pair->ins + at;
}

/* 1: there and back */
static void
run_blocking (PdPair *pair, gint64 n)
{
  for (gint64 i = 0; i < n; i++, move_on (pair))
    if (pair->me == 0)
      {
        MPI_Send (pair->out, pair->bytes, MPI_BYTE, 1, TAG, pair->comm);
        MPI_Recv (pair->in, pair->bytes, MPI_BYTE, 1, TAG, pair->comm, MPI_STATUS_IGNORE);
      }
    else
      {
        MPI_Recv (pair->in, pair->bytes, MPI_BYTE, 0, TAG, pair->comm, MPI_STATUS_IGNORE);
        MPI_Send (pair->out, pair->bytes, MPI_BYTE, 0, TAG, pair->comm);
      }
}

/* 2: both ways in one call */
static void
run_sendrecv (PdPair *pair, gint64 n)
{
  for (gint64 i = 0; i < n; i++, move_on (pair))
    MPI_Sendrecv (pair->out, pair->bytes, MPI_BYTE, PEER, TAG, pair->in, pair->bytes, MPI_BYTE,
                  PEER, TAG, pair->comm, MPI_STATUS_IGNORE);
}

/* 3: both ways, non-blocking */
static void
run_nonblocking (PdPair *pair, gint64 n)
{
  for (gint64 i = 0; i < n; i++, move_on (pair))
    {
      MPI_Irecv (pair->in, pair->bytes, MPI_BYTE, PEER, TAG, pair->comm, &pair->requests[0]);
      MPI_Isend (pair->out, pair->bytes, MPI_BYTE, PEER, TAG, pair->comm, &pair->requests[1]);
      MPI_Waitall (2, pair->requests, MPI_STATUSES_IGNORE);
    }
}

/* 4: both ways, persistent */
static void
begin_persistent (PdPair *pair)
{
  MPI_Recv_init (pair->in, pair->bytes, MPI_BYTE, PEER, TAG, pair->comm, &pair->requests[0]);
  MPI_Send_init (pair->out, pair->bytes, MPI_BYTE, PEER, TAG, pair->comm, &pair->requests[1]);
}

static void
run_persistent (PdPair *pair, gint64 n)
{
  for (gint64 i = 0; i < n; i++)
    {
      MPI_Startall (2, pair->requests);
      MPI_Waitall (2, pair->requests, MPI_STATUSES_IGNORE);
    }
}

static void
end_persistent (PdPair *pair)
{
  MPI_Request_free (&pair->requests[0]);
  MPI_Request_free (&pair->requests[1]);
}

/* 5: a window of messages one way, then an acknowledgement */
static void
run_stream (PdPair *pair, gint64 n)
{
  for (gint64 i = 0; i < n; i++)
    if (pair->me == 0)
      {
        for (int k = 0; k < pair->window; k++)
          MPI_Isend (pair->out, pair->bytes, MPI_BYTE, 1, TAG, pair->comm, &pair->requests[k]);
        MPI_Waitall (pair->window, pair->requests, MPI_STATUSES_IGNORE);
        MPI_Recv (NULL, 0, MPI_BYTE, 1, TAG, pair->comm, MPI_STATUS_IGNORE);
      }
    else
      {
        for (int k = 0; k < pair->window; k++)
          MPI_Recv (pair->in, pair->bytes, MPI_BYTE, 0, TAG, pair->comm, MPI_STATUS_IGNORE);
        MPI_Send (NULL, 0, MPI_BYTE, 0, TAG, pair->comm);
      }
}

/* 6: there and back by Put, each completed by a fence */
static void
begin_put (PdPair *pair)
{
  MPI_Win_fence (MPI_MODE_NOPRECEDE, pair->win);
}

static void
run_put (PdPair *pair, gint64 n)
{
  for (gint64 i = 0; i < n; i++)
    for (int from = 0; from < 2; from++)
      {
        if (pair->me == from)
          MPI_Put (pair->out, pair->bytes, MPI_BYTE, PEER, 0, pair->bytes, MPI_BYTE, pair->win);
        MPI_Win_fence (0, pair->win);
      }
}

static void
end_put (PdPair *pair)
{
  MPI_Win_fence (MPI_MODE_NOSUCCEED, pair->win);
}

static const PdVariant variants[] = {
  { "Send/Recv", NULL, run_blocking, NULL, FALSE, FALSE },
  { "Sendrecv", NULL, run_sendrecv, NULL, FALSE, FALSE },
  { "Isend/Irecv", NULL, run_nonblocking, NULL, FALSE, FALSE },
  { "persistent", begin_persistent, run_persistent, end_persistent, FALSE, FALSE },
  { "stream", NULL, run_stream, NULL, TRUE, FALSE },
  { "Put/fence", begin_put, run_put, end_put, FALSE, TRUE },
};

const PdVariant *
pd_variant_get (gint64 number)
{
  g_return_val_if_fail (number >= 1 && number <= (gint64) G_N_ELEMENTS (variants), NULL);
  return &variants[number - 1];
}

gint64
pd_variant_messages (const PdVariant *variant, const PdPair *pair)
{
  return variant->is_one_way ? pair->window : 2;
}
