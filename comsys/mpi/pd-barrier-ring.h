/* Barriers of a communicator, whose end is known only when the last member has arrived. A ring of
 * those that some members have not reached, for one machine and for several. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_BARRIER_RING_H
#define PD_BARRIER_RING_H

#include "base/pd-time.h"
#include "comsys/coll/pd-op.h"
#include "comsys/mpi/pd-coll-simple.h"

/* Where a member belongs: see pd-comm-create.c. */
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

/* A member that has come. */
typedef struct
{
  guint32 rank;    /* world rank that is blocked here, */
  guint32 request; /* or does not wait itself: what completes */
} PdBarrierWaiting;

typedef struct
{
  guint32 n_arrived;
  PdTime latest;        /* of those that have come; */
  gpointer latest_each; /* (nullable): on each of several machines: a cache line, zero at first */
  GArray *waiting;      /* PdBarrierWaiting */
  guint32 mark;         /* of the probe, see pd-probe.h; 0 at first */
  GArray *joins;        /* PdJoin */
  /* of a collective operation: */
  PdOp op;
  guint32 root;
  PdPhaseBytes bytes;  /* of the root */
  gboolean mismatched; /* members called different operations: it never ends */
  guint32 n_reached;   /* of a reduce by messages: members whose part the root has */
} PdBarrierState;

/**
 * pd_barrier_enter:
 * @me: a member of @comm
 *
 * Returns: the barrier that the member enters next.
 */
PdBarrierState *pd_barrier_enter (PdComm *comm, guint32 me);

/**
 * pd_barrier_enter_operation:
 * As pd_barrier_enter(), for a collective operation of the set "simple", which is that of the
 * member that comes first.
 *
 * Returns: the barrier, which is complete when all have arrived and it is not mismatched.
 */
PdBarrierState *pd_barrier_enter_operation (PdComm *comm, guint32 me, const PdCollective *args);

/**
 * pd_barrier_leave:
 * The oldest barrier is over.
 */
void pd_barrier_leave (PdComm *comm);

#endif
