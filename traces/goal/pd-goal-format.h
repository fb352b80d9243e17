/* GOAL in the table of formats.
 * SPDX-License-Identifier: MIT */
#ifndef PD_GOAL_FORMAT_H
#define PD_GOAL_FORMAT_H

#include "traces/graph/pd-mp-trace.h"

/**
 * pd_trace_goal_matches:
 * @probe: the beginning of a trace
 *
 * Returns: whether it is one of this format, for #PdTraceFormat.
 */
gboolean pd_trace_goal_matches (const PdTraceProbe *probe);

/**
 * pd_trace_goal_read:
 * Reads a trace of this format, as #PdTraceFormat says.
 */
gboolean pd_trace_goal_read (const PdTraceSource *source, const PdTraceReadOptions *options,
                             PdMpTrace *trace, PdMessages *messages, GError **error);

/**
 * pd_trace_goal_write:
 * Writes a trace of this format, as #PdTraceFormat says.
 */
gboolean pd_trace_goal_write (const PdMpTrace *trace, const char *path,
                              const PdTraceWriteOptions *options, PdMessages *messages,
                              GError **error);

/**
 * pd_trace_goal_binary_matches:
 * @probe: the beginning of a trace
 *
 * Returns: whether it is one of this format, for #PdTraceFormat.
 */
gboolean pd_trace_goal_binary_matches (const PdTraceProbe *probe);

/**
 * pd_trace_goal_binary_read:
 * Reads a trace of this format, as #PdTraceFormat says.
 */
gboolean pd_trace_goal_binary_read (const PdTraceSource *source, const PdTraceReadOptions *options,
                                    PdMpTrace *trace, PdMessages *messages, GError **error);

/**
 * pd_trace_goal_binary_write:
 * Writes a trace of this format, as #PdTraceFormat says.
 */
gboolean pd_trace_goal_binary_write (const PdMpTrace *trace, const char *path,
                                     const PdTraceWriteOptions *options, PdMessages *messages,
                                     GError **error);

#endif
