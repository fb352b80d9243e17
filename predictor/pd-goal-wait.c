/* What waits for a CPU or an adapter of its rank. All that wait for the same
 * ones can go on at the same moment, in the order of their numbers; only the
 * lowest is in the event queue. What waits costs no look at each moment at
 * which it does not get its turn. With one CPU and one adapter they come in the
 * order of their numbers: operations wait from when they get one, and messages
 * arrive in the order they were sent in. Then they are in a queue, else in a
 * heap.
 * SPDX-License-Identifier: MIT */
#include "predictor/pd-goal-private.h"

guint64 *
pd_goal_lane_in_table (PdGoal *self, guint32 host, PdGoalLaneKind kind, PdGoalLane lane)
{
  gboolean is_heap = kind >= PD_GOAL_LANE_WAITS;
  guint cpu = kind == PD_GOAL_LANE_TX || kind == PD_GOAL_LANE_RX ? 0 : lane.cpu;
  guint nic =
      kind == PD_GOAL_LANE_CPU || kind == PD_GOAL_LANE_WAITS + PD_GOAL_WAIT_CALC ? 0 : lane.nic;

  return pd_goal_table_get (&self->lane_table, host, (guint64) kind << 16 | cpu << 8 | nic,
                            is_heap ? PD_GOAL_NONE : 0);
}

/* ---- a pairing heap: child is the first child, next the next sibling */

static guint32
join (PdGoalNode *nodes, guint32 a, guint32 b)
{
  if (nodes[b].number < nodes[a].number)
    {
      guint32 swap = a;
      a = b;
      b = swap;
    }
  nodes[b].next = nodes[a].child;
  nodes[a].child = b;
  return a;
}

/* Joins the children of what was the least, in pairs from the left, then the
 * pairs from the right. */
static guint32
join_children (PdGoalNode *nodes, guint32 child)
{
  guint32 pairs = PD_GOAL_NONE, heap = PD_GOAL_NONE;

  while (child != PD_GOAL_NONE)
    {
      guint32 a = child, b = nodes[a].next;
      child = b != PD_GOAL_NONE ? nodes[b].next : PD_GOAL_NONE;
      if (b != PD_GOAL_NONE)
        a = join (nodes, a, b);
      nodes[a].next = pairs;
      pairs = a;
    }
  while (pairs != PD_GOAL_NONE)
    {
      guint32 next = nodes[pairs].next;
      heap = heap == PD_GOAL_NONE ? pairs : join (nodes, heap, pairs);
      pairs = next;
    }
  return heap;
}

/* ---- heaps of ranks */

static guint32
get_heap (PdGoal *self, guint32 host, PdGoalWait wait, PdGoalLane lane)
{
  if (G_LIKELY (!self->lanes))
    return self->hosts[host].waits[wait];
  return (guint32) *pd_goal_lane_in_table (self, host, PD_GOAL_LANE_WAITS + wait, lane);
}

static void
set_heap (PdGoal *self, guint32 host, PdGoalWait wait, PdGoalLane lane, guint32 heap)
{
  if (G_LIKELY (!self->lanes))
    self->hosts[host].waits[wait] = heap;
  else
    *pd_goal_lane_in_table (self, host, PD_GOAL_LANE_WAITS + wait, lane) = heap;
}

/* Puts what waits as @node, the least of its heap, into the queue. */
static void
enqueue (PdGoal *self, guint32 host, PdGoalWait wait, guint32 node, gint64 when)
{
  const PdGoalNode *waiting = &self->nodes[node];
  PdGoalEvent event = {
    when, waiting->number, host, node, (guint32) PD_GOAL_EVENT_WAIT, waiting->op, wait
  };

  self->nodes[node].queued = TRUE;
  pd_goal_push (self, &event);
}

/* ---- queues: the first knows the last */

static gboolean
append (PdGoal *self, guint32 *first, guint32 node)
{
  PdGoalNode *nodes = self->nodes;
  gboolean is_first = *first == PD_GOAL_NONE;

  if (is_first)
    *first = node;
  else
    nodes[nodes[*first].child].next = node;
  nodes[*first].child = node;
  return is_first;
}

static void
drop_first (PdGoal *self, guint32 *first)
{
  PdGoalNode *nodes = self->nodes;
  guint32 last = nodes[*first].child;

  *first = nodes[*first].next;
  if (*first != PD_GOAL_NONE)
    nodes[*first].child = last;
}

/* ---- either */

/* Returns whether @node is the first now. */
static gboolean
insert (PdGoal *self, guint32 host, PdGoalWait wait, PdGoalLane lane, guint32 node)
{
  guint32 heap, least;

  if (G_LIKELY (!self->lanes))
    return append (self, &self->hosts[host].waits[wait], node);
  heap = get_heap (self, host, wait, lane);
  least = heap == PD_GOAL_NONE ? node : join (self->nodes, heap, node);
  set_heap (self, host, wait, lane, least);
  return least == node;
}

void
pd_goal_wait (PdGoal *self, PdGoalWait wait, PdGoalLane lane, const PdGoalEvent *event)
{
  guint32 node = pd_goal_node_new (self);

  self->nodes[node] = (PdGoalNode){ .size = event->size,
                                    .queued = FALSE,
                                    .number = event->number,
                                    .op = event->op,
                                    .source = event->source,
                                    .tag = event->tag,
                                    .next = PD_GOAL_NONE,
                                    .child = PD_GOAL_NONE };
  if (insert (self, event->host, wait, lane, node))
    enqueue (self, event->host, wait, node, pd_goal_free_at (self, event->host, wait, lane));
}

gboolean
pd_goal_wait_over (PdGoal *self, PdGoalLane lane, PdGoalEvent *event)
{
  PdGoalWait wait = (PdGoalWait) event->size;
  guint32 node = event->op, host = event->host;
  const PdGoalNode *waiting = &self->nodes[node];
  gint64 when;

  self->nodes[node].queued = FALSE;
  /* One with a lower number came later; it is in the queue itself. */
  if (get_heap (self, host, wait, lane) != node)
    return FALSE;
  when = pd_goal_free_at (self, host, wait, lane);
  if (when > event->time)
    {
      enqueue (self, host, wait, node, when);
      return FALSE;
    }
  event->op = waiting->op;
  event->source = waiting->source;
  event->tag = waiting->tag;
  event->size = waiting->size;
  if (G_LIKELY (!self->lanes))
    drop_first (self, &self->hosts[host].waits[wait]);
  else
    set_heap (self, host, wait, lane, join_children (self->nodes, waiting->child));
  pd_goal_node_free (self, node);
  return TRUE;
}

void
pd_goal_wait_next (PdGoal *self, guint32 host, PdGoalWait wait, PdGoalLane lane, gint64 now)
{
  guint32 heap = get_heap (self, host, wait, lane);

  if (heap != PD_GOAL_NONE && !self->nodes[heap].queued)
    enqueue (self, host, wait, heap, MAX (now, pd_goal_free_at (self, host, wait, lane)));
}
