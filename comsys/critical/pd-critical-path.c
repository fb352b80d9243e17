/* Nodes, and those who act.
 * SPDX-License-Identifier: MIT */
#include "comsys/critical/pd-critical-path-private.h"

#include "base/pd-time.h"
#include "comsys/critical/pd-critical-path.h"

#include <math.h>

#define START 1

/* ---- nodes */

PdCriticalPath *
pd_critical_new (guint32 n_ranks)
{
  PdCriticalPath *self = g_new0 (PdCriticalPath, 1);

  self->n_ranks = n_ranks;
  self->room = 1024;
  self->nodes = g_new0 (PdCriticalNode, self->room);
  self->n_nodes = START + 1;
  self->nodes[START] = (PdCriticalNode){ .refs = 1, .kind = PD_CRITICAL_START };
  self->ranks = g_new0 (PdCriticalActor, n_ranks);
  for (guint32 rank = 0; rank < n_ranks; rank++)
    {
      self->ranks[rank].rank = rank;
      self->ranks[rank].at = pd_critical_ref (self, START);
    }
  self->nonblockings = g_array_new (FALSE, TRUE, sizeof (PdCriticalActor));
  self->reqs = g_array_new (FALSE, TRUE, sizeof (PdCriticalReq));
  self->recent = g_new0 (guint32, PD_CRITICAL_RECENT);
  self->stack = g_array_new (FALSE, FALSE, sizeof (guint32));
  return self;
}

void
pd_critical_free (PdCriticalPath *self)
{
  if (self == NULL)
    return;
  g_free (self->nodes);
  g_free (self->ranks);
  g_array_unref (self->nonblockings);
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
pd_critical_ref (PdCriticalPath *self, guint32 node)
{
  if (node != 0)
    self->nodes[node].refs++;
  return node;
}

/* Drops a reference; nodes without references are left on the stack. */
static void
drop (PdCriticalPath *self, guint32 node)
{
  if (node != 0 && --self->nodes[node].refs == 0)
    g_array_append_val (self->stack, node);
}

void
pd_critical_unref (PdCriticalPath *self, guint32 node)
{
  drop (self, node);
  while (self->stack->len > 0)
    {
      guint32 dead = g_array_index (self->stack, guint32, self->stack->len - 1);
      PdCriticalNode *n = &self->nodes[dead];
      g_array_set_size (self->stack, self->stack->len - 1);
      drop (self, n->pred);
      drop (self, n->other);
      n->pred = self->free;
      self->free = dead;
    }
}

void
pd_critical_put (PdCriticalPath *self, guint32 *slot, guint32 node)
{
  guint32 old = *slot;

  *slot = node;
  pd_critical_unref (self, old);
}

static guint32
new_node (PdCriticalPath *self)
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
      self->nodes = g_renew (PdCriticalNode, self->nodes, self->room);
    }
  return self->n_nodes++;
}

guint32
pd_critical_add (PdCriticalPath *self, guint32 pred, const PdCriticalNode *node)
{
  PdCriticalNode copy = *node;
  guint32 new = new_node (self);

  copy.pred = pd_critical_ref (self, pred);
  copy.other = 0;
  copy.refs = 1;
  self->nodes[new] = copy;
  return new;
}

guint32
pd_critical_later (PdCriticalPath *self, guint32 a, guint32 b)
{
  if (a == 0 || b == 0 || a == b)
    return pd_critical_ref (self, a != 0 ? a : b);
  if (self->nodes[a].when != self->nodes[b].when)
    return pd_critical_ref (self, self->nodes[a].when > self->nodes[b].when ? a : b);

  PdCriticalNode tie = { .when = self->nodes[a].when, .kind = PD_CRITICAL_TIE };
  tie.rank = self->nodes[a].rank;
  tie.peer = tie.rank & 0xffffff;
  guint32 node = pd_critical_add (self, a, &tie);
  self->nodes[node].other = pd_critical_ref (self, b);
  return node;
}

void
pd_critical_gather (PdCriticalPath *self, guint32 *slot, guint32 node)
{
  pd_critical_put (self, slot, pd_critical_later (self, *slot, node));
}

/* ---- who acts */

PdCriticalActor *
pd_critical_nonblocking_actor (PdCriticalPath *self, guint32 index)
{
  if (index >= self->nonblockings->len)
    g_array_set_size (self->nonblockings, MAX (index + 1, 2 * self->nonblockings->len));
  return &g_array_index (self->nonblockings, PdCriticalActor, index);
}

PdCriticalActor *
pd_critical_actor (PdCriticalPath *self, guint32 rank)
{
  return self->nonblocking != 0 ? pd_critical_nonblocking_actor (self, self->nonblocking - 1)
                                : &self->ranks[rank];
}

PdCriticalReq *
pd_critical_req (PdCriticalPath *self, guint32 req)
{
  if (req >= self->reqs->len)
    g_array_set_size (self->reqs, MAX (req + 1, 2 * self->reqs->len));
  return &g_array_index (self->reqs, PdCriticalReq, req);
}

/* The wait of the actor is over: its end is the current node. */
static void
end_wait (PdCriticalPath *self, PdCriticalActor *actor)
{
  guint32 latest = actor->latest;
  PdCriticalNode node = { .rank = actor->rank,
                          .peer = actor->rank & 0xffffff,
                          .kind = actor->begun & 0xff,
                          .arg = actor->arg,
                          .amount = actor->amount };

  if (latest == 0)
    return;
  actor->latest = 0;
  if (actor->begun == PD_CRITICAL_START)
    {
      pd_critical_put (self, &actor->at, latest);
      return;
    }
  node.when = pd_time_add (pd_critical_when (self, latest), PD_TIME (actor->overhead)).ps;
  pd_critical_put (self, &actor->at, pd_critical_add (self, latest, &node));
  pd_critical_unref (self, latest);
  if (actor->extra <= 0)
    return;
  node.when = pd_time_add (PD_TIME (node.when), PD_TIME (actor->extra)).ps;
  node.kind = PD_CRITICAL_FUNCTION;
  node.arg = 0;
  node.amount = 0;
  pd_critical_put (self, &actor->at, pd_critical_add (self, actor->at, &node));
}

/* One more moment of the actor; a second one of the same kind is not added. */
static void
go_to (PdCriticalPath *self, PdCriticalActor *actor, const PdCriticalNode *node)
{
  PdCriticalNode *at = &self->nodes[actor->at];
  gboolean is_more =
      at->refs == 1 && at->kind == node->kind && at->arg == node->arg && at->rank == node->rank;

  if (!is_more)
    {
      pd_critical_put (self, &actor->at, pd_critical_add (self, actor->at, node));
      return;
    }
  at->when = node->when;
  at->amount += node->amount;
}

guint32
pd_critical_advance (PdCriticalPath *self, PdCriticalActor *actor, PdTime when, PdCriticalKind kind,
                     guint32 arg)
{
  PdCriticalNode node = { .when = when.ps,
                          .rank = actor->rank,
                          .peer = actor->rank & 0xffffff,
                          .kind = kind & 0xff,
                          .arg = arg };

  end_wait (self, actor);
  if (pd_critical_when (self, actor->at).ps < when.ps)
    go_to (self, actor, &node);
  return actor->at;
}

guint32
pd_critical_advance_implicit (PdCriticalPath *self, PdCriticalActor *actor, PdTime when)
{
  return self->is_explicit
             ? pd_critical_advance (self, actor, when, PD_CRITICAL_LIBRARY, PD_N_LIBRARY_PARTS)
             : pd_critical_advance (self, actor, when, PD_CRITICAL_WORK, actor->place);
}

/* Likewise with @amount of a parameter of the software, even if that is 0. */
static guint32
spend (PdCriticalPath *self, PdCriticalActor *actor, PdTime when, PdCriticalKind kind, guint32 what,
       gint64 amount)
{
  PdCriticalNode node = { .when = when.ps,
                          .rank = actor->rank,
                          .peer = actor->rank & 0xffffff,
                          .kind = kind & 0xff,
                          .arg = what,
                          .amount = amount };

  end_wait (self, actor);
  go_to (self, actor, &node);
  return actor->at;
}

guint32
pd_critical_spend (PdCriticalPath *self, PdCriticalActor *actor, PdTime when,
                   PdCriticalSoftware what, gint64 amount)
{
  return spend (self, actor, when, PD_CRITICAL_SOFTWARE, what, amount);
}

/* ---- the program's side */

void
pd_critical_set_place (PdCriticalPath *self, guint32 rank, guint32 place)
{
  self->ranks[rank].place = place;
}

void
pd_critical_set_explicit_work (PdCriticalPath *self)
{
  self->is_explicit = TRUE;
}

static void
notify (PdCriticalPath *self, const PdCriticalInterval *interval, PdCriticalKind kind)
{
  PdCriticalActor *actor = &self->ranks[interval->rank];

  pd_critical_advance_implicit (self, actor, interval->since);
  pd_critical_advance (self, actor, interval->until, kind, interval->place);
}

void
pd_critical_library (PdCriticalPath *self, const PdCriticalInterval *interval, PdLibraryPart part,
                     gdouble amount)
{
  PdCriticalActor *actor = &self->ranks[interval->rank];

  pd_critical_advance_implicit (self, actor, interval->since);
  spend (self, actor, interval->until, PD_CRITICAL_LIBRARY, part,
         llround (amount * PD_CRITICAL_LIBRARY_UNIT));
}

void
pd_critical_work (PdCriticalPath *self, const PdCriticalInterval *interval)
{
  notify (self, interval, PD_CRITICAL_WORK);
}

void
pd_critical_delay (PdCriticalPath *self, const PdCriticalInterval *interval)
{
  notify (self, interval, PD_CRITICAL_DELAY);
}

void
pd_critical_io (PdCriticalPath *self, const PdCriticalInterval *interval)
{
  notify (self, interval, PD_CRITICAL_IO);
}
