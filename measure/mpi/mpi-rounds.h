/* Rounds of repetitions: as many repetitions as take long enough, as many rounds as are
 * undisturbed. All functions are called by all processes of the communicator.
 * SPDX-License-Identifier: MIT */
#ifndef MPI_ROUNDS_H
#define MPI_ROUNDS_H

#include "measure/stats/pd-rounds.h"
#include "measure/stats/pd-timer.h"

#include <mpi.h>

/* The work that is repeated @n times. */
typedef void (*PdRoundFunc) (gpointer data, gint64 n);

typedef struct
{
  MPI_Comm comm;
  const PdTimer *timer;
  PdRoundFunc run;
  gpointer data;      /* of @run */
  gint64 repetitions; /* of a round at least */
  gdouble at_least;   /* seconds of a round */
  gint64 rounds;      /* undisturbed ones that are wanted */
  gboolean slowest;   /* the time is that of the slowest process, not of rank 0 */
} PdRoundPlan;

/**
 * pd_rounds_most:
 * Returns: rounds that are measured at most: twice as many as wanted, where some are
 *   disturbed.
 */
gsize pd_rounds_most (gint64 wanted);

/**
 * pd_rounds_time:
 * Returns: a round of @n repetitions behind a barrier, its seconds those of all
 *   repetitions; switches are known to rank 0.
 */
PdRound pd_rounds_time (const PdRoundPlan *plan, gint64 n);

/**
 * pd_rounds_calibrate:
 * Returns: repetitions of which a round takes as long as is wanted.
 */
gint64 pd_rounds_calibrate (const PdRoundPlan *plan);

/**
 * pd_rounds_measure:
 * @rounds: (array length=pd_rounds_most()) (out caller-allocated): of rank 0, seconds of
 *   one repetition
 * @n: (out): rounds measured
 *
 * Finds the repetitions anew, and begins again, where rounds turn out to be too short:
 * then the calibration had been disturbed.
 *
 * Returns: the repetitions of each round.
 */
gint64 pd_rounds_measure (const PdRoundPlan *plan, PdRound *rounds, gsize *n);

#endif
