/* predictor run, of traces of message-passing programs.
 * SPDX-License-Identifier: MIT */
#include "comsys/batch/pd-batch.h"
#include "predictor/cli/cmd-run-private.h"
#include "predictor/options/cmd-tools.h"
#include "predictor/options/cmd-progress.h"
#include "predictor/cli/pd-commands.h"
#include "predictor/common/pd-counts.h"
#include "predictor/batch/pd-mp-batch.h"
#include "predictor/mp/pd-mp-analyse.h"
#include "predictor/range/pd-range-mp.h"
#include "predictor/mp/pd-mp-reproduce.h"
#include "predictor/scaled/pd-scaled-report.h"
#include "predictor/scaled/pd-scaled.h"
#include "predictor/dvm/simulate/pd-simulation.h"
#include "traces/open/pd-trace-read.h"
#include "base/pd-file.h"

#include <string.h>

/* The predicted program: a trace, or a model on several numbers of ranks. */
typedef struct
{
  const PdTraceSource *source;
  PdMpTrace *trace;    /* NULL: of a model there is one of each number of ranks */
  PdScaleModel *model; /* NULL: of a trace */
  const GArray *counts;
} Input;

static void
input_clear (Input *self)
{
  pd_mp_trace_free (self->trace);
  pd_scale_model_free (self->model);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Input, input_clear)

/* A model is asked for numbers of ranks. */
static gboolean
check_model_counts (const PdRunOptions *options, const Input *input, GError **error)
{
  guint n = input->counts != NULL ? input->counts->len : 0;

  if (n > 0 && (n == 1 || options->timeline.path == NULL))
    return pd_scaled_check_counts (input->counts, options->counts, error);
  g_set_error (error, PD_USAGE_ERROR, 0,
               n == 0 ? "-n: %s is a model: expected numbers of ranks"
                      : "--timeline: a file is of one run of %s: expected one number of ranks",
               pd_trace_source_get_name (input->source));
  return FALSE;
}

/* The number of processors is that of the trace. */
static gboolean
check_counts (const PdRunOptions *options, const Input *input, GError **error)
{
  const GArray *counts = input->counts;
  const PdMpTrace *trace = input->trace;
  const char *path = pd_trace_source_get_name (input->source);

  if (input->model != NULL)
    return check_model_counts (options, input, error);
  guint32 n = pd_mp_trace_get_n_ranks (trace);

  for (guint i = 0; counts != NULL && i < counts->len; i++)
    {
      const PdCount *count = &g_array_index (counts, PdCount, i);
      gint64 wanted = pd_count_get_n (count);
      if (wanted == n && (count->rank == 1 || n == 1))
        continue;
      g_set_error (error, PD_USAGE_ERROR, 0,
                   "-n: %s is of %u ranks, and can be predicted for these only", path, n);
      return FALSE;
    }
  return TRUE;
}

static gboolean
start_report (PdRunOptions *options, const Input *input, PdReport *report, GError **error)
{
  const PdMpTrace model = { .parts = NULL };
  PdPredictOptions machine = { .machine = options->machine != NULL ? options->machine : "ideal",
                               .settings = (const char *const *) options->model.settings };

  if (!pd_cmd_add_trace (report, input->source, input->trace != NULL ? input->trace : &model,
                         error))
    return FALSE;
  if (options->machine != NULL && pd_file_exists (options->machine)
      && !pd_report_add_input (report, options->machine, error))
    return FALSE;
  report->per_processor = options->per_processor;
  machine.source = options->source = pd_machine_source_new (machine.machine, error);
  return machine.source != NULL && pd_cmd_name_machine (&machine, report, &options->loaded, error);
}

static gboolean
add_ideal (const PdMpOptions *what, const PdMpTrace *trace, PdReportRun *run, GError **error)
{
  PdMpOptions own = pd_mp_options_unobserved (what);
  GError *failure = NULL;

  own.ideal = TRUE;
  PdReportRun *ideal = pd_mp_predict (&own, trace, &failure);
  return pd_cmd_set_ideal (run, ideal, failure, error);
}

/* ---- call sites */

#define MOST_ACTIONS 1000000 /* of a program whose calls are analysed, too: about 1 s */

/* Whether an output with call sites is written: all have them, except CSV. */
static gboolean
wants_calls (const PdRunOptions *options)
{
  const PdOutputOptions *output = &options->output;

  for (guint i = 0; i < PD_N_OUTPUTS; i++)
    if (i != PD_OUTPUT_CSV && output->files[i] != NULL)
      return TRUE;
  return output->json || !output->quiet;
}

static guint64
count_actions (const PdProgram *program)
{
  guint64 n = 0;

  for (guint32 rank = 0; rank < pd_program_get_n_ranks (program); rank++)
    n += pd_program_get_n_actions (program, rank);
  return n;
}

/* The prediction of the trace with its call sites, which are read only with recorded times: local
 * calls then take time, so it is a prediction beside @run. */
static PdReportRun *
predict_calls (const PdMpOptions *what, const PdTraceSource *source, PdProgram **replayed,
               GError **error)
{
  const PdTraceReadOptions reading = { .recorded = TRUE, .audit = PD_AUDIT_SIMULATED };
  g_autoptr (PdMessages) messages = pd_messages_new ();
  g_autoptr (PdMpTrace) trace = pd_mp_trace_read (source, &reading, messages, error);
  PdMpOptions own = pd_mp_options_unobserved (what);

  if (trace == NULL || pd_program_get_n_sites (trace->program) == 0)
    return NULL;
  own.replayed = replayed;
  PdReportRun *run = pd_mp_predict (&own, trace, error);
  if (run == NULL)
    return NULL;
  pd_report_run_free (run);
  return pd_mp_analyse (*replayed, what->trace, FALSE, NULL, error);
}

static void
add_calls (const PdMpOptions *what, const Input *input, const PdMpTrace *trace, PdReportRun *run)
{
  g_autoptr (GError) local = NULL;
  g_autoptr (PdProgram) replayed = NULL;

  if (input->model != NULL || trace->program == NULL
      || (pd_program_get_n_sites (trace->program) == 0
          && pd_time_is_pending (pd_program_get_recorded_end (trace->program, 0))))
    return;
  if (count_actions (trace->program) > MOST_ACTIONS)
    {
      pd_messages_add (run->messages, PD_SEVERITY_NOTE, "call-sites-not-shown", NULL, NULL,
                       "call sites of programs of more than %d actions are not shown here: "
                       "'predictor analyse -m' does",
                       MOST_ACTIONS);
      return;
    }
  PdReportRun *calls = predict_calls (what, input->source, &replayed, &local);
  if (calls != NULL)
    pd_report_run_take_calls (run, calls, g_steal_pointer (&replayed));
  else if (local != NULL)
    pd_messages_add (run->messages, PD_SEVERITY_NOTE, "call-sites-not-shown", NULL, NULL,
                     "call sites are not shown: %s", local->message);
}

/* ---- samples */

/* The inputs of the prediction of samples. */
typedef struct
{
  const PdMpOptions *what;
  const PdMpTrace *trace;
  GMutex lock;
  char *reason; /* (nullable): why some could not be predicted at once, */
  guint64 seed; /* … of the first of which this is */
} Sample;

static PdMpOptions
options_of_sample (const Sample *self, guint64 seed, const char *const *settings)
{
  PdMpOptions own = pd_mp_options_unobserved (self->what);

  own.seed = seed;
  own.settings = settings;
  own.incomplete = self->trace->incomplete;
  return own;
}

static PdTime
predict_sample (gpointer data, guint64 seed, const char *const *settings, GError **error)
{
  PdMpOptions own = options_of_sample (data, seed, settings);

  return pd_scan_take_makespan (pd_mp_predict (&own, ((Sample *) data)->trace, error));
}

/* Whichever thread comes first. */
static void
keep_reason (Sample *self, guint64 seed, char *reason)
{
  g_mutex_lock (&self->lock);
  if (reason != NULL && (self->reason == NULL || seed < self->seed))
    {
      g_free (self->reason);
      self->reason = reason;
      self->seed = seed;
      reason = NULL;
    }
  g_mutex_unlock (&self->lock);
  g_free (reason);
}

static void
predict_samples (gpointer data, PdRunSample *samples, guint n)
{
  Sample *self = data;
  PdMpOptions options[PD_BATCH_SIZE];
  const PdMpOptions *list[PD_BATCH_SIZE] = { NULL };
  PdReportRun *runs[PD_BATCH_SIZE] = { NULL };
  GError *errors[PD_BATCH_SIZE] = { NULL };

  for (guint i = 0; i < n; i++)
    {
      options[i] = options_of_sample (self, samples[i].seed, samples[i].settings);
      list[i] = &options[i];
    }
  keep_reason (self, samples[0].seed,
               pd_mp_predict_batch (list, n, self->trace->program, runs, errors));
  for (guint i = 0; i < n; i++)
    {
      samples[i].error = errors[i];
      samples[i].time = pd_scan_take_makespan (runs[i]);
    }
}

static gboolean
add_samples (const PdRunOptions *options, const PdMpOptions *what, const PdMpTrace *trace,
             PdReportRun *run, GError **error)
{
  Sample sample = { .what = what, .trace = trace };
  PdSampleOptions samples = { .settings = what->settings,
                              .predict = predict_sample,
                              .data = &sample,
                              .predict_batch = trace->program != NULL ? predict_samples : NULL,
                              .max_batch = PD_BATCH_SIZE };

  if (options->n_samples == PD_RUN_NO_SAMPLES)
    return TRUE;
  g_mutex_init (&sample.lock);
  gboolean ok = pd_cmd_run_sample (options, run, &samples, error);
  if (trace->program == NULL)
    sample.reason = g_strdup ("the program is a graph of dependencies");
  else if (samples.predict_batch == NULL) /* it has been taken away */
    sample.reason = g_strdup ("the machine has noise");
  if (sample.reason != NULL)
    pd_messages_add (run->messages, PD_SEVERITY_NOTE, "lanes-not-used", NULL, NULL,
                     "samples were predicted one after the other, since %s", sample.reason);
  g_mutex_clear (&sample.lock);
  g_free (sample.reason);
  return ok;
}

/* The prediction of @trace, in @report. */
static gboolean
predict (const PdRunOptions *options, const Input *input, const PdMpTrace *trace, PdLog *log,
         PdReport *report, GError **error)
{
  const PdMpOptions what = { .trace = input->model != NULL
                                          ? PD_SCALED_NAME
                                          : pd_trace_source_get_name (input->source),
                             .machine = options->machine != NULL ? options->machine : "ideal",
                             .settings = (const char *const *) options->model.settings,
                             .map = options->model.map,
                             .ratios = options->common.ratios,
                             .seed = options->common.seed,
                             .flops = options->mp.flops,
                             .simulated = options->mp.simulated,
                             .one_step = options->one_step,
                             .sensitivity = options->sensitivity,
                             .check = options->check,
                             .log = log,
                             .timeline = pd_consumers_begin (options->consumers),
                             .replayed = pd_consumers_want_program (options->consumers),
                             .timeline_if_cheap = pd_consumers_are_easy (options->consumers),
                             .stop = pd_cmd_catch_interrupt () };
  PdMpOptions first = what;
  first.source = options->source; /* which only one thread may use at a time, as samples may not */
  PdReportRun *run = pd_mp_predict (&first, trace, error);

  pd_consumers_add_collectives (options->consumers, trace->program);
  pd_consumers_end (options->consumers, run);
  if (run == NULL)
    return FALSE;
  pd_report_add_run (report, run);
  run->recorded_time = pd_mp_recorded_time (trace);
  if ((options->pop && !add_ideal (&what, trace, run, error))
      || !add_samples (options, &what, trace, run, error))
    return FALSE;
  if (wants_calls (options))
    add_calls (&what, input, trace, run);
  const PdScanHow how =
      pd_cmd_run_scan_how (options, input->model != NULL ? input->counts->len : 1);
  if (options->output.files[PD_OUTPUT_HTML] != NULL
      && !pd_scan_run_mp (&how, &what, trace, run, error))
    return FALSE;
  if (options->no_range)
    return TRUE;
  const PdRangeRecorded recorded = pd_range_read_mp (trace);
  run->range = pd_range_new_mp (run, &recorded, options->loaded);
  if (input->model != NULL)
    pd_scaled_widen (input->model, run->range);
  return TRUE;
}

static gboolean
predict_all (const PdRunOptions *options, const Input *input, PdLog *log, PdReport *report,
             GError **error)
{
  gint64 begin = g_get_monotonic_time ();

  if (input->model == NULL)
    return predict (options, input, input->trace, log, report, error);
  for (guint i = 0; i < input->counts->len; i++)
    {
      g_autoptr (PdMpTrace) trace =
          pd_scaled_make (input->model, &g_array_index (input->counts, PdCount, i),
                          report->messages, pd_cmd_catch_interrupt (), error);
      if (trace == NULL || !predict (options, input, trace, log, report, error))
        return FALSE;
      pd_cmd_show_progress (i + 1, input->counts->len, begin);
    }
  return TRUE;
}

/* With the protocol, if it is wanted; programs that cannot go on keep theirs. */
static gboolean
predict_logged (const PdRunOptions *options, const Input *input, PdReport *report, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autoptr (PdLog) log = NULL;

  if (!pd_common_options_open_log (&options->common, options->verbosity, &log, error))
    return FALSE;
  gboolean ok = predict_all (options, input, log, report, &local);
  if (!ok && log != NULL && local->domain == PD_SIMULATION_ERROR)
    pd_log_close (log, NULL);
  if (!ok)
    g_propagate_error (error, g_steal_pointer (&local));
  return ok && (log == NULL || pd_log_close (log, error));
}

static int
write_results (PdRunOptions *options, const Input *input, PdReport *report, GError **error)
{
  const char *name = pd_trace_source_get_name (input->source);

  if (options->mp.reproduce
      && !pd_mp_reproduce (g_ptr_array_index (report->runs, 0), input->trace, error))
    return PD_EXIT_FAILURE;
  return pd_cmd_run_conclude (options, name, report, error);
}

static gboolean
check_no_what_if (const PdRunOptions *options, GError **error)
{
  if (!options->what_if)
    return TRUE;
  g_set_error (error, PD_USAGE_ERROR, 0,
               "--what-if is of DVM programs, and this is a message-passing program: "
               "--sensitivity says what its time depends on");
  return FALSE;
}

/* With a line of progress. */
static PdMpTrace *
read_trace (const PdTraceSource *source, const PdTraceReadOptions *reading, PdMessages *messages,
            GError **error)
{
  g_autoptr (PdProgressLine) line = pd_progress_line_new ();

  pd_messages_set_progress (messages, pd_progress_line_get (line));
  PdMpTrace *trace = pd_mp_trace_read (source, reading, messages, error);
  pd_messages_set_progress (messages, NULL);
  return trace;
}

static gboolean
read_input (const PdRunOptions *options, Input *input, PdReport *report, GError **error)
{
  const PdTraceReadOptions reading = { .recorded = options->mp.reproduce,
                                       .audit = PD_AUDIT_SIMULATED,
                                       .cache = options->mp.cache };

  if (input->source->bytes == NULL && pd_trace_source_is_file (input->source))
    pd_report_begin_input (report, input->source->path);
  if (options->is_model)
    input->model = pd_scaled_open (input->source, error);
  else
    input->trace = read_trace (input->source, &reading, report->messages, error);
  if (input->model != NULL)
    {
      pd_scaled_report (input->model, report->messages);
      report->model = pd_scaled_describe (input->model);
    }
  return input->model != NULL || input->trace != NULL;
}

static gboolean
check_options (const PdRunOptions *options, const Input *input, GError **error)
{
  const PdRefusedOption scaling = { "--scaling-traces", options->scaling_traces != NULL };

  if (!pd_mp_check_model_options (&options->model, error) || !check_no_what_if (options, error)
      || !pd_options_refuse (&scaling, 1, "message-passing", error))
    return FALSE;
  if (!options->mp.reproduce || !options->is_model)
    return TRUE;
  g_set_error (error, PD_USAGE_ERROR, 0,
               "--reproduce: %s is a model, which has no recorded times: expected a trace",
               pd_trace_source_get_name (input->source));
  return FALSE;
}

int
pd_cmd_run_mp (PdRunOptions *options, const GArray *counts, const PdTraceSource *source,
               char *command_line, GError **error)
{
  g_autoptr (PdReport) report = pd_cmd_new_report ();
  g_auto (Input) input = { .source = source, .counts = counts };

  report->command_line = command_line;
  if (!check_options (options, &input, error))
    return PD_EXIT_USAGE;
  if (!read_input (options, &input, report, error))
    return PD_EXIT_FAILURE;
  if (!check_counts (options, &input, error))
    return PD_EXIT_USAGE;
  if (!start_report (options, &input, report, error))
    return PD_EXIT_FAILURE;
  g_autoptr (GError) local = NULL;
  if (predict_logged (options, &input, report, &local))
    return write_results (options, &input, report, error);
  /* the faults of the trace explain more than the place where the simulation stopped */
  pd_cmd_print_warnings (report->messages);
  int status = pd_cmd_status_of_error (local);
  g_propagate_error (error, g_steal_pointer (&local));
  return status;
}
