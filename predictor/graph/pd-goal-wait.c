/* Operations that wait for a CPU or an adapter of their rank. Those that wait for
 * the same one can continue at the same moment, in the order of their numbers; only
 * the lowest is in the event queue, so the others cost nothing at moments at which
 * they do not get their turn. This is for ranks with several CPUs or adapters; with
 * one of each, operations come in the order of their numbers: see pd-goal-events.c.
 * SPDX-License-Identifier: MIT */
#include "predictor/graph/pd-goal-private.h"
#include "predictor/graph/pd-goal-wait-private.h"

guint64 *
pd_goal_resource_in_table (PdGoal *self, guint32 rank, PdGoalResourceKind kind,
                           PdGoalResource resource)
{
  gboolean is_heap = kind >= PD_GOAL_RESOURCE_WAITS;
  guint cpu = kind == PD_GOAL_RESOURCE_TX || kind == PD_GOAL_RESOURCE_RX ? 0 : resource.cpu;
  guint nic = kind == PD_GOAL_RESOURCE_CPU || kind == PD_GOAL_RESOURCE_WAITS + PD_GOAL_WAIT_CALC
                  ? 0
                  : resource.nic;

  return pd_hash_map_get (&self->resource_table, rank, (guint64) kind << 16 | cpu << 8 | nic,
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

/* Joins the children of the former least, in pairs from the left, then the
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
get_heap (PdGoal *self, guint32 rank, PdGoalWait wait, PdGoalResource resource)
{
  return (guint32) *pd_goal_resource_in_table (self, rank, PD_GOAL_RESOURCE_WAITS + wait, resource);
}

static void
set_heap (PdGoal *self, guint32 rank, PdGoalWait wait, PdGoalResource resource, guint32 heap)
{
  *pd_goal_resource_in_table (self, rank, PD_GOAL_RESOURCE_WAITS + wait, resource) = heap;
}

/* Puts what waits as @node, the least of its heap, into the queue. */
static void
enqueue (PdGoal *self, guint32 rank, PdGoalWait wait, guint32 node, gint64 when)
{
  const PdGoalNode *waiting = &self->nodes[node];
  PdGoalEvent event = {
    when, waiting->number, rank, node, (guint32) PD_GOAL_EVENT_WAIT, waiting->op, wait
  };

  self->nodes[node].queued = TRUE;
  pd_goal_push (self, &event);
}

void
pd_goal_wait (PdGoal *self, PdGoalWait wait, PdGoalResource resource, const PdGoalEvent *event)
{
  guint32 node = pd_goal_node_new (self), heap = get_heap (self, event->rank, wait, resource),
          least;

  self->nodes[node] = (PdGoalNode){ .size = event->size,
                                    .queued = FALSE,
                                    .number = event->number,
                                    .op = event->op,
                                    .source = event->source,
                                    .tag = event->tag,
                                    .next = PD_GOAL_NONE,
                                    .child = PD_GOAL_NONE };
  least = heap == PD_GOAL_NONE ? node : join (self->nodes, heap, node);
  set_heap (self, event->rank, wait, resource, least);
  if (least == node)
    enqueue (self, event->rank, wait, node, pd_goal_free_at (self, event->rank, wait, resource));
}

gboolean
pd_goal_wait_over (PdGoal *self, PdGoalResource resource, PdGoalEvent *event)
{
  PdGoalWait wait = (PdGoalWait) event->size;
  guint32 node = event->op, rank = event->rank;
  const PdGoalNode *waiting = &self->nodes[node];
  gint64 when;

  self->nodes[node].queued = FALSE;
  /* One with a lower number came later; it is in the queue itself. */
  if (get_heap (self, rank, wait, resource) != node)
    return FALSE;
  when = pd_goal_free_at (self, rank, wait, resource);
  if (when > event->time)
    {
      enqueue (self, rank, wait, node, when);
      return FALSE;
    }
  event->op = waiting->op;
  event->source = waiting->source;
  event->tag = waiting->tag;
  event->size = waiting->size;
  set_heap (self, rank, wait, resource, join_children (self->nodes, waiting->child));
  pd_goal_node_free (self, node);
  return TRUE;
}

void
pd_goal_wait_next (PdGoal *self, guint32 rank, PdGoalWait wait, PdGoalResource resource, gint64 now)
{
  guint32 heap = get_heap (self, rank, wait, resource);

  if (heap != PD_GOAL_NONE && !self->nodes[heap].queued)
    enqueue (self, rank, wait, heap, MAX (now, pd_goal_free_at (self, rank, wait, resource)));
}
