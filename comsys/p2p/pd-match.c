/* Matching by exact (target, context, source, tag): a hash table of FIFO
 * queues. A queue holds receives or sends, never both.
 * SPDX-License-Identifier: MIT */
#include "comsys/p2p/pd-match.h"

#include "comsys/queue/pd-lines.h"
#include "comsys/state/pd-comsys-data.h"
#include "comsys/state/pd-lookup.h"

typedef PdMatchKey Key;

static inline Key
key_of (const PdReq *req)
{
  return req->kind == PD_REQ_SEND ? (Key){ req->peer, req->rank, req->context, req->tag }
                                  : (Key){ req->rank, req->peer, req->context, req->tag };
}

static inline gboolean
key_equal (Key a, Key b)
{
  return a.target == b.target && a.source == b.source && a.context == b.context && a.tag == b.tag;
}

static inline guint64
hash (Key key)
{
  guint64 h = ((guint64) key.target << 32 | key.source) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  h ^= h >> 29;
  h += (guint64) key.context << 32 | (guint32) key.tag;
  h *= G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  return h ^ h >> 32;
}

/* The queues of one target begin in one cache line, so that ranks with
 * neighbouring numbers touch neighbouring memory. Where that is full a queue lies
 * in another group, on a path: the next one is shared by neighbouring sources, as
 * those often send to the same targets one after the other; the others are given by
 * the hash. The groups passed on the way count it, so that a search knows whether to
 * go on. */
typedef struct
{
  gsize group;
  gsize next;
  gsize stride;
} Path;

#define SOURCES_SHIFT 2 /* that share a group: they leave room for others */

static inline Path
path_of (Key key, guint64 hash)
{
  gsize target = (gsize) ((key.target + G_GUINT64_CONSTANT (1)) * 0x9e3779b97f4a7c15 >> 20);

  return (Path){ key.target, target + (key.source >> SOURCES_SHIFT), (gsize) (hash >> 32) | 1 };
}

static inline void
go_on (Path *path)
{
  path->group = path->next;
  path->next += path->stride;
}

void
pd_match_init (PdMatch *self)
{
  self->mask = 63;
  self->used = 0;
  self->groups = pd_lines_resize (NULL, 0, self->mask + 1);
}

void
pd_match_clear (PdMatch *self)
{
  pd_lines_free (self->groups, self->mask + 1);
}

/* Where a queue is. */
typedef struct
{
  PdMatchGroup *group; /* NULL: nowhere */
  guint i;
} Place;

/* So many groups are passed before the table is made anew: queues that are gone
 * have left it crowded. */
#define CROWDED 32

/* The slot of @group that has the queue of @key; PD_MATCH_SLOTS: none. */
static inline guint
slot_of (PdComsys *self, const PdMatchGroup *group, Key key, guint32 check)
{
  guint i = 0;

  for (; i < PD_MATCH_SLOTS; i++)
    if (group->check[i] == check && group->head[i] != 0
        && key_equal (key_of (pd_req (self, group->head[i])), key))
      break;
  return i;
}

/* The queue is not where its path begins. @passed: (out): groups on the way */
static Place
find_further (PdComsys *self, Key key, guint64 h, gsize *passed)
{
  const PdMatch *match = &self->match;
  Path path = path_of (key, h);

  for (*passed = 1; *passed <= match->mask + 1; (*passed)++)
    {
      go_on (&path);
      PdMatchGroup *group = &match->groups[path.group & match->mask];
      guint i = slot_of (self, group, key, (guint32) h);
      if (i < PD_MATCH_SLOTS)
        return (Place){ group, i };
      if (group->overflow == 0)
        break;
    }
  return (Place){ NULL, 0 };
}

static inline Place
find (PdComsys *self, Key key, guint64 h, gsize *passed)
{
  PdMatchGroup *group = &self->match.groups[key.target & self->match.mask];
  guint i = slot_of (self, group, key, (guint32) h);

  *passed = 0;
  if (i < PD_MATCH_SLOTS)
    return (Place){ group, i };
  if (G_LIKELY (group->overflow == 0))
    return (Place){ NULL, 0 };
  return find_further (self, key, h, passed);
}

/* FALSE: the group is full. */
static inline gboolean
put (PdMatchGroup *group, guint64 h, guint32 head, guint32 tail)
{
  for (guint i = 0; i < PD_MATCH_SLOTS; i++)
    if (group->head[i] == 0)
      {
        group->head[i] = head;
        group->tail[i] = tail;
        group->check[i] = (guint32) h;
        return TRUE;
      }
  return FALSE;
}

static void
insert_further (PdMatch *match, Key key, guint64 h, guint32 head, guint32 tail)
{
  Path path = path_of (key, h);
  PdMatchGroup *group = &match->groups[path.group & match->mask];

  do
    {
      group->overflow++;
      go_on (&path);
      group = &match->groups[path.group & match->mask];
    }
  while (!put (group, h, head, tail));
}

static inline void
insert (PdMatch *match, Key key, guint64 h, guint32 head, guint32 tail)
{
  match->used++;
  if (G_UNLIKELY (!put (&match->groups[key.target & match->mask], h, head, tail)))
    insert_further (match, key, h, head, tail);
}

/* Nothing waits, but very much has: the pages are given back, as groups without
 * queues are zero. */
static void
give_back (PdMatch *match)
{
  match->most = 0;
  pd_lines_free (match->groups, match->mask + 1);
  match->groups = pd_lines_resize (NULL, 0, match->mask + 1);
}

/* A queue is gone that lay on its path behind others. */
static void
give_way (PdMatch *match, Key key, guint64 h, const PdMatchGroup *last)
{
  Path path = path_of (key, h);
  PdMatchGroup *group = &match->groups[path.group & match->mask];

  for (; group != last; group = &match->groups[path.group & match->mask])
    {
      group->overflow--;
      go_on (&path);
    }
}

static inline void
erase (PdMatch *match, Key key, guint64 h, Place place)
{
  place.group->head[place.i] = 0;
  if (G_UNLIKELY (place.group != &match->groups[key.target & match->mask]))
    give_way (match, key, h, place.group);
  match->most = MAX (match->most, match->used);
  if (--match->used == 0 && match->most > PD_KEPT)
    give_back (match);
}

static void
grow (PdComsys *self)
{
  PdMatch *match = &self->match;
  PdMatchGroup *old = match->groups;
  gsize n = match->mask + 1;

  match->mask = 2 * n - 1;
  match->used = 0;
  match->groups = pd_lines_resize (NULL, 0, 2 * n);
  for (gsize g = 0; g < n; g++)
    for (guint i = 0; i < PD_MATCH_SLOTS; i++)
      if (old[g].head[i] != 0)
        {
          Key key = key_of (pd_req (self, old[g].head[i]));
          insert (match, key, hash (key), old[g].head[i], old[g].tail[i]);
        }
  pd_lines_free (old, n);
}

static inline void
expect_in (const PdComsys *self, const PdMatchGroup *group, guint32 check)
{
  for (guint i = 0; i < PD_MATCH_SLOTS; i++)
    if (group->check[i] == check)
      pd_prefetch (&self->reqs[group->head[i]]);
}

/* Has the request loaded that the rank that acts soon will find if it does what @rank does. */
static inline void
expect_likewise (const PdComsys *self, guint32 rank, Key key)
{
  if (self->next_rank >= self->n_ranks)
    return;
  key.target += self->next_rank - rank;
  key.source += self->next_rank - rank;
  expect_in (self, &self->match.groups[key.target & self->match.mask], (guint32) hash (key));
}

/* Of a target with many queues, whose first group is near. */
void
pd_match_expect (const PdComsys *self, const PdMatchKey *key, gboolean is_near)
{
  const PdMatch *match = &self->match;
  guint64 h = hash (*key);
  Path path = path_of (*key, h);
  const PdMatchGroup *first = &match->groups[path.group & match->mask];
  const PdMatchGroup *next = &match->groups[path.next & match->mask];

  if (first->overflow == 0)
    return;
  if (!is_near)
    {
      pd_prefetch (next);
      return;
    }
  expect_in (self, first, (guint32) h);
  expect_in (self, next, (guint32) h);
}

guint32
pd_match_or_queue (PdComsys *self, guint32 req)
{
  PdReq *mine = pd_req (self, req);
  Key key = key_of (mine);
  guint64 h = hash (key);
  gsize passed;
  expect_likewise (self, mine->rank, key);
  Place place = find (self, key, h, &passed);
  guint32 *head = place.group == NULL ? NULL : &place.group->head[place.i];

  if (head != NULL && pd_req (self, *head)->kind != mine->kind)
    {
      guint32 other = *head;
      guint32 next = pd_req (self, other)->next;
      pd_req (self, other)->queued = FALSE;
      if (next == 0)
        erase (&self->match, key, h, place);
      else
        *head = next;
      self->n_unmatched--;
      return other;
    }

  mine->next = 0;
  mine->queued = TRUE;
  self->n_unmatched++;
  if (head != NULL)
    {
      pd_req (self, place.group->tail[place.i])->next = req;
      place.group->tail[place.i] = req;
      return 0;
    }
  insert (&self->match, key, h, req, req);
  if (self->match.used > 3 * self->match.mask || passed > CROWDED)
    grow (self);
  return 0;
}

void
pd_match_remove (PdComsys *self, guint32 req)
{
  Key key = key_of (pd_req (self, req));
  guint64 h = hash (key);
  gsize passed;
  Place place = find (self, key, h, &passed);
  guint32 *head = &place.group->head[place.i], *tail = &place.group->tail[place.i];
  guint32 before = 0, after = pd_req (self, req)->next;

  for (guint32 at = *head; at != req; at = pd_req (self, at)->next)
    before = at;
  if (before != 0)
    pd_req (self, before)->next = after;
  if (*tail == req)
    *tail = before;
  if (before == 0 && after == 0)
    erase (&self->match, key, h, place);
  else if (before == 0)
    *head = after;
  pd_req (self, req)->queued = FALSE;
  self->n_unmatched--;
}
