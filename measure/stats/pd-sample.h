/* The times of many launches of one operation, in seconds. Needs no MPI.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SAMPLE_H
#define PD_SAMPLE_H

#include <glib.h>

/* The times of a launch. */
typedef enum
{
  PD_TIME_GLOBAL,       /* latest end - earliest start, by the common clock */
  PD_TIME_COMPLETION,   /* latest end - scheduled start */
  PD_TIME_LAST_ARRIVAL, /* latest end - latest start */
  PD_TIME_LOCAL,        /* the longest time of a process, by its own clock … */
  PD_TIME_LOCAL_MEAN,   /* … their mean … */
  PD_TIME_LOCAL_MEDIAN, /* … and their median */
  PD_TIME_WINDOW,       /* what the launch had */
  PD_N_TIMES
} PdTimeOfLaunch;

/* To be read only, but for counts of launches. */
typedef struct
{
  guint processes;
  gsize launches; /* stage 0 not included */
  gsize late_starts;
  gsize late_ends;
  gsize wide;                /* in windows that are too long */
  GArray *times[PD_N_TIMES]; /* gdouble, of each correct launch; empty where not known */
  GArray *ranks;             /* gdouble: correct launches × processes */
} PdLaunchSample;

/**
 * pd_sample_new:
 * @processes: at least 1
 * Returns: (transfer full): without launches.
 */
PdLaunchSample *pd_sample_new (guint processes);

/**
 * pd_sample_free:
 * @self: (nullable): the sample
 */
void pd_sample_free (PdLaunchSample *self);

/**
 * pd_sample_correct:
 * Returns: the number of correct launches.
 */
gsize pd_sample_correct (const PdLaunchSample *self);

/**
 * pd_sample_times:
 * Returns: (transfer none) (array length=pd_sample_correct()): or %NULL if such times are
 *   not known.
 */
const gdouble *pd_sample_times (const PdLaunchSample *self, PdTimeOfLaunch what);

/**
 * pd_sample_add:
 * @starts: (array length=processes) (nullable): by the common clock; %NULL: not
 *   synchronised, so only local times are known
 * @durations: (array length=processes): by each process' own clock
 * @scheduled: when it was to start, by the common clock
 * @window: seconds
 *
 * Adds a correct launch; does not count it among launches.
 */
void pd_sample_add (PdLaunchSample *self, const gdouble *starts, const gdouble *durations,
                    gdouble scheduled, gdouble window);

/**
 * pd_sample_take:
 * @from: is empty afterwards
 *
 * Adds all launches of @from, which has as many processes.
 */
void pd_sample_take (PdLaunchSample *self, PdLaunchSample *from);

/**
 * pd_sample_clear:
 * Forgets all launches.
 */
void pd_sample_clear (PdLaunchSample *self);

/**
 * pd_sample_rank:
 * @rank: below @processes
 * Returns: (transfer full) (array length=pd_sample_correct()): its durations.
 */
gdouble *pd_sample_rank (const PdLaunchSample *self, guint rank);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdLaunchSample, pd_sample_free)

#endif
