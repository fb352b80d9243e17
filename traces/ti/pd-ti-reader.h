/* Time-independent traces of SimGrid: one file of all ranks, or a list that names one
 * such file or a file for each rank.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TI_READER_H
#define PD_TI_READER_H

#include "traces/graph/pd-mp-trace.h"

/**
 * pd_trace_ti_matches:
 * @probe: the beginning of a trace
 *
 * Returns: whether it is one of this format, for #PdTraceFormat.
 */
gboolean pd_trace_ti_matches (const PdTraceProbe *probe);

/**
 * pd_trace_ti_read:
 * Reads a trace of this format, as #PdTraceFormat says.
 */
gboolean pd_trace_ti_read (const PdTraceSource *source, const PdTraceReadOptions *options,
                           PdMpTrace *trace, PdMessages *messages, GError **error);

#endif
