/* The transfers of a network that wait: numbered in order of request. Each is
 * in the queue of an endpoint that refuses it, of one of its two or of both. A
 * network whose endpoints share their queue has a single one. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PENDING_TRANSFERS_H
#define PD_PENDING_TRANSFERS_H

#include "base/pd-time.h"

#define PD_PENDING_TRANSFER_NONE G_MAXUINT32

typedef struct
{
  PdTime duration;
  guint32 id;     /* of the PdTransfer */
  guint32 source; /* endpoints, below 2^31; NONE: removed */
  guint32 target;
  guint32 next;   /* of its chain */
  guint32 queued; /* bits: in the queue of its source, of its target */
} PdPendingTransfer;

typedef struct
{
  guint32 pending;
  guint32 peer; /* the other endpoint << 1 | whether that is the target */
} PdPendingTransferEntry;

#define PD_PENDING_TRANSFERS_FEW 7

/* With those removed between them, until they would be first. */
typedef struct
{
  guint32 *ordered; /* came in order of request: from @first to before @end */
  guint32 *heap;    /* came later than one behind them: binary, least first */
  guint64 epoch;    /* of the numbers */
  guint32 first;
  guint32 end;
  guint32 room;
  guint32 n_heap;
  guint32 heap_room;
} PdManyPendingTransfers;

/* In order of request, which is that of the numbers. With many endpoints each
 * access is a cache miss: a queue fills a line. */
typedef struct
{
  guint32 n; /* of @few */
  guint32 is_many;
  union
  {
    PdPendingTransferEntry few[PD_PENDING_TRANSFERS_FEW];
    PdManyPendingTransfers many;
  };
} PdPendingTransferQueue;

G_STATIC_ASSERT (sizeof (PdPendingTransferQueue) == 64);

typedef struct
{
  guint32 head;
  guint32 tail;
} PdPendingTransferChain;

typedef struct
{
  PdPendingTransfer *transfers;
  guint32 n; /* with the removed ones between them */
  guint32 room;
  guint32 n_waiting;
  guint32 n_queues;
  PdPendingTransferQueue *queues;
  guint64 epoch;                  /* how often numbers were given anew */
  gboolean is_dense;              /* a queue has got long: there are chains */
  PdPendingTransferChain *chains; /* by pair of endpoints */
  guint32 n_chains;               /* a power of two */
} PdPendingTransfers;

/**
 * pd_pending_transfers_init:
 * @n_queues: one per endpoint; 1: all endpoints share it
 */
void pd_pending_transfers_init (PdPendingTransfers *self, guint32 n_queues);

/**
 * pd_pending_transfers_clear:
 * Releases what @self holds, not @self.
 */
void pd_pending_transfers_clear (PdPendingTransfers *self);

/**
 * pd_pending_transfers_add:
 * @pending: copied; its @next and @queued are not looked at
 * @queue: where it is put: of one of its endpoints
 *
 * Adds it behind all others. Numbers known so far may change.
 *
 * Returns: whether there was no room, and self->room has grown: numbers are
 *   below that.
 */
gboolean pd_pending_transfers_add (PdPendingTransfers *self, const PdPendingTransfer *pending,
                                   guint32 queue);

/**
 * pd_pending_transfers_remove:
 * @w: number of a pending transfer; the others keep theirs
 */
void pd_pending_transfers_remove (PdPendingTransfers *self, guint32 w);

/**
 * pd_pending_transfers_enqueue:
 * @w: number of a pending transfer
 * @queue: of one of its endpoints
 *
 * Puts it into that queue, too, in its place; not twice. O(log n).
 */
void pd_pending_transfers_enqueue (PdPendingTransfers *self, guint32 w, guint32 queue);

/**
 * pd_pending_transfers_first:
 * Returns: the first one in @queue, or NONE.
 */
guint32 pd_pending_transfers_first (PdPendingTransfers *self, guint32 queue);

/**
 * pd_pending_transfers_move_first:
 * @from: a queue that is not empty
 * @to: of the other endpoint of its first pending transfer
 *
 * Has that pending transfer in @to instead. O(log n).
 */
void pd_pending_transfers_move_first (PdPendingTransfers *self, guint32 from, guint32 to);

/**
 * pd_pending_transfers_find:
 * Returns: the first pending transfer from @source to @target in any queue, or NONE. O(1).
 */
guint32 pd_pending_transfers_find (PdPendingTransfers *self, guint32 source, guint32 target);

#endif
