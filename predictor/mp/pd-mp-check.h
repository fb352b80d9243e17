/* Whether a message-passing program can be predicted, before it is.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MP_CHECK_H
#define PD_MP_CHECK_H

#include "predictor/mp/pd-mp.h"

/**
 * pd_mp_check:
 * @trace: a trace of message passing
 * @name: its name in messages
 * @stop: (nullable): not 0: stop as soon as possible
 * @messages: those of pd_mp_trace_read(); gets what pd_graph_check() finds, and the
 *   warning `relies-on-buffering` with a circle of ranks that would wait for each
 *   other if every send waited for its receive
 * @error: return location for a #PdSimulationError: _UNMATCHED if ranks contradict
 *   each other, _DEADLOCK with the table and a circle of ranks that wait for each
 *   other though every message is buffered
 *
 * Compares the calls of the ranks; if they are consistent, the program is
 * simulated on a machine that costs nothing, once with every message buffered
 * and once with none. For a trace that ends early only the comparison is done, and no
 * difference is an error.
 *
 * Returns: whether the trace can be predicted.
 */
gboolean pd_mp_check (const PdMpTrace *trace, const char *name, const volatile sig_atomic_t *stop,
                      PdMessages *messages, GError **error);

#endif
