/* The cost of parallel loops if the parts of processors fit caches better than the whole does.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_CACHES_H
#define PD_DVM_CACHES_H

#include "predictor/dvm/model/pd-dvm-arrays.h"

/**
 * pd_dvm_caches_note_loop:
 * @loop: (inout): mapped on @pattern by the current call; gets its place and its bytes
 *
 * The bytes are those of the arrays that lie on the template of @pattern, as much of them as the
 * loop accesses. They are 0 if no caller needs them.
 */
void pd_dvm_caches_note_loop (PdDvm *self, PdLoopObject *loop, const PdPattern *pattern,
                              const PdAlignment *alignment, const PdLoopRange *ranges);

/**
 * pd_dvm_caches_apply:
 * @loop: with iterations
 * @shares: (element-type PdLoopShare) (inout): recorded on one processor; get the times that the
 *   loop takes on the bytes of each
 */
void pd_dvm_caches_apply (PdDvm *self, const PdLoopObject *loop, GArray *shares);

#endif
