/* What traces and ComSys, which know nothing of each other, both have names for.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MP_OPS_H
#define PD_MP_OPS_H

#include "comsys/pd-comsys.h"
#include "traces/pd-program.h"

G_BEGIN_DECLS

/**
 * pd_mp_get_op:
 * @kind: a collective operation of a trace
 *
 * Returns: the same operation of ComSys.
 */
PdOp pd_mp_get_op (PdCollKind kind);

G_END_DECLS

#endif
