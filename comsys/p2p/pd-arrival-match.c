/* A waiting entry is in a list for each form in which a receive may name it: by its source, by a
 * wildcard in its place, or for any source; likewise for the tag. An entry taken from one list is
 * removed from the others when it becomes their first.
 * SPDX-License-Identifier: MIT */
#include "comsys/p2p/pd-arrival-match.h"

#include "base/pd-hash-map.h"
#include "comsys/state/pd-lookup.h"

/* How a source or a tag is named in the key of a list; as bits in sets. */
typedef enum
{
  FORM_VALUE = 1,    /* by its value */
  FORM_WILDCARD = 2, /* it is a wildcard */
  FORM_ALL = 4,      /* whatever it is */
} Form;

typedef struct
{
  guint sources;
  guint tags;
} Forms;

/* Source and tag of a half of a message, at its receiver. */
typedef struct
{
  PdReqKind kind;
  guint32 target;
  guint32 source;
  gint32 tag;
} Half;

/* In a list. */
typedef struct
{
  guint64 order; /* pd_req_order() of the waiting entry */
  guint32 req;
  guint32 next; /* 0 = none */
} Link;

struct _PdArrivalMatch
{
  PdHashMap lists; /* first | last << 32 */
  Link *links;     /* 0 is never used */
  guint32 n_links;
  guint32 room;
  guint32 free;
  guint64 n_received;
};

PdArrivalMatch *
pd_arrival_match_new (void)
{
  PdArrivalMatch *self = g_new0 (PdArrivalMatch, 1);

  self->room = 64;
  self->n_links = 1;
  self->links = g_new (Link, self->room);
  return self;
}

void
pd_arrival_match_free (PdArrivalMatch *self)
{
  if (self == NULL)
    return;
  pd_hash_map_clear (&self->lists);
  g_free (self->links);
  g_free (self);
}

/* ---- lists */

typedef struct
{
  guint64 a, b;
} Key;

static Key
key_of (const Half *half, PdReqKind kind, guint source, guint tag)
{
  guint32 named = source == FORM_VALUE ? half->source : 0;
  guint32 tagged = tag == FORM_VALUE ? (guint32) half->tag : 0;

  return (Key){ (guint64) half->target << 32 | named,
                (guint64) tagged << 16 | (guint) kind << 8 | source << 4 | tag };
}

static gboolean
is_waiting (const PdComsys *comsys, const Link *link, PdReqKind kind)
{
  const PdReq *req = &comsys->reqs[link->req];

  return req->kind == kind && !req->matched && pd_req_order (req) == link->order;
}

/* The first waiting entry of a list, 0: none. Drops entries that have been taken. */
static guint32
first_of (const PdComsys *comsys, Key key, PdReqKind kind)
{
  PdArrivalMatch *self = comsys->arrivals;
  guint64 *list = pd_hash_map_find (&self->lists, key.a, key.b);

  while (list != NULL)
    {
      guint32 at = (guint32) *list, next = self->links[at].next;
      if (is_waiting (comsys, &self->links[at], kind))
        return at;
      self->links[at].next = self->free;
      self->free = at;
      if (next != 0)
        *list = (*list & ~(guint64) G_MAXUINT32) | next;
      else
        {
          pd_hash_map_remove (&self->lists, list);
          list = NULL;
        }
    }
  return 0;
}

static guint32
new_link (PdArrivalMatch *self)
{
  guint32 link = self->free;

  if (link != 0)
    {
      self->free = self->links[link].next;
      return link;
    }
  if (self->n_links == self->room)
    {
      self->room *= 2;
      self->links = g_renew (Link, self->links, self->room);
    }
  return self->n_links++;
}

static void
append (const PdComsys *comsys, Key key, PdReqKind kind, guint32 req)
{
  PdArrivalMatch *self = comsys->arrivals;
  gboolean is_first = first_of (comsys, key, kind) == 0;
  guint32 link = new_link (self);
  guint64 *list = pd_hash_map_get (&self->lists, key.a, key.b, 0);

  self->links[link] = (Link){ pd_req_order (&comsys->reqs[req]), req, 0 };
  if (!is_first)
    self->links[*list >> 32].next = link;
  *list = (guint64) link << 32 | (is_first ? link : (guint32) *list);
}

/* ---- halves */

static Half
half_of (const PdReq *req)
{
  gboolean sends = req->kind == PD_REQ_SEND;

  return (Half){ req->kind, sends ? req->peer : req->rank, sends ? req->rank : req->peer,
                 req->tag };
}

/* In which lists it waits. */
static Forms
forms_to_wait (const Half *half)
{
  guint tag = half->tag == PD_ANY_TAG ? FORM_WILDCARD : FORM_VALUE;

  if (half->kind == PD_REQ_SEND)
    return (Forms){ FORM_VALUE | FORM_ALL, tag | FORM_ALL };
  return (Forms){ half->source == G_MAXUINT32 ? FORM_WILDCARD : FORM_VALUE, tag | FORM_ALL };
}

/* In which lists of the other side those are that it matches. */
static Forms
forms_to_take (const Half *half)
{
  guint tags = half->tag == PD_ANY_TAG ? FORM_ALL : FORM_VALUE | FORM_WILDCARD;

  if (half->kind == PD_REQ_SEND)
    return (Forms){ FORM_VALUE | FORM_WILDCARD, tags };
  return (Forms){ half->source == G_MAXUINT32 ? FORM_ALL : FORM_VALUE, tags };
}

static guint32
take (const PdComsys *comsys, const Half *half)
{
  const Link *links = comsys->arrivals->links;
  PdReqKind other = half->kind == PD_REQ_SEND ? PD_REQ_RECV : PD_REQ_SEND;
  Forms forms = forms_to_take (half);
  guint32 found = 0;

  for (guint source = FORM_VALUE; source <= FORM_ALL; source <<= 1)
    for (guint tag = FORM_VALUE; tag <= FORM_ALL; tag <<= 1)
      if (forms.sources & source && forms.tags & tag)
        {
          guint32 at = first_of (comsys, key_of (half, other, source, tag), other);
          if (at != 0 && (found == 0 || links[at].order < links[found].order))
            found = at;
        }
  return found == 0 ? 0 : links[found].req;
}

static guint32
take_or_wait (PdComsys *self, guint32 req)
{
  const Half half = half_of (pd_req (self, req));
  guint32 other = take (self, &half);
  Forms forms = forms_to_wait (&half);

  if (other != 0)
    {
      self->n_unmatched--;
      return other;
    }
  self->n_unmatched++;
  for (guint source = FORM_VALUE; source <= FORM_ALL; source <<= 1)
    for (guint tag = FORM_VALUE; tag <= FORM_ALL; tag <<= 1)
      if (forms.sources & source && forms.tags & tag)
        append (self, key_of (&half, half.kind, source, tag), half.kind, req);
  return 0;
}

guint32
pd_arrival_match_message (PdComsys *self, guint32 send)
{
  /* beyond those that others have got when they were started */
  pd_req (self, send)->order = G_GUINT64_CONSTANT (1) << 62 | self->arrivals->n_received++;
  return take_or_wait (self, send);
}

guint32
pd_arrival_match_receive (PdComsys *self, guint32 recv)
{
  return take_or_wait (self, recv);
}
