/* The collective operations of traces and of ComSys, which do not use each other.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MP_COLLECTIVE_OPS_H
#define PD_MP_COLLECTIVE_OPS_H

#include "comsys/coll/pd-op.h"
#include "traces/program/pd-program.h"

/**
 * pd_mp_get_op:
 * @kind: a collective operation of a trace
 *
 * Returns: the same operation of ComSys.
 */
PdOp pd_mp_get_op (PdCollKind kind);

#endif
