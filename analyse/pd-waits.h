/* The waiting of calls, and its causes.

 * SPDX-License-Identifier: MIT */
#ifndef PD_WAITS_H
#define PD_WAITS_H

#include "analyse/pd-analysis.h"

/**
 * pd_wait_state_name:
 * Returns: "late sender": what people read; static.
 */
const char *pd_wait_state_name (PdWaitState state);

/**
 * pd_wait_state_id:
 * Returns: "late_sender": what programs read; static.
 */
const char *pd_wait_state_id (PdWaitState state);

/**
 * pd_wait_state_meaning:
 * Returns: one sentence, lower case, no full stop; static.
 */
const char *pd_wait_state_meaning (PdWaitState state);

#endif
