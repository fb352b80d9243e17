/* The communication system as a whole: its life, and what it is asked for.
 * SPDX-License-Identifier: MIT */
#ifndef PD_COMSYS_CORE_H
#define PD_COMSYS_CORE_H

#include "base/pd-messages.h"
#include "comsys/machine/pd-machine.h"
#include "comsys/state/pd-comsys-types.h"

G_BEGIN_DECLS

/**
 * pd_comsys_new:
 * @machine: the machine; must outlive this object
 * @placement: (nullable) (array length=n_ranks): the processor of each rank;
 *   %NULL: rank r on processor r
 * @n_ranks: number of simulated ranks, 1 to 16,777,214
 * @error: return location for a #PdMachineError: an unknown collective set or
 *   algorithm, too few processors, or a placement outside the machine; or a
 *   %PD_MEMORY_ERROR: more ranks than the limit of memory has room for
 *
 * MPI_Init is this: all ranks exist from moment 0, none is in the queue.
 *
 * Returns: (transfer full) (nullable): the communication system.
 */
PdComsys *pd_comsys_new (const PdMachine *machine, const guint32 *placement, guint32 n_ranks,
                         GError **error);

/**
 * pd_comsys_get_least_bytes:
 * @n_ranks: number of simulated ranks
 *
 * Counts the memory of each rank in pd_comsys_new(), without networks and messages.
 *
 * Returns: a lower bound of the memory that a communication system takes, in bytes.
 */
guint64 pd_comsys_get_least_bytes (guint32 n_ranks);

/**
 * pd_comsys_free:
 * @self: (nullable): the communication system; communicators made from it
 *   must have been released before
 */
void pd_comsys_free (PdComsys *self);

/**
 * pd_comsys_set_observer:
 * @observer: (nullable): copied
 */
void pd_comsys_set_observer (PdComsys *self, const PdObserver *observer);

/**
 * pd_comsys_set_run_ahead:
 * @run_ahead: %FALSE: every step goes through the queue; the results are the
 *   same (the default is %TRUE)
 */
void pd_comsys_set_run_ahead (PdComsys *self, gboolean run_ahead);

/**
 * pd_comsys_set_asks:
 * A rank that pd_comsys_next() returns asks pd_comsys_may_go_on() before it calls, also after a
 * call that has just returned. So its first computation is queued before actions of others at
 * that moment, where the first queued is first; else the rank is returned again after these.
 *
 * Returns: whether equal moments are first in, first out. A rank then begins to compute at its
 *   moment only, too: the end of a computation is queued when the one before it has ended.
 */
gboolean pd_comsys_set_asks (PdComsys *self);

/**
 * pd_comsys_set_unordered:
 *
 * States that all receives name source and tag, and that no rank tests or probes: no
 * Test, Probe, Waitany, Waitsome, nor wildcard receives. On networks whose transfers
 * share no resource, sends
 * and receives then take effect at their own time, whenever they are called: a
 * rank may make the calls of these kinds before it is returned by
 * pd_comsys_next(), each at its own time. To be called before the first one, where
 * pd_comsys_may_be_unordered() says so.
 */
void pd_comsys_set_unordered (PdComsys *self);

/**
 * pd_comsys_may_be_unordered:
 * Returns: whether no transfer has to do with another one; not where the main loop
 *   goes one step at a time, or messages are observed.
 */
gboolean pd_comsys_may_be_unordered (const PdComsys *self);

/**
 * pd_comsys_get_counts:
 * Returns: (transfer none): what has happened so far.
 */
const PdComsysCounts *pd_comsys_get_counts (const PdComsys *self);

/**
 * pd_comsys_get_truncated:
 * Returns: (transfer none): messages that their receives had no room for, so far.
 */
const PdTruncated *pd_comsys_get_truncated (const PdComsys *self);

/**
 * pd_comsys_report:
 * @messages: (inout): gets the messages of the networks about their use,
 *   such as sizes outside of the measured ones
 *
 * To be called when the simulation is over.
 */
void pd_comsys_report (const PdComsys *self, PdMessages *messages);

/**
 * pd_comsys_finalize:
 * Returns: the number of unreceived messages, of unmatched
 *   receives, of unreleased locks and of
 *   members of windows with operations after their last fence; 0 for a correct
 *   program (MPI_Finalize).
 */
guint64 pd_comsys_finalize (const PdComsys *self);

/**
 * pd_comsys_find_unmatched:
 * @first: (out): of the lowest rank: its first send or, without one, its first receive
 *
 * Returns: whether there are any that no rank is blocked in.
 */
gboolean pd_comsys_find_unmatched (const PdComsys *self, PdUnmatched *first);

/**
 * pd_comsys_get_world:
 * Returns: (transfer none): MPI_COMM_WORLD.
 */
PdComm *pd_comsys_get_world (PdComsys *self);

/**
 * pd_comsys_wtime:
 * Returns: MPI_Wtime at @when, in seconds.
 */
gdouble pd_comsys_wtime (PdTime when);

/**
 * pd_comsys_get_processor_name:
 * Returns: (transfer full): MPI_Get_processor_name: "node3:1", the node in
 *   document order and the processor in it.
 */
char *pd_comsys_get_processor_name (const PdComsys *self, guint32 rank);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdComsys, pd_comsys_free)

G_END_DECLS

#endif
