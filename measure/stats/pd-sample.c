/* Times of launches, of all processes.
 * SPDX-License-Identifier: MIT */
#include "measure/stats/pd-sample.h"

#include "measure/stats/pd-stats.h"

PdLaunchSample *
pd_sample_new (guint processes)
{
  PdLaunchSample *self = g_new0 (PdLaunchSample, 1);

  self->processes = processes;
  for (guint i = 0; i < PD_N_TIMES; i++)
    self->times[i] = g_array_new (FALSE, FALSE, sizeof (gdouble));
  self->ranks = g_array_new (FALSE, FALSE, sizeof (gdouble));
  return self;
}

void
pd_sample_free (PdLaunchSample *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < PD_N_TIMES; i++)
    g_array_unref (self->times[i]);
  g_array_unref (self->ranks);
  g_free (self);
}

gsize
pd_sample_correct (const PdLaunchSample *self)
{
  return self->ranks->len / self->processes;
}

const gdouble *
pd_sample_times (const PdLaunchSample *self, PdTimeOfLaunch what)
{
  return self->times[what]->len > 0 ? (const gdouble *) self->times[what]->data : NULL;
}

static void
add_time (PdLaunchSample *self, PdTimeOfLaunch what, gdouble value)
{
  g_array_append_val (self->times[what], value);
}

void
pd_sample_add (PdLaunchSample *self, const gdouble *starts, const gdouble *durations,
               gdouble scheduled, gdouble window)
{
  gdouble first = G_MAXDOUBLE, latest = -G_MAXDOUBLE, last = -G_MAXDOUBLE, longest = 0, sum = 0;

  for (guint i = 0; i < self->processes; i++)
    {
      longest = MAX (longest, durations[i]);
      sum += durations[i];
      if (starts == NULL)
        continue;
      first = MIN (first, starts[i]);
      latest = MAX (latest, starts[i]);
      last = MAX (last, starts[i] + durations[i]);
    }
  if (starts != NULL)
    {
      add_time (self, PD_TIME_GLOBAL, last - first);
      add_time (self, PD_TIME_LAST_ARRIVAL, last - latest);
      add_time (self, PD_TIME_COMPLETION, last - scheduled);
      add_time (self, PD_TIME_WINDOW, window);
    }
  add_time (self, PD_TIME_LOCAL, longest);
  add_time (self, PD_TIME_LOCAL_MEAN, sum / self->processes);
  add_time (self, PD_TIME_LOCAL_MEDIAN, pd_stats_median (durations, self->processes));
  g_array_append_vals (self->ranks, durations, self->processes);
}

void
pd_sample_take (PdLaunchSample *self, PdLaunchSample *from)
{
  g_return_if_fail (self->processes == from->processes);
  self->launches += from->launches;
  self->late_starts += from->late_starts;
  self->late_ends += from->late_ends;
  self->wide += from->wide;
  for (guint i = 0; i < PD_N_TIMES; i++)
    if (from->times[i]->len > 0)
      g_array_append_vals (self->times[i], from->times[i]->data, from->times[i]->len);
  if (from->ranks->len > 0)
    g_array_append_vals (self->ranks, from->ranks->data, from->ranks->len);
  pd_sample_clear (from);
}

void
pd_sample_clear (PdLaunchSample *self)
{
  self->launches = self->late_starts = self->late_ends = self->wide = 0;
  for (guint i = 0; i < PD_N_TIMES; i++)
    g_array_set_size (self->times[i], 0);
  g_array_set_size (self->ranks, 0);
}

gdouble *
pd_sample_rank (const PdLaunchSample *self, guint rank)
{
  gsize n = pd_sample_correct (self);
  gdouble *times = g_new (gdouble, n + 1);

  for (gsize i = 0; i < n; i++)
    times[i] = g_array_index (self->ranks, gdouble, i * self->processes + rank);
  return times;
}
