/* Matching messages with receives, each side in order. The first posted
 * receive of a rank lies in its PdGoalHost, the next ones in a list; what gets
 * long moves into one hash table of all ranks for good, with a list for each
 * form in which it may be asked for: by source, by a wildcard in its place, or
 * whatever its source; likewise for the tag.
 * SPDX-License-Identifier: MIT */
#include "predictor/pd-goal-private.h"

#define SCAN_MAX 16 /* a list in which more must be looked at is long */

typedef enum
{
  SIDE_RECVS = 0,
  SIDE_MESSAGES = 1,
} Side;

/* How a source or a tag is named in a key of the index; as bits in sets. */
typedef enum
{
  FORM_VALUE = 1, /* by its value */
  FORM_WILD = 2,  /* it is a wildcard */
  FORM_ALL = 4,   /* whatever it is */
} Form;

typedef struct
{
  guint64 a, b;
} Key;

static Key
make_key (guint32 host, Side side, const PdGoalNode *node, guint source_form, guint tag_form)
{
  guint32 source = source_form == FORM_VALUE ? node->source : 0;
  guint32 tag = tag_form == FORM_VALUE ? node->tag : 0;

  return (Key){ (guint64) host << 32 | source,
                (guint64) tag << 8 | (guint64) side << 7 | source_form << 3 | tag_form };
}

/* ---- lists of the index: the value is first | last << 32 */

static void
append (PdGoal *self, Key key, guint32 item)
{
  guint64 *list = pd_goal_table_get (&self->index, key.a, key.b, G_MAXUINT64);

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
      pd_goal_table_remove (&self->index, list);
      return NULL;
    }
  *list = (*list & ~(guint64) G_MAXUINT32) | next;
  return list;
}

/* Returns the first node of a list that was not taken, or PD_GOAL_NONE. */
static guint32
get_first (PdGoal *self, Key key)
{
  guint64 *list = pd_goal_table_find (&self->index, key.a, key.b);

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
index_add (PdGoal *self, guint32 host, Side side, guint32 node)
{
  const PdGraphTotals *totals = pd_graph_get_totals (self->graph);
  gboolean of_messages = side == SIDE_MESSAGES;
  PdGoalNode copy = self->nodes[node];
  guint sources = copy.source == PD_GRAPH_ANY ? FORM_WILD : FORM_VALUE;
  guint tags = copy.tag == PD_GRAPH_ANY ? FORM_WILD : FORM_VALUE;

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
          append (self, make_key (host, side, &copy, source, tag), item);
        }
}

static gboolean
comes_first (const PdGoal *self, Side side, guint32 node, guint32 other)
{
  const PdGoalNode *a = &self->nodes[node], *b = &self->nodes[other];

  if (other == PD_GOAL_NONE)
    return TRUE;
  if (side == SIDE_RECVS && a->time != b->time)
    return a->time < b->time;
  return a->number < b->number;
}

/* Takes out the first that matches @want, into @taken. */
static gboolean
index_take (PdGoal *self, guint32 host, Side side, const PdGoalNode *want, PdGoalNode *taken)
{
  const PdGraphTotals *totals = pd_graph_get_totals (self->graph);
  gboolean of_messages = side == SIDE_MESSAGES;
  guint sources = FORM_VALUE, tags = FORM_VALUE;
  guint32 found = PD_GOAL_NONE;
  Key found_key = { 0, 0 };

  if (want->source == PD_GRAPH_ANY)
    sources = FORM_ALL;
  else if (!of_messages && totals->any_source)
    sources |= FORM_WILD;
  if (want->tag == PD_GRAPH_ANY)
    tags = FORM_ALL;
  else if (of_messages ? totals->sends_any : totals->any_tag)
    tags |= FORM_WILD;
  for (guint source = FORM_VALUE; source <= FORM_ALL; source <<= 1)
    for (guint tag = FORM_VALUE; tag <= FORM_ALL; tag <<= 1)
      if (sources & source && tags & tag)
        {
          Key key = make_key (host, side, want, source, tag);
          guint32 node = get_first (self, key);
          if (node != PD_GOAL_NONE && comes_first (self, side, node, found))
            {
              found = node;
              found_key = key;
            }
        }
  if (found == PD_GOAL_NONE)
    return FALSE;
  *taken = self->nodes[found];
  self->nodes[found].child |= PD_GOAL_NODE_TAKEN;
  drop_first (self, pd_goal_table_find (&self->index, found_key.a, found_key.b));
  return TRUE;
}

/* ---- circular lists, known by their last */

static void
list_append (PdGoal *self, guint32 *last, guint32 node)
{
  if (*last == PD_GOAL_NONE)
    self->nodes[node].next = node;
  else
    {
      self->nodes[node].next = self->nodes[*last].next;
      self->nodes[*last].next = node;
    }
  *last = node;
}

static void
list_unlink (PdGoal *self, guint32 *last, guint32 before, guint32 node)
{
  if (before == node)
    *last = PD_GOAL_NONE;
  else
    {
      self->nodes[before].next = self->nodes[node].next;
      if (*last == node)
        *last = before;
    }
}

typedef enum
{
  SCAN_NOTHING,
  SCAN_FOUND,
  SCAN_LONG,
} Scan;

/* Takes out the first of a list that matches. */
static Scan
list_take (PdGoal *self, Side side, guint32 *last, const PdGoalNode *want, PdGoalNode *taken)
{
  guint32 before = *last;

  for (guint n = 0; before != PD_GOAL_NONE; n++)
    {
      guint32 node = self->nodes[before].next;
      const PdGoalNode *item = &self->nodes[node];
      if (n == SCAN_MAX)
        return SCAN_LONG;
      if (side == SIDE_MESSAGES ? pd_goal_match (item->source, item->tag, want->source, want->tag)
                                : pd_goal_match (want->source, want->tag, item->source, item->tag))
        {
          *taken = *item;
          list_unlink (self, last, before, node);
          pd_goal_node_free (self, node);
          return SCAN_FOUND;
        }
      if (node == *last)
        return SCAN_NOTHING;
      before = node;
    }
  return SCAN_NOTHING;
}

/* Moves a list into the index. */
static void
move_to_index (PdGoal *self, guint32 host, Side side, guint32 *last)
{
  guint32 end = *last, node = end != PD_GOAL_NONE ? self->nodes[end].next : end;

  *last = PD_GOAL_INDEXED;
  while (node != PD_GOAL_NONE)
    {
      guint32 next = self->nodes[node].next;
      index_add (self, host, side, node);
      node = node == end ? PD_GOAL_NONE : next;
    }
}

/* ---- receives */

static guint32
make_recv (PdGoal *self, guint32 host, const PdGoalPosted *posted)
{
  const PdGraphCell *cell = &self->cells[self->hosts[host].first + posted->op];
  guint32 node = pd_goal_node_new (self);

  self->nodes[node] = (PdGoalNode){ .time = posted->time,
                                    .number = posted->number,
                                    .op = posted->op,
                                    .source = cell->peer,
                                    .tag = pd_goal_cell_tag (self, cell) };
  return node;
}

void
pd_goal_post_recv (PdGoal *self, guint32 host, const PdGoalPosted *posted)
{
  PdGoalHost *at = &self->hosts[host];

  if (at->recvs == PD_GOAL_INDEXED)
    index_add (self, host, SIDE_RECVS, make_recv (self, host, posted));
  else if (at->recv_op == PD_GOAL_NONE)
    {
      at->recv_time = posted->time;
      at->recv_number = posted->number;
      at->recv_op = posted->op;
    }
  else
    list_append (self, &at->recvs, make_recv (self, host, posted));
}

/* The first of the list becomes the one in the host. */
static void
refill (PdGoal *self, PdGoalHost *at)
{
  guint32 node;

  at->recv_op = PD_GOAL_NONE;
  if (at->recvs == PD_GOAL_NONE)
    return;
  node = self->nodes[at->recvs].next;
  at->recv_time = self->nodes[node].time;
  at->recv_number = self->nodes[node].number;
  at->recv_op = self->nodes[node].op;
  list_unlink (self, &at->recvs, at->recvs, node);
  pd_goal_node_free (self, node);
}

/* All posted receives move into the index. */
static void
index_recvs (PdGoal *self, guint32 host)
{
  PdGoalHost *at = &self->hosts[host];
  PdGoalPosted first = { at->recv_time, at->recv_number, at->recv_op };

  index_add (self, host, SIDE_RECVS, make_recv (self, host, &first));
  at->recv_op = PD_GOAL_NONE;
  move_to_index (self, host, SIDE_RECVS, &at->recvs);
}

gboolean
pd_goal_take_recv (PdGoal *self, guint32 host, guint32 source, guint32 tag, PdGoalPosted *posted)
{
  PdGoalHost *at = &self->hosts[host];
  PdGoalNode want, taken;
  Scan scan;

  if (at->recvs != PD_GOAL_INDEXED)
    {
      const PdGraphCell *cell;
      if (at->recv_op == PD_GOAL_NONE)
        return FALSE;
      cell = &self->cells[at->first + at->recv_op];
      if (pd_goal_match (source, tag, cell->peer, pd_goal_cell_tag (self, cell)))
        {
          *posted = (PdGoalPosted){ at->recv_time, at->recv_number, at->recv_op };
          refill (self, at);
          return TRUE;
        }
    }
  want.source = source;
  want.tag = tag;
  scan = at->recvs == PD_GOAL_INDEXED ? SCAN_LONG
                                      : list_take (self, SIDE_RECVS, &at->recvs, &want, &taken);
  if (scan == SCAN_LONG)
    {
      if (at->recvs != PD_GOAL_INDEXED)
        index_recvs (self, host);
      if (index_take (self, host, SIDE_RECVS, &want, &taken))
        scan = SCAN_FOUND;
    }
  if (scan == SCAN_FOUND)
    *posted = (PdGoalPosted){ taken.time, taken.number, taken.op };
  return scan == SCAN_FOUND;
}

/* ---- messages */

void
pd_goal_keep_message (PdGoal *self, guint32 host, const PdGoalNode *message)
{
  guint32 node = pd_goal_node_new (self);
  guint32 *messages = &self->hosts[host].messages;

  self->nodes[node] = *message;
  self->nodes[node].number = self->next_sequence++;
  if (*messages == PD_GOAL_INDEXED)
    index_add (self, host, SIDE_MESSAGES, node);
  else
    list_append (self, messages, node);
}

gboolean
pd_goal_take_message (PdGoal *self, guint32 host, guint32 op, PdGoalNode *message)
{
  PdGoalHost *at = &self->hosts[host];
  const PdGraphCell *cell = &self->cells[at->first + op];
  PdGoalNode want;

  if (at->messages == PD_GOAL_NONE)
    return FALSE;
  want.source = cell->peer;
  want.tag = pd_goal_cell_tag (self, cell);
  if (at->messages != PD_GOAL_INDEXED)
    {
      Scan scan = list_take (self, SIDE_MESSAGES, &at->messages, &want, message);
      if (scan != SCAN_LONG)
        return scan == SCAN_FOUND;
      move_to_index (self, host, SIDE_MESSAGES, &at->messages);
    }
  return index_take (self, host, SIDE_MESSAGES, &want, message);
}

/* ---- what is left */

static void
foreach_in_list (PdGoal *self, guint32 host, Side side, PdGoalLeftFunc found, gpointer data)
{
  guint32 last = side == SIDE_RECVS ? self->hosts[host].recvs : self->hosts[host].messages;
  guint32 node = last;

  if (last == PD_GOAL_NONE || last == PD_GOAL_INDEXED)
    return;
  do
    {
      node = self->nodes[node].next;
      found (self, host, &self->nodes[node], side == SIDE_MESSAGES, data);
    }
  while (node != last);
}

/* What is listed in several forms is found by that of its own values. */
static void
foreach_in_index (PdGoal *self, PdGoalLeftFunc found, gpointer data)
{
  for (gsize i = 0; i < self->index.size; i++)
    {
      const PdGoalEntry *entry = &self->index.entries[i];
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
  for (guint32 host = 0; host < self->n_hosts; host++)
    {
      const PdGoalHost *at = &self->hosts[host];
      if (at->recv_op != PD_GOAL_NONE)
        {
          const PdGraphCell *cell = &self->cells[at->first + at->recv_op];
          PdGoalNode node = { .op = at->recv_op,
                              .source = cell->peer,
                              .tag = pd_goal_cell_tag (self, cell) };
          found (self, host, &node, FALSE, data);
        }
      foreach_in_list (self, host, SIDE_RECVS, found, data);
      foreach_in_list (self, host, SIDE_MESSAGES, found, data);
    }
  foreach_in_index (self, found, data);
}
