/* The transfers of a network that wait: numbered in order of request, and in
 * the queues of their two endpoints (of one that is both, once). A network
 * whose endpoints share their queue has a single one.
 * SPDX-License-Identifier: MIT */
#ifndef PD_WAITERS_H
#define PD_WAITERS_H

#include "base/pd-time.h"

G_BEGIN_DECLS

#define PD_WAITER_NONE G_MAXUINT32

typedef struct
{
  PdTime duration;
  guint32 id;     /* of the PdTransfer */
  guint32 source; /* endpoints, below 2^31; NONE: removed */
  guint32 target;
  guint32 next; /* of its chain */
} PdWaiter;

typedef struct
{
  guint32 waiter;
  guint32 peer; /* the other endpoint << 1 | whether that is the target; NONE: removed */
} PdWaiterEntry;

#define PD_WAITERS_FEW 7

/* In order of request, which is that of the numbers. With many endpoints each
 * access is a cache miss: a queue fills a line. */
typedef struct
{
  guint32 first;    /* entries before it are not used; the first one is not removed */
  guint32 end : 31; /* behind the last entry; @first if empty */
  guint32 is_many : 1;
  union
  {
    PdWaiterEntry few[PD_WAITERS_FEW];
    struct
    {
      PdWaiterEntry *many;
      guint32 room;
    };
  };
} PdWaiterQueue;

G_STATIC_ASSERT (sizeof (PdWaiterQueue) == 64);

typedef struct
{
  guint32 head;
  guint32 tail;
} PdWaiterChain;

typedef struct
{
  PdWaiter *waiters;
  guint32 n; /* with the removed ones between them */
  guint32 room;
  guint32 n_waiting;
  guint32 n_queues;
  PdWaiterQueue *queues;
  PdWaiterChain *chains; /* by pair of endpoints, if there is a single queue */
  guint32 n_chains;      /* a power of two */
} PdWaiters;

/**
 * pd_waiters_init:
 * @n_queues: one per endpoint; 1: all endpoints share it
 */
void pd_waiters_init (PdWaiters *self, guint32 n_queues);

/**
 * pd_waiters_clear:
 * Releases what @self holds, not @self.
 */
void pd_waiters_clear (PdWaiters *self);

/**
 * pd_waiters_add:
 * @waiter: copied; its @next is not looked at
 *
 * Adds it behind all others. Numbers known so far may change.
 *
 * Returns: whether there was no room, and self->room has grown: numbers are
 *   below that.
 */
gboolean pd_waiters_add (PdWaiters *self, const PdWaiter *waiter);

/**
 * pd_waiters_remove:
 * @w: number of a waiter; the others keep theirs
 */
void pd_waiters_remove (PdWaiters *self, guint32 w);

/**
 * pd_waiters_find:
 * Returns: the first waiter from @source to @target, or NONE. It takes as long
 *   as the shorter of their queues.
 */
guint32 pd_waiters_find (const PdWaiters *self, guint32 source, guint32 target);

/**
 * pd_waiters_next:
 * @behind: number of a waiter, which may just have been removed; NONE: of none
 *
 * Returns: the next one in @queue behind @behind, or NONE.
 */
guint32 pd_waiters_next (const PdWaiters *self, guint32 queue, guint32 behind);

G_END_DECLS

#endif
