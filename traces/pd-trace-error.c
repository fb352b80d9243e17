/* The domain of errors of message-passing traces.
 * SPDX-License-Identifier: MIT */
#include "traces/pd-trace-error.h"

G_DEFINE_QUARK (pd_trace_error_quark, pd_trace_error)
