/* Reading a trace of a message-passing program, of whatever format.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TRACE_READ_H
#define PD_TRACE_READ_H

#include "traces/graph/pd-mp-trace.h"

/**
 * pd_mp_trace_read:
 * @source: the trace
 * @options: what to keep of it
 * @messages: (nullable): where warnings go; pd_messages_judge() says whether the trace can be
 *   trusted
 * @error: return location for a #PdTraceError; _FORMAT also for DVM traces,
 *   which are none of message passing
 *
 * Returns: (transfer full) (nullable): the trace.
 */
PdMpTrace *pd_mp_trace_read (const PdTraceSource *source, const PdTraceReadOptions *options,
                             PdMessages *messages, GError **error);

#endif
