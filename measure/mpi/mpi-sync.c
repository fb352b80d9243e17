/* Synchronisation of clocks by exchanges between pairs.
 * SPDX-License-Identifier: MIT */
#include "measure/mpi/mpi-sync.h"

#include "measure/stats/pd-stats.h"

#include <math.h>
#include <string.h>

#define TAG            7411
#define DRIFT_POINTS   100 /* along the duration … */
#define DRIFT_PATIENCE 10  /* … each the best of a few exchanges */
#define EMPTY_RUNS     21
#define EMPTY_AHEAD    100e-6

struct _PdSync
{
  MPI_Comm comm;
  int rank;
  int size;
  PdTimer timer;
  PdSyncOptions options;
  PdClockModel model;
  gdouble made; /* own time */
};

/* ---- the common clock */

gdouble
pd_sync_global (const PdSync *self, gdouble own)
{
  return pd_clock_there (&self->model, own);
}

gdouble
pd_sync_own (const PdSync *self, gdouble global)
{
  return pd_clock_here (&self->model, global);
}

gdouble
pd_sync_now (const PdSync *self)
{
  return pd_sync_global (self, pd_timer_now (&self->timer));
}

void
pd_sync_wait (const PdSync *self, gdouble global)
{
  pd_timer_wait (&self->timer, pd_sync_own (self, global));
}

gdouble
pd_sync_announce (const PdSync *self, gdouble ahead)
{
  gdouble moment = pd_sync_now (self) + ahead;

  MPI_Bcast (&moment, 1, MPI_DOUBLE, 0, self->comm);
  return moment;
}

const PdClockModel *
pd_sync_model (const PdSync *self)
{
  return &self->model;
}

void
pd_sync_shift (PdSync *self, gdouble seconds)
{
  self->model.offset += seconds;
}

/* ---- one pair: questions are 1, the last one 0 */

/* Answers with global time, until asked no more. */
static void
answer (const PdSync *self, int peer)
{
  gdouble question, now;

  for (;;)
    {
      MPI_Recv (&question, 1, MPI_DOUBLE, peer, TAG, self->comm, MPI_STATUS_IGNORE);
      if (question == 0)
        return;
      now = pd_sync_now (self);
      MPI_Send (&now, 1, MPI_DOUBLE, peer, TAG, self->comm);
    }
}

/* The offset of @peer's global time to this process' own timer, or what @model makes of
 * it. */
static PdClockPoint
ask_once (const PdSync *self, int peer, guint patience, const PdClockModel *model)
{
  PdClockSearch search = PD_CLOCK_SEARCH_INIT;
  gdouble question = 1, there, sent, received;

  do
    {
      sent = pd_clock_there (model, pd_timer_now (&self->timer));
      MPI_Send (&question, 1, MPI_DOUBLE, peer, TAG, self->comm);
      MPI_Recv (&there, 1, MPI_DOUBLE, peer, TAG, self->comm, MPI_STATUS_IGNORE);
      received = pd_clock_there (model, pd_timer_now (&self->timer));
    }
  while (!pd_clock_search_add (&search, sent, there, received, patience));
  return search.best;
}

static void
stop_asking (const PdSync *self, int peer)
{
  gdouble question = 0;

  MPI_Send (&question, 1, MPI_DOUBLE, peer, TAG, self->comm);
}

static const PdClockModel identity = { 0, 0, 0 };

static PdClockModel
ask_offset (const PdSync *self, int peer)
{
  PdClockPoint point = ask_once (self, peer, self->options.patience, &identity);

  stop_asking (self, peer);
  return (PdClockModel){ point.at, point.offset, 0 };
}

static PdClockModel
ask_drift (const PdSync *self, int peer)
{
  PdClockPoint points[DRIFT_POINTS];
  gdouble began = pd_timer_now (&self->timer);
  gdouble step = self->options.duration / (DRIFT_POINTS - 1);

  for (int i = 0; i < DRIFT_POINTS; i++)
    {
      pd_timer_wait (&self->timer, began + step * i);
      points[i] = ask_once (self, peer, DRIFT_PATIENCE, &identity);
    }
  stop_asking (self, peer);
  return pd_clock_fit (points, DRIFT_POINTS);
}

/* ---- the algorithms */

static void
synchronise_linear (PdSync *self)
{
  if (self->rank != 0)
    self->model = ask_offset (self, 0);
  for (int i = 1; self->rank == 0 && i < self->size; i++)
    answer (self, i);
}

/* Odd ranks ask while even ones answer, then the other way round; then all know all. */
static void
synchronise_ring (PdSync *self)
{
  g_autofree PdClockModel *models = g_new (PdClockModel, (gsize) self->size);
  PdClockModel near = identity;

  for (int turn = 1; turn >= 0; turn--)
    if (self->rank % 2 == turn && self->rank > 0)
      near = ask_offset (self, self->rank - 1);
    else if (self->rank % 2 != turn && self->rank + 1 < self->size)
      answer (self, self->rank + 1);
  MPI_Allgather (&near, sizeof near, MPI_BYTE, models, sizeof near, MPI_BYTE, self->comm);
  for (int i = self->rank - 1; i > 0; i--)
    near = pd_clock_chain (&near, &models[i]);
  self->model = near;
}

/* In step k the first 2^k ranks, which know global time, answer the next 2^k. */
static void
synchronise_tree (PdSync *self)
{
  for (int known = 1; known < self->size; known *= 2)
    if (self->rank < known && self->rank + known < self->size)
      answer (self, self->rank + known);
    else if (self->rank >= known && self->rank < 2 * known)
      self->model = ask_drift (self, self->rank - known);
}

/* Ranks of one host read the same clock, so the offset of two of them is exactly that of the
 * readings at which their timers began, unless one is disturbed. */
static gboolean
host_has_one_clock (const PdSync *self, MPI_Comm host, gint64 *began)
{
  int is_shared =
      self->timer.kind != PD_TIMER_MPI_WTIME && self->timer.skew == 0 && self->timer.drift == 0;

  *began = self->timer.began;
  MPI_Bcast (began, 1, MPI_INT64_T, 0, host);
  MPI_Allreduce (MPI_IN_PLACE, &is_shared, 1, MPI_INT, MPI_MIN, self->comm);
  return is_shared != 0;
}

/* The first ranks of all hosts know global time by the tree; the others add what is
 * between their own timers and that rank's. */
static void
synchronise_hosts (PdSync *self)
{
  PdSync leader = *self;
  MPI_Comm host;
  gint64 began;
  int here;

  MPI_Comm_split_type (self->comm, MPI_COMM_TYPE_SHARED, self->rank, MPI_INFO_NULL, &host);
  if (!host_has_one_clock (self, host, &began))
    {
      MPI_Comm_free (&host);
      synchronise_tree (self);
      return;
    }
  MPI_Comm_rank (host, &here);
  MPI_Comm_split (self->comm, here == 0 ? 0 : MPI_UNDEFINED, self->rank, &leader.comm);
  if (here == 0)
    {
      MPI_Comm_rank (leader.comm, &leader.rank);
      MPI_Comm_size (leader.comm, &leader.size);
      synchronise_tree (&leader);
      self->model = leader.model;
      MPI_Comm_free (&leader.comm);
    }
  MPI_Bcast (&self->model, sizeof self->model, MPI_BYTE, 0, host);
  if (here != 0)
    {
      PdClockModel near = { 0, (gdouble) (self->timer.began - began) * self->timer.seconds, 0 };
      self->model = pd_clock_chain (&near, &self->model);
    }
  MPI_Comm_free (&host);
}

static const struct
{
  const char *name;
  void (*synchronise) (PdSync *self);
} algorithms[PD_N_SYNCS] = {
  [PD_SYNC_LINEAR] = { "linear", synchronise_linear },
  [PD_SYNC_RING] = { "ring", synchronise_ring },
  [PD_SYNC_TREE] = { "tree", synchronise_tree },
  [PD_SYNC_HOSTS] = { "hosts", synchronise_hosts },
};

PdSyncAlgorithm
pd_sync_find (const char *name, GError **error)
{
  for (PdSyncAlgorithm i = 0; i < PD_N_SYNCS; i++)
    if (strcmp (algorithms[i].name, name) == 0)
      return i;
  g_set_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_USAGE,
               "unknown synchronisation '%s': expected linear, ring, tree or hosts", name);
  return PD_N_SYNCS;
}

const char *
pd_sync_name (PdSyncAlgorithm algorithm)
{
  g_return_val_if_fail (algorithm < PD_N_SYNCS, NULL);
  return algorithms[algorithm].name;
}

static void
synchronise (PdSync *self)
{
  /* late initialisation of connections is not to be measured */
  MPI_Barrier (self->comm);
  self->model = identity;
  algorithms[self->options.algorithm].synchronise (self);
  MPI_Barrier (self->comm);
  self->made = pd_timer_now (&self->timer);
}

PdSync *
pd_sync_new (MPI_Comm comm, const PdTimer *timer, const PdSyncOptions *options)
{
  PdSync *self = g_new0 (PdSync, 1);

  self->comm = comm;
  self->timer = *timer;
  self->options = *options;
  MPI_Comm_rank (comm, &self->rank);
  MPI_Comm_size (comm, &self->size);
  synchronise (self);
  return self;
}

void
pd_sync_free (PdSync *self)
{
  g_free (self);
}

gboolean
pd_sync_refresh (PdSync *self)
{
  int is_old = pd_timer_now (&self->timer) - self->made > self->options.max_age;

  MPI_Bcast (&is_old, 1, MPI_INT, 0, self->comm);
  if (is_old)
    synchronise (self);
  return is_old != 0;
}

/* ---- checks */

/* From the earliest start to the latest end, of nothing. */
static gdouble
time_nothing (PdSync *self)
{
  gdouble start = pd_sync_announce (self, EMPTY_AHEAD), ends[2], all[2];

  pd_sync_wait (self, start);
  ends[0] = -pd_sync_now (self);
  ends[1] = pd_sync_now (self);
  MPI_Allreduce (ends, all, 2, MPI_DOUBLE, MPI_MAX, self->comm);
  return all[1] + all[0];
}

static void
compare_with_first (PdSync *self, PdSyncCheck *out)
{
  struct
  {
    double value;
    int rank;
  } own = { 0, self->rank }, worst;
  PdClockPoint point = { 0, 0, 0 };
  gdouble found[2];

  for (int i = 1; i < self->size; i++)
    if (self->rank == 0)
      answer (self, i);
    else if (self->rank == i)
      {
        point = ask_once (self, 0, self->options.patience, &self->model);
        stop_asking (self, 0);
      }
  own.value = fabs (point.offset);
  MPI_Allreduce (&own, &worst, 1, MPI_DOUBLE_INT, MPI_MAXLOC, self->comm);
  found[0] = -point.offset;
  found[1] = point.round_trip;
  MPI_Bcast (found, 2, MPI_DOUBLE, worst.rank, self->comm);
  *out = (PdSyncCheck){ found[0], worst.rank, found[1], 0 };
}

static void
time_empty (PdSync *self, PdSyncCheck *out)
{
  gdouble times[EMPTY_RUNS];

  for (int i = 0; i < EMPTY_RUNS; i++)
    times[i] = time_nothing (self);
  out->empty = pd_stats_median (times, EMPTY_RUNS);
}

void
pd_sync_check (PdSync *self, PdSyncCheck *out)
{
  compare_with_first (self, out);
  time_empty (self, out);
}

gboolean
pd_sync_verify (PdSync *self, gdouble bound, PdSyncCheck *out, GError **error)
{
  compare_with_first (self, out);
  if (fabs (out->error) <= bound)
    {
      time_empty (self, out);
      return TRUE;
    }
  /* a rank whose clock is behind would wait that long for each start */
  g_set_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_SYNC,
               "the clock of rank %d is off by %.3g us, more than %.3g us (found by a round "
               "trip of %.3g us): its times are of no use",
               out->rank, out->error * 1e6, bound * 1e6, out->round_trip * 1e6);
  return FALSE;
}
