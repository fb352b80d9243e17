/* The part of each processor in an array that the I/O processor collects or distributes.
 * SPDX-License-Identifier: MIT */
#ifndef PD_STEP_PART_H
#define PD_STEP_PART_H

#include "predictor/dvm/step/pd-step.h"

/**
 * pd_operation_get_part:
 * @operation: COLLECT, DEAL: of a distributed array
 * @linear: a processor's number in the operation's grid
 *
 * Returns: the bytes of the elements concerned that it holds.
 */
gint64 pd_operation_get_part (const PdStepOperation *operation, guint32 linear);

#endif
