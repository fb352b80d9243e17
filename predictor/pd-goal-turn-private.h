/* Turns of what waits, with one CPU and one adapter per rank. What waits comes
 * in the order of numbers: operations wait from when they get one, and messages
 * arrive in the order they were sent in. So each sort is a queue, and of the
 * three that are first only one is in the event queue.
 * SPDX-License-Identifier: MIT */
#ifndef PD_GOAL_TURN_PRIVATE_H
#define PD_GOAL_TURN_PRIVATE_H

#include "predictor/pd-goal-private.h"

G_BEGIN_DECLS

typedef struct
{
  gint64 time;    /* G_MAXINT64 and PD_GOAL_NONE: */
  guint32 number; /* nothing waits */
  guint32 item;   /* operation or node */
  PdGoalWait wait;
} PdGoalTurn;

/* When what waits at @at as @wait can go on. */
static inline gint64
pd_goal_turn_get_moment (const PdGoalHost *at, PdGoalWait wait)
{
  gint64 other = wait == PD_GOAL_WAIT_SEND ? at->tx : at->rx;

  return wait == PD_GOAL_WAIT_CALC ? at->cpu : MAX (at->cpu, other);
}

static inline void
pd_goal_turn_compare (PdGoalTurn *turn, gint64 time, guint32 number, guint32 item, PdGoalWait wait)
{
  if (time < turn->time || (time == turn->time && number < turn->number))
    *turn = (PdGoalTurn){ time, number, item, wait };
}

/* Finds which of what waits at @at comes first. */
static inline void
pd_goal_turn_find (const PdGoal *self, const PdGoalHost *at, PdGoalTurn *turn)
{
  const PdGoalOp *ops = pd_goal_ops (self, at);
  guint32 calc = at->waits[PD_GOAL_WAIT_CALC], send = at->waits[PD_GOAL_WAIT_SEND];
  guint32 arrival = at->waits[PD_GOAL_WAIT_ARRIVAL];

  *turn = (PdGoalTurn){ G_MAXINT64, PD_GOAL_NONE, PD_GOAL_NONE, PD_GOAL_WAIT_CALC };
  if (send != PD_GOAL_NONE)
    {
      send = ops[send].next;
      *turn = (PdGoalTurn){ MAX (at->cpu, at->tx), ops[send].number, send, PD_GOAL_WAIT_SEND };
    }
  if (calc != PD_GOAL_NONE)
    {
      calc = ops[calc].next;
      pd_goal_turn_compare (turn, at->cpu, ops[calc].number, calc, PD_GOAL_WAIT_CALC);
    }
  if (arrival != PD_GOAL_NONE)
    {
      arrival = self->nodes[arrival].next;
      pd_goal_turn_compare (turn, MAX (at->cpu, at->rx), self->nodes[arrival].number, arrival,
                            PD_GOAL_WAIT_ARRIVAL);
    }
}

/* After anything that changed what waits at @host, or for how long: there is an
 * event no later than the first turn. */
static inline void
pd_goal_turn_settle (PdGoal *self, guint32 host)
{
  PdGoalHost *at = &self->hosts[host];
  PdGoalTurn turn;

  if (!self->early)
    return;
  pd_goal_turn_find (self, at, &turn);
  if (turn.time < at->turn_time || (turn.time == at->turn_time && turn.number < at->turn_number))
    {
      PdGoalEvent event = { turn.time, turn.number, host, turn.item, (guint32) PD_GOAL_EVENT_TURN,
                            0,         turn.wait };
      at->turn_time = turn.time;
      at->turn_number = turn.number;
      pd_goal_push (self, &event);
    }
}

/* Takes that of which @event is the turn out of its queue, into @event. */
static inline void
pd_goal_turn_take (PdGoal *self, PdGoalHost *at, PdGoalEvent *event)
{
  guint32 item = event->op, *last = &at->waits[event->size];

  if (event->size == PD_GOAL_WAIT_ARRIVAL)
    {
      const PdGoalNode *node = &self->nodes[item];
      event->op = node->op;
      event->source = node->source;
      event->tag = node->tag;
      event->size = node->size;
      pd_goal_list_unlink (self->nodes, sizeof *node, last, *last);
      pd_goal_node_free (self, item);
    }
  else
    pd_goal_list_unlink (pd_goal_ops (self, at), sizeof (PdGoalOp), last, *last);
}

/* The message of @event arrived while CPU or adapter are busy. */
static inline void
pd_goal_turn_wait (PdGoal *self, const PdGoalEvent *event)
{
  guint32 node = pd_goal_node_new (self);

  self->nodes[node] = (PdGoalNode){ .number = event->number,
                                    .size = event->size,
                                    .op = event->op,
                                    .source = event->source,
                                    .tag = event->tag };
  pd_goal_list_append (self->nodes, sizeof *self->nodes,
                       &self->hosts[event->host].waits[PD_GOAL_WAIT_ARRIVAL], node);
  pd_goal_turn_settle (self, event->host);
}

G_END_DECLS

#endif
