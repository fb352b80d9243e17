/* Launches of an operation by all processes at the same moments, in windows as
 * pd-stages.h has them; and the plain loop of usual benchmarks. All functions are called
 * by all processes of the communicator.
 * SPDX-License-Identifier: MIT */
#ifndef MPI_LAUNCHES_H
#define MPI_LAUNCHES_H

#include "measure/mpi/mpi-sync.h"
#include "measure/plan/pd-arrival.h"
#include "measure/plan/pd-stages.h"
#include "measure/stats/pd-sample.h"
#include "measure/stats/pd-stats.h"

/* One launch; @number counts them. */
typedef void (*PdLaunchFunc) (gpointer data, gsize number);

typedef struct
{
  PdSync *sync; /* of @comm */
  MPI_Comm comm;
  const PdTimer *timer; /* the one that @sync was made with */
  PdStageRule stages;   /* the slack is at least what pd_launches_slack() says */
  PdStopRule stop;      /* of one call of pd_launches_run() */
  PdArrival arrival;    /* of processes at each launch */
  gdouble trim;
} PdLaunchSetup;

/**
 * pd_launches_slack:
 * Returns: seconds by which a start may be late that was waited for: a few readings of
 *   the slowest of all processes' timers, and a step of the timer.
 */
gdouble pd_launches_slack (MPI_Comm comm, const PdTimer *timer);

/**
 * pd_launches_run:
 * @run: is launched
 * @data: passed to it
 * @sample: (nullable): of rank 0, to which launches are added; others pass %NULL
 *
 * Launches @run in stages until the launches of this call fulfil the rule. Stage 0
 * is not counted.
 */
void pd_launches_run (const PdLaunchSetup *setup, PdLaunchFunc run, gpointer data,
                      PdLaunchSample *sample);

/**
 * pd_launches_loop:
 * @sample: (nullable): of rank 0, as in pd_launches_run()
 *
 * The method of usual benchmarks: after a barrier as many launches as the rule requires
 * correct ones, back to back, each process for itself. Adds their average as one launch,
 * of which only local times are known.
 */
void pd_launches_loop (const PdLaunchSetup *setup, PdLaunchFunc run, gpointer data,
                       PdLaunchSample *sample);

#endif
