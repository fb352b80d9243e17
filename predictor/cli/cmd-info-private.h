/* Shared declarations of the files of "predictor info".
 * SPDX-License-Identifier: MIT */
#ifndef CMD_INFO_PRIVATE_H
#define CMD_INFO_PRIVATE_H

#include "traces/graph/pd-mp-trace.h"

/**
 * pd_cmd_show:
 * Prints one line of the answer; the labels stand in one column.
 */
void pd_cmd_show (const char *label, const char *format, ...) G_GNUC_PRINTF (2, 3);

/**
 * pd_cmd_info_mp:
 * @cache: (nullable): folder of parsed traces
 * @error: return location for a #PdTraceError
 *
 * Says what a trace of message passing, or a model of 'predictor scale', is.
 */
gboolean pd_cmd_info_mp (const PdTraceSource *source, const char *cache, GError **error);

#endif
