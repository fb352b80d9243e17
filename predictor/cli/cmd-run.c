/* predictor run: predicts a traced program on a machine.
 * SPDX-License-Identifier: MIT */
#include "predictor/cli/cmd-run-private.h"
#include "predictor/options/cmd-tools.h"
#include "predictor/dvm/measured/pd-dvm-reproduce.h"
#include "predictor/dvm/predict/pd-recorded.h"
#include "predictor/range/pd-range-dvm.h"
#include "predictor/scaled/pd-scaled.h"
#include "predictor/search/pd-bounds.h"
#include "predictor/cli/pd-commands.h"
#include "reports/run/pd-report-text.h"
#include "traces/open/pd-dvm-set.h"

#include <string.h>

typedef PdRunOptions Options;

static void
options_clear (Options *options)
{
  g_free (options->machine);
  g_free (options->counts);
  g_free (options->interval);
  g_free (options->procs);
  pd_report_view_clear (&options->view);
  pd_model_options_clear (&options->model);
  pd_common_options_clear (&options->common);
  pd_mp_cli_options_clear (&options->mp);
  pd_output_options_clear (&options->output);
  pd_timeline_options_clear (&options->timeline);
  pd_consumers_free (options->consumers);
  pd_family_free (options->family);
  g_strfreev (options->scaling_traces);
  pd_loop_curves_free (options->curves);
  pd_machine_free (options->loaded);
  pd_machine_source_free (options->source);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

static const char summary[] =
    "Predicts how long a traced program runs on a machine, and where its time goes.\n\n"
    "Example: predictor run heat2d.ptr.gz -m mvs1000 -n 1,2,4,8x8";

/* How often -v was given: the parser hands nothing of the caller's to the
 * function that counts. */
static guint verbosity;

static gboolean
count_verbose (const char *name, const char *value, gpointer data, GError **error)
{
  (void) name, (void) value, (void) data, (void) error;
  verbosity++;
  return TRUE;
}

static gboolean
parse_options (Options *options, int *argc, char ***argv, GError **error)
{
  GOptionEntry common[PD_N_COMMON_OPTIONS + 1], model[PD_N_MODEL_OPTIONS + 1];
  GOptionEntry mp[PD_N_MP_OPTIONS + 1], output[PD_N_OUTPUT_OPTIONS + 1];
  GOptionEntry view[PD_RUN_N_VIEW_OPTIONS + 1];
  GOptionEntry again[PD_RUN_N_AGAIN_OPTIONS + 1], timeline[PD_N_TIMELINE_OPTIONS + 1];
  const GOptionEntry entries[] = {
    { "machine", 'm', 0, G_OPTION_ARG_STRING, &options->machine,
      "Machine: a file, a name from 'predictor machine list', or TYPE:key=value,… "
      "(default: ideal, which costs nothing)",
      "MACHINE" },
    { "processors", 'n', 0, G_OPTION_ARG_STRING, &options->counts,
      "Processor counts or grids, e.g. 8, 4x2, 1:64:x2, all:12 (default: 1, or the grid of a run "
      "recorded on several)",
      "LIST" },
    { "per-processor", 0, 0, G_OPTION_ARG_NONE, &options->per_processor,
      "Report the values of each processor too (default: off)", NULL },
    { "check", 0, 0, G_OPTION_ARG_NONE, &options->check,
      "Verify the identities that every result must fulfil (default: off)", NULL },
    { "one-step", 0, 0, G_OPTION_ARG_NONE, &options->one_step,
      "Simulate one step at a time: slower, the same result (default: off)", NULL },
    { "sensitivity", 0, 0, G_OPTION_ARG_NONE, &options->sensitivity,
      "Report the critical path and the sensitivity of the run time (default: off)", NULL },
    { "scaling-traces", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->scaling_traces,
      "Trace of the same program at another size, for the cost of loops on the local data of a "
      "processor; may be repeated (default: none, loops are divided linearly)",
      "TRACE" },
    { "strict", 0, 0, G_OPTION_ARG_NONE, &options->strict,
      "An incomplete trace is a failure, status 1 (default: off)", NULL },
    { "verbose", 'v', G_OPTION_FLAG_NO_ARG, G_OPTION_ARG_CALLBACK,
      __extension__(gpointer) count_verbose,
      "Every interval and characteristic; twice: the protocol of --log on standard error, too "
      "(default: off)",
      NULL },
    { .long_name = NULL },
  };

  verbosity = 0;
  pd_cmd_run_again_fill (options, again);
  pd_cmd_run_view_fill (options, view);
  pd_common_options_fill (&options->common, common);
  pd_model_options_fill (&options->model, model);
  pd_mp_cli_options_fill (&options->mp, mp);
  pd_output_options_fill (&options->output, output);
  pd_timeline_options_fill (&options->timeline, timeline);
  const GOptionEntry *const tables[] = { entries, view,   output, timeline, again,
                                         model,   common, mp,     NULL };
  if (!pd_command_parse_tables (argc, argv, "TRACE...", summary, tables, error))
    return FALSE;
  (*argv)[*argc] = NULL; /* the rest is shorter */
  pd_command_find_recordings (*argv + 1, *argc - 1);
  options->verbosity = verbosity;
  return TRUE;
}

static gboolean
check_files (Options *options, char *const *traces, GError **error)
{
  g_autoptr (GPtrArray) inputs = g_ptr_array_new ();
  const char *const *names;

  g_ptr_array_add (inputs, options->machine != NULL ? options->machine : (char *) "");
  g_ptr_array_add (inputs,
                   options->model.blocks_path != NULL ? options->model.blocks_path : (char *) "");
  for (guint i = 0; traces[i] != NULL; i++)
    g_ptr_array_add (inputs, traces[i]);
  for (guint i = 0; options->scaling_traces != NULL && options->scaling_traces[i] != NULL; i++)
    g_ptr_array_add (inputs, options->scaling_traces[i]);
  g_ptr_array_add (inputs, NULL);
  names = (const char *const *) inputs->pdata;
  options->output.sensitivity = options->sensitivity;
  options->output.what_if = options->what_if;
  return pd_output_options_check (&options->output, names, options->common.log_path, error)
         && pd_timeline_options_check (&options->timeline, names, &options->output,
                                       options->common.log_path, error);
}

static gboolean
check_samples (const Options *options, GError **error)
{
  gboolean given = options->n_samples != PD_RUN_NO_SAMPLES;

  if ((!given || (options->n_samples >= 1 && options->n_samples <= PD_SAMPLES_MAX))
      && options->n_threads >= 1 && options->n_threads <= PD_RUN_MAX_THREADS)
    return TRUE;
  g_set_error (error, PD_USAGE_ERROR, 0,
               "--samples takes a number from 1 to %d, and -j one from 1 to %d", PD_SAMPLES_MAX,
               PD_RUN_MAX_THREADS);
  return FALSE;
}

static gboolean
check_options (Options *options, int argc, char **argv, GError **error)
{
  return pd_cmd_expect_trace (MIN (argc, 2), error)
         && pd_model_options_check (&options->model, error)
         && pd_cmd_run_view_parse (options, error) && check_files (options, argv + 1, error)
         && check_samples (options, error)
         && pd_common_options_check (&options->common, options->verbosity, error)
         && pd_mp_cli_options_check (&options->mp, error);
}

/* ---- predicting */

/* The grid of a run on several processors; else one processor. */
static GArray *
get_recorded_grid (const PdDvmSet *set, GError **error)
{
  PdCount count = { 1, { 1 } };

  if (pd_dvm_set_get_n (set) > 1)
    {
      g_autoptr (PdDvmReader) reader = pd_dvm_set_open (set, 0, NULL, error);
      if (reader == NULL)
        return NULL;
      count = pd_trace_recorded_grid (pd_dvm_reader_get_header (reader));
    }
  GArray *counts = g_array_new (FALSE, TRUE, sizeof (PdCount));
  g_array_append_val (counts, count);
  return counts;
}

/* Without intervals a report cannot say where the time goes. */
static void
note_intervals (PdReport *report)
{
  const PdReportRun *run = g_ptr_array_index (report->runs, 0);

  if (run->results->len == 1)
    pd_messages_add (report->messages, PD_SEVERITY_NOTE, "no-intervals", NULL, NULL,
                     "the trace has no intervals: record with Is_DVM_STAT=1 and compile with -e4 "
                     "to see where the time goes");
}

/* One of the runs; consumers are notified of the activity of its processors. */
static PdReportRun *
predict_one (const Options *options, const PdPredictOptions *predict, const PdCount *count,
             GError **error)
{
  PdPredictOptions own = *predict;

  own.timeline = pd_consumers_begin (options->consumers);
  PdReportRun *run = pd_predict (&own, count->rank, count->sizes, error);
  pd_consumers_end (options->consumers, run);
  return run;
}

/* The trace of the family that fits @count; @cleanings: (out): its own, if it is not the first. */
static gboolean
choose_trace (const Options *options, PdPredictOptions *own, const PdCount *count,
              GPtrArray **cleanings, PdReport *report, GError **error)
{
  const char *first = own->trace;

  if (options->family == NULL)
    return TRUE;
  own->trace = pd_family_choose (options->family, count, report->messages, error);
  if (own->trace == NULL || strcmp (own->trace, first) == 0)
    return own->trace != NULL;
  own->cleanings = *cleanings = pd_recorded_clean (own->trace, NULL, &own->clean, error);
  pd_recorded_report (*cleanings, report->messages);
  return *cleanings != NULL;
}

/* Stops at the first error; finished runs stay in the report. */
static gboolean
predict_all (const Options *options, const PdPredictOptions *predict, const GArray *counts,
             PdReport *report, GError **error)
{
  gint64 begin = g_get_monotonic_time ();

  for (guint i = 0; i < counts->len; i++)
    {
      const PdCount *count = &g_array_index (counts, PdCount, i);
      g_autoptr (GPtrArray) cleanings = NULL;
      PdPredictOptions own = *predict;
      PdReportRun *run = choose_trace (options, &own, count, &cleanings, report, error)
                             ? predict_one (options, &own, count, error)
                             : NULL;
      if (run == NULL)
        return FALSE;
      pd_report_add_run (report, run);
      const PdScanHow how = pd_cmd_run_scan_how (options, counts->len);
      if (!pd_cmd_run_again (options, &own, count, run, error)
          || (options->output.files[PD_OUTPUT_HTML] != NULL
              && !pd_scan_run_dvm (&how, &own, count, run, error)))
        return FALSE;
      if (!options->no_range)
        run->range = pd_range_new_dvm (run, own.cleanings, options->loaded);
      if (!pd_cmd_run_note_range (&own, count, run, error))
        return FALSE;
      if (i == 0)
        note_intervals (report);
      pd_cmd_show_progress (i + 1, counts->len, begin);
    }
  return TRUE;
}

/* The same with a protocol, if one is wanted. Simulations that cannot go on
 * keep theirs: it says how they came there. */
static gboolean
predict_logged (const Options *options, PdPredictOptions *predict, const GArray *counts,
                PdReport *report, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autoptr (PdLog) log = NULL;

  if (!pd_common_options_open_log (&options->common, options->verbosity, &log, error))
    return FALSE;
  if (log == NULL)
    return predict_all (options, predict, counts, report, error);
  predict->log = log;
  gboolean ok = predict_all (options, predict, counts, report, &local);
  predict->log = NULL;
  if (!ok && local->domain == PD_SIMULATION_ERROR)
    pd_log_close (log, NULL);
  if (!ok)
    g_propagate_error (error, g_steal_pointer (&local));
  return ok && pd_log_close (log, error);
}

/* ---- output */

static void
write_text (const PdReport *report, gconstpointer options, guint width, GString *out)
{
  pd_report_write_text (report, ((const Options *) options)->verbosity > 0 ? 1 : 0,
                        width > 0 ? width : 80, out);
}

gboolean
pd_cmd_run_write (const PdRunOptions *options, const PdReport *report, GError **error)
{
  return pd_output_options_write (&options->output, report, write_text, options, error)
         && pd_consumers_write (options->consumers, report->command_line, error);
}

int
pd_cmd_run_conclude (PdRunOptions *options, const char *trace, PdReport *report, GError **error)
{
  if (!pd_cmd_run_view_apply (options, report, error))
    return PD_EXIT_USAGE;
  int status = options->strict ? pd_cmd_conclude_report (trace, report, NULL, error) : PD_EXIT_OK;

  if (status != PD_EXIT_OK)
    return status;
  if (!pd_cmd_run_write (options, report, error))
    return PD_EXIT_FAILURE;
  /* said on stderr too: the report may be in a file, or not wanted */
  return pd_cmd_conclude_report (trace, report, "; predicted nevertheless", error);
}

/* The meaning of all:N depends on the trace. */
static gboolean
complete_counts (const Options *options, const PdPredictOptions *predict, GArray **counts,
                 GError **error)
{
  PdTraceFacts facts;

  if (options->counts == NULL || !pd_counts_need_rank (options->counts))
    return TRUE;
  if (!pd_trace_facts_read (&facts, predict->trace, predict->bytes, FALSE, NULL, error))
    return FALSE;
  g_array_unref (*counts);
  *counts = pd_counts_parse (options->counts, facts.rank, error);
  return *counts != NULL;
}

/* With --reproduce there is one grid, the recorded one. */
static gboolean
add_recorded (const Options *options, const PdPredictOptions *predict, const PdReport *report,
              GError **error)
{
  return !options->mp.reproduce
         || pd_dvm_reproduce (g_ptr_array_index (report->runs, 0), predict->trace, predict->bytes,
                              error);
}

static gboolean
check_reproduce (const Options *options, const GArray *counts, GError **error)
{
  if (!options->mp.reproduce || counts->len == 1)
    return TRUE;
  g_set_error (error, PD_USAGE_ERROR, 0,
               "--reproduce: -n gives %u grids: expected none, or the recorded one", counts->len);
  return FALSE;
}

static gboolean
check_timeline (const Options *options, const GArray *counts, GError **error)
{
  if (options->timeline.path == NULL || counts->len == 1)
    return TRUE;
  g_set_error (error, PD_USAGE_ERROR, 0,
               "--timeline: a file is of one run, and -n gives %u: expected one grid", counts->len);
  return FALSE;
}

/* @counts: (inout): the grids */
static int
predict_and_write (Options *options, const PdTraceSource *source, GArray **counts, PdReport *report,
                   GError **error)
{
  g_autoptr (GError) local = NULL;
  const char *trace = source->path;

  if (source->bytes != NULL)
    pd_cmd_add_stdin (report, source->bytes);
  PdPredictOptions predict = {
    .trace = trace,
    .bytes = source->bytes,
    .machine = options->machine != NULL ? options->machine : "ideal",
    .ratios = options->common.ratios,
    .seed = options->common.seed,
    .one_step = options->one_step,
    .sensitivity = options->sensitivity,
    .check = options->check,
    .stop = pd_cmd_catch_interrupt (),
  };
  if (!pd_model_options_apply (&options->model, &predict, error)
      || !pd_cmd_name_machine (&predict, report, &options->loaded, error)
      || !complete_counts (options, &predict, counts, error))
    return PD_EXIT_FAILURE;
  if (!check_timeline (options, *counts, error) || !check_reproduce (options, *counts, error))
    return PD_EXIT_USAGE;
  g_autoptr (GPtrArray) cleanings =
      pd_recorded_clean (trace, source->bytes, &predict.clean, &local);
  pd_recorded_report (cleanings, report->messages);
  predict.cleanings = cleanings;
  if (cleanings != NULL && pd_cmd_run_read_scaling (options, &predict, report, &local)
      && predict_logged (options, &predict, *counts, report, &local)
      && add_recorded (options, &predict, report, &local))
    return pd_cmd_run_conclude (options, trace, report, error);

  int status = pd_cmd_status_of_error (local);
  /* results that were finished before an interruption are kept */
  if (status == PD_EXIT_INTERRUPTED && report->runs->len > 0
      && !pd_cmd_run_write (options, report, error))
    return PD_EXIT_FAILURE;
  g_propagate_error (error, g_steal_pointer (&local));
  return status;
}

static int
run_dvm (Options *options, GArray *given, const PdTraceSource *source, char *command_line,
         GError **error)
{
  g_autoptr (GArray) counts = given != NULL ? g_array_ref (given) : NULL;
  g_autoptr (PdDvmSet) set = NULL;
  g_autoptr (PdReport) report = NULL;
  PdTraceSource one = *source;

  if (!pd_mp_cli_options_check_none (&options->mp, error))
    return PD_EXIT_USAGE;
  set = pd_dvm_set_new (source->path, NULL, error);
  if (set == NULL || (counts == NULL && (counts = get_recorded_grid (set, error)) == NULL))
    return PD_EXIT_FAILURE;
  report = pd_cmd_start_report (set, options->machine, options->model.blocks_path, error);
  if (report == NULL)
    return PD_EXIT_FAILURE;
  report->per_processor = options->per_processor;
  report->command_line = g_strdup (command_line);
  if (!pd_cmd_open_family (options->traces, report, &options->family, error))
    return PD_EXIT_FAILURE;
  pd_cmd_allow_files (pd_dvm_set_get_n (set));
  /* a folder may hold one trace */
  if (pd_dvm_set_get_n (set) == 1)
    one.path = pd_dvm_set_get_path (set, 0);
  return predict_and_write (options, &one, &counts, report, error);
}

int
pd_cmd_run (int argc, char **argv, GError **error)
{
  g_autofree char *command_line = pd_cmd_join (argc, argv);
  g_auto (Options) options = { .n_samples = PD_RUN_NO_SAMPLES,
                               .level = PD_RUN_NO_LEVEL,
                               .n_threads = MIN (g_get_num_processors (), PD_RUN_MAX_THREADS) };
  g_autoptr (GArray) counts = NULL;
  g_autoptr (GBytes) bytes = NULL;

  if (!parse_options (&options, &argc, &argv, error)
      || !check_options (&options, argc, argv, error))
    return PD_EXIT_USAGE;
  options.consumers = pd_consumers_new (&options.timeline, &options.output);
  /* whether it is a list at all, before anything is read */
  if (options.counts != NULL && (counts = pd_counts_parse (options.counts, 1, error)) == NULL)
    return PD_EXIT_USAGE;
  if (strcmp (argv[1], "-") == 0 && (bytes = pd_cmd_read_stdin (error)) == NULL)
    return PD_EXIT_FAILURE;
  PdTraceSource source = { argv[1], bytes };
  options.traces = (const char *const *) argv + 1;
  gboolean is_trace = pd_mp_is_trace (&source);
  options.is_model = !is_trace && pd_scaled_is_model (&source);
  gboolean is_mp = is_trace || options.is_model;
  if (argc > 2 && (bytes != NULL || is_mp))
    {
      pd_cmd_expect_trace (argc, error);
      g_prefix_error (error, "several traces are of a DVM program with tasks, in files: ");
      return PD_EXIT_USAGE;
    }
  if (is_mp)
    return pd_cmd_run_mp (&options, counts, &source, g_steal_pointer (&command_line), error);
  return run_dvm (&options, counts, &source, command_line, error);
}
