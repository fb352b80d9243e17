/* Operations of ranks that submit them instead of calling, on machines whose messages keep
 * processors (networks with endpoint resources). An operation that waits for the processor or
 * for an adapter keeps neither: ComSys has the queues of both, so that others go on meanwhile.
 * These are the rules of LogGOPSim: an operation is tried at the moment when it is ready and
 * the processor was free as far as known then, and again whenever that has changed; of two at
 * one moment the one that was submitted first comes first; a receive needs no processor.
 * Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_OPERATIONS_H
#define PD_OPERATIONS_H

#include "comsys/state/pd-comsys-types.h"

/* Called while an operation is tried, and in pd_comsys_next_event(). */
typedef struct
{
  gpointer data;
  void (*started) (gpointer data, guint32 rank, guint32 token);            /* now */
  void (*ended) (gpointer data, guint32 rank, guint32 token, PdTime when); /* now or later */
  /* All that has started and ended of @rank at once has been told: what becomes ready by that is
   * to be submitted. */
  void (*told) (gpointer data, guint32 rank);
  /* (nullable): in this time a CPU of @rank receives a message. */
  void (*received) (gpointer data, guint32 rank, guint8 cpu, PdTime since, PdTime until);
} PdOperationEvents;

/* The resources that operations name. A message takes CPUs and adapters of one number at both of
 * its ends. */
typedef struct
{
  guint32 n_cpus;   /* of each rank, 1 to 256 */
  guint32 n_nics;   /* likewise adapters */
  gboolean any_tag; /* some are sent with it: they match any */
} PdLanes;

/**
 * pd_comsys_needs_operations:
 * Returns: whether messages keep processors on some network of @self.
 */
gboolean pd_comsys_needs_operations (const PdComsys *self);

/**
 * pd_comsys_may_have_lanes:
 * Returns: whether operations may name several CPUs and adapters of a rank, and any tag of what
 * they send: messages keep processors on the only network of @self.
 */
gboolean pd_comsys_may_have_lanes (const PdComsys *self);

/**
 * pd_comsys_set_operations:
 * @events: copied
 * @lanes: copied; more than one CPU and adapter, and any tag, only on machines with lanes
 *
 * All ranks of @self, in which nothing has happened, submit operations from now on, and make no
 * calls. pd_comsys_needs_operations() is then %TRUE.
 */
void pd_comsys_set_operations (PdComsys *self, const PdOperationEvents *events,
                               const PdLanes *lanes);

/**
 * pd_comsys_submit:
 * @token: below %PD_TOKEN_NONE; of no other operation of @rank that is under way
 * @lane: what it takes; the same when it is tried
 * @ready: not tried before that
 *
 * The operation gets its place in the order of all. pd_comsys_next_event() returns @rank and
 * @token when it is to be tried, by the function of its kind below.
 */
void pd_comsys_submit (PdComsys *self, guint32 rank, guint32 token, PdLane lane, PdTime ready);

/**
 * pd_comsys_try_compute:
 * @work: how long the operation keeps the processor
 *
 * Returns: whether it has started; else it will be tried again.
 */
gboolean pd_comsys_try_compute (PdComsys *self, guint32 rank, guint32 token, PdLane lane,
                                PdTime work);

/**
 * pd_comsys_try_send:
 * As pd_comsys_try_compute().
 */
gboolean pd_comsys_try_send (PdComsys *self, guint32 rank, guint32 token, PdLane lane,
                             PdEnvelope envelope);

/**
 * pd_comsys_try_receive:
 * As pd_comsys_try_compute(); is only tried again where a receive costs the processor time.
 */
gboolean pd_comsys_try_receive (PdComsys *self, guint32 rank, guint32 token, PdLane lane,
                                PdEnvelope envelope);

/**
 * pd_comsys_get_processor_free:
 * Returns: when CPU @cpu of @rank is over with all that it does so far.
 */
PdTime pd_comsys_get_processor_free (const PdComsys *self, guint32 rank, guint8 cpu);

#endif
