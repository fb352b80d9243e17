/* Parametrised round trips: what LogGP parameters come from.
 * SPDX-License-Identifier: MIT */
#include "measure/stats/pd-stats.h"
#include "measure/transfer/mpi-pair.h"
#include "measure/transfer/mpi-loggp.h"

#define TAG  2
#define RUNS 41

/* n messages with @delay between them, then one back. At rank 0 of the pair: seconds in
 * all, and in @waited those between the messages. */
static gdouble
round_trip (PdPair *pair, int n, gdouble delay, gdouble *waited)
{
  gdouble began = pd_timer_now (&pair->timer), ended;

  *waited = 0;
  for (int i = 0; i < n; i++)
    if (pair->me == 0)
      {
        if (i > 0 && delay > 0)
          {
            gdouble from = pd_timer_now (&pair->timer), now;
            do
              now = pd_timer_now (&pair->timer);
            while (now - from < delay);
            *waited += now - from;
          }
        MPI_Send (pair->out, pair->bytes, MPI_BYTE, 1, TAG, pair->comm);
      }
    else
      MPI_Recv (pair->in, pair->bytes, MPI_BYTE, 0, TAG, pair->comm, MPI_STATUS_IGNORE);
  if (pair->me == 0)
    MPI_Recv (pair->in, pair->bytes, MPI_BYTE, 1, TAG, pair->comm, MPI_STATUS_IGNORE);
  else
    MPI_Send (pair->out, pair->bytes, MPI_BYTE, 0, TAG, pair->comm);
  ended = pd_timer_now (&pair->timer);
  return ended - began;
}

/* Medians; @waited is per gap between two messages. */
static gdouble
time_round_trips (PdPair *pair, int n, gdouble delay, gdouble *waited)
{
  gdouble times[RUNS], waits[RUNS];

  for (int i = -2; i < RUNS; i++)
    {
      gdouble between, time;
      MPI_Barrier (pair->comm);
      time = round_trip (pair, n, delay, &between);
      if (i < 0)
        continue;
      times[i] = time;
      waits[i] = n > 1 ? between / (n - 1) : 0;
    }
  *waited = pd_stats_median (waits, RUNS);
  return pd_stats_median (times, RUNS);
}

/* Of a message that came @delay ago: rank 1 of the pair asks for it and waits; its
 * median is known to both afterwards. */
static gdouble
time_receive (PdPair *pair, gdouble delay)
{
  gdouble times[RUNS], median = 0;

  for (int i = 0; i < RUNS; i++)
    if (pair->me == 0)
      {
        MPI_Recv (NULL, 0, MPI_BYTE, 1, TAG, pair->comm, MPI_STATUS_IGNORE);
        MPI_Send (pair->out, pair->bytes, MPI_BYTE, 1, TAG, pair->comm);
      }
    else
      {
        gdouble began;
        MPI_Send (NULL, 0, MPI_BYTE, 0, TAG, pair->comm);
        pd_timer_wait (&pair->timer, pd_timer_now (&pair->timer) + delay);
        began = pd_timer_now (&pair->timer);
        MPI_Recv (pair->in, pair->bytes, MPI_BYTE, 0, TAG, pair->comm, MPI_STATUS_IGNORE);
        times[i] = pd_timer_now (&pair->timer) - began;
      }
  if (pair->me == 1)
    median = pd_stats_median (times, RUNS);
  MPI_Bcast (&median, 1, MPI_DOUBLE, 1, pair->comm);
  return median;
}

void
pd_pair_round_trips (PdPair *pair, gint64 bytes, PdRoundTrips *trips)
{
  gdouble none;

  pair->bytes = (int) bytes;
  *trips = (PdRoundTrips){ .bytes = bytes };
  trips->one = time_round_trips (pair, 1, 0, &none);
  trips->many = time_round_trips (pair, PD_LOGGP_MESSAGES, 0, &none);
  /* both wait as long as rank 0 says */
  MPI_Bcast (&trips->one, 1, MPI_DOUBLE, 0, pair->comm);
  trips->delayed = time_round_trips (pair, PD_LOGGP_MESSAGES, trips->one, &trips->delay);
  trips->receive = time_receive (pair, 2 * trips->one);
}
