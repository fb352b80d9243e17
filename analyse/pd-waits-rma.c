/* The waiting of calls of one-sided communication. The n-th post of a rank to another one lets
 * the n-th start go on in which the other names it. Epochs are completed in the order in which
 * they were started, and waited for in the order in which they were posted. Locks of a target are
 * held in the order in which they are given back.
 *
 * The patterns are those of Hermanns, Geimer, Mohr, Wolf, "Scalable detection of MPI-2 remote
 * memory access inefficiency patterns", IJHPCA 2012. The cause of a wait is found from the
 * moments of calls alone: a call that had returned before the cause was not waiting for it.
 * SPDX-License-Identifier: MIT */
#include "analyse/pd-waits-private.h"
#include "traces/program/pd-program.h"
#include "traces/program/pd-window-pair.h"

/* When, by whom, and from where; -1: never. */
typedef struct
{
  gint64 when;
  guint32 rank;
  guint32 site;
} Moment;

/* From MPI_Win_start to MPI_Win_complete, or from MPI_Win_post to MPI_Win_wait. */
typedef struct
{
  guint32 rank;
  guint32 comm;
  gint64 begun; /* when its first call began, */
  gint64 ended; /* and its last; -1: not yet */
  guint32 begun_at;
  guint32 ended_at;
  Moment first; /* of access: the last of the posts; */
  Moment last;  /* the last of the waits of its targets; of exposure: of the completes */
} Epoch;

/* Those of one kind, by rank and in order. */
typedef struct
{
  GArray *epochs; /* Epoch */
  guint open;     /* the first that may not have ended: */
} Epochs;

typedef struct
{
  PdWindowPair key; /* ranks of the world */
  GArray *accesses; /* guint: positions */
  GArray *exposures;
} Pair;

typedef struct
{
  guint32 rank;
  guint32 comm;
  gint32 target;
  gboolean exclusive;
  gint64 releases; /* when its unlock began; -1: it has none */
  gint64 released; /* and ended */
  guint32 site;    /* of the unlock */
  guint holder;    /* 1 + the lock that was held before; 0: none */
} Lock;

struct _PdRma
{
  const PdProgram *program;
  Epochs accesses;
  Epochs exposures;
  GHashTable *pairs; /* Pair */
  GArray *locks;     /* Lock */
  /* of the rank that is processed: */
  guint32 rank;
  GHashTable *held; /* communicator and target -> 1 + lock */
  guint n_locks;    /* so far */
};

static void
pair_free (gpointer data)
{
  Pair *pair = data;

  g_array_unref (pair->accesses);
  g_array_unref (pair->exposures);
  g_free (pair);
}

PdRma *
pd_rma_new (const PdProgram *program)
{
  PdRma *self = g_new0 (PdRma, 1);

  self->program = program;
  self->accesses.epochs = g_array_new (FALSE, FALSE, sizeof (Epoch));
  self->exposures.epochs = g_array_new (FALSE, FALSE, sizeof (Epoch));
  self->pairs = g_hash_table_new_full (pd_window_pair_hash, pd_window_pair_equal, pair_free, NULL);
  self->locks = g_array_new (FALSE, FALSE, sizeof (Lock));
  self->held = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  return self;
}

void
pd_rma_free (PdRma *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->accesses.epochs);
  g_array_unref (self->exposures.epochs);
  g_hash_table_unref (self->pairs);
  g_array_unref (self->locks);
  g_hash_table_unref (self->held);
  g_free (self);
}

static Epoch *
epoch_at (const Epochs *epochs, guint i)
{
  return &g_array_index (epochs->epochs, Epoch, i);
}

static Lock *
lock_at (const PdRma *self, guint i)
{
  return &g_array_index (self->locks, Lock, i);
}

/* Locks that a rank holds at its end are forgotten when the next rank begins. */
static void
follow (PdRma *self, guint32 rank)
{
  if (self->rank != rank)
    g_hash_table_remove_all (self->held);
  self->rank = rank;
}

/* ---- collecting: active targets */

static Pair *
get_pair (PdRma *self, guint32 comm, guint32 origin, guint32 target)
{
  PdWindowPair key = { comm, origin, target };
  Pair *pair = g_hash_table_lookup (self->pairs, &key);

  if (pair != NULL)
    return pair;
  pair = g_new (Pair, 1);
  *pair = (Pair){ key, g_array_new (FALSE, FALSE, sizeof (guint)),
                  g_array_new (FALSE, FALSE, sizeof (guint)) };
  g_hash_table_add (self->pairs, pair);
  return pair;
}

static void
begin (PdRma *self, const PdReplay *replay)
{
  const PdAction *a = replay->action;
  gboolean posts = a->kind == PD_ACT_WIN_POST;
  Epochs *epochs = posts ? &self->exposures : &self->accesses;
  guint32 n, vector = posts ? a->sources : a->targets;
  guint at = epochs->epochs->len;
  static const Moment never = { -1, PD_ANALYSIS_NONE, PD_PROGRAM_NONE };
  Epoch epoch = { .rank = replay->rank,
                  .comm = a->comm,
                  .begun = replay->enter,
                  .ended = -1,
                  .begun_at = a->site,
                  .ended_at = PD_PROGRAM_NONE,
                  .first = never,
                  .last = never };
  const gint64 *members = pd_program_get_counts (self->program, vector, &n);

  g_array_append_val (epochs->epochs, epoch);
  for (guint32 i = 0; i < n; i++)
    {
      guint32 other = pd_replay_world_rank (self->program, a->comm, (gint32) members[i]);
      if (other == PD_ANALYSIS_NONE)
        continue;
      Pair *pair = posts ? get_pair (self, a->comm, other, replay->rank)
                         : get_pair (self, a->comm, replay->rank, other);
      g_array_append_val (posts ? pair->exposures : pair->accesses, at);
    }
}

/* The first of the rank that has begun and not ended over @comm; NULL: none. */
static Epoch *
find_open (Epochs *epochs, guint32 rank, guint32 comm)
{
  while (epochs->open < epochs->epochs->len
         && (epoch_at (epochs, epochs->open)->ended >= 0
             || epoch_at (epochs, epochs->open)->rank < rank))
    epochs->open++;
  for (guint i = epochs->open; i < epochs->epochs->len; i++)
    {
      Epoch *epoch = epoch_at (epochs, i);
      if (epoch->rank != rank)
        break;
      if (epoch->comm == comm && epoch->ended < 0)
        return epoch;
    }
  return NULL;
}

static void
end (PdRma *self, const PdReplay *replay)
{
  gboolean waits = replay->action->kind == PD_ACT_WIN_WAIT;
  Epoch *epoch =
      find_open (waits ? &self->exposures : &self->accesses, replay->rank, replay->action->comm);

  if (epoch == NULL)
    return;
  epoch->ended = replay->enter;
  epoch->ended_at = replay->action->site;
}

/* ---- collecting: locks */

static gint64
key_of (const PdAction *action)
{
  return (gint64) ((guint64) action->comm << 32 | (guint32) action->peer);
}

/* The lock that the present action is under, of just its target; NULL: none. */
static Lock *
find_held (const PdRma *self, const PdAction *action)
{
  gint64 key = key_of (action);
  guint held = GPOINTER_TO_UINT (g_hash_table_lookup (self->held, &key));

  return held != 0 ? lock_at (self, held - 1) : NULL;
}

static void
hold (PdRma *self, const PdAction *action, guint lock)
{
  gint64 *key = g_new (gint64, 1);

  *key = key_of (action);
  g_hash_table_insert (self->held, key, GUINT_TO_POINTER (lock + 1));
}

static void
release (PdRma *self, const PdAction *action)
{
  gint64 key = key_of (action);

  g_hash_table_remove (self->held, &key);
}

/* Whether the action locks one target: of all it locks none for itself alone. */
static gboolean
is_lock (const PdAction *action)
{
  return action->kind == PD_ACT_WIN_LOCK && action->peer >= 0;
}

static void
collect_lock (PdRma *self, const PdReplay *replay)
{
  const PdAction *a = replay->action;
  Lock lock = { replay->rank, a->comm, a->peer, a->tag != 0, -1, -1, PD_PROGRAM_NONE, 0 };
  Lock *held;

  if (is_lock (a))
    {
      hold (self, a, self->locks->len);
      g_array_append_val (self->locks, lock);
    }
  else if (a->kind == PD_ACT_WIN_UNLOCK && (held = find_held (self, a)) != NULL)
    {
      held->releases = replay->enter;
      held->released = replay->leave;
      held->site = a->site;
      release (self, a);
    }
}

void
pd_rma_collect (PdRma *self, const PdReplay *replay)
{
  follow (self, replay->rank);
  switch (replay->action->kind)
    {
    case PD_ACT_WIN_POST:
    case PD_ACT_WIN_START:
      begin (self, replay);
      break;
    case PD_ACT_WIN_COMPLETE:
    case PD_ACT_WIN_WAIT:
      end (self, replay);
      break;
    default:
      collect_lock (self, replay);
    }
}

/* ---- matching */

static void
latest (Moment *moment, gint64 when, guint32 rank, guint32 site)
{
  if (when > moment->when || (when == moment->when && rank < moment->rank))
    *moment = (Moment){ when, rank, site };
}

static void
match_pair (PdRma *self, const Pair *pair)
{
  for (guint i = 0; i < MIN (pair->accesses->len, pair->exposures->len); i++)
    {
      Epoch *access = epoch_at (&self->accesses, g_array_index (pair->accesses, guint, i));
      Epoch *exposure = epoch_at (&self->exposures, g_array_index (pair->exposures, guint, i));
      latest (&access->first, exposure->begun, exposure->rank, exposure->begun_at);
      latest (&access->last, exposure->ended, exposure->rank, exposure->ended_at);
      latest (&exposure->last, access->ended, access->rank, access->ended_at);
    }
}

/* By target, then in the order in which they are given back. */
static gint
compare_locks (gconstpointer a, gconstpointer b, gpointer data)
{
  const Lock *x = lock_at (data, *(const guint *) a), *y = lock_at (data, *(const guint *) b);

  if (x->comm != y->comm)
    return x->comm < y->comm ? -1 : 1;
  if (x->target != y->target)
    return x->target < y->target ? -1 : 1;
  if (x->released != y->released)
    return x->released < y->released ? -1 : 1;
  return *(const guint *) a < *(const guint *) b ? -1 : 1;
}

/* An exclusive lock is held after all others, a shared one after the last exclusive one. */
static void
match_locks (PdRma *self)
{
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (guint));
  guint any = 0, exclusive = 0;

  for (guint i = 0; i < self->locks->len; i++)
    if (lock_at (self, i)->released >= 0)
      g_array_append_val (order, i);
  g_array_sort_with_data (order, compare_locks, self);
  for (guint k = 0; k < order->len; k++)
    {
      guint i = g_array_index (order, guint, k);
      Lock *lock = lock_at (self, i);
      if (any != 0
          && (lock_at (self, any - 1)->comm != lock->comm
              || lock_at (self, any - 1)->target != lock->target))
        any = exclusive = 0;
      lock->holder = lock->exclusive ? any : exclusive;
      any = i + 1;
      exclusive = lock->exclusive ? i + 1 : exclusive;
    }
}

void
pd_rma_match (PdRma *self)
{
  GHashTableIter iter;
  gpointer pair;

  /* the latest moment does not depend on the order */
  g_hash_table_iter_init (&iter, self->pairs);
  while (g_hash_table_iter_next (&iter, &pair, NULL))
    match_pair (self, pair);
  match_locks (self);
  g_hash_table_remove_all (self->held);
  for (guint i = 0; i < self->accesses.epochs->len; i++)
    epoch_at (&self->accesses, i)->ended = -1;
  for (guint i = 0; i < self->exposures.epochs->len; i++)
    epoch_at (&self->exposures, i)->ended = -1;
  self->accesses.open = self->exposures.open = self->n_locks = 0;
}

/* ---- charging: what has begun and not ended is found again as it was collected */

/* The needs of one call, one after the other. */
typedef struct
{
  PdNeed needs[2];
  guint n;
} Needs;

/* The call waited until @moment, unless it had returned by then. */
static void
wait_until (Needs *needs, const PdReplay *replay, PdWaitState state, const Moment *moment)
{
  gint64 since = needs->n > 0 ? needs->needs[needs->n - 1].when : replay->enter;

  if (moment->when > since && moment->when <= replay->leave && moment->rank != replay->rank)
    needs->needs[needs->n++] = (PdNeed){ state, moment->when, moment->rank, moment->site };
}

/* Calls of an epoch of access wait for the posts, wherever the library does; the last one
 * also for targets, where these make progress only in calls. */
static void
charge_access (PdRma *self, const PdReplay *replay, Needs *needs)
{
  Epoch *epoch = find_open (&self->accesses, replay->rank, replay->action->comm);

  if (epoch == NULL || epoch->begun > replay->enter)
    return;
  wait_until (needs, replay, PD_WAIT_LATE_POST, &epoch->first);
  if (replay->action->kind != PD_ACT_WIN_COMPLETE)
    return;
  if (epoch->last.when < replay->leave)
    wait_until (needs, replay, PD_WAIT_LATE_WAIT, &epoch->last);
  epoch->ended = replay->enter;
}

static void
charge_wait (PdRma *self, const PdReplay *replay, Needs *needs)
{
  Epoch *epoch = find_open (&self->exposures, replay->rank, replay->action->comm);

  if (epoch == NULL)
    return;
  wait_until (needs, replay, PD_WAIT_LATE_COMPLETE, &epoch->last);
  epoch->ended = replay->enter;
}

/* Until the lock was given back, in the call that returned behind that; which call waits
 * for a lock is the library's choice. */
static void
charge_lock (PdRma *self, const PdReplay *replay, Needs *needs)
{
  const PdAction *a = replay->action;

  if (is_lock (a))
    hold (self, a, self->n_locks++);
  const Lock *lock = find_held (self, a);
  const Lock *holder = lock != NULL && lock->holder != 0 ? lock_at (self, lock->holder - 1) : NULL;
  if (holder != NULL && replay->leave > holder->releases)
    {
      Moment released = { MIN (holder->released, replay->leave), holder->rank, holder->site };
      wait_until (needs, replay, PD_WAIT_LOCK, &released);
    }
  if (a->kind == PD_ACT_WIN_UNLOCK)
    release (self, a);
}

gboolean
pd_rma_is_one_sided (PdActionKind kind)
{
  return kind >= PD_ACT_PUT && kind <= PD_ACT_WIN_WAIT && kind != PD_ACT_WIN_FENCE;
}

void
pd_rma_charge (PdRma *self, const PdReplay *replay, PdCharge *charge)
{
  PdActionKind kind = replay->action->kind;
  Needs needs = { .n = 0 };

  follow (self, replay->rank);
  if (kind == PD_ACT_WIN_WAIT)
    charge_wait (self, replay, &needs);
  if (kind < PD_ACT_WIN_FENCE || (kind >= PD_ACT_WIN_LOCK && kind <= PD_ACT_WIN_FLUSH))
    charge_lock (self, replay, &needs);
  if (needs.n == 0
      && (kind < PD_ACT_WIN_FENCE || kind == PD_ACT_WIN_START || kind == PD_ACT_WIN_COMPLETE))
    charge_access (self, replay, &needs);
  pd_waits_charge_needs (replay, needs.needs, needs.n, replay->enter, charge);
}
