/* SPDX-License-Identifier: MIT */
#include "comsys/p2p/pd-waiting.h"

#include "base/pd-hash-map.h"
#include "comsys/p2p/pd-scheduler-internal.h"
#include "comsys/state/pd-lookup.h"

typedef struct
{
  guint64 number;
  guint32 what;
  guint32 next;       /* that with the next higher number, or the next free one; 0 = none */
  gboolean is_queued; /* it will be tried: it is the first, or was until another one came */
} Item;

/* By number. */
typedef struct
{
  guint32 first; /* in the queue, too */
  guint32 last;
} List;

struct _PdWaiting
{
  List *lists; /* PD_N_WAITING of each rank for its first CPU and adapter, then others */
  gsize n_lists;
  gsize lists_room;
  PdHashMap lanes; /* those others: by rank, and by lane and PdWaitingFor */
  Item *items;     /* 0 is never used */
  guint32 n_items;
  guint32 room;
  guint32 free;
};

static PdWaiting *
waiting_new (guint32 n_ranks)
{
  PdWaiting *self = g_new0 (PdWaiting, 1);

  self->n_lists = self->lists_room = (gsize) n_ranks * PD_N_WAITING;
  self->lists = g_new0 (List, self->n_lists);
  return self;
}

void
pd_waiting_free (PdWaiting *self)
{
  if (self == NULL)
    return;
  g_free (self->lists);
  g_free (self->items);
  pd_hash_map_clear (&self->lanes);
  g_free (self);
}

static guint32
new_item (PdWaiting *self)
{
  guint32 item = self->free;

  if (item != 0)
    {
      self->free = self->items[item].next;
      return item;
    }
  if (self->n_items == self->room)
    {
      self->room = MAX (64, 2 * self->room);
      self->items = g_renew (Item, self->items, self->room);
      self->n_items = MAX (1, self->n_items);
    }
  return self->n_items++;
}

/* ---- lists */

/* That of a lane which is not the first. */
static List *
find_other_list (PdWaiting *self, const PdTried *tried)
{
  guint nic = tried->why == PD_WAITING_COMPUTE ? 0 : tried->lane.nic;
  guint64 *index = pd_hash_map_get (&self->lanes, tried->rank,
                                    1 + tried->why + ((guint64) tried->lane.cpu << 16 | nic << 8),
                                    self->n_lists);

  if (*index == self->n_lists)
    {
      if (self->n_lists == self->lists_room)
        {
          self->lists_room *= 2;
          self->lists = g_renew (List, self->lists, self->lists_room);
        }
      self->lists[self->n_lists++] = (List){ 0, 0 };
    }
  return &self->lists[*index];
}

/* Valid until the next call. */
static List *
list_of (PdWaiting *self, const PdTried *tried)
{
  if (G_UNLIKELY (tried->lane.cpu > 0 || tried->lane.nic > 0))
    return find_other_list (self, tried);
  return &self->lists[(gsize) tried->rank * PD_N_WAITING + tried->why];
}

/* Numbers differ but for those that pd_comsys_submit() has made of another. */
static gboolean
is_before (const Item *item, guint64 number, guint32 what)
{
  return item->number != number ? item->number < number : item->what < what;
}

/* The item behind which it belongs; 0 = it is the first. */
static guint32
find_before (const PdWaiting *self, const List *list, guint64 number, guint32 what)
{
  guint32 before = 0;

  if (list->first != 0 && is_before (&self->items[list->last], number, what))
    return list->last;
  for (guint32 at = list->first; at != 0 && is_before (&self->items[at], number, what);
       at = self->items[at].next)
    before = at;
  return before;
}

static guint32
insert_behind (PdWaiting *self, List *list, guint32 before, guint64 number, guint32 what)
{
  guint32 item = new_item (self);
  guint32 *link = before == 0 ? &list->first : &self->items[before].next;

  self->items[item] = (Item){ number, what, *link, FALSE };
  if (*link == 0)
    list->last = item;
  *link = item;
  return item;
}

static void
push (PdComsys *self, const PdTried *tried, guint32 what, guint64 number, PdTime when)
{
  PdEvent event = tried->why == PD_WAITING_ARRIVAL ? PD_EVENT_ARRIVE : PD_EVENT_NOTIFY;

  pd_comsys_push_numbered (self, when, pd_what (event, tried->rank, what), number);
}

/* ---- who waits */

void
pd_waiting_add (PdComsys *self, const PdTried *tried, PdTime free)
{
  guint64 number = self->number;
  guint32 before = 0;

  if (!tried->is_single)
    {
      if (self->waiting == NULL)
        self->waiting = waiting_new (self->n_ranks);
      PdWaiting *waiting = self->waiting;
      List *list = list_of (waiting, tried);
      before = find_before (waiting, list, number, tried->what);
      guint32 item = before == 0 ? list->first : waiting->items[before].next;
      if (item == 0 || waiting->items[item].number != number
          || waiting->items[item].what != tried->what)
        {
          item = insert_behind (waiting, list, before, number, tried->what);
          self->cpus[pd_cpu_index (self, tried->rank, tried->lane)].keeps = TRUE;
        }
      waiting->items[item].is_queued = before == 0;
    }
  if (before == 0)
    push (self, tried, tried->what, number, free);
}

/* A list of @rank has become empty. Of several CPUs and adapters the lists are not looked for. */
static void
look_for_others (PdComsys *self, guint32 rank)
{
  const List *lists = &self->waiting->lists[(gsize) rank * PD_N_WAITING];
  gboolean keeps = self->n_cpus > 1 || self->n_nics > 1;

  for (guint i = 0; i < PD_N_WAITING; i++)
    keeps = keeps || lists[i].first != 0;
  self->cpus[rank].keeps = keeps ? 1 : 0;
}

void
pd_waiting_let_next (PdComsys *self, const PdTried *tried, PdTime free)
{
  PdWaiting *waiting = self->waiting;

  if (tried->is_single)
    return;
  List *list = list_of (waiting, tried);
  guint32 item = list->first;
  if (item == 0 || waiting->items[item].number != self->number
      || waiting->items[item].what != tried->what)
    return;
  list->first = waiting->items[item].next;
  waiting->items[item].next = waiting->free;
  waiting->free = item;
  if (list->first == 0)
    {
      look_for_others (self, tried->rank);
      return;
    }
  Item *due = &waiting->items[list->first];
  if (!due->is_queued)
    push (self, tried, due->what, due->number, pd_time_max (self->now, free));
  due->is_queued = TRUE;
}
