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
#include "comsys/pd-least.h"
#include "comsys/pd-lines.h"
#include "comsys/pd-moments.h"
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

/* One direction of a channel. */
typedef struct
{
  gint64 end; /* free from this moment on */
  guint32 source;
  guint32 target : 31;
  guint32 is_wake : 1; /* the end is among Myrinet.wakes */
} Slot;

typedef struct
{
  Slot slots[2];
} Channel;

/* A list of links, doubly linked; NONE if empty. */
typedef struct
{
  guint32 head;
  guint32 tail;
} List;

/* What owns channels: a node, or the network. Only the channels that were
 * ever needed exist: the lowest free one is taken, so they are the first. With
 * many nodes each access is a cache miss, so it fills a line. */
typedef struct
{
  Channel *channels; /* @first until more are needed, then room for a power of two */
  guint32 n_channels;
  guint32 cursor;   /* the link of the waiter that is a candidate for it; NONE */
  List waiters;     /* while there are any, the ends of all busy slots are wakes */
  gint64 last_wake; /* the last end that was made a wake */
  Channel first;
} Hub;

G_STATIC_ASSERT (sizeof (Hub) == 64);

/* A transfer that waits has a link in each list it is on. Links are known by
 * 4 * waiter + their index there. */
enum
{
  AT_SOURCE, /* the waiters of its source's hub, in order of request */
  AT_TARGET, /* the same of its target's, if that is another hub */
  IN_CHAIN,  /* of Myrinet.chains, by its pair of endpoints */
  N_LINKS,
};

typedef struct
{
  guint32 next;
  guint32 previous;
} Link;

typedef struct
{
  PdTime duration;
  guint32 id;     /* of the PdTransfer */
  guint32 source; /* NONE: it has started */
  guint32 target;
  guint32 moved; /* its new place while squeeze_waiters() runs */
  Link links[N_LINKS];
} Waiter;

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

  Waiter *waiters; /* in order of request, with those that have started between */
  guint32 n_waiters;
  guint32 waiters_room;
  guint32 n_waiting;
  List *chains;
  guint32 n_chains; /* a power of two */

  PdMoments wakes;    /* ends of slots; .order is the hub */
  PdLeast candidates; /* waiters to try, empty between calls */
  Started *started;   /* not yet told to the host */
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

/* Makes the end of @slot a wake of its hub, unless one of that moment is there. */
static void
add_wake (Myrinet *self, guint32 h, Slot *slot)
{
  Hub *hub = &self->hubs[h];

  slot->is_wake = TRUE;
  if (hub->last_wake == slot->end)
    return;
  hub->last_wake = slot->end;
  pd_moments_add (&self->wakes, (guint64) slot->end, h, 0);
}

/* The first waiter comes to a hub: its ends matter from now on. */
static void
wake_at_ends (Myrinet *self, guint32 h, PdTime now)
{
  Hub *hub = &self->hubs[h];

  for (guint32 i = 0; i < 2 * hub->n_channels; i++)
    {
      Slot *slot = &hub->channels[i / 2].slots[i % 2];
      if (slot_is_busy (slot, now) && !slot->is_wake)
        add_wake (self, h, slot);
    }
}

static void
add_channel (Hub *hub)
{
  guint32 n = hub->n_channels;

  if (n == 1)
    {
      hub->channels = g_new (Channel, 2);
      hub->channels[0] = hub->first;
    }
  else if (n > 1 && (n & (n - 1)) == 0)
    hub->channels = g_renew (Channel, hub->channels, 2 * (gsize) n);
  hub->channels[hub->n_channels++] = (Channel){ 0 };
}

/* Takes a slot of @channel; returns whether the other one is free. */
static gboolean
occupy (Myrinet *self, guint32 h, guint32 channel, const Slot *transfer, PdTime now)
{
  Hub *hub = &self->hubs[h];

  if (channel == hub->n_channels)
    add_channel (hub);
  Slot *slots = hub->channels[channel].slots;
  gboolean shares = slot_is_busy (&slots[0], now);
  Slot *slot = shares ? &slots[1] : &slots[0];
  shares = shares || slot_is_busy (&slots[1], now);
  *slot = *transfer;
  if (hub->waiters.head != NONE && slot_is_busy (slot, now))
    add_wake (self, h, slot);
  return !shares;
}

/* ---- waiters */

static Link *
link_at (const Myrinet *self, guint32 link)
{
  return &self->waiters[link / 4].links[link % 4];
}

static void
list_append (const Myrinet *self, List *list, guint32 link)
{
  *link_at (self, link) = (Link){ NONE, list->tail };
  if (list->tail == NONE)
    list->head = link;
  else
    link_at (self, list->tail)->next = link;
  list->tail = link;
}

static void
list_remove (const Myrinet *self, List *list, guint32 link)
{
  Link old = *link_at (self, link);

  *(old.previous == NONE ? &list->head : &link_at (self, old.previous)->next) = old.next;
  *(old.next == NONE ? &list->tail : &link_at (self, old.next)->previous) = old.previous;
}

static List *
get_chain (const Myrinet *self, guint32 source, guint32 target)
{
  guint64 key = ((guint64) source << 32 | target) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  return &self->chains[(key >> 32) & (self->n_chains - 1)];
}

/* The lists of a waiter by its links; one may be NULL. */
static void
get_lists (const Myrinet *self, const Waiter *waiter, List *lists[N_LINKS])
{
  guint32 hubs[2];
  guint n_hubs = get_hubs (self, waiter->source, waiter->target, hubs);

  lists[AT_SOURCE] = &self->hubs[hubs[0]].waiters;
  lists[AT_TARGET] = n_hubs == 2 ? &self->hubs[hubs[1]].waiters : NULL;
  lists[IN_CHAIN] = get_chain (self, waiter->source, waiter->target);
}

/* The first waiter of a pair of endpoints, or NONE. */
static guint32
find_waiter (const Myrinet *self, guint32 source, guint32 target)
{
  guint32 link = self->n_waiting > 0 ? get_chain (self, source, target)->head : NONE;

  for (; link != NONE; link = link_at (self, link)->next)
    {
      const Waiter *waiter = &self->waiters[link / 4];
      if (waiter->source == source && waiter->target == target)
        return link / 4;
    }
  return NONE;
}

static void
grow_chains (Myrinet *self)
{
  self->n_chains = MAX (64, 2 * self->n_chains);
  self->chains = g_renew (List, self->chains, self->n_chains);
  for (guint32 i = 0; i < self->n_chains; i++)
    self->chains[i] = (List){ NONE, NONE };
  for (guint32 w = 0; w < self->n_waiters; w++)
    if (self->waiters[w].source != NONE)
      list_append (self, get_chain (self, self->waiters[w].source, self->waiters[w].target),
                   4 * w + IN_CHAIN);
}

static guint32
moved_link (const Myrinet *self, guint32 link)
{
  return link == NONE ? NONE : 4 * self->waiters[link / 4].moved + link % 4;
}

/* Moves the waiters to the front of the array, in the same order. */
static void
squeeze_waiters (Myrinet *self)
{
  Waiter *waiters = self->waiters;
  guint32 n = 0;

  for (guint32 w = 0; w < self->n_waiters; w++)
    if (waiters[w].source != NONE)
      waiters[w].moved = n++;
  for (guint32 w = 0; w < self->n_waiters; w++)
    {
      List *lists[N_LINKS] = { NULL };
      if (waiters[w].source != NONE)
        get_lists (self, &waiters[w], lists);
      for (guint32 i = 0; i < N_LINKS; i++)
        {
          Link *link = &waiters[w].links[i];
          if (lists[i] == NULL)
            continue;
          if (link->previous == NONE)
            lists[i]->head = 4 * waiters[w].moved + i;
          if (link->next == NONE)
            lists[i]->tail = 4 * waiters[w].moved + i;
          *link = (Link){ moved_link (self, link->next), moved_link (self, link->previous) };
        }
    }
  for (guint32 w = 0; w < self->n_waiters; w++)
    if (waiters[w].source != NONE)
      waiters[waiters[w].moved] = waiters[w];
  self->n_waiters = n;
}

/* The number of a new waiter: after all others, as its request is. */
static guint32
allocate_waiter (Myrinet *self)
{
  if (self->n_waiters == self->waiters_room && self->n_waiting <= self->waiters_room / 2)
    squeeze_waiters (self);
  if (self->n_waiters == self->waiters_room)
    {
      self->waiters_room = MAX (16, 2 * self->waiters_room);
      self->waiters = g_renew (Waiter, self->waiters, self->waiters_room);
      pd_least_resize (&self->candidates, self->waiters_room);
    }
  return self->n_waiters++;
}

/* Puts a transfer that cannot start on its lists, and sees to it that every
 * end that may let it start becomes a wake. */
static void
add_waiter (Myrinet *self, const PdTransfer *transfer, PdTime duration, PdTime now)
{
  List *lists[N_LINKS];

  if (self->n_waiting++ >= self->n_chains)
    grow_chains (self);
  guint32 w = allocate_waiter (self);
  Waiter *waiter = &self->waiters[w];
  *waiter = (Waiter){
    .duration = duration, .id = transfer->id, .source = transfer->source, .target = transfer->target
  };
  get_lists (self, waiter, lists);
  for (guint32 i = 0; i < N_LINKS; i++)
    {
      if (lists[i] == NULL)
        continue;
      if (i != IN_CHAIN && lists[i]->head == NONE)
        wake_at_ends (self, hub_of (self, i == AT_SOURCE ? waiter->source : waiter->target), now);
      list_append (self, lists[i], 4 * w + i);
    }
}

static void
remove_waiter (Myrinet *self, guint32 w)
{
  List *lists[N_LINKS];

  get_lists (self, &self->waiters[w], lists);
  for (guint32 i = 0; i < N_LINKS; i++)
    if (lists[i] != NULL)
      list_remove (self, lists[i], 4 * w + i);
  self->waiters[w].source = NONE;
  if (--self->n_waiting == 0)
    self->n_waiters = 0;
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

/* Returns whether it left a slot free for the opposite direction. */
static gboolean
occupy_channels (Myrinet *self, const Slot *transfer, const guint32 channels[2], PdTime now)
{
  guint32 hubs[2];
  guint n_hubs = get_hubs (self, transfer->source, transfer->target, hubs);
  gboolean has_free = FALSE;

  for (guint i = 0; i < n_hubs; i++)
    has_free |= occupy (self, hubs[i], channels[i], transfer, now);
  return has_free;
}

/* Has the first waiter of a pair of endpoints tried. */
static void
add_candidate (Myrinet *self, guint32 source, guint32 target)
{
  guint32 w = find_waiter (self, source, target);

  if (w != NONE)
    pd_least_add (&self->candidates, w);
}

static void
start_waiter (Myrinet *self, guint32 w, const guint32 channels[2], PdTime now)
{
  const Waiter *waiter = &self->waiters[w];
  PdTime end = pd_time_add (now, waiter->duration);
  Slot slot = { .end = end.ps, .source = waiter->source, .target = waiter->target & 0x7fffffff };

  if (self->n_started == self->n_started_allocated)
    {
      self->n_started_allocated = MAX (16, 2 * self->n_started_allocated);
      self->started = g_renew (Started, self->started, self->n_started_allocated);
    }
  self->started[self->n_started++] = (Started){ waiter->id, end };
  remove_waiter (self, w); /* first: a hub left without waiters needs no wake */
  /* the one in the opposite direction may share the channels just taken, and
   * the next one of this pair may share others with another of that direction */
  if (occupy_channels (self, &slot, channels, now))
    add_candidate (self, slot.target, slot.source);
  if (self->config->channels > 1)
    add_candidate (self, slot.source, slot.target);
}

/* Makes the waiter at @link the candidate of its hub. Without an empty channel
 * there is none: who can share one is a candidate by itself. */
static void
set_cursor (Myrinet *self, Hub *hub, guint32 link, PdTime now)
{
  hub->cursor = link != NONE && hub_has_empty (self, hub, now) ? link : NONE;
  if (hub->cursor != NONE)
    pd_least_add (&self->candidates, link / 4);
}

/* Something has ended on hub @h: has its waiters tried, and those that could
 * share a channel with what still runs there. */
static void
wake_hub (Myrinet *self, guint32 h, PdTime now)
{
  Hub *hub = &self->hubs[h];

  if (hub->waiters.head == NONE || hub->cursor != NONE)
    return;
  for (guint32 i = 0; i < hub->n_channels; i++)
    {
      const Slot *single = get_single (&hub->channels[i], now);
      if (single != NULL)
        add_candidate (self, single->target, single->source);
    }
  set_cursor (self, hub, hub->waiters.head, now);
}

static void
wake_hubs (Myrinet *self, PdTime now)
{
  while (self->wakes.n > 0 && self->wakes.heap[0].key <= (guint64) now.ps)
    {
      guint32 first = pd_moments_take (&self->wakes), last = first;
      for (guint32 i = first; i != 0; i = self->wakes.items[i].next)
        {
          wake_hub (self, (guint32) self->wakes.items[i].order, now);
          last = i;
        }
      pd_moments_give_back (&self->wakes, first, last);
    }
}

/* Tries a candidate, and goes on to the next one of the hubs it was of. Those
 * passed over cannot start before another end: until then channels are only
 * taken, and who can share one is a candidate by itself. */
static void
try_waiter (Myrinet *self, guint32 w, PdTime now)
{
  Waiter waiter = self->waiters[w];
  guint32 channels[2], hubs[2];
  guint n_hubs = get_hubs (self, waiter.source, waiter.target, hubs);

  if (find_channels (self, waiter.source, waiter.target, channels, now))
    start_waiter (self, w, channels, now);
  for (guint32 i = 0; i < n_hubs; i++)
    {
      Hub *hub = &self->hubs[hubs[i]];
      if (hub->cursor == 4 * w + i)
        set_cursor (self, hub, waiter.links[i].next, now);
    }
}

/* Starts what can start after the ends up to @now, over all hubs in order of
 * request, and tells the host. */
static void
handle_ends (Myrinet *self, PdTime now)
{
  if (self->wakes.n == 0 || self->wakes.heap[0].key > (guint64) now.ps)
    return;
  wake_hubs (self, now);
  while (!pd_least_is_empty (&self->candidates))
    try_waiter (self, pd_least_take (&self->candidates), now);
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
  gint64 first = (gint64) self->wakes.heap[0].key;
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
  self->hubs = pd_lines_resize (NULL, 0, self->n_hubs);
  for (guint32 h = 0; h < self->n_hubs; h++)
    {
      Hub *hub = &self->hubs[h];
      hub->channels = &hub->first;
      hub->waiters = (List){ NONE, NONE };
      hub->cursor = NONE;
    }
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
  pd_lines_free (self->hubs, self->n_hubs);
  g_free (self->waiters);
  g_free (self->chains);
  pd_moments_clear (&self->wakes);
  pd_least_clear (&self->candidates);
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
  Slot slot = { .end = end.ps,
                .source = transfer->source,
                .target = transfer->target & 0x7fffffff };

  /* whoever waited for an end at this very moment comes first, even if its
   * event has not been handled yet */
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
