/* The files of a liballprof trace, and its row in the table of formats.
 * SPDX-License-Identifier: MIT */
#ifndef PD_ALLPROF_FILES_H
#define PD_ALLPROF_FILES_H

#include "traces/allprof/pd-allprof.h"

/**
 * pd_allprof_find_files:
 * @path: one file of a run, the folder they are in, or what their names begin
 *   with up to the number of the rank
 *
 * The files of a run differ in one number, the last of their names, which is the
 * rank: with leading zeros or without.
 *
 * Returns: (transfer full) (nullable) (array zero-terminated=1): the files of
 *   ranks 0, 1, … as far as they are there; %NULL if there is none of rank 0.
 */
char **pd_allprof_find_files (const char *path);

/**
 * pd_trace_allprof_matches:
 * @probe: the beginning of a trace
 *
 * Returns: whether it is one of this format, for #PdTraceFormat.
 */
gboolean pd_trace_allprof_matches (const PdTraceProbe *probe);

/**
 * pd_trace_allprof_read:
 * Reads a trace of this format, as #PdTraceFormat says.
 */
gboolean pd_trace_allprof_read (const PdTraceSource *source, const PdTraceReadOptions *options,
                                PdMpTrace *trace, PdMessages *messages, GError **error);

#endif
