/* What is known only when the last member of a communicator has come: when all may go on
 * (and which communicators are made of it, see pd-comm-create.c). Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_BARRIER_STATE_PRIVATE_H
#define PD_BARRIER_STATE_PRIVATE_H

#include "base/pd-time.h"
#include "comsys/coll/pd-op.h"
#include "comsys/mpi/pd-coll-simple.h"

/* Where a member belongs. */
typedef struct
{
  guint32 world_rank;
  guint32 old_rank;
  gint32 color;
  gint32 key;
  guint32 *neighbors; /* (nullable): owned: sources, then targets */
  guint32 n_sources;
  guint32 n_targets;
  PdComm **result;
} PdJoin;

/* What is known only when the last member of a communicator has come. */
typedef struct
{
  guint32 n_arrived;
  PdTime latest;
  GArray *waiting; /* of pd-barrier-state.c */
  guint32 mark;    /* of the probe, see pd-probe.h; 0 at first */
  GArray *joins;   /* PdJoin */
  /* of a collective operation: */
  PdOp op;
  guint32 root;
  PdPhaseBytes bytes;  /* of the root */
  gboolean mismatched; /* members called different operations: it never ends */
} PdBarrierState;

/* The barrier that member @me enters next. */
PdBarrierState *pd_barrier_enter (PdComm *comm, guint32 me);
/* The oldest barrier is over. */
void pd_barrier_leave (PdComm *comm);

/* The caller, in @function, waits for all members, and @duration longer. */
void pd_barrier_wait (PdComsys *self, const PdCall *call, PdComm *comm, const char *function,
                      PdTime duration);
/* A collective operation of the set "simple"; with @request it is that which
 * completes, and the caller does not wait. */
void pd_barrier_collective (PdComsys *self, const PdCall *call, PdComm *comm,
                            const PdCollective *args, guint32 request);

#endif
