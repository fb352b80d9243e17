/* Graph simulation by the plain rules.
 * SPDX-License-Identifier: MIT */
#include "tests/support/mp/goal-reference.h"

#include <math.h>

#define N_LANES 256

typedef struct
{
  gint64 time;
  guint64 number;
  gboolean is_arrival;
  guint32 host, op; /* where it happens; of an arrival: the operation of its sender */
  guint32 source;   /* of an arrival */
} Event;

/* A posted receive (@op of the host) or a message (@op of @source). */
typedef struct
{
  guint32 source, tag, op;
  gint64 end; /* message: of its reception */
} Item;

typedef struct
{
  gint64 cpu[N_LANES], tx[N_LANES], rx[N_LANES];
  GArray *recvs, *messages; /* of Item */
  guint32 *left;            /* of each operation: what it waits for */
  gint64 *ready;            /* of each: when what it waited for had ended */
  gint64 *end;              /* of each send */
  GArray *batch;            /* of guint32: operations that became ready */
} Host;

typedef struct
{
  const PdGraph *graph;
  const PdGoalParams *params;
  Host *hosts;
  GArray *events;
  guint64 number, n_done;
} Model;

static PdGraphOp
get_op (const Model *self, guint32 host, guint32 op)
{
  PdGraphOp decoded;

  pd_graph_get_op (self->graph, host, op, &decoded);
  return decoded;
}

static gint64
per_byte (const Model *self, gint64 size, gdouble ps)
{
  gint64 n = size > 0 ? size - 1 : self->params->compat ? -1 : 0;

  return (gint64) floor ((gdouble) n * ps + 0.5);
}

static void
satisfy (Model *self, guint32 host, guint32 op, gboolean started, gint64 time)
{
  Host *at = &self->hosts[host];

  for (guint32 k = 0; k < pd_graph_get_n_successors (self->graph, host, op); k++)
    {
      gboolean on_start;
      guint32 next = pd_graph_get_successor (self->graph, host, op, k, &on_start);
      if (on_start != started)
        continue;
      at->ready[next] = MAX (at->ready[next], time);
      if (--at->left[next] == 0)
        g_array_append_val (at->batch, next);
    }
  self->n_done += !started;
}

/* The operations that became ready, each kind in order. */
static void
enter (Model *self, guint32 host)
{
  Host *at = &self->hosts[host];

  for (PdGraphKind kind = 0; kind < PD_GRAPH_N_KINDS; kind++)
    for (guint i = 0; i < at->batch->len; i++)
      {
        guint32 index = g_array_index (at->batch, guint32, i);
        PdGraphOp op = get_op (self, host, index);
        Event event = { at->cpu[op.cpu], 0, FALSE, host, index, 0 };
        if (op.kind != kind)
          continue;
        if (kind == PD_GRAPH_SEND)
          event.time = MAX (event.time, at->tx[op.nic]);
        if (!self->params->compat)
          event.time = MAX (event.time, at->ready[index]);
        event.number = self->number++;
        g_array_append_val (self->events, event);
      }
  g_array_set_size (at->batch, 0);
}

static gboolean
matches (const Item *message, const PdGraphOp *recv)
{
  return (recv->peer == message->source || recv->peer == PD_GRAPH_ANY)
         && (recv->tag == message->tag || recv->tag == PD_GRAPH_ANY
             || message->tag == PD_GRAPH_ANY);
}

/* The send that waited ends. */
static void
release (Model *self, const Item *message, gint64 now)
{
  Host *at = &self->hosts[message->source];
  PdGraphOp op = get_op (self, message->source, message->op);

  at->cpu[op.cpu] = MAX (at->cpu[op.cpu], now);
  at->tx[op.nic] = MAX (at->tx[op.nic], now);
  satisfy (self, message->source, message->op, FALSE, MAX (now, at->end[message->op]));
}

static void
enter_both (Model *self, guint32 a, guint32 b)
{
  enter (self, MIN (a, b));
  enter (self, MAX (a, b));
}

static gboolean
waits (const Model *self, const Item *message)
{
  return get_op (self, message->source, message->op).size > self->params->eager;
}

static void
do_recv (Model *self, const Event *event)
{
  Host *at = &self->hosts[event->host];
  PdGraphOp op = get_op (self, event->host, event->op);
  Item posted = { op.peer, op.tag, event->op, 0 };

  satisfy (self, event->host, event->op, TRUE, event->time);
  for (guint i = 0; i < at->messages->len; i++)
    {
      Item message = g_array_index (at->messages, Item, i);
      if (!matches (&message, &op))
        continue;
      g_array_remove_index (at->messages, i);
      if (waits (self, &message))
        release (self, &message, event->time);
      satisfy (self, event->host, event->op, FALSE, MAX (event->time, message.end));
      enter_both (self, event->host, message.source);
      return;
    }
  g_array_append_val (at->recvs, posted);
  enter (self, event->host);
}

static void
do_arrival (Model *self, const Event *event, const PdGraphOp *op)
{
  const PdGoalParams *p = self->params;
  Host *at = &self->hosts[event->host];
  guint64 gap = (guint64) per_byte (self, op->size, p->gap_per_byte);
  guint64 overhead = (guint64) per_byte (self, op->size, p->overhead_per_byte);
  Item message = { event->source, op->tag, event->op, 0 };

  message.end = event->time + p->overhead.ps + (gint64) MAX (gap, overhead);
  at->cpu[op->cpu] = message.end;
  at->rx[op->nic] = event->time + p->gap.ps + (gint64) gap;
  for (guint i = 0; i < at->recvs->len; i++)
    {
      Item recv = g_array_index (at->recvs, Item, i);
      PdGraphOp want = get_op (self, event->host, recv.op);
      if (!matches (&message, &want))
        continue;
      g_array_remove_index (at->recvs, i);
      if (waits (self, &message))
        release (self, &message, event->time);
      satisfy (self, event->host, recv.op, FALSE, message.end);
      enter_both (self, event->host, event->source);
      return;
    }
  g_array_append_val (at->messages, message);
}

static void
do_send (Model *self, const Event *event, const PdGraphOp *op)
{
  const PdGoalParams *p = self->params;
  Host *at = &self->hosts[event->host];
  Event arrival = {
    event->time + p->overhead.ps + p->latency.ps, 0, TRUE, op->peer, event->op, event->host
  };

  satisfy (self, event->host, event->op, TRUE, event->time);
  at->cpu[op->cpu] = at->end[event->op] =
      event->time + p->overhead.ps + per_byte (self, op->size, p->overhead_per_byte);
  at->tx[op->nic] = event->time + p->gap.ps + per_byte (self, op->size, p->gap_per_byte);
  arrival.number = self->number++;
  g_array_append_val (self->events, arrival);
  if (op->size <= p->eager)
    satisfy (self, event->host, event->op, FALSE, at->end[event->op]);
  enter (self, event->host);
}

static void
do_calc (Model *self, const Event *event, const PdGraphOp *op)
{
  Host *at = &self->hosts[event->host];
  PdTime time = PD_TIME (op->size * 1000);

  if (self->params->speeds != NULL)
    time = pd_time_divide (time, self->params->speeds[event->host]);
  at->cpu[op->cpu] = event->time + time.ps;
  satisfy (self, event->host, event->op, TRUE, event->time);
  satisfy (self, event->host, event->op, FALSE, at->cpu[op->cpu]);
  enter (self, event->host);
}

static void
do_event (Model *self, Event event)
{
  Host *at = &self->hosts[event.host];
  PdGraphOp op = get_op (self, event.is_arrival ? event.source : event.host, event.op);
  gint64 free_at = at->cpu[op.cpu];

  if (event.is_arrival)
    free_at = MAX (free_at, at->rx[op.nic]);
  else if (op.kind == PD_GRAPH_SEND)
    free_at = MAX (free_at, at->tx[op.nic]);
  if (!event.is_arrival && op.kind == PD_GRAPH_RECV)
    do_recv (self, &event);
  else if (free_at > event.time)
    {
      event.time = free_at;
      g_array_append_val (self->events, event);
    }
  else if (event.is_arrival)
    do_arrival (self, &event, &op);
  else if (op.kind == PD_GRAPH_SEND)
    do_send (self, &event, &op);
  else
    do_calc (self, &event, &op);
}

static Event
take_first (Model *self)
{
  guint first = 0;
  Event event;

  for (guint i = 1; i < self->events->len; i++)
    {
      const Event *a = &g_array_index (self->events, Event, i);
      const Event *b = &g_array_index (self->events, Event, first);
      if (a->time < b->time || (a->time == b->time && a->number < b->number))
        first = i;
    }
  event = g_array_index (self->events, Event, first);
  g_array_remove_index_fast (self->events, first);
  return event;
}

static void
init_host (Model *self, guint32 rank)
{
  Host *host = &self->hosts[rank];
  guint32 n = pd_graph_get_n_ops (self->graph, rank);

  host->recvs = g_array_new (FALSE, FALSE, sizeof (Item));
  host->messages = g_array_new (FALSE, FALSE, sizeof (Item));
  host->batch = g_array_new (FALSE, FALSE, sizeof (guint32));
  host->left = g_new0 (guint32, n);
  host->ready = g_new0 (gint64, n);
  host->end = g_new0 (gint64, n);
  pd_graph_count_dependencies (self->graph, rank, host->left);
  for (guint32 i = 0; i < n; i++)
    if (host->left[i] == 0)
      g_array_append_val (host->batch, i);
  enter (self, rank);
}

static gint64
clear_host (Host *host)
{
  gint64 end = host->cpu[0];

  for (guint i = 1; i < N_LANES; i++)
    end = MAX (end, host->cpu[i]);
  g_array_unref (host->recvs);
  g_array_unref (host->messages);
  g_array_unref (host->batch);
  g_free (host->left);
  g_free (host->ready);
  g_free (host->end);
  return end;
}

gboolean
goal_reference_simulate (const PdGraph *graph, const PdGoalParams *params, gint64 *ends,
                         guint64 *n_unmatched)
{
  guint32 n = pd_graph_get_n_ranks (graph);
  Model self = {
    graph, params, g_new0 (Host, n), g_array_new (FALSE, FALSE, sizeof (Event)), 0, 0
  };

  for (guint32 i = 0; i < n; i++)
    init_host (&self, i);
  while (self.events->len > 0)
    do_event (&self, take_first (&self));
  *n_unmatched = 0;
  for (guint32 i = 0; i < n; i++)
    {
      *n_unmatched += self.hosts[i].messages->len;
      ends[i] = clear_host (&self.hosts[i]);
    }
  g_free (self.hosts);
  g_array_unref (self.events);
  return self.n_done == pd_graph_get_totals (graph)->n_ops;
}
