/* A folder with the programs of parsed traces, found by the contents of the traces,
 * so that a large trace is parsed once. Internal to traces/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TRACE_CACHE_H
#define PD_TRACE_CACHE_H

#include "traces/graph/pd-mp-trace.h"

/**
 * pd_trace_cache_find:
 * @folder: the folder
 * @source: a trace
 * @options: how it is to be read
 * @messages: (nullable): gets the messages of when it was parsed
 * @path: (out) (transfer full) (nullable): the name of its file in the folder;
 *   %NULL if the trace cannot be read
 * @key: (array length=32) (out caller-allocated): the checksum of its contents
 *
 * Returns: (transfer full) (nullable): the trace as it was parsed before;
 *   %NULL if it was not, if one of its parts is another now, or if the file is
 *   damaged.
 */
PdMpTrace *pd_trace_cache_find (const char *folder, const PdTraceSource *source,
                                const PdTraceReadOptions *options, PdMessages *messages,
                                char **path, guint8 *key);

/**
 * pd_trace_cache_add:
 * @path: as pd_trace_cache_find() gave it
 * @key: likewise
 * @source: the trace
 * @trace: it, parsed; one that is no program is not kept
 * @messages: the messages of that
 *
 * A folder that cannot be written is warned of in @messages.
 */
void pd_trace_cache_add (const char *path, const guint8 *key, const PdTraceSource *source,
                         const PdMpTrace *trace, PdMessages *messages);

#endif
