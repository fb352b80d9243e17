/* Dependency graphs on any machine: what each rank computes, sends and receives,
 * and after what, through ComSys.
 * SPDX-License-Identifier: MIT */
#ifndef PD_GRAPH_RUN_H
#define PD_GRAPH_RUN_H

#include "predictor/graph/pd-goal.h"
#include "predictor/common/pd-noise.h"
#include "predictor/common/pd-watcher.h"

/* Everything is borrowed. */
typedef struct
{
  const PdGraph *graph;
  PdComsys *comsys;          /* of as many ranks, in which nothing has happened */
  const gdouble *speeds;     /* (nullable) (array length=n_ranks): calc is divided by it */
  const PdNoise *noise;      /* (nullable): of calc; step = number of the operation */
  const PdWatcher *watchers; /* (nullable): observers of operations and of busy CPUs */
  gboolean one_step;         /* every rank goes through the queue: the same result, slower */
  const volatile sig_atomic_t *stop; /* (nullable): not 0: stop as soon as possible */
} PdGraphRunParams;

/**
 * pd_graph_run:
 * @calcs: (array length=n_ranks) (out caller-allocated): time in calc, of all CPUs of a rank
 * @result: (out caller-allocated): to be cleared with pd_goal_result_clear(), also after
 *   an error
 * @error: return location for a #PdSimulationError
 *
 * An operation is ready when what it waits for has started or ended; those that become
 * ready by the same event in the order send, recv, calc. Each CPU of a rank does one at
 * a time, first come, first served: calc takes its time, sends and receives are Isend and
 * Irecv, which keep the CPU until they return, and end with their completion. A rank ends
 * with the last of its operations.
 *
 * Where messages keep processors (pd_comsys_needs_operations()) a rank has one CPU, whatever
 * its operations say, and operations are submitted to ComSys when they are ready: the rules
 * are those of pd_goal_simulate(). A rank ends when its CPU is free for good.
 *
 * Returns: %FALSE in a deadlock (the message is a table; @result has what waits), if a
 *   clock passes 106 days, or when stopped.
 */
gboolean pd_graph_run (const PdGraphRunParams *params, PdTime *calcs, PdGoalResult *result,
                       GError **error);

#endif
