/* predictor scale: a program on numbers of ranks that were not recorded.
 * SPDX-License-Identifier: MIT */
#include "base/pd-file.h"
#include "predictor/cli/pd-commands.h"
#include "predictor/common/pd-counts.h"
#include "predictor/common/pd-errors.h"
#include "predictor/mp/pd-mp-kind.h"
#include "predictor/mp/pd-mp.h"
#include "predictor/options/cmd-tools.h"
#include "predictor/options/pd-mp-options.h"
#include "predictor/options/pd-output-options.h"
#include "predictor/range/pd-range-mp.h"
#include "reports/run/pd-report-text.h"
#include "predictor/scaled/pd-scaled-report.h"
#include "predictor/scaled/pd-scaled-validate.h"
#include "predictor/scaled/pd-scaled.h"
#include "scale/file/pd-scale-file.h"
#include "traces/open/pd-trace-folder.h"
#include "traces/open/pd-trace-formats.h"
#include "traces/open/pd-trace-read.h"

#include <string.h>

#define MODEL_SUFFIX ".model" /* of --save */

typedef struct
{
  char *counts_text;
  char *machine;
  char **settings;
  char *flops_text;
  char *save;
  gboolean model;
  gboolean approximate;
  PdOutputOptions output;
  gdouble flops;
  GArray *counts;    /* PdCount */
  PdMachine *loaded; /* the machine, for ranges */
} Options;

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
    "Finds rules for a message-passing program on any number of ranks, from traces of it on two "
    "or\n"
    "more numbers, and predicts it on numbers that were not recorded. A program that no rule\n"
    "explains exactly is refused, with status 6.\n"
    "The rules can be saved as a model, which replaces the traces.\n"
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
      "Write the model there if the suffix is .model, else the program on that number of ranks, in "
      "the format of the suffix (default: none)",
      "FILE" },
    { "approximate", 0, 0, G_OPTION_ARG_NONE, &options->approximate,
      "Let calls that no rule explains follow the nearest one, with a warning (default: refuse "
      "them)",
      NULL },
    { "model", 0, 0, G_OPTION_ARG_NONE, &options->model, "Show the rules (default: off)", NULL },
    { NULL, 0, 0, 0, NULL, NULL, NULL },
  };
  GOptionEntry outputs[PD_N_OUTPUT_OPTIONS + 1];
  const GOptionEntry *const tables[] = { entries, outputs, NULL };

  pd_output_options_fill (&options->output, outputs);
  return pd_command_parse_tables (argc, argv, "TRACE TRACE [TRACE...] | MODEL", summary, tables,
                                  error);
}

/* --save of a program: its format and number of ranks. */
static gboolean
check_program (const Options *options, GError **error)
{
  const PdTraceFormat *format = pd_trace_format_find_by_suffix (options->save);

  if (format == NULL || format->write == NULL || g_str_has_prefix (format->name, "goal"))
    g_set_error (error, PD_USAGE_ERROR, 0,
                 "--save %s: expected the suffix of a model, " MODEL_SUFFIX
                 ", or of a format of programs, .pdt, .ti or .otf2",
                 options->save);
  else if (options->counts == NULL || options->counts->len != 1)
    g_set_error_literal (error, PD_USAGE_ERROR, 0,
                         "--save: a file holds one program: expected one number of ranks in -n");
  else
    return TRUE;
  return FALSE;
}

static gboolean
saves_model (const Options *options)
{
  return options->save != NULL && g_str_has_suffix (options->save, MODEL_SUFFIX);
}

/* Standard input can be looked at only once. */
static gboolean
is_model (const char *path)
{
  return strcmp (path, "-") != 0 && pd_scaled_is_model (&(PdTraceSource){ path, NULL });
}

static gboolean
check_options (Options *options, int argc, char **argv, GError **error)
{
  const char *const *inputs = (const char *const *) argv + 1;

  options->flops = PD_MP_DEFAULT_FLOPS;
  if (options->counts_text != NULL
      && (options->counts = pd_counts_parse (options->counts_text, PD_RULE_DIMS, error)) == NULL)
    return FALSE;
  if (argc < 3 && (argc < 2 || !is_model (argv[1])))
    {
      g_set_error_literal (error, PD_USAGE_ERROR, 0,
                           "expected two traces or more, on several numbers of ranks, or a model "
                           "that --save has written");
      return FALSE;
    }
  if (options->approximate && argc == 2)
    {
      g_set_error_literal (error, PD_USAGE_ERROR, 0,
                           "--approximate: the rules of a model are known: expected traces");
      return FALSE;
    }
  return (options->save == NULL || saves_model (options) || check_program (options, error))
         && pd_scaled_check_counts (options->counts, options->counts_text, error)
         && (options->flops_text == NULL
             || pd_mp_parse_flops (options->flops_text, &options->flops, error))
         && pd_output_options_check (&options->output, inputs, options->save, error);
}

/* ---- traces */

/* How long the recorded run took. */
static PdTime
get_recorded_time (const PdProgram *program)
{
  PdTime latest = PD_TIME_PENDING;

  for (guint32 rank = 0; rank < pd_program_get_n_ranks (program); rank++)
    {
      PdTime end = pd_program_get_recorded_end (program, rank);
      if (pd_time_is_pending (end))
        return end;
      latest = pd_time_is_pending (latest) ? end : pd_time_max (latest, end);
    }
  return latest;
}

static PdProgram *
read_program (const char *path, PdScaleOrigin *origin, PdReport *report, GError **error)
{
  const PdTraceSource source = { pd_trace_find_recording (path), NULL };
  const PdTraceReadOptions reading = { .recorded = TRUE, .audit = PD_AUDIT_SIMULATED };
  g_autoptr (PdMpTrace) trace = pd_mp_trace_read (&source, &reading, origin->messages, error);

  if (trace == NULL || !pd_cmd_add_trace (report, &source, trace, error))
    return NULL;
  if (trace->program == NULL)
    g_set_error (
        error, PD_TRACE_ERROR, PD_TRACE_ERROR_FORMAT,
        "%s: a graph of dependencies: expected a trace of the sequence of calls of each rank",
        path);
  else if (trace->incomplete || pd_mp_trace_get_share (trace) < 1)
    g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_FORMAT,
                 "%s: ends early: expected a recording of the whole run", path);
  else
    {
      const PdScaleRecording recording = { g_strdup (source.path), pd_mp_trace_get_n_ranks (trace),
                                           get_recorded_time (trace->program) };
      g_array_append_val (origin->recordings, recording);
      return g_steal_pointer (&trace->program);
    }
  return NULL;
}

static gint
compare_ranks (gconstpointer a, gconstpointer b)
{
  guint32 one = pd_program_get_n_ranks (*(PdProgram *const *) a);
  guint32 other = pd_program_get_n_ranks (*(PdProgram *const *) b);

  return one < other ? -1 : one > other;
}

static GPtrArray *
read_programs (char **paths, PdScaleOrigin *origin, PdReport *report, GError **error)
{
  g_autoptr (GPtrArray) programs =
      g_ptr_array_new_with_free_func ((GDestroyNotify) pd_program_free);

  for (guint i = 0; paths[i] != NULL; i++)
    {
      PdProgram *program = read_program (paths[i], origin, report, error);
      if (program == NULL)
        return NULL;
      g_ptr_array_add (programs, program);
    }
  g_ptr_array_sort (programs, compare_ranks);
  return g_steal_pointer (&programs);
}

/* The options of the prediction: the same in all runs. */
static PdMpOptions
get_options (const Options *options)
{
  return (PdMpOptions){ .trace = PD_SCALED_NAME,
                        .machine = options->machine != NULL ? options->machine : "ideal",
                        .settings = (const char *const *) options->settings,
                        .flops = options->flops_text != NULL ? options->flops : 0,
                        .stop = pd_cmd_catch_interrupt () };
}

/* The model of recordings, with its recordings. */
static PdScaleModel *
find_model (const Options *options, char **paths, PdReport *report, GError **error)
{
  PdMpOptions where = get_options (options);
  PdScaleOrigin origin;

  pd_scale_origin_init (&origin);
  g_autoptr (GPtrArray) programs = read_programs (paths, &origin, report, error);
  g_autoptr (PdScaleModel) model =
      programs != NULL ? pd_scale_model_new (programs, options->approximate, error) : NULL;
  if (model == NULL)
    {
      pd_messages_add_all (report->messages, origin.messages);
      pd_scale_origin_clear (&origin);
      return NULL;
    }
  pd_scaled_note_settled (model, origin.messages);
  pd_scale_origin_clear (pd_scale_model_get_origin (model));
  *pd_scale_model_get_origin (model) = origin;
  if (where.flops <= 0)
    where.flops = PD_MP_DEFAULT_FLOPS;
  return pd_scaled_validate (model, programs, &where, error) ? g_steal_pointer (&model) : NULL;
}

static PdScaleModel *
get_model (const Options *options, char **paths, PdReport *report, GError **error)
{
  const PdTraceSource source = { paths[0], NULL };

  if (paths[1] != NULL)
    return find_model (options, paths, report, error);
  return pd_report_add_input (report, paths[0], error) ? pd_scaled_open (&source, error) : NULL;
}

/* ---- predictions */

static PdReportRun *
predict (const Options *options, const PdMpTrace *trace, GError **error)
{
  const PdMpOptions what = get_options (options);

  return pd_mp_predict (&what, trace, error);
}

static gboolean
save_program (const Options *options, const PdMpTrace *trace, PdReport *report, GError **error)
{
  const PdTraceWriteOptions writing = { options->flops, pd_cmd_catch_interrupt () };

  return options->save == NULL || saves_model (options)
         || pd_trace_format_find_by_suffix (options->save)
                ->write (trace, options->save, &writing, report->messages, error);
}

static gboolean
save_model (const Options *options, PdScaleModel *model, GError **error)
{
  if (!saves_model (options))
    return TRUE;
  g_autoptr (GBytes) bytes = pd_scale_model_to_bytes (model);
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);
  g_autoptr (GString) text = g_string_new_len (data, (gssize) size);
  return pd_report_save (options->save, text, error);
}

/* The recordings ended, and so would a program that is made right, unless its sends need buffers.
 */
static void
explain_deadlock (const Options *options, GError **error)
{
  if (error != NULL && !options->approximate
      && g_error_matches (*error, PD_SIMULATION_ERROR, PD_SIMULATION_ERROR_DEADLOCK))
    g_prefix_error (error, "the recordings ended: a rule is wrong for the made program (record on "
                           "more numbers of ranks), or its sends need buffers that the machine "
                           "does not have; ");
}

static gboolean
add_count (const Options *options, PdScaleModel *model, const PdCount *count, PdReport *report,
           GError **error)
{
  g_autoptr (PdMpTrace) trace =
      pd_scaled_make (model, count, report->messages, pd_cmd_catch_interrupt (), error);

  if (trace == NULL)
    return FALSE;
  PdReportRun *run = predict (options, trace, error);
  if (run == NULL)
    {
      explain_deadlock (options, error);
      return FALSE;
    }
  pd_report_add_run (report, run);
  const PdRangeRecorded recorded = pd_range_read_mp (trace);
  run->range = pd_range_new_mp (run, &recorded, options->loaded);
  pd_scaled_widen (model, run->range);
  return save_program (options, trace, report, error);
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

static gboolean
name_machine (Options *options, PdReport *report, GError **error)
{
  const PdPredictOptions machine = { .machine =
                                         options->machine != NULL ? options->machine : "ideal",
                                     .settings = (const char *const *) options->settings };

  if (options->machine != NULL && pd_file_exists (options->machine)
      && !pd_report_add_input (report, options->machine, error))
    return FALSE;
  return pd_cmd_name_machine (&machine, report, &options->loaded, error);
}

/* The faults of a recording explain more than the place where its program stopped. */
static gboolean
make_report (Options *options, char **paths, PdScaleModel **model, PdReport *report, GError **error)
{
  *model = get_model (options, paths, report, error);
  if (*model == NULL)
    return FALSE;
  pd_scaled_report (*model, report->messages);
  report->model = pd_scaled_describe (*model);
  report->model->with_places = options->model;
  if (!name_machine (options, report, error) || !save_model (options, *model, error))
    return FALSE;
  for (guint i = 0; options->counts != NULL && i < options->counts->len; i++)
    if (!add_count (options, *model, &g_array_index (options->counts, PdCount, i), report, error))
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
  if (!make_report (&options, argv + 1, &model, report, &local))
    {
      int status = pd_cmd_status_of_error (local);
      pd_cmd_print_warnings (report->messages);
      g_propagate_error (error, g_steal_pointer (&local));
      return status;
    }
  const Text text = { model, options.model };
  if (!pd_output_options_write (&options.output, report, write_text, &text, error))
    return PD_EXIT_FAILURE;
  return pd_cmd_conclude_report (PD_SCALED_NAME, report, "; predicted nevertheless", error);
}
