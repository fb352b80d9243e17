/* predictor run: what a run is predicted again for, --pop and --samples.
 * SPDX-License-Identifier: MIT */
#include "predictor/cli/cmd-run-private.h"
#include "predictor/options/cmd-tools.h"
#include "predictor/cli/pd-commands.h"
#include "predictor/search/pd-what-if.h"

#include <string.h>

void
pd_cmd_run_again_fill (PdRunOptions *options, GOptionEntry *entries)
{
  const GOptionEntry table[PD_RUN_N_AGAIN_OPTIONS + 1] = {
    { "pop", 0, 0, G_OPTION_ARG_NONE, &options->pop,
      "Predict each run a second time where communication costs nothing, and report the POP "
      "efficiencies: load balance, serialisation, transfer (default: off)",
      NULL },
    { "what-if", 0, 0, G_OPTION_ARG_NONE, &options->what_if,
      "Predict each run of a DVM program again with one change each, of the program, the grid or "
      "the machine, and rank the changes by the time they gain (default: off)",
      NULL },
    { "samples", 0, 0, G_OPTION_ARG_INT64, &options->n_samples,
      "Predict each run N times more, with new random values of noise and uncertain parameters, "
      "and report the distribution of its time (default: none)",
      "N" },
    { "no-range", 0, 0, G_OPTION_ARG_NONE, &options->no_range,
      "Omit the 90 % range of the run time, and its largest source (default: off)", NULL },
    { "jobs", 'j', 0, G_OPTION_ARG_INT64, &options->n_threads,
      "Samples that are predicted at once (default: one per processor of this computer)", "N" },
    { .long_name = NULL },
  };

  memcpy (entries, table, sizeof table);
}

gboolean
pd_cmd_run_sample (const PdRunOptions *options, PdReportRun *run, PdSampleOptions *samples,
                   GError **error)
{
  const PdMachine *machine = options->loaded;

  if (machine->noise.kind == PD_NOISE_NONE && machine->spreads->len == 0)
    {
      g_set_error (error, PD_USAGE_ERROR, 0,
                   "--samples: machine '%s' has neither noise nor a spread of its values: all "
                   "samples would be alike",
                   machine->name);
      return FALSE;
    }
  samples->machine = machine;
  samples->seed = options->common.seed;
  samples->n = (guint) options->n_samples;
  samples->n_threads = (guint) options->n_threads;
  if (machine->noise.kind != PD_NOISE_NONE)
    samples->predict_batch = NULL;
  run->samples = pd_samples_predict (samples, error);
  run->first_seed = options->common.seed;
  return run->samples != NULL;
}

PdScanHow
pd_cmd_run_scan_how (const PdRunOptions *options, guint n_runs)
{
  return (PdScanHow){ options->loaded, (guint) options->n_threads, n_runs };
}

/* The inputs of the prediction of samples of one grid. */
typedef struct
{
  const PdPredictOptions *predict;
  const PdCount *count;
} DvmSample;

static PdTime
predict_sample (gpointer data, guint64 seed, const char *const *settings, GError **error)
{
  const DvmSample *self = data;
  PdPredictOptions own = pd_predict_options_unobserved (self->predict);

  own.seed = seed;
  own.settings = settings;
  return pd_scan_take_makespan (pd_predict (&own, self->count->rank, self->count->sizes, error));
}

static gboolean
add_samples (const PdRunOptions *options, const PdPredictOptions *predict, const PdCount *count,
             PdReportRun *run, GError **error)
{
  DvmSample sample = { predict, count };
  PdSampleOptions samples = { .settings = predict->settings,
                              .predict = predict_sample,
                              .data = &sample };

  return options->n_samples == PD_RUN_NO_SAMPLES
         || pd_cmd_run_sample (options, run, &samples, error);
}

static gboolean
add_ideal (const PdPredictOptions *predict, const PdCount *count, PdReportRun *run, GError **error)
{
  PdPredictOptions own = pd_predict_options_unobserved (predict);
  GError *failure = NULL;

  own.ideal = TRUE;
  PdReportRun *ideal = pd_predict (&own, count->rank, count->sizes, &failure);
  return pd_cmd_set_ideal (run, ideal, failure, error);
}

gboolean
pd_cmd_run_again (const PdRunOptions *options, const PdPredictOptions *predict,
                  const PdCount *count, PdReportRun *run, GError **error)
{
  return (!options->pop || add_ideal (predict, count, run, error))
         && (!options->what_if || pd_what_if_predict (predict, count, run, error))
         && add_samples (options, predict, count, run, error);
}
