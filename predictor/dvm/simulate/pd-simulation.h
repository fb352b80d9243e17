/* The simulated machine: one CProc per processor, each with its own place in
 * the trace and its own clock, and the main loop that always advances the one
 * with the smallest local time.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SIMULATION_H
#define PD_SIMULATION_H

#include "dataserver/pd-data-server.h"
#include "intervals/pd-interval.h"
#include "predictor/common/pd-cpu-ratio.h"
#include "predictor/common/pd-errors.h"
#include "predictor/common/pd-noise.h"
#include "predictor/common/pd-watcher.h"
#include "predictor/dvm/step/pd-step.h"

#include <signal.h>

/* The head of the table of a deadlock, behind the number of those that wait. */
#define PD_BLOCKED_HEADING "     rank  function                peer        tag        bytes  where"

/**
 * pd_blocked_append:
 * @table: gets a line, to which where that is may be added
 * @rank: what waits: a rank, a processor
 * @function: (nullable): in what
 * @blocked: for what
 */
void pd_blocked_append (GString *table, guint32 rank, const char *function,
                        const PdBlocked *blocked);

typedef struct _PdSimulation PdSimulation;

/* The inputs of the processors; borrowed. */
typedef struct
{
  PdDataServer *server;
  PdComsys *comsys;
  PdIntervalTree *tree;
  guint32 n;                         /* processors */
  const gdouble *speeds;             /* of each speed class */
  const guint16 *speed_of;           /* (array length=n): class of each processor */
  const PdSoftware *software;        /* (nullable): costs of packing; NULL: none */
  const PdIo *io;                    /* what files take */
  const PdNodeRatios *ratios;        /* (nullable): of the tree */
  const PdNoise *noise;              /* (nullable): what disturbs computation */
  guint message_mask;                /* see PdDvmOptions */
  const PdWatcher *watchers;         /* (nullable): then steps have no time before them */
  const volatile sig_atomic_t *stop; /* (nullable): not 0: stop as soon as possible */
} PdSimulationContext;

/**
 * pd_simulation_get_least_bytes:
 * @n: number of processors
 *
 * Returns: what pd_simulation_new() allocates for them, in bytes.
 */
guint64 pd_simulation_get_least_bytes (guint32 n);

/**
 * pd_simulation_new:
 * @context: copied
 *
 * Returns: (transfer full): @context->n processors at moment 0, before step 0.
 */
PdSimulation *pd_simulation_new (const PdSimulationContext *context);

/**
 * pd_simulation_free:
 * @self: (nullable): the simulation
 */
void pd_simulation_free (PdSimulation *self);

/**
 * pd_simulation_run:
 * @error: return location for a #PdSimulationError, or an error of the trace
 *
 * The main loop, to the end of the trace.
 *
 * Returns: %FALSE on an error; the clocks then say how far it came.
 */
gboolean pd_simulation_run (PdSimulation *self, GError **error);

/**
 * pd_simulation_get_clock:
 * Returns: the clock of @processor; after the run, its end time.
 */
PdTime pd_simulation_get_clock (const PdSimulation *self, guint32 processor);

/**
 * pd_simulation_check_matched:
 * @comsys: of a simulation that is over
 * @error: return location for %PD_SIMULATION_ERROR_UNMATCHED, which names the first
 *
 * Returns: whether all messages have been received, and no receive is pending.
 */
gboolean pd_simulation_check_matched (const PdComsys *comsys, GError **error);

/* A timeline of processors: see pd_timeline_watch(). */
extern const PdWatcherClass pd_cproc_timeline;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdSimulation, pd_simulation_free)

#endif
