/* Rounds of a measurement, and which of them the machine disturbed. Needs no MPI.
 * SPDX-License-Identifier: MIT */
#ifndef PD_ROUNDS_H
#define PD_ROUNDS_H

#include "measure/stats/pd-stats.h"

/* A round with more than so many times the least time of all rounds is disturbed. */
#define PD_ROUND_FAR 2.0

/* A message on a number of all rows. */
#define PD_ROUNDS_DISTURBED                                                                        \
  "%u of %u rows have disturbed rounds only: their times have other work of the machine in them"

/* One round of all processes; doubles, so that rounds travel as one array. */
typedef struct
{
  gdouble seconds;  /* of one message, operation … */
  gdouble switches; /* involuntary context switches of all processes in the round */
} PdRound;

/**
 * pd_rounds_is_disturbed:
 * @rounds: (array length=n): of the same measurement
 * @i: below @n
 *
 * A round is disturbed if the system took a processor away from a process in it, or if it
 * took more than %PD_ROUND_FAR times as long as the shortest round: also where no switch
 * was seen, as when a virtual machine was halted.
 */
gboolean pd_rounds_is_disturbed (const PdRound *rounds, gsize n, gsize i);

/**
 * pd_rounds_disturbed:
 * @rounds: (array length=n)
 * Returns: the number of disturbed rounds.
 */
gsize pd_rounds_disturbed (const PdRound *rounds, gsize n);

/**
 * pd_rounds_compute:
 * @rounds: (array length=n)
 * @n: at least 1
 * @out: (out caller-allocated): of the undisturbed rounds, seconds; of all of them if none
 *   is undisturbed; intervals at 0.95
 */
void pd_rounds_compute (const PdRound *rounds, gsize n, PdStats *out);

#endif
