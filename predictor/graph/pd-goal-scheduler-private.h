/* The order of waiting operations, with one CPU and one adapter per rank. They are
 * served in the order of numbers: operations wait from when they get one, and messages
 * wait at their receiver from when they are sent, since all have the same latency.
 * So each sort is a queue, and only one of the three first ones is in the event
 * queue.
 * SPDX-License-Identifier: MIT */
#ifndef PD_GOAL_SCHEDULER_PRIVATE_H
#define PD_GOAL_SCHEDULER_PRIVATE_H

#include "predictor/graph/pd-goal-private.h"
#include "predictor/graph/pd-goal-wait-private.h"

typedef struct
{
  gint64 time; /* G_MAXINT64: nothing waits */
  guint32 number;
  PdGoalWait wait;
} PdGoalTurn;

static inline void
pd_goal_set_cpu (PdGoal *self, guint32 rank, PdGoalResource resource, gint64 time)
{
  gint64 *cpu = pd_goal_cpu (self, rank, resource);

  if (time != *cpu)
    self->ranks[rank].cpu_since = self->next_number;
  *cpu = time;
}

static inline void
pd_goal_turn_compare (PdGoalTurn *turn, gint64 time, guint32 number, PdGoalWait wait)
{
  if (time < turn->time || (time == turn->time && number < turn->number))
    *turn = (PdGoalTurn){ time, number, wait };
}

/* Finds the first of the operations that wait at @at. */
static inline void
pd_goal_turn_find (const PdGoal *self, const PdGoalRank *at, PdGoalTurn *turn)
{
  const PdGoalOp *ops = pd_goal_ops (self, at);
  guint32 calc = at->lists[PD_GRAPH_CALC], send = at->lists[PD_GRAPH_SEND];

  *turn = (PdGoalTurn){ G_MAXINT64, PD_GOAL_NONE, PD_GOAL_WAIT_CALC };
  if (send != PD_GOAL_NONE)
    *turn = (PdGoalTurn){ MAX (at->cpu, at->tx), ops[ops[send].next].number, PD_GOAL_WAIT_SEND };
  if (calc != PD_GOAL_NONE)
    pd_goal_turn_compare (turn, at->cpu, ops[ops[calc].next].number, PD_GOAL_WAIT_CALC);
  if (at->arrivals != PD_GOAL_NONE)
    {
      const PdGoalNode *node = &self->nodes[self->nodes[at->arrivals].next];
      gint64 time = MAX (at->cpu, at->rx);
      pd_goal_turn_compare (turn, MAX (time, node->time), node->number, PD_GOAL_WAIT_ARRIVAL);
    }
}

/* Puts @turn of @rank into the queue if no earlier one is there. */
static inline void
pd_goal_turn_enqueue (PdGoal *self, guint32 rank, const PdGoalTurn *turn)
{
  PdGoalRank *at = &self->ranks[rank];

  if (turn->time < at->turn_time || (turn->time == at->turn_time && turn->number < at->turn_number))
    {
      at->turn_time = turn->time;
      at->turn_number = turn->number;
      pd_goal_push_event_time (self, turn->time, turn->number,
                               (guint32) turn->wait << PD_GOAL_WHAT_KIND | rank);
    }
}

/* After anything that changed what waits at @rank, or for how long. */
static inline void
pd_goal_turn_settle (PdGoal *self, guint32 rank)
{
  PdGoalTurn turn;

  if (!self->early)
    return;
  pd_goal_turn_find (self, &self->ranks[rank], &turn);
  pd_goal_turn_enqueue (self, rank, &turn);
}

/* Has the message of @arrival wait at its receiver. */
static inline void
pd_goal_turn_deliver (PdGoal *self, const PdGoalEvent *arrival)
{
  PdGoalRank *at = &self->ranks[arrival->rank];
  guint32 node;

  if (G_UNLIKELY (arrival->time == G_MAXINT64))
    {
      self->overflow = TRUE;
      return;
    }
  node = pd_goal_node_new (self);
  self->nodes[node] = (PdGoalNode){ .time = arrival->time,
                                    .number = arrival->number,
                                    .op = arrival->op,
                                    .source = arrival->source,
                                    .tag = arrival->tag,
                                    .child = arrival->size };
  if (at->arrivals == PD_GOAL_NONE)
    {
      gint64 time = MAX (at->cpu, at->rx);
      PdGoalTurn turn = { MAX (time, arrival->time), arrival->number, PD_GOAL_WAIT_ARRIVAL };
      pd_goal_turn_enqueue (self, arrival->rank, &turn);
    }
  pd_goal_list_append (self->nodes, sizeof *self->nodes, &at->arrivals, node);
}

/* Whether the moment of receive @posted, which was posted early, comes after the
 * arrival @number at @now: CPU and its free moment are the same, and its number
 * is higher. */
static inline gboolean
pd_goal_turn_is_later (const PdGoal *self, const PdGoalPosted *posted, guint32 rank, gint64 now,
                       guint32 number)
{
  const PdGoalRank *at = &self->ranks[rank];

  return self->early && posted->number > number && posted->number >= at->cpu_since
         && now == at->cpu;
}

void pd_goal_do_turn (PdGoal *self, const PdGoalEventTime *moment);

#endif
