/* The transfers of a network that wait, numbered in order of request. Each is in the queues of
 * both its ends. A bit for each queue says whether its end is open: whether it could take one
 * more. So the first transfer of a queue that can start is the first one whose other end is open,
 * and transfers that cannot start are skipped without loading the data of their ends.
 * A network whose endpoints share their channels has a single queue. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PENDING_TRANSFERS_H
#define PD_PENDING_TRANSFERS_H

#include "base/pd-time.h"
#include "comsys/queue/pd-pending-peers.h"

#define PD_PENDING_TRANSFER_NONE G_MAXUINT32

typedef struct
{
  PdTime duration; /* negative: removed */
  guint32 id;      /* of the PdTransfer */
  guint32 source;  /* ports, below 2^31 */
  guint32 target;
  guint32 next;  /* of its chain */
  guint32 at[2]; /* places in the queues of its source and its target, where these are of many */
} PdPendingTransfer;

G_STATIC_ASSERT (sizeof (PdPendingTransfer) == 32);

#define PD_PENDING_TRANSFERS_FEW 7

/* In order of request. The peer of an entry that was removed is never open. */
typedef struct
{
  PdPendingTransferEntry *entries; /* from @first, which is not removed, to before @end */
  PdPendingPeers *peers;           /* NULL: not known */
  guint32 first;
  guint32 end;
  guint32 room;
} PdManyPendingTransfers;

/* With many endpoints each access is a cache miss: a queue fills a line. */
typedef struct
{
  guint32 n; /* entries, without those removed */
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

/* How ports, the ends of transfers, are those of queues. */
typedef enum
{
  PD_PENDING_BY_DIRECTION, /* even ports only send, odd ones only receive; a queue for each */
  PD_PENDING_BY_PORT,      /* a queue for each */
  PD_PENDING_TOGETHER,     /* one queue */
} PdPendingTransferOrder;

typedef struct
{
  PdPendingTransfer *transfers;
  guint32 n; /* with the removed ones between them */
  guint32 room;
  guint32 n_waiting;
  guint32 n_queues;
  PdPendingTransferOrder order;
  PdPendingTransferQueue *queues;
  guint64 *open;                  /* bits of queues; those of one direction together */
  guint32 n_words;                /* of the bits that the peers of one queue have */
  guint32 first_odd;              /* the bit of port 1, by direction */
  guint32 never_open;             /* a bit of no queue */
  PdPendingTransferChain *chains; /* by pair of ports; not by direction */
  guint32 n_chains;               /* a power of two */
} PdPendingTransfers;

/**
 * pd_pending_transfers_init:
 * @n_queues: at least 1; by direction, an even number; together, 1
 */
void pd_pending_transfers_init (PdPendingTransfers *self, guint32 n_queues,
                                PdPendingTransferOrder order);

/**
 * pd_pending_transfers_clear:
 * Releases what @self holds, not @self.
 */
void pd_pending_transfers_clear (PdPendingTransfers *self);

/**
 * pd_pending_transfers_add:
 * @pending: copied; its @next and @at are not looked at
 *
 * Adds it behind all others, to the queues of its ends. Numbers known so far may change.
 *
 * Returns: whether there was no room, and self->room has grown: numbers are
 *   below that.
 */
gboolean pd_pending_transfers_add (PdPendingTransfers *self, const PdPendingTransfer *pending);

/**
 * pd_pending_transfers_remove:
 * @w: number of a pending transfer; the others keep theirs
 */
void pd_pending_transfers_remove (PdPendingTransfers *self, guint32 w);

/**
 * pd_pending_transfers_set_open:
 * @is_open: whether the end that has @queue could take one more; at first none can
 */
void pd_pending_transfers_set_open (PdPendingTransfers *self, guint32 queue, gboolean is_open);

/**
 * pd_pending_transfers_first_open:
 * @queue: of an end that is open
 * @after: number of a transfer that is, or was, in @queue: there is no such transfer up to that
 *   one, and none was added since it was; or NONE
 *
 * Returns: the first transfer of @queue whose other end is open, or NONE. Looks at the transfers
 *   before that one or, where there is none, at no more than a bit for each possible peer.
 */
guint32 pd_pending_transfers_first_open (const PdPendingTransfers *self, guint32 queue,
                                         guint32 after);

/**
 * pd_pending_transfers_find:
 * Returns: the first pending transfer from @source to @target in any queue, or NONE. O(1). Not
 *   by direction.
 */
guint32 pd_pending_transfers_find (const PdPendingTransfers *self, guint32 source, guint32 target);

#endif
