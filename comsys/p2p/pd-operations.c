/* An operation is in the queue until it is tried first. Those that cannot start then wait in the
 * lists of pd-waiting.c. Where a rank has adapters of several networks, each send is tried again by
 * itself.
 * SPDX-License-Identifier: MIT */
#include "comsys/p2p/pd-operations.h"

#include "comsys/p2p/pd-arrival-match.h"
#include "comsys/p2p/pd-operations-events.h"
#include "comsys/p2p/pd-message.h"
#include "comsys/p2p/pd-completion.h"
#include "comsys/p2p/pd-p2p.h"
#include "comsys/p2p/pd-req-pool.h"
#include "comsys/p2p/pd-scheduler-internal.h"
#include "comsys/p2p/pd-waiting.h"
#include "comsys/state/pd-function-costs.h"
#include "comsys/state/pd-lookup.h"
#include "comsys/state/pd-probe.h"
#include "comsys/state/pd-resources.h"

/* An operation that has ended. */
typedef struct
{
  guint32 rank;
  guint32 token;
  gboolean receives;
  PdTime when;
} Ended;

struct _PdOperations
{
  PdOperationEvents events;
  gboolean has_many; /* networks with endpoint resources */
  guint64 number;    /* of the next operation of the acting rank; 0 = a new one */
  gboolean collects; /* ends of operations are notified at the end of the event */
  GArray *ended;     /* Ended: by rank, sends first */
};

gboolean
pd_comsys_needs_operations (const PdComsys *self)
{
  return pd_keeps_processors (self);
}

gboolean
pd_comsys_may_have_lanes (const PdComsys *self)
{
  return pd_keeps_processors (self) && self->topology->is_flat;
}

/* Every adapter becomes an endpoint of the network. */
static void
make_lanes (PdComsys *self, const PdLanes *lanes)
{
  const PdNetworkInstance *instance =
      &g_array_index (self->topology->instances, PdNetworkInstance, 0);
  PdNetworkLevel *level = self->levels;

  self->cpus = pd_lines_resize (self->cpus, PD_CPU_LINES (self->n_ranks),
                                PD_CPU_LINES ((gsize) self->n_ranks * lanes->n_cpus));
  self->n_cpus = lanes->n_cpus;
  self->n_nics = lanes->n_nics;
  level->class->destroy (level->network);
  level->network = level->class->create (instance->description->config,
                                         instance->n_endpoints * self->n_nics, &level->callbacks);
  self->arrivals = pd_arrival_match_new ();
  if (self->probe != NULL)
    self->probe->lanes (self);
}

void
pd_comsys_set_operations (PdComsys *self, const PdOperationEvents *events, const PdLanes *lanes)
{
  gboolean is_plain = lanes->n_cpus == 1 && lanes->n_nics == 1 && !lanes->any_tag;

  g_return_if_fail (pd_comsys_needs_operations (self) && self->operations == NULL);
  g_return_if_fail (is_plain || pd_comsys_may_have_lanes (self));

  PdOperations *operations = g_new0 (PdOperations, 1);
  guint n_networks = 0;
  for (guint32 i = 0; i < self->topology->instances->len; i++)
    n_networks += self->levels[i].class->endpoints != NULL ? 1 : 0;
  operations->events = *events;
  operations->has_many = n_networks > 1;
  operations->ended = g_array_new (FALSE, FALSE, sizeof (Ended));
  self->operations = operations;
  if (!is_plain)
    make_lanes (self, lanes);
}

void
pd_operations_free (PdOperations *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->ended);
  g_free (self);
}

PdTime
pd_comsys_get_processor_free (const PdComsys *self, guint32 rank, guint8 cpu)
{
  return self->cpus[pd_cpu_index (self, rank, (PdLane){ .cpu = cpu })].free;
}

static guint64
take_number (PdComsys *self, guint32 rank)
{
  PdOperations *operations = self->operations;
  guint64 number = operations->number;

  /* or there is no room for more */
  if (number == 0 || rank != self->actor || number % PD_NUMBER_STEP == 0)
    return pd_cpu_new_number (self);
  operations->number++;
  return number;
}

void
pd_comsys_submit (PdComsys *self, guint32 rank, guint32 token, PdLane lane, PdTime ready)
{
  PdTime when = pd_time_max (ready, self->now);

  self->lane = lane;
  PD_PROBE (self, operation_enter, rank, token);
  if (self->topology->is_flat) /* as in LogGOPSim, where receives come behind it, too */
    when = pd_time_max (when, self->cpus[pd_cpu_index (self, rank, lane)].free);
  pd_comsys_push_numbered (self, when, pd_what (PD_EVENT_NOTIFY, rank, token),
                           take_number (self, rank));
}

/* The operation that has just been tried waits until @free at least. Returns: FALSE */
static gboolean
wait_until (PdComsys *self, const PdTried *tried, PdTime free)
{
  pd_waiting_add (self, tried, free);
  return FALSE;
}

/* ---- starting */

static void
begin (PdComsys *self, guint32 rank, guint32 token, const guint32 *peer)
{
  PD_PROBE (self, operation_begin, rank, token, peer);
  PD_PROBE (self, call, rank, self->now);
}

/* An operation that starts now. */
typedef struct
{
  guint32 rank;
  guint32 token;
} Started;

static void
notify_started (PdComsys *self, const Started *started)
{
  const PdOperationEvents *events = &self->operations->events;

  PD_PROBE (self, operation_start, started->rank);
  events->started (events->data, started->rank, started->token);
}

static void
notify_ended (PdComsys *self, const Ended *ended)
{
  const PdOperationEvents *events = &self->operations->events;

  PD_PROBE (self, operation_end, ended->rank, ended->token);
  events->ended (events->data, ended->rank, ended->token, ended->when);
}

static void
notify_told (PdComsys *self, guint32 rank)
{
  self->operations->events.told (self->operations->events.data, rank);
}

static void
collect (PdOperations *self, const Ended *ended)
{
  guint at = self->ended->len;

  for (; at > 0; at--)
    {
      const Ended *other = &g_array_index (self->ended, Ended, at - 1);
      if (other->rank < ended->rank
          || (other->rank == ended->rank && (ended->receives || !other->receives)))
        break;
    }
  g_array_insert_vals (self->ended, at, ended, 1);
}

/* The lower rank comes first, and of one rank the send, as in LogGOPSim. @own: (nullable) */
static void
settle (PdComsys *self, const Started *own)
{
  GArray *ended = self->operations->ended;

  self->operations->collects = FALSE;
  for (guint i = 0; i < ended->len; i++)
    {
      const Ended one = g_array_index (ended, Ended, i);
      if (own != NULL && own->rank == one.rank)
        {
          notify_started (self, own);
          own = NULL;
        }
      notify_ended (self, &one);
      if (i + 1 == ended->len || g_array_index (ended, Ended, i + 1).rank != one.rank)
        notify_told (self, one.rank);
    }
  g_array_set_size (ended, 0);
  if (own == NULL)
    return;
  notify_started (self, own);
  notify_told (self, own->rank);
}

gboolean
pd_comsys_try_compute (PdComsys *self, guint32 rank, guint32 token, PdLane lane, PdTime work)
{
  const PdTried tried = { rank, token, lane, PD_WAITING_COMPUTE, FALSE };
  PdCpu *cpu = &self->cpus[pd_cpu_index (self, rank, lane)];

  self->lane = lane;
  if (cpu->free.ps > self->now.ps)
    return wait_until (self, &tried, cpu->free);
  cpu->free = pd_time_add (self->now, work);
  begin (self, rank, token, NULL);
  notify_started (self, &(Started){ rank, token });
  PD_PROBE (self, operation_compute, rank, token, cpu->free);
  notify_ended (self, &(Ended){ rank, token, FALSE, cpu->free });
  notify_told (self, rank);
  if (cpu->keeps)
    pd_waiting_let_next (self, &tried, cpu->free);
  return TRUE;
}

/* The message of @own has been started as @req. */
static void
end_try (PdComsys *self, const Started *own, guint32 req)
{
  gboolean receives = pd_req (self, req)->kind == PD_REQ_RECV;
  PdTime end = pd_req_notify_unless_known (self, req, own->token);

  if (!pd_time_is_pending (end))
    collect (self->operations, &(Ended){ own->rank, own->token, receives, end });
  settle (self, own);
}

/* When what a message to @peer needs is free. */
static PdTime
free_for_send (const PdComsys *self, guint32 peer, PdTried *tried)
{
  guint32 rank = tried->rank;
  PdTime free = self->cpus[pd_cpu_index (self, rank, tried->lane)].free;

  if (!pd_p2p_is_copied (self, rank, peer))
    {
      PdRoute route = pd_p2p_route (self, rank, peer);
      const PdNetworkLevel *level = &self->levels[route.instance];
      if (level->class->endpoints != NULL)
        {
          guint32 source = pd_endpoint (self, route.instance, route.source, tried->lane);
          tried->why = PD_WAITING_SEND;
          tried->is_single = self->operations->has_many;
          return pd_time_max (free,
                              level->class->endpoints->get_free (level->network, source, FALSE));
        }
    }
  return self->machine->software.send_overhead.ps > 0 || self->overheads != NULL ? free : self->now;
}

gboolean
pd_comsys_try_send (PdComsys *self, guint32 rank, guint32 token, PdLane lane, PdEnvelope envelope)
{
  guint32 peer = (guint32) envelope.peer;
  PdTried tried = { rank, token, lane, PD_WAITING_COMPUTE, FALSE };
  PdCpu *cpu = &self->cpus[pd_cpu_index (self, rank, lane)];
  PdTime free = free_for_send (self, peer, &tried), ret;
  PdCall call = { rank, self->now, &ret, NULL }, later = pd_call_of (self, &call, PD_FN_ISEND);

  self->lane = lane;
  if (free.ps > self->now.ps)
    return wait_until (self, &tried, free);
  const Started own = { rank, token };

  begin (self, rank, token, &peer);
  self->operations->collects = TRUE;
  guint32 send = pd_p2p_send (self, &later, self->world, envelope, PD_SEND_STANDARD, FALSE);
  if (!pd_time_is_pending (ret))
    cpu->free = pd_time_max (cpu->free, ret);
  /* where it has taken no time the rank goes on, as one that calls does */
  if (!pd_req (self, send)->endpoints && ret.ps <= self->now.ps)
    self->operations->number = self->number + 1;
  end_try (self, &own, send);
  self->operations->number = 0;
  if (cpu->keeps)
    pd_waiting_let_next (self, &tried, cpu->free);
  return TRUE;
}

/* How long a receive keeps the processor. */
static PdTime
receive_time (const PdComsys *self)
{
  PdTime time = self->machine->software.recv_overhead;

  return self->overheads != NULL ? pd_time_add (time, self->overheads[PD_FN_IRECV]) : time;
}

gboolean
pd_comsys_try_receive (PdComsys *self, guint32 rank, guint32 token, PdLane lane,
                       PdEnvelope envelope)
{
  const PdTried tried = { rank, token, lane, PD_WAITING_COMPUTE, FALSE };
  PdCpu *cpu = &self->cpus[pd_cpu_index (self, rank, lane)];
  PdTime cost = receive_time (self), ret;
  PdCall call = { rank, self->now, &ret, NULL }, later = pd_call_of (self, &call, PD_FN_IRECV);

  self->lane = lane;
  if (cost.ps > 0 && cpu->free.ps > self->now.ps)
    return wait_until (self, &tried, cpu->free);
  if (cost.ps > 0)
    cpu->free = pd_time_add (self->now, cost);
  const Started own = { rank, token };

  begin (self, rank, token, NULL);
  self->operations->collects = TRUE;
  guint32 recv = pd_p2p_recv (self, &later, self->world, envelope, FALSE);
  end_try (self, &own, recv);
  if (cost.ps > 0 && cpu->keeps)
    pd_waiting_let_next (self, &tried, cpu->free);
  return TRUE;
}

/* ---- what becomes of them */

void
pd_operations_completed (PdComsys *self, guint32 req, PdTime when)
{
  const PdReq *r = pd_req (self, req);
  const Ended ended = { r->rank, r->link, r->kind == PD_REQ_RECV, when };

  pd_req_drop (self, req, PD_HELD_OWNER);
  collect (self->operations, &ended);
  if (!self->operations->collects)
    settle (self, NULL);
}

void
pd_operations_receive (PdComsys *self, guint32 rank, guint32 send)
{
  const PdOperationEvents *events = &self->operations->events;

  if (events->received != NULL)
    {
      PdLane lane = pd_req_lane (self, pd_req (self, send));
      events->received (events->data, rank, lane.cpu, self->now,
                        self->cpus[pd_cpu_index (self, rank, lane)].free);
    }
  self->operations->collects = TRUE;
  pd_message_delivered (self, send, self->now);
  settle (self, NULL);
}
