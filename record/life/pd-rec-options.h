/* The environment variables of a recording.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REC_OPTIONS_H
#define PD_REC_OPTIONS_H

#include "record/life/pd-rec-finish.h"
#include "record/stream/pd-rec.h"
#include "record/stream/pd-rec-error.h"
#include "record/stream/pd-rec-stream.h"
#include "record/stream/pd-rec-format.h"

#include <stddef.h>

/**
 * pd_rec_options_read:
 * @size: ranks that share PREDICTOR_MAX_SIZE; -1: a variable has no sense.
 */
int pd_rec_options_read (PdRecOptions *self, int size, PdRecError *error);

/**
 * pd_rec_options_check: whether what the environment says of a recording has a sense.
 *
 * Returns: 0, or -1 with @error, which names the variable.
 */
int pd_rec_options_check (PdRecError *error);

/**
 * pd_rec_stack_depth: how many return addresses to record: PREDICTOR_STACK_DEPTH,
 * 0 to %PD_REC_MAX_DEPTH.
 */
int pd_rec_stack_depth (void);

#endif
