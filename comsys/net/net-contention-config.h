/* The parameters of measured contention, and which channels a message uses.
 * Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef NET_CONTENTION_CONFIG_H
#define NET_CONTENTION_CONFIG_H

#include "comsys/net/net-contention.h"

extern const PdParam pd_contention_params[];
extern const PdTableParam pd_contention_tables[];

/**
 * pd_contention_check:
 * Returns: whether the parameters fit together; else @reason says what does not.
 */
gboolean pd_contention_check (gpointer config, guint32 n_endpoints, char **reason);

/**
 * pd_contention_get_level:
 * Returns: which of the three ways @transfer takes.
 */
PdContentionLevel pd_contention_get_level (const PdContentionConfig *self,
                                           const PdTransfer *transfer);

/**
 * pd_contention_count_channels:
 * Returns: the channels of each node.
 */
guint32 pd_contention_count_channels (const PdContentionConfig *self);

/**
 * pd_contention_get_channels:
 * @channels: (out): those that @transfer uses; the second may be %G_MAXUINT32: none
 *
 * Where processors are counted, the first is used by that of the source and the second by
 * that of the target; one channel by both, if they are of one node.
 */
void pd_contention_get_channels (const PdContentionConfig *self, const PdTransfer *transfer,
                                 PdContentionLevel level, guint32 channels[2]);

/**
 * pd_contention_note_use:
 * @outside: (inout): whether the message has been outside the measured range
 *
 * A message of @bytes, counted before, meets @cf.
 */
void pd_contention_note_use (const PdMeasured *table, PdContentionUsed *used, gint64 bytes,
                             guint32 cf, gboolean *outside);

/**
 * pd_contention_report_use:
 * Adds the notes and warnings about the tables that were used.
 */
void pd_contention_report_use (const PdContentionConfig *self, const PdContentionUsed *used,
                               PdMessages *messages);

#endif
