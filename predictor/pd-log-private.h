/* The words of a protocol. Not for others than pd-log.c and pd-log-words.c.
 * SPDX-License-Identifier: MIT */
#ifndef PD_LOG_PRIVATE_H
#define PD_LOG_PRIVATE_H

#include "predictor/pd-log.h"

G_BEGIN_DECLS

typedef struct
{
  GString *line;           /* under construction */
  PdPlanMessage *messages; /* room for one processor's messages of an exchange */
  guint room;
} PdLogWords;

/**
 * pd_log_words_say:
 * Appends what @event->step did for @event->processor to the line.
 *
 * Returns: %FALSE if it did nothing; the line is not to be used then.
 */
gboolean pd_log_words_say (PdLogWords *self, const PdLogEvent *event);

/**
 * pd_log_words_clear:
 * Releases what @self holds.
 */
void pd_log_words_clear (PdLogWords *self);

G_END_DECLS

#endif
