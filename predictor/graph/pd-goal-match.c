/* Matching messages with receives, each side in order, in a list; what gets
 * long moves into one hash table of all ranks for good, with a list for each
 * form in which it may be asked for: by source, by a wildcard in its place, or
 * whatever its source; likewise for the tag.
 * SPDX-License-Identifier: MIT */
#include "predictor/graph/pd-goal-private.h"
#include "predictor/graph/pd-goal-match-private.h"

#define SCAN_MAX 16 /* a list in which more must be looked at is long */

typedef enum
{
  SIDE_RECVS = 0,
  SIDE_MESSAGES = 1,
} Side;

/* How a source or a tag is named in a key of the index; as bits in sets. */
typedef enum
{
  FORM_VALUE = 1,    /* by its value */
  FORM_WILDCARD = 2, /* it is a wildcard */
  FORM_ALL = 4,      /* whatever it is */
} Form;

typedef struct
{
  guint64 a, b;
} Key;

static Key
make_key (guint32 rank, Side side, const PdGoalNode *node, guint source_form, guint tag_form)
{
  guint32 source = source_form == FORM_VALUE ? node->source : 0;
  guint32 tag = tag_form == FORM_VALUE ? node->tag : 0;

  return (Key){ (guint64) rank << 32 | source,
                (guint64) tag << 8 | (guint64) side << 7 | source_form << 3 | tag_form };
}

/* ---- lists of the index: the value is first | last << 32 */

static void
append (PdGoal *self, Key key, guint32 item)
{
  guint64 *list = pd_hash_map_get (&self->index, key.a, key.b, G_MAXUINT64);

  self->nodes[item].next = PD_GOAL_NONE;
  if (*list == G_MAXUINT64)
    *list = (guint64) item << 32 | item;
  else
    {
      self->nodes[*list >> 32].next = item;
      *list = (guint64) item << 32 | (guint32) *list;
    }
}

/* Takes the first item off; returns the rest, NULL if there is none. */
static guint64 *
drop_first (PdGoal *self, guint64 *list)
{
  guint32 item = (guint32) *list, next = self->nodes[item].next, node = item;

  if (self->linked)
    {
      node = self->nodes[item].op;
      self->nodes[node].child--;
      pd_goal_node_free (self, item);
    }
  if ((self->nodes[node].child & PD_GOAL_NODE_LINKS) == 0)
    pd_goal_node_free (self, node);
  if (next == PD_GOAL_NONE)
    {
      pd_hash_map_remove (&self->index, list);
      return NULL;
    }
  *list = (*list & ~(guint64) G_MAXUINT32) | next;
  return list;
}

/* Returns the first node of a list that was not taken, or PD_GOAL_NONE. */
static guint32
get_first (PdGoal *self, Key key)
{
  guint64 *list = pd_hash_map_find (&self->index, key.a, key.b);

  while (list != NULL)
    {
      guint32 item = (guint32) *list;
      guint32 node = self->linked ? self->nodes[item].op : item;
      if ((self->nodes[node].child & PD_GOAL_NODE_TAKEN) == 0)
        return node;
      list = drop_first (self, list);
    }
  return PD_GOAL_NONE;
}

/* ---- the index */

/* Enters @node, under each form in which it may be asked for. */
static void
index_add (PdGoal *self, guint32 rank, Side side, guint32 node)
{
  const PdGraphTotals *totals = pd_graph_get_totals (self->graph);
  gboolean of_messages = side == SIDE_MESSAGES;
  PdGoalNode copy = self->nodes[node];
  guint sources = copy.source == PD_GRAPH_ANY ? FORM_WILDCARD : FORM_VALUE;
  guint tags = copy.tag == PD_GRAPH_ANY ? FORM_WILDCARD : FORM_VALUE;

  if (of_messages && totals->any_source)
    sources |= FORM_ALL;
  if (of_messages ? totals->any_tag : totals->sends_any)
    tags |= FORM_ALL;
  for (guint source = FORM_VALUE; source <= FORM_ALL; source <<= 1)
    for (guint tag = FORM_VALUE; tag <= FORM_ALL; tag <<= 1)
      if (sources & source && tags & tag)
        {
          guint32 item = node;
          if (self->linked)
            {
              item = pd_goal_node_new (self);
              self->nodes[item].op = node;
              self->nodes[node].child++;
            }
          append (self, make_key (rank, side, &copy, source, tag), item);
        }
}

static gboolean
comes_first (const PdGoal *self, guint32 node, guint32 other)
{
  return other == PD_GOAL_NONE || self->nodes[node].number < self->nodes[other].number;
}

/* Takes out the first that matches @want, into @taken. */
static gboolean
index_take (PdGoal *self, guint32 rank, Side side, const PdGoalNode *want, PdGoalNode *taken)
{
  const PdGraphTotals *totals = pd_graph_get_totals (self->graph);
  gboolean of_messages = side == SIDE_MESSAGES;
  guint sources = FORM_VALUE, tags = FORM_VALUE;
  guint32 found = PD_GOAL_NONE;
  Key found_key = { 0, 0 };

  if (want->source == PD_GRAPH_ANY)
    sources = FORM_ALL;
  else if (!of_messages && totals->any_source)
    sources |= FORM_WILDCARD;
  if (want->tag == PD_GRAPH_ANY)
    tags = FORM_ALL;
  else if (of_messages ? totals->sends_any : totals->any_tag)
    tags |= FORM_WILDCARD;
  for (guint source = FORM_VALUE; source <= FORM_ALL; source <<= 1)
    for (guint tag = FORM_VALUE; tag <= FORM_ALL; tag <<= 1)
      if (sources & source && tags & tag)
        {
          Key key = make_key (rank, side, want, source, tag);
          guint32 node = get_first (self, key);
          if (node != PD_GOAL_NONE && comes_first (self, node, found))
            {
              found = node;
              found_key = key;
            }
        }
  if (found == PD_GOAL_NONE)
    return FALSE;
  *taken = self->nodes[found];
  self->nodes[found].child |= PD_GOAL_NODE_TAKEN;
  drop_first (self, pd_hash_map_find (&self->index, found_key.a, found_key.b));
  return TRUE;
}

/* ---- receives */

static guint32
make_recv (PdGoal *self, guint32 rank, const PdGoalPosted *posted)
{
  const PdGraphCell *cell = &self->cells[self->ranks[rank].first + posted->op];
  guint32 node = pd_goal_node_new (self);

  self->nodes[node] = (PdGoalNode){ .number = posted->number,
                                    .op = posted->op,
                                    .source = cell->peer,
                                    .tag = pd_goal_cell_tag (self, cell) };
  return node;
}

/* All posted receives move into the index. */
static void
index_recvs (PdGoal *self, guint32 rank)
{
  PdGoalRank *at = &self->ranks[rank];
  const PdGoalOp *ops = pd_goal_ops (self, at);
  guint32 last = at->lists[PD_GRAPH_RECV], op = last;

  at->lists[PD_GRAPH_RECV] = PD_GOAL_INDEXED;
  do
    {
      op = ops[op].next;
      index_add (self, rank, SIDE_RECVS,
                 make_recv (self, rank, &(PdGoalPosted){ ops[op].number, op }));
    }
  while (op != last);
}

void
pd_goal_post_recv (PdGoal *self, guint32 rank, const PdGoalPosted *posted)
{
  PdGoalRank *at = &self->ranks[rank];

  if (G_UNLIKELY (at->lists[PD_GRAPH_RECV] == PD_GOAL_INDEXED))
    index_add (self, rank, SIDE_RECVS, make_recv (self, rank, posted));
  else
    pd_goal_append_op (self, at, &at->lists[PD_GRAPH_RECV], posted->op, posted->number);
}

static gboolean
index_take_recv (PdGoal *self, guint32 rank, guint32 source, guint32 tag, PdGoalPosted *posted)
{
  PdGoalNode want = { .source = source, .tag = tag }, taken;

  if (!index_take (self, rank, SIDE_RECVS, &want, &taken))
    return FALSE;
  *posted = (PdGoalPosted){ taken.number, taken.op };
  return TRUE;
}

gboolean
pd_goal_take_recv (PdGoal *self, guint32 rank, guint32 source, guint32 tag, PdGoalPosted *posted)
{
  PdGoalRank *at = &self->ranks[rank];
  PdGoalOp *ops = pd_goal_ops (self, at);
  guint32 before = at->lists[PD_GRAPH_RECV];

  if (before == PD_GOAL_INDEXED)
    return index_take_recv (self, rank, source, tag, posted);
  if (before == PD_GOAL_NONE)
    return FALSE;
  for (guint n = 0; n < SCAN_MAX; n++)
    {
      guint32 op = ops[before].next;
      const PdGraphCell *cell = &self->cells[at->first + op];
      if (pd_goal_match (source, tag, cell->peer, pd_goal_cell_tag (self, cell)))
        {
          *posted = (PdGoalPosted){ ops[op].number, op };
          pd_goal_list_unlink (ops, sizeof *ops, &at->lists[PD_GRAPH_RECV], before);
          return TRUE;
        }
      if (op == at->lists[PD_GRAPH_RECV])
        return FALSE;
      before = op;
    }
  index_recvs (self, rank);
  return index_take_recv (self, rank, source, tag, posted);
}

/* ---- messages */

/* All messages kept move into the index. */
static void
index_messages (PdGoal *self, guint32 rank)
{
  guint32 *messages = &self->ranks[rank].messages, last = *messages;
  guint32 node = PD_GOAL_NONE, next = self->nodes[last].next;

  *messages = PD_GOAL_INDEXED;
  while (node != last)
    {
      node = next;
      next = self->nodes[node].next;
      index_add (self, rank, SIDE_MESSAGES, node);
    }
}

void
pd_goal_keep_message (PdGoal *self, guint32 rank, const PdGoalNode *message)
{
  guint32 node = pd_goal_node_new (self);
  guint32 *messages = &self->ranks[rank].messages;

  self->nodes[node] = *message;
  self->nodes[node].number = self->next_sequence++;
  if (*messages == PD_GOAL_INDEXED)
    index_add (self, rank, SIDE_MESSAGES, node);
  else
    pd_goal_list_append (self->nodes, sizeof *self->nodes, messages, node);
}

gboolean
pd_goal_take_message (PdGoal *self, guint32 rank, guint32 op, PdGoalNode *message)
{
  PdGoalRank *at = &self->ranks[rank];
  const PdGraphCell *cell = &self->cells[at->first + op];
  PdGoalNode want = { .source = cell->peer, .tag = pd_goal_cell_tag (self, cell) };
  guint32 before = at->messages;

  if (before == PD_GOAL_NONE)
    return FALSE;
  if (before == PD_GOAL_INDEXED)
    return index_take (self, rank, SIDE_MESSAGES, &want, message);
  for (guint n = 0; n < SCAN_MAX; n++)
    {
      guint32 node = self->nodes[before].next;
      const PdGoalNode *item = &self->nodes[node];
      if (pd_goal_match (item->source, item->tag, want.source, want.tag))
        {
          *message = *item;
          pd_goal_list_unlink (self->nodes, sizeof *self->nodes, &at->messages, before);
          pd_goal_node_free (self, node);
          return TRUE;
        }
      if (node == at->messages)
        return FALSE;
      before = node;
    }
  index_messages (self, rank);
  return index_take (self, rank, SIDE_MESSAGES, &want, message);
}

/* ---- unmatched entries */

static void
foreach_recv (PdGoal *self, guint32 rank, PdGoalLeftFunc found, gpointer data)
{
  const PdGoalRank *at = &self->ranks[rank];
  guint32 op = at->lists[PD_GRAPH_RECV];

  if (op == PD_GOAL_NONE || op == PD_GOAL_INDEXED)
    return;
  do
    {
      const PdGraphCell *cell = &self->cells[at->first + op];
      PdGoalNode node = { .op = op, .source = cell->peer, .tag = pd_goal_cell_tag (self, cell) };
      found (self, rank, &node, FALSE, data);
      op = pd_goal_ops (self, at)[op].next;
    }
  while (op != at->lists[PD_GRAPH_RECV]);
}

static void
foreach_message (PdGoal *self, guint32 rank, PdGoalLeftFunc found, gpointer data)
{
  guint32 last = self->ranks[rank].messages, node = last;

  if (last == PD_GOAL_NONE || last == PD_GOAL_INDEXED)
    return;
  do
    {
      node = self->nodes[node].next;
      found (self, rank, &self->nodes[node], TRUE, data);
    }
  while (node != last);
}

/* An entry listed in several forms is found by the form of its own values. */
static void
foreach_in_index (PdGoal *self, PdGoalLeftFunc found, gpointer data)
{
  for (gsize i = 0; i < self->index.size; i++)
    {
      const PdHashMapEntry *entry = &self->index.entries[i];
      if (entry->b == 0 || entry->b & (FORM_ALL << 3 | FORM_ALL))
        continue;
      for (guint32 item = (guint32) entry->value; item != PD_GOAL_NONE;
           item = self->nodes[item].next)
        {
          const PdGoalNode *node = &self->nodes[self->linked ? self->nodes[item].op : item];
          if ((node->child & PD_GOAL_NODE_TAKEN) == 0)
            found (self, (guint32) (entry->a >> 32), node, entry->b >> 7 & 1, data);
        }
    }
}

void
pd_goal_foreach_left (PdGoal *self, PdGoalLeftFunc found, gpointer data)
{
  for (guint32 rank = 0; rank < self->n_ranks; rank++)
    {
      foreach_recv (self, rank, found, data);
      foreach_message (self, rank, found, data);
    }
  foreach_in_index (self, found, data);
}
