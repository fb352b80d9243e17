/* SPDX-License-Identifier: MIT */
#include "comsys/pd-waiters.h"

#include "comsys/pd-lines.h"

#define NONE PD_WAITER_NONE

/* ---- a queue */

static PdWaiterEntry *
entries_of (PdWaiterQueue *queue)
{
  return queue->is_many ? queue->many : queue->few;
}

static const PdWaiterEntry *
const_entries_of (const PdWaiterQueue *queue)
{
  return queue->is_many ? queue->many : queue->few;
}

/* Closes the gaps, and makes room where that is not enough. */
static void
make_room (PdWaiterQueue *queue)
{
  PdWaiterEntry *entries = entries_of (queue);
  guint32 room = queue->is_many ? queue->room : PD_WAITERS_FEW, n = 0;

  for (guint32 i = queue->first; i < queue->end; i++)
    if (entries[i].peer != NONE)
      entries[n++] = entries[i];
  queue->first = 0;
  queue->end = n & 0x7fffffff;
  if (n <= room / 2)
    return;
  PdWaiterEntry *more = g_renew (PdWaiterEntry, queue->is_many ? entries : NULL, 2 * (gsize) room);
  for (guint32 i = 0; !queue->is_many && i < n; i++)
    more[i] = entries[i];
  queue->is_many = TRUE;
  queue->many = more;
  queue->room = 2 * room;
}

static void
append (PdWaiterQueue *queue, PdWaiterEntry entry)
{
  if (queue->first == queue->end)
    queue->first = queue->end = 0;
  if (queue->end == (queue->is_many ? queue->room : PD_WAITERS_FEW))
    make_room (queue);
  entries_of (queue)[queue->end++] = entry;
}

/* The index of the first entry that is not before waiter @w. */
static guint32
find_entry (const PdWaiterQueue *queue, guint32 w)
{
  const PdWaiterEntry *entries = const_entries_of (queue);
  guint32 low = queue->first, high = queue->end;

  if (low < high && entries[low].waiter >= w)
    return low;
  while (low < high)
    {
      guint32 middle = low + (high - low) / 2;
      if (entries[middle].waiter < w)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static void
remove_entry (PdWaiterQueue *queue, guint32 w)
{
  PdWaiterEntry *entries = entries_of (queue);

  entries[find_entry (queue, w)].peer = NONE;
  while (queue->first < queue->end && entries[queue->first].peer == NONE)
    queue->first++;
}

/* ---- chains */

static PdWaiterChain *
get_chain (const PdWaiters *self, guint32 source, guint32 target)
{
  guint64 key = ((guint64) source << 32 | target) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  return &self->chains[(key >> 32) & (self->n_chains - 1)];
}

static void
chain_append (PdWaiters *self, guint32 w)
{
  PdWaiter *waiter = &self->waiters[w];
  PdWaiterChain *chain = get_chain (self, waiter->source, waiter->target);

  waiter->next = NONE;
  *(chain->tail == NONE ? &chain->head : &self->waiters[chain->tail].next) = w;
  chain->tail = w;
}

static void
chain_remove (PdWaiters *self, guint32 w)
{
  const PdWaiter *waiter = &self->waiters[w];
  PdWaiterChain *chain = get_chain (self, waiter->source, waiter->target);
  guint32 *link = &chain->head, previous = NONE;

  for (; *link != w; link = &self->waiters[*link].next)
    previous = *link;
  *link = waiter->next;
  if (chain->tail == w)
    chain->tail = previous;
}

static guint32
chain_find (const PdWaiters *self, guint32 source, guint32 target)
{
  guint32 w = self->n_chains > 0 ? get_chain (self, source, target)->head : NONE;

  while (w != NONE && (self->waiters[w].source != source || self->waiters[w].target != target))
    w = self->waiters[w].next;
  return w;
}

static void
make_chains (PdWaiters *self)
{
  self->n_chains = MAX (16, self->room);
  self->chains = g_renew (PdWaiterChain, self->chains, self->n_chains);
  for (guint32 i = 0; i < self->n_chains; i++)
    self->chains[i] = (PdWaiterChain){ NONE, NONE };
}

/* ---- all of them */

void
pd_waiters_init (PdWaiters *self, guint32 n_queues)
{
  *self = (PdWaiters){ .n_queues = n_queues };
  self->queues = pd_lines_resize (NULL, 0, n_queues);
}

void
pd_waiters_clear (PdWaiters *self)
{
  for (guint32 i = 0; i < self->n_queues; i++)
    if (self->queues[i].is_many)
      g_free (self->queues[i].many);
  pd_lines_free (self->queues, self->n_queues);
  g_free (self->waiters);
  g_free (self->chains);
}

static gboolean
is_shared (const PdWaiters *self)
{
  return self->n_queues == 1;
}

/* Puts @w into its queues. */
static void
enqueue (PdWaiters *self, guint32 w)
{
  const PdWaiter *waiter = &self->waiters[w];

  if (is_shared (self))
    {
      append (self->queues, (PdWaiterEntry){ w, 0 });
      chain_append (self, w);
      return;
    }
  append (&self->queues[waiter->source], (PdWaiterEntry){ w, waiter->target << 1 | 1 });
  if (waiter->source != waiter->target)
    append (&self->queues[waiter->target], (PdWaiterEntry){ w, waiter->source << 1 });
}

static void
empty_queue (PdWaiters *self, guint32 endpoint)
{
  PdWaiterQueue *queue = &self->queues[is_shared (self) ? 0 : endpoint];

  queue->first = queue->end = 0;
}

/* Numbers the waiters anew, in the same order, and makes the queues anew. */
static void
squeeze (PdWaiters *self)
{
  guint32 n = 0;

  for (guint32 w = 0; w < self->n; w++)
    if (self->waiters[w].source != NONE)
      self->waiters[n++] = self->waiters[w];
  self->n = n;
  for (guint32 w = 0; w < n; w++)
    {
      empty_queue (self, self->waiters[w].source);
      empty_queue (self, self->waiters[w].target);
    }
  if (is_shared (self))
    make_chains (self);
  for (guint32 w = 0; w < n; w++)
    enqueue (self, w);
}

gboolean
pd_waiters_add (PdWaiters *self, const PdWaiter *waiter)
{
  gboolean has_grown = FALSE;

  if (self->n == self->room)
    {
      has_grown = self->n_waiting >= self->room / 2;
      if (has_grown)
        {
          self->room = MAX (16, 2 * self->room);
          self->waiters = g_renew (PdWaiter, self->waiters, self->room);
        }
      squeeze (self);
    }
  self->waiters[self->n] = *waiter;
  self->n_waiting++;
  enqueue (self, self->n++);
  return has_grown;
}

void
pd_waiters_remove (PdWaiters *self, guint32 w)
{
  PdWaiter *waiter = &self->waiters[w];

  if (is_shared (self))
    {
      remove_entry (self->queues, w);
      chain_remove (self, w);
    }
  else
    {
      remove_entry (&self->queues[waiter->source], w);
      if (waiter->source != waiter->target)
        remove_entry (&self->queues[waiter->target], w);
    }
  waiter->source = NONE;
  if (--self->n_waiting == 0)
    self->n = 0;
}

guint32
pd_waiters_find (const PdWaiters *self, guint32 source, guint32 target)
{
  if (is_shared (self))
    return chain_find (self, source, target);

  const PdWaiterQueue *queue = &self->queues[source];
  const PdWaiterQueue *other = &self->queues[target];
  guint32 peer = target << 1 | 1;
  if (other->end - other->first < queue->end - queue->first)
    {
      queue = other;
      peer = source << 1;
    }
  const PdWaiterEntry *entries = const_entries_of (queue);
  for (guint32 i = queue->first; i < queue->end; i++)
    if (entries[i].peer == peer)
      return entries[i].waiter;
  return NONE;
}

guint32
pd_waiters_next (const PdWaiters *self, guint32 queue, guint32 behind)
{
  const PdWaiterQueue *q = &self->queues[queue];
  const PdWaiterEntry *entries = const_entries_of (q);

  for (guint32 i = behind == NONE ? q->first : find_entry (q, behind + 1); i < q->end; i++)
    if (entries[i].peer != NONE)
      return entries[i].waiter;
  return NONE;
}
