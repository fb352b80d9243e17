/* Data that is known only when the last member of a communicator has arrived: the moment when all
 * continue, and the communicators created from it (see pd-comm-create.c). Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_BARRIER_STATE_PRIVATE_H
#define PD_BARRIER_STATE_PRIVATE_H

#include "comsys/mpi/pd-barrier-ring.h"

/* The caller, in @function, waits for all members, and @duration longer. */
void pd_barrier_wait (PdComsys *self, const PdCall *call, PdComm *comm, const char *function,
                      PdTime duration);
/* A collective operation of the set "simple"; with @request it is that which
 * completes, and the caller does not wait. */
void pd_barrier_collective (PdComsys *self, const PdCall *call, PdComm *comm,
                            const PdCollective *args, guint32 request);

/* On networks that a collective operation takes as a whole (#PdNetworkClass.occupy): the operation
 * @id of members that have come has it until @end. */
void pd_barrier_occupied (PdComsys *self, guint32 id, PdTime end);
/* The events: all members have come; a nonblocking operation is complete for one of them. */
void pd_barrier_meeting_event (PdComsys *self, guint32 rank, guint32 id);
void pd_barrier_complete_event (PdComsys *self, guint32 rank, guint32 request);

/* A reduce by messages: each other member sends its part when it comes, and goes on when the root
 * has that; the root goes on when it has all. */
void pd_barrier_reduce (PdComsys *self, const PdCall *call, PdComm *comm, const PdCollective *args);
/* Of PdHandlers: the part of a member. */
void pd_barrier_reached_root (PdComsys *self, guint32 message, PdTime when);

/* @meetings: (nullable). */
void pd_barriers_free (GPtrArray *meetings);

#endif
