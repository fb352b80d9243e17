/* Parsing a trace in a process of its own.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SERVE_PARSE_H
#define PD_SERVE_PARSE_H

#include "serve/pd-serve-traces.h"

/**
 * pd_serve_parse_start:
 * @trace: gets a process that fills trace->fd
 * @close_others: called in it
 * @data: for it
 *
 * Returns: whether there is one.
 */
gboolean pd_serve_parse_start (PdServedTrace *trace, PdServeCloseFunc close_others, gpointer data);

/**
 * pd_serve_parse_end:
 * @trace: one whose process has ended, or is to be killed
 *
 * Waits for it, and sets the state to which it came.
 */
void pd_serve_parse_end (PdServedTrace *trace);

#endif
