/* A network of channels, of the network as a whole or of each node's adapter:
 * of hubs. With channels of the nodes a transfer takes one channel at its source
 * and one at its target. A transfer that cannot start waits at a hub that refuses
 * it; when a channel gets free, those who wait there are tried in order of
 * request, so that one whose other end is busy does not hold up those behind it:
 * it goes to wait there.
 *
 * Where each sends to each (dense) nearly all other ends are busy. A hub that has
 * met more of those than there are free hubs asks for waiters between it and
 * these instead. If there are none it is idle, though some wait there: who gets
 * free next meets the idle hubs first, which meanwhile send their waiters on.
 *
 * Nothing happens at the end of a transfer unless somebody waits: a slot of a
 * channel is free as soon as its end is not later than now. Ends become
 * events (wakes) only for hubs that have waiters. All ends of a moment are
 * handled together: their hubs name candidates, of which always the one that
 * asked first is tried.
 * SPDX-License-Identifier: MIT */
#include "comsys/net-myrinet-private.h"
#include "comsys/pd-least.h"
#include "comsys/pd-lines.h"
#include "comsys/pd-moments.h"
#include "comsys/pd-network-private.h"
#include "comsys/pd-waiters.h"

#define NONE PD_WAITER_NONE

/* So many transfers before it is told of one the host is warned. */
#define FAR  16
#define NEAR 6
/* … and so many candidates before it is tried its hubs are loaded. */
#define SOON 4

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

/* What a transfer takes: a channel at each end, one if both are of one hub. */
typedef struct
{
  PdSlot transfer;
  guint n_hubs; /* 1 or 2 */
  guint32 hubs[2];
  guint32 channels[2];
} Path;

typedef struct
{
  guint32 id;
  PdTime end;
} Started;

/* States of a hub, bits. */
enum
{
  IS_FREE = 1, /* it has an empty channel and waiters of it exist */
  IS_IDLE = 2, /* some of those wait here all the same */
  LISTED_FREE = 4,
  LISTED_IDLE = 8,
};

/* Numbers of hubs; those that are not in that state any more are dropped when
 * met. */
typedef struct
{
  guint32 *hubs;
  guint32 n;
} HubList;

typedef struct
{
  const MyrinetConfig *config;
  PdNetworkHost *host;
  guint32 n_endpoints;
  guint32 n_hubs;
  PdHub *hubs;
  PdWaiters waiters; /* with a queue per hub */
  HubList free;
  guint32 n_free; /* really */
  HubList idle;
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

static guint32
hub_of (const Myrinet *self, guint32 endpoint)
{
  return self->config->channels_per == PER_NODE ? endpoint : 0;
}

static inline void
get_path (const Myrinet *self, guint32 source, guint32 target, Path *path)
{
  path->transfer = (PdSlot){ .source = source, .target = target & 0x7fffffff };
  path->hubs[0] = hub_of (self, source);
  path->hubs[1] = hub_of (self, target);
  path->n_hubs = path->hubs[0] == path->hubs[1] ? 1 : 2;
}

/* ---- wakes */

/* Makes the end of @slot a wake of its hub, unless one of that moment is there. */
static void
add_wake (Myrinet *self, guint32 h, PdSlot *slot)
{
  PdHub *hub = &self->hubs[h];

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
  PdHub *hub = &self->hubs[h];

  for (guint32 i = 0; i < 2 * hub->n_channels; i++)
    {
      PdSlot *slot = &hub->channels[i / 2].slots[i % 2];
      if (pd_slot_is_busy (slot, now) && !slot->is_wake)
        add_wake (self, h, slot);
    }
}

/* ---- free hubs */

static void
add_to_list (Myrinet *self, HubList *list, guint32 h, guint32 listed)
{
  if (self->hubs[h].state & listed)
    return;
  self->hubs[h].state |= listed;
  list->hubs[list->n++] = h;
}

/* The hub at *@i of the list that is in @state, of those from there on; NONE
 * behind the last one. */
static guint32
next_of_list (Myrinet *self, HubList *list, guint32 i, guint32 state, guint32 listed)
{
  while (i < list->n)
    {
      PdHub *hub = &self->hubs[list->hubs[i]];
      if (hub->state & state)
        return list->hubs[i];
      hub->state &= ~listed;
      list->hubs[i] = list->hubs[--list->n];
    }
  return NONE;
}

static void
set_free (Myrinet *self, guint32 h)
{
  PdHub *hub = &self->hubs[h];

  if (hub->state & IS_FREE)
    return;
  hub->state |= IS_FREE;
  self->n_free++;
  add_to_list (self, &self->free, h, LISTED_FREE);
}

static void
set_taken (Myrinet *self, guint32 h)
{
  PdHub *hub = &self->hubs[h];

  if (!(hub->state & IS_FREE))
    return;
  hub->state &= ~(guint32) (IS_FREE | IS_IDLE);
  self->n_free--;
}

/* ---- waiters */

/* Puts off a transfer that @refuser cannot take, and sees to it that every end
 * that may let it start becomes a wake. */
static void
add_waiter (Myrinet *self, const Path *path, const PdTransfer *transfer, PdTime duration,
            guint32 refuser, PdTime now)
{
  PdWaiter waiter = { .duration = duration,
                      .id = transfer->id,
                      .source = path->transfer.source,
                      .target = path->transfer.target };

  if (pd_waiters_add (&self->waiters, &waiter, refuser))
    pd_least_resize (&self->candidates, self->waiters.room);
  for (guint i = 0; i < path->n_hubs; i++)
    {
      guint32 h = path->hubs[i];
      if (self->hubs[h].n_waiting++ > 0)
        continue;
      wake_at_ends (self, h, now);
      if (pd_hub_has_empty (&self->hubs[h], self->config->channels, now))
        set_free (self, h);
    }
}

static void
remove_waiter (Myrinet *self, const Path *path, guint32 w)
{
  for (guint i = 0; i < path->n_hubs; i++)
    if (--self->hubs[path->hubs[i]].n_waiting == 0)
      set_taken (self, path->hubs[i]);
  pd_waiters_remove (&self->waiters, w);
}

/* ---- starting */

/* The hub that refuses the transfer; NONE if it can start. */
static guint32
find_channels (const Myrinet *self, Path *path, PdTime now)
{
  for (guint i = 0; i < path->n_hubs; i++)
    {
      path->channels[i] =
          pd_hub_find (&self->hubs[path->hubs[i]], self->config->channels, &path->transfer, now);
      if (path->channels[i] == PD_HUB_NONE)
        return path->hubs[i];
    }
  return NONE;
}

/* Returns whether that left room for the opposite direction. */
static gboolean
occupy_channels (Myrinet *self, Path *path, PdTime end, PdTime now)
{
  gboolean has_room = FALSE;

  path->transfer.end = end.ps;
  for (guint i = 0; i < path->n_hubs; i++)
    {
      PdHub *hub = &self->hubs[path->hubs[i]];
      PdSlot *slot = pd_hub_occupy (hub, path->channels[i], &path->transfer, now);
      if (hub->n_waiting > 0 && pd_slot_is_busy (slot, now))
        add_wake (self, path->hubs[i], slot);
      if (pd_channel_get_single (&hub->channels[path->channels[i]], now) != NULL)
        has_room = TRUE;
      if ((hub->state & IS_FREE) && !pd_hub_has_empty (hub, self->config->channels, now))
        set_taken (self, path->hubs[i]);
    }
  return has_room;
}

/* Has the first waiter of a pair of endpoints tried. */
static void
add_candidate (Myrinet *self, guint32 source, guint32 target)
{
  guint32 w = pd_waiters_find (&self->waiters, source, target);

  if (w != NONE)
    pd_least_add (&self->candidates, w);
}

static void
start_waiter (Myrinet *self, Path *path, guint32 w, PdTime now)
{
  const PdWaiter *waiter = &self->waiters.waiters[w];
  PdTime end = pd_time_add (now, waiter->duration);

  if (self->n_started == self->n_started_allocated)
    {
      self->n_started_allocated = MAX (16, 2 * self->n_started_allocated);
      self->started = g_renew (Started, self->started, self->n_started_allocated);
    }
  self->started[self->n_started++] = (Started){ waiter->id, end };
  remove_waiter (self, path, w); /* first: a hub left without waiters needs no wake */
  /* the one in the opposite direction may share the channels just taken, and
   * the next one of this pair may share others with another of that direction */
  if (occupy_channels (self, path, end, now))
    add_candidate (self, path->transfer.target, path->transfer.source);
  if (self->config->channels > 1)
    add_candidate (self, path->transfer.source, path->transfer.target);
}

static void
set_cursor (Myrinet *self, guint32 h, guint32 w)
{
  self->hubs[h].cursor = w;
  if (w != NONE)
    pd_least_add (&self->candidates, w);
}

/* The hub that the first who waits at @h would have to take, too, if that
 * refuses him; else NONE. */
static guint32
get_refuser (const Myrinet *self, guint32 h, guint32 first, PdTime now)
{
  const PdWaiter *waiter = &self->waiters.waiters[first];
  Path path;

  get_path (self, waiter->source, waiter->target, &path);
  guint32 other = path.hubs[path.hubs[0] == h ? path.n_hubs - 1 : 0];
  guint32 channel = pd_hub_find (&self->hubs[other], self->config->channels, &path.transfer, now);
  return channel == PD_HUB_NONE ? other : NONE;
}

/* Makes the first waiter between @h and a free hub its candidate, or @h idle. */
static void
ask_free_hubs (Myrinet *self, guint32 h)
{
  guint32 best = NONE, f;

  for (guint32 i = 0; (f = next_of_list (self, &self->free, i, IS_FREE, LISTED_FREE)) != NONE; i++)
    {
      best = MIN (best, pd_waiters_find (&self->waiters, h, f));
      best = MIN (best, pd_waiters_find (&self->waiters, f, h));
    }
  set_cursor (self, h, best);
  if (best != NONE)
    return;
  self->hubs[h].state |= IS_IDLE;
  add_to_list (self, &self->idle, h, LISTED_IDLE);
}

/* Makes the first one who waits at @h and whose other end is free its candidate.
 * Without an empty channel there is none: who can share one is a candidate by
 * itself. */
static void
advance (Myrinet *self, guint32 h, PdTime now)
{
  const PdHub *hub = &self->hubs[h];

  set_cursor (self, h, NONE);
  if (hub->n_waiting == 0 || !pd_hub_has_empty (hub, self->config->channels, now))
    return;
  for (guint32 n_met = 0;; n_met++)
    {
      guint32 w = pd_waiters_first (&self->waiters, h);
      guint32 refuser = w != NONE ? get_refuser (self, h, w, now) : NONE;
      if (refuser == NONE)
        {
          set_cursor (self, h, w);
          return;
        }
      if (self->waiters.is_dense && n_met >= self->n_free)
        {
          ask_free_hubs (self, h);
          return;
        }
      pd_waiters_move_first (&self->waiters, h, refuser);
    }
}

/* Has the waiters between @h, now free, and the idle hubs tried. Each of these
 * sends on one who waits there, so that it does not stay idle for ever. */
static void
meet_idle_hubs (Myrinet *self, guint32 h, PdTime now)
{
  guint32 idle;

  for (guint32 i = 0; (idle = next_of_list (self, &self->idle, i, IS_IDLE, LISTED_IDLE)) != NONE;
       i++)
    {
      guint32 w = pd_waiters_first (&self->waiters, idle);
      guint32 refuser = w != NONE ? get_refuser (self, idle, w, now) : NONE;
      add_candidate (self, idle, h);
      add_candidate (self, h, idle);
      if (w == NONE)
        self->hubs[idle].state &= ~(guint32) IS_IDLE;
      else if (refuser != NONE)
        pd_waiters_move_first (&self->waiters, idle, refuser);
    }
}

/* Something has ended on hub @h: has those tried who wait there, and those that
 * could share a channel, here or at their other end, with what still runs. */
static void
wake_hub (Myrinet *self, guint32 h, PdTime now)
{
  PdHub *hub = &self->hubs[h];

  if (hub->n_waiting == 0 || hub->cursor != NONE)
    return;
  gboolean has_empty = pd_hub_has_empty (hub, self->config->channels, now);
  for (guint32 i = 0; i < 2 * hub->n_channels; i++)
    {
      const PdChannel *channel = &hub->channels[i / 2];
      const PdSlot *slot = &channel->slots[i % 2];
      if (pd_slot_is_busy (slot, now)
          && (has_empty || pd_channel_get_single (channel, now) != NULL))
        add_candidate (self, slot->target, slot->source);
    }
  if (!has_empty)
    return;
  set_free (self, h);
  meet_idle_hubs (self, h, now);
  set_cursor (self, h, pd_waiters_first (&self->waiters, h));
}

/* Has the memory of what happens next loaded meanwhile. */
static void
prefetch_hubs (const Myrinet *self, guint32 chunk)
{
  const PdMomentChunk *next = &self->wakes.chunks[chunk];

  for (guint32 i = 0; chunk != 0 && i < next->n; i++)
    __builtin_prefetch (&self->hubs[next->items[i].order]);
}

static void
wake_hubs (Myrinet *self, PdTime now)
{
  while (self->wakes.n > 0 && self->wakes.heap[0].key <= (guint64) now.ps)
    {
      PdMomentItem single;
      guint32 c = pd_moments_take (&self->wakes, &single);
      if (c == 0)
        wake_hub (self, (guint32) single.order, now);
      for (guint32 next; c != 0; c = next)
        {
          const PdMomentChunk *chunk = &self->wakes.chunks[c];
          next = chunk->next;
          prefetch_hubs (self, next);
          for (guint32 i = 0; i < chunk->n; i++)
            wake_hub (self, (guint32) chunk->items[i].order, now);
          pd_moments_give_back (&self->wakes, c);
        }
    }
}

/* Tries a candidate, and goes on to the next one of the hubs it was of. Those
 * passed over cannot start before another end: until then channels are only
 * taken, and who can share one is a candidate by itself. */
static void
try_waiter (Myrinet *self, guint32 w, PdTime now)
{
  const PdWaiter *waiter = &self->waiters.waiters[w];
  Path path;

  get_path (self, waiter->source, waiter->target, &path);
  guint32 refuser = find_channels (self, &path, now);
  if (refuser == NONE)
    start_waiter (self, &path, w, now);
  else
    pd_waiters_enqueue (&self->waiters, w, refuser);
  for (guint i = 0; i < path.n_hubs; i++)
    if (self->hubs[path.hubs[i]].cursor == w)
      advance (self, path.hubs[i], now);
}

static void
prefetch_endpoint (gconstpointer network, guint32 endpoint)
{
  const Myrinet *self = network;

  if (self->config->channels_per != PER_NODE || endpoint >= self->n_endpoints)
    return;
  __builtin_prefetch (&self->hubs[endpoint], 1);
  __builtin_prefetch (&self->waiters.queues[endpoint], 1);
}

/* Has the hubs loaded of a candidate that will be tried soon. */
static void
prefetch_candidate (const Myrinet *self, guint32 w)
{
  guint64 bits = pd_least_peek (&self->candidates, w);

  for (guint i = 0; i < SOON && bits != 0; i++)
    bits &= bits - 1;
  if (bits == 0)
    return;
  const PdWaiter *waiter = &self->waiters.waiters[w + 1 + (guint32) __builtin_ctzll (bits)];
  prefetch_endpoint (self, waiter->source);
  prefetch_endpoint (self, waiter->target);
}

/* The host may make a request while it is told. */
static void
tell_host (Myrinet *self)
{
  while (self->n_told < self->n_started)
    {
      Started started = self->started[self->n_told++];
      if (self->host->expect != NULL && self->n_told + FAR < self->n_started)
        {
          self->host->expect (self->host, self->started[self->n_told + FAR].id, FALSE);
          self->host->expect (self->host, self->started[self->n_told + NEAR].id, TRUE);
        }
      self->host->delivered (self->host, started.id, started.end);
    }
  self->n_told = self->n_started = 0;
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
    {
      guint32 w = pd_least_take (&self->candidates);
      prefetch_candidate (self, w);
      try_waiter (self, w, now);
    }
  tell_host (self);
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
  self->n_hubs = self->config->channels_per == PER_NODE ? MAX (n_endpoints, 1) : 1;
  self->hubs = pd_lines_resize (NULL, 0, self->n_hubs);
  for (guint32 h = 0; h < self->n_hubs; h++)
    pd_hub_init (&self->hubs[h]);
  pd_waiters_init (&self->waiters, self->n_hubs);
  self->free.hubs = g_new (guint32, self->n_hubs);
  self->idle.hubs = g_new (guint32, self->n_hubs);
  self->armed = -1;
  return self;
}

static void
myrinet_destroy (gpointer network)
{
  Myrinet *self = network;

  for (guint32 h = 0; h < self->n_hubs; h++)
    pd_hub_clear (&self->hubs[h]);
  pd_lines_free (self->hubs, self->n_hubs);
  pd_waiters_clear (&self->waiters);
  pd_moments_clear (&self->wakes);
  pd_least_clear (&self->candidates);
  g_free (self->free.hubs);
  g_free (self->idle.hubs);
  g_free (self->started);
  g_free (self);
}

static PdTime
myrinet_request (gpointer network, const PdTransfer *transfer, PdTime now)
{
  Myrinet *self = network;
  const MyrinetConfig *config = self->config;

  g_return_val_if_fail (transfer->source < self->n_endpoints, now);
  g_return_val_if_fail (transfer->target < self->n_endpoints, now);

  PdTime duration = pd_network_linear_time (config->startup, config->per_byte, transfer);
  PdTime end = pd_time_add (now, duration);
  Path path;

  get_path (self, transfer->source, transfer->target, &path);
  /* whoever waited for an end at this very moment comes first, even if its
   * event has not been handled yet */
  handle_ends (self, now);
  guint32 refuser = find_channels (self, &path, now);
  if (refuser == NONE)
    occupy_channels (self, &path, end, now);
  else
    {
      add_waiter (self, &path, transfer, duration, refuser, now);
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
  .expect = prefetch_endpoint,
  .event = myrinet_event,
};
