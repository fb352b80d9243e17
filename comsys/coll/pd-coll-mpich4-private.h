/* The choices of MPICH: the default selection of the releases 4.0 to 4.3.2
 * (maint/tuning/coll/mpir/generic.json, the same in all of them; its sizes are those of
 * the control variables MPIR_CVAR_BCAST_SHORT_MSG_SIZE 12288, _BCAST_LONG_MSG_SIZE
 * 524288, _ALLGATHER_SHORT_MSG_SIZE 81920, _ALLGATHER_LONG_MSG_SIZE 524288,
 * _REDUCE_SHORT_MSG_SIZE 2048, _ALLTOALL_SHORT_MSG_SIZE 256, _ALLTOALL_MEDIUM_MSG_SIZE
 * 32768, _ALLTOALL_THROTTLE 32, _REDSCAT_COMMUTATIVE_LONG_MSG_SIZE 524288). Rows: ranks
 * from, to; bytes up to; condition; algorithm; segment. Its "count < pow2" assumes
 * elements of 8 bytes here. Differences: no algorithm for nodes of several ranks
 * ("smp"); the non-commutative Reduce_scatter is the recursive doubling. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_COLL_MPICH4_PRIVATE_H
#define PD_COLL_MPICH4_PRIVATE_H

#include "comsys/coll/pd-coll-schedule.h"

extern const PdCollectiveTable pd_collectives_mpich4;

#endif
