/* SPDX-License-Identifier: MIT */
#include "predictor/range/pd-range-common.h"

#include "base/pd-distribution.h"
#include "predictor/range/pd-range-floor.h"

#include <math.h>
#include <string.h>

#define MOST_PART 0.9

/* By the kind of program: the two learn from programs of their own. */
static const gdouble floors[PD_N_MODELS] = {
  [PD_MODEL_DVM] = PD_RANGE_FLOOR_DVM,
  [PD_MODEL_MPI] = PD_RANGE_FLOOR_MPI,
};

gdouble
pd_range_get_floor (PdIntervalModel model)
{
  return floors[model];
}

static const PdIntervalResult *
root_of (const PdReportRun *run)
{
  return &g_array_index (run->results, PdIntervalResult, 0);
}

PdTime
pd_range_get_time (const PdReportRun *run)
{
  return root_of (run)->values[PD_C_EXECUTION_TIME].max;
}

static gdouble
divide (gdouble part, gdouble whole)
{
  return whole > 0 ? part / whole : 0;
}

PdRangeParts
pd_range_get_parts (const PdReportRun *run)
{
  const PdIntervalResult *root = root_of (run);

  return (PdRangeParts){
    .cpu = divide ((gdouble) root->values[PD_C_CPU_TIME].sum.ps, (gdouble) root->total_time.ps),
    .communication = divide ((gdouble) root->values[PD_C_COMMUNICATION].min.ps,
                             (gdouble) root->values[PD_C_EXECUTION_TIME].max.ps),
  };
}

gdouble
pd_range_get_width (gdouble part)
{
  gdouble p = CLAMP (part, 0, MOST_PART);

  return p / (1 - p);
}

/* ---- the machine */

/* Fitted descriptions have R2 of the logarithms of the times of operations. The unexplained
 * variance of these logarithms is the mean square of relative errors. */
static gdouble
get_deviation (const PdPoints *measured)
{
  gdouble sum = 0, squares = 0, n = 0;

  for (guint i = 0; i < measured->points->len; i++)
    {
      const PdPoint *point = &g_array_index (measured->points, PdPoint, i);
      gdouble x = point->time.ps > 0 ? log ((gdouble) point->time.ps) : 0;
      sum += x;
      squares += x * x;
      n++;
    }
  gdouble variance = n > 1 ? squares / n - sum / n * (sum / n) : 0;
  gdouble r2 = measured->operation_r2 > 0 ? measured->operation_r2 : measured->transfer_r2;
  return r2 > 0 && r2 < 1 && variance > 0 ? sqrt ((1 - r2) * variance) : 0;
}

/* Whether the description states its error itself, as those of `machine fit` do. */
static gboolean
has_network_spread (const PdMachine *machine)
{
  for (guint i = 0; i < machine->spreads->len; i++)
    if (g_str_equal (g_array_index (machine->spreads, PdMachineSpread, i).path, "network-ratio"))
      return TRUE;
  return FALSE;
}

static void
add_machine (PdTimeRange *self, const PdMachine *machine, const PdRangeParts *parts)
{
  if (machine->measured == NULL || has_network_spread (machine))
    return;
  gdouble width = PD_RANGE_NORMAL * parts->communication * get_deviation (machine->measured);
  pd_time_range_add (self, PD_RANGE_MACHINE, width, width);
}

/* ---- noise */

/* Of so many pieces on each processor, which are disturbed independently. */
static gdouble
get_noise (const PdMachineNoise *noise, const PdReportRun *run, gdouble cpu)
{
  gdouble pieces = MAX (1, (gdouble) run->n_events / run->n_processors);
  gdouble time = (gdouble) pd_range_get_time (run).ps;

  switch (noise->kind)
    {
    case PD_NOISE_NORMAL:
      return noise->sigma * cpu / sqrt (pieces);
    case PD_NOISE_EXPONENTIAL:
      return noise->share > 0 ? noise->share * cpu / sqrt (pieces)
                              : divide ((gdouble) noise->mean.ps * sqrt (pieces), time);
    case PD_NOISE_NONE:
    case PD_NOISE_TRACE:    /* only samples show it */
    case PD_NOISE_RECORDED: /* likewise; the scatter itself is a source */
    default:
      return 0;
    }
}

static void
add_noise (PdTimeRange *self, const PdReportRun *run, const PdMachine *machine,
           const PdRangeParts *parts)
{
  gdouble width = PD_RANGE_NORMAL * get_noise (&machine->noise, run, parts->cpu);

  pd_time_range_add (self, PD_RANGE_NOISE, width, width);
  for (guint i = 0; i < machine->spreads->len; i++)
    {
      const PdMachineSpread *spread = &g_array_index (machine->spreads, PdMachineSpread, i);
      gdouble part = strstr (spread->path, "speed") != NULL ? parts->cpu : parts->communication;
      width = PD_RANGE_NORMAL * spread->sigma * part;
      pd_time_range_add (self, spread->is_ratio ? PD_RANGE_MACHINE : PD_RANGE_NOISE, width, width);
    }
}

/* 5 % and 95 % of the samples; the prediction need not be between. */
static void
add_samples (PdTimeRange *self, const PdReportRun *run)
{
  gdouble time = (gdouble) pd_range_get_time (run).ps;
  PdDistribution d;

  pd_distribution_compute (run->samples, &d);
  pd_time_range_add (self, PD_RANGE_NOISE, divide (time, (gdouble) d.quantiles[2].ps) - 1,
                     divide ((gdouble) d.quantiles[6].ps, time) - 1);
}

PdTimeRange *
pd_range_new (const PdReportRun *run, const PdMachine *machine)
{
  g_return_val_if_fail (run != NULL && run->results->len > 0 && machine != NULL, NULL);
  PdTimeRange *self = pd_time_range_new (pd_range_get_time (run));
  PdRangeParts parts = pd_range_get_parts (run);

  pd_time_range_add (self, PD_RANGE_MEASURED, floors[run->model], floors[run->model]);
  add_machine (self, machine, &parts);
  if (run->samples != NULL && run->samples->len > 1)
    add_samples (self, run);
  else
    add_noise (self, run, machine, &parts);
  return self;
}
