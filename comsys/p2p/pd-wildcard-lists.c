/* Receives with MPI_ANY_SOURCE or MPI_ANY_TAG. From the first one on, point to
 * point messages of the whole system are matched by pd-wildcard.c, not in pd-match.c (the
 * messages of collective operations stay there): when they become visible, an
 * eager one at its delivery, a rendezvous one when its announcement arrives.
 *
 * A message to target t from source s with tag g in a communicator is
 *   - until it is visible, in the heap of t's coming messages;
 *   - in the lists of (t, s, g) and of (t, s), in order of sending. Only their
 *     first ones may be received with a tag and with any tag, respectively;
 *     that is what non-overtaking means;
 *   - if it is visible and such a first one, in the heap of (t, g) or of (t):
 *     the candidates of receives from any source, by (visible since, source).
 * A receive is in the list of its (t, s or any, g or any), in order of posting.
 * Every possible match is made; so when a message becomes visible or first,
 * only the heads of the four lists that it matches can gain. They are tried
 * oldest first, after all that become visible at the same moment have, and
 * everything costs O(log n).
 * SPDX-License-Identifier: MIT */
#include "comsys/p2p/pd-wildcard-lists.h"

#include "comsys/p2p/pd-scheduler-internal.h"
#include "comsys/p2p/pd-wildcard-table-private.h"
#include "comsys/queue/pd-lines.h"
#include "comsys/state/pd-comsys-types.h"
#include "comsys/state/pd-lookup.h"

#define LINES(n_nodes) (((n_nodes) * sizeof (PdWildcardNode) + 63) / 64)

/* ---- keys */

/* The key of @kind for a message. */
static PdWildcardEntry
key_of (const PdReq *send, PdWildcardKind kind)
{
  gboolean with_source = kind == PD_WILDCARD_TAG || kind == PD_WILDCARD_SOURCE;
  gboolean with_tag = kind == PD_WILDCARD_TAG || kind == PD_WILDCARD_TAG_HEAP;

  return (PdWildcardEntry){ .kind = kind,
                            .target = send->peer,
                            .source = with_source ? send->rank : G_MAXUINT32,
                            .context = send->context,
                            .tag = with_tag ? send->tag : PD_ANY_TAG };
}

/* The list of the receives that a message matches, with a source and a tag or
 * with any. */
static PdWildcardEntry
key_of_receivers (const PdReq *send, gboolean any_source, gboolean any_tag)
{
  return (PdWildcardEntry){ .kind = PD_WILDCARD_RECEIVES,
                            .target = send->peer,
                            .source = any_source ? G_MAXUINT32 : send->rank,
                            .context = send->context,
                            .tag = any_tag ? PD_ANY_TAG : send->tag };
}

/* ---- lists of messages */

void
pd_wildcard_list_message (PdComsys *self, guint32 send)
{
  PdWildcard *wildcards = self->wildcards;
  PdReq *s = pd_req (self, send);
  PdWildcardEntry *of_tag = pd_wildcard_find (wildcards, key_of (s, PD_WILDCARD_TAG), TRUE);

  s->next = 0;
  if (of_tag->head == 0)
    of_tag->head = send;
  else
    pd_req (self, of_tag->tail)->next = send;
  of_tag->tail = send;

  PdWildcardEntry *of_source = pd_wildcard_find (wildcards, key_of (s, PD_WILDCARD_SOURCE), TRUE);
  wildcards->nodes[send].next = 0;
  wildcards->nodes[send].previous = of_source->head == 0 ? 0 : of_source->tail;
  if (of_source->head == 0)
    of_source->head = send;
  else
    wildcards->nodes[of_source->tail].next = send;
  of_source->tail = send;
  wildcards->n_unmatched++;
}

/* @send may be matched from now on: if it is visible, and the first one of its
 * tag (@heap is PD_WILDCARD_TAG_HEAP) or of its source (PD_WILDCARD_HEAP). */
static void
offer (PdComsys *self, guint32 send, PdWildcardKind heap)
{
  gboolean any_tag = heap == PD_WILDCARD_HEAP;
  const PdReq *s = pd_req (self, send);

  if (send == 0 || !s->visible)
    return;
  PdWildcardEntry *entry = pd_wildcard_find (self->wildcards, key_of (s, heap), TRUE);
  entry->head = pd_wildcard_heap_add (self, any_tag ? PD_WILDCARD_BY_SOURCE : PD_WILDCARD_BY_TAG,
                                      entry->head, send);
  pd_wildcard_chance_add (
      self, pd_wildcard_head_of (self->wildcards, key_of_receivers (s, FALSE, any_tag)));
  pd_wildcard_chance_add (
      self, pd_wildcard_head_of (self->wildcards, key_of_receivers (s, TRUE, any_tag)));
}

static void
withdraw (PdComsys *self, guint32 send, PdWildcardKind heap)
{
  PdWildcardEntry *entry =
      pd_wildcard_find (self->wildcards, key_of (pd_req (self, send), heap), TRUE);

  entry->head = pd_wildcard_heap_remove (
      self, heap == PD_WILDCARD_HEAP ? PD_WILDCARD_BY_SOURCE : PD_WILDCARD_BY_TAG, entry->head,
      send);
}

void
pd_wildcard_unlist_message (PdComsys *self, guint32 send)
{
  PdWildcard *wildcards = self->wildcards;
  PdReq *s = pd_req (self, send);
  PdWildcardNode node = wildcards->nodes[send];
  guint32 next_of_tag = s->next;

  withdraw (self, send, PD_WILDCARD_TAG_HEAP);
  pd_wildcard_find (wildcards, key_of (s, PD_WILDCARD_TAG), TRUE)->head = next_of_tag;
  offer (self, next_of_tag, PD_WILDCARD_TAG_HEAP);

  if (node.previous == 0)
    withdraw (self, send, PD_WILDCARD_HEAP);
  PdWildcardEntry *of_source = pd_wildcard_find (wildcards, key_of (s, PD_WILDCARD_SOURCE), TRUE);
  if (node.previous == 0)
    of_source->head = node.next;
  else
    wildcards->nodes[node.previous].next = node.next;
  if (node.next == 0)
    of_source->tail = node.previous;
  else
    wildcards->nodes[node.next].previous = node.previous;
  if (node.previous == 0)
    offer (self, node.next, PD_WILDCARD_HEAP);
  s->visible = FALSE;
  wildcards->n_unmatched--;
}

/* ---- matching */

/* Where a receive waits. */
static PdWildcardEntry
key_of_receive (const PdReq *recv)
{
  return (PdWildcardEntry){ .kind = PD_WILDCARD_RECEIVES,
                            .target = recv->rank,
                            .source = recv->peer,
                            .context = recv->context,
                            .tag = recv->tag };
}

void
pd_wildcard_list_receive (PdComsys *self, guint32 recv)
{
  PdReq *r = pd_req (self, recv);
  PdWildcardEntry *entry = pd_wildcard_find (self->wildcards, key_of_receive (r), TRUE);

  r->next = 0;
  if (entry->head == 0)
    entry->head = recv;
  else
    pd_req (self, entry->tail)->next = recv;
  entry->tail = recv;
  self->wildcards->n_unmatched++;
}

void
pd_wildcard_unlist_receive (PdComsys *self, guint32 recv)
{
  const PdReq *r = pd_req (self, recv);

  pd_wildcard_find (self->wildcards, key_of_receive (r), TRUE)->head = r->next;
  self->wildcards->n_unmatched--;
  pd_wildcard_chance_add (self, pd_wildcard_head_of (self->wildcards, key_of_receive (r)));
}

guint32
pd_wildcard_find_message (PdComsys *self, guint32 recv)
{
  const PdReq *r = pd_req (self, recv);
  gboolean any_tag = r->tag == PD_ANY_TAG;
  PdWildcardEntry key = key_of_receive (r);

  key.kind = r->peer == G_MAXUINT32 ? (any_tag ? PD_WILDCARD_HEAP : PD_WILDCARD_TAG_HEAP)
                                    : (any_tag ? PD_WILDCARD_SOURCE : PD_WILDCARD_TAG);
  guint32 send = pd_wildcard_head_of (self->wildcards, key);
  return send != 0 && pd_req (self, send)->visible ? send : 0;
}

void
pd_wildcard_become_visible (PdComsys *self, guint32 send)
{
  PdReq *s = pd_req (self, send);
  guint32 *coming = &self->ranks[s->peer].coming;

  *coming = pd_wildcard_heap_remove (self, PD_WILDCARD_BY_TAG, *coming, send);
  s->visible = TRUE;
  if (pd_wildcard_head_of (self->wildcards, key_of (s, PD_WILDCARD_TAG)) == send)
    offer (self, send, PD_WILDCARD_TAG_HEAP);
  if (self->wildcards->nodes[send].previous == 0)
    offer (self, send, PD_WILDCARD_HEAP);
}

void
pd_wildcard_arrival_known (PdComsys *self, guint32 send)
{
  const PdReq *s = pd_req (self, send);
  guint32 *coming = &self->ranks[s->peer].coming;

  if (self->wildcards == NULL || s->collective)
    return;
  *coming = pd_wildcard_heap_add (self, PD_WILDCARD_BY_TAG, *coming, send);
  pd_comsys_at (self, s->arrival, PD_EVENT_VISIBLE, s->peer, s->peer);
}

/* ---- life */

void
pd_wildcard_make_room (PdComsys *self)
{
  PdWildcard *wildcards = self->wildcards;

  if (wildcards->room >= self->reqs_room)
    return;
  wildcards->nodes =
      pd_lines_resize (wildcards->nodes, LINES (wildcards->room), LINES ((gsize) self->reqs_room));
  wildcards->room = self->reqs_room;
}

void
pd_wildcard_free (PdWildcard *self)
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
pd_wildcard_get_n_unmatched (const PdWildcard *self)
{
  return self->n_unmatched;
}

void
pd_wildcard_remove (PdComsys *self, guint32 recv)
{
  const PdReq *r = pd_req (self, recv);
  PdWildcardEntry *entry = pd_wildcard_find (self->wildcards, key_of_receive (r), TRUE);
  guint32 before = 0;

  for (guint32 at = entry->head; at != recv; at = pd_req (self, at)->next)
    before = at;
  if (before == 0)
    entry->head = r->next;
  else
    pd_req (self, before)->next = r->next;
  if (entry->tail == recv)
    entry->tail = before;
  self->wildcards->n_unmatched--;
}
