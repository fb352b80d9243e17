/* Programs as time-independent traces of SimGrid.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TI_WRITER_H
#define PD_TI_WRITER_H

#include "traces/graph/pd-mp-trace.h"

/**
 * pd_trace_ti_write:
 * Writes a trace of this format, as #PdTraceFormat says.
 */
gboolean pd_trace_ti_write (const PdMpTrace *trace, const char *path,
                            const PdTraceWriteOptions *options, PdMessages *messages,
                            GError **error);

#endif
