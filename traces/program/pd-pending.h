/* The requests of a rank that a reader of traces has seen begin and not yet
 * end: found by the arguments of their waits, numbered by slots that are reused,
 * the smallest first. Internal to traces/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PENDING_H
#define PD_PENDING_H

#include <glib.h>

typedef struct _PdPendingEntry PdPendingEntry;
typedef struct _PdPendingBucket PdPendingBucket;

/* All zero: nothing is pending. */
typedef struct
{
  PdPendingEntry *entries;  /* by slot */
  guint64 *used;            /* one bit per slot */
  PdPendingBucket *buckets; /* by key: lists in the order of beginning */
  guint32 room;             /* slots there is memory for, a multiple of 64 */
  guint32 n;                /* pending requests */
  guint32 n_buckets;        /* a power of two, or 0 */
  guint32 hint;             /* no slot is free below this word of @used */
} PdPending;

/**
 * pd_pending_clear:
 * @self: gives back its memory; nothing is pending
 */
void pd_pending_clear (PdPending *self);

/**
 * pd_pending_add:
 * @key: what it is found by; several may have the same
 *
 * Returns: the slot of a new request, the smallest that is free.
 */
guint32 pd_pending_add (PdPending *self, guint64 key);

/**
 * pd_pending_find:
 * @slot: (out): the oldest request with @key
 *
 * Returns: %FALSE if there is none.
 */
gboolean pd_pending_find (const PdPending *self, guint64 key, guint32 *slot);

/**
 * pd_pending_remove:
 * @slot: a request that is pending; its slot is free then
 */
void pd_pending_remove (PdPending *self, guint32 slot);

/**
 * pd_pending_remove_all:
 * @self: has no pending requests then
 */
void pd_pending_remove_all (PdPending *self);

/**
 * pd_pending_list:
 * @slots: (element-type guint32): set to the slots of all pending requests,
 *   ascending
 */
void pd_pending_list (const PdPending *self, GArray *slots);

#endif
