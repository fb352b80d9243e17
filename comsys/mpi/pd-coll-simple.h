/* The set "simple", Dimemas' cost model of collective operations (see PdPhaseModel).
 * Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_COLL_SIMPLE_H
#define PD_COLL_SIMPLE_H

#include "base/pd-time.h"
#include "comsys/coll/pd-op.h"
#include "comsys/state/pd-comsys-types.h"

/* In all; of the root. */
typedef struct
{
  gint64 sent;
  gint64 received;
} PdPhaseBytes;

/**
 * pd_phases_get_time:
 * @bytes: of the root
 *
 * Returns: how long an operation of the set "simple" takes after the last arrival.
 */
PdTime pd_phases_get_time (PdComsys *self, PdComm *comm, PdOp op, const PdPhaseBytes *bytes);

/**
 * pd_phases_get_latency:
 * Returns: processor time that @rank needs to start an operation on @comm that does not wait for
 *   all: the greatest time that the networks of its members take before a message.
 */
PdTime pd_phases_get_latency (PdComsys *self, PdComm *comm, guint32 rank);

/**
 * pd_phases_get_bytes:
 * Returns: what the caller sends and receives.
 */
PdPhaseBytes pd_phases_get_bytes (const PdCollective *args, const PdComm *comm);

#endif
