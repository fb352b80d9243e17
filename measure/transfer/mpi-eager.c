/* SPDX-License-Identifier: MIT */
#include "measure/transfer/mpi-eager.h"

#define TAG         4
#define TRIALS      11
#define LEAST_DELAY 50e-6 /* s that the receiver computes, at least */
#define DELAYS      4     /* or so many times what the message takes */

/* The requests of rank 0 of the pair to rank 1. */
typedef struct
{
  gint64 bytes;  /* to be received; negative: nothing more */
  gdouble delay; /* s, before the receive */
} Request;

static void
answer (PdPair *pair)
{
  Request request;

  for (;;)
    {
      MPI_Recv (&request, sizeof request, MPI_BYTE, 0, TAG, pair->comm, MPI_STATUS_IGNORE);
      if (request.bytes < 0)
        return;
      MPI_Send (NULL, 0, MPI_BYTE, 0, TAG, pair->comm);
      pd_timer_wait (&pair->timer, pd_timer_now (&pair->timer) + request.delay);
      MPI_Recv (pair->in, (int) request.bytes, MPI_BYTE, 0, TAG, pair->comm, MPI_STATUS_IGNORE);
    }
}

static void
ask (PdPair *pair, gint64 bytes, gdouble delay)
{
  Request request = { bytes, delay };

  MPI_Send (&request, sizeof request, MPI_BYTE, 1, TAG, pair->comm);
}

/* Seconds of an MPI_Send() whose receiver comes @delay later. */
static gdouble
send_late (PdPair *pair, gint64 bytes, gdouble delay)
{
  gdouble began;

  ask (pair, bytes, delay);
  MPI_Recv (NULL, 0, MPI_BYTE, 1, TAG, pair->comm, MPI_STATUS_IGNORE);
  began = pd_timer_now (&pair->timer);
  MPI_Send (pair->out, (int) bytes, MPI_BYTE, 1, TAG, pair->comm);
  return pd_timer_now (&pair->timer) - began;
}

/* Whether most of the sends of that length wait for their receiver. */
static gboolean
is_waiting (PdPair *pair, gint64 bytes)
{
  gdouble delay = MAX (LEAST_DELAY, DELAYS * send_late (pair, bytes, 0));
  int n_waiting = 0;

  for (int i = 0; i < TRIALS; i++)
    n_waiting += send_late (pair, bytes, delay) > delay / 2;
  return n_waiting > TRIALS / 2;
}

static gint64
search (PdPair *pair, const gint64 *sizes, guint n)
{
  gint64 eager = 0, waiting = -1;

  for (guint i = 0; i < n && waiting < 0; i++)
    if (is_waiting (pair, sizes[i]))
      waiting = sizes[i];
    else
      eager = sizes[i];
  while (waiting - eager > 1)
    {
      gint64 middle = eager + (waiting - eager) / 2;
      if (is_waiting (pair, middle))
        waiting = middle;
      else
        eager = middle;
    }
  return eager;
}

gint64
pd_pair_find_eager (PdPair *pair, const gint64 *sizes, guint n)
{
  gint64 eager = 0;

  if (pair->me == 0)
    {
      eager = search (pair, sizes, n);
      ask (pair, -1, 0);
    }
  else
    answer (pair);
  return eager;
}
