/* Launches at scheduled moments, and gathering what they took.
 * SPDX-License-Identifier: MIT */
#include "measure/mpi/mpi-launches.h"
#include "measure/mpi/mpi-sync.h"

#include <stdlib.h>

#define READINGS  1000
#define ANNOUNCED 20
#define MAX_AHEAD 1e-3

/* The announcement of a stage by rank 0; no launches: no further stage. */
typedef struct
{
  gdouble moment;
  gdouble window;
  gdouble launches;
} Plan;

typedef struct
{
  const PdLaunchSetup *setup;
  PdLaunchFunc run;
  gpointer data;
  gsize number; /* of the next launch */
  int rank;
  int size;
  gdouble ahead; /* upper bound of an announcement */
  gdouble *own;  /* start and duration of each launch of a stage */
  gdouble *all;  /* those of all ranks, at rank 0 */
  gsize room;    /* launches that fit */
} Runner;

/* ---- all processes: one stage */

/* When this process comes to launch @i, by its own clock: in stage 0, which has no windows,
 * as much behind the end of the launch before. */
static gdouble
find_start (const Runner *self, const Plan *plan, guint i)
{
  const PdLaunchSetup *setup = self->setup;
  gdouble wanted = pd_sync_own (setup->sync, plan->moment + plan->window * i);
  gdouble delay = pd_arrival_delay (&setup->arrival, self->rank, self->size, self->number + i);

  if (delay > 0 && !(plan->window > 0))
    wanted = MAX (wanted, pd_timer_now (setup->timer));
  return wanted + delay;
}

static void
measure_stage (Runner *self, const Plan *plan)
{
  const PdLaunchSetup *setup = self->setup;
  guint n = (guint) plan->launches;

  for (guint i = 0; i < n; i++)
    {
      gdouble wanted = find_start (self, plan, i), start, end;
      do
        start = pd_timer_now (setup->timer);
      while (start < wanted);
      self->run (self->data, self->number + i);
      end = pd_timer_now (setup->timer);
      self->own[2 * i] = start;
      self->own[2 * i + 1] = end - start;
    }
  self->number += n;
  for (guint i = 0; i < n; i++)
    self->own[2 * i] = pd_sync_global (setup->sync, self->own[2 * i]) - plan->moment;
}

/* ---- rank 0: what came out */

/* From rank after rank to launch after launch. */
static void
arrange (const Runner *self, guint n, guint launch, gdouble *starts, gdouble *durations)
{
  for (int rank = 0; rank < self->size; rank++)
    {
      const gdouble *of_rank = self->all + 2 * ((gsize) rank * n + launch);
      starts[rank] = of_rank[0];
      durations[rank] = of_rank[1];
    }
}

/* Starts are judged without the delays that were asked for, ends with them. */
static void
summarise (const Runner *self, guint n, PdStageLaunch *launches)
{
  g_autofree gdouble *numbers = g_new (gdouble, 2 * (gsize) self->size);
  gdouble *starts = numbers, *durations = numbers + self->size;

  for (guint i = 0; i < n; i++)
    {
      PdStageLaunch *one = &launches[i];
      arrange (self, n, i, starts, durations);
      *one = (PdStageLaunch){ G_MAXDOUBLE, -G_MAXDOUBLE, -G_MAXDOUBLE };
      for (int rank = 0; rank < self->size; rank++)
        {
          gdouble start =
              starts[rank]
              - pd_arrival_delay (&self->setup->arrival, rank, self->size, self->number - n + i);
          one->earliest_start = MIN (one->earliest_start, start);
          one->latest_start = MAX (one->latest_start, start);
          one->latest_end = MAX (one->latest_end, starts[rank] + durations[rank]);
        }
    }
}

static void
keep (const Runner *self, guint n, const guint *faults, const Plan *plan, PdLaunchSample *sample)
{
  g_autofree gdouble *numbers = g_new (gdouble, 2 * (gsize) self->size);
  gdouble *starts = numbers, *durations = numbers + self->size;

  for (guint i = 0; i < n; i++)
    {
      if (faults[i] & PD_FAULT_DISCARDED)
        continue;
      sample->launches++;
      sample->late_starts += (faults[i] & PD_FAULT_LATE_START) != 0;
      sample->late_ends += (faults[i] & PD_FAULT_LATE_END) != 0;
      sample->wide += (faults[i] & PD_FAULT_WIDE) != 0;
      if (faults[i] != PD_FAULT_NONE)
        continue;
      arrange (self, n, i, starts, durations);
      pd_sample_add (sample, starts, durations, plan->window * i, plan->window);
    }
}

/* An announcement that came late made the first launch late. */
static void
evaluate (Runner *self, PdStages *stages, const Plan *plan, PdLaunchSample *sample)
{
  guint n = pd_stages_length (stages);
  g_autofree PdStageLaunch *launches = g_new (PdStageLaunch, n);
  g_autofree guint *faults = g_new (guint, n);

  summarise (self, n, launches);
  pd_stages_close (stages, launches, faults);
  keep (self, n, faults, plan, sample);
  if (launches[0].latest_start > stages->rule.slack)
    self->ahead = MIN (2 * self->ahead, MAX_AHEAD);
}

static gboolean
is_enough (const Runner *self, const PdLaunchSample *sample)
{
  PdTimeOfLaunch what = self->setup->arrival.skew > 0 ? PD_TIME_LAST_ARRIVAL : PD_TIME_GLOBAL;

  return pd_stop_reached (&self->setup->stop, sample->launches, pd_sample_times (sample, what),
                          pd_sample_correct (sample), self->setup->trim);
}

/* ---- stages */

/* The longest of several announcements, twice: from when rank 0 sends to when the last
 * process knows. */
static gdouble
find_ahead (const Runner *self)
{
  gdouble longest = 0;

  for (int i = 0; i < ANNOUNCED; i++)
    {
      gdouble began = pd_sync_announce (self->setup->sync, 0);
      gdouble passed = pd_sync_now (self->setup->sync) - began;
      longest = MAX (longest, passed);
      MPI_Barrier (self->setup->comm);
    }
  MPI_Allreduce (MPI_IN_PLACE, &longest, 1, MPI_DOUBLE, MPI_MAX, self->setup->comm);
  return MIN (2 * longest, MAX_AHEAD);
}

static void
announce (const Runner *self, const PdStages *stages, gboolean is_last, Plan *plan)
{
  if (self->rank == 0)
    *plan = (Plan){ pd_sync_now (self->setup->sync) + self->ahead, stages->window,
                    is_last ? 0 : pd_stages_length (stages) };
  MPI_Bcast (plan, 3, MPI_DOUBLE, 0, self->setup->comm);
}

static void
runner_begin (Runner *self)
{
  MPI_Comm_rank (self->setup->comm, &self->rank);
  MPI_Comm_size (self->setup->comm, &self->size);
  self->room = MAX (self->setup->stages.first, self->setup->stages.launches);
  self->own = g_new0 (gdouble, 2 * self->room);
  if (self->rank == 0)
    self->all = g_new0 (gdouble, 2 * self->room * (gsize) self->size);
}

static void
runner_end (Runner *self)
{
  g_free (self->own);
  g_free (self->all);
}

void
pd_launches_run (const PdLaunchSetup *setup, PdLaunchFunc run, gpointer data,
                 PdLaunchSample *sample)
{
  Runner self = { .setup = setup, .run = run, .data = data };
  g_autoptr (PdLaunchSample) here = NULL;
  PdStages stages;
  Plan plan;
  gboolean is_last = FALSE;

  runner_begin (&self);
  here = pd_sample_new ((guint) self.size);
  pd_stages_init (&stages, &setup->stages);
  self.ahead = find_ahead (&self);
  for (;;)
    {
      announce (&self, &stages, is_last, &plan);
      if (plan.launches == 0)
        break;
      measure_stage (&self, &plan);
      MPI_Gather (self.own, 2 * (int) plan.launches, MPI_DOUBLE, self.all, 2 * (int) plan.launches,
                  MPI_DOUBLE, 0, setup->comm);
      if (self.rank == 0)
        {
          evaluate (&self, &stages, &plan, here);
          is_last = is_enough (&self, here);
        }
    }
  if (self.rank == 0)
    pd_sample_take (sample, here);
  runner_end (&self);
}

void
pd_launches_loop (const PdLaunchSetup *setup, PdLaunchFunc run, gpointer data,
                  PdLaunchSample *sample)
{
  Runner self = { .setup = setup, .run = run, .data = data };
  gsize n = setup->stop.correct, first = setup->stages.first;
  gdouble began, duration;

  runner_begin (&self);
  for (gsize i = 0; i < first; i++)
    run (data, i);
  MPI_Barrier (setup->comm);
  began = pd_timer_now (setup->timer);
  for (gsize i = 0; i < n; i++)
    run (data, first + i);
  duration = (pd_timer_now (setup->timer) - began) / (gdouble) n;
  MPI_Gather (&duration, 1, MPI_DOUBLE, self.all, 1, MPI_DOUBLE, 0, setup->comm);
  if (self.rank == 0)
    {
      sample->launches++;
      pd_sample_add (sample, NULL, self.all, 0, 0);
    }
  runner_end (&self);
}

/* ---- timers */

static int
compare (gconstpointer a, gconstpointer b)
{
  gdouble x = *(const gdouble *) a, y = *(const gdouble *) b;

  return (x > y) - (x < y);
}

gdouble
pd_launches_slack (MPI_Comm comm, const PdTimer *timer)
{
  g_autofree gdouble *steps = g_new (gdouble, READINGS);
  gdouble last = pd_timer_now (timer), slack;

  for (int i = 0; i < READINGS; i++)
    {
      gdouble now = pd_timer_now (timer);
      steps[i] = now - last;
      last = now;
    }
  qsort (steps, READINGS, sizeof *steps, compare);
  slack = 3 * steps[READINGS / 2] + timer->seconds;
  MPI_Allreduce (MPI_IN_PLACE, &slack, 1, MPI_DOUBLE, MPI_MAX, comm);
  return slack;
}
