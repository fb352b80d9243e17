/* The network of Dimemas: a transfer takes a link out of the node of its source,
 * a link into that of its target, and then a bus; it keeps the links while it
 * waits for the bus. Everything gets free when it ends.
 * SPDX-License-Identifier: MIT */
#include "comsys/net/net-dimemas-private.h"
#include "comsys/queue/pd-lines.h"
#include "comsys/net/pd-network-private.h"
#include "comsys/net/net-dimemas-links-private.h"

#include <math.h>

#define OFFSET(field) G_STRUCT_OFFSET (PdDimemasNetwork, field)

static const char *const lendings[] = { "yes", "no", NULL };

static const PdParam params[] = {
  { "latency", PD_UNIT_TIME, OFFSET (latency), NULL, 0, NULL,
    "processor time of each send, receive and wait" },
  { "bandwidth", PD_UNIT_RATE, OFFSET (bandwidth), NULL, 0, NULL,
    "bytes per second of each transfer; 0 = transfers take no time" },
  { "buses", PD_UNIT_COUNT, OFFSET (buses), "0", 0, NULL,
    "transfers at a time in the whole network; 0 = unlimited" },
  { "in-links", PD_UNIT_COUNT, OFFSET (in_links), "0", 0, NULL,
    "transfers into each node at a time; 0: the out-links carry both directions" },
  { "out-links", PD_UNIT_COUNT, OFFSET (out_links), "0", 0, NULL,
    "transfers out of each node at a time; 0: the in-links carry both directions; both 0 = "
    "unlimited" },
  { "lending", PD_UNIT_COUNT, OFFSET (lending), "yes", 0, lendings,
    "whether a transfer that waits for an in-link lends its out-link to those behind it" },
  { .name = NULL },
};

/* ---- transfers */

static guint32
new_item (PdDimemas *self)
{
  guint32 item = self->free_item;

  if (item != 0)
    {
      self->free_item = self->items[item].next;
      return item;
    }
  if (self->n_items + 1 >= self->room)
    {
      guint32 room = MAX (16, 2 * self->room);
      self->items = pd_lines_resize (self->items, self->room, room);
      self->room = room;
    }
  return ++self->n_items;
}

static void
drop_item (PdDimemas *self, guint32 item)
{
  self->items[item].next = self->free_item;
  self->free_item = item;
}

/* ---- starting and ending */

/* Keeps the earliest end scheduled with the host, if anybody waits for one; else
 * the next request is early enough to notice it. */
static void
arm (PdDimemas *self)
{
  if (self->n_waiting == 0 || self->ends == NULL || self->ends->n == 0)
    return;
  gint64 first = (gint64) self->ends->heap[0].key;
  if (self->armed >= 0 && self->armed <= first)
    return;
  self->armed = first;
  self->callbacks->schedule (self->callbacks, PD_TIME (first), 0);
}

/* The transfer has all it needs. */
static void
start (PdDimemas *self, guint32 item, PdTime now)
{
  PdDimemasStarted started = { self->items[item].id,
                               pd_time_add (now, self->items[item].duration) };

  self->n_on_bus++;
  g_array_append_val (self->started, started);
  if (started.end.ps == now.ps)
    {
      pd_links_append (self, &self->ending, item);
      return;
    }
  if (self->ends == NULL)
    self->ends = g_new0 (PdEventTimes, 1); /* large, and many nodes never need it */
  pd_event_times_add (self->ends, (guint64) started.end.ps, item, 0);
}

static gboolean
has_bus (const PdDimemas *self)
{
  return self->config->buses == 0 || self->n_on_bus < self->config->buses;
}

/* A transfer that wants to start; it may have a link already. */
static void
try_item (PdDimemas *self, guint32 item, PdTime now)
{
  if (!pd_links_get (self, item))
    return;
  if (has_bus (self))
    start (self, item, now);
  else
    {
      pd_links_append (self, &self->bus_queue, item);
      self->n_waiting++;
    }
}

/* The first who waits there, if any, is tried. */
static void
wake (PdDimemas *self, guint32 endpoint, PdLinksWay way, PdTime now)
{
  guint32 woken = pd_links_wake (self, endpoint, way);

  if (woken != 0)
    try_item (self, woken, now);
}

static void
release_link (PdDimemas *self, guint32 item, PdLinksWay way, PdTime now)
{
  guint32 endpoint = self->items[item].ends[way];

  pd_links_release (self, endpoint, way);
  if (self->half_duplex)
    wake (self, endpoint, way == PD_LINKS_OUT ? PD_LINKS_IN : PD_LINKS_OUT, now);
  wake (self, endpoint, way, now);
}

static void
end (PdDimemas *self, guint32 item, PdTime now)
{
  if (self->items[item].has[PD_LINKS_OUT])
    {
      release_link (self, item, PD_LINKS_OUT, now);
      release_link (self, item, PD_LINKS_IN, now);
    }
  drop_item (self, item);
  self->n_on_bus--;
  guint32 next = self->bus_queue.head;
  if (next == 0)
    return;
  pd_links_pop (self, &self->bus_queue);
  self->n_waiting--;
  start (self, next, now);
}

static void
end_those_of_now (PdDimemas *self, PdTime now)
{
  for (guint32 item; (item = pd_links_pop (self, &self->ending)) != 0;)
    end (self, item, now);
}

/* ---- a moment */

/* The list that begins with @chunk. */
static void
end_list (PdDimemas *self, guint32 chunk, PdTime now)
{
  for (guint32 next; chunk != 0; chunk = next)
    {
      next = self->ends->chunks[chunk].next;
      /* what starts meanwhile may move the chunks */
      for (guint32 i = 0; i < self->ends->chunks[chunk].n; i++)
        end (self, (guint32) self->ends->chunks[chunk].items[i].order, now);
      pd_event_times_give_back (self->ends, chunk);
    }
}

/* The host may make a request while it is told. */
static void
notify_deliveries (PdDimemas *self)
{
  while (self->n_notified < self->started->len)
    {
      PdDimemasStarted started =
          g_array_index (self->started, PdDimemasStarted, self->n_notified++);
      self->callbacks->delivered (self->callbacks, started.id, started.end);
    }
  g_array_set_size (self->started, 0);
  self->n_notified = 0;
}

/* Starts what can start after the ends up to @now, and tells the host. */
static void
handle_ended (PdDimemas *self, PdTime now)
{
  if (self->ends == NULL || self->ends->n == 0 || self->ends->heap[0].key > (guint64) now.ps)
    return;
  while (self->ends->n > 0 && self->ends->heap[0].key <= (guint64) now.ps)
    {
      PdEventItem single;
      guint32 chunk = pd_event_times_take (self->ends, &single);
      if (chunk == 0)
        end (self, (guint32) single.order, now);
      else
        end_list (self, chunk, now);
    }
  end_those_of_now (self, now);
  notify_deliveries (self);
}

/* ---- the class */

static void
create_links (PdDimemas *self)
{
  gint64 in = self->config->in_links, out = self->config->out_links;

  self->is_limited = in > 0 || out > 0;
  self->half_duplex = in == 0 || out == 0;
  if (!self->is_limited)
    return;
  self->links = g_new0 (PdLinks, MAX (self->n_endpoints, 1));
  for (guint32 i = 0; i < self->n_endpoints; i++)
    {
      PdLinks *links = &self->links[i];
      links->free[PD_LINKS_OUT] =
          (guint32) MIN (self->half_duplex ? MAX (in, out) : out, G_MAXINT32);
      links->free[PD_LINKS_IN] = (guint32) MIN (in, G_MAXINT32);
    }
}

static gpointer
dimemas_create (gconstpointer config, guint32 n_endpoints, PdNetworkCallbacks *callbacks)
{
  PdDimemas *self = g_new0 (PdDimemas, 1);

  self->config = config;
  self->callbacks = callbacks;
  self->n_endpoints = n_endpoints;
  create_links (self);
  self->started = g_array_new (FALSE, FALSE, sizeof (PdDimemasStarted));
  self->armed = -1;
  return self;
}

static void
dimemas_destroy (gpointer network)
{
  PdDimemas *self = network;

  g_free (self->links);
  pd_lines_free (self->items, self->room);
  if (self->ends != NULL)
    pd_event_times_clear (self->ends);
  g_free (self->ends);
  g_array_unref (self->started);
  g_free (self);
}

/* Whole nanoseconds, as Dimemas counts. */
static PdTime
get_duration (const PdDimemasNetwork *config, const PdTransfer *transfer)
{
  if (!(config->bandwidth > 0) || transfer->bytes == 0)
    return PD_TIME_ZERO;
  gdouble ns = floor ((gdouble) transfer->bytes * 1e9 / config->bandwidth);
  return ns < (gdouble) (G_MAXINT64 / PD_PS_PER_NS) ? PD_TIME ((gint64) ns * PD_PS_PER_NS)
                                                    : PD_TIME_MAX;
}

/* Of the transfer @id that was just tried; PENDING if it waits. */
static PdTime
take_own_end (PdDimemas *self, guint32 id)
{
  for (guint i = 0; i < self->started->len; i++)
    {
      PdDimemasStarted started = g_array_index (self->started, PdDimemasStarted, i);
      if (started.id != id)
        continue;
      g_array_remove_index (self->started, i);
      return started.end;
    }
  return PD_TIME_PENDING;
}

static gboolean
dimemas_is_unshared (gconstpointer network)
{
  const PdDimemas *self = network;

  return !self->is_limited && self->config->buses == 0;
}

static PdTime
dimemas_request (gpointer network, const PdTransfer *transfer, PdTime now)
{
  PdDimemas *self = network;

  g_return_val_if_fail (transfer->source < self->n_endpoints, now);
  g_return_val_if_fail (transfer->target < self->n_endpoints, now);

  PdTime duration = get_duration (self->config, transfer);
  if (dimemas_is_unshared (self))
    return pd_time_add (now, duration);

  /* whoever waited for an end at this very moment comes first, even if its
   * event has not been handled yet */
  handle_ended (self, now);
  guint32 item = new_item (self);
  self->items[item] = (PdLinksItem){ .duration = duration,
                                     .id = transfer->id,
                                     .ends = { transfer->source, transfer->target } };
  try_item (self, item, now);
  PdTime when = take_own_end (self, transfer->id);
  end_those_of_now (self, now);
  notify_deliveries (self);
  arm (self);
  return when;
}

static void
dimemas_event (gpointer network, guint32 token G_GNUC_UNUSED, PdTime now)
{
  PdDimemas *self = network;

  if (self->armed <= now.ps)
    self->armed = -1;
  handle_ended (self, now);
  arm (self);
}

static void
dimemas_get_costs (gconstpointer config, PdNetworkCosts *costs)
{
  costs->before = ((const PdDimemasNetwork *) config)->latency;
  costs->until_match = TRUE;
}

static void
dimemas_expect (gconstpointer network, guint32 endpoint)
{
  const PdDimemas *self = network;

  if (self->is_limited && endpoint < self->n_endpoints)
    pd_prefetch (&self->links[endpoint]);
}

static PdTime
dimemas_get_alone (gconstpointer network, const PdTransfer *transfer, gdouble *shares)
{
  const PdDimemasNetwork *config = ((const PdDimemas *) network)->config;

  if (shares != NULL && config->bandwidth > 0)
    shares[1] += (gdouble) transfer->bytes;
  return get_duration (config, transfer);
}

const PdNetworkClass pd_network_dimemas = {
  .type = "dimemas",
  .meaning = "links of nodes and buses, latency on the processors: the model of Dimemas",
  .config_size = sizeof (PdDimemasNetwork),
  .params = params,
  .is_eager = TRUE,
  .create = dimemas_create,
  .destroy = dimemas_destroy,
  .request = dimemas_request,
  .get_alone = dimemas_get_alone,
  .get_costs = dimemas_get_costs,
  .expect = dimemas_expect,
  .is_unshared = dimemas_is_unshared,
  .event = dimemas_event,
};
