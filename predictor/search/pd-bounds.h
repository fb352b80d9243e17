/* Facts about all predictions of a trace before any is made: the useful grids,
 * and the bounds for each grid.
 * SPDX-License-Identifier: MIT */
#ifndef PD_BOUNDS_H
#define PD_BOUNDS_H

#include "comsys/machine/pd-machine.h"
#include "predictor/common/pd-counts.h"
#include "predictor/common/pd-cpu-ratio.h"
#include "traces/dvm/pd-dvm-cleaning.h"

/* From one pass over a trace. */
typedef struct
{
  guint rank;        /* dimensions of grids that its distributions can use, >= 1 */
  PdCount only_grid; /* the only one it can be predicted for; rank 0 = none */
  guint64 n_calls;
  PdTimeSum common;    /* every processor does this by itself */
  PdTimeSum divided;   /* the processors do this together, at least once */
  PdTimeSum whole;     /* everything, on one processor */
  PdTimeSum intervals; /* of it inside calls that begin and end intervals */
} PdTraceFacts;

/**
 * pd_trace_recorded_grid:
 * @header: of a trace
 *
 * Returns: the grid that it was recorded on.
 */
PdCount pd_trace_recorded_grid (const PdDvmHeader *header);

/**
 * pd_trace_facts_read:
 * @facts: (out caller-allocated): the facts; valid only on success
 * @trace: file or folder, as for pd_dvm_set_new(); what messages call it
 * @bytes: (nullable): the trace itself, if it is in memory
 * @keep_startup: whether the time of the first record counts
 * @cleaning: (nullable): what of the recorded times is changed
 * @error: return location for a #PdDvmError
 *
 * Of a run on several processors nothing is known to be common or divided, as
 * one file does not have the calls of the others. In a trace with tasks nothing is known to be
 * common: each task belongs to some of the processors.
 *
 * Returns: %FALSE if the trace cannot be read.
 */
gboolean pd_trace_facts_read (PdTraceFacts *facts, const char *trace, GBytes *bytes,
                              gboolean keep_startup, const PdDvmCleaning *cleaning, GError **error);

/* Speeds of the machine's processors. */
typedef struct
{
  const PdTraceFacts *facts; /* borrowed */
  gdouble fastest;
  gdouble slowest;
  PdDvmRecorderCost recorder_cost; /* that is taken out of the recorded times */
} PdBounds;

/**
 * pd_bounds_set_speeds:
 * @self: gets its speeds
 * @machine: whose processors are looked at
 * @ratios: (nullable): what the user said about them
 */
void pd_bounds_set_speeds (PdBounds *self, const PdMachine *machine, const PdCpuRatios *ratios);

/**
 * pd_bounds_least_time:
 * @n: processors
 *
 * No grid of @n processors is faster, whatever the network: with the speeds
 * s[p] <= fastest and the work w[p] of each processor in parallel loops,
 *
 *     T >= (common + w[p]) / s[p],   sum of w[p] >= divided
 *     T >= (common + divided / n) / fastest
 *
 * less what rounding to picoseconds can make up. It falls with @n.
 *
 * Returns: picoseconds, >= 0.
 */
gdouble pd_bounds_least_time (const PdBounds *self, guint32 n);

/**
 * pd_bounds_most_efficiency:
 * @n: processors
 *
 * Efficiency is Productive_time over @n times the execution time; the former
 * is at most the whole trace on the slowest processor. It falls with @n.
 *
 * Returns: no grid of @n processors is more efficient; at most 1.
 */
gdouble pd_bounds_most_efficiency (const PdBounds *self, guint32 n);

#endif
