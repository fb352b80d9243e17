/* Messages as flows that share links. A message waits for the latency of its path,
 * without using any bandwidth, then shares the links of its path with all others
 * there until its bytes are through, and is delivered at that moment. Moments are
 * whole picoseconds: what happens within one happens at once.
 * SPDX-License-Identifier: MIT */
#include "comsys/net/net-flow-private.h"
#include "comsys/net/pd-network-private.h"
#include "comsys/net/pd-sharing-private.h"
#include "comsys/net/net-flow-route-private.h"
#include "comsys/net/net-flow-shape-private.h"
#include "comsys/net/pd-sharing-solve-private.h"

#define NONE PD_SHARING_NONE
#define NEAR 4
#define FAR  12

/* A message that waits for its latency. */
typedef struct
{
  gint64 when; /* it is over */
  gint64 bytes;
  guint32 id;
  guint32 source;
  guint32 target;
  guint32 next; /* of its class, or of the free ones */
} Waiting;

/* Messages with the same latency: those that wait for it come in order. */
typedef struct
{
  PdTime latency;
  gdouble weight;
  guint32 first; /* in Flow.waiting, by next; NONE = none */
  guint32 last;
} Class;

typedef struct
{
  const PdFlowConfig *config;
  PdNetworkCallbacks *callbacks;
  guint32 n_endpoints;
  PdFlowRoutes routes;
  PdSharing sharing;
  Class *classes;
  Waiting *waiting; /* pool */
  guint32 n_waiting;
  guint32 waiting_room;
  guint32 free;
  guint32 *links; /* of a path */
  gint64 armed;   /* the next event asked for; negative: none */
} Flow;

/* ---- messages that wait for their latency */

static guint32
take_waiting (Flow *self)
{
  guint32 w = self->free;

  if (w != NONE)
    {
      self->free = self->waiting[w].next;
      return w;
    }
  if (self->n_waiting == self->waiting_room)
    {
      self->waiting_room = MAX (64, 2 * self->waiting_room);
      self->waiting = g_renew (Waiting, self->waiting, self->waiting_room);
    }
  return self->n_waiting++;
}

static void
add_waiting (Flow *self, const PdTransfer *transfer, Class *class, PdTime now)
{
  guint32 w = take_waiting (self);

  self->waiting[w] = (Waiting){ .when = pd_time_add (now, class->latency).ps,
                                .bytes = transfer->bytes,
                                .id = transfer->id,
                                .source = transfer->source,
                                .target = transfer->target,
                                .next = NONE };
  *(class->first == NONE ? &class->first : &self->waiting[class->last].next) = w;
  class->last = w;
}

/* When the first one's latency is over; negative: none waits. */
static gint64
get_first_entry (const Flow *self)
{
  gint64 first = -1;

  for (guint32 c = 0; c < self->routes.n_classes; c++)
    {
      if (self->classes[c].first == NONE)
        continue;
      gint64 when = self->waiting[self->classes[c].first].when;
      if (first < 0 || when < first)
        first = when;
    }
  return first;
}

/* The flow from @source to @target, which may be new. */
static guint32
get_flow (Flow *self, guint32 source, guint32 target)
{
  guint64 path = (guint64) source << 32 | target;
  guint32 flow = pd_sharing_find (&self->sharing, path), class;

  if (flow != NONE)
    return flow;
  guint32 n_hops = pd_flow_route (&self->routes, source, target, self->links, &class);
  return pd_sharing_new_flow (&self->sharing, path, self->links, n_hops,
                              self->classes[class].weight);
}

/* Those whose latency is over share from now on. */
static void
enter_waiting (Flow *self, gint64 now)
{
  for (guint32 c = 0; c < self->routes.n_classes; c++)
    for (guint32 w; (w = self->classes[c].first) != NONE;)
      {
        Waiting *waiting = &self->waiting[w];
        if (waiting->when > now)
          break;
        self->classes[c].first = waiting->next;
        pd_sharing_enter (&self->sharing, get_flow (self, waiting->source, waiting->target),
                          waiting->bytes, waiting->id);
        waiting->next = self->free;
        self->free = w;
      }
}

/* ---- what happens at a moment */

/* Keeps the next event scheduled with the host. */
static void
arm (Flow *self)
{
  gint64 next = pd_sharing_get_next (&self->sharing), entry = get_first_entry (self);

  if (next < 0 || (entry >= 0 && entry < next))
    next = entry;
  if (next < 0 || (self->armed >= 0 && self->armed <= next))
    return;
  self->armed = next;
  self->callbacks->schedule (self->callbacks, PD_TIME (next), 0);
}

/* The host may make requests while it is notified. */
static void
notify_deliveries (Flow *self, PdTime now)
{
  PdShareList *done = &self->sharing.done;
  PdNetworkCallbacks *callbacks = self->callbacks;

  for (guint32 i = 0; i < done->n; i++)
    {
      if (callbacks->expect != NULL && i + FAR < done->n)
        {
          callbacks->expect (callbacks, done->items[i + FAR], PD_EXPECT_LATER);
          callbacks->expect (callbacks, done->items[i + NEAR], PD_EXPECT_SOON);
        }
      callbacks->delivered (callbacks, done->items[i], now);
    }
  done->n = 0;
}

/* The host is notified of completed messages after the levels are found. Its data for the first of
 * them is loaded from memory meanwhile. */
static void
expect_done (Flow *self)
{
  const PdShareList *done = &self->sharing.done;

  for (guint32 i = 0; self->callbacks->expect != NULL && i < MIN (done->n, FAR); i++)
    self->callbacks->expect (self->callbacks, done->items[i], PD_EXPECT_SOON);
}

/* Likewise the message that is through next, as it looks now. */
static void
expect_next (const Flow *self)
{
  guint32 id = pd_sharing_get_next_message (&self->sharing);

  if (id != NONE && self->callbacks->expect != NULL)
    self->callbacks->expect (self->callbacks, id, PD_EXPECT_LATER);
}

static void
flow_event (gpointer network, guint32 token G_GNUC_UNUSED, PdTime now)
{
  Flow *self = network;
  PdSharing *sharing = &self->sharing;

  if (self->armed <= now.ps)
    self->armed = -1;
  do
    {
      pd_sharing_complete (sharing, now.ps);
      expect_done (self);
      enter_waiting (self, now.ps);
      pd_sharing_update (sharing);
    }
  while (sharing->n_due > 0 && sharing->due[0].when <= now.ps);
  notify_deliveries (self, now);
  expect_next (self);
  arm (self);
}

/* ---- the class */

static gdouble
get_capacity (gconstpointer data, guint32 link)
{
  return pd_flow_get_bandwidth (data, link);
}

/* Relative to the shortest latency, so that where all are equal they are 1. Only a message from a
 * node of a torus to itself can have none; it counts as one that goes to the next node. */
static gdouble
get_weight (const Flow *self, PdTime latency)
{
  PdTime shortest = pd_flow_get_latency (&self->routes, 0);

  if (self->config->sharing != PD_FLOW_RTT || latency.ps == 0)
    return 1;
  if (shortest.ps == 0)
    shortest = self->config->latency;
  return (gdouble) shortest.ps / (gdouble) latency.ps;
}

static gpointer
flow_create (gconstpointer config, guint32 n_endpoints, PdNetworkCallbacks *callbacks)
{
  Flow *self = g_new0 (Flow, 1);

  self->config = config;
  self->callbacks = callbacks;
  self->n_endpoints = MAX (1, n_endpoints);
  self->armed = -1;
  self->free = NONE;
  if (self->config->topology == PD_FLOW_CROSSBAR)
    return self;
  pd_flow_routes_init (&self->routes, config, self->n_endpoints);
  pd_sharing_init (&self->sharing, self->routes.n_links, self->routes.max_hops, get_capacity,
                   &self->routes);
  self->links = g_new (guint32, self->routes.max_hops);
  self->classes = g_new (Class, self->routes.n_classes);
  for (guint32 c = 0; c < self->routes.n_classes; c++)
    {
      PdTime latency = pd_flow_get_latency (&self->routes, c);
      self->classes[c] = (Class){ latency, get_weight (self, latency), NONE, NONE };
    }
  return self;
}

static void
flow_destroy (gpointer network)
{
  Flow *self = network;

  if (self->classes != NULL)
    pd_sharing_clear (&self->sharing);
  g_free (self->classes);
  g_free (self->waiting);
  g_free (self->links);
  g_free (self);
}

/* A crossbar has a link for each pair, which never is the only thing that a
 * message shares with another: nothing is shared. */
static PdTime
request_crossbar (const Flow *self, const PdTransfer *transfer, PdTime now)
{
  PdTime when = pd_time_add (now, self->config->latency);

  return pd_time_add (when, pd_time_for_bytes (transfer->bytes, 1e12 / self->config->bandwidth));
}

static PdTime
flow_request (gpointer network, const PdTransfer *transfer, PdTime now)
{
  Flow *self = network;

  g_return_val_if_fail (transfer->source < self->n_endpoints, now);
  g_return_val_if_fail (transfer->target < self->n_endpoints, now);

  if (self->config->topology == PD_FLOW_CROSSBAR)
    return request_crossbar (self, transfer, now);
  guint32 class = pd_flow_get_class (&self->routes, transfer->source, transfer->target);
  if (transfer->bytes == 0)
    return pd_time_add (now, self->classes[class].latency);
  add_waiting (self, transfer, &self->classes[class], now);
  arm (self);
  return PD_TIME_PENDING;
}

/* ---- by itself */

static PdTime
crossbar_alone (const Flow *self, const PdTransfer *transfer, gdouble *shares)
{
  if (shares != NULL)
    {
      shares[PD_FLOW_LATENCY] += 1;
      shares[PD_FLOW_BANDWIDTH] += (gdouble) transfer->bytes;
    }
  return request_crossbar (self, transfer, PD_TIME_ZERO);
}

/* The slowest link decides. */
static guint32
find_narrowest (const Flow *self, guint32 n_hops)
{
  guint32 narrowest = self->links[0];

  for (guint32 i = 1; i < n_hops; i++)
    if (pd_flow_get_bandwidth (&self->routes, self->links[i])
        < pd_flow_get_bandwidth (&self->routes, narrowest))
      narrowest = self->links[i];
  return narrowest;
}

static PdTime
flow_get_alone (gconstpointer network, const PdTransfer *transfer, gdouble *shares)
{
  const Flow *self = network;
  guint32 class, n_inner, n_global;

  if (self->config->topology == PD_FLOW_CROSSBAR)
    return crossbar_alone (self, transfer, shares);
  guint32 n_hops =
      pd_flow_route (&self->routes, transfer->source, transfer->target, self->links, &class);
  guint32 link = find_narrowest (self, n_hops);
  gdouble bandwidth = pd_flow_get_bandwidth (&self->routes, link);
  if (shares != NULL)
    {
      guint inner = link < self->routes.first_global ? PD_FLOW_BANDWIDTH : PD_FLOW_GLOBAL_BANDWIDTH;
      pd_flow_count_inner (&self->routes, class, &n_inner, &n_global);
      shares[PD_FLOW_NIC_LATENCY] += 2;
      shares[PD_FLOW_LATENCY] += n_inner;
      shares[PD_FLOW_GLOBAL_LATENCY] += n_global;
      shares[link < self->routes.first_inner ? PD_FLOW_NIC_BANDWIDTH : inner] +=
          (gdouble) transfer->bytes;
    }
  return pd_time_add (self->classes[class].latency,
                      pd_time_for_bytes (transfer->bytes, (gdouble) PD_PS_PER_S / bandwidth));
}

const PdNetworkClass pd_network_flow = {
  .type = "flow",
  .meaning = "messages share the links of their paths max-min fairly",
  .config_size = sizeof (PdFlowConfig),
  .params = pd_flow_params,
  .create = flow_create,
  .destroy = flow_destroy,
  .request = flow_request,
  .get_alone = flow_get_alone,
  .event = flow_event,
  .check = pd_flow_check,
  .uses_param = pd_flow_uses_param,
};
