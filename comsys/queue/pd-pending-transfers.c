/* SPDX-License-Identifier: MIT */
#include "comsys/queue/pd-pending-transfers.h"

#include "comsys/queue/pd-lines.h"

#include <string.h>

#define NONE PD_PENDING_TRANSFER_NONE

/* A queue of more is not searched. */
#define DENSE 20

#define AT_SOURCE 1
#define AT_TARGET 2

static gboolean
is_shared (const PdPendingTransfers *self)
{
  return self->n_queues == 1;
}

/* ---- a queue of few: sorted, without those removed */

static void
few_insert (PdPendingTransferQueue *queue, PdPendingTransferEntry entry)
{
  guint32 i = queue->n++;

  for (; i > 0 && queue->few[i - 1].pending > entry.pending; i--)
    queue->few[i] = queue->few[i - 1];
  queue->few[i] = entry;
}

static void
few_remove (PdPendingTransferQueue *queue, guint32 w)
{
  guint32 i = 0;

  while (queue->few[i].pending != w)
    i++;
  queue->n--;
  for (; i < queue->n; i++)
    queue->few[i] = queue->few[i + 1];
}

/* The first one between an endpoint and its @peer. */
static guint32
few_find (const PdPendingTransferQueue *queue, guint32 peer)
{
  for (guint32 i = 0; i < queue->n; i++)
    if (queue->few[i].peer == peer)
      return queue->few[i].pending;
  return NONE;
}

/* ---- a queue of many: those that came in order, and a heap of the others */

static void
append (PdManyPendingTransfers *many, guint32 w)
{
  if (many->first == many->end)
    many->first = many->end = 0;
  if (many->end == many->room && many->first > many->room / 2)
    {
      many->end -= many->first;
      memmove (many->ordered, many->ordered + many->first, many->end * sizeof *many->ordered);
      many->first = 0;
    }
  if (many->end == many->room)
    {
      many->room = MAX (16, 2 * many->room);
      many->ordered = g_renew (guint32, many->ordered, many->room);
    }
  many->ordered[many->end++] = w;
}

static void
heap_push (PdManyPendingTransfers *many, guint32 w)
{
  guint32 i = many->n_heap++;

  if (many->n_heap > many->heap_room)
    {
      many->heap_room = MAX (16, 2 * many->heap_room);
      many->heap = g_renew (guint32, many->heap, many->heap_room);
    }
  for (; i > 0 && w < many->heap[(i - 1) / 2]; i = (i - 1) / 2)
    many->heap[i] = many->heap[(i - 1) / 2];
  many->heap[i] = w;
}

static void
heap_pop (PdManyPendingTransfers *many)
{
  guint32 *heap = many->heap, n = --many->n_heap, last = heap[n], i = 0;

  for (guint32 child = 1; child < n; child = 2 * i + 1)
    {
      if (child + 1 < n && heap[child + 1] < heap[child])
        child++;
      if (heap[child] >= last)
        break;
      heap[i] = heap[child];
      i = child;
    }
  heap[i] = last;
}

static void
many_insert (PdManyPendingTransfers *many, guint32 w)
{
  if (many->first == many->end || many->ordered[many->end - 1] < w)
    append (many, w);
  else
    heap_push (many, w);
}

static gboolean
heap_is_first (const PdManyPendingTransfers *many)
{
  return many->n_heap > 0
         && (many->first == many->end || many->heap[0] < many->ordered[many->first]);
}

static void
many_drop_first (PdManyPendingTransfers *many)
{
  if (heap_is_first (many))
    heap_pop (many);
  else
    many->first++;
}

/* The first one; those removed before it are dropped. */
static guint32
many_get_first (const PdPendingTransfers *self, PdManyPendingTransfers *many)
{
  while (many->n_heap > 0 && self->transfers[many->heap[0]].source == NONE)
    heap_pop (many);
  while (many->first < many->end && self->transfers[many->ordered[many->first]].source == NONE)
    many->first++;
  if (heap_is_first (many))
    return many->heap[0];
  return many->first < many->end ? many->ordered[many->first] : NONE;
}

/* The first one of @n numbers between the ends of @pair; @best if none is
 * earlier than that. */
static guint32
search (const PdPendingTransfers *self, const guint32 *numbers, guint32 n,
        const PdPendingTransfer *pair, guint32 best)
{
  for (guint32 i = 0; i < n; i++)
    {
      const PdPendingTransfer *pending = &self->transfers[numbers[i]];
      if (numbers[i] < best && pending->source == pair->source && pending->target == pair->target)
        best = numbers[i];
    }
  return best;
}

static guint32
many_find (const PdPendingTransfers *self, const PdManyPendingTransfers *many,
           const PdPendingTransfer *pair)
{
  guint32 best = search (self, many->ordered + many->first, many->end - many->first, pair, NONE);

  return search (self, many->heap, many->n_heap, pair, best);
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

static guint32
chain_find (const PdPendingTransfers *self, guint32 source, guint32 target)
{
  guint32 w = self->n_chains > 0 ? get_chain (self, source, target)->head : NONE;

  while (w != NONE && (self->transfers[w].source != source || self->transfers[w].target != target))
    w = self->transfers[w].next;
  return w;
}

static void
make_chains (PdPendingTransfers *self)
{
  self->n_chains = MAX (16, self->room);
  self->chains = g_renew (PdPendingTransferChain, self->chains, self->n_chains);
  for (guint32 i = 0; i < self->n_chains; i++)
    self->chains[i] = (PdPendingTransferChain){ NONE, NONE };
}

/* From now on there are chains. Those of earlier are empty. */
static void
become_dense (PdPendingTransfers *self)
{
  self->is_dense = TRUE;
  if (self->n_chains != MAX (16, self->room))
    make_chains (self);
  for (guint32 w = 0; w < self->n; w++)
    if (self->transfers[w].source != NONE)
      chain_append (self, w);
}

/* ---- all of them */

void
pd_pending_transfers_init (PdPendingTransfers *self, guint32 n_queues)
{
  *self = (PdPendingTransfers){ .n_queues = n_queues };
  self->is_dense = is_shared (self);
  self->queues = pd_lines_resize (NULL, 0, n_queues);
}

static void
reset_queue (PdPendingTransferQueue *queue)
{
  if (queue->is_many)
    {
      g_free (queue->many.ordered);
      g_free (queue->many.heap);
    }
  queue->is_many = FALSE;
  queue->n = 0;
}

void
pd_pending_transfers_clear (PdPendingTransfers *self)
{
  for (guint32 i = 0; i < self->n_queues; i++)
    reset_queue (&self->queues[i]);
  pd_lines_free (self->queues, self->n_queues);
  g_free (self->transfers);
  g_free (self->chains);
}

/* What a queue of many holds from before the numbers were given anew is gone. */
static PdPendingTransferQueue *
get_queue (PdPendingTransfers *self, guint32 queue)
{
  PdPendingTransferQueue *q = &self->queues[queue];

  if (q->is_many && q->many.epoch != self->epoch)
    reset_queue (q);
  return q;
}

static void
become_many (PdPendingTransfers *self, PdPendingTransferQueue *queue)
{
  PdPendingTransferEntry few[PD_PENDING_TRANSFERS_FEW];

  memcpy (few, queue->few, sizeof few);
  queue->is_many = TRUE;
  queue->many = (PdManyPendingTransfers){ .epoch = self->epoch };
  for (guint32 i = 0; i < queue->n; i++)
    append (&queue->many, few[i].pending);
}

void
pd_pending_transfers_enqueue (PdPendingTransfers *self, guint32 w, guint32 queue)
{
  PdPendingTransfer *pending = &self->transfers[w];
  gboolean at_source = is_shared (self) || pending->source == queue;
  guint32 at = at_source ? AT_SOURCE : AT_TARGET;

  if (pending->queued & at)
    return;
  pending->queued |= at;
  PdPendingTransferQueue *q = get_queue (self, queue);
  if (!q->is_many && q->n == PD_PENDING_TRANSFERS_FEW)
    become_many (self, q);
  if (q->is_many)
    {
      many_insert (&q->many, w);
      if (!self->is_dense && q->many.end - q->many.first + q->many.n_heap > DENSE)
        become_dense (self);
    }
  else
    few_insert (q, (PdPendingTransferEntry){ w, at_source ? pending->target << 1 | 1
                                                          : pending->source << 1 });
}

guint32
pd_pending_transfers_first (PdPendingTransfers *self, guint32 queue)
{
  PdPendingTransferQueue *q = get_queue (self, queue);

  if (q->is_many)
    return many_get_first (self, &q->many);
  return q->n > 0 ? q->few[0].pending : NONE;
}

void
pd_pending_transfers_move_first (PdPendingTransfers *self, guint32 from, guint32 to)
{
  guint32 w = pd_pending_transfers_first (self, from);
  PdPendingTransfer *pending = &self->transfers[w];
  PdPendingTransferQueue *q = &self->queues[from];

  if (q->is_many)
    many_drop_first (&q->many);
  else
    few_remove (q, w);
  pending->queued &= ~(guint32) (pending->source == from ? AT_SOURCE : AT_TARGET);
  pd_pending_transfers_enqueue (self, w, to);
}

/* Numbers the pending transfers anew, in the same order, and makes the queues anew. */
static void
squeeze (PdPendingTransfers *self)
{
  guint32 n = 0;

  for (guint32 w = 0; w < self->n; w++)
    if (self->transfers[w].source != NONE)
      self->transfers[n++] = self->transfers[w];
  self->n = n;
  self->epoch++;
  for (guint32 w = 0; w < n; w++)
    {
      reset_queue (&self->queues[is_shared (self) ? 0 : self->transfers[w].source]);
      reset_queue (&self->queues[is_shared (self) ? 0 : self->transfers[w].target]);
    }
  if (self->is_dense)
    {
      make_chains (self);
      become_dense (self);
    }
  for (guint32 w = 0; w < n; w++)
    {
      guint32 queued = self->transfers[w].queued;
      self->transfers[w].queued = 0;
      if (queued & AT_SOURCE)
        pd_pending_transfers_enqueue (self, w, is_shared (self) ? 0 : self->transfers[w].source);
      if (queued & AT_TARGET)
        pd_pending_transfers_enqueue (self, w, self->transfers[w].target);
    }
}

gboolean
pd_pending_transfers_add (PdPendingTransfers *self, const PdPendingTransfer *pending, guint32 queue)
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
  self->transfers[w].queued = 0;
  self->n_waiting++;
  if (self->is_dense)
    chain_append (self, w);
  pd_pending_transfers_enqueue (self, w, queue);
  return has_grown;
}

void
pd_pending_transfers_remove (PdPendingTransfers *self, guint32 w)
{
  PdPendingTransfer *pending = &self->transfers[w];
  guint32 ends[2] = { is_shared (self) ? 0 : pending->source, pending->target };

  for (guint i = 0; i < 2; i++)
    if ((pending->queued & (i == 0 ? AT_SOURCE : AT_TARGET)) && !self->queues[ends[i]].is_many)
      few_remove (&self->queues[ends[i]], w);
  if (self->is_dense)
    chain_remove (self, w);
  pending->source = NONE;
  if (--self->n_waiting > 0)
    return;
  self->n = 0;
  self->epoch++;
  self->is_dense = is_shared (self);
}

guint32
pd_pending_transfers_find (PdPendingTransfers *self, guint32 source, guint32 target)
{
  if (self->is_dense)
    return chain_find (self, source, target);
  PdPendingTransfer pair = { .source = source, .target = target };
  const PdPendingTransferQueue *a = get_queue (self, source), *b = get_queue (self, target);
  guint32 at_a = a->is_many ? many_find (self, &a->many, &pair) : few_find (a, target << 1 | 1);
  guint32 at_b = b->is_many ? many_find (self, &b->many, &pair) : few_find (b, source << 1);
  return MIN (at_a, at_b);
}
