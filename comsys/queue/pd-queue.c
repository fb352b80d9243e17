/* SPDX-License-Identifier: MIT */
#include "comsys/queue/pd-queue.h"

#include "comsys/queue/pd-lines.h"

#include <string.h>

#define FEW        32 /* sorted by insertion */
#define DIGIT_BITS 8
#define DIGITS     (1u << DIGIT_BITS)

/* The memory of a larger moment is given back when it has become much too large. */
#define KEPT (1u << 18)

/* Rooms are multiples of the items in a line. */
#define RUN_LINES(room) ((gsize) (room) * sizeof (PdEventItem) / 64)

/* ---- the moment that has come */

static void
add_to_run (PdQueue *self, const PdEventItem *items, guint32 n)
{
  if (self->n_run + n > self->run_room)
    {
      gsize room = MAX (64, 2 * self->run_room);
      self->run = pd_lines_resize (self->run, RUN_LINES (self->run_room), RUN_LINES (room));
      self->run_room = room;
    }
  for (guint32 i = 0; i < n; i++)
    self->run[self->n_run++] = items[i];
}

static gboolean
is_sorted (const PdEventItem *items, gsize n)
{
  for (gsize i = 1; i < n; i++)
    if (items[i].order < items[i - 1].order)
      return FALSE;
  return TRUE;
}

static void
sort_few (PdEventItem *items, gsize n)
{
  for (gsize i = 1; i < n; i++)
    {
      PdEventItem item = items[i];
      gsize at = i;
      for (; at > 0 && item.order < items[at - 1].order; at--)
        items[at] = items[at - 1];
      items[at] = item;
    }
}

/* Counting sort by some bits of the order, stable; FALSE if all are equal. */
static gboolean
sort_by_digit (const PdEventItem *from, PdEventItem *to, gsize n, guint shift)
{
  guint32 starts[DIGITS + 1] = { 0 };

  for (gsize i = 0; i < n; i++)
    starts[(from[i].order >> shift) % DIGITS + 1]++;
  if (starts[(from[0].order >> shift) % DIGITS + 1] == n)
    return FALSE;
  for (guint i = 1; i < DIGITS; i++)
    starts[i] += starts[i - 1];
  for (gsize i = 0; i < n; i++)
    to[starts[(from[i].order >> shift) % DIGITS]++] = from[i];
  return TRUE;
}

static void
free_spare (PdQueue *self)
{
  pd_lines_free (self->spare, RUN_LINES (self->spare_room));
  self->spare = NULL;
  self->spare_room = 0;
}

static void
sort_many (PdQueue *self, guint shift)
{
  if (self->spare_room < self->run_room)
    {
      free_spare (self);
      self->spare = pd_lines_resize (NULL, 0, RUN_LINES (self->run_room));
      self->spare_room = self->run_room;
    }
  for (; shift < 64; shift += DIGIT_BITS)
    if (sort_by_digit (self->run, self->spare, self->n_run, shift))
      {
        PdEventItem *sorted = self->spare;
        self->spare = self->run;
        self->run = sorted;
      }
  if (self->spare_room > KEPT)
    free_spare (self);
}

static void
free_run (PdQueue *self)
{
  free_spare (self);
  pd_lines_free (self->run, RUN_LINES (self->run_room));
  self->run = NULL;
  self->run_room = 0;
}

/* The events of the last moment have been taken. */
static void
empty_run (PdQueue *self)
{
  if (G_UNLIKELY (self->run_room > KEPT && self->n_run < self->run_room / 4))
    free_run (self);
  self->n_run = self->next = 0;
}

void
pd_queue_trim (PdQueue *self)
{
  if (self->next == self->n_run)
    empty_run (self);
}

/* Takes the next moment. */
static void
open_event_time (PdQueue *self)
{
  PdEventTimes *future = &self->future;
  guint n_lists = 0, n_singles = 0;

  self->come = future->heap[0].key;
  empty_run (self);
  while (future->n > 0 && future->heap[0].key == self->come)
    {
      PdEventItem single;
      guint32 chunk = pd_event_times_take (future, &single), next;
      *(chunk == 0 ? &n_singles : &n_lists) += 1;
      if (chunk == 0)
        add_to_run (self, &single, 1);
      for (; chunk != 0; chunk = next)
        {
          next = future->chunks[chunk].next;
          pd_event_chunk_prefetch (future, next);
          add_to_run (self, future->chunks[chunk].items, future->chunks[chunk].n);
          pd_event_times_give_back (future, chunk);
        }
    }
  if (self->n_run <= FEW)
    sort_few (self->run, self->n_run);
  else if (!is_sorted (self->run, self->n_run))
    /* within a list, and in the item before it, the sequence ascends already */
    sort_many (self,
               n_lists <= 1 && n_singles <= 1 && !self->keeps_numbers ? PD_QUEUE_SEQUENCE_BITS : 0);
}

/* ---- late events: a 4-ary heap */

void
pd_queue_push_late (PdQueue *self, guint64 when_class, guint64 rank_sequence, guint64 what)
{
  const PdQueueItem item = { when_class, rank_sequence, what };
  gsize i = self->n_late++;

  if (self->n_late > self->late_room)
    {
      self->late_room = MAX (64, self->late_room * 2);
      self->late = g_renew (PdQueueItem, self->late, self->late_room);
    }
  for (; i > 0 && pd_queue_item_before (&item, &self->late[(i - 1) / 4]); i = (i - 1) / 4)
    self->late[i] = self->late[(i - 1) / 4];
  self->late[i] = item;
}

static PdQueueItem
pop_late (PdQueue *self)
{
  PdQueueItem top = self->late[0];
  PdQueueItem last = self->late[--self->n_late];
  gsize i = 0;

  if (self->n_late == 0 && self->late_room > KEPT)
    {
      g_clear_pointer (&self->late, g_free);
      self->late_room = 0;
      return top;
    }

  for (gsize child; (child = 4 * i + 1) < self->n_late;)
    {
      gsize best = child;
      for (gsize c = child + 1; c < MIN (child + 4, self->n_late); c++)
        if (pd_queue_item_before (&self->late[c], &self->late[best]))
          best = c;
      if (!pd_queue_item_before (&self->late[best], &last))
        break;
      self->late[i] = self->late[best];
      i = best;
    }
  self->late[i] = last;
  return top;
}

PdQueueItem
pd_queue_pop_other (PdQueue *self)
{
  PdEventItem single;

  if (self->n_late > 0)
    return pop_late (self);
  if (pd_event_times_is_single (&self->future))
    {
      self->come = self->future.heap[0].key;
      self->n_run = self->next = 0;
      pd_event_times_take (&self->future, &single);
      return (PdQueueItem){ self->come, single.order, single.what };
    }
  open_event_time (self);
  PdQueueItem item = pd_queue_get_run (self);
  self->next++;
  return item;
}

void
pd_queue_clear (PdQueue *self)
{
  pd_event_times_clear (&self->future);
  free_run (self);
  g_free (self->late);
}
