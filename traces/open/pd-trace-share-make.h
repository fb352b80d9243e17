/* The side of the share that parses: a trace made into what readers take.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TRACE_SHARE_MAKE_H
#define PD_TRACE_SHARE_MAKE_H

#include "traces/open/pd-trace-share.h"

/**
 * pd_trace_share_make:
 * @query: what to make; its stamp is compared with the file's before and after
 * @fd: gets it; an open file, empty
 * @names_files: (out): whether it is only good for the same name in the same folder,
 *   since its messages or further files have names
 * @error: return location for a #PdTraceError; also if the trace cannot be shared
 *
 * The other side: what pd_trace_share_find() and pd_trace_share_get_calls() find.
 *
 * Returns: whether @fd has it.
 */
gboolean pd_trace_share_make (const PdSharedQuery *query, int fd, gboolean *names_files,
                              GError **error);

#endif
