/* The table of formats of traces.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TRACE_FORMATS_H
#define PD_TRACE_FORMATS_H

#include "traces/graph/pd-mp-trace.h"

/* The beginning of files of models of 'predictor scale'; scale/ reads the rest. */
#define PD_TRACE_SCALE_MAGIC "PDSCALE\n"

/**
 * pd_trace_format_get_all:
 * @n: (out): how many
 *
 * Returns: (transfer none) (array length=n): the formats.
 */
const PdTraceFormat *pd_trace_format_get_all (guint *n);

/**
 * pd_trace_format_find:
 * @name: a name of the table
 *
 * Returns: (transfer none) (nullable): the format of that name.
 */
const PdTraceFormat *pd_trace_format_find (const char *name);

/**
 * pd_trace_format_find_by_suffix:
 * @path: a file name
 *
 * Returns: (transfer none) (nullable): the format whose files are called so.
 */
const PdTraceFormat *pd_trace_format_find_by_suffix (const char *path);

/**
 * pd_trace_format_detect:
 * @source: the trace
 * @error: return location for %PD_TRACE_ERROR_OPEN or _FORMAT
 *
 * Looks at the first 64 KiB, decompressed.
 *
 * Returns: (transfer none) (nullable): its format.
 */
const PdTraceFormat *pd_trace_format_detect (const PdTraceSource *source, GError **error);

#endif
