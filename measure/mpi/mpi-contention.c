/* Exchanges of processes that share a channel.
 * SPDX-License-Identifier: MIT */
#include "measure/mpi/mpi-sharers.h"
#include "measure/stats/pd-pattern.h"
#include "measure/mpi/mpi-contention.h"
#include "measure/mpi/mpi-sync.h"
#include "measure/mpi/mpi-tools.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_REPETITIONS 1e9
#define MOST_TRIES       8 /* of a round that begins late somewhere */
#define MOST_AHEAD       0.1
#define SEED_OF(rank)    ((guint) (rank) % 255 + 1)

void
pd_sharers_begin (PdSharers *self, const GArray *exchanges, int rank, gint64 most_bytes)
{
  g_autofree int *ranks = g_new (int, exchanges->len);
  MPI_Group world, group;
  const PdPairExchange *own = NULL;

  for (guint i = 0; i < exchanges->len; i++)
    {
      const PdPairExchange *one = &g_array_index (exchanges, PdPairExchange, i);
      ranks[i] = one->rank;
      if (one->rank == rank)
        own = one;
    }
  g_assert (own != NULL);
  for (guint i = 0; i < exchanges->len; i++)
    {
      if (ranks[i] == own->to)
        self->to = (int) i;
      if (ranks[i] == own->from)
        self->from = (int) i;
    }
  self->size = (int) exchanges->len;
  MPI_Comm_group (MPI_COMM_WORLD, &world);
  MPI_Group_incl (world, self->size, ranks, &group);
  MPI_Comm_create_group (MPI_COMM_WORLD, group, 0, &self->comm);
  MPI_Group_free (&group);
  MPI_Group_free (&world);
  MPI_Comm_rank (self->comm, &self->me);
  self->ahead = 50e-6 + 2e-6 * self->size;
  self->out = pd_mpi_buffer ((gsize) most_bytes);
  self->in = pd_mpi_buffer ((gsize) most_bytes);
}

void
pd_sharers_end (PdSharers *self)
{
  MPI_Comm_free (&self->comm);
  free (self->out);
  free (self->in);
}

/* ---- exchanges */

static void
exchange (const PdSharers *self, int bytes, gint64 n)
{
  MPI_Request requests[2];

  for (gint64 i = 0; i < n; i++)
    {
      MPI_Irecv (self->in, bytes, MPI_CHAR, self->from, 0, self->comm, &requests[0]);
      MPI_Isend (self->out, bytes, MPI_CHAR, self->to, 0, self->comm, &requests[1]);
      MPI_Waitall (2, requests, MPI_STATUSES_IGNORE);
    }
}

/* One exchange that is not timed: connections are made, and the data is checked. */
static gboolean
check (const PdSharers *self, int bytes)
{
  gsize n = (gsize) bytes;
  int wrong;

  pd_pattern_fill (self->out, n, SEED_OF (self->me));
  memset (self->in, 0, n);
  exchange (self, bytes, 1);
  wrong = pd_pattern_find_wrong (self->in, n, SEED_OF (self->from)) != n;
  MPI_Allreduce (MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_MAX, self->comm);
  return !wrong;
}

/* All begin at the same moment, or behind a barrier. Returns whether this process heard of
 * the moment too late. */
static gboolean
start (const PdSharers *self)
{
  gdouble moment;
  gboolean late;

  if (self->sync == NULL)
    {
      MPI_Barrier (self->comm);
      return FALSE;
    }
  moment = pd_sync_now (self->sync) + self->ahead;
  MPI_Bcast (&moment, 1, MPI_DOUBLE, 0, self->comm);
  late = pd_sync_now (self->sync) > moment;
  pd_sync_wait (self->sync, moment);
  return late;
}

/* The parameters of a round for all processes. */
typedef struct
{
  gdouble slowest; /* seconds of a message */
  gdouble mean;
  gdouble together;
  gboolean late;
} Round;

static Round
time_round (const PdSharers *self, int bytes, gint64 n)
{
  gdouble began, ended, sum, most[6];
  gboolean late = start (self);

  began = pd_timer_now (&self->timer);
  exchange (self, bytes, n);
  ended = pd_timer_now (&self->timer);
  sum = (ended - began) / (2 * (gdouble) n);
  most[0] = sum;
  most[1] = late;
  if (self->sync != NULL)
    {
      began = pd_sync_global (self->sync, began);
      ended = pd_sync_global (self->sync, ended);
    }
  most[2] = began;
  most[3] = -began;
  most[4] = ended;
  most[5] = -ended;
  MPI_Allreduce (MPI_IN_PLACE, most, G_N_ELEMENTS (most), MPI_DOUBLE, MPI_MAX, self->comm);
  MPI_Allreduce (MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, self->comm);
  return (Round){ .slowest = most[0],
                  .mean = sum / self->size,
                  .together = self->sync == NULL
                                  ? (gdouble) NAN
                                  : MAX (0, -most[5] - most[2]) / (most[4] + most[3]),
                  .late = most[1] != 0 };
}

/* As often as is needed until all begin in time, with more and more time to hear of it. */
static Round
time_in_time (PdSharers *self, int bytes, gint64 n)
{
  Round round = time_round (self, bytes, n);

  for (int i = 1; round.late && i < MOST_TRIES; i++)
    {
      self->ahead = MIN (2 * self->ahead, MOST_AHEAD);
      round = time_round (self, bytes, n);
    }
  return round;
}

static gint64
find_repetitions (const PdSharers *self, const PdContentionOptions *options, int bytes)
{
  gdouble wanted = options->at_least * 1e-3;
  gint64 n = options->repetitions;

  for (;;)
    {
      gdouble took = time_round (self, bytes, n).slowest * 2 * (gdouble) n;
      gdouble more = MIN (1.1 * wanted / MAX (took, 1e-9), 10);
      /* the first repetitions are slower: not more than ten times as many at once */
      gint64 next = (gint64) MIN (ceil ((gdouble) n * more), MOST_REPETITIONS);
      if (took >= wanted || next <= n)
        return n;
      n = next;
    }
}

void
pd_sharers_measure (PdSharers *self, const PdContentionOptions *options, gint64 bytes,
                    gdouble *numbers)
{
  gint64 n;

  memset (numbers, 0, PD_SHARING_NUMBERS (options->rounds) * sizeof *numbers);
  numbers[PD_SHARING_WRONG] = !check (self, (int) bytes);
  if (numbers[PD_SHARING_WRONG] != 0)
    return;
  n = find_repetitions (self, options, (int) bytes);
  numbers[PD_SHARING_REPETITIONS] = (gdouble) n;
  for (gint64 i = 0; i < options->rounds; i++)
    {
      Round round = time_in_time (self, (int) bytes, n);
      gdouble *of_round = numbers + PD_SHARING_ROUNDS + 3 * i;
      numbers[PD_SHARING_LATE] += round.late;
      of_round[0] = round.slowest;
      of_round[1] = round.mean;
      of_round[2] = round.together;
    }
}
