/* What waits for a CPU or an adapter of its rank. All that wait for the same
 * ones can go on at the same moment, in the order of their numbers; only the
 * lowest is in the event queue. What waits costs no look at each moment at
 * which it does not get its turn. This is for ranks with several of them; with
 * one CPU and one adapter they come in the order of their numbers: see
 * pd-goal-events.c.
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
  return (guint32) *pd_goal_lane_in_table (self, host, PD_GOAL_LANE_WAITS + wait, lane);
}

static void
set_heap (PdGoal *self, guint32 host, PdGoalWait wait, PdGoalLane lane, guint32 heap)
{
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

void
pd_goal_wait (PdGoal *self, PdGoalWait wait, PdGoalLane lane, const PdGoalEvent *event)
{
  guint32 node = pd_goal_node_new (self), heap = get_heap (self, event->host, wait, lane), least;

  self->nodes[node] = (PdGoalNode){ .size = event->size,
                                    .queued = FALSE,
                                    .number = event->number,
                                    .op = event->op,
                                    .source = event->source,
                                    .tag = event->tag,
                                    .next = PD_GOAL_NONE,
                                    .child = PD_GOAL_NONE };
  least = heap == PD_GOAL_NONE ? node : join (self->nodes, heap, node);
  set_heap (self, event->host, wait, lane, least);
  if (least == node)
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
