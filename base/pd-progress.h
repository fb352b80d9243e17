/* The progress of long work. Any thread of the work adds to it; another thread that waits reads
 * it. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PROGRESS_H
#define PD_PROGRESS_H

#include "base/pd-messages.h"

G_BEGIN_DECLS

/* All zero: nothing has begun. */
typedef struct
{
  const char *phase; /* (nullable): "reading"; static; these three are atomic */
  gsize done;        /* of @all, in a unit of the phase; it may be a little more */
  gsize all;
} PdProgress;

/**
 * pd_progress_begin:
 * @self: (nullable): the progress
 * @phase: the work from now on, in one word; static
 * @all: its amount, in any unit; 0: unknown
 */
void pd_progress_begin (PdProgress *self, const char *phase, gsize all);

/**
 * pd_progress_add:
 * @self: (nullable): the progress
 * @n: how much more has been done
 */
void pd_progress_add (PdProgress *self, gsize n);

/**
 * pd_messages_set_progress:
 * @progress: (nullable): borrowed: where those who report to @self say how far they are
 */
void pd_messages_set_progress (PdMessages *self, PdProgress *progress);

/**
 * pd_messages_get_progress:
 * @self: (nullable): the collector
 *
 * Returns: (transfer none) (nullable): the progress that was set.
 */
PdProgress *pd_messages_get_progress (const PdMessages *self);

/**
 * pd_progress_format:
 * Returns: (transfer full) (nullable): "reading, 43 %", for people; %NULL: nothing has begun.
 */
char *pd_progress_format (const PdProgress *self);

G_END_DECLS

#endif
