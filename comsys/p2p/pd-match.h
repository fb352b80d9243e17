/* Matching by exact (target, context, source, tag): a hash table of FIFO queues. A queue
 * holds receives or sends, never both. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MATCH_H
#define PD_MATCH_H

#include "comsys/state/pd-comsys-data.h"

/**
 * pd_match_init:
 * Makes room for the first queues.
 */
void pd_match_init (PdMatch *self);

/**
 * pd_match_clear:
 * Frees all queues.
 */
void pd_match_clear (PdMatch *self);

/**
 * pd_match_or_queue:
 * The oldest request of the other kind that @req matches is taken out and returned; else
 * @req is queued and 0 returned.
 */
guint32 pd_match_or_queue (PdComsys *self, guint32 req);

/**
 * pd_match_remove:
 * Takes @req out of its queue.
 */
void pd_match_remove (PdComsys *self, guint32 req);

#endif
