/* A network of channels, of the network as a whole or of each node's adapter.
 *
 * A channel holds at most two transfers, and two only if they run between the
 * same pair of endpoints in opposite directions. With channels of the nodes a
 * transfer takes one channel at its source and one at its target. A transfer
 * that cannot start waits; when a channel gets free, the waiters of its hub
 * are tried in order of request, so that one whose other end is busy does not
 * hold up those behind it.
 *
 * Nothing happens at the end of a transfer unless somebody waits: a slot of a
 * channel is free as soon as its end is not later than now. Ends become
 * events (wakes) only for hubs that have waiters.
 * SPDX-License-Identifier: MIT */
#include "comsys/pd-network-private.h"

#define NONE G_MAXUINT32

typedef struct
{
  PdTime startup;
  gdouble per_byte; /* ps per byte */
  gint64 channels;  /* >= 1 */
  guint channels_per;
} MyrinetConfig;

enum
{
  PER_NODE,
  PER_NETWORK,
};

typedef struct
{
  gint64 end; /* free from this moment on */
  guint32 source;
  guint32 target;
  gboolean is_wake; /* the end is among Myrinet.wakes */
} Slot;

typedef struct
{
  Slot slots[2];
} Channel;

/* Waiters in order of request, NONE if empty. */
typedef struct
{
  guint32 head;
  guint32 tail;
} List;

/* What owns channels: a node, or the network. Only the channels that were
 * ever needed exist: the lowest free one is taken, so they are the first. */
typedef struct
{
  Channel *channels; /* @first until more are needed */
  guint32 n_channels;
  guint32 n_allocated;
  List waiters;
  guint32 cursor; /* the next waiter to try; NONE */
  gboolean is_trying;
  Channel first;
} Hub;

/* A transfer that waits: on the list of its source's hub (links[0]), of its
 * target's if that is another (links[1]), and in a chain of Myrinet.chains by
 * its pair of endpoints (links[CHAIN]). */
enum
{
  CHAIN = 2,
};

typedef struct
{
  guint32 next;
  guint32 previous;
} Link;

typedef struct
{
  guint64 sequence; /* from 1; 0 in a free one */
  PdTime duration;
  guint32 id; /* of the PdTransfer */
  guint32 source;
  guint32 target;
  Link links[3];
} Waiter;

/* A binary heap of (key, what), least first. */
typedef struct
{
  guint64 key;
  guint32 what;
  guint32 is_waiter; /* of candidates: @what is a waiter, not a hub */
} Entry;

typedef struct
{
  Entry *entries;
  gsize n;
  gsize n_allocated;
} Heap;

typedef struct
{
  guint32 id;
  PdTime end;
} Started;

typedef struct
{
  const MyrinetConfig *config;
  PdNetworkHost *host;
  guint32 n_endpoints;
  guint32 n_hubs;
  Hub *hubs;

  Waiter *waiters;
  guint32 n_waiters; /* allocated */
  guint32 n_waiting;
  guint32 free_waiter;
  guint64 n_requests_waited; /* the last sequence given */
  List *chains;
  guint32 n_chains; /* a power of two */

  Heap wakes;       /* (end, hub) */
  Heap candidates;  /* (sequence, hub or waiter) to try, empty between calls */
  Started *started; /* not yet told to the host */
  gsize n_started;
  gsize n_started_allocated;
  gsize n_told;
  gint64 armed; /* the earliest moment asked of the host; -1 = none */
} Myrinet;

static const char *const owners[] = { "node", "network", NULL };

static const PdParam params[] = {
  { "startup", PD_UNIT_TIME, G_STRUCT_OFFSET (MyrinetConfig, startup), NULL, 0, NULL,
    "time that each message occupies its channels besides its bytes" },
  { "per-byte", PD_UNIT_PER_BYTE, G_STRUCT_OFFSET (MyrinetConfig, per_byte), NULL, 0, NULL,
    "time that each byte occupies the channels" },
  { "channels", PD_UNIT_COUNT, G_STRUCT_OFFSET (MyrinetConfig, channels), "1", 1, NULL,
    "number of channels; each carries one message, or two in opposite directions" },
  { "channels-per", PD_UNIT_COUNT, G_STRUCT_OFFSET (MyrinetConfig, channels_per), "node", 0, owners,
    "whether each node has so many channels, or the whole network" },
  { .name = NULL },
};

/* ---- heap */

static gboolean
entry_precedes (const Entry *a, const Entry *b)
{
  return a->key != b->key ? a->key < b->key : a->what < b->what;
}

static void
heap_push (Heap *heap, Entry entry)
{
  gsize i = heap->n++;

  if (heap->n > heap->n_allocated)
    {
      heap->n_allocated = MAX (16, 2 * heap->n_allocated);
      heap->entries = g_renew (Entry, heap->entries, heap->n_allocated);
    }
  for (; i > 0 && entry_precedes (&entry, &heap->entries[(i - 1) / 2]); i = (i - 1) / 2)
    heap->entries[i] = heap->entries[(i - 1) / 2];
  heap->entries[i] = entry;
}

static Entry
heap_pop (Heap *heap)
{
  Entry top = heap->entries[0];
  Entry last = heap->entries[--heap->n];
  gsize i = 0;

  for (gsize child = 1; child < heap->n; child = 2 * i + 1)
    {
      if (child + 1 < heap->n && entry_precedes (&heap->entries[child + 1], &heap->entries[child]))
        child++;
      if (!entry_precedes (&heap->entries[child], &last))
        break;
      heap->entries[i] = heap->entries[child];
      i = child;
    }
  if (heap->n > 0)
    heap->entries[i] = last;
  return top;
}

/* ---- channels */

static guint32
hub_of (const Myrinet *self, guint32 endpoint)
{
  return self->config->channels_per == PER_NODE ? endpoint : 0;
}

/* The hubs on which a transfer takes a channel; returns how many, 1 or 2. */
static guint
get_hubs (const Myrinet *self, guint32 source, guint32 target, guint32 hubs[2])
{
  hubs[0] = hub_of (self, source);
  hubs[1] = hub_of (self, target);
  return hubs[0] == hubs[1] ? 1 : 2;
}

static gboolean
slot_is_busy (const Slot *slot, PdTime now)
{
  return slot->end > now.ps;
}

/* The only busy slot of @channel, or NULL if both or none are busy. */
static const Slot *
get_single (const Channel *channel, PdTime now)
{
  gboolean busy[2] = { slot_is_busy (&channel->slots[0], now),
                       slot_is_busy (&channel->slots[1], now) };

  return busy[0] == busy[1] ? NULL : &channel->slots[busy[0] ? 0 : 1];
}

static gboolean
channel_is_empty (const Channel *channel, PdTime now)
{
  return !slot_is_busy (&channel->slots[0], now) && !slot_is_busy (&channel->slots[1], now);
}

static gboolean
hub_has_empty (const Myrinet *self, const Hub *hub, PdTime now)
{
  if (hub->n_channels < self->config->channels)
    return TRUE;
  for (guint32 i = 0; i < hub->n_channels; i++)
    if (channel_is_empty (&hub->channels[i], now))
      return TRUE;
  return FALSE;
}

/* The lowest channel of @hub that can take @source -> @target, NONE if none.
 * A message of a node to itself has no opposite direction. */
static guint32
find_channel (const Myrinet *self, const Hub *hub, guint32 source, guint32 target, PdTime now)
{
  for (guint32 i = 0; i < hub->n_channels; i++)
    {
      const Channel *channel = &hub->channels[i];
      if (channel_is_empty (channel, now))
        return i;
      const Slot *single = get_single (channel, now);
      if (single != NULL && single->source == target && single->target == source
          && source != target)
        return i;
    }
  return hub->n_channels < self->config->channels ? hub->n_channels : NONE;
}

static void
add_wake (Myrinet *self, guint32 hub, Slot *slot)
{
  slot->is_wake = TRUE;
  heap_push (&self->wakes, (Entry){ (guint64) slot->end, hub, FALSE });
}

static void
add_channel (Hub *hub)
{
  if (hub->n_channels == hub->n_allocated)
    {
      guint32 n = 2 * hub->n_allocated;
      Channel *more = g_renew (Channel, hub->channels == &hub->first ? NULL : hub->channels, n);
      if (hub->channels == &hub->first)
        more[0] = hub->first;
      hub->channels = more;
      hub->n_allocated = n;
    }
  hub->channels[hub->n_channels++] = (Channel){ 0 };
}

static void
occupy (Myrinet *self, guint32 h, guint32 channel, const Slot *transfer, PdTime now)
{
  Hub *hub = &self->hubs[h];

  if (channel == hub->n_channels)
    add_channel (hub);
  Slot *slots = hub->channels[channel].slots;
  Slot *slot = slot_is_busy (&slots[0], now) ? &slots[1] : &slots[0];
  *slot = *transfer;
  if (hub->waiters.head != NONE && slot_is_busy (slot, now))
    add_wake (self, h, slot);
}

/* ---- waiters */

static List *
get_chain (const Myrinet *self, guint32 source, guint32 target)
{
  guint64 key = ((guint64) source << 32 | target) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  return &self->chains[(key >> 32) & (self->n_chains - 1)];
}

/* Where @w is linked into the list of @hub, or into its chain if that is NONE. */
static Link *
get_link (const Myrinet *self, guint32 w, guint32 hub)
{
  Waiter *waiter = &self->waiters[w];

  if (hub == NONE)
    return &waiter->links[CHAIN];
  return &waiter->links[hub_of (self, waiter->source) == hub ? 0 : 1];
}

static void
list_append (const Myrinet *self, List *list, guint32 hub, guint32 w)
{
  *get_link (self, w, hub) = (Link){ NONE, list->tail };
  if (list->tail == NONE)
    list->head = w;
  else
    get_link (self, list->tail, hub)->next = w;
  list->tail = w;
}

static void
list_remove (const Myrinet *self, List *list, guint32 hub, guint32 w)
{
  Link link = *get_link (self, w, hub);

  if (link.previous == NONE)
    list->head = link.next;
  else
    get_link (self, link.previous, hub)->next = link.next;
  if (link.next == NONE)
    list->tail = link.previous;
  else
    get_link (self, link.next, hub)->previous = link.previous;
}

/* The first waiter of a pair of endpoints, or NONE. */
static guint32
find_waiter (const Myrinet *self, guint32 source, guint32 target)
{
  guint32 w = self->n_waiting > 0 ? get_chain (self, source, target)->head : NONE;

  while (w != NONE && (self->waiters[w].source != source || self->waiters[w].target != target))
    w = self->waiters[w].links[CHAIN].next;
  return w;
}

static void
grow_chains (Myrinet *self)
{
  g_autofree List *old = g_steal_pointer (&self->chains);
  guint32 n_old = self->n_chains;

  self->n_chains = MAX (64, 2 * n_old);
  self->chains = g_new (List, self->n_chains);
  for (guint32 i = 0; i < self->n_chains; i++)
    self->chains[i] = (List){ NONE, NONE };
  for (guint32 i = 0; i < n_old; i++)
    for (guint32 w = old[i].head, next; w != NONE; w = next)
      {
        next = self->waiters[w].links[CHAIN].next;
        list_append (self, get_chain (self, self->waiters[w].source, self->waiters[w].target), NONE,
                     w);
      }
}

static guint32
allocate_waiter (Myrinet *self)
{
  if (self->free_waiter == NONE)
    {
      guint32 n = MAX (64, 2 * self->n_waiters);
      self->waiters = g_renew (Waiter, self->waiters, n);
      for (guint32 w = n; w-- > self->n_waiters;)
        {
          self->waiters[w] = (Waiter){ .links[0].next = self->free_waiter };
          self->free_waiter = w;
        }
      self->n_waiters = n;
    }
  guint32 w = self->free_waiter;
  self->free_waiter = self->waiters[w].links[0].next;
  return w;
}

/* Puts a transfer that cannot start on the lists of its hubs, and sees to it
 * that every end that may let it start becomes a wake. */
static void
add_waiter (Myrinet *self, const PdTransfer *transfer, PdTime duration, PdTime now)
{
  guint32 w = allocate_waiter (self);
  guint32 hubs[2];
  guint n_hubs = get_hubs (self, transfer->source, transfer->target, hubs);

  self->waiters[w] = (Waiter){ .sequence = ++self->n_requests_waited,
                               .duration = duration,
                               .id = transfer->id,
                               .source = transfer->source,
                               .target = transfer->target };
  if (self->n_waiting++ >= self->n_chains)
    grow_chains (self);
  list_append (self, get_chain (self, transfer->source, transfer->target), NONE, w);
  for (guint i = 0; i < n_hubs; i++)
    {
      Hub *hub = &self->hubs[hubs[i]];
      list_append (self, &hub->waiters, hubs[i], w);
      for (guint32 c = 0; c < 2 * hub->n_channels; c++)
        {
          Slot *slot = &hub->channels[c / 2].slots[c % 2];
          if (slot_is_busy (slot, now) && !slot->is_wake)
            add_wake (self, hubs[i], slot);
        }
    }
}

static void
remove_waiter (Myrinet *self, guint32 w)
{
  Waiter *waiter = &self->waiters[w];
  guint32 hubs[2];
  guint n_hubs = get_hubs (self, waiter->source, waiter->target, hubs);

  for (guint i = 0; i < n_hubs; i++)
    {
      Hub *hub = &self->hubs[hubs[i]];
      if (hub->cursor == w)
        hub->cursor = get_link (self, w, hubs[i])->next;
      list_remove (self, &hub->waiters, hubs[i], w);
    }
  list_remove (self, get_chain (self, waiter->source, waiter->target), NONE, w);
  self->n_waiting--;
  waiter->sequence = 0;
  waiter->links[0].next = self->free_waiter;
  self->free_waiter = w;
}

/* ---- starting */

/* Finds the channels for a transfer; FALSE if it must wait. */
static gboolean
find_channels (const Myrinet *self, guint32 source, guint32 target, guint32 channels[2], PdTime now)
{
  guint32 hubs[2];
  guint n_hubs = get_hubs (self, source, target, hubs);

  for (guint i = 0; i < n_hubs; i++)
    {
      channels[i] = find_channel (self, &self->hubs[hubs[i]], source, target, now);
      if (channels[i] == NONE)
        return FALSE;
    }
  return TRUE;
}

static void
occupy_channels (Myrinet *self, const Slot *transfer, const guint32 channels[2], PdTime now)
{
  guint32 hubs[2];
  guint n_hubs = get_hubs (self, transfer->source, transfer->target, hubs);

  for (guint i = 0; i < n_hubs; i++)
    occupy (self, hubs[i], channels[i], transfer, now);
}

/* Has the first waiter of a pair of endpoints tried. */
static void
add_candidate (Myrinet *self, guint32 source, guint32 target)
{
  guint32 w = find_waiter (self, source, target);

  if (w != NONE)
    heap_push (&self->candidates, (Entry){ self->waiters[w].sequence, w, TRUE });
}

static void
try_waiter (Myrinet *self, guint32 w, PdTime now)
{
  Waiter waiter = self->waiters[w];
  PdTime end = pd_time_add (now, waiter.duration);
  Slot slot = { end.ps, waiter.source, waiter.target, FALSE };
  guint32 channels[2];

  if (!find_channels (self, waiter.source, waiter.target, channels, now))
    return;
  remove_waiter (self, w); /* first: a hub left without waiters needs no wake */
  occupy_channels (self, &slot, channels, now);
  if (self->n_started == self->n_started_allocated)
    {
      self->n_started_allocated = MAX (16, 2 * self->n_started_allocated);
      self->started = g_renew (Started, self->started, self->n_started_allocated);
    }
  self->started[self->n_started++] = (Started){ waiter.id, end };
  /* the one in the opposite direction may share the channels just taken, and
   * the next one of this pair may share with another of the other direction */
  add_candidate (self, waiter.target, waiter.source);
  add_candidate (self, waiter.source, waiter.target);
}

/* Whether the other end of @w, a waiter of hub @h, cannot take it. */
static gboolean
is_blocked_elsewhere (const Myrinet *self, guint32 w, guint32 h, PdTime now)
{
  const Waiter *waiter = &self->waiters[w];
  guint32 hubs[2];

  if (get_hubs (self, waiter->source, waiter->target, hubs) == 1)
    return FALSE;
  const Hub *other = &self->hubs[hubs[0] == h ? hubs[1] : hubs[0]];
  return find_channel (self, other, waiter->source, waiter->target, now) == NONE;
}

/* Makes the waiter at the cursor, or the next one whose other end is able, a
 * candidate. Those passed over cannot start before another end: until then
 * channels are only taken, and who can share one is a candidate by itself. */
static void
push_cursor (Myrinet *self, guint32 h, PdTime now)
{
  Hub *hub = &self->hubs[h];

  /* only sharing is left here */
  if (!hub_has_empty (self, hub, now))
    hub->cursor = NONE;
  while (hub->cursor != NONE && is_blocked_elsewhere (self, hub->cursor, h, now))
    hub->cursor = get_link (self, hub->cursor, h)->next;
  hub->is_trying = hub->cursor != NONE;
  if (hub->is_trying)
    heap_push (&self->candidates, (Entry){ self->waiters[hub->cursor].sequence, h, FALSE });
}

/* Something has ended on hub @h: has its waiters tried, and those that could
 * share a channel with what still runs there. */
static void
wake_hub (Myrinet *self, guint32 h, PdTime now)
{
  Hub *hub = &self->hubs[h];

  if (hub->waiters.head == NONE || hub->is_trying)
    return;
  for (guint32 i = 0; i < hub->n_channels; i++)
    {
      const Slot *single = get_single (&hub->channels[i], now);
      if (single != NULL)
        add_candidate (self, single->target, single->source);
    }
  hub->cursor = hub->waiters.head;
  push_cursor (self, h, now);
}

/* Tries the waiter at the cursor of a hub, and goes on to the next one. */
static void
try_hub (Myrinet *self, const Entry *candidate, PdTime now)
{
  Hub *hub = &self->hubs[candidate->what];
  guint32 w = hub->cursor;

  /* otherwise it has been started as a waiter of its other end */
  if (w != NONE && self->waiters[w].sequence == candidate->key)
    {
      hub->cursor = get_link (self, w, candidate->what)->next;
      try_waiter (self, w, now);
    }
  push_cursor (self, candidate->what, now);
}

/* Starts what can start after the ends up to @now, over all hubs in order of
 * request, and tells the host. */
static void
handle_ends (Myrinet *self, PdTime now)
{
  while (self->wakes.n > 0 && self->wakes.entries[0].key <= (guint64) now.ps)
    wake_hub (self, heap_pop (&self->wakes).what, now);
  while (self->candidates.n > 0)
    {
      Entry candidate = heap_pop (&self->candidates);
      if (!candidate.is_waiter)
        try_hub (self, &candidate, now);
      else if (self->waiters[candidate.what].sequence == candidate.key)
        try_waiter (self, candidate.what, now);
    }
  /* the host may make a request while it is told */
  while (self->n_told < self->n_started)
    {
      Started started = self->started[self->n_told++];
      self->host->delivered (self->host, started.id, started.end);
    }
  self->n_told = self->n_started = 0;
}

/* Keeps the earliest wake scheduled with the host. */
static void
arm (Myrinet *self)
{
  if (self->wakes.n == 0)
    return;
  gint64 first = (gint64) self->wakes.entries[0].key;
  if (self->armed >= 0 && self->armed <= first)
    return;
  self->armed = first;
  self->host->schedule (self->host, PD_TIME (first), 0);
}

/* ---- the class */

static gpointer
myrinet_create (gconstpointer config, guint32 n_endpoints, PdNetworkHost *host)
{
  Myrinet *self = g_new0 (Myrinet, 1);

  self->config = config;
  self->host = host;
  self->n_endpoints = n_endpoints;
  self->n_hubs = self->config->channels_per == PER_NODE ? n_endpoints : 1;
  self->hubs = g_new0 (Hub, self->n_hubs);
  for (guint32 h = 0; h < self->n_hubs; h++)
    {
      Hub *hub = &self->hubs[h];
      hub->channels = &hub->first;
      hub->n_allocated = 1;
      hub->waiters = (List){ NONE, NONE };
      hub->cursor = NONE;
    }
  self->free_waiter = NONE;
  self->armed = -1;
  return self;
}

static void
myrinet_destroy (gpointer network)
{
  Myrinet *self = network;

  for (guint32 h = 0; h < self->n_hubs; h++)
    if (self->hubs[h].channels != &self->hubs[h].first)
      g_free (self->hubs[h].channels);
  g_free (self->hubs);
  g_free (self->waiters);
  g_free (self->chains);
  g_free (self->wakes.entries);
  g_free (self->candidates.entries);
  g_free (self->started);
  g_free (self);
}

static PdTime
myrinet_request (gpointer network, const PdTransfer *transfer, PdTime now)
{
  Myrinet *self = network;
  const MyrinetConfig *config = self->config;
  guint32 channels[2];

  g_return_val_if_fail (transfer->source < self->n_endpoints, now);
  g_return_val_if_fail (transfer->target < self->n_endpoints, now);

  PdTime duration = pd_network_linear_time (config->startup, config->per_byte, transfer);
  PdTime end = pd_time_add (now, duration);
  Slot slot = { end.ps, transfer->source, transfer->target, FALSE };

  /* whoever waited for an end at this very moment comes first, even if its
   * event has not been handled yet */
  if (self->wakes.n > 0)
    handle_ends (self, now);
  if (find_channels (self, transfer->source, transfer->target, channels, now))
    occupy_channels (self, &slot, channels, now);
  else
    {
      add_waiter (self, transfer, duration, now);
      end = PD_TIME_PENDING;
    }
  arm (self);
  return end;
}

static void
myrinet_event (gpointer network, guint32 token G_GNUC_UNUSED, PdTime now)
{
  Myrinet *self = network;

  if (self->armed <= now.ps)
    self->armed = -1;
  handle_ends (self, now);
  arm (self);
}

const PdNetworkClass pd_network_myrinet = {
  .type = "myrinet",
  .meaning = "channels that carry one message, or two in opposite directions; the rest waits",
  .config_size = sizeof (MyrinetConfig),
  .params = params,
  .create = myrinet_create,
  .destroy = myrinet_destroy,
  .request = myrinet_request,
  .event = myrinet_event,
};
