/* predictor scale: a program on numbers of ranks that were not recorded.
 * SPDX-License-Identifier: MIT */
#include "base/pd-file.h"
#include "predictor/cli/pd-commands.h"
#include "predictor/common/pd-counts.h"
#include "predictor/mp/pd-mp-kind.h"
#include "predictor/mp/pd-mp.h"
#include "predictor/options/cmd-tools.h"
#include "predictor/options/pd-mp-options.h"
#include "predictor/options/pd-output-options.h"
#include "predictor/range/pd-range-mp.h"
#include "reports/run/pd-report-text.h"
#include "scale/pd-scale-compare.h"
#include "scale/pd-scale-model.h"
#include "traces/open/pd-trace-folder.h"
#include "traces/open/pd-trace-formats.h"
#include "traces/open/pd-trace-read.h"

#include <math.h>
#include <string.h>

#define DOUBTFUL 0.1 /* a greater relative error of the largest recording's time is a warning */

typedef struct
{
  char *counts_text;
  char *machine;
  char **settings;
  char *flops_text;
  char *save;
  gboolean model;
  PdOutputOptions output;
  gdouble flops;
  GArray *counts;    /* PdCount */
  PdMachine *loaded; /* the machine, for ranges */
} Options;

/* What the largest recording says of the rules that the smaller ones give. */
typedef struct
{
  guint32 n_ranks; /* 0: there are two recordings only */
  PdScaleComparison calls;
  PdTime recorded;    /* predicted for the recording */
  PdTime synthesized; /* predicted for what the smaller ones give; 0 = it cannot be */
} Validation;

static void
options_clear (Options *options)
{
  g_free (options->counts_text);
  g_free (options->machine);
  g_strfreev (options->settings);
  g_free (options->flops_text);
  g_free (options->save);
  pd_output_options_clear (&options->output);
  g_clear_pointer (&options->counts, g_array_unref);
  g_clear_pointer (&options->loaded, pd_machine_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

static const char summary[] =
    "Finds what a message-passing program does on any number of ranks in traces of it on two or\n"
    "more numbers, and predicts it on numbers that were not recorded. A program that no rule\n"
    "explains exactly is refused, with status 6.\n"
    "Example: predictor scale app4.recorded app9.recorded app16.recorded -n 64,256 -m mvs1000";

/* ---- options */

static gboolean
parse_options (Options *options, int *argc, char ***argv, GError **error)
{
  const GOptionEntry entries[] = {
    { "processors", 'n', 0, G_OPTION_ARG_STRING, &options->counts_text,
      "Numbers of ranks, or grids of them: 64,16x8 (default: none, check the rules)", "LIST" },
    { "machine", 'm', 0, G_OPTION_ARG_FILENAME, &options->machine,
      "Machine to predict for (default: ideal)", "MACHINE" },
    { "set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->settings,
      "Change a parameter of the machine, as network/startup=2us (default: none)", "PATH=VALUE" },
    { "flops", 0, 0, G_OPTION_ARG_STRING, &options->flops_text,
      "Operations per second of a processor of speed 1 (default: 1Gf)", "RATE" },
    { "save", 0, 0, G_OPTION_ARG_FILENAME, &options->save,
      "Write the program on that number of ranks there, in the format of the suffix (default: "
      "none)",
      "FILE" },
    { "model", 0, 0, G_OPTION_ARG_NONE, &options->model,
      "Say which rules were found (default: off)", NULL },
    { NULL, 0, 0, 0, NULL, NULL, NULL },
  };
  GOptionEntry outputs[PD_N_OUTPUT_OPTIONS + 1];
  const GOptionEntry *const tables[] = { entries, outputs, NULL };

  pd_output_options_fill (&options->output, outputs);
  return pd_command_parse_tables (argc, argv, "TRACE TRACE [TRACE...]", summary, tables, error);
}

static gboolean
check_counts (const Options *options, GError **error)
{
  for (guint i = 0; options->counts != NULL && i < options->counts->len; i++)
    {
      const PdCount *count = &g_array_index (options->counts, PdCount, i);
      if (count->rank > PD_RULE_DIMS || pd_count_get_n (count) < 2)
        {
          g_set_error (error, PD_USAGE_ERROR, 0,
                       "-n %s: expected 2 ranks or more, in at most %d dimensions",
                       options->counts_text, PD_RULE_DIMS);
          return FALSE;
        }
    }
  if (options->save == NULL || (options->counts != NULL && options->counts->len == 1))
    return TRUE;
  g_set_error_literal (error, PD_USAGE_ERROR, 0,
                       "--save: a file is of one program: expected one number of ranks in -n");
  return FALSE;
}

static gboolean
check_options (Options *options, int argc, char **argv, GError **error)
{
  const char *const *inputs = (const char *const *) argv + 1;
  const PdTraceFormat *format =
      options->save != NULL ? pd_trace_format_find_by_suffix (options->save) : NULL;

  options->flops = PD_MP_DEFAULT_FLOPS;
  if (argc < 3)
    g_set_error_literal (error, PD_USAGE_ERROR, 0,
                         "expected two traces or more, on several numbers of ranks");
  else if (options->save != NULL
           && (format == NULL || format->write == NULL || g_str_has_prefix (format->name, "goal")))
    g_set_error (error, PD_USAGE_ERROR, 0,
                 "--save %s: expected a suffix of a format of programs, .pdt, .ti or .otf2",
                 options->save);
  else
    {
      if (options->counts_text != NULL)
        options->counts = pd_counts_parse (options->counts_text, PD_RULE_DIMS, error);
      return (options->counts_text == NULL || options->counts != NULL)
             && check_counts (options, error)
             && (options->flops_text == NULL
                 || pd_mp_parse_flops (options->flops_text, &options->flops, error))
             && pd_output_options_check (&options->output, inputs, options->save, error);
    }
  return FALSE;
}

/* ---- traces */

static PdProgram *
read_program (const char *path, PdReport *report, GError **error)
{
  const PdTraceSource source = { pd_trace_find_recording (path), NULL };
  const PdTraceReadOptions reading = { .recorded = TRUE, .audit = PD_AUDIT_SIMULATED };
  g_autoptr (PdMpTrace) trace = pd_mp_trace_read (&source, &reading, report->messages, error);

  if (trace == NULL || !pd_cmd_add_trace (report, &source, trace, error))
    return NULL;
  if (trace->program == NULL)
    g_set_error (
        error, PD_TRACE_ERROR, PD_TRACE_ERROR_FORMAT,
        "%s: a graph of dependencies: expected a trace of what ranks do one after the other", path);
  else if (trace->incomplete || pd_mp_trace_get_share (trace) < 1)
    g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_FORMAT,
                 "%s: ends early: expected a recording of the whole run", path);
  else
    return g_steal_pointer (&trace->program);
  return NULL;
}

static GPtrArray *
read_programs (char **paths, PdReport *report, GError **error)
{
  g_autoptr (GPtrArray) programs =
      g_ptr_array_new_with_free_func ((GDestroyNotify) pd_program_free);

  for (guint i = 0; paths[i] != NULL; i++)
    {
      PdProgram *program = read_program (paths[i], report, error);
      if (program == NULL)
        return NULL;
      g_ptr_array_add (programs, program);
    }
  return g_steal_pointer (&programs);
}

/* ---- predictions */

static PdReportRun *
predict (const Options *options, const PdProgram *program, GError **error)
{
  const PdMpOptions what = { .trace = "the synthesized program",
                             .machine = options->machine != NULL ? options->machine : "ideal",
                             .settings = (const char *const *) options->settings,
                             .flops = options->flops_text != NULL ? options->flops : 0,
                             .stop = pd_cmd_catch_interrupt () };

  return pd_mp_predict_program (&what, program, error);
}

static gboolean
predict_time (const Options *options, const PdProgram *program, PdTime *time, GError **error)
{
  PdReportRun *run = predict (options, program, error);

  if (run == NULL)
    return FALSE;
  *time = PD_TIME_ZERO;
  for (guint32 i = 0; i < run->n_processors; i++)
    *time = pd_time_max (*time, run->end_times[i]);
  pd_report_run_free (run);
  return TRUE;
}

static gint
compare_ranks (gconstpointer a, gconstpointer b)
{
  guint32 one = pd_program_get_n_ranks (*(PdProgram *const *) a);
  guint32 other = pd_program_get_n_ranks (*(PdProgram *const *) b);

  return one < other ? -1 : one > other;
}

/* The largest recording is made of the smaller ones, if these have two numbers of ranks. Rules that
 * these do not have are no error: the largest recording may be the only one with ranks inside. */
static gboolean
validate (const Options *options, GPtrArray *programs, Validation *validation, GError **error)
{
  g_autoptr (GPtrArray) smaller = g_ptr_array_new ();
  g_autoptr (GError) local = NULL;
  const PdProgram *largest = g_ptr_array_index (programs, programs->len - 1);
  guint32 n = pd_program_get_n_ranks (largest);

  for (guint i = 0; i < programs->len; i++)
    if (pd_program_get_n_ranks (g_ptr_array_index (programs, i)) < n)
      g_ptr_array_add (smaller, g_ptr_array_index (programs, i));
  g_autoptr (PdScaleModel) model = smaller->len > 1 ? pd_scale_model_new (smaller, NULL) : NULL;
  g_autoptr (PdProgram) made =
      model != NULL ? pd_scale_model_make (model, n, NULL, NULL, pd_cmd_catch_interrupt (), NULL)
                    : NULL;
  if (made == NULL)
    return TRUE;
  validation->n_ranks = n;
  pd_scale_compare (largest, made, &validation->calls);
  /* wrong rules may give a program that deadlocks */
  return predict_time (options, largest, &validation->recorded, error)
         && (predict_time (options, made, &validation->synthesized, &local)
             || local->code != PD_SIMULATION_ERROR_INTERRUPTED);
}

static gdouble
error_of (const Validation *validation)
{
  gdouble recorded = pd_time_to_seconds (validation->recorded);

  return recorded > 0 ? pd_time_to_seconds (validation->synthesized) / recorded - 1 : 0;
}

static void
add_validation (const Validation *validation, PdReport *report)
{
  const PdScaleComparison *calls = &validation->calls;

  if (validation->n_ranks == 0)
    pd_messages_add (report->messages, PD_SEVERITY_WARNING, "scale-unproved", NULL, NULL,
                     "the recordings do not suffice to predict the largest of them from the "
                     "others: nothing proves the rules but that they fit; record on three "
                     "numbers of ranks or more, three or more in each dimension");
  else if (calls->equal < calls->n)
    pd_messages_add (report->messages, PD_SEVERITY_WARNING, "scale-doubtful", NULL, NULL,
                     "rules of the smaller recordings give %.1f %% of the %" G_GUINT64_FORMAT
                     " calls on %u ranks; the first other one is call %" G_GUINT64_FORMAT
                     " of rank %u",
                     100.0 * (gdouble) calls->equal / (gdouble) calls->n, calls->n,
                     validation->n_ranks, calls->first_call + 1, calls->first_rank);
  else
    pd_messages_add (
        report->messages,
        fabs (error_of (validation)) > DOUBTFUL ? PD_SEVERITY_WARNING : PD_SEVERITY_NOTE,
        fabs (error_of (validation)) > DOUBTFUL ? "scale-times" : "scale-validated", NULL, NULL,
        "rules of the smaller recordings give all %" G_GUINT64_FORMAT
        " calls on %u ranks, and %.6g s where the recording gives %.6g s (%+.1f %%)",
        calls->n, validation->n_ranks, pd_time_to_seconds (validation->synthesized),
        pd_time_to_seconds (validation->recorded), 100 * error_of (validation));
}

static gboolean
save_program (const Options *options, PdProgram **program, PdReport *report, GError **error)
{
  PdMpTrace trace = { .program = *program };
  const PdTraceWriteOptions writing = { options->flops, pd_cmd_catch_interrupt () };

  return pd_trace_format_find_by_suffix (options->save)
      ->write (&trace, options->save, &writing, report->messages, error);
}

/* Times on other numbers of ranks are as far off as that of the largest recording is from what the
 * smaller ones give, or as models of computation are from what they were not fitted to. */
static PdTimeRange *
make_range (const Options *options, const PdScaleModel *model, const Validation *validation,
            PdProgram *program, const PdReportRun *run)
{
  const PdMpTrace trace = { .program = program };
  PdTimeRange *range = pd_range_new_mp (run, &trace, options->loaded);
  gdouble width = MAX (fabs (error_of (validation)), pd_scale_model_get_time_error (model));

  pd_time_range_add (range, PD_RANGE_SCALING, width, width);
  return range;
}

static gboolean
add_count (const Options *options, const PdScaleModel *model, const Validation *validation,
           const PdCount *count, PdReport *report, GError **error)
{
  PdScaleGrid grid = { .dims = count->rank };

  for (guint d = 0; d < count->rank; d++)
    grid.size[d] = count->sizes[d];
  g_autoptr (PdProgram) program =
      pd_scale_model_make (model, (guint32) pd_count_get_n (count), count->rank > 1 ? &grid : NULL,
                           report->messages, pd_cmd_catch_interrupt (), error);
  if (program == NULL
      || (options->save != NULL && !save_program (options, &program, report, error)))
    return FALSE;
  PdReportRun *run = predict (options, program, error);
  if (run == NULL)
    return FALSE;
  pd_report_add_run (report, run);
  run->range = make_range (options, model, validation, program, run);
  return TRUE;
}

/* ---- output */

typedef struct
{
  const PdScaleModel *model;
  gboolean rules;
} Text;

static void
write_text (const PdReport *report, gconstpointer data, guint width, GString *out)
{
  const Text *text = data;

  if (text->rules)
    {
      pd_scale_model_describe (text->model, out);
      g_string_append_c (out, '\n');
    }
  pd_report_write_text (report, 0, width, out);
}

static int
status_of (const GError *error)
{
  if (error->domain != PD_SCALE_ERROR || error->code == PD_SCALE_ERROR_INPUT)
    return pd_cmd_status_of_error (error);
  return error->code == PD_SCALE_ERROR_INTERRUPTED ? PD_EXIT_INTERRUPTED : PD_EXIT_REFUSED;
}

static gboolean
make_report (Options *options, GPtrArray *programs, PdScaleModel **model, PdReport *report,
             GError **error)
{
  const PdPredictOptions machine = { .machine =
                                         options->machine != NULL ? options->machine : "ideal",
                                     .settings = (const char *const *) options->settings };
  Validation validation = { 0 };

  if (options->machine != NULL && pd_file_exists (options->machine)
      && !pd_report_add_input (report, options->machine, error))
    return FALSE;
  if (!pd_cmd_name_machine (&machine, report, &options->loaded, error))
    return FALSE;
  *model = pd_scale_model_new (programs, error);
  if (*model == NULL || !validate (options, programs, &validation, error))
    return FALSE;
  add_validation (&validation, report);
  for (guint i = 0; options->counts != NULL && i < options->counts->len; i++)
    if (!add_count (options, *model, &validation, &g_array_index (options->counts, PdCount, i),
                    report, error))
      return FALSE;
  return TRUE;
}

int
pd_cmd_scale (int argc, char **argv, GError **error)
{
  g_autofree char *command_line = pd_cmd_join (argc, argv);
  g_auto (Options) options = { 0 };
  g_autoptr (PdReport) report = NULL;
  g_autoptr (PdScaleModel) model = NULL;
  g_autoptr (GError) local = NULL;

  if (!parse_options (&options, &argc, &argv, error)
      || !check_options (&options, argc, argv, error))
    return PD_EXIT_USAGE;
  report = pd_cmd_new_report ();
  report->command_line = g_steal_pointer (&command_line);
  g_autoptr (GPtrArray) programs = read_programs (argv + 1, report, error);
  if (programs == NULL)
    return PD_EXIT_FAILURE;
  g_ptr_array_sort (programs, compare_ranks);
  if (!make_report (&options, programs, &model, report, &local))
    {
      int status = status_of (local);
      pd_cmd_print_warnings (report->messages);
      g_propagate_error (error, g_steal_pointer (&local));
      return status;
    }
  const Text text = { model, options.model };
  if (!pd_output_options_write (&options.output, report, write_text, &text, error))
    return PD_EXIT_FAILURE;
  return pd_cmd_conclude_report ("the synthesized program", report, "; predicted what there is",
                                 error);
}
