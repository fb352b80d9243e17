/* The network of Dimemas: a transfer takes a link out of the node of its source,
 * a link into that of its target, and then a bus; it keeps the links while it
 * waits for the bus. Everything gets free when it ends. Links go to the first in
 * order of request whom both ends can take, buses to the first who waits.
 *
 * Nothing happens at the end of a transfer unless somebody waits: a link is free
 * as soon as its end is not later than now. Ends become events (wakes) only for
 * pools that somebody waits for. All ends of a moment are handled together.
 * SPDX-License-Identifier: MIT */
#include "comsys/net-dimemas-private.h"
#include "comsys/pd-lines.h"
#include "comsys/pd-network-private.h"

#include <math.h>

#define OFFSET(field) G_STRUCT_OFFSET (PdDimemasConfig, field)

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
  { .name = NULL },
};

/* ---- wakes */

/* If nobody can be served from @pool before its earliest end, that is a wake. */
static void
arm_pool (PdDimemas *self, guint32 pool, PdTime now)
{
  PdLinks *links = &self->pools[pool];

  if (links->n_waiting == 0 || pd_links_have_free (links, now) || links->n_ends == 0
      || (links->wake >= 0 && links->wake <= links->ends[0]))
    return;
  links->wake = links->ends[0];
  if (self->wakes == NULL)
    self->wakes = g_new0 (PdMoments, 1); /* large, and many nodes never need them */
  pd_moments_add (self->wakes, (guint64) links->wake, pool, 0);
}

/* Keeps the earliest wake scheduled with the host. */
static void
arm (PdDimemas *self)
{
  if (self->wakes == NULL || self->wakes->n == 0)
    return;
  gint64 first = (gint64) self->wakes->heap[0].key;
  if (self->armed >= 0 && self->armed <= first)
    return;
  self->armed = first;
  self->host->schedule (self->host, PD_TIME (first), 0);
}

/* ---- taking links and buses */

/* The transfer has all it needs until @end. */
static void
occupy (PdDimemas *self, const PdLinksPath *path, PdTime end, PdTime now)
{
  PdLinks *buses = &self->pools[self->n_pools];

  for (guint i = 0; i < path->n; i++)
    {
      guint32 pool = path->links[i];
      pd_links_push (&self->pools[pool], end.ps);
      arm_pool (self, pool, now);
      if ((self->pools[pool].state & PD_LINKS_ARE_FREE) && !pd_dimemas_is_free (self, pool, now))
        pd_dimemas_set_taken (self, pool);
    }
  if (buses->capacity > 0)
    {
      pd_links_push (buses, end.ps);
      arm_pool (self, self->n_pools, now);
    }
}

/* The transfer has its links, which it keeps, and goes to wait for a bus. */
static void
wait_for_bus (PdDimemas *self, const PdLinksPath *path, PdTime duration, guint32 id, PdTime now)
{
  PdBusWaiter waiter = { *path, duration, id };

  for (guint i = 0; i < path->n; i++)
    {
      guint32 pool = path->links[i];
      self->pools[pool].n_held++;
      if ((self->pools[pool].state & PD_LINKS_ARE_FREE) && !pd_dimemas_is_free (self, pool, now))
        pd_dimemas_set_taken (self, pool);
    }
  g_array_append_val (self->bus_queue, waiter);
  self->pools[self->n_pools].n_waiting++;
  arm_pool (self, self->n_pools, now);
}

/* The links are free: starts the transfer if there is a bus, too. Returns its
 * end, PENDING if it has to wait. */
static PdTime
start (PdDimemas *self, const PdLinksPath *path, PdTime duration, guint32 id, PdTime now)
{
  PdLinks *buses = &self->pools[self->n_pools];

  if (buses->capacity > 0 && (buses->n_waiting > 0 || !pd_links_have_free (buses, now)))
    {
      wait_for_bus (self, path, duration, id, now);
      return PD_TIME_PENDING;
    }
  PdTime end = pd_time_add (now, duration);
  occupy (self, path, end, now);
  return end;
}

static void
note_started (PdDimemas *self, guint32 id, PdTime end)
{
  PdDimemasStarted started = { id, end };

  g_array_append_val (self->started, started);
}

static void
serve_bus_queue (PdDimemas *self, PdTime now)
{
  PdLinks *buses = &self->pools[self->n_pools];

  while (buses->n_waiting > 0 && pd_links_have_free (buses, now))
    {
      PdBusWaiter waiter = g_array_index (self->bus_queue, PdBusWaiter, self->bus_first++);
      PdTime end = pd_time_add (now, waiter.duration);
      buses->n_waiting--;
      for (guint i = 0; i < waiter.path.n; i++)
        self->pools[waiter.path.links[i]].n_held--;
      occupy (self, &waiter.path, end, now);
      note_started (self, waiter.id, end);
    }
  if (self->bus_first == self->bus_queue->len)
    {
      g_array_set_size (self->bus_queue, 0);
      self->bus_first = 0;
    }
  else if (self->bus_first > self->bus_queue->len / 2)
    {
      g_array_remove_range (self->bus_queue, 0, self->bus_first);
      self->bus_first = 0;
    }
  arm_pool (self, self->n_pools, now);
}

/* ---- waiting for links */

static void
add_waiter (PdDimemas *self, const PdLinksPath *path, PdTime duration, guint32 id, PdTime now)
{
  PdWaiter waiter = {
    .duration = duration, .id = id, .source = path->links[0], .target = path->links[path->n - 1]
  };

  if (pd_waiters_add (&self->waiters, &waiter, pd_dimemas_refuser (self, path, now)))
    pd_least_resize (&self->candidates, self->waiters.room);
  for (guint i = 0; i < path->n; i++)
    {
      guint32 pool = path->links[i];
      if (self->pools[pool].n_waiting++ > 0)
        continue;
      arm_pool (self, pool, now);
      if (pd_dimemas_is_free (self, pool, now))
        pd_dimemas_set_free (self, pool);
    }
}

static void
start_waiter (PdDimemas *self, const PdLinksPath *path, guint32 w, PdTime now)
{
  PdWaiter waiter = self->waiters.waiters[w];

  for (guint i = 0; i < path->n; i++)
    if (--self->pools[path->links[i]].n_waiting == 0)
      pd_dimemas_set_taken (self, path->links[i]);
  pd_waiters_remove (&self->waiters, w);
  PdTime end = start (self, path, waiter.duration, waiter.id, now);
  if (!pd_time_is_pending (end))
    note_started (self, waiter.id, end);
  /* with several links the next one of this pair may fit, too */
  guint32 next = pd_waiters_find (&self->waiters, waiter.source, waiter.target);
  if (next != PD_WAITER_NONE && pd_dimemas_refuser (self, path, now) == PD_LINKS_NONE)
    pd_least_add (&self->candidates, next);
}

static void
try_waiter (PdDimemas *self, guint32 w, PdTime now)
{
  const PdWaiter *waiter = &self->waiters.waiters[w];
  PdLinksPath path = { waiter->source == waiter->target ? 1 : 2,
                       { waiter->source, waiter->target } };
  guint32 refuser = pd_dimemas_refuser (self, &path, now);

  if (refuser == PD_LINKS_NONE)
    start_waiter (self, &path, w, now);
  else
    pd_waiters_enqueue (&self->waiters, w, refuser);
  for (guint i = 0; i < path.n; i++)
    if (self->pools[path.links[i]].cursor == w)
      pd_dimemas_advance (self, path.links[i], now);
}

/* ---- a moment */

static void
wake_pool (PdDimemas *self, guint32 pool, PdTime now)
{
  self->pools[pool].wake = -1;
  if (pool == self->n_pools)
    serve_bus_queue (self, now);
  else
    {
      arm_pool (self, pool, now);
      pd_dimemas_wake (self, pool, now);
    }
}

static void
wake_pools (PdDimemas *self, PdTime now)
{
  while (self->wakes->n > 0 && self->wakes->heap[0].key <= (guint64) now.ps)
    {
      PdMomentItem single;
      guint32 c = pd_moments_take (self->wakes, &single);
      if (c == 0)
        wake_pool (self, (guint32) single.order, now);
      for (guint32 next; c != 0; c = next)
        {
          const PdMomentChunk *chunk = &self->wakes->chunks[c];
          next = chunk->next;
          for (guint32 i = 0; i < chunk->n; i++)
            {
              wake_pool (self, (guint32) chunk->items[i].order, now);
              chunk = &self->wakes->chunks[c]; /* others may have been added */
            }
          pd_moments_give_back (self->wakes, c);
        }
    }
}

/* The host may make a request while it is told. */
static void
tell_host (PdDimemas *self)
{
  while (self->n_told < self->started->len)
    {
      PdDimemasStarted started = g_array_index (self->started, PdDimemasStarted, self->n_told++);
      self->host->delivered (self->host, started.id, started.end);
    }
  g_array_set_size (self->started, 0);
  self->n_told = 0;
}

/* Starts what can start after the ends up to @now, in order of request, and
 * tells the host. */
static void
handle_ends (PdDimemas *self, PdTime now)
{
  if (self->wakes == NULL || self->wakes->n == 0 || self->wakes->heap[0].key > (guint64) now.ps)
    return;
  wake_pools (self, now);
  while (!pd_least_is_empty (&self->candidates))
    try_waiter (self, pd_least_take (&self->candidates), now);
  tell_host (self);
}

/* ---- the class */

static guint32
clamp_count (gint64 n)
{
  return (guint32) MIN (n, G_MAXINT32);
}

static void
create_pools (PdDimemas *self)
{
  gint64 in = self->config->in_links, out = self->config->out_links;
  guint32 n = MAX (self->n_endpoints, 1);

  self->half_duplex = in == 0 || out == 0;
  self->n_pools = in == 0 && out == 0 ? 0 : self->half_duplex ? n : 2 * n;
  self->pools = pd_lines_resize (NULL, 0, (gsize) self->n_pools + 1);
  for (guint32 i = 0; i <= self->n_pools; i++)
    {
      PdLinks *links = &self->pools[i];
      gint64 capacity = self->half_duplex ? MAX (in, out) : i % 2 == 0 ? out : in;
      *links = (PdLinks){ .room = 1, .cursor = PD_WAITER_NONE, .wake = -1 };
      links->ends = &links->first;
      links->capacity = clamp_count (i == self->n_pools ? self->config->buses : capacity);
    }
}

static gpointer
dimemas_create (gconstpointer config, guint32 n_endpoints, PdNetworkHost *host)
{
  PdDimemas *self = g_new0 (PdDimemas, 1);

  self->config = config;
  self->host = host;
  self->n_endpoints = n_endpoints;
  create_pools (self);
  if (self->n_pools > 0)
    {
      /* a single queue would be one that all endpoints share */
      pd_waiters_init (&self->waiters, MAX (2, self->n_pools));
      self->free.links = g_new (guint32, self->n_pools);
      self->idle.links = g_new (guint32, self->n_pools);
    }
  self->bus_queue = g_array_new (FALSE, FALSE, sizeof (PdBusWaiter));
  self->started = g_array_new (FALSE, FALSE, sizeof (PdDimemasStarted));
  self->armed = -1;
  return self;
}

static void
dimemas_destroy (gpointer network)
{
  PdDimemas *self = network;

  for (guint32 i = 0; i <= self->n_pools; i++)
    if (self->pools[i].room > 1)
      g_free (self->pools[i].ends);
  pd_lines_free (self->pools, (gsize) self->n_pools + 1);
  if (self->n_pools > 0)
    pd_waiters_clear (&self->waiters);
  if (self->wakes != NULL)
    pd_moments_clear (self->wakes);
  g_free (self->wakes);
  pd_least_clear (&self->candidates);
  g_free (self->free.links);
  g_free (self->idle.links);
  g_array_unref (self->bus_queue);
  g_array_unref (self->started);
  g_free (self);
}

/* Whole nanoseconds, as Dimemas counts. */
static PdTime
get_duration (const PdDimemasConfig *config, const PdTransfer *transfer)
{
  if (!(config->bandwidth > 0) || transfer->bytes == 0)
    return PD_TIME_ZERO;
  gdouble ns = floor ((gdouble) transfer->bytes * 1e9 / config->bandwidth);
  return ns < (gdouble) (G_MAXINT64 / PD_PS_PER_NS) ? PD_TIME ((gint64) ns * PD_PS_PER_NS)
                                                    : PD_TIME_MAX;
}

static PdTime
dimemas_request (gpointer network, const PdTransfer *transfer, PdTime now)
{
  PdDimemas *self = network;

  g_return_val_if_fail (transfer->source < self->n_endpoints, now);
  g_return_val_if_fail (transfer->target < self->n_endpoints, now);

  PdTime duration = get_duration (self->config, transfer);
  if (self->n_pools == 0 && self->config->buses == 0)
    return pd_time_add (now, duration);

  PdLinksPath path = pd_dimemas_path (self, transfer->source, transfer->target);
  PdTime end = PD_TIME_PENDING;
  /* whoever waited for an end at this very moment comes first, even if its
   * event has not been handled yet */
  handle_ends (self, now);
  if (pd_dimemas_refuser (self, &path, now) == PD_LINKS_NONE)
    end = start (self, &path, duration, transfer->id, now);
  else
    add_waiter (self, &path, duration, transfer->id, now);
  arm (self);
  return end;
}

static void
dimemas_event (gpointer network, guint32 token G_GNUC_UNUSED, PdTime now)
{
  PdDimemas *self = network;

  if (self->armed <= now.ps)
    self->armed = -1;
  handle_ends (self, now);
  arm (self);
}

static void
dimemas_get_costs (gconstpointer config, PdNetworkCosts *costs)
{
  costs->before = ((const PdDimemasConfig *) config)->latency;
  costs->until_match = TRUE;
}

static void
dimemas_expect (gconstpointer network, guint32 endpoint)
{
  const PdDimemas *self = network;

  if (self->n_pools == 0 || endpoint >= self->n_endpoints)
    return;
  __builtin_prefetch (&self->pools[self->half_duplex ? endpoint : 2 * endpoint + 1], 1);
}

const PdNetworkClass pd_network_dimemas = {
  .type = "dimemas",
  .meaning = "links of nodes and buses, latency on the processors: the model of Dimemas",
  .config_size = sizeof (PdDimemasConfig),
  .params = params,
  .is_eager = TRUE,
  .create = dimemas_create,
  .destroy = dimemas_destroy,
  .request = dimemas_request,
  .get_costs = dimemas_get_costs,
  .expect = dimemas_expect,
  .event = dimemas_event,
};
