/* Nodes, and those who act.
 * SPDX-License-Identifier: MIT */
#include "comsys/pd-trail-private.h"

#define START 1

/* ---- nodes */

PdTrail *
pd_trail_new (guint32 n_ranks)
{
  PdTrail *self = g_new0 (PdTrail, 1);

  self->n_ranks = n_ranks;
  self->room = 1024;
  self->nodes = g_new0 (PdTrailNode, self->room);
  self->n_nodes = START + 1;
  self->nodes[START] = (PdTrailNode){ .refs = 1, .kind = PD_TRAIL_START };
  self->ranks = g_new0 (PdTrailActor, n_ranks);
  for (guint32 rank = 0; rank < n_ranks; rank++)
    {
      self->ranks[rank].rank = rank;
      self->ranks[rank].at = pd_trail_ref (self, START);
    }
  self->besides = g_array_new (FALSE, TRUE, sizeof (PdTrailActor));
  self->reqs = g_array_new (FALSE, TRUE, sizeof (PdTrailReq));
  self->recent = g_new0 (guint32, PD_TRAIL_RECENT);
  self->stack = g_array_new (FALSE, FALSE, sizeof (guint32));
  return self;
}

void
pd_trail_free (PdTrail *self)
{
  if (self == NULL)
    return;
  g_free (self->nodes);
  g_free (self->ranks);
  g_array_unref (self->besides);
  g_array_unref (self->reqs);
  g_free (self->cpus);
  g_free (self->sides);
  g_free (self->first_side);
  g_free (self->recent);
  g_array_unref (self->stack);
  g_clear_pointer (&self->tokens, g_hash_table_unref);
  g_free (self);
}

guint32
pd_trail_ref (PdTrail *self, guint32 node)
{
  if (node != 0)
    self->nodes[node].refs++;
  return node;
}

/* Takes a reference away; what nobody refers to any more is left on the stack. */
static void
drop (PdTrail *self, guint32 node)
{
  if (node != 0 && --self->nodes[node].refs == 0)
    g_array_append_val (self->stack, node);
}

void
pd_trail_unref (PdTrail *self, guint32 node)
{
  drop (self, node);
  while (self->stack->len > 0)
    {
      guint32 dead = g_array_index (self->stack, guint32, self->stack->len - 1);
      PdTrailNode *n = &self->nodes[dead];
      g_array_set_size (self->stack, self->stack->len - 1);
      drop (self, n->pred);
      drop (self, n->other);
      n->pred = self->free;
      self->free = dead;
    }
}

void
pd_trail_put (PdTrail *self, guint32 *slot, guint32 node)
{
  guint32 old = *slot;

  *slot = node;
  pd_trail_unref (self, old);
}

static guint32
new_node (PdTrail *self)
{
  guint32 node = self->free;

  if (node != 0)
    {
      self->free = self->nodes[node].pred;
      return node;
    }
  if (self->n_nodes == self->room)
    {
      self->room *= 2;
      self->nodes = g_renew (PdTrailNode, self->nodes, self->room);
    }
  return self->n_nodes++;
}

guint32
pd_trail_add (PdTrail *self, guint32 pred, const PdTrailNode *node)
{
  PdTrailNode copy = *node;
  guint32 new = new_node (self);

  copy.pred = pd_trail_ref (self, pred);
  copy.other = 0;
  copy.refs = 1;
  self->nodes[new] = copy;
  return new;
}

guint32
pd_trail_later (PdTrail *self, guint32 a, guint32 b)
{
  if (a == 0 || b == 0 || a == b)
    return pd_trail_ref (self, a != 0 ? a : b);
  if (self->nodes[a].when != self->nodes[b].when)
    return pd_trail_ref (self, self->nodes[a].when > self->nodes[b].when ? a : b);

  PdTrailNode tie = { .when = self->nodes[a].when, .kind = PD_TRAIL_TIE };
  tie.rank = self->nodes[a].rank;
  tie.peer = tie.rank & 0xffffff;
  guint32 node = pd_trail_add (self, a, &tie);
  self->nodes[node].other = pd_trail_ref (self, b);
  return node;
}

void
pd_trail_gather (PdTrail *self, guint32 *slot, guint32 node)
{
  pd_trail_put (self, slot, pd_trail_later (self, *slot, node));
}

/* ---- who acts */

PdTrailActor *
pd_trail_beside (PdTrail *self, guint32 index)
{
  if (index >= self->besides->len)
    g_array_set_size (self->besides, MAX (index + 1, 2 * self->besides->len));
  return &g_array_index (self->besides, PdTrailActor, index);
}

PdTrailActor *
pd_trail_actor (PdTrail *self, guint32 rank)
{
  return self->beside != 0 ? pd_trail_beside (self, self->beside - 1) : &self->ranks[rank];
}

PdTrailReq *
pd_trail_req (PdTrail *self, guint32 req)
{
  if (req >= self->reqs->len)
    g_array_set_size (self->reqs, MAX (req + 1, 2 * self->reqs->len));
  return &g_array_index (self->reqs, PdTrailReq, req);
}

/* What the actor has waited for is over: that is where it is. */
static void
end_wait (PdTrail *self, PdTrailActor *actor)
{
  guint32 latest = actor->latest;
  PdTrailNode node = { .rank = actor->rank,
                       .peer = actor->rank & 0xffffff,
                       .kind = actor->begun & 0xff,
                       .arg = actor->arg,
                       .amount = actor->amount };

  if (latest == 0)
    return;
  actor->latest = 0;
  if (actor->begun == PD_TRAIL_START)
    {
      pd_trail_put (self, &actor->at, latest);
      return;
    }
  node.when = pd_time_add (pd_trail_when (self, latest), PD_TIME (actor->overhead)).ps;
  pd_trail_put (self, &actor->at, pd_trail_add (self, latest, &node));
  pd_trail_unref (self, latest);
  if (actor->extra <= 0)
    return;
  node.when = pd_time_add (PD_TIME (node.when), PD_TIME (actor->extra)).ps;
  node.kind = PD_TRAIL_FUNCTION;
  node.arg = 0;
  node.amount = 0;
  pd_trail_put (self, &actor->at, pd_trail_add (self, actor->at, &node));
}

/* One more moment of the actor; the same kind of thing as before is not told twice. */
static void
go_to (PdTrail *self, PdTrailActor *actor, const PdTrailNode *node)
{
  PdTrailNode *at = &self->nodes[actor->at];
  gboolean is_more =
      at->refs == 1 && at->kind == node->kind && at->arg == node->arg && at->rank == node->rank;

  if (!is_more)
    {
      pd_trail_put (self, &actor->at, pd_trail_add (self, actor->at, node));
      return;
    }
  at->when = node->when;
  at->amount += node->amount;
}

guint32
pd_trail_come (PdTrail *self, PdTrailActor *actor, PdTime when, PdTrailKind kind, guint32 arg)
{
  PdTrailNode node = { .when = when.ps,
                       .rank = actor->rank,
                       .peer = actor->rank & 0xffffff,
                       .kind = kind & 0xff,
                       .arg = arg };

  end_wait (self, actor);
  if (pd_trail_when (self, actor->at).ps < when.ps)
    go_to (self, actor, &node);
  return actor->at;
}

guint32
pd_trail_come_untold (PdTrail *self, PdTrailActor *actor, PdTime when)
{
  return self->is_told ? pd_trail_come (self, actor, when, PD_TRAIL_LIBRARY, 0)
                       : pd_trail_come (self, actor, when, PD_TRAIL_WORK, actor->place);
}

guint32
pd_trail_spend (PdTrail *self, PdTrailActor *actor, PdTime when, PdTrailSoftware what,
                gint64 amount)
{
  PdTrailNode node = { .when = when.ps,
                       .rank = actor->rank,
                       .peer = actor->rank & 0xffffff,
                       .kind = PD_TRAIL_SOFTWARE,
                       .arg = what,
                       .amount = amount };

  end_wait (self, actor);
  go_to (self, actor, &node);
  return actor->at;
}

/* ---- the program's side */

void
pd_trail_set_place (PdTrail *self, guint32 rank, guint32 place)
{
  self->ranks[rank].place = place;
}

void
pd_trail_set_told (PdTrail *self)
{
  self->is_told = TRUE;
}

static void
tell (PdTrail *self, const PdTrailStretch *stretch, PdTrailKind kind)
{
  PdTrailActor *actor = &self->ranks[stretch->rank];

  pd_trail_come_untold (self, actor, stretch->since);
  pd_trail_come (self, actor, stretch->until, kind, stretch->place);
}

void
pd_trail_work (PdTrail *self, const PdTrailStretch *stretch)
{
  tell (self, stretch, PD_TRAIL_WORK);
}

void
pd_trail_delay (PdTrail *self, const PdTrailStretch *stretch)
{
  tell (self, stretch, PD_TRAIL_DELAY);
}

void
pd_trail_io (PdTrail *self, const PdTrailStretch *stretch)
{
  tell (self, stretch, PD_TRAIL_IO);
}
