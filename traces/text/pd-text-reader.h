/* Predictor's own text form of programs, read.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TEXT_READER_H
#define PD_TEXT_READER_H

#include "traces/graph/pd-mp-trace.h"

/**
 * pd_trace_text_matches:
 * @probe: the beginning of a trace
 *
 * Returns: whether it is one of this format, for #PdTraceFormat.
 */
gboolean pd_trace_text_matches (const PdTraceProbe *probe);

/**
 * pd_trace_text_read:
 * Reads a trace of this format, as #PdTraceFormat says.
 */
gboolean pd_trace_text_read (const PdTraceSource *source, const PdTraceReadOptions *options,
                             PdMpTrace *trace, PdMessages *messages, GError **error);

#endif
