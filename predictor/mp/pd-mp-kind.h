/* Which kind of program a trace is of, and how fast processors do what it counts.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MP_KIND_H
#define PD_MP_KIND_H

#include "traces/graph/pd-mp-trace.h"

/**
 * pd_mp_parse_flops:
 * @text: "1Gf", "2.5e9"
 * @flops: (out): operations per second, 1 to 1e24
 * @error: return location for a %PD_USAGE_ERROR
 *
 * Returns: %FALSE if @text is no such rate.
 */
gboolean pd_mp_parse_flops (const char *text, gdouble *flops, GError **error);

/**
 * pd_mp_is_trace:
 * @source: a trace, or the name of several DVM files
 *
 * Detects the format from the contents. Unreadable and unknown files are left to the DVM
 * reader, which reports the reason.
 *
 * Returns: whether it is a trace of message passing.
 */
gboolean pd_mp_is_trace (const PdTraceSource *source);

/**
 * pd_mp_is_dvm_trace:
 * Returns: whether @source is known to be the trace of a DVM program, by its contents.
 */
gboolean pd_mp_is_dvm_trace (const PdTraceSource *source);

/**
 * pd_mp_is_statistics:
 * Returns: whether @source is a statistics file of the DVM system, by its contents.
 */
gboolean pd_mp_is_statistics (const PdTraceSource *source);

#endif
