/* Traces of liballprof, the tracer of LogGOPSim: one file per rank.
 * SPDX-License-Identifier: MIT */
#ifndef PD_ALLPROF_H
#define PD_ALLPROF_H

#include "traces/graph/pd-mp-trace.h"

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

#endif
