/* The parts of the analysis. Each rank is processed three times in the order of its actions, by one
 * cursor that knows requests (#PdReplay). The first pass collects and matches messages and
 * collective operations. The second one charges each call with its waiting. The last one finds the
 * shares of the critical path.
 * SPDX-License-Identifier: MIT */
#ifndef PD_ANALYSIS_PRIVATE_H
#define PD_ANALYSIS_PRIVATE_H

#include "analyse/pd-analysis.h"

#define PD_ANALYSIS_NONE G_MAXUINT32

/* Whether numbers of 32 bits, of which %PD_ANALYSIS_NONE is none, tell @n things of a run apart.
 * FALSE: with %PD_TRACE_ERROR_LIMIT. @things: their name in the message. */
gboolean pd_analysis_can_number (guint64 n, const char *things, GError **error);

#endif
