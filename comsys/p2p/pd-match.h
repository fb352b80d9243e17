/* Matching by exact (target, context, source, tag): a hash table of FIFO queues. A queue
 * holds receives or sends, never both. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MATCH_H
#define PD_MATCH_H

#include "comsys/state/pd-comsys-data.h"

/* The key of a request, seen from the target of the message; world ranks. */
typedef struct
{
  guint32 target;
  guint32 source;
  guint32 context;
  gint32 tag;
} PdMatchKey;

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

/**
 * pd_match_expect:
 * @is_near: soon; else later
 *
 * A half of a message will be looked for: has the memory loaded that this needs; later, that of
 * its queue, soon, the first request in it. Changes nothing.
 */
void pd_match_expect (const PdComsys *self, const PdMatchKey *key, gboolean is_near);

#endif
