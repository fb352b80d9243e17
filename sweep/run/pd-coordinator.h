/* The distribution of points to workers: remaining points, points in progress, and
 * points whose worker has died. Knows no processes and no clocks: moments are given.
 * SPDX-License-Identifier: MIT */
#ifndef PD_COORDINATOR_H
#define PD_COORDINATOR_H

#include <glib.h>

/* How often a point is tried whose worker dies. A worker that is killed from outside may
 * not be the fault of its point; without memory it is. */
#define PD_COORDINATOR_ATTEMPTS        2
#define PD_COORDINATOR_ATTEMPTS_KILLED 5

/* A worker gets so many points at a time at most, */
#define PD_COORDINATOR_MAX_BATCH 256
/* and as many as it needs this long for, in microseconds. */
#define PD_COORDINATOR_BATCH_TIME 50000

typedef struct _PdCoordinator PdCoordinator;

/* Whether @point is not to be computed. */
typedef gboolean (*PdSkipFunc) (gpointer data, gint64 point);

/**
 * pd_coordinator_new:
 * @n_points: points are numbered from 0
 * @n_workers: 1 or more
 * @skip: (nullable): asked once of each point
 * @data: for @skip
 *
 * Returns: (transfer full): a coordinator; no worker has a point.
 */
PdCoordinator *pd_coordinator_new (gint64 n_points, guint n_workers, PdSkipFunc skip,
                                   gpointer data);

/**
 * pd_coordinator_free:
 * @self: (nullable): the coordinator
 */
void pd_coordinator_free (PdCoordinator *self);

/**
 * pd_coordinator_give:
 * @worker: less than n_workers
 * @points: (array) (out caller-allocated): room for %PD_COORDINATOR_MAX_BATCH numbers
 *
 * Gives @worker points to compute in that order, behind those that it has; at the end
 * of the work fewer, that all workers end at the same time. A point that has cost a
 * worker its life is given alone.
 *
 * Returns: how many; 0 if it has enough, or nothing is left to give.
 */
guint pd_coordinator_give (PdCoordinator *self, guint worker, gint64 *points);

/**
 * pd_coordinator_finish:
 * @worker: who has computed
 * @point: the first of those that it had
 * @microseconds: the time that it took
 * @attempts: (out): how often the point was tried
 *
 * Returns: %FALSE if @worker was to compute another one; then nothing has changed.
 */
gboolean pd_coordinator_finish (PdCoordinator *self, guint worker, gint64 point,
                                gint64 microseconds, guint *attempts);

/**
 * pd_coordinator_lose:
 * @worker: has died
 * @killed: perhaps from outside
 * @point: (out): that it died of
 * @attempts: (out): how often that point was tried
 *
 * What @worker had is to be computed by others.
 *
 * Returns: whether @point is given up: it has been tried often enough, and is finished
 *   for the coordinator.
 */
gboolean pd_coordinator_lose (PdCoordinator *self, guint worker, gboolean killed, gint64 *point,
                              guint *attempts);

/**
 * pd_coordinator_get_n_left:
 * Returns: how many points are not finished.
 */
gint64 pd_coordinator_get_n_left (const PdCoordinator *self);

/**
 * pd_coordinator_get_n_given:
 * Returns: how many of them @worker has.
 */
guint pd_coordinator_get_n_given (const PdCoordinator *self, guint worker);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdCoordinator, pd_coordinator_free)

#endif
