/* Epochs of one-sided communication: their pool, and how those of locks are found by
 * window, member and target: a table with linear probing.
 * SPDX-License-Identifier: MIT */
#include "comsys/pd-win-private.h"

#define FIRST_ROOM 64 /* a power of two */

PdWins *
pd_wins_new (void)
{
  PdWins *self = g_new0 (PdWins, 1);

  self->wins = g_ptr_array_new ();
  self->epochs = g_array_new (FALSE, TRUE, sizeof (PdEpoch));
  g_array_set_size (self->epochs, 1);
  self->mask = FIRST_ROOM - 1;
  self->table = g_new0 (guint32, FIRST_ROOM);
  return self;
}

void
pd_wins_free (PdWins *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->wins->len; i++)
    {
      PdWin *win = g_ptr_array_index (self->wins, i); /* messages are under way */
      if (win != NULL)
        pd_comm_unref (win->comm);
      g_free (win);
    }
  g_ptr_array_unref (self->wins);
  g_array_unref (self->epochs);
  g_free (self->table);
  g_free (self);
}

guint64
pd_comsys_get_n_epochs (const PdComsys *self)
{
  return self->wins != NULL ? self->wins->n_epochs : 0;
}

/* ---- the table */

static guint32
home_of (const PdWins *self, guint32 win, guint32 member, guint32 target)
{
  guint64 h = ((guint64) member << 32 | target) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  h = (h ^ h >> 29 ^ win) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  return (guint32) (h >> 32) & self->mask;
}

static const PdEpoch *
epoch_at (const PdWins *self, guint32 place)
{
  return &g_array_index (self->epochs, PdEpoch, self->table[place]);
}

static guint32
home_at (const PdWins *self, guint32 place)
{
  const PdEpoch *epoch = epoch_at (self, place);

  return home_of (self, epoch->win, epoch->member, epoch->target);
}

/* Where the lock is, or the free place where it belongs. */
static guint32
find_place (const PdWins *self, guint32 win, guint32 member, guint32 target)
{
  guint32 place = home_of (self, win, member, target);

  for (; self->table[place] != 0; place = (place + 1) & self->mask)
    {
      const PdEpoch *epoch = epoch_at (self, place);
      if (epoch->win == win && epoch->member == member && epoch->target == target)
        break;
    }
  return place;
}

static void
insert (PdWins *self, guint32 epoch)
{
  const PdEpoch *e = &g_array_index (self->epochs, PdEpoch, epoch);

  self->table[find_place (self, e->win, e->member, e->target)] = epoch;
}

static void
grow (PdWins *self)
{
  guint32 *old = self->table;
  guint32 n = self->mask + 1;

  self->mask = 2 * n - 1;
  self->table = g_new0 (guint32, 2 * (gsize) n);
  for (guint32 i = 0; i < n; i++)
    if (old[i] != 0)
      insert (self, old[i]);
  g_free (old);
}

/* What follows moves up, if that is nearer to its home. */
static void
erase (PdWins *self, guint32 hole)
{
  for (guint32 at = (hole + 1) & self->mask; self->table[at] != 0; at = (at + 1) & self->mask)
    {
      guint32 way = (at - home_at (self, at)) & self->mask;
      if (way < ((at - hole) & self->mask))
        continue;
      self->table[hole] = self->table[at];
      hole = at;
    }
  self->table[hole] = 0;
}

/* ---- the pool */

guint32
pd_epoch_find (const PdComsys *self, const PdWin *win, guint32 member, guint32 target)
{
  const PdWins *wins = self->wins;

  return wins->table[find_place (wins, win->index, member, target)];
}

guint32
pd_epoch_new (PdComsys *self, const PdWin *win, guint32 member, guint32 target)
{
  PdWins *wins = self->wins;
  guint32 epoch = wins->free_epoch;

  if (epoch == 0)
    {
      epoch = wins->epochs->len;
      g_array_set_size (wins->epochs, epoch + 1);
    }
  else
    wins->free_epoch = pd_epoch (self, epoch)->next;
  *pd_epoch (self, epoch) = (PdEpoch){ .win = win->index, .member = member, .target = target };
  wins->n_epochs++;
  if (target == PD_TARGET_NONE)
    return epoch;
  insert (wins, epoch);
  if (++wins->n_locks > wins->mask / 2)
    grow (wins);
  return epoch;
}

void
pd_epoch_mark (PdComsys *self, guint32 epoch, guint32 target)
{
  const PdEpoch *all = pd_epoch (self, epoch);
  guint32 mark = pd_epoch_new (self, pd_win_of (self, all->win), all->member, target);
  PdEpoch *m = pd_epoch (self, mark);

  self->wins->n_epochs--; /* it is none */
  m->mark_of = epoch;
  m->next = pd_epoch (self, epoch)->touched;
  pd_epoch (self, epoch)->touched = mark;
}

void
pd_epoch_drop (PdComsys *self, guint32 epoch)
{
  PdWins *wins = self->wins;
  PdEpoch *e = pd_epoch (self, epoch);

  if (e->target != PD_TARGET_NONE)
    {
      erase (wins, find_place (wins, e->win, e->member, e->target));
      wins->n_locks--;
    }
  wins->n_epochs -= e->mark_of == 0 ? 1 : 0;
  e->next = wins->free_epoch;
  wins->free_epoch = epoch;
}
