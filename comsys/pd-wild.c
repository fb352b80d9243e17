/* Receives with MPI_ANY_SOURCE or MPI_ANY_TAG. From the first one on, point to
 * point messages of the whole system are matched here, not in pd-match.c (the
 * messages of collective operations stay there): when they become visible, an
 * eager one at its delivery, a rendezvous one when its announcement arrives.
 *
 * A message to target t from source s with tag g in a communicator is
 *   - until it is visible, in the heap of t's coming messages;
 *   - in the lists of (t, s, g) and of (t, s), in order of sending. Only their
 *     first ones may be received with a tag and with any tag, respectively;
 *     that is what non-overtaking means;
 *   - if it is visible and such a first one, in the heap of (t, g) or of (t):
 *     what receives from any source choose from, by (visible since, source).
 * A receive is in the list of its (t, s or any, g or any), in order of posting.
 * What could be matched always is; so when a message becomes visible or first,
 * only the heads of the four lists that it matches can gain. They are tried
 * oldest first, after all that become visible at the same moment have, and
 * everything costs O(log n).
 * SPDX-License-Identifier: MIT */
#include "comsys/pd-trail-private.h"
#include "comsys/pd-wild-private.h"

#define LINES(n_nodes) (((n_nodes) * sizeof (PdWildNode) + 63) / 64)

/* ---- keys */

/* The key of @kind for a message. */
static PdWildEntry
key_of (const PdReq *send, PdWildKind kind)
{
  gboolean with_source = kind == PD_WILD_TAG || kind == PD_WILD_SOURCE;
  gboolean with_tag = kind == PD_WILD_TAG || kind == PD_WILD_TAG_HEAP;

  return (PdWildEntry){ .kind = kind,
                        .target = send->peer,
                        .source = with_source ? send->rank : G_MAXUINT32,
                        .context = send->context,
                        .tag = with_tag ? send->tag : PD_ANY_TAG };
}

/* The list of the receives that a message matches, with a source and a tag or
 * with any. */
static PdWildEntry
key_of_receivers (const PdReq *send, gboolean any_source, gboolean any_tag)
{
  return (PdWildEntry){ .kind = PD_WILD_RECEIVES,
                        .target = send->peer,
                        .source = any_source ? G_MAXUINT32 : send->rank,
                        .context = send->context,
                        .tag = any_tag ? PD_ANY_TAG : send->tag };
}

/* ---- lists of messages */

static void
list_message (PdComsys *self, guint32 send)
{
  PdWild *wild = self->wild;
  PdReq *s = pd_req (self, send);
  PdWildEntry *of_tag = pd_wild_find (wild, key_of (s, PD_WILD_TAG), TRUE);

  s->next = 0;
  if (of_tag->head == 0)
    of_tag->head = send;
  else
    pd_req (self, of_tag->tail)->next = send;
  of_tag->tail = send;

  PdWildEntry *of_source = pd_wild_find (wild, key_of (s, PD_WILD_SOURCE), TRUE);
  wild->nodes[send].next = 0;
  wild->nodes[send].previous = of_source->head == 0 ? 0 : of_source->tail;
  if (of_source->head == 0)
    of_source->head = send;
  else
    wild->nodes[of_source->tail].next = send;
  of_source->tail = send;
  wild->n_unmatched++;
}

/* @send may be matched from now on: if it is visible, and the first one of its
 * tag (@heap is PD_WILD_TAG_HEAP) or of its source (PD_WILD_HEAP). */
static void
offer (PdComsys *self, guint32 send, PdWildKind heap)
{
  gboolean any_tag = heap == PD_WILD_HEAP;
  const PdReq *s = pd_req (self, send);

  if (send == 0 || !s->visible)
    return;
  PdWildEntry *entry = pd_wild_find (self->wild, key_of (s, heap), TRUE);
  entry->head =
      pd_wild_heap_add (self, any_tag ? PD_WILD_BY_SOURCE : PD_WILD_BY_TAG, entry->head, send);
  pd_wild_chance_add (self, pd_wild_head_of (self->wild, key_of_receivers (s, FALSE, any_tag)));
  pd_wild_chance_add (self, pd_wild_head_of (self->wild, key_of_receivers (s, TRUE, any_tag)));
}

static void
withdraw (PdComsys *self, guint32 send, PdWildKind heap)
{
  PdWildEntry *entry = pd_wild_find (self->wild, key_of (pd_req (self, send), heap), TRUE);

  entry->head = pd_wild_heap_remove (
      self, heap == PD_WILD_HEAP ? PD_WILD_BY_SOURCE : PD_WILD_BY_TAG, entry->head, send);
}

/* Takes a visible message, which is the first of its tag, out of everything. */
static void
unlist_message (PdComsys *self, guint32 send)
{
  PdWild *wild = self->wild;
  PdReq *s = pd_req (self, send);
  PdWildNode node = wild->nodes[send];
  guint32 next_of_tag = s->next;

  withdraw (self, send, PD_WILD_TAG_HEAP);
  pd_wild_find (wild, key_of (s, PD_WILD_TAG), TRUE)->head = next_of_tag;
  offer (self, next_of_tag, PD_WILD_TAG_HEAP);

  if (node.previous == 0)
    withdraw (self, send, PD_WILD_HEAP);
  PdWildEntry *of_source = pd_wild_find (wild, key_of (s, PD_WILD_SOURCE), TRUE);
  if (node.previous == 0)
    of_source->head = node.next;
  else
    wild->nodes[node.previous].next = node.next;
  if (node.next == 0)
    of_source->tail = node.previous;
  else
    wild->nodes[node.next].previous = node.previous;
  if (node.previous == 0)
    offer (self, node.next, PD_WILD_HEAP);
  s->visible = FALSE;
  wild->n_unmatched--;
}

/* ---- matching */

/* Where a receive waits. */
static PdWildEntry
key_of_receive (const PdReq *recv)
{
  return (PdWildEntry){ .kind = PD_WILD_RECEIVES,
                        .target = recv->rank,
                        .source = recv->peer,
                        .context = recv->context,
                        .tag = recv->tag };
}

static void
list_receive (PdComsys *self, guint32 recv)
{
  PdReq *r = pd_req (self, recv);
  PdWildEntry *entry = pd_wild_find (self->wild, key_of_receive (r), TRUE);

  r->next = 0;
  if (entry->head == 0)
    entry->head = recv;
  else
    pd_req (self, entry->tail)->next = recv;
  entry->tail = recv;
  self->wild->n_unmatched++;
}

static void
unlist_receive (PdComsys *self, guint32 recv)
{
  const PdReq *r = pd_req (self, recv);

  pd_wild_find (self->wild, key_of_receive (r), TRUE)->head = r->next;
  self->wild->n_unmatched--;
}

/* The message that @recv gets now; 0 = none. */
static guint32
find_message (PdComsys *self, guint32 recv)
{
  const PdReq *r = pd_req (self, recv);
  gboolean any_tag = r->tag == PD_ANY_TAG;
  PdWildEntry key = key_of_receive (r);

  key.kind = r->peer == G_MAXUINT32 ? (any_tag ? PD_WILD_HEAP : PD_WILD_TAG_HEAP)
                                    : (any_tag ? PD_WILD_SOURCE : PD_WILD_TAG);
  guint32 send = pd_wild_head_of (self->wild, key);
  return send != 0 && pd_req (self, send)->visible ? send : 0;
}

/* The receives with a chance try it, the oldest first. */
static void
take_chances (PdComsys *self)
{
  while (self->wild->chances->len > 0)
    {
      PdWildChance chance = pd_wild_chance_pop (self);
      const PdReq *r = pd_req (self, chance.recv);
      if (r->kind != PD_REQ_RECV || r->matched || pd_req_order (r) != chance.order)
        continue; /* had two, and took the other */
      guint32 send = find_message (self, chance.recv);
      if (send == 0)
        continue;
      unlist_receive (self, chance.recv);
      pd_wild_chance_add (self, pd_wild_head_of (self->wild, key_of_receive (r)));
      unlist_message (self, send);
      pd_p2p_match (self, send, chance.recv);
    }
}

static void
become_visible (PdComsys *self, guint32 send)
{
  PdReq *s = pd_req (self, send);
  guint32 *coming = &self->ranks[s->peer].coming;

  *coming = pd_wild_heap_remove (self, PD_WILD_BY_TAG, *coming, send);
  s->visible = TRUE;
  if (pd_wild_head_of (self->wild, key_of (s, PD_WILD_TAG)) == send)
    offer (self, send, PD_WILD_TAG_HEAP);
  if (self->wild->nodes[send].previous == 0)
    offer (self, send, PD_WILD_HEAP);
}

/* Whether @rank is blocked in MPI_Probe for a message that is there now. */
static void
try_probe (PdComsys *self, guint32 rank)
{
  PdRank *r = &self->ranks[rank];
  guint32 probe = r->first;

  if (probe == 0 || !pd_req (self, probe)->probe)
    return;
  guint32 send = find_message (self, probe);
  if (send == 0)
    return;
  const PdReq *s = pd_req (self, send);
  PdStatus *status = pd_req (self, probe)->status;
  if (status != NULL)
    *status = (PdStatus){ (gint32) s->source_in_comm, s->tag, s->bytes };
  r->first = r->pending = 0;
  pd_req_drop (self, probe, PD_HELD_OWNER);
  if (self->trail != NULL)
    pd_trail_finds (self, rank, send, r->overhead);
  pd_rank_return (self, rank, pd_time_add (self->now, r->overhead));
}

/* Matches what can be matched. A match may make other messages arrive at once,
 * which comes back here: one loop does it all. */
static void
pump (PdComsys *self)
{
  PdWild *wild = self->wild;

  if (wild->pumping)
    return;
  wild->pumping = TRUE;
  take_chances (self);
  for (guint i = 0; i < wild->targets->len; i++)
    {
      const guint32 *coming = &self->ranks[g_array_index (wild->targets, guint32, i)].coming;
      while (*coming != 0 && pd_req (self, *coming)->arrival.ps <= self->now.ps)
        become_visible (self, *coming);
      take_chances (self);
      try_probe (self, g_array_index (wild->targets, guint32, i));
    }
  g_array_set_size (wild->targets, 0);
  wild->pumping = FALSE;
}

void
pd_wild_visible (PdComsys *self, guint32 rank)
{
  g_array_append_val (self->wild->targets, rank);
  pump (self);
}

void
pd_wild_arrival_known (PdComsys *self, guint32 send)
{
  const PdReq *s = pd_req (self, send);
  guint32 *coming = &self->ranks[s->peer].coming;

  if (self->wild == NULL || s->collective)
    return;
  *coming = pd_wild_heap_add (self, PD_WILD_BY_TAG, *coming, send);
  pd_comsys_at (self, s->arrival, PD_EVENT_VISIBLE, s->peer, s->peer);
}

/* ---- coming in */

static void
make_room (PdComsys *self)
{
  PdWild *wild = self->wild;

  if (wild->room >= self->reqs_room)
    return;
  wild->nodes = pd_lines_resize (wild->nodes, LINES (wild->room), LINES ((gsize) self->reqs_room));
  wild->room = self->reqs_room;
}

static int
compare_order (gconstpointer a, gconstpointer b, gpointer data)
{
  const PdReq *x = pd_req (data, *(const guint32 *) a), *y = pd_req (data, *(const guint32 *) b);

  if (x->kind != y->kind)
    return x->kind == PD_REQ_SEND ? -1 : 1;
  return pd_req_order (x) < pd_req_order (y) ? -1 : 1;
}

/* Takes over what waits in pd-match.c, in order; once in the life of a system.
 * Messages that exact receives have got stay theirs, visible or not. */
static void
take_over (PdComsys *self)
{
  g_autoptr (GArray) waiting = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint32 i = 1; i < self->n_reqs; i++)
    if (pd_req (self, i)->queued && !pd_req (self, i)->collective)
      g_array_append_val (waiting, i);
  g_array_sort_with_data (waiting, compare_order, self);
  for (guint i = 0; i < waiting->len; i++)
    pd_match_remove (self, g_array_index (waiting, guint32, i));
  for (guint i = 0; i < waiting->len; i++)
    {
      guint32 req = g_array_index (waiting, guint32, i);
      if (pd_req (self, req)->kind == PD_REQ_SEND)
        pd_wild_send (self, req);
      else
        list_receive (self, req); /* nothing matches it: both were in the same queue */
    }
}

static void
create (PdComsys *self)
{
  PdWild *wild = g_new0 (PdWild, 1);

  self->wild = wild;
  pd_wild_table_init (wild);
  wild->chances = g_array_new (FALSE, FALSE, sizeof (PdWildChance));
  wild->targets = g_array_new (FALSE, FALSE, sizeof (guint32));
  make_room (self);
  take_over (self);
}

void
pd_wild_free (PdWild *self)
{
  if (self == NULL)
    return;
  g_free (self->entries);
  pd_lines_free (self->nodes, LINES (self->room));
  g_array_unref (self->chances);
  g_array_unref (self->targets);
  g_free (self);
}

guint64
pd_wild_get_n_unmatched (const PdWild *self)
{
  return self->n_unmatched;
}

void
pd_wild_recv (PdComsys *self, guint32 recv)
{
  if (self->wild == NULL)
    create (self);
  make_room (self);
  pd_wild_visible (self, pd_req (self, recv)->rank);
  guint32 send = find_message (self, recv);
  if (send == 0)
    {
      list_receive (self, recv);
      return;
    }
  unlist_message (self, send);
  pd_p2p_match (self, send, recv);
  pump (self);
}

void
pd_wild_remove (PdComsys *self, guint32 recv)
{
  const PdReq *r = pd_req (self, recv);
  PdWildEntry *entry = pd_wild_find (self->wild, key_of_receive (r), TRUE);
  guint32 before = 0;

  for (guint32 at = entry->head; at != recv; at = pd_req (self, at)->next)
    before = at;
  if (before == 0)
    entry->head = r->next;
  else
    pd_req (self, before)->next = r->next;
  if (entry->tail == recv)
    entry->tail = before;
  self->wild->n_unmatched--;
}

guint32
pd_wild_probe (PdComsys *self, guint32 probe)
{
  if (self->wild == NULL)
    create (self);
  make_room (self);
  pd_wild_visible (self, pd_req (self, probe)->rank);
  return find_message (self, probe);
}

void
pd_wild_send (PdComsys *self, guint32 send)
{
  make_room (self);
  list_message (self, send);
  if (!pd_time_is_pending (pd_req (self, send)->arrival))
    pd_wild_arrival_known (self, send);
}
