/* Rounds of repetitions.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "measure/mpi/mpi-rounds.h"

#include <math.h>
#include <sys/resource.h>

#define MOST_REPETITIONS 1e9
#define MOST_GROWTH      10 /* the first repetitions are slower */
#define MARGIN           1.1
#define SHORT            0.5 /* of the wanted time of a round: the calibration was disturbed */
#define MOST_RESTARTS    3

gsize
pd_rounds_most (gint64 wanted)
{
  return 2 * (gsize) wanted;
}

/* The processor was taken away from this process so often, all threads counted. */
static gdouble
count_switches (void)
{
  struct rusage usage;

  return getrusage (RUSAGE_SELF, &usage) == 0 ? (gdouble) usage.ru_nivcsw : 0;
}

PdRound
pd_rounds_time (const PdRoundPlan *plan, gint64 n)
{
  gdouble before, began, switches;
  PdRound round = { .seconds = 0 };

  MPI_Barrier (plan->comm);
  before = count_switches ();
  began = pd_timer_now (plan->timer);
  plan->run (plan->data, n);
  round.seconds = pd_timer_now (plan->timer) - began;
  switches = count_switches () - before;
  MPI_Reduce (&switches, &round.switches, 1, MPI_DOUBLE, MPI_SUM, 0, plan->comm);
  if (plan->slowest)
    MPI_Allreduce (MPI_IN_PLACE, &round.seconds, 1, MPI_DOUBLE, MPI_MAX, plan->comm);
  return round;
}

/* More repetitions for rounds that took less than was wanted. */
static gint64
grow (const PdRoundPlan *plan, gint64 n, gdouble took)
{
  gdouble factor = MIN (MARGIN * plan->at_least / MAX (took, 1e-9), MOST_GROWTH);

  return (gint64) MIN (ceil ((gdouble) n * MAX (factor, 1)), MOST_REPETITIONS);
}

/* Rank 0 decides. */
gint64
pd_rounds_calibrate (const PdRoundPlan *plan)
{
  gint64 n = plan->repetitions, next = n;

  for (;;)
    {
      gdouble took = pd_rounds_time (plan, n).seconds;
      if (took < plan->at_least)
        next = grow (plan, n, took);
      MPI_Bcast (&next, 1, MPI_INT64_T, 0, plan->comm);
      if (next <= n)
        return n;
      n = next;
    }
}

/* Whether rank 0 has enough of the rounds. */
static gboolean
is_enough (const PdRoundPlan *plan, const PdRound *rounds, gsize n)
{
  gsize wanted = (gsize) plan->rounds;

  return n >= pd_rounds_most (plan->rounds)
         || (n >= wanted && n - pd_rounds_disturbed (rounds, n) >= wanted);
}

gint64
pd_rounds_measure (const PdRoundPlan *plan, PdRound *rounds, gsize *n)
{
  gint64 next[2] = { pd_rounds_calibrate (plan), FALSE }; /* repetitions, whether it is all */
  int restarts = 0;

  *n = 0;
  while (!next[1])
    {
      PdRound round = pd_rounds_time (plan, next[0]);
      gint64 repetitions = next[0];
      rounds[(*n)++] = (PdRound){ round.seconds / (gdouble) repetitions, round.switches };
      if (round.seconds < SHORT * plan->at_least && restarts < MOST_RESTARTS)
        next[0] = grow (plan, repetitions, round.seconds);
      else
        next[1] = is_enough (plan, rounds, *n);
      MPI_Bcast (next, 2, MPI_INT64_T, 0, plan->comm);
      if (next[0] > repetitions)
        {
          *n = 0;
          restarts++;
        }
    }
  return next[0];
}
