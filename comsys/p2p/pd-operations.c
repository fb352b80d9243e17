/* An operation is in the queue until it is tried first. Those that cannot start then wait in lists
 * by what they wait for: a processor, or that and its adapter. What is in one list can go on at the
 * same moment, in the order of numbers, so only its first operation is in the queue: with k of them
 * all would be tried again whenever one has started. Where a rank has adapters of several networks,
 * each send is tried again by itself.
 * SPDX-License-Identifier: MIT */
#include "comsys/p2p/pd-operations.h"

#include "comsys/p2p/pd-operations-events.h"
#include "comsys/p2p/pd-message.h"
#include "comsys/p2p/pd-completion.h"
#include "comsys/p2p/pd-p2p.h"
#include "comsys/p2p/pd-req-pool.h"
#include "comsys/p2p/pd-scheduler-internal.h"
#include "comsys/state/pd-function-costs.h"
#include "comsys/state/pd-lookup.h"
#include "comsys/state/pd-probe.h"
#include "comsys/state/pd-resources.h"

/* What operations wait for. */
typedef enum
{
  FOR_ADAPTER, /* and the processor */
  FOR_PROCESSOR,
  N_LISTS,
  FOR_OWN, /* like an adapter, but of one of several networks */
} Resource;

typedef struct
{
  guint64 number;
  guint32 token;
  guint32 next;       /* that with the next higher number, or the next free one; 0 = none */
  gboolean is_queued; /* it will be tried: it is the first, or was until another one came */
} Waiting;

/* By number. */
typedef struct
{
  guint32 first; /* in the queue, too */
  guint32 last;
} WaitingList;

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
  WaitingList *lists; /* (array length=n_ranks*N_LISTS) */
  Waiting *items;     /* 0 is never used */
  guint32 n_items;
  guint32 room;
  guint32 free;
  Resource for_send; /* over networks with endpoint resources */
  guint64 number;    /* of what the acting rank submits next; 0 = a new one */
  gboolean collects; /* what ends is told at the end of the event */
  GArray *ended;     /* Ended: by rank, sends first */
};

gboolean
pd_comsys_needs_operations (const PdComsys *self)
{
  return pd_keeps_processors (self);
}

void
pd_comsys_set_operations (PdComsys *self, const PdOperationEvents *events)
{
  g_return_if_fail (pd_comsys_needs_operations (self) && self->operations == NULL);

  PdOperations *operations = g_new0 (PdOperations, 1);
  guint n_networks = 0;
  for (guint32 i = 0; i < self->topology->instances->len; i++)
    n_networks += self->levels[i].class->endpoints != NULL ? 1 : 0;
  operations->events = *events;
  operations->for_send = n_networks == 1 ? FOR_ADAPTER : FOR_OWN;
  operations->lists = g_new0 (WaitingList, (gsize) self->n_ranks * N_LISTS);
  operations->ended = g_array_new (FALSE, FALSE, sizeof (Ended));
  self->operations = operations;
}

void
pd_operations_free (PdOperations *self)
{
  if (self == NULL)
    return;
  g_free (self->lists);
  g_free (self->items);
  g_array_unref (self->ended);
  g_free (self);
}

PdTime
pd_comsys_get_processor_free (const PdComsys *self, guint32 rank)
{
  return self->cpus[rank].free;
}

/* ---- waiting */

static guint32
new_item (PdOperations *self)
{
  guint32 item = self->free;

  if (item != 0)
    {
      self->free = self->items[item].next;
      return item;
    }
  if (self->n_items == self->room)
    {
      self->room = MAX (64, 2 * self->room);
      self->items = g_renew (Waiting, self->items, self->room);
      self->n_items = MAX (1, self->n_items);
    }
  return self->n_items++;
}

static void
push (PdComsys *self, guint32 rank, guint32 token, PdTime when, guint64 number)
{
  pd_comsys_push_numbered (self, when, pd_what (PD_EVENT_NOTIFY, rank, token), number);
}

static WaitingList *
list_of (const PdComsys *self, guint32 rank, Resource resource)
{
  return &self->operations->lists[(gsize) rank * N_LISTS + resource];
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
pd_comsys_submit (PdComsys *self, guint32 rank, guint32 token, PdTime ready)
{
  PdTime when = pd_time_max (ready, self->now);

  PD_PROBE (self, operation_enter, rank, token);
  if (self->topology->is_flat) /* as in LogGOPSim, where receives come behind it, too */
    when = pd_time_max (when, self->cpus[rank].free);
  push (self, rank, token, when, take_number (self, rank));
}

/* Numbers differ but for those that pd_comsys_submit() has made of another. */
static gboolean
is_before (const Waiting *item, guint64 number, guint32 token)
{
  return item->number != number ? item->number < number : item->token < token;
}

/* The item behind which the operation belongs; 0 = it is the first. */
static guint32
find_before (const PdOperations *self, const WaitingList *list, guint64 number, guint32 token)
{
  guint32 before = 0;

  if (list->first != 0 && is_before (&self->items[list->last], number, token))
    return list->last;
  for (guint32 at = list->first; at != 0 && is_before (&self->items[at], number, token);
       at = self->items[at].next)
    before = at;
  return before;
}

static guint32
insert_behind (PdOperations *self, WaitingList *list, guint32 before, guint64 number, guint32 token)
{
  guint32 item = new_item (self);
  guint32 *link = before == 0 ? &list->first : &self->items[before].next;

  self->items[item] = (Waiting){ number, token, *link, FALSE };
  if (*link == 0)
    list->last = item;
  *link = item;
  return item;
}

/* The operation that has just been tried waits until @free at least. Returns: FALSE */
static gboolean
wait_for (PdComsys *self, guint32 rank, guint32 token, Resource resource, PdTime free)
{
  PdOperations *operations = self->operations;
  guint64 number = self->number;
  guint32 before = 0;

  if (resource != FOR_OWN)
    {
      WaitingList *list = list_of (self, rank, resource);
      before = find_before (operations, list, number, token);
      guint32 item = before == 0 ? list->first : operations->items[before].next;
      if (item == 0 || operations->items[item].number != number
          || operations->items[item].token != token)
        item = insert_behind (operations, list, before, number, token);
      operations->items[item].is_queued = before == 0;
    }
  if (before == 0)
    push (self, rank, token, free, number);
  return FALSE;
}

/* The operation of @rank that has just been tried has started: if it has waited, the next one is
 * due when the processor is free. */
static void
let_next_try (PdComsys *self, guint32 rank, guint32 token, Resource resource)
{
  PdOperations *operations = self->operations;
  WaitingList *list = resource == FOR_OWN ? NULL : list_of (self, rank, resource);
  guint32 item = list == NULL ? 0 : list->first;

  if (item == 0 || operations->items[item].number != self->number
      || operations->items[item].token != token)
    return;
  list->first = operations->items[item].next;
  operations->items[item].next = operations->free;
  operations->free = item;
  if (list->first == 0)
    return;
  Waiting *due = &operations->items[list->first];
  if (!due->is_queued)
    push (self, rank, due->token, pd_time_max (self->now, self->cpus[rank].free), due->number);
  due->is_queued = TRUE;
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
pd_comsys_try_compute (PdComsys *self, guint32 rank, guint32 token, PdTime work)
{
  PdCpu *cpu = &self->cpus[rank];

  if (cpu->free.ps > self->now.ps)
    return wait_for (self, rank, token, FOR_PROCESSOR, cpu->free);
  cpu->free = pd_time_add (self->now, work);
  begin (self, rank, token, NULL);
  notify_started (self, &(Started){ rank, token });
  PD_PROBE (self, operation_compute, rank, token, cpu->free);
  notify_ended (self, &(Ended){ rank, token, FALSE, cpu->free });
  notify_told (self, rank);
  let_next_try (self, rank, token, FOR_PROCESSOR);
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

/* When what a message of @rank to @peer needs is free. */
static PdTime
free_for_send (const PdComsys *self, guint32 rank, guint32 peer, Resource *resource)
{
  PdTime free = self->cpus[rank].free;

  *resource = FOR_PROCESSOR;
  if (!pd_p2p_is_copied (self, rank, peer))
    {
      PdRoute route = pd_p2p_route (self, rank, peer);
      const PdNetworkLevel *level = &self->levels[route.instance];
      if (level->class->endpoints != NULL)
        {
          *resource = self->operations->for_send;
          return pd_time_max (
              free, level->class->endpoints->get_free (level->network, route.source, FALSE));
        }
    }
  return self->machine->software.send_overhead.ps > 0 || self->overheads != NULL ? free : self->now;
}

gboolean
pd_comsys_try_send (PdComsys *self, guint32 rank, guint32 token, PdEnvelope envelope)
{
  guint32 peer = (guint32) envelope.peer;
  PdCpu *cpu = &self->cpus[rank];
  Resource resource;
  PdTime free = free_for_send (self, rank, peer, &resource), ret;
  PdCall call = { rank, self->now, &ret, NULL }, later = pd_call_of (self, &call, PD_FN_ISEND);

  if (free.ps > self->now.ps)
    return wait_for (self, rank, token, resource, free);
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
  let_next_try (self, rank, token, resource);
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
pd_comsys_try_receive (PdComsys *self, guint32 rank, guint32 token, PdEnvelope envelope)
{
  PdCpu *cpu = &self->cpus[rank];
  PdTime cost = receive_time (self), ret;
  PdCall call = { rank, self->now, &ret, NULL }, later = pd_call_of (self, &call, PD_FN_IRECV);

  if (cost.ps > 0 && cpu->free.ps > self->now.ps)
    return wait_for (self, rank, token, FOR_PROCESSOR, cpu->free);
  if (cost.ps > 0)
    cpu->free = pd_time_add (self->now, cost);
  const Started own = { rank, token };

  begin (self, rank, token, NULL);
  self->operations->collects = TRUE;
  guint32 recv = pd_p2p_recv (self, &later, self->world, envelope, FALSE);
  end_try (self, &own, recv);
  let_next_try (self, rank, token, FOR_PROCESSOR);
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
    events->received (events->data, rank, self->now, self->cpus[rank].free);
  self->operations->collects = TRUE;
  pd_message_delivered (self, send, self->now);
  settle (self, NULL);
}
