/* What the files of "predictor info" and "predictor check" share.
 * SPDX-License-Identifier: MIT */
#ifndef CMD_INFO_PRIVATE_H
#define CMD_INFO_PRIVATE_H

#include "traces/pd-mp-trace.h"

G_BEGIN_DECLS

/* One line of the answer; the labels stand in one column. */
#define SHOW(label, ...) (printf ("  %-18s ", label), printf (__VA_ARGS__), (void) putchar ('\n'))

/**
 * pd_cmd_show_messages:
 * Prints what a reader has to say on standard error.
 */
void pd_cmd_show_messages (const PdMessages *messages);

/**
 * pd_cmd_info_mp:
 * @error: return location for a #PdTraceError
 *
 * Says what a trace of message passing is.
 */
gboolean pd_cmd_info_mp (const PdTraceSource *source, GError **error);

G_END_DECLS

#endif
