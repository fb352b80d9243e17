/* Shared declarations for finding and making shared traces.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TRACE_SHARE_PRIVATE_H
#define PD_TRACE_SHARE_PRIVATE_H

#include "traces/open/pd-trace-share.h"

/* A #PdFileMarkFunc. */
char *pd_trace_share_mark_file (const char *path);
/* The key of @query: another version of the readers, or of the file, has another key. */
void pd_trace_share_make_key (const PdSharedQuery *query, guint8 *key);

#endif
