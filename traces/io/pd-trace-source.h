/* Where a trace comes from: a file, or bytes that were read from one.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TRACE_SOURCE_H
#define PD_TRACE_SOURCE_H

#include "traces/io/pd-input.h"

typedef struct
{
  const char *path; /* for messages, too; "-" = standard input (with @bytes) */
  GBytes *bytes;    /* (nullable): the contents; NULL: @path is read */
} PdTraceSource;

/**
 * pd_trace_source_open:
 * @source: the trace
 * @error: return location for %PD_TRACE_ERROR_OPEN
 *
 * Returns: (transfer full) (nullable): its bytes, decompressed.
 */
PdInput *pd_trace_source_open (const PdTraceSource *source, GError **error);

/**
 * pd_trace_source_is_file:
 * Returns: whether @source is one file, or bytes: not a folder, and not what the names of several
 *   files begin with.
 */
gboolean pd_trace_source_is_file (const PdTraceSource *source);

/**
 * pd_trace_source_get_name:
 * Returns: (transfer none): what messages call @source.
 */
const char *pd_trace_source_get_name (const PdTraceSource *source);

#endif
