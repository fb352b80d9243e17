/* Traces of liballprof, the tracer of LogGOPSim: one file per rank.
 * SPDX-License-Identifier: MIT */
#ifndef PD_ALLPROF_H
#define PD_ALLPROF_H

#include "traces/pd-mp-trace.h"

G_BEGIN_DECLS

/**
 * pd_allprof_read:
 * @files: (array length=n): the file of each rank, in their order
 * @n: how many, at least one
 * @options: what to keep
 * @incomplete: (out): some file ends before MPI_Finalize
 * @messages: (nullable): where warnings go
 * @error: return location for a #PdTraceError
 *
 * Each file is read twice: communicators are known only when all have been seen.
 *
 * Returns: (transfer full) (nullable): the program.
 */
PdProgram *pd_allprof_read (const PdTraceSource *files, guint32 n,
                            const PdTraceReadOptions *options, gboolean *incomplete,
                            PdMessages *messages, GError **error);

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

G_END_DECLS

#endif
