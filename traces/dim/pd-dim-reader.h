/* Traces of Dimemas in the table of formats.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DIM_READER_H
#define PD_DIM_READER_H

#include "traces/graph/pd-mp-trace.h"

/**
 * pd_trace_dim_matches:
 * @probe: the beginning of a trace
 *
 * Returns: whether it is one of this format, for #PdTraceFormat.
 */
gboolean pd_trace_dim_matches (const PdTraceProbe *probe);

/**
 * pd_trace_dim_read:
 * Reads a trace of this format, as #PdTraceFormat says.
 */
gboolean pd_trace_dim_read (const PdTraceSource *source, const PdTraceReadOptions *options,
                            PdMpTrace *trace, PdMessages *messages, GError **error);

#endif
