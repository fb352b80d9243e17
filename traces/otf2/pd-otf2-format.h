/* OTF2 in the table of formats.
 * SPDX-License-Identifier: MIT */
#ifndef PD_OTF2_FORMAT_H
#define PD_OTF2_FORMAT_H

#include "traces/graph/pd-mp-trace.h"

/**
 * pd_trace_otf2_matches:
 * @probe: the beginning of a trace
 *
 * Returns: whether it is one of this format, for #PdTraceFormat.
 */
gboolean pd_trace_otf2_matches (const PdTraceProbe *probe);

/**
 * pd_trace_otf2_read:
 * Reads a trace of this format, as #PdTraceFormat says.
 */
gboolean pd_trace_otf2_read (const PdTraceSource *source, const PdTraceReadOptions *options,
                             PdMpTrace *trace, PdMessages *messages, GError **error);

/**
 * pd_trace_otf2_write:
 * Writes a trace of this format, as #PdTraceFormat says.
 */
gboolean pd_trace_otf2_write (const PdMpTrace *trace, const char *path,
                              const PdTraceWriteOptions *options, PdMessages *messages,
                              GError **error);

#endif
