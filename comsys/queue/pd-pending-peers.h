/* An index of a long queue of pending transfers by peer, the other end: the peers in the queue,
 * and the place of the first entry of each. Peers are bits. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PENDING_PEERS_H
#define PD_PENDING_PEERS_H

#include <glib.h>

typedef struct
{
  guint32 pending;
  guint32 peer; /* bit of the other end in PdPendingTransfers.open */
} PdPendingTransferEntry;

/* The index of a queue by peer; arrays by bit of the peer. */
typedef struct
{
  guint32 n_words;
  guint64 *present;
  guint64 *several; /* the peer had several entries at a time */
  guint32 *places;  /* of the first entry of a peer that is present */
} PdPendingPeers;

/**
 * pd_bits_has:
 * Returns: whether bit @i of @bits is set.
 */
static inline gboolean
pd_bits_has (const guint64 *bits, guint32 i)
{
  return bits[i / 64] >> i % 64 & 1;
}

/**
 * pd_bits_set:
 * Sets bit @i of @bits.
 */
static inline void
pd_bits_set (guint64 *bits, guint32 i)
{
  bits[i / 64] |= G_GUINT64_CONSTANT (1) << i % 64;
}

/**
 * pd_bits_clear:
 * Clears bit @i of @bits.
 */
static inline void
pd_bits_clear (guint64 *bits, guint32 i)
{
  bits[i / 64] &= ~(G_GUINT64_CONSTANT (1) << i % 64);
}

/**
 * pd_pending_peers_new:
 * @n_words: words of bits
 *
 * Returns: (transfer full): of a queue without entries.
 */
PdPendingPeers *pd_pending_peers_new (guint32 n_words);

/**
 * pd_pending_peers_free:
 * @self: (nullable):
 */
void pd_pending_peers_free (PdPendingPeers *self);

/**
 * pd_pending_peers_reset:
 * Makes it of a queue without entries again.
 */
void pd_pending_peers_reset (PdPendingPeers *self);

/**
 * pd_pending_peers_add:
 * There is an entry of @peer at @place, behind all others.
 */
void pd_pending_peers_add (PdPendingPeers *self, guint32 peer, guint32 place);

/**
 * pd_pending_peers_drop:
 * @peer: of an entry that is gone
 * @bit: what such entries have as their peer
 * @entries: of the queue
 * @first: place of the first entry
 * @end: behind the last one
 */
void pd_pending_peers_drop (PdPendingPeers *self, guint32 peer, guint32 bit,
                            const PdPendingTransferEntry *entries, guint32 first, guint32 end);

#endif
