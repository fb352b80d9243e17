/* Data stored with the program of a parsed trace: its format, the further files that
 * it consists of, and the messages of parsing it. Internal to traces/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TRACE_NOTES_H
#define PD_TRACE_NOTES_H

#include "traces/graph/pd-mp-trace.h"

/* Changes with whatever readers make of traces. */
#define PD_TRACE_READERS "readers 14"

/* Something that changes when the file at @path changes; %NULL if there is none.
 * The result is the caller's. */
typedef char *(*PdFileMarkFunc) (const char *path);

/**
 * pd_trace_notes_make:
 * @source: the source of the trace
 * @trace: the parsed trace
 * @mark: finds a mark of each part, which changes when the part does
 * @messages: those of reading it
 *
 * Returns: (transfer floating): all that, for pd_trace_notes_restore().
 */
GVariant *pd_trace_notes_make (const PdTraceSource *source, const PdMpTrace *trace,
                               PdFileMarkFunc mark, const PdMessages *messages);

/**
 * pd_trace_notes_restore:
 * @notes: (nullable): outside data, of whatever type
 * @given: (transfer full): with the program or graph that they came with
 * @source: what would be read now
 * @mark: as for pd_trace_notes_make()
 * @messages: (nullable): gets the messages of when it was read
 *
 * Returns: (transfer full) (nullable): the trace; %NULL if it was made in another
 *   place though it names files, or if a part of it has changed.
 */
PdMpTrace *pd_trace_notes_restore (GVariant *notes, PdMpTrace *given, const PdTraceSource *source,
                                   PdFileMarkFunc mark, PdMessages *messages);

#endif
