/* Which traces are DVM traces: those with a header line near the beginning.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_MATCH_H
#define PD_DVM_MATCH_H

#include "traces/graph/pd-mp-trace.h"

/**
 * pd_trace_dvm_matches:
 * @probe: the beginning of a trace
 *
 * Returns: whether it is one of this format, for #PdTraceFormat.
 */
gboolean pd_trace_dvm_matches (const PdTraceProbe *probe);

#endif
