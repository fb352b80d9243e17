/* The network of Dimemas: a transfer takes a link out of the node of its source,
 * a link into that of its target, and then a bus; it keeps the links while it
 * waits for the bus. Everything gets free when it ends.
 * SPDX-License-Identifier: MIT */
#include "comsys/net/net-dimemas-private.h"
#include "comsys/queue/pd-lines.h"
#include "comsys/net/pd-network-private.h"
#include "comsys/net/net-dimemas-links-private.h"

#define OFFSET(field) G_STRUCT_OFFSET (PdDimemasNetwork, field)

static const char *const lendings[] = { "yes", "no", NULL };
static const char *const itselfs[] = { "copied", "sent", NULL };

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
  { "itself", PD_UNIT_COUNT, OFFSET (itself), "copied", 0, itselfs,
    "whether messages of a rank to itself are copied, or take this network" },
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

/* The transfer has all it needs, until an event of its own. */
static PdTime
start (PdDimemas *self, guint32 item, PdTime now)
{
  PdTime end = pd_time_add (now, self->items[item].duration);

  if (!self->items[item].is_all)
    self->n_on_bus++;
  self->callbacks->schedule (self->callbacks, end, item);
  return end;
}

/* A collective operation takes the buses that are free; whether it has all. */
static gboolean
take_buses (PdDimemas *self, guint32 item)
{
  self->items[item].n_held += self->config->buses - self->n_on_bus;
  self->n_on_bus = self->config->buses;
  return self->items[item].n_held == self->config->buses;
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
    pd_links_append (self, &self->bus_queue, item);
}

/* Tries the first transfer that waits there, if any. */
static void
wake (PdDimemas *self, guint32 endpoint, PdLinksWay way, PdTime now)
{
  guint32 woken = pd_links_pop (self, &self->links[endpoint].queues[way]);

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

/* Gives a bus to @item, the first of the queue; or all buses, if it needs all and they are free. */
static void
serve (PdDimemas *self, guint32 item, PdTime now)
{
  gboolean is_all = self->items[item].is_all != FALSE;
  guint32 id = self->items[item].id;

  if (is_all && !take_buses (self, item))
    return;
  pd_links_pop (self, &self->bus_queue);
  PdTime end = start (self, item, now);
  if (is_all)
    self->callbacks->occupied (self->callbacks, id, end);
}

/* Ends a transfer, then tries the transfers that wait for its links, then those that wait for its
 * bus. */
static void
end (PdDimemas *self, guint32 item, PdTime now)
{
  if (self->items[item].has[PD_LINKS_OUT])
    {
      release_link (self, item, PD_LINKS_OUT, now);
      release_link (self, item, PD_LINKS_IN, now);
    }
  self->n_on_bus -= self->items[item].is_all ? self->config->buses : 1;
  drop_item (self, item);
  while (self->bus_queue.head != 0 && has_bus (self))
    serve (self, self->bus_queue.head, now);
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
  return self;
}

static void
dimemas_destroy (gpointer network)
{
  PdDimemas *self = network;

  g_free (self->links);
  pd_lines_free (self->items, self->room);
  g_free (self);
}

/* Rounded half up to picoseconds; Dimemas counts nanoseconds with a fraction. */
static PdTime
get_duration (const PdDimemasNetwork *config, const PdTransfer *transfer)
{
  if (!(config->bandwidth > 0) || transfer->bytes == 0)
    return PD_TIME_ZERO;
  return pd_time_for_bytes (transfer->bytes, 1e12 / config->bandwidth);
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

  guint32 item = new_item (self);
  self->items[item] = (PdLinksItem){ .duration = duration,
                                     .id = transfer->id,
                                     .ends = { transfer->source, transfer->target } };
  try_item (self, item, now);
  return PD_TIME_PENDING;
}

/* The operation takes the buses that are free at once, and keeps them. */
static PdTime
dimemas_occupy (gpointer network, guint32 id, PdTime duration, PdTime now)
{
  PdDimemas *self = network;

  if (self->config->buses == 0)
    return pd_time_add (now, duration);
  guint32 item = new_item (self);
  self->items[item] = (PdLinksItem){ .duration = duration, .id = id, .is_all = TRUE };
  if (take_buses (self, item))
    return start (self, item, now);
  pd_links_append (self, &self->bus_queue, item);
  return PD_TIME_PENDING;
}

/* The transfer @token ends, or the operation. */
static void
dimemas_event (gpointer network, guint32 token, PdTime now)
{
  PdDimemas *self = network;
  PdLinksItem ended = self->items[token];

  end (self, token, now);
  if (!ended.is_all)
    self->callbacks->delivered (self->callbacks, ended.id, now);
}

static void
dimemas_get_costs (gconstpointer config, PdNetworkCosts *costs)
{
  costs->before = ((const PdDimemasNetwork *) config)->latency;
  costs->to_itself = ((const PdDimemasNetwork *) config)->itself == PD_DIMEMAS_SENT;
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
  .is_fifo = TRUE,
  .create = dimemas_create,
  .destroy = dimemas_destroy,
  .request = dimemas_request,
  .occupy = dimemas_occupy,
  .get_alone = dimemas_get_alone,
  .get_costs = dimemas_get_costs,
  .expect = dimemas_expect,
  .is_unshared = dimemas_is_unshared,
  .event = dimemas_event,
};
