/* SPDX-License-Identifier: MIT */
#include "sweep/run/pd-coordinator.h"

/* A point that was given at least once and came back. */
typedef struct
{
  gint64 point;
  guint attempts; /* that have failed */
} Tried;

typedef struct
{
  GQueue given;   /* Tried*, owned: in the order in which they are computed */
  gboolean alone; /* what it has now is to be computed alone */
} Worker;

struct _PdCoordinator
{
  gint64 n_points;
  gint64 next;     /* points below have been given, or are skipped */
  gint64 n_left;   /* not finished */
  gint64 n_untold; /* not given yet, from @next on */
  GQueue again;    /* Tried*, owned: to be given again */
  Worker *workers; /* (array length=n_workers) */
  guint n_workers;
  guint8 *skipped; /* (array): a bit for each point */
  gdouble cost;    /* of a point, microseconds: a mean that forgets; 0 = not known */
};

static gboolean
is_skipped (const PdCoordinator *self, gint64 point)
{
  return (self->skipped[point / 8] >> point % 8 & 1) != 0;
}

PdCoordinator *
pd_coordinator_new (gint64 n_points, guint n_workers, PdSkipFunc skip, gpointer data)
{
  PdCoordinator *self = g_new0 (PdCoordinator, 1);

  self->n_points = n_points;
  self->n_workers = n_workers;
  self->workers = g_new0 (Worker, n_workers);
  self->skipped = g_new0 (guint8, n_points / 8 + 1);
  g_queue_init (&self->again);
  for (guint i = 0; i < n_workers; i++)
    g_queue_init (&self->workers[i].given);
  for (gint64 point = 0; point < n_points; point++)
    if (skip != NULL && skip (data, point))
      self->skipped[point / 8] = (guint8) (self->skipped[point / 8] | 1 << point % 8);
    else
      self->n_left++;
  self->n_untold = self->n_left;
  return self;
}

void
pd_coordinator_free (PdCoordinator *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->n_workers; i++)
    g_queue_clear_full (&self->workers[i].given, g_free);
  g_queue_clear_full (&self->again, g_free);
  g_free (self->workers);
  g_free (self->skipped);
  g_free (self);
}

/* ---- giving */

/* A worker is to have work for so long; the last points are divided. Points beyond that
 * it has already only when it is about to run out of them. */
static guint
get_batch (const PdCoordinator *self, const Worker *worker)
{
  gdouble wanted = self->cost > 0 ? PD_COORDINATOR_BATCH_TIME / self->cost : 1;
  gint64 share = (self->n_untold + self->again.length) / (2 * (gint64) self->n_workers);
  guint has = worker->given.length;

  wanted = CLAMP (wanted, 1, PD_COORDINATOR_MAX_BATCH);
  guint n = (guint) CLAMP (MIN ((gint64) wanted, share), 1, PD_COORDINATOR_MAX_BATCH);
  /* while it computes the one, the next is on its way */
  return has > n / 2 ? 0 : n;
}

static Tried *
take_next (PdCoordinator *self)
{
  Tried *tried = g_queue_pop_head (&self->again);

  if (tried != NULL)
    return tried;
  while (self->next < self->n_points && is_skipped (self, self->next))
    self->next++;
  if (self->next == self->n_points)
    return NULL;
  tried = g_new0 (Tried, 1);
  tried->point = self->next++;
  self->n_untold--;
  return tried;
}

guint
pd_coordinator_give (PdCoordinator *self, guint worker, gint64 *points)
{
  Worker *w = &self->workers[worker];
  guint n = 0, wanted;

  g_return_val_if_fail (worker < self->n_workers, 0);

  const Tried *first = g_queue_peek_head (&self->again);
  if (w->alone || (first != NULL && first->attempts > 0 && w->given.length > 0))
    return 0;
  for (wanted = get_batch (self, w); n < wanted; n++)
    {
      first = g_queue_peek_head (&self->again);
      if (n > 0 && first != NULL && first->attempts > 0)
        break;
      Tried *tried = take_next (self);
      if (tried == NULL)
        break;
      g_queue_push_tail (&w->given, tried);
      points[n] = tried->point;
      w->alone = tried->attempts > 0;
      if (w->alone)
        return n + 1;
    }
  return n;
}

/* ---- what comes back */

gboolean
pd_coordinator_finish (PdCoordinator *self, guint worker, gint64 point, gint64 microseconds,
                       guint *attempts)
{
  Worker *w = &self->workers[worker];
  const Tried *first = g_queue_peek_head (&w->given);
  gdouble cost = (gdouble) MAX (microseconds, 1);

  if (first == NULL || first->point != point)
    return FALSE;
  g_autofree Tried *tried = g_queue_pop_head (&w->given);
  *attempts = tried->attempts + 1;
  w->alone = FALSE;
  self->cost = self->cost > 0 ? self->cost * 0.9 + cost * 0.1 : cost;
  self->n_left--;
  return TRUE;
}

gboolean
pd_coordinator_lose (PdCoordinator *self, guint worker, gboolean killed, gint64 *point,
                     guint *attempts)
{
  Worker *w = &self->workers[worker];
  guint most = killed ? PD_COORDINATOR_ATTEMPTS_KILLED : PD_COORDINATOR_ATTEMPTS;
  Tried *suspect = g_queue_pop_head (&w->given), *other;

  w->alone = FALSE;
  /* the later ones were not begun */
  while ((other = g_queue_pop_tail (&w->given)) != NULL)
    g_queue_push_head (&self->again, other);
  *point = -1;
  if (suspect == NULL)
    return FALSE;
  *point = suspect->point;
  *attempts = ++suspect->attempts;
  if (suspect->attempts < most)
    {
      g_queue_push_head (&self->again, suspect);
      return FALSE;
    }
  g_free (suspect);
  self->n_left--;
  return TRUE;
}

gint64
pd_coordinator_get_n_left (const PdCoordinator *self)
{
  return self->n_left;
}

guint
pd_coordinator_get_n_given (const PdCoordinator *self, guint worker)
{
  return self->workers[worker].given.length;
}
