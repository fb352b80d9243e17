/* Which of those who wait for links are tried: in order of request, the first
 * one that fits; who cannot have the links of its other end does not hold up
 * those behind it.
 *
 * A transfer waits at a pool that refuses it, or at both. When a link gets free
 * those who wait there are looked at in order, up to the first whose other end
 * takes it; the others go to wait there. Where each sends to each nearly all
 * other ends are busy, and moving on takes long: a pool that has moved some asks
 * the free pools instead whether somebody waits between them. If not it is idle,
 * though some wait there: who gets free next has those between it and the idle
 * pools tried.
 * SPDX-License-Identifier: MIT */
#include "comsys/net-dimemas-private.h"

#define NONE PD_WAITER_NONE

/* To move a waiter costs about as much as to ask so many pools. */
#define MOVE 6

/* ---- free and idle pools */

static void
add_to_list (PdDimemas *self, PdLinksList *list, guint32 pool, guint32 listed)
{
  if (self->pools[pool].state & listed)
    return;
  self->pools[pool].state |= listed;
  list->links[list->n++] = pool;
}

/* The pool at place @i of the list, or the one that takes the place of those
 * that are not in @state any more; NONE behind the last one. */
static guint32
get_of_list (PdDimemas *self, PdLinksList *list, guint32 i, guint32 state, guint32 listed)
{
  while (i < list->n)
    {
      PdLinks *links = &self->pools[list->links[i]];
      if (links->state & state)
        return list->links[i];
      links->state &= ~listed;
      list->links[i] = list->links[--list->n];
    }
  return NONE;
}

void
pd_dimemas_set_free (PdDimemas *self, guint32 pool)
{
  PdLinks *links = &self->pools[pool];

  if (links->state & PD_LINKS_ARE_FREE)
    return;
  links->state |= PD_LINKS_ARE_FREE;
  self->n_free++;
  add_to_list (self, &self->free, pool, PD_LINKS_LISTED_FREE);
}

void
pd_dimemas_set_taken (PdDimemas *self, guint32 pool)
{
  PdLinks *links = &self->pools[pool];

  if (!(links->state & PD_LINKS_ARE_FREE))
    return;
  links->state &= ~(guint32) (PD_LINKS_ARE_FREE | PD_LINKS_ARE_IDLE);
  self->n_free--;
}

/* ---- candidates */

static void
set_cursor (PdDimemas *self, guint32 pool, guint32 w)
{
  self->pools[pool].cursor = w;
  if (w != NONE)
    pd_least_add (&self->candidates, w);
}

/* The first who waits for links of both @a and @b, in any direction. */
static guint32
find_between (PdDimemas *self, guint32 a, guint32 b)
{
  return MIN (pd_waiters_find (&self->waiters, a, b), pd_waiters_find (&self->waiters, b, a));
}

/* The other pool of the first who waits at @pool, if that refuses him. */
static guint32
get_refuser (PdDimemas *self, guint32 pool, guint32 first, PdTime now)
{
  const PdWaiter *waiter = &self->waiters.waiters[first];
  guint32 other = waiter->source == pool ? waiter->target : waiter->source;

  return other == pool || pd_dimemas_is_free (self, other, now) ? NONE : other;
}

/* Makes the first waiter between @pool and a free pool its candidate, or @pool
 * idle. */
static void
ask_free_pools (PdDimemas *self, guint32 pool)
{
  guint32 best = NONE, f;

  for (guint32 i = 0;
       (f = get_of_list (self, &self->free, i, PD_LINKS_ARE_FREE, PD_LINKS_LISTED_FREE)) != NONE;
       i++)
    best = MIN (best, find_between (self, pool, f));
  set_cursor (self, pool, best);
  if (best != NONE)
    return;
  self->pools[pool].state |= PD_LINKS_ARE_IDLE;
  add_to_list (self, &self->idle, pool, PD_LINKS_LISTED_IDLE);
}

void
pd_dimemas_advance (PdDimemas *self, guint32 pool, PdTime now)
{
  self->pools[pool].cursor = NONE;
  if (self->pools[pool].n_waiting == 0 || !pd_dimemas_is_free (self, pool, now))
    return;
  for (guint32 n_met = 0;; n_met++)
    {
      guint32 w = pd_waiters_first (&self->waiters, pool);
      guint32 refuser = w != NONE ? get_refuser (self, pool, w, now) : NONE;
      if (refuser == NONE)
        {
          set_cursor (self, pool, w);
          return;
        }
      if (self->waiters.is_dense && MOVE * (n_met + 1) > self->n_free)
        {
          ask_free_pools (self, pool);
          return;
        }
      pd_waiters_move_first (&self->waiters, pool, refuser);
    }
}

/* Has the waiters between @pool, now free, and the idle pools tried. Each of
 * these sends on one who waits there, so that it does not stay idle for ever. */
static void
meet_idle_pools (PdDimemas *self, guint32 pool, PdTime now)
{
  guint32 idle;

  for (guint32 i = 0;
       (idle = get_of_list (self, &self->idle, i, PD_LINKS_ARE_IDLE, PD_LINKS_LISTED_IDLE)) != NONE;
       i++)
    {
      guint32 between = find_between (self, pool, idle);
      guint32 w = pd_waiters_first (&self->waiters, idle);
      guint32 refuser = w != NONE ? get_refuser (self, idle, w, now) : NONE;
      if (between != NONE)
        pd_least_add (&self->candidates, between);
      if (w == NONE)
        self->pools[idle].state &= ~(guint32) PD_LINKS_ARE_IDLE;
      else if (refuser != NONE)
        pd_waiters_move_first (&self->waiters, idle, refuser);
    }
}

void
pd_dimemas_wake (PdDimemas *self, guint32 pool, PdTime now)
{
  PdLinks *links = &self->pools[pool];

  if (links->n_waiting == 0 || links->cursor != NONE || !pd_dimemas_is_free (self, pool, now))
    return;
  pd_dimemas_set_free (self, pool);
  meet_idle_pools (self, pool, now);
  pd_dimemas_advance (self, pool, now);
}
