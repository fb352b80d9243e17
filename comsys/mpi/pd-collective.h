/* Collective operations: each member plays the steps of its schedule, which an iterator
 * yields one at a time, as point-to-point operations (pd-coll-execute.c). The set
 * "simple" plays nothing: every operation takes a time after the last arrival
 * (pd-barrier-state.c).
 * SPDX-License-Identifier: MIT */
#ifndef PD_COLLECTIVE_H
#define PD_COLLECTIVE_H

#include "comsys/state/pd-comsys-types.h"

G_BEGIN_DECLS

/**
 * pd_comsys_reduces_by_messages:
 * Returns: whether a reduce is messages of the members to the root: with the set "simple" on a
 *   network of type dimemas.
 */
gboolean pd_comsys_reduces_by_messages (const PdComsys *self);

/**
 * pd_comsys_collective:
 * @call: the call
 * @comm: a communicator the caller belongs to
 * @collective: which operation, and its sizes
 *
 * All collective operations: MPI_Barrier, MPI_Bcast, … Blocking.
 */
void pd_comsys_collective (PdComsys *self, const PdCall *call, PdComm *comm,
                           const PdCollective *collective);

/**
 * pd_comsys_icollective:
 * @call: the call
 * @comm: a communicator the caller belongs to
 * @collective: which operation, and its sizes
 *
 * All non-blocking collective operations: MPI_Ibarrier, MPI_Ibcast, …: the same
 * steps as of pd_comsys_collective(), taken beside what the rank does. The call
 * returns at once; sends, receives and waits of the steps take their overheads
 * one after the other within the operation, and none of the rank's time.
 * Several may be under way; those of one communicator match in the order in
 * which its members start them, apart from the blocking ones.
 *
 * Returns: the request; its status says nothing.
 */
PdRequest pd_comsys_icollective (PdComsys *self, const PdCall *call, PdComm *comm,
                                 const PdCollective *collective);

/**
 * pd_comsys_barrier:
 * MPI_Barrier.
 */
void pd_comsys_barrier (PdComsys *self, const PdCall *call, PdComm *comm);

/**
 * pd_comsys_bcast:
 * MPI_Bcast of @bytes from @root.
 */
void pd_comsys_bcast (PdComsys *self, const PdCall *call, PdComm *comm, guint32 root, gint64 bytes);

/**
 * pd_comsys_gather:
 * MPI_Gather of @bytes from each rank to @root.
 */
void pd_comsys_gather (PdComsys *self, const PdCall *call, PdComm *comm, guint32 root,
                       gint64 bytes);

/**
 * pd_comsys_allgather:
 * MPI_Allgather of @bytes from each rank.
 */
void pd_comsys_allgather (PdComsys *self, const PdCall *call, PdComm *comm, gint64 bytes);

/**
 * pd_comsys_allgatherv:
 * @counts: (array): bytes of every rank's block; valid until the call returns
 *
 * MPI_Allgatherv.
 */
void pd_comsys_allgatherv (PdComsys *self, const PdCall *call, PdComm *comm, const gint64 *counts);

/**
 * pd_comsys_allreduce:
 * MPI_Allreduce of a vector of @bytes.
 */
void pd_comsys_allreduce (PdComsys *self, const PdCall *call, PdComm *comm, gint64 bytes);

/**
 * pd_comsys_alltoallv:
 * @send_counts: (array): bytes to every rank; valid until the call returns
 * @recv_counts: (array): bytes from every rank; likewise
 *
 * MPI_Alltoallv.
 */
void pd_comsys_alltoallv (PdComsys *self, const PdCall *call, PdComm *comm,
                          const gint64 *send_counts, const gint64 *recv_counts);

G_END_DECLS

#endif
