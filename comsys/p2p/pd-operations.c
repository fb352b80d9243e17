/* Operations that wait for a processor or an adapter are tried in the order of their numbers.
 * Those of one sort of one rank wait for the same, so only the first of them is in the queue:
 * with k of them all would be tried again whenever one has started. Where a rank has adapters of
 * several networks, each operation is in the queue by itself.
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

#include <string.h>

/* What operations wait for: the processor and the sending side of an adapter, or the former. */
typedef enum
{
  FOR_SEND,
  FOR_PROCESSOR,
  N_SORTS,
  FOR_NOTHING,
} Sort;

typedef struct
{
  guint64 number;
  PdTime when; /* when it is tried first */
  guint32 token;
  guint32 next; /* the one behind it, or the next free one; 0 = none */
} Waiting;

typedef struct
{
  guint32 first;
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

/* What one event ends at most: a send, and a receive. */
#define MAX_ENDED 2

struct _PdOperations
{
  PdOperationEvents events;
  WaitingList *lists; /* (nullable) (array length=n_ranks*N_SORTS) */
  Waiting *items;     /* 0 is never used */
  guint32 n_items;
  guint32 room;
  guint32 free;
  guint64 number;    /* of what is submitted next; 0 = a new one */
  gboolean collects; /* what ends is told at the end of the event */
  Ended ended[MAX_ENDED];
  guint n_ended;
};

gboolean
pd_comsys_needs_operations (const PdComsys *self)
{
  return self->cpus != NULL;
}

void
pd_comsys_set_operations (PdComsys *self, const PdOperationEvents *events)
{
  g_return_if_fail (self->cpus != NULL && self->operations == NULL);

  self->operations = g_new0 (PdOperations, 1);
  self->operations->events = *events;
  if (self->topology->instances->len == 1)
    self->operations->lists = g_new0 (WaitingList, (gsize) self->n_ranks * N_SORTS);
}

void
pd_operations_free (PdOperations *self)
{
  if (self == NULL)
    return;
  g_free (self->lists);
  g_free (self->items);
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
list_of (const PdComsys *self, guint32 rank, Sort sort)
{
  return sort == FOR_NOTHING || self->operations->lists == NULL
             ? NULL
             : &self->operations->lists[(gsize) rank * N_SORTS + sort];
}

/* How long a receive keeps the processor. */
static PdTime
receive_time (const PdComsys *self)
{
  PdTime time = self->machine->software.recv_overhead;

  return self->overheads != NULL ? pd_time_add (time, self->overheads[PD_FN_IRECV]) : time;
}

static Sort
sort_of (const PdComsys *self, PdOperationKind kind)
{
  if (kind == PD_OPERATION_SEND)
    return FOR_SEND;
  return kind == PD_OPERATION_RECEIVE && receive_time (self).ps == 0 ? FOR_NOTHING : FOR_PROCESSOR;
}

static guint64
take_number (PdComsys *self)
{
  PdOperations *operations = self->operations;
  guint64 number = operations->number;

  if (number == 0 || number % PD_NUMBER_STEP == 0) /* there is no room for more */
    return pd_cpu_new_number (self);
  operations->number++;
  return number;
}

void
pd_comsys_submit (PdComsys *self, guint32 rank, guint32 token, PdOperationKind kind, PdTime ready)
{
  PdOperations *operations = self->operations;
  PdTime when = pd_time_max (ready, self->now);
  WaitingList *list = list_of (self, rank, sort_of (self, kind));
  guint64 number = take_number (self);

  PD_PROBE (self, operation_enter, rank, token);
  if (operations->lists != NULL) /* as in LogGOPSim, where receives come behind it, too */
    when = pd_time_max (when, self->cpus[rank].free);
  if (list == NULL || list->first == 0)
    push (self, rank, token, when, number);
  if (list == NULL)
    return;
  guint32 item = new_item (operations);
  operations->items[item] = (Waiting){ number, when, token, 0 };
  if (list->first == 0)
    list->first = item;
  else
    operations->items[list->last].next = item;
  list->last = item;
}

/* The operation of @rank that has just been tried has started: the next of its sort is due when
 * the processor is free. */
static void
let_next_try (PdComsys *self, guint32 rank, PdOperationKind kind)
{
  PdOperations *operations = self->operations;
  WaitingList *list = list_of (self, rank, sort_of (self, kind));

  if (list == NULL)
    return;
  guint32 item = list->first, next = operations->items[item].next;
  operations->items[item].next = operations->free;
  operations->free = item;
  list->first = next;
  if (next == 0)
    return;
  const Waiting *due = &operations->items[next];
  push (self, rank, due->token, pd_time_max (due->when, self->cpus[rank].free), due->number);
}

/* ---- starting */

static gboolean
try_again (PdComsys *self, guint32 rank, guint32 token, PdTime when)
{
  push (self, rank, token, when, self->number);
  return FALSE;
}

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
  Ended *to = self->ended;

  g_assert (self->n_ended < MAX_ENDED);
  to[self->n_ended++] = *ended;
  if (self->n_ended < MAX_ENDED)
    return;
  gboolean ordered =
      to[0].rank != to[1].rank ? to[0].rank < to[1].rank : to[1].receives || !to[0].receives;
  if (!ordered)
    {
      Ended first = to[1];
      to[1] = to[0];
      to[0] = first;
    }
}

/* The lower rank comes first, and of one rank the send, as in LogGOPSim. @own: (nullable) */
static void
settle (PdComsys *self, const Started *own)
{
  PdOperations *operations = self->operations;
  const guint n = operations->n_ended;
  Ended ended[MAX_ENDED];

  memcpy (ended, operations->ended, sizeof ended);
  operations->collects = FALSE;
  operations->n_ended = 0;
  for (guint i = 0; i < n; i++)
    {
      if (own != NULL && own->rank == ended[i].rank)
        {
          notify_started (self, own);
          own = NULL;
        }
      notify_ended (self, &ended[i]);
      if (i + 1 == n || ended[i + 1].rank != ended[i].rank)
        notify_told (self, ended[i].rank);
    }
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
    return try_again (self, rank, token, cpu->free);
  cpu->free = pd_time_add (self->now, work);
  begin (self, rank, token, NULL);
  notify_started (self, &(Started){ rank, token });
  PD_PROBE (self, operation_compute, rank, token, cpu->free);
  notify_ended (self, &(Ended){ rank, token, FALSE, cpu->free });
  notify_told (self, rank);
  let_next_try (self, rank, PD_OPERATION_COMPUTE);
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

/* When the processor and the adapter of @rank are free for a message to @peer. */
static PdTime
free_for_send (const PdComsys *self, guint32 rank, guint32 peer)
{
  PdTime free = self->cpus[rank].free;

  if (!pd_p2p_is_copied (self, rank, peer))
    {
      PdRoute route = pd_p2p_route (self, rank, peer);
      const PdNetworkLevel *level = &self->levels[route.instance];
      if (level->class->endpoints != NULL)
        return pd_time_max (
            free, level->class->endpoints->get_free (level->network, route.source, FALSE));
    }
  return self->machine->software.send_overhead.ps > 0 || self->overheads != NULL ? free : self->now;
}

gboolean
pd_comsys_try_send (PdComsys *self, guint32 rank, guint32 token, PdEnvelope envelope)
{
  guint32 peer = (guint32) envelope.peer;
  PdCpu *cpu = &self->cpus[rank];
  PdTime free = free_for_send (self, rank, peer), ret;
  PdCall call = { rank, self->now, &ret, NULL }, later = pd_call_of (self, &call, PD_FN_ISEND);

  if (free.ps > self->now.ps)
    return try_again (self, rank, token, free);
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
  let_next_try (self, rank, PD_OPERATION_SEND);
  return TRUE;
}

gboolean
pd_comsys_try_receive (PdComsys *self, guint32 rank, guint32 token, PdEnvelope envelope)
{
  PdCpu *cpu = &self->cpus[rank];
  PdTime cost = receive_time (self), ret;
  PdCall call = { rank, self->now, &ret, NULL }, later = pd_call_of (self, &call, PD_FN_IRECV);

  if (cost.ps > 0 && cpu->free.ps > self->now.ps)
    return try_again (self, rank, token, cpu->free);
  if (cost.ps > 0)
    cpu->free = pd_time_add (self->now, cost);
  const Started own = { rank, token };

  begin (self, rank, token, NULL);
  self->operations->collects = TRUE;
  guint32 recv = pd_p2p_recv (self, &later, self->world, envelope, FALSE);
  end_try (self, &own, recv);
  if (cost.ps > 0)
    let_next_try (self, rank, PD_OPERATION_RECEIVE);
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
