/* A network of channels, of the network as a whole or of each node's adapter:
 * of hubs. With channels of the nodes a transfer takes one channel at its source
 * and one at its target; where channels carry both directions for any partners, the
 * outgoing halves of a node's channels are a hub, and so are the incoming ones. A transfer that
 * cannot start waits at its hubs; when a channel gets free, those that wait there are tried in
 * order of request, but one whose other end is busy does not hold up those behind it.
 *
 * Nothing happens at the end of a transfer unless another one waits: a slot of a
 * channel is free as soon as its end is not later than now. Ends become
 * events (wakes) only for hubs that have pending transfers. All ends of a moment are
 * handled together: their hubs name candidates, of which always the one that
 * was requested first is tried.
 * SPDX-License-Identifier: MIT */
#include "comsys/net/net-myrinet-try-private.h"
#include "comsys/queue/pd-lines.h"
#include "comsys/net/pd-network-private.h"

/* The host is warned of a delivery so many transfers before it is notified of it. */
#define FAR  24
#define NEAR 10
#define NEXT 3
/* The hubs of a candidate are loaded from memory so many candidates before it is tried. */
#define SOON 4

static const PdPendingTransferOrder orders[] = {
  [PD_MYRINET_PORT_OF_DIRECTION] = PD_PENDING_BY_DIRECTION,
  [PD_MYRINET_PORT_OF_NODE] = PD_PENDING_BY_PORT,
  [PD_MYRINET_PORT_OF_NETWORK] = PD_PENDING_TOGETHER,
};

static const char *const owners[] = { "node", "network", NULL };
static const char *const duplexes[] = { "full", "pair", NULL };

static const PdParam params[] = {
  { "startup", PD_UNIT_TIME, G_STRUCT_OFFSET (PdMyrinetConfig, startup), NULL, 0, NULL,
    "time that each message occupies its channels besides its bytes" },
  { "per-byte", PD_UNIT_PER_BYTE, G_STRUCT_OFFSET (PdMyrinetConfig, per_byte), NULL, 0, NULL,
    "time that each byte occupies the channels" },
  { "channels", PD_UNIT_COUNT, G_STRUCT_OFFSET (PdMyrinetConfig, channels), "1", 1, NULL,
    "number of channels; each carries one message, or two in opposite directions" },
  { "duplex", PD_UNIT_COUNT, G_STRUCT_OFFSET (PdMyrinetConfig, duplex), "full", 0, duplexes,
    "whether a node's channel sends to one node while it receives from any (full), or from that "
    "one only (pair); channels of the network are always of pairs" },
  { "channels-per", PD_UNIT_COUNT, G_STRUCT_OFFSET (PdMyrinetConfig, channels_per), "node", 0,
    owners, "whether each node has so many channels, or the whole network" },
  { .name = NULL },
};

/* ---- wakes */

/* Makes the end of @slot a wake of its hub, unless one of that moment is there. */
static void
add_wake (PdMyrinet *self, guint32 h, PdSlot *slot)
{
  PdHub *hub = &self->hubs[h];

  slot->is_wake = TRUE;
  if (hub->last_wake == slot->end)
    return;
  hub->last_wake = slot->end;
  pd_event_times_add (&self->wakes, (guint64) slot->end, h, 0);
}

/* The first pending transfer comes to a hub: its ends matter from now on. */
static void
wake_at_ends (PdMyrinet *self, guint32 h, PdTime now)
{
  PdHub *hub = &self->hubs[h];

  for (guint32 i = 0; i < 2 * hub->n_channels; i++)
    {
      PdSlot *slot = &hub->channels[i / 2].slots[i % 2];
      if (pd_slot_is_busy (slot, now) && !slot->is_wake)
        add_wake (self, h, slot);
    }
}

/* ---- pending transfers */

/* Puts off a transfer that @refuser cannot take, and sees to it that every end
 * that may let it start becomes a wake. */
static void
add_pending (PdMyrinet *self, const PdPath *path, const PdTransfer *transfer, PdTime duration,
             PdTime now)
{
  PdPendingTransfer pending = { .duration = duration,
                                .id = transfer->id,
                                .source = path->transfer.source,
                                .target = path->transfer.target };

  if (pd_pending_transfers_add (&self->transfers, &pending))
    pd_min_set_resize (&self->candidates, self->transfers.room);
  for (guint i = 0; i < path->n_hubs; i++)
    {
      guint32 h = path->hubs[i];
      if (self->hubs[h].n_waiting++ > 0)
        continue;
      wake_at_ends (self, h, now);
      pd_myrinet_set_open (self, h, pd_hub_has_empty (&self->hubs[h], self->config->channels, now));
    }
}

static void
remove_pending (PdMyrinet *self, const PdPath *path, guint32 w)
{
  for (guint i = 0; i < path->n_hubs; i++)
    if (--self->hubs[path->hubs[i]].n_waiting == 0)
      pd_myrinet_set_open (self, path->hubs[i], FALSE);
  pd_pending_transfers_remove (&self->transfers, w);
}

/* ---- starting */

/* Whether the transfer can start. */
static gboolean
find_channels (const PdMyrinet *self, PdPath *path, PdTime now)
{
  for (guint i = 0; i < path->n_hubs; i++)
    {
      path->channels[i] =
          pd_hub_find (&self->hubs[path->hubs[i]], self->config->channels, &path->transfer, now);
      if (path->channels[i] == PD_HUB_NONE)
        return FALSE;
    }
  return TRUE;
}

/* Returns whether that left room for the opposite direction. */
static gboolean
occupy_channels (PdMyrinet *self, PdPath *path, PdTime end, PdTime now)
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
      if (hub->is_open && !pd_hub_has_empty (hub, self->config->channels, now))
        pd_myrinet_set_open (self, path->hubs[i], FALSE);
    }
  return has_room;
}

static void
start_pending (PdMyrinet *self, PdPath *path, guint32 w, PdTime now)
{
  const PdPendingTransfer *pending = &self->transfers.transfers[w];
  PdTime end = pd_time_add (now, pending->duration);

  if (self->callbacks->expect != NULL)
    self->callbacks->expect (self->callbacks, pending->id, PD_EXPECT_LATER);
  if (self->n_started == self->n_started_allocated)
    {
      self->n_started_allocated = MAX (16, 2 * self->n_started_allocated);
      self->started = g_renew (PdStartedTransfer, self->started, self->n_started_allocated);
    }
  self->started[self->n_started++] = (PdStartedTransfer){ pending->id, end };
  remove_pending (self, path, w); /* first: a hub left without pending transfers needs no wake */
  /* the one in the opposite direction may share the channels just taken, and
   * the next one of this pair may share others with another of that direction */
  gboolean has_room = occupy_channels (self, path, end, now);
  if (!pd_myrinet_has_pairs (self))
    return;
  if (has_room)
    pd_myrinet_add_candidate (self, path->transfer.target, path->transfer.source);
  if (self->config->channels > 1)
    pd_myrinet_add_candidate (self, path->transfer.source, path->transfer.target);
}

/* ---- a moment */

static inline void
prefetch_port (const PdMyrinet *self, guint32 port)
{
  pd_prefetch (&self->hubs[port]);
  pd_prefetch (&self->transfers.queues[port]);
}

/* Wakes the hubs of a chunk, while those of the next one are loaded. */
static void
wake_chunk (PdMyrinet *self, const PdEventChunk *chunk, PdTime now)
{
  const PdEventChunk *next = &self->wakes.chunks[chunk->next];
  guint32 n_next = chunk->next != 0 ? next->n : 0;

  pd_event_chunk_prefetch (&self->wakes, next->next);
  for (guint32 i = 0; i < chunk->n; i++)
    {
      if (i < n_next)
        prefetch_port (self, (guint32) next->items[i].order);
      pd_myrinet_wake_hub (self, (guint32) chunk->items[i].order, now);
    }
}

static void
wake_hubs (PdMyrinet *self, PdTime now)
{
  while (self->wakes.n > 0 && self->wakes.heap[0].key <= (guint64) now.ps)
    {
      PdEventItem single;
      guint32 c = pd_event_times_take (&self->wakes, &single);
      if (c == 0)
        pd_myrinet_wake_hub (self, (guint32) single.order, now);
      for (guint32 next; c != 0; c = next)
        {
          next = self->wakes.chunks[c].next;
          wake_chunk (self, &self->wakes.chunks[c], now);
          pd_event_times_give_back (&self->wakes, c);
        }
    }
}

/* Tries a candidate, and goes on to the next one of the hubs it was of. Those
 * passed over cannot start before another end: until then channels are only
 * taken, and a transfer that can share one is a candidate by itself. */
static void
try_pending (PdMyrinet *self, guint32 w, PdTime now)
{
  const PdPendingTransfer *pending = &self->transfers.transfers[w];
  PdPath path;

  pd_myrinet_get_path (self, pending->source, pending->target, &path);
  if (find_channels (self, &path, now))
    start_pending (self, &path, w, now);
  for (guint i = 0; i < path.n_hubs; i++)
    if (self->hubs[path.hubs[i]].cursor == w)
      pd_myrinet_advance (self, path.hubs[i], now);
}

static void
prefetch_endpoint (gconstpointer network, guint32 endpoint)
{
  const PdMyrinet *self = network;

  if (self->ports == PD_MYRINET_PORT_OF_NETWORK || endpoint >= self->n_endpoints)
    return;
  for (gboolean is_target = FALSE; is_target <= !pd_myrinet_has_pairs (self); is_target++)
    prefetch_port (self, pd_myrinet_get_port (self, endpoint, is_target));
}

/* Has the hubs loaded of a candidate that will be tried soon. */
static inline void
prefetch_candidate (const PdMyrinet *self, guint32 w)
{
  if (self->ports == PD_MYRINET_PORT_OF_NETWORK)
    return;
  guint32 soon = pd_min_set_peek (&self->candidates, w, SOON);
  if (soon == G_MAXUINT32)
    return;
  const PdPendingTransfer *pending = &self->transfers.transfers[soon];
  prefetch_port (self, pending->source);
  prefetch_port (self, pending->target);
}

/* The host may make a request while it is notified. */
static void
notify_deliveries (PdMyrinet *self)
{
  while (self->n_notified < self->n_started)
    {
      PdStartedTransfer started = self->started[self->n_notified++];
      if (self->callbacks->expect != NULL && self->n_notified + FAR < self->n_started)
        {
          const PdStartedTransfer *later = &self->started[self->n_notified];
          self->callbacks->expect (self->callbacks, later[FAR].id, PD_EXPECT_LATER);
          self->callbacks->expect (self->callbacks, later[NEAR].id, PD_EXPECT_SOON);
          self->callbacks->expect (self->callbacks, later[NEXT].id, PD_EXPECT_NEXT);
        }
      self->callbacks->delivered (self->callbacks, started.id, started.end);
    }
  self->n_notified = self->n_started = 0;
}

/* Starts what can start after the ends up to @now, over all hubs in order of
 * request, and notifies the host. */
static void
handle_ended (PdMyrinet *self, PdTime now)
{
  gsize n_tried = 0, n_before = self->n_started;

  if (self->wakes.n == 0 || self->wakes.heap[0].key > (guint64) now.ps)
    return;
  wake_hubs (self, now);
  pd_myrinet_set_leading_cursors (self);
  for (; !pd_min_set_is_empty (&self->candidates); n_tried++)
    {
      guint32 w = pd_min_set_take (&self->candidates);
      prefetch_candidate (self, w);
      try_pending (self, w, now);
    }
  pd_myrinet_choose_leading (self, n_tried, self->n_started - n_before);
  notify_deliveries (self);
}

/* Keeps the earliest wake scheduled with the host. */
static void
arm (PdMyrinet *self)
{
  if (self->wakes.n == 0)
    return;
  gint64 first = (gint64) self->wakes.heap[0].key;
  if (self->armed >= 0 && self->armed <= first)
    return;
  self->armed = first;
  self->callbacks->schedule (self->callbacks, PD_TIME (first), 0);
}

/* ---- the class */

static PdMyrinetPorts
get_ports (const PdMyrinetConfig *config)
{
  if (config->channels_per == PD_MYRINET_PER_NETWORK)
    return PD_MYRINET_PORT_OF_NETWORK;
  return config->duplex == PD_MYRINET_FULL ? PD_MYRINET_PORT_OF_DIRECTION : PD_MYRINET_PORT_OF_NODE;
}

static guint32
get_n_hubs (PdMyrinetPorts ports, guint32 n_endpoints)
{
  if (ports == PD_MYRINET_PORT_OF_NETWORK)
    return 1;
  return MAX (n_endpoints, 1) * (ports == PD_MYRINET_PORT_OF_DIRECTION ? 2 : 1);
}

static gpointer
myrinet_create (gconstpointer config, guint32 n_endpoints, PdNetworkCallbacks *callbacks)
{
  PdMyrinet *self = g_new0 (PdMyrinet, 1);

  self->config = config;
  self->callbacks = callbacks;
  self->n_endpoints = n_endpoints;
  self->ports = get_ports (self->config);
  self->n_hubs = get_n_hubs (self->ports, n_endpoints);
  self->hubs = pd_lines_resize (NULL, 0, self->n_hubs);
  for (guint32 h = 0; h < self->n_hubs; h++)
    pd_hub_init (&self->hubs[h]);
  pd_pending_transfers_init (&self->transfers, self->n_hubs, orders[self->ports]);
  self->armed = -1;
  return self;
}

static void
myrinet_destroy (gpointer network)
{
  PdMyrinet *self = network;

  for (guint32 h = 0; h < self->n_hubs; h++)
    pd_hub_clear (&self->hubs[h]);
  pd_lines_free (self->hubs, self->n_hubs);
  pd_pending_transfers_clear (&self->transfers);
  pd_event_times_clear (&self->wakes);
  pd_min_set_clear (&self->candidates);
  g_free (self->started);
  g_free (self->woken);
  g_free (self);
}

static PdTime
myrinet_request (gpointer network, const PdTransfer *transfer, PdTime now)
{
  PdMyrinet *self = network;
  const PdMyrinetConfig *config = self->config;

  g_return_val_if_fail (transfer->source < self->n_endpoints, now);
  g_return_val_if_fail (transfer->target < self->n_endpoints, now);

  PdTime duration = pd_network_linear_time (config->startup, config->per_byte, transfer);
  PdTime end = pd_time_add (now, duration);
  PdPath path;

  pd_myrinet_get_path (self, pd_myrinet_get_port (self, transfer->source, FALSE),
                       pd_myrinet_get_port (self, transfer->target, TRUE), &path);
  /* transfers that waited for an end at this very moment come first, even if its
   * event has not been handled yet */
  handle_ended (self, now);
  if (find_channels (self, &path, now))
    occupy_channels (self, &path, end, now);
  else
    {
      add_pending (self, &path, transfer, duration, now);
      end = PD_TIME_PENDING;
    }
  arm (self);
  return end;
}

static void
myrinet_event (gpointer network, guint32 token G_GNUC_UNUSED, PdTime now)
{
  PdMyrinet *self = network;

  if (self->armed <= now.ps)
    self->armed = -1;
  handle_ended (self, now);
  arm (self);
}

static PdTime
myrinet_get_alone (gconstpointer network, const PdTransfer *transfer, gdouble *shares)
{
  const PdMyrinetConfig *config = ((const PdMyrinet *) network)->config;

  pd_network_add_linear_shares (transfer, shares);
  return pd_network_linear_time (config->startup, config->per_byte, transfer);
}

const PdNetworkClass pd_network_myrinet = {
  .type = "myrinet",
  .meaning = "channels that carry one message in each direction; the rest waits",
  .config_size = sizeof (PdMyrinetConfig),
  .params = params,
  .create = myrinet_create,
  .destroy = myrinet_destroy,
  .request = myrinet_request,
  .get_alone = myrinet_get_alone,
  .expect = prefetch_endpoint,
  .event = myrinet_event,
};
