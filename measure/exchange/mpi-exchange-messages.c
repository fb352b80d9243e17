/* Windows of messages of several pairs, and messages of several threads.
 * SPDX-License-Identifier: MIT */
#include "measure/exchange/mpi-exchange.h"
#include "measure/stats/pd-pattern.h"

#include <string.h>

#define SEED_OF(rank) ((guint) (rank) + 1)

/* Each message of a window, and each thread, has a place of its own. */
static char *
place_of (const PdExchange *self, char *buffer, int i)
{
  return buffer + (gsize) i * self->bytes;
}

static int
places (const PdExchange *self)
{
  return MAX (self->window, self->threads);
}

static void
fill_places (PdExchange *self)
{
  for (int i = 0; i < places (self); i++)
    pd_pattern_fill (place_of (self, self->out, i), self->bytes,
                     SEED_OF (self->rank * places (self) + i));
}

/* ---- rate: a window of messages one way, and an answer */

static void
run_rate (PdExchange *self, gint64 n)
{
  int bytes = (int) self->bytes;

  for (gint64 i = 0; i < n; i++)
    if (pd_exchange_is_first (self))
      {
        for (int k = 0; k < self->window; k++)
          MPI_Isend (place_of (self, self->out, k), bytes, MPI_BYTE, self->peer, PD_EXCHANGE_TAG,
                     self->comm, &self->requests[k]);
        MPI_Waitall (self->window, self->requests, MPI_STATUSES_IGNORE);
        MPI_Recv (NULL, 0, MPI_BYTE, self->peer, PD_EXCHANGE_TAG, self->comm, MPI_STATUS_IGNORE);
      }
    else
      {
        for (int k = 0; k < self->window; k++)
          MPI_Irecv (place_of (self, self->in, k), bytes, MPI_BYTE, self->peer, PD_EXCHANGE_TAG,
                     self->comm, &self->requests[k]);
        MPI_Waitall (self->window, self->requests, MPI_STATUSES_IGNORE);
        MPI_Send (NULL, 0, MPI_BYTE, self->peer, PD_EXCHANGE_TAG, self->comm);
      }
}

static gboolean
are_places_right (PdExchange *self)
{
  for (int i = 0; i < places (self); i++)
    if (pd_pattern_find_wrong (place_of (self, self->in, i), self->bytes,
                               SEED_OF (self->peer * places (self) + i))
        != self->bytes)
      return FALSE;
  return TRUE;
}

static gboolean
is_rate_right (PdExchange *self)
{
  return pd_exchange_is_first (self) || are_places_right (self);
}

/* ---- threads: each exchanges with one of the other process */

typedef struct
{
  PdExchange *exchange;
  int number;
  gint64 n;
} Thread;

static gpointer
exchange_in_thread (gpointer data)
{
  const Thread *thread = data;
  PdExchange *self = thread->exchange;
  char *out = place_of (self, self->out, thread->number);
  char *in = place_of (self, self->in, thread->number);
  int bytes = (int) self->bytes, tag = PD_EXCHANGE_TAG + thread->number;

  for (gint64 i = 0; i < thread->n; i++)
    for (int turn = 0; turn < 2; turn++)
      if (pd_exchange_is_first (self) == (turn == 0))
        MPI_Send (out, bytes, MPI_BYTE, self->peer, tag, self->comm);
      else
        MPI_Recv (in, bytes, MPI_BYTE, self->peer, tag, self->comm, MPI_STATUS_IGNORE);
  return NULL;
}

/* The first one is this thread: others are started in each round, which takes some
 * microseconds of it. */
static void
run_threads (PdExchange *self, gint64 n)
{
  g_autofree Thread *threads = g_new (Thread, (gsize) self->threads);
  g_autofree GThread **started = g_new (GThread *, (gsize) self->threads);

  for (int i = 0; i < self->threads; i++)
    threads[i] = (Thread){ self, i, n };
  for (int i = 1; i < self->threads; i++)
    started[i] = g_thread_new ("exchange", exchange_in_thread, &threads[i]);
  exchange_in_thread (&threads[0]);
  for (int i = 1; i < self->threads; i++)
    g_thread_join (started[i]);
}

const PdExchangeKind pd_exchange_messages[2] = {
  { "rate", "rate", 1, 0, PD_VARIES_WINDOW | PD_VARIES_PAIRS, 1, NULL, NULL, fill_places, run_rate,
    is_rate_right, NULL },
  { "threads", "threads", 1, 0, PD_VARIES_THREADS, 2, NULL, NULL, fill_places, run_threads,
    are_places_right, NULL },
};
