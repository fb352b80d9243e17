/* Programs as text.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TEXT_WRITER_H
#define PD_TEXT_WRITER_H

#include "traces/graph/pd-mp-trace.h"

/**
 * pd_program_to_text:
 * @program: a program
 *
 * Returns: (transfer full): what the text form of it is, less than 4 GB; of
 *   equal programs it is equal.
 */
GBytes *pd_program_to_text (const PdProgram *program);

/**
 * pd_trace_text_write:
 * Writes a trace of this format, as #PdTraceFormat says.
 */
gboolean pd_trace_text_write (const PdMpTrace *trace, const char *path,
                              const PdTraceWriteOptions *options, PdMessages *messages,
                              GError **error);

#endif
