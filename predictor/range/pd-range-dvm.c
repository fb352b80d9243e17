/* SPDX-License-Identifier: MIT */
#include "predictor/range/pd-range-dvm.h"

#include "traces/dvm/pd-dvm-cleaning.h"

#include <math.h>

/* The step of the recorder's clock, 2^-22 s, and what it may leave in the time of a record after
 * decoding: one reading of that clock. Programs of nothing but records
 * leave 32 to 55 ns for each. */
#define STEP_PS    (1e12 / 4194304)
#define READING_PS 50e3

/* Statistics of the recorded times, of all files together. */
typedef struct
{
  PdDvmRecorderShare share;
  gdouble variance; /* ps^2 */
  gdouble excess;   /* of outliers, ps: too much in the prediction, … */
  gdouble lack;     /* … too little */
} Recorded;

static void
add_outliers (Recorded *self, const PdDvmCleaning *cleaning)
{
  const GArray *places = pd_dvm_outliers_get_places (cleaning->outliers);

  for (guint i = 0; i < places->len; i++)
    {
      const PdDvmOutlierPlace *place = &g_array_index (places, PdDvmOutlierPlace, i);
      /* outliers that were changed may have been the program's own time */
      gdouble left = (gdouble) (cleaning->options.outliers == PD_DVM_OUTLIERS_KEEP ? place->excess
                                                                                   : place->change);
      self->excess += MAX (left, 0);
      self->lack += MAX (-left, 0);
    }
}

static Recorded
sum_up (const GPtrArray *cleanings)
{
  Recorded self = { .variance = 0 };

  for (guint i = 0; i < cleanings->len; i++)
    {
      const PdDvmCleaning *cleaning = g_ptr_array_index (cleanings, i);
      pd_dvm_recorder_share_add (&self.share, &cleaning->share);
      self.variance += pd_dvm_outliers_get_variance (cleaning->outliers);
      add_outliers (&self, cleaning);
    }
  return self;
}

/* The error of a time is the difference of the errors of two readings: variance step^2 / 6. Clamped
 * times that are kept are too long. */
static void
add_clock (PdTimeRange *range, const PdDvmRecorderShare *share, gdouble time, gdouble cpu)
{
  gdouble step = PD_RANGE_NORMAL * STEP_PS * sqrt ((gdouble) share->n_clamped / 6) / time * cpu;
  gdouble kept = share->decodes ? 0 : (gdouble) share->clamped_time.ps / time * cpu;

  pd_time_range_add (range, PD_RANGE_CLOCK, step, step);
  pd_time_range_add (range, PD_RANGE_CLOCK, pd_range_get_width (kept), 0);
}

PdTimeRange *
pd_range_new_dvm (const PdReportRun *run, const GPtrArray *cleanings, const PdMachine *machine)
{
  g_return_val_if_fail (run != NULL && cleanings != NULL && machine != NULL, NULL);
  PdTimeRange *range = pd_range_new (run, machine);
  Recorded recorded = sum_up (cleanings);
  gdouble time = (gdouble) recorded.share.time.ps, cpu = pd_range_get_parts (run).cpu;
  gdouble longest = (gdouble) pd_range_get_time (run).ps;

  if (!(time > 0) || !(longest > 0))
    return range;
  gdouble scatter = PD_RANGE_NORMAL * sqrt (recorded.variance) / time * cpu;
  gdouble readings = READING_PS * (gdouble) recorded.share.n_records / recorded.share.n_files;
  pd_time_range_add (range, PD_RANGE_SCATTER, scatter, scatter);
  add_clock (range, &recorded.share, time, cpu);
  pd_time_range_add (range, PD_RANGE_RECORDER, pd_range_get_width (MIN (readings / longest, cpu)),
                     0);
  pd_time_range_add (range, PD_RANGE_OUTLIERS, pd_range_get_width (recorded.excess / time * cpu),
                     recorded.lack / time * cpu);
  return range;
}
