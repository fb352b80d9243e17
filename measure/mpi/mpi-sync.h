/* A clock that all processes share: each knows the relation of its own to that of rank 0.
 *
 *   PdSyncOptions options = PD_SYNC_OPTIONS_DEFAULT;
 *   g_autoptr (PdSync) sync = pd_sync_new (comm, &timer, &options);
 *   double start = pd_sync_announce (sync, 1e-3);     // the same at all processes
 *   pd_sync_wait (sync, start);
 *   …                                                 // the measured work
 *   double end = pd_sync_now (sync);                  // comparable between processes
 *   pd_sync_verify (sync, 2e-6, &check, error);
 *
 * Global time is that of rank 0's timer, in seconds.
 * SPDX-License-Identifier: MIT */
#ifndef MPI_SYNC_H
#define MPI_SYNC_H

#include "measure/stats/pd-clock.h"
#include "measure/stats/pd-timer.h"

#include <mpi.h>

typedef enum
{
  PD_SYNC_LINEAR, /* all in turn with rank 0; offsets */
  PD_SYNC_RING,   /* neighbours at the same time, offsets added along the ring */
  PD_SYNC_TREE,   /* in log2 (n) steps, with linear drift (HCA3) */
  PD_SYNC_HOSTS,  /* a tree of hosts, whose ranks have one clock; PD_SYNC_TREE where they
                   * may not: MPI_Wtime, or disturbed timers */
  PD_N_SYNCS
} PdSyncAlgorithm;

typedef struct
{
  PdSyncAlgorithm algorithm;
  guint patience;   /* exchanges in which the smallest round trip does not change */
  gdouble duration; /* seconds of exchanges that drift is found in, per step of the tree */
  gdouble max_age;  /* seconds after which pd_sync_refresh() synchronises again */
} PdSyncOptions;

#define PD_SYNC_OPTIONS_DEFAULT                                                                    \
  {                                                                                                \
    PD_SYNC_TREE, 100, 1.0, 10.0                                                                   \
  }

typedef struct _PdSync PdSync;

/**
 * pd_sync_find:
 * @name: "linear", "ring", "tree" or "hosts"
 * @error: return location for %PD_MEASURE_ERROR_USAGE
 * Returns: the algorithm, or %PD_N_SYNCS with @error set.
 */
PdSyncAlgorithm pd_sync_find (const char *name, GError **error);

/**
 * pd_sync_name:
 * Returns: (transfer none): as pd_sync_find() knows it.
 */
const char *pd_sync_name (PdSyncAlgorithm algorithm);

/**
 * pd_sync_new: (collective)
 * @comm: is used as long as the result is there; nothing else is received in it meanwhile
 * @timer: copied; started, of the same kind at all processes
 * @options: copied
 *
 * Synchronises. Returns: (transfer full): the common clock.
 */
PdSync *pd_sync_new (MPI_Comm comm, const PdTimer *timer, const PdSyncOptions *options);

/**
 * pd_sync_free:
 * @self: (nullable): the clock
 */
void pd_sync_free (PdSync *self);

/**
 * pd_sync_refresh: (collective)
 *
 * Synchronises again if the relation is older than max_age by the clock of rank 0.
 *
 * Returns: whether it has; times before and after are not comparable to their last digit.
 */
gboolean pd_sync_refresh (PdSync *self);

/**
 * pd_sync_now:
 * Returns: global time, seconds.
 */
gdouble pd_sync_now (const PdSync *self);

/**
 * pd_sync_global:
 * Returns: global time when the own timer shows @own.
 */
gdouble pd_sync_global (const PdSync *self, gdouble own);

/**
 * pd_sync_own:
 * Returns: what the own timer shows at @global time: what one waits for.
 */
gdouble pd_sync_own (const PdSync *self, gdouble global);

/**
 * pd_sync_wait:
 * Spins until @global time.
 */
void pd_sync_wait (const PdSync *self, gdouble global);

/**
 * pd_sync_announce: (collective)
 * @ahead: seconds from now at rank 0
 * Returns: the same global time at all processes.
 */
gdouble pd_sync_announce (const PdSync *self, gdouble ahead);

/**
 * pd_sync_model:
 * Returns: (transfer none): the relation of the own timer to global time.
 */
const PdClockModel *pd_sync_model (const PdSync *self);

/**
 * pd_sync_shift:
 * @seconds: is added to this process' global time: an error, for tests
 */
void pd_sync_shift (PdSync *self, gdouble seconds);

typedef struct
{
  gdouble error;      /* seconds: the largest difference of global time to that of rank 0 … */
  int rank;           /* … which this process has */
  gdouble round_trip; /* of the exchange that it was found by: half of it is uncertain */
  gdouble empty;      /* median: latest end - earliest start of an operation of nothing */
} PdSyncCheck;

/**
 * pd_sync_check: (collective)
 * @out: (out caller-allocated): the same at all processes
 *
 * Compares global time of each process with that of rank 0 by exchanges of their own. An
 * operation of nothing, at whose start one waits for the own clock, cannot show a wrong
 * offset; it shows how exactly one starts.
 */
void pd_sync_check (PdSync *self, PdSyncCheck *out);

/**
 * pd_sync_verify: (collective)
 * @bound: seconds
 * @out: (out caller-allocated): as pd_sync_check()
 * @error: return location for %PD_MEASURE_ERROR_SYNC
 * Returns: %FALSE with @error set at all processes if a clock is off by more than @bound.
 */
gboolean pd_sync_verify (PdSync *self, gdouble bound, PdSyncCheck *out, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdSync, pd_sync_free)

#endif
