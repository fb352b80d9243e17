/* SPDX-License-Identifier: MIT */
#include "predictor/search/pd-scan-run.h"

#include "comsys/batch/pd-batch.h"
#include "comsys/description/pd-machine-noise.h"
#include "predictor/batch/pd-mp-batch.h"
#include "predictor/search/pd-scan-predict.h"

PdTime
pd_scan_take_makespan (PdReportRun *run)
{
  PdTime makespan = PD_TIME_ZERO;

  for (guint32 i = 0; run != NULL && i < run->n_processors; i++)
    makespan = pd_time_max (makespan, run->end_times[i]);
  pd_report_run_free (run);
  return makespan;
}

/* The prediction: one of both. */
typedef struct
{
  const PdMpOptions *mp;
  const PdMpTrace *trace;
  const PdPredictOptions *dvm;
  const PdCount *count;
  GAsyncQueue *sources; /* PdMachineSource that no thread uses */
} Scan;

/* ---- the machine's description, read once by each thread */

static PdMachineSource *
take_source (Scan *self, GError **error)
{
  PdMachineSource *source = g_async_queue_try_pop (self->sources);

  return source != NULL ? source
                        : pd_machine_source_new (
                            self->mp != NULL ? self->mp->machine : self->dvm->machine, error);
}

/* ---- predictions */

static PdReportRun *
predict_run (Scan *self, guint64 seed, const char *const *settings, const PdObserver *observer,
             GError **error)
{
  PdMachineSource *source = take_source (self, error);
  PdReportRun *run;

  if (source == NULL)
    return NULL;
  if (self->mp != NULL)
    {
      PdMpOptions own = pd_mp_options_unobserved (self->mp);
      own.source = source;
      own.seed = seed;
      own.settings = settings;
      own.observer = observer;
      run = pd_mp_predict (&own, self->trace, error);
    }
  else
    {
      PdPredictOptions own = pd_predict_options_unobserved (self->dvm);
      own.source = source;
      own.seed = seed;
      own.settings = settings;
      own.observer = observer;
      run = pd_predict (&own, self->count->rank, self->count->sizes, error);
    }
  g_async_queue_push (self->sources, source);
  return run;
}

static PdTime
predict_point (gpointer data, guint64 seed, const char *const *settings, GError **error)
{
  return pd_scan_take_makespan (predict_run (data, seed, settings, NULL, error));
}

static gboolean
observe (gpointer data, const PdObserver *observer, GError **error)
{
  Scan *self = data;
  const char *const *settings = self->mp != NULL ? self->mp->settings : self->dvm->settings;
  PdReportRun *run = predict_run (self, self->mp != NULL ? self->mp->seed : self->dvm->seed,
                                  settings, observer, error);

  pd_report_run_free (run);
  return run != NULL;
}

/* Returns: whether they were really predicted at once. */
static gboolean
predict_at_once (Scan *self, PdRunSample *samples, guint n)
{
  PdMpOptions options[PD_BATCH_SIZE];
  const PdMpOptions *list[PD_BATCH_SIZE] = { NULL };
  PdReportRun *runs[PD_BATCH_SIZE] = { NULL };
  GError *errors[PD_BATCH_SIZE] = { NULL };
  PdMachineSource *source = take_source (self, &samples[0].error);

  if (source == NULL)
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      options[i] = pd_mp_options_unobserved (self->mp);
      options[i].source = source;
      options[i].seed = samples[i].seed;
      options[i].settings = samples[i].settings;
      options[i].incomplete = self->trace->incomplete;
      list[i] = &options[i];
    }
  g_autofree char *reason = pd_mp_predict_batch (list, n, self->trace->program, runs, errors);
  for (guint i = 0; i < n; i++)
    {
      samples[i].error = errors[i];
      samples[i].time = pd_scan_take_makespan (runs[i]);
    }
  g_async_queue_push (self->sources, source);
  return reason == NULL;
}

static void
predict_batch (gpointer data, PdRunSample *samples, guint n)
{
  predict_at_once (data, samples, n);
}

/* Tried with two machines. */
static gboolean
can_batch (Scan *self, const PdMachine *machine)
{
  const char *const settings[] = { "latency-ratio=2", NULL };
  PdRunSample samples[] = { { .settings = NULL }, { .settings = settings } };

  if (self->mp == NULL || self->trace->program == NULL
      || pd_machine_noise_is_of_ranks (&machine->noise))
    return FALSE;
  gboolean can = predict_at_once (self, samples, G_N_ELEMENTS (samples));
  for (guint i = 0; i < G_N_ELEMENTS (samples); i++)
    g_clear_error (&samples[i].error);
  return can;
}

/* ---- a run */

static gboolean
scan_run (const PdScanHow *how, Scan *self, PdReportRun *run, GError **error)
{
  PdScanOptions scan = { .machine = how->machine,
                         .settings = self->mp != NULL ? self->mp->settings : self->dvm->settings,
                         .seed = self->mp != NULL ? self->mp->seed : self->dvm->seed,
                         .n_threads = how->n_threads,
                         .most = PD_SCAN_MOST_EVENTS / how->n_runs,
                         .predict = predict_point,
                         .data = self,
                         .max_batch = PD_BATCH_SIZE,
                         .observe = observe };

  self->sources = g_async_queue_new_full ((GDestroyNotify) pd_machine_source_free);
  if (run->n_processors > 1 && run->n_events < scan.most / 2 && can_batch (self, how->machine))
    scan.predict_batch = predict_batch;
  gboolean ok = pd_scan_predict (&scan, run, &run->scan, error);
  g_async_queue_unref (self->sources);
  return ok;
}

gboolean
pd_scan_run_mp (const PdScanHow *how, const PdMpOptions *what, const PdMpTrace *trace,
                PdReportRun *run, GError **error)
{
  Scan self = { .mp = what, .trace = trace };

  return scan_run (how, &self, run, error);
}

gboolean
pd_scan_run_dvm (const PdScanHow *how, const PdPredictOptions *predict, const PdCount *count,
                 PdReportRun *run, GError **error)
{
  Scan self = { .dvm = predict, .count = count };

  return scan_run (how, &self, run, error);
}
