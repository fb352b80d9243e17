/* Levels for floating flows, from the lowest up: see pd-sharing-private.h.
 * SPDX-License-Identifier: MIT */
#include "comsys/net/pd-sharing-private.h"
#include "comsys/net/pd-sharing-solve-private.h"

/* With fewer flows on a link it is not worth knowing whether it is uniform. */
#define MANY 16

static void
mark_dirty (PdSharing *self, guint32 link, PdShareLink *l)
{
  if (l->dirty)
    return;
  l->dirty = TRUE;
  pd_sharing_list_add (&self->dirty, link);
}

/* Marks @link as not uniform: from now on the other links of its flows matter. */
static void
set_not_uniform (PdSharing *self, guint32 link)
{
  PdShareLink *l = pd_sharing_link (self, link);

  if (!l->uniform)
    return;
  l->uniform = FALSE;
  mark_dirty (self, link, l); /* the candidate is another one */
}

/* A link that only this flow crosses, with no less than @first, the first of its
 * path, has: that one always is as good a bottleneck. */
static gboolean
is_idle (const PdShareLink *l, const PdShareLink *first)
{
  return l->n_members == 1 && l->n_homes == 0 && l != first && l->capacity >= first->capacity;
}

void
pd_sharing_float (PdSharing *self, guint32 flow)
{
  PdShareFlow *f = pd_sharing_flow (self, flow);
  gboolean is_new = f->home == PD_SHARING_NONE;
  gdouble rate = is_new ? 0 : pd_sharing_rate (self, f);

  f->n_floats = f->epoch == self->epoch ? f->n_floats + 1 : 0;
  f->epoch = self->epoch;
  f->floats = TRUE;
  self->restless = self->restless || f->n_floats >= self->max_floats;
  self->n_floating++;
  const PdShareLink *first = pd_sharing_link (self, f->hops[0].link);
  for (guint32 i = 0; i < f->n_hops; i++)
    {
      guint32 link = f->hops[i].link;
      PdShareLink *l = pd_sharing_link (self, link);
      l->floating += f->weight;
      l->n_floating++;
      l->fixed -= rate;
      l->n_owned -= !is_new && l->owner == f->home ? 1 : 0;
      if (is_idle (l, first))
        continue;
      pd_sharing_touch (self, link);
      mark_dirty (self, link, l);
    }
}

/* ---- the heap of links by candidate */

static void
put_candidate (PdSharing *self, guint32 place, PdShareCandidate candidate)
{
  self->sweep[place] = candidate;
  pd_sharing_link (self, candidate.link)->swept = place + 1;
}

static void
sweep_up (PdSharing *self, guint32 i, PdShareCandidate candidate)
{
  for (; i > 0 && candidate.key < self->sweep[(i - 1) / 2].key; i = (i - 1) / 2)
    put_candidate (self, i, self->sweep[(i - 1) / 2]);
  put_candidate (self, i, candidate);
}

static void
sweep_down (PdSharing *self, guint32 i, PdShareCandidate candidate)
{
  const PdShareCandidate *sweep = self->sweep;

  for (guint32 child = 2 * i + 1; child < self->n_sweep; child = 2 * i + 1)
    {
      if (child + 1 < self->n_sweep && sweep[child + 1].key < sweep[child].key)
        child++;
      if (!(sweep[child].key < candidate.key))
        break;
      put_candidate (self, i, sweep[child]);
      i = child;
    }
  put_candidate (self, i, candidate);
}

static void
add_candidate (PdSharing *self, PdShareCandidate candidate)
{
  if (self->n_sweep == self->sweep_room)
    {
      self->sweep_room = MAX (16, 2 * self->sweep_room);
      self->sweep = g_renew (PdShareCandidate, self->sweep, self->sweep_room);
    }
  sweep_up (self, self->n_sweep++, candidate);
}

static void
remove_first (PdSharing *self)
{
  pd_sharing_link (self, self->sweep[0].link)->swept = 0;
  if (--self->n_sweep > 0)
    sweep_down (self, 0, self->sweep[self->n_sweep]);
}

/* Whether all on @link can have the level that uses it up. While others float it
 * may only fall: links that these are on might be left with less than was found. */
static gboolean
can_be_levelled (const PdSharing *self, const PdShareLink *l, guint32 link)
{
  if (!l->uniform || l->owner != link || !pd_sharing_is_soft (l) || self->restless)
    return FALSE;
  return !pd_sharing_is_more (l->capacity / l->weight,
                              self->n_floating > 0 ? l->level : l->ceiling);
}

static gdouble
get_candidate (const PdSharing *self, const PdShareLink *l, guint32 link)
{
  if (l->uniform && can_be_levelled (self, l, link))
    return l->capacity / l->weight;
  return MAX (0, l->capacity - pd_sharing_get_fixed (self, l)) / l->floating;
}

/* A candidate that has risen is noticed when it is the first. */
static void
take_in_dirty (PdSharing *self)
{
  for (guint32 i = 0; i < self->dirty.n; i++)
    {
      guint32 link = self->dirty.items[i];
      PdShareLink *l = pd_sharing_link (self, link);
      l->dirty = FALSE;
      if (l->n_floating == 0)
        continue;
      PdShareCandidate candidate = { get_candidate (self, l, link), link };
      if (l->swept == 0)
        add_candidate (self, candidate);
      else if (candidate.key < self->sweep[l->swept - 1].key)
        sweep_up (self, l->swept - 1, candidate);
    }
  self->dirty.n = 0;
}

/* ---- one link */

/* Those that do not float and have more than @level, or are at home here with
 * less, float. */
static void
float_others (PdSharing *self, guint32 link, gdouble level)
{
  const PdShareLink *l = pd_sharing_link (self, link);

  for (guint32 i = 0; i < l->n_members; i++)
    {
      const PdShareFlow *f = pd_sharing_flow (self, l->members[i].flow);
      if (f->floats)
        continue;
      gdouble own = pd_sharing_level (self, f);
      if (pd_sharing_is_more (own, level) || (f->home == link && pd_sharing_is_more (level, own)))
        pd_sharing_float (self, l->members[i].flow);
    }
}

/* One more on @l, whose home is @home, does not float any more. */
static void
take_in (PdSharing *self, PdShareLink *l, const PdShareFlow *f, gdouble rate)
{
  guint32 n_settled = l->n_members - l->n_floating;

  if (n_settled == 0)
    {
      l->owner = f->home;
      l->fixed = 0;
    }
  else if (pd_sharing_is_soft (l) && l->owner != f->home)
    {
      l->fixed = pd_sharing_get_fixed (self, l);
      set_not_uniform (self, l->owner);
    }
  l->n_owned += l->owner == f->home ? 1 : 0;
  l->fixed += rate;
  l->n_floating--;
  l->floating = l->n_floating == 0 ? 0 : l->floating - f->weight;
}

/* @flow floats no more: it is at home on @link, at its level. */
static void
fix (PdSharing *self, guint32 flow, guint32 link)
{
  PdShareFlow *f = pd_sharing_flow (self, flow);
  PdShareLink *home = pd_sharing_link (self, link);
  gdouble rate = f->weight * home->level;

  f->floats = FALSE;
  self->n_floating--;
  if (f->home != link)
    pd_sharing_rehome (self, flow, link);
  for (guint32 i = 0; i < f->n_hops; i++)
    {
      PdShareLink *l = pd_sharing_link (self, f->hops[i].link);
      take_in (self, l, f, rate);
      l->highest = MAX (l->highest, home->level);
      if (l == home || !home->uniform)
        continue;
      if (l->owner != link || !pd_sharing_is_soft (l))
        set_not_uniform (self, link);
      else
        home->ceiling = MIN (home->ceiling, l->capacity / l->weight);
    }
}

/* Finds whether @link is uniform: all its flows are at home there, and nothing on their
 * other links matters. Finds its ceiling too. */
static void
find_uniform (PdSharing *self, guint32 link)
{
  PdShareLink *l = pd_sharing_link (self, link);

  l->uniform = FALSE;
  if (l->n_members < MANY)
    return;
  l->ceiling = G_MAXDOUBLE;
  for (guint32 i = 0; i < l->n_members; i++)
    {
      const PdShareFlow *f = pd_sharing_flow (self, l->members[i].flow);
      for (guint32 h = 0; h < f->n_hops; h++)
        {
          const PdShareLink *other = pd_sharing_link (self, f->hops[h].link);
          if (other->owner != link || !pd_sharing_is_soft (other))
            return;
          if (other != l)
            l->ceiling = MIN (l->ceiling, other->capacity / other->weight);
        }
    }
  l->uniform = TRUE;
}

/* The floating ones on @link, which has the least candidate, @key, get it as their
 * level. */
static void
settle (PdSharing *self, guint32 link, gdouble key)
{
  PdShareLink *l = pd_sharing_link (self, link);
  gboolean is_levelled = can_be_levelled (self, l, link);
  gboolean is_simple = is_levelled || self->restless;
  PdShareOutcome o = { .level = key };
  gdouble floating = l->floating;

  if (!is_simple)
    {
      o = pd_sharing_find_level (self, link, key);
      if (o.n_high > 0 || (o.n_homes > 0 && pd_sharing_is_more (o.level, l->level)))
        {
          float_others (self, link, o.level);
          return;
        }
    }
  pd_sharing_advance (self, l);
  if (o.n_homes == 0)
    l->level = o.level;
  /* new ones are the last */
  for (guint32 i = l->n_members; l->n_floating > 0;)
    if (pd_sharing_flow (self, l->members[--i].flow)->floats)
      fix (self, l->members[i].flow, link);
  l->highest = l->level;
  /* what additions one by one have made of it is forgotten */
  if (!is_simple)
    l->fixed = o.low + floating * l->level;
  if (!is_levelled)
    find_uniform (self, link);
}

/* Gives all floating flows levels. */
static void
sweep (PdSharing *self)
{
  gboolean was_restless = self->restless;

  while (self->n_floating > 0 && self->restless == was_restless)
    {
      take_in_dirty (self);
      guint32 link = self->sweep[0].link;
      PdShareLink *l = pd_sharing_link (self, link);
      if (l->n_floating == 0)
        {
          remove_first (self);
          continue;
        }
      gdouble key = get_candidate (self, l, link);
      if (pd_sharing_is_more (key, self->sweep[0].key))
        sweep_down (self, 0, (PdShareCandidate){ key, link });
      else
        settle (self, link, key);
    }
  for (guint32 i = 0; i < self->n_sweep; i++)
    pd_sharing_link (self, self->sweep[i].link)->swept = 0;
  self->n_sweep = 0;
}

/* ---- links whose rates do not agree any more */

/* Computes the sums of @l again from its members, without errors of accumulation. */
static void
recount (const PdSharing *self, PdShareLink *l)
{
  l->fixed = 0;
  l->highest = 0;
  for (guint32 i = 0; i < l->n_members; i++)
    {
      const PdShareFlow *f = pd_sharing_flow (self, l->members[i].flow);
      l->fixed += pd_sharing_rate (self, f);
      l->highest = MAX (l->highest, pd_sharing_level (self, f));
    }
}

/* Whether those on @link, of which none floats, have more than there is, or those
 * at home there could have more, or less, than they have. */
static gboolean
disagrees (const PdSharing *self, const PdShareLink *l)
{
  gdouble fixed = pd_sharing_get_fixed (self, l), slack = PD_SHARING_SAME * l->capacity;

  if (fixed > l->capacity + slack)
    return TRUE;
  return l->n_homes > 0
         && (fixed < l->capacity - slack
             || (!pd_sharing_is_soft (l) && pd_sharing_is_more (l->highest, l->level)));
}

static void
float_disagreeing (PdSharing *self)
{
  for (guint32 i = 0; i < self->touched.n; i++)
    {
      guint32 link = self->touched.items[i];
      PdShareLink *l = pd_sharing_link (self, link);
      if (l->n_members == 0 || l->n_floating > 0 || !disagrees (self, l))
        continue;
      if (can_be_levelled (self, l, link))
        {
          pd_sharing_advance (self, l);
          l->level = l->capacity / l->weight;
          continue;
        }
      if (!pd_sharing_is_soft (l))
        recount (self, l);
      if (!disagrees (self, l))
        continue;
      for (guint32 j = 0; j < l->n_members; j++)
        {
          const PdShareFlow *f = pd_sharing_flow (self, l->members[j].flow);
          if (!f->floats && (l->n_homes == 0 || f->home == link))
            pd_sharing_float (self, l->members[j].flow);
        }
    }
}

static void
float_connected (PdSharing *self)
{
  for (guint32 i = 0; i < self->touched.n; i++)
    {
      PdShareLink *l = pd_sharing_link (self, self->touched.items[i]);
      mark_dirty (self, self->touched.items[i], l);
      for (guint32 j = 0; j < l->n_members; j++)
        if (!pd_sharing_flow (self, l->members[j].flow)->floats)
          pd_sharing_float (self, l->members[j].flow);
    }
}

void
pd_sharing_update (PdSharing *self)
{
  self->restless = FALSE;
  float_disagreeing (self);
  while (self->n_floating > 0 && !self->restless)
    {
      sweep (self);
      if (self->n_floating == 0)
        float_disagreeing (self);
    }
  if (self->restless)
    {
      self->n_restless++;
      float_connected (self);
      sweep (self);
    }
  self->epoch++;
  pd_sharing_conclude (self);
}
