/* SPDX-License-Identifier: MIT */
#include "comsys/queue/pd-pending-transfers.h"

#include "comsys/queue/pd-lines.h"

#include <string.h>

#define NONE    PD_PENDING_TRANSFER_NONE
#define REMOVED PD_TIME (-1)

/* So many entries are looked at one after the other before the open peers are … */
#define LOOK 4
/* … unless these are more: then one of the next entries is likely to have one. */
#define PEERS 16

/* Of a queue of fewer it is not known which peers it has. */
#define DENSE 32

/* ---- bits */

/* Of the queue with that number. */
static inline guint32
get_bit (const PdPendingTransfers *self, guint32 queue)
{
  if (self->order != PD_PENDING_BY_DIRECTION)
    return queue;
  return queue / 2 + (queue & 1 ? self->first_odd : 0);
}

/* The first bit that a peer of @queue can have. */
static inline guint32
get_first_peer (const PdPendingTransfers *self, guint32 queue)
{
  return self->order == PD_PENDING_BY_DIRECTION && !(queue & 1) ? self->first_odd : 0;
}

/* ---- which queues a transfer is in */

static inline guint
get_n_sides (const PdPendingTransfers *self, const PdPendingTransfer *pending)
{
  return self->order == PD_PENDING_TOGETHER || pending->source == pending->target ? 1 : 2;
}

static inline guint32
get_queue (const PdPendingTransfers *self, const PdPendingTransfer *pending, guint side)
{
  if (self->order == PD_PENDING_TOGETHER)
    return 0;
  return side == 0 ? pending->source : pending->target;
}

/* The side of @pending that is in @queue. */
static inline guint
get_side (const PdPendingTransfers *self, const PdPendingTransfer *pending, guint32 queue)
{
  return self->order == PD_PENDING_TOGETHER || pending->source == queue ? 0 : 1;
}

/* ---- a queue of few: sorted, without those removed */

static guint32
few_get_place (const PdPendingTransferQueue *queue, guint32 w)
{
  guint32 i = 0;

  while (queue->few[i].pending != w)
    i++;
  return i;
}

static void
few_remove (PdPendingTransferQueue *queue, guint32 w)
{
  guint32 i = few_get_place (queue, w);

  for (queue->n--; i < queue->n; i++)
    queue->few[i] = queue->few[i + 1];
}

/* ---- a queue of many */

/* Rebuilds the index of @queue by peer. */
static void
find_peers (const PdPendingTransfers *self, guint32 queue)
{
  const PdManyPendingTransfers *many = &self->queues[queue].many;
  guint32 first_peer = get_first_peer (self, queue);

  pd_pending_peers_reset (many->peers);
  for (guint32 i = many->first; i < many->end; i++)
    if (many->entries[i].peer != self->never_open)
      pd_pending_peers_add (many->peers, many->entries[i].peer - first_peer, i);
}

/* Whether @queue has so many entries that knowing their peers is worth its memory. */
static gboolean
is_dense (const PdPendingTransfers *self, const PdPendingTransferQueue *queue)
{
  return self->order != PD_PENDING_TOGETHER && queue->n > MAX (DENSE, DENSE / 4 * self->n_words);
}

/* Drops the entries that were removed. */
static void
many_squeeze (PdPendingTransfers *self, guint32 queue, PdManyPendingTransfers *many)
{
  guint32 n = 0;

  for (guint32 i = many->first; i < many->end; i++)
    {
      if (many->entries[i].peer == self->never_open)
        continue;
      PdPendingTransfer *pending = &self->transfers[many->entries[i].pending];
      pending->at[get_side (self, pending, queue)] = n;
      many->entries[n++] = many->entries[i];
    }
  many->first = 0;
  many->end = n;
  if (many->peers != NULL)
    find_peers (self, queue);
}

/* Returns its place. */
static guint32
many_append (PdPendingTransfers *self, guint32 queue, PdPendingTransferEntry entry)
{
  PdPendingTransferQueue *q = &self->queues[queue];
  PdManyPendingTransfers *many = &q->many;

  if (many->end == many->room && q->n <= many->room / 2)
    many_squeeze (self, queue, many);
  if (many->end == many->room)
    {
      many->room *= 2;
      many->entries = g_renew (PdPendingTransferEntry, many->entries, many->room);
    }
  many->entries[many->end] = entry;
  if (many->peers != NULL)
    pd_pending_peers_add (many->peers, entry.peer - get_first_peer (self, queue), many->end);
  return many->end++;
}

static void
many_remove (PdPendingTransfers *self, guint32 queue, guint32 place)
{
  PdPendingTransferQueue *q = &self->queues[queue];
  PdManyPendingTransfers *many = &q->many;
  guint32 peer = many->entries[place].peer;

  many->entries[place].peer = self->never_open;
  if (--q->n == 0)
    many->first = many->end = 0;
  while (many->first < many->end && many->entries[many->first].peer == self->never_open)
    many->first++;
  if (many->peers != NULL)
    pd_pending_peers_drop (many->peers, peer - get_first_peer (self, queue), peer, many->entries,
                           many->first, many->end);
}

static void
become_many (PdPendingTransfers *self, guint32 queue)
{
  PdPendingTransferQueue *q = &self->queues[queue];
  PdPendingTransferEntry *entries = g_new (PdPendingTransferEntry, 16);

  memcpy (entries, q->few, sizeof q->few);
  for (guint32 i = 0; i < q->n; i++)
    {
      PdPendingTransfer *pending = &self->transfers[entries[i].pending];
      pending->at[get_side (self, pending, queue)] = i;
    }
  q->is_many = TRUE;
  q->many = (PdManyPendingTransfers){ .entries = entries, .end = q->n, .room = 16 };
}

/* ---- chains */

static PdPendingTransferChain *
get_chain (const PdPendingTransfers *self, guint32 source, guint32 target)
{
  guint64 key = ((guint64) source << 32 | target) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  return &self->chains[(key >> 32) & (self->n_chains - 1)];
}

static void
chain_append (PdPendingTransfers *self, guint32 w)
{
  PdPendingTransfer *pending = &self->transfers[w];
  PdPendingTransferChain *chain = get_chain (self, pending->source, pending->target);

  pending->next = NONE;
  *(chain->tail == NONE ? &chain->head : &self->transfers[chain->tail].next) = w;
  chain->tail = w;
}

static void
chain_remove (PdPendingTransfers *self, guint32 w)
{
  const PdPendingTransfer *pending = &self->transfers[w];
  PdPendingTransferChain *chain = get_chain (self, pending->source, pending->target);
  guint32 *link = &chain->head, previous = NONE;

  for (; *link != w; link = &self->transfers[*link].next)
    previous = *link;
  *link = pending->next;
  if (chain->tail == w)
    chain->tail = previous;
}

static void
make_chains (PdPendingTransfers *self)
{
  self->n_chains = self->room;
  self->chains = g_renew (PdPendingTransferChain, self->chains, self->n_chains);
  for (guint32 i = 0; i < self->n_chains; i++)
    self->chains[i] = (PdPendingTransferChain){ NONE, NONE };
  for (guint32 w = 0; w < self->n; w++)
    chain_append (self, w);
}

/* ---- all of them */

void
pd_pending_transfers_init (PdPendingTransfers *self, guint32 n_queues, PdPendingTransferOrder order)
{
  gboolean is_halved = order == PD_PENDING_BY_DIRECTION;

  *self = (PdPendingTransfers){ .n_queues = n_queues, .order = order };
  self->queues = pd_lines_resize (NULL, 0, n_queues);
  self->n_words = ((is_halved ? n_queues / 2 : n_queues) + 63) / 64;
  self->first_odd = is_halved ? 64 * self->n_words : 0;
  self->never_open = self->first_odd + 64 * self->n_words;
  self->open = g_new0 (guint64, self->never_open / 64 + 1);
}

void
pd_pending_transfers_clear (PdPendingTransfers *self)
{
  for (guint32 i = 0; i < self->n_queues; i++)
    if (self->queues[i].is_many)
      {
        g_free (self->queues[i].many.entries);
        pd_pending_peers_free (self->queues[i].many.peers);
      }
  pd_lines_free (self->queues, self->n_queues);
  g_free (self->transfers);
  g_free (self->open);
  g_free (self->chains);
}

static void
enqueue (PdPendingTransfers *self, guint32 w, guint side)
{
  PdPendingTransfer *pending = &self->transfers[w];
  guint32 queue = get_queue (self, pending, side);
  PdPendingTransferQueue *q = &self->queues[queue];
  PdPendingTransferEntry entry = { w, get_bit (self, get_queue (self, pending, 1 - side)) };

  if (!q->is_many && q->n == PD_PENDING_TRANSFERS_FEW)
    become_many (self, queue);
  if (q->is_many)
    pending->at[side] = many_append (self, queue, entry);
  else
    q->few[q->n] = entry;
  q->n++;
  if (q->is_many && q->many.peers == NULL && is_dense (self, q))
    {
      q->many.peers = pd_pending_peers_new (self->n_words);
      find_peers (self, queue);
    }
}

static void
renumber (PdPendingTransfers *self, guint32 old, guint32 w)
{
  PdPendingTransfer *pending = &self->transfers[w];

  *pending = self->transfers[old];
  for (guint side = 0; side < get_n_sides (self, pending); side++)
    {
      PdPendingTransferQueue *q = &self->queues[get_queue (self, pending, side)];
      if (q->is_many)
        q->many.entries[pending->at[side]].pending = w;
      else
        q->few[few_get_place (q, old)].pending = w;
    }
}

/* Numbers the pending transfers anew, in the same order. */
static void
squeeze (PdPendingTransfers *self)
{
  guint32 n = 0;

  for (guint32 w = 0; w < self->n; w++)
    if (self->transfers[w].duration.ps != REMOVED.ps)
      renumber (self, w, n++);
  self->n = n;
  if (self->order != PD_PENDING_BY_DIRECTION)
    make_chains (self);
}

gboolean
pd_pending_transfers_add (PdPendingTransfers *self, const PdPendingTransfer *pending)
{
  gboolean has_grown = FALSE;

  if (self->n == self->room)
    {
      has_grown = self->n_waiting >= self->room / 2;
      if (has_grown)
        {
          self->room = MAX (16, 2 * self->room);
          self->transfers = g_renew (PdPendingTransfer, self->transfers, self->room);
        }
      squeeze (self);
    }
  guint32 w = self->n++;
  self->transfers[w] = *pending;
  self->n_waiting++;
  if (self->order != PD_PENDING_BY_DIRECTION)
    chain_append (self, w);
  for (guint side = 0; side < get_n_sides (self, pending); side++)
    enqueue (self, w, side);
  return has_grown;
}

void
pd_pending_transfers_remove (PdPendingTransfers *self, guint32 w)
{
  PdPendingTransfer *pending = &self->transfers[w];

  for (guint side = 0; side < get_n_sides (self, pending); side++)
    {
      guint32 queue = get_queue (self, pending, side);
      if (self->queues[queue].is_many)
        many_remove (self, queue, pending->at[side]);
      else
        few_remove (&self->queues[queue], w);
    }
  if (self->order != PD_PENDING_BY_DIRECTION)
    chain_remove (self, w);
  pending->duration = REMOVED;
  if (--self->n_waiting == 0)
    self->n = 0;
}

void
pd_pending_transfers_set_open (PdPendingTransfers *self, guint32 queue, gboolean is_open)
{
  if (is_open)
    pd_bits_set (self->open, get_bit (self, queue));
  else
    pd_bits_clear (self->open, get_bit (self, queue));
}

/* The first entry of @n whose peer is open; NULL if none. */
static const PdPendingTransferEntry *
look (const PdPendingTransfers *self, const PdPendingTransferEntry *entries, guint32 n)
{
  for (guint32 i = 0; i < n; i++)
    if (pd_bits_has (self->open, entries[i].peer))
      return &entries[i];
  return NULL;
}

/* The same for @queue, by the peers that it is known to have. Returns FALSE if too many are open.
 */
static gboolean
look_at_peers (const PdPendingTransfers *self, guint32 queue, const PdPendingTransferEntry **entry)
{
  const PdManyPendingTransfers *many = &self->queues[queue].many;
  const guint64 *open = self->open + get_first_peer (self, queue) / 64;
  guint32 first = NONE, n = 0;

  for (guint32 i = 0; i < self->n_words; i++)
    for (guint64 common = many->peers->present[i] & open[i]; common != 0; common &= common - 1)
      {
        if (++n > PEERS)
          return FALSE;
        first = MIN (first, many->peers->places[64 * i + (guint32) __builtin_ctzll (common)]);
      }
  *entry = first == NONE ? NULL : &many->entries[first];
  return TRUE;
}

/* The same for a queue of many, from the entry @from on. */
static const PdPendingTransferEntry *
look_at_many (const PdPendingTransfers *self, guint32 queue, guint32 from)
{
  const PdManyPendingTransfers *many = &self->queues[queue].many;
  guint32 n = many->end - from;
  const PdPendingTransferEntry *entry = look (self, many->entries + from, MIN (n, LOOK));

  if (entry != NULL || n <= LOOK)
    return entry;
  if (many->peers != NULL && look_at_peers (self, queue, &entry))
    return entry;
  return look (self, many->entries + from + LOOK, n - LOOK);
}

guint32
pd_pending_transfers_first_open (const PdPendingTransfers *self, guint32 queue, guint32 after)
{
  const PdPendingTransferQueue *q = &self->queues[queue];
  const PdPendingTransferEntry *entry;
  guint32 from = 0;

  if (!q->is_many)
    {
      entry = look (self, q->few, q->n);
      return entry != NULL ? entry->pending : NONE;
    }
  if (after != NONE)
    {
      const PdPendingTransfer *tried = &self->transfers[after];
      from = tried->at[get_side (self, tried, queue)] + 1;
    }
  from = MAX (from, q->many.first);
  entry = from < q->many.end ? look_at_many (self, queue, from) : NULL;
  return entry != NULL ? entry->pending : NONE;
}

guint32
pd_pending_transfers_find (const PdPendingTransfers *self, guint32 source, guint32 target)
{
  guint32 w = self->n_chains > 0 ? get_chain (self, source, target)->head : NONE;

  while (w != NONE && (self->transfers[w].source != source || self->transfers[w].target != target))
    w = self->transfers[w].next;
  return w;
}
