/* The cost of recording for the recorded run, without printing, whose time the recorder
 * subtracts itself.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_RECORDER_COST_H
#define PD_DVM_RECORDER_COST_H

#include "base/pd-time.h"
#include "traces/dvm/pd-dvm-functions.h"

/* All zero: nothing. */
typedef struct
{
  PdTime event;             /* of each event, printed or inside a call; >= 0 */
  PdTime statistics;        /* of statistics inside each call; >= 0 */
  gboolean drops_intervals; /* calls that begin and end intervals take no time inside */
} PdDvmRecorderCost;

/* No call contains more. */
#define PD_DVM_MOST_EVENTS 15

/**
 * pd_dvm_function_get_n_events:
 * @function: a function
 *
 * Returns: how many events the time inside a call of it contains: the ret_ record, and what is
 *   not printed with MaxTraceLevel=0; see docs/models.md.
 */
guint pd_dvm_function_get_n_events (PdDvmFunction function);

#endif
