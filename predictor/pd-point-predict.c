/* Computing points: what is read once for all of them, and the prediction of one.
 * SPDX-License-Identifier: MIT */
#include "predictor/pd-bounds.h"
#include "predictor/pd-commands.h"
#include "predictor/pd-mp-options.h"
#include "predictor/pd-point-private.h"
#include "predictor/pd-predict.h"
#include "predictor/pd-simulation.h"
#include "traces/pd-trace-share.h"

#include <string.h>

/* A DVM trace of more bytes is read from its file each time. */
#define MAX_KEPT (256 * 1024 * 1024)

/* What a worker keeps. */
typedef struct
{
  const PdStudy *study;
  GHashTable *traces;   /* by name: PdPointTrace */
  GHashTable *machines; /* by name: PdMachineSource */
  GHashTable *blocks;   /* by name: PdBlockFile */
} State;

/* ---- traces */

void
pd_point_trace_free (PdPointTrace *self)
{
  if (self == NULL)
    return;
  pd_mp_trace_free (self->mp);
  g_clear_pointer (&self->bytes, g_bytes_unref);
  g_free (self->path);
  g_free (self);
}

/* All of @path, decompressed; NULL if it is not to be kept, or there is something that
 * its reader has to say about it. */
static GBytes *
read_whole (const char *path)
{
  GBytes *shared = pd_trace_share_get_text (path);

  if (shared != NULL)
    return shared;
  g_autoptr (PdInput) input = pd_input_new_from_file (path, NULL);
  if (input == NULL)
    return NULL;
  const PdWindow *window = pd_input_get_window (input);
  while (window->size <= MAX_KEPT && pd_input_fill (input, 0))
    ;
  if (window->size > MAX_KEPT || pd_input_get_problem (input) != PD_INPUT_FINE)
    return NULL;
  return g_bytes_new (window->data, window->size);
}

static gboolean
open_dvm (PdPointTrace *self, const char *path, GError **error)
{
  g_autoptr (PdDvmSet) set = pd_dvm_set_new (path, NULL, error);
  g_autoptr (PdDvmReader) reader = set != NULL ? pd_dvm_set_open (set, 0, NULL, error) : NULL;
  gboolean one = set != NULL && pd_dvm_set_get_n (set) == 1;

  if (reader == NULL)
    return FALSE;
  /* a folder may hold one trace */
  self->path = g_strdup (one ? pd_dvm_set_get_path (set, 0) : path);
  self->recorded = (PdCount){ 1, { 1 } };
  if (!one)
    self->recorded = pd_trace_recorded_grid (pd_dvm_reader_get_header (reader));
  else if (pd_dvm_reader_get_header (reader)->proc_count <= 1)
    self->bytes = read_whole (self->path);
  return TRUE;
}

PdPointTrace *
pd_point_trace_new (const char *path, GError **error)
{
  const PdTraceSource source = { path, NULL };
  const PdTraceReadOptions options = { FALSE, NULL };
  g_autoptr (PdPointTrace) self = g_new0 (PdPointTrace, 1);

  if (!pd_mp_is_trace (&source))
    return open_dvm (self, path, error) ? g_steal_pointer (&self) : NULL;
  self->mp = pd_mp_trace_read (&source, &options, NULL, error);
  return self->mp != NULL ? g_steal_pointer (&self) : NULL;
}

/* ---- what is kept */

static void
state_free (gpointer data)
{
  State *self = data;

  g_hash_table_unref (self->traces);
  g_hash_table_unref (self->machines);
  g_hash_table_unref (self->blocks);
  g_free (self);
}

static gpointer
state_new (const PdStudy *study, GError **error)
{
  State *self = g_new0 (State, 1);

  (void) error;
  self->study = study;
  self->traces =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) pd_point_trace_free);
  self->machines = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                          (GDestroyNotify) pd_machine_source_free);
  self->blocks =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) pd_block_file_free);
  return self;
}

static const PdPointTrace *
get_trace (State *self, const char *path, GError **error)
{
  PdPointTrace *trace = g_hash_table_lookup (self->traces, path);

  if (trace == NULL && (trace = pd_point_trace_new (path, error)) != NULL)
    g_hash_table_insert (self->traces, g_strdup (path), trace);
  return trace;
}

static PdMachineSource *
get_machine (State *self, const char *spec, GError **error)
{
  PdMachineSource *source = g_hash_table_lookup (self->machines, spec);

  if (source == NULL && (source = pd_machine_source_new (spec, error)) != NULL)
    g_hash_table_insert (self->machines, g_strdup (spec), source);
  return source;
}

static const PdBlockFile *
get_blocks (State *self, const char *path, GError **error)
{
  PdBlockFile *blocks = g_hash_table_lookup (self->blocks, path);

  if (blocks == NULL && (blocks = pd_block_file_new (path, error)) != NULL)
    g_hash_table_insert (self->blocks, g_strdup (path), blocks);
  return blocks;
}

/* ---- one prediction */

static gboolean
refuse (const char *name, const char *of, GError **error)
{
  g_set_error (error, PD_USAGE_ERROR, 0, "%s means nothing for the trace of a %s program", name,
               of);
  return FALSE;
}

static PdReportRun *
predict_mp (const PdStudyPoint *point, const PdPointTrace *trace, PdMachineSource *source,
            const PdCpuRatios *ratios, GError **error)
{
  const PdMpOptions options = { .trace = point->trace,
                                .machine = point->machine,
                                .source = source,
                                .settings = (const char *const *) point->settings->pdata,
                                .map = point->map,
                                .ratios = ratios,
                                .seed = point->seed,
                                .flops = point->flops,
                                .simulated = point->simulated };
  guint32 n = pd_mp_trace_get_n_ranks (trace->mp);

  if (point->only_dvm != NULL && !refuse (point->only_dvm, "message-passing", error))
    return NULL;
  if (point->count.rank == 0
      || (pd_count_get_n (&point->count) == n && (point->count.rank == 1 || n == 1)))
    return pd_mp_predict (&options, trace->mp, error);
  g_set_error (error, PD_USAGE_ERROR, 0,
               "procs: %s is of %u ranks, and can be predicted for these only", point->trace, n);
  return NULL;
}

static PdReportRun *
predict_dvm (State *self, const PdStudyPoint *point, const PdPointTrace *trace,
             PdMachineSource *source, const PdCpuRatios *ratios, GError **error)
{
  const PdCount *count = point->count.rank > 0 ? &point->count : &trace->recorded;
  PdPredictOptions options = { .trace = trace->path,
                               .bytes = trace->bytes,
                               .machine = point->machine,
                               .source = source,
                               .settings = (const char *const *) point->settings->pdata,
                               .map = point->map,
                               .ratios = ratios,
                               .seed = point->seed,
                               .dvm = point->dvm };

  if (point->only_mp != NULL && !refuse (point->only_mp, "DVM", error))
    return NULL;
  if (point->blocks != NULL
      && (options.dvm.blocks = get_blocks (self, point->blocks, error)) == NULL)
    return NULL;
  return pd_predict (&options, count->rank, count->sizes, error);
}

static PdReportRun *
predict (State *self, gint64 number, GError **error)
{
  g_auto (PdStudyPoint) point = { .trace = NULL };
  g_autoptr (PdCpuRatios) ratios = NULL;

  if (!pd_point_read (&point, self->study, number, error)
      || (ratios = pd_cpu_ratios_parse ((const char *const *) point.ratios->pdata, error)) == NULL)
    return NULL;
  const PdPointTrace *trace = get_trace (self, point.trace, error);
  if (trace == NULL)
    return NULL;
  PdMachineSource *source = get_machine (self, point.machine, error);
  if (source == NULL)
    return NULL;
  return trace->mp != NULL ? predict_mp (&point, trace, source, ratios, error)
                           : predict_dvm (self, &point, trace, source, ratios, error);
}

static PdPointStatus
get_status (const GError *error)
{
  gboolean stuck = error->domain == PD_SIMULATION_ERROR
                   && (error->code == PD_SIMULATION_ERROR_DEADLOCK
                       || error->code == PD_SIMULATION_ERROR_UNMATCHED);

  return stuck ? PD_POINT_DEADLOCK : PD_POINT_FAILED;
}

/* What is wrong with a trace is wrong for all points, not with the point. */
static gboolean
is_fatal (const GError *error)
{
  return error->domain == PD_DVM_ERROR || error->domain == PD_TRACE_ERROR
         || g_error_matches (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_NOT_FOUND);
}

static gboolean
state_compute (gpointer data, gint64 number, GByteArray *out, GError **error)
{
  State *self = data;
  gint64 begin = g_get_monotonic_time ();
  g_autoptr (GError) local = NULL;
  PdReportRun *run = predict (self, number, &local);
  gdouble seconds = (gdouble) (g_get_monotonic_time () - begin) / 1e6;

  if (run != NULL)
    {
      run->seconds = seconds;
      pd_result_message_write_run (out, number, run, pd_study_get_per_processor (self->study));
      pd_report_run_free (run);
      return TRUE;
    }
  if (is_fatal (local))
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  pd_result_message_write_failure (out, number, get_status (local), local->message, seconds);
  return TRUE;
}

const PdPointClass pd_point_class = { state_new, state_compute, state_free };
