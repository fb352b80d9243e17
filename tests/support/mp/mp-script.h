/* Message-passing programs for tests, as text.
 * SPDX-License-Identifier: MIT */
#ifndef MP_SCRIPT_H
#define MP_SCRIPT_H

#include "traces/program/pd-program.h"

/* Actions separated by ";": "RANK ACTION ARGUMENT…", times in microseconds:
 *
 *   compute T (or flops, of a program in those), delay T, other NAME T, location FILE LINE
 *   send|ssend|bsend|rsend PEER BYTES [TAG], isend|issend|ibsend PEER BYTES SLOT [TAG]
 *   recv PEER BYTES [TAG], irecv PEER BYTES SLOT [TAG]; PEER may be any, anyN (it was N), null
 *   sendrecv PEER BYTES FROM BYTES
 *   sendinit|recvinit PEER BYTES SLOT, start SLOT…, free SLOT, cancel SLOT
 *   wait SLOT, waitall [SLOT…], waitany|waitsome|testany|testsome|testall SLOT… [= POSITION…],
 *   test SLOT [= [0]], probe PEER, iprobe PEER [= [0]]
 *   barrier, bcast ROOT BYTES, allreduce BYTES [T]: T of computation after it; commdup
 *   alltoall BYTES, iallreduce|ialltoall BYTES SLOT, ibcast ROOT BYTES SLOT
 *   put|get|accumulate PEER BYTES, fence, lock PEER [1: exclusive], unlock PEER; any: all
 *   getaccumulate PEER BYTES BYTES, rput|rget|raccumulate PEER BYTES SLOT, flush PEER
 *   post ORIGIN…, begin TARGET…, complete, winwait
 *   enter NAME, leave NAME
 *
 * Of slots "= …" are those of the recorded outcome; "=" alone: nothing had completed. */
PdProgram *mp_script_new (guint32 n_ranks, PdAmountUnit unit, const char *text);

#endif
