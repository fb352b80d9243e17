/* The sources of a range that predictions of all kinds have.
 * SPDX-License-Identifier: MIT */
#ifndef PD_RANGE_COMMON_H
#define PD_RANGE_COMMON_H

#include "comsys/machine/pd-machine.h"
#include "reports/run/pd-report.h"

/* A normal distribution has 90 % within so many standard deviations. */
#define PD_RANGE_NORMAL 1.645

/* The parts of a run's time, by activity. */
typedef struct
{
  gdouble cpu;           /* in computation, on the mean of its processors */
  gdouble communication; /* in communication, on the one that waits least there */
} PdRangeParts;

/**
 * pd_range_get_floor:
 * Returns: so much of their time predictions of programs of @model are off, by measured programs:
 *   90 of 100 are at most; see docs/accuracy.md.
 */
gdouble pd_range_get_floor (PdIntervalModel model);

/**
 * pd_range_get_time:
 * @run: with its results
 *
 * Returns: its prediction.
 */
PdTime pd_range_get_time (const PdReportRun *run);

/**
 * pd_range_get_parts:
 * @run: with its results
 *
 * Returns: its parts; 0 where it takes no time.
 */
PdRangeParts pd_range_get_parts (const PdReportRun *run);

/**
 * pd_range_get_width:
 * @part: of a time that may be too much in it, 0 to 1
 *
 * Returns: the @low of pd_time_range_add() that leaves it out: part / (1 - part); @part is at
 *   most 0.9.
 */
gdouble pd_range_get_width (gdouble part);

/**
 * pd_range_new:
 * @run: with its results and samples
 * @machine: the machine of the prediction
 *
 * Adds the floor of its model, the difference between the description and its measurements, noise,
 * and values with a spread; the last two from the samples of the run if it has any.
 *
 * Returns: (transfer full): a range of these.
 */
PdTimeRange *pd_range_new (const PdReportRun *run, const PdMachine *machine);

#endif
