/* Epochs of one-sided communication: their pool, and how those of locks are found by
 * window, member and target.
 * SPDX-License-Identifier: MIT */
#include "comsys/mpi/pd-win-private.h"

#include "base/pd-hash-map.h"
#include "base/pd-time.h"
#include "comsys/comm/pd-comm.h"
#include "comsys/p2p/pd-scheduler-internal.h"
#include "comsys/mpi/pd-win.h"
#include "comsys/state/pd-lookup.h"

PdWins *
pd_wins_new (void)
{
  PdWins *self = g_new0 (PdWins, 1);

  self->wins = g_ptr_array_new ();
  self->epochs = g_array_new (FALSE, TRUE, sizeof (PdEpoch));
  g_array_set_size (self->epochs, 1);
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
  for (guint i = 0; i < self->epochs->len; i++)
    g_free (g_array_index (self->epochs, PdEpoch, i).peers);
  g_ptr_array_unref (self->wins);
  g_array_unref (self->epochs);
  pd_hash_map_clear (&self->locks);
  pd_hash_map_clear (&self->posts);
  g_free (self);
}

guint64
pd_comsys_get_n_epochs (const PdComsys *self)
{
  return self->wins != NULL ? self->wins->n_epochs : 0;
}

/* ---- the pool */

guint32
pd_epoch_find (const PdComsys *self, const PdWin *win, guint32 member, guint32 target)
{
  const guint64 *epoch =
      pd_hash_map_find (&self->wins->locks, (guint64) member << 32 | target, win->index + 1);

  return epoch != NULL ? (guint32) *epoch : 0;
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
  if (target != PD_TARGET_NONE)
    pd_hash_map_get (&wins->locks, (guint64) member << 32 | target, win->index + 1, epoch);
  return epoch;
}

guint32
pd_epoch_mark (PdComsys *self, guint32 epoch, guint32 target)
{
  const PdEpoch *all = pd_epoch (self, epoch);
  guint32 mark = pd_epoch_new (self, pd_win_of (self, all->win), all->member, target);
  PdEpoch *m = pd_epoch (self, mark);

  self->wins->n_epochs--; /* it is none */
  m->mark_of = epoch;
  m->next = pd_epoch (self, epoch)->touched;
  pd_epoch (self, epoch)->touched = mark;
  return mark;
}

void
pd_epoch_drop (PdComsys *self, guint32 epoch)
{
  PdWins *wins = self->wins;
  PdEpoch *e = pd_epoch (self, epoch);

  if (e->target != PD_TARGET_NONE)
    pd_hash_map_remove (
        &wins->locks,
        pd_hash_map_find (&wins->locks, (guint64) e->member << 32 | e->target, e->win + 1));
  wins->n_epochs -= e->mark_of == 0 ? 1 : 0;
  g_clear_pointer (&e->peers, g_free);
  e->next = wins->free_epoch;
  wins->free_epoch = epoch;
}

void
pd_epoch_append (PdComsys *self, PdEpochList *list, guint32 epoch)
{
  pd_epoch (self, epoch)->next = 0;
  if (list->first == 0)
    list->first = epoch;
  else
    pd_epoch (self, list->last)->next = epoch;
  list->last = epoch;
}

void
pd_epoch_drop_first (PdComsys *self, PdEpochList *list)
{
  guint32 epoch = list->first;

  list->first = pd_epoch (self, epoch)->next;
  pd_epoch_drop (self, epoch);
}

/* ---- operations */

void
pd_epoch_begin_operation (PdComsys *self, guint32 epoch)
{
  PdEpoch *e = pd_epoch (self, epoch);

  e->n_operations++;
  e->n_open++;
  if (e->mark_of != 0)
    pd_epoch_begin_operation (self, e->mark_of);
}

/* A mark is waited for with its epoch, and the other way round. */
void
pd_epoch_forget_operations (PdComsys *self, guint32 epoch)
{
  PdEpoch *e = pd_epoch (self, epoch);

  if (e->mark_of != 0)
    pd_epoch (self, e->mark_of)->n_operations -= e->n_operations;
  e->n_operations = 0;
  for (guint32 mark = e->touched; mark != 0; mark = pd_epoch (self, mark)->next)
    pd_epoch (self, mark)->n_operations = 0;
}

/* ---- ends */

PdTime
pd_epoch_end_of (const PdComsys *self, const PdEpoch *epoch, PdTime when)
{
  PdTime overhead = epoch->n_operations > 0 ? self->machine->software.wait_overhead : PD_TIME_ZERO;

  return pd_time_add (pd_time_max (epoch->latest, when), overhead);
}

void
pd_epoch_completed (PdComsys *self, guint32 epoch, PdTime when)
{
  PdEpoch *e = pd_epoch (self, epoch);

  if (e->mark_of != 0)
    pd_epoch_completed (self, e->mark_of, when);
  e->latest = pd_time_max (e->latest, when);
  if (--e->n_open > 0 || e->awaits == PD_AWAITS_NOTHING)
    return;
  guint32 rank = pd_comm_world_rank (pd_win_of (self, e->win)->comm, e->member);
  pd_comsys_push (self, pd_epoch_end_of (self, e, when), PD_EVENT_EPOCH, rank, epoch);
}

void
pd_win_destroy_if_gone (PdWin *self)
{
  if (!self->gone || self->n_under_way > 0)
    return;
  g_ptr_array_index (self->comsys->wins->wins, self->index) = NULL;
  pd_comm_unref (self->comm);
  g_free (self);
}

void
pd_win_release (PdWin *self)
{
  self->n_under_way--;
  pd_win_destroy_if_gone (self);
}
