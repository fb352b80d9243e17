/* Computing points: the inputs that are read once for all, and the prediction of one.
 * SPDX-License-Identifier: MIT */
#include "predictor/search/pd-bounds.h"
#include "predictor/common/pd-errors.h"
#include "predictor/mp/pd-mp-kind.h"
#include "comsys/batch/pd-batch.h"
#include "predictor/search/pd-point-lookahead-private.h"
#include "predictor/search/pd-point-private.h"
#include "predictor/dvm/predict/pd-predict.h"
#include "predictor/dvm/predict/pd-recorded.h"
#include "traces/open/pd-trace-share.h"
#include "predictor/search/pd-point-check.h"
#include "predictor/scaled/pd-scaled.h"
#include "predictor/search/pd-point-predict-private.h"
#include "predictor/search/pd-point-predict.h"
#include "traces/open/pd-dvm-set.h"
#include "traces/open/pd-trace-read.h"

#include <string.h>

/* A DVM trace of more bytes is read from its file each time. */
#define MAX_KEPT (256 * 1024 * 1024)

/* How the recorded times of a trace are cleaned. */
typedef struct
{
  PdDvmCleanOptions options;
  GPtrArray *files; /* of pd_recorded_clean() */
} PointCleaning;

/* The kept inputs of a worker. */
typedef struct
{
  const PdStudy *study;
  GHashTable *traces;    /* by name: PdPointTrace */
  GHashTable *machines;  /* by name: PdMachineSource */
  GHashTable *blocks;    /* by name: PdBlockFile */
  GHashTable *cleanings; /* by name of a trace: PointCleaning */
  PdPointsAhead *ahead;  /* of points that come next */
} State;

/* ---- traces */

void
pd_point_trace_free (PdPointTrace *self)
{
  if (self == NULL)
    return;
  pd_mp_trace_free (self->mp);
  pd_scale_model_free (self->model);
  pd_messages_free (self->messages);
  g_clear_pointer (&self->bytes, g_bytes_unref);
  g_free (self->path);
  g_free (self);
}

/* All of @path, decompressed; NULL if it is not to be kept, since it is shared, or there is
 * something that its reader has to say about it. */
static GBytes *
read_whole (const char *path)
{
  g_autoptr (GBytes) shared = pd_trace_share_get_calls (path);

  if (shared != NULL)
    return NULL;
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
  const PdTraceReadOptions options = { .audit = PD_AUDIT_SIMULATED };
  g_autoptr (PdPointTrace) self = g_new0 (PdPointTrace, 1);

  if (pd_scaled_is_model (&source))
    {
      self->model = pd_scaled_open (&source, error);
      return self->model != NULL ? g_steal_pointer (&self) : NULL;
    }
  if (!pd_mp_is_trace (&source))
    return open_dvm (self, path, error) ? g_steal_pointer (&self) : NULL;
  self->messages = pd_messages_new ();
  self->mp = pd_mp_trace_read (&source, &options, self->messages, error);
  return self->mp != NULL ? g_steal_pointer (&self) : NULL;
}

/* ---- kept inputs */

static void
cleaning_free (gpointer data)
{
  PointCleaning *self = data;

  g_ptr_array_unref (self->files);
  g_free (self);
}

static void
state_free (gpointer data)
{
  State *self = data;

  g_hash_table_unref (self->traces);
  g_hash_table_unref (self->machines);
  g_hash_table_unref (self->blocks);
  g_hash_table_unref (self->cleanings);
  pd_points_ahead_free (self->ahead);
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
  self->cleanings = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, cleaning_free);
  self->ahead = pd_points_ahead_new ();
  return self;
}

/* The program of a model on the ranks of @point. */
static PdPointTrace *
make_trace (PdScaleModel *model, const PdStudyPoint *point, GError **error)
{
  g_autoptr (PdPointTrace) self = g_new0 (PdPointTrace, 1);

  if (point->count.rank == 0)
    {
      g_set_error (error, PD_USAGE_ERROR, 0, "procs: %s is a model: expected a number of ranks",
                   point->trace);
      return NULL;
    }
  self->maker = model;
  self->messages = pd_messages_new ();
  pd_scaled_report (model, self->messages);
  self->mp = pd_scaled_make (model, &point->count, self->messages, NULL, error);
  return self->mp != NULL ? g_steal_pointer (&self) : NULL;
}

/* @key: the name of a trace; for programs from a model also the number of ranks */
static const PdPointTrace *
keep_trace (State *self, const char *key, PdPointTrace *trace)
{
  if (trace != NULL && trace->mp != NULL)
    trace->computations = pd_range_read_mp (trace->mp);
  if (trace != NULL)
    g_hash_table_insert (self->traces, g_strdup (key), trace);
  return trace;
}

static const PdPointTrace *
get_trace (State *self, const PdStudyPoint *point, GError **error)
{
  const PdPointTrace *trace = g_hash_table_lookup (self->traces, point->trace);

  if (trace == NULL)
    trace = keep_trace (self, point->trace, pd_point_trace_new (point->trace, error));
  if (trace == NULL || trace->model == NULL)
    return trace;
  g_autofree char *ranks = pd_sizes_format (point->count.sizes, point->count.rank);
  g_autofree char *key = g_strconcat (point->trace, "\n", ranks, NULL);
  const PdPointTrace *made = g_hash_table_lookup (self->traces, key);
  return made != NULL ? made : keep_trace (self, key, make_trace (trace->model, point, error));
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

/* The cleaning that was used last with the trace: points that differ in it alternate seldom. */
static GPtrArray *
get_cleanings (State *self, const PdStudyPoint *point, const PdPointTrace *trace, GError **error)
{
  PointCleaning *known = g_hash_table_lookup (self->cleanings, trace->path);

  if (known != NULL && memcmp (&known->options, &point->clean, sizeof point->clean) == 0)
    return known->files;
  GPtrArray *files = pd_recorded_clean (trace->path, trace->bytes, &point->clean, error);
  if (files == NULL)
    return NULL;
  known = g_new (PointCleaning, 1);
  *known = (PointCleaning){ point->clean, files };
  g_hash_table_replace (self->cleanings, g_strdup (trace->path), known);
  return files;
}

/* ---- one prediction */

static gboolean
refuse (const char *name, const char *of, GError **error)
{
  g_set_error (error, PD_USAGE_ERROR, 0, "%s means nothing for the trace of a %s program", name,
               of);
  return FALSE;
}

/* Whether the trace is of the ranks that @point asks for, and of such a program. */
static gboolean
check_mp (const PdStudyPoint *point, const PdPointTrace *trace, GError **error)
{
  guint32 n = pd_mp_trace_get_n_ranks (trace->mp);

  if (point->only_dvm != NULL && !refuse (point->only_dvm, "message-passing", error))
    return FALSE;
  if (point->count.rank == 0 || trace->maker != NULL
      || (pd_count_get_n (&point->count) == n && (point->count.rank == 1 || n == 1)))
    return TRUE;
  g_set_error (error, PD_USAGE_ERROR, 0,
               "procs: %s is of %u ranks, and can be predicted for these only", point->trace, n);
  return FALSE;
}

static PdMpOptions
get_mp_options (const PdStudyPoint *point, const PdPointTrace *trace, PdMachineSource *source,
                const PdCpuRatios *ratios)
{
  return (PdMpOptions){ .trace = point->trace,
                        .machine = point->machine,
                        .source = source,
                        .settings = (const char *const *) point->settings->pdata,
                        .map = point->map,
                        .ratios = ratios,
                        .seed = point->seed,
                        .flops = point->flops,
                        .simulated = point->simulated,
                        .recorded = &trace->computations };
}

static PdReportRun *
predict_mp (const PdStudyPoint *point, const PdPointTrace *trace, PdMachineSource *source,
            const PdCpuRatios *ratios, GError **error)
{
  const PdMpOptions options = get_mp_options (point, trace, source, ratios);

  PdReportRun *run =
      check_mp (point, trace, error) ? pd_mp_predict (&options, trace->mp, error) : NULL;
  if (run != NULL)
    pd_point_trace_add_to (trace, run);
  return run;
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
                               .dvm = point->dvm,
                               .clean = point->clean,
                               .range = TRUE };

  if (point->only_mp != NULL && !refuse (point->only_mp, "DVM", error))
    return NULL;
  if (point->blocks != NULL
      && (options.dvm.blocks = get_blocks (self, point->blocks, error)) == NULL)
    return NULL;
  options.cleanings = get_cleanings (self, point, trace, error);
  if (options.cleanings == NULL)
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
  const PdPointTrace *trace = get_trace (self, &point, error);
  if (trace == NULL)
    return NULL;
  PdMachineSource *source = get_machine (self, point.machine, error);
  if (source == NULL)
    return NULL;
  return trace->mp != NULL ? predict_mp (&point, trace, source, ratios, error)
                           : predict_dvm (self, &point, trace, source, ratios, error);
}

/* ---- several at once */

/* A point and what its prediction borrows. */
typedef struct
{
  PdStudyPoint point;
  PdCpuRatios *ratios;
  PdMpOptions options;
} Next;

static void
next_clear (Next *next)
{
  pd_point_clear (&next->point);
  pd_cpu_ratios_free (next->ratios);
}

/* Whether @number is one more point of the program @first, NULL: of any such program, and can
 * be predicted with others. Errors are reported in its turn. */
static gboolean
read_next (State *self, gint64 number, const PdPointTrace *first, Next *next)
{
  const PdPointTrace *trace;
  PdMachineSource *source;

  if (!pd_point_read (&next->point, self->study, number, NULL)
      || (next->ratios =
              pd_cpu_ratios_parse ((const char *const *) next->point.ratios->pdata, NULL))
             == NULL)
    return FALSE;
  trace = get_trace (self, &next->point, NULL);
  if (trace == NULL || (first != NULL && trace != first) || trace->mp == NULL
      || trace->mp->program == NULL || trace->mp->incomplete
      || !check_mp (&next->point, trace, NULL))
    return FALSE;
  source = get_machine (self, next->point.machine, NULL);
  next->options = get_mp_options (&next->point, trace, source, next->ratios);
  return source != NULL;
}

/* Predicts @number and those that follow, if that is possible at once: a program that is
 * recorded for itself takes many machines in one pass. */
static void
predict_ahead (State *self, gint64 number)
{
  Next nexts[PD_BATCH_SIZE] = { 0 };
  const PdMpOptions *options[PD_BATCH_SIZE];
  gint64 numbers[PD_BATCH_SIZE];
  guint n = 0, tried = 0;

  if (!pd_points_ahead_may_try (self->ahead))
    return;
  while (n < PD_BATCH_SIZE && pd_points_ahead_peek (self->ahead, number, n, &numbers[n]))
    {
      const PdPointTrace *first = n > 0 ? get_trace (self, &nexts[0].point, NULL) : NULL;
      tried = n + 1;
      if (!read_next (self, numbers[n], first, &nexts[n]))
        break;
      options[n] = &nexts[n].options;
      n++;
    }
  if (n > 1)
    pd_points_ahead_predict (self->ahead, options, numbers, n,
                             get_trace (self, &nexts[0].point, NULL));
  for (guint i = 0; i < tried; i++)
    next_clear (&nexts[i]);
}

static void
state_expect (gpointer data, const gint64 *points, gsize n)
{
  State *self = data;

  pd_points_ahead_expect (self->ahead, points, n);
}

/* ---- results */

static PdPointStatus
get_status (const GError *error)
{
  gboolean stuck = error->domain == PD_SIMULATION_ERROR
                   && (error->code == PD_SIMULATION_ERROR_DEADLOCK
                       || error->code == PD_SIMULATION_ERROR_UNMATCHED);

  return stuck ? PD_POINT_DEADLOCK : PD_POINT_FAILED;
}

/* A fault of a trace concerns all points, not this point. */
static gboolean
is_fatal (const GError *error)
{
  return error->domain == PD_DVM_ERROR || error->domain == PD_TRACE_ERROR
         || g_error_matches (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_NOT_FOUND);
}

/* One point, perhaps predicted already. @seconds: (out): that it took */
static PdReportRun *
predict_next (State *self, gint64 number, gdouble *seconds, GError **error)
{
  gint64 begin = g_get_monotonic_time ();
  PdReportRun *run = NULL;

  if (!pd_points_ahead_take (self->ahead, number, &run, error))
    {
      predict_ahead (self, number);
      if (!pd_points_ahead_take (self->ahead, number, &run, error))
        {
          run = predict (self, number, error);
          *seconds = (gdouble) (g_get_monotonic_time () - begin) / 1e6;
          return run;
        }
    }
  *seconds = run != NULL ? run->seconds : 0;
  return run;
}

static gboolean
state_compute (gpointer data, gint64 number, GByteArray *out, GError **error)
{
  State *self = data;
  gdouble seconds;
  g_autoptr (GError) local = NULL;
  PdReportRun *run = predict_next (self, number, &seconds, &local);

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

const PdPointClass pd_point_class = { .check = pd_point_check_host,
                                      .new = state_new,
                                      .expect = state_expect,
                                      .compute = state_compute,
                                      .free = state_free };
