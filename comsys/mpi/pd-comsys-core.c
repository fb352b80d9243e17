/* The communication system: its life and what it is asked for as a whole. What
 * happens in it is in pd-scheduler.c.
 * SPDX-License-Identifier: MIT */
#include "comsys/mpi/pd-comsys-core.h"

#include "base/memory/pd-memory.h"
#include "base/pd-time.h"
#include "comsys/comm/pd-comm.h"
#include "comsys/machine/pd-functions.h"
#include "comsys/machine/pd-machine.h"
#include "comsys/machine/pd-topology.h"
#include "comsys/mpi/pd-barrier-state-private.h"
#include "comsys/mpi/pd-coll-choice-private.h"
#include "comsys/mpi/pd-coll-execute-private.h"
#include "comsys/mpi/pd-delivery.h"
#include "comsys/mpi/pd-main-loop-private.h"
#include "comsys/p2p/pd-arrival-match.h"
#include "comsys/p2p/pd-operations-events.h"
#include "comsys/p2p/pd-match.h"
#include "comsys/p2p/pd-message.h"
#include "comsys/p2p/pd-waiting.h"
#include "comsys/mpi/pd-persistent-private.h"
#include "comsys/p2p/pd-wildcard-lists.h"
#include "comsys/mpi/pd-win-private.h"
#include "comsys/mpi/pd-win.h"
#include "comsys/queue/pd-lines.h"
#include "comsys/queue/pd-queue.h"
#include "comsys/state/pd-comsys-data.h"
#include "comsys/state/pd-lookup.h"
#include "comsys/state/pd-probe.h"

#define MAX_RANKS 16777214u /* what the queue's order has bits for */

G_STATIC_ASSERT (MAX_RANKS < (1u << 24) - 1);

/* ---- networks as hosts see them */

static PdNetworkLevel *
level_of (PdNetworkCallbacks *callbacks)
{
  return (PdNetworkLevel *) (gpointer) ((char *) callbacks
                                        - G_STRUCT_OFFSET (PdNetworkLevel, callbacks));
}

static void
callback_schedule (PdNetworkCallbacks *callbacks, PdTime when, guint32 token)
{
  PdNetworkLevel *level = level_of (callbacks);

  pd_queue_push (&level->comsys->queue, when, FALSE, PD_QUEUE_NO_RANK,
                 pd_what (PD_EVENT_NETWORK, level->index, token));
}

static void
callback_delivered (PdNetworkCallbacks *callbacks, guint32 id, PdTime when)
{
  PdComsys *self = level_of (callbacks)->comsys;

  PD_PROBE (self, deliver, id, when);
  pd_message_delivered (self, id, when);
}

/* With the next message to it @rank may be through with its wait: its requests are given back. */
static void
expect_end_of_wait (const PdComsys *self, guint32 rank)
{
  const PdReq *own = &self->reqs[1 + (rank << self->own_shift)];
  guint32 used = self->ranks[rank].pending == 1 ? self->ranks[rank].own_used : 0;

  for (; used != 0; used &= used - 1)
    pd_prefetch (&own[__builtin_ctz (used)]);
}

/* So many requests stay in the cache. */
#define FEW_REQUESTS (1u << 14)

static void
callback_expect (PdNetworkCallbacks *callbacks, guint32 id, PdExpect when)
{
  const PdComsys *self = level_of (callbacks)->comsys;
  const PdReq *send = &self->reqs[id];

  if (self->n_reqs <= FEW_REQUESTS)
    return;
  switch (when)
    {
    case PD_EXPECT_LATER:
      pd_prefetch (send);
      break;
    case PD_EXPECT_SOON:
      pd_prefetch (&self->reqs[send->partner]);
      pd_prefetch (&self->ranks[send->rank]);
      pd_prefetch (&self->ranks[send->peer]);
      if (self->waited == NULL)
        break;
      pd_prefetch (&self->waited[send->peer]);
      pd_prefetch (&self->waited[send->peer].last); /* it may lie in two lines */
      break;
    default:
      expect_end_of_wait (self, send->peer);
    }
}

static void
callback_occupied (PdNetworkCallbacks *callbacks, guint32 id, PdTime end)
{
  pd_barrier_occupied (level_of (callbacks)->comsys, id, end);
}

/* Messages keep processors. */
static void
keep_processors (PdComsys *self)
{
  self->resources = &pd_kept_processors;
  self->cpus = pd_lines_resize (NULL, 0, PD_CPU_LINES (self->n_ranks));
  self->is_thorough = TRUE;
  self->queue.keeps_numbers = TRUE;
  self->queue.sequence = 1;
}

/* Equal moments are first in, first out, if it is there that transfers meet. */
static void
order_by_entry (PdComsys *self)
{
  for (guint32 i = 0; i < self->topology->instances->len; i++)
    {
      const PdNetworkLevel *level = &self->levels[i];
      if (pd_keeps_processors (self) || !level->class->is_fifo
          || level->class->is_unshared (level->network))
        continue;
      self->resources = &pd_fifo_processors;
      self->is_thorough = TRUE;
      self->queue.keeps_numbers = TRUE;
      return;
    }
}

static void
create_levels (PdComsys *self)
{
  guint n = self->topology->instances->len;

  self->levels = g_new0 (PdNetworkLevel, n);
  for (guint32 i = 0; i < n; i++)
    {
      const PdNetworkInstance *instance =
          &g_array_index (self->topology->instances, PdNetworkInstance, i);
      PdNetworkLevel *level = &self->levels[i];
      level->class = instance->description->class;
      level->callbacks = (PdNetworkCallbacks){ callback_schedule, callback_delivered,
                                               callback_expect, callback_occupied };
      level->protocol = instance->description->protocol;
      if (level->class->get_costs != NULL)
        {
          level->class->get_costs (instance->description->config, &level->costs);
          self->has_costs = TRUE;
        }
      if (level->class->endpoints != NULL && !pd_keeps_processors (self))
        keep_processors (self);
      level->index = i;
      level->comsys = self;
      level->network = level->class->create (instance->description->config, instance->n_endpoints,
                                             &level->callbacks);
    }
  order_by_entry (self);
}

/* ---- life */

static PdComm *
create_world (PdComsys *self)
{
  g_autofree guint32 *ranks = g_new (guint32, self->n_ranks);

  for (guint32 i = 0; i < self->n_ranks; i++)
    ranks[i] = i;
  return pd_comm_new (self, ranks, self->n_ranks);
}

/* Whether all processors that the ranks are placed on exist. */
static gboolean
check_placement (const PdMachine *machine, const guint32 *placement, guint32 n_ranks,
                 GError **error)
{
  if (n_ranks < 1 || n_ranks > MAX_RANKS || (placement == NULL && n_ranks > machine->n_processors))
    {
      g_set_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_SIZE,
                   "%u processors are needed, machine '%s' has %u", n_ranks, machine->name,
                   MIN (machine->n_processors, MAX_RANKS));
      return FALSE;
    }
  for (guint32 i = 0; placement != NULL && i < n_ranks; i++)
    if (placement[i] >= machine->n_processors)
      {
        g_set_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_SIZE,
                     "rank %u is placed on processor %u, machine '%s' has %u", i, placement[i],
                     machine->name, machine->n_processors);
        return FALSE;
      }
  return TRUE;
}

static guint
own_shift (guint32 n_ranks)
{
  return n_ranks < PD_MANY_RANKS ? PD_OWN_SHIFT : PD_OWN_SHIFT_MANY;
}

guint64
pd_comsys_get_least_bytes (guint32 n_ranks)
{
  guint64 own = (guint64) 1 << own_shift (n_ranks);

  return n_ranks * (sizeof (PdRank) + own * sizeof (PdReq) + sizeof (guint32)); /* of the world */
}

PdComsys *
pd_comsys_new (const PdMachine *machine, const guint32 *placement, guint32 n_ranks, GError **error)
{
  g_autoptr (PdCollectiveSet) set = pd_collective_set_new (machine, error);

  if (set == NULL || !check_placement (machine, placement, n_ranks, error)
      || !pd_memory_check (n_ranks, "ranks", pd_comsys_get_least_bytes (n_ranks), error))
    return NULL;

  PdComsys *self = g_new0 (PdComsys, 1);
  self->machine = machine;
  self->set = g_steal_pointer (&set);
  self->n_ranks = n_ranks;
  self->near_rank = self->next_rank = G_MAXUINT32;
  self->n_cpus = self->n_nics = 1;
  self->run_ahead = TRUE;
  self->handlers = &pd_handlers;
  self->resources = &pd_free_processors;
  self->topology = pd_topology_new (machine);
  if (placement != NULL)
    {
      self->placement = g_new (guint32, n_ranks);
      for (guint32 i = 0; i < n_ranks; i++)
        self->placement[i] = placement[i];
    }
  self->ranks = pd_lines_resize (NULL, 0, n_ranks);
  self->own_shift = own_shift (n_ranks);
  self->n_reqs = self->n_own = 1 + (n_ranks << self->own_shift);
  self->reqs_room = self->n_own + 1024;
  self->reqs = pd_lines_resize (NULL, 0, self->reqs_room);
  self->overheads = pd_function_overheads_new (machine);
  self->byte_costs = pd_function_bytes_new (machine);
  pd_match_init (&self->match);
  self->anys = g_array_new (FALSE, TRUE, sizeof (PdAny));
  create_levels (self);
  self->world = create_world (self);
  return self;
}

void
pd_comsys_free (PdComsys *self)
{
  if (self == NULL)
    return;
  for (guint32 i = 0; i < self->topology->instances->len; i++)
    self->levels[i].class->destroy (self->levels[i].network);
  pd_persistent_clear (self);
  pd_comm_unref (self->world);
  g_free (self->levels);
  pd_topology_free (self->topology);
  g_free (self->placement);
  pd_lines_free (self->ranks, self->n_ranks);
  pd_lines_free (self->cpus, PD_CPU_LINES ((gsize) self->n_ranks * self->n_cpus));
  pd_waiting_free (self->waiting);
  pd_arrival_match_free (self->arrivals);
  pd_lines_free (self->reqs, self->reqs_room);
  pd_min_set_clear (&self->free_reqs);
  pd_queue_clear (&self->queue);
  pd_match_clear (&self->match);
  g_array_unref (self->anys);
  pd_wildcard_free (self->wildcards);
  pd_wins_free (self->wins);
  pd_operations_free (self->operations);
  pd_barriers_free (self->meetings);
  pd_execution_pool_clear (&self->execs);
  pd_collective_set_free (self->set);
  g_free (self->overheads);
  g_free (self->byte_costs);
  g_free (self);
}

void
pd_comsys_set_observer (PdComsys *self, const PdObserver *observer)
{
  self->observer = observer != NULL ? *observer : (PdObserver){ .data = NULL };
}

void
pd_comsys_set_delivery_func (PdComsys *self, PdDeliveryFunc func, gpointer data)
{
  self->delivery_func = func;
  self->delivery_data = data;
}

void
pd_comsys_set_run_ahead (PdComsys *self, gboolean run_ahead)
{
  self->run_ahead = run_ahead;
}

gboolean
pd_comsys_set_asks (PdComsys *self)
{
  self->asks = TRUE;
  return self->resources->is_fifo;
}

gboolean
pd_comsys_may_be_unordered (const PdComsys *self)
{
  if (!self->run_ahead || self->is_thorough || self->wildcards != NULL
      || self->observer.message != NULL)
    return FALSE;
  for (guint32 i = 0; i < self->topology->instances->len; i++)
    {
      const PdNetworkLevel *level = &self->levels[i];
      if (level->class->is_unshared == NULL || !level->class->is_unshared (level->network))
        return FALSE;
    }
  return TRUE;
}

void
pd_comsys_set_unordered (PdComsys *self)
{
  self->is_unordered = TRUE;
}

PdComm *
pd_comsys_get_world (PdComsys *self)
{
  return self->world;
}

const PdComsysCounts *
pd_comsys_get_counts (const PdComsys *self)
{
  return &self->counts;
}

const PdTruncated *
pd_comsys_get_truncated (const PdComsys *self)
{
  return &self->truncated;
}

void
pd_comsys_report (const PdComsys *self, PdMessages *messages)
{
  for (guint32 i = 0; i < self->topology->instances->len; i++)
    if (self->levels[i].class->report != NULL)
      self->levels[i].class->report (self->levels[i].network, messages);
}

guint64
pd_comsys_finalize (const PdComsys *self)
{
  return self->n_unmatched
         + (self->wildcards != NULL ? pd_wildcard_get_n_unmatched (self->wildcards) : 0)
         + pd_comsys_get_n_epochs (self);
}

/* Whether @a is listed before @b: by rank, sends before receives, in order. */
static gboolean
is_notified_before (const PdReq *a, const PdReq *b)
{
  if (a->rank != b->rank)
    return a->rank < b->rank;
  if (a->kind != b->kind)
    return a->kind == PD_REQ_SEND;
  return pd_req_order (a) < pd_req_order (b);
}

gboolean
pd_comsys_find_unmatched (const PdComsys *self, PdUnmatched *first)
{
  const PdReq *best = NULL;

  for (guint32 i = 1; i < self->n_reqs; i++)
    {
      const PdReq *r = &self->reqs[i];
      gboolean is_half = r->kind == PD_REQ_SEND || r->kind == PD_REQ_RECV;
      if (is_half && !r->matched && (r->held & PD_HELD_SYSTEM) != 0
          && (best == NULL || is_notified_before (r, best)))
        best = r;
    }
  if (best == NULL)
    return FALSE;
  *first = (PdUnmatched){ .is_send = best->kind == PD_REQ_SEND,
                          .rank = best->rank,
                          .peer = best->peer == G_MAXUINT32 ? -1 : (gint64) best->peer,
                          .tag = best->tag,
                          .bytes = best->bytes };
  return TRUE;
}

gdouble
pd_comsys_wtime (PdTime when)
{
  return pd_time_to_seconds (when);
}

char *
pd_comsys_get_processor_name (const PdComsys *self, guint32 rank)
{
  guint32 processor = self->placement != NULL ? self->placement[rank] : rank;
  guint32 node = pd_topology_get_node (self->topology, processor);

  return g_strdup_printf ("node%u:%u", node,
                          processor - pd_topology_get_first (self->topology, node));
}
