/* predictor analyse: where the time of a measured run went, or of a predicted one.
 * SPDX-License-Identifier: MIT */
#include "base/pd-error.h"
#include "predictor/common/pd-cpu-ratio.h"
#include "predictor/options/cmd-tools.h"
#include "predictor/cli/cmd-analyse-private.h"
#include "predictor/cli/pd-commands.h"
#include "predictor/mp/pd-mp-analyse.h"
#include "predictor/mp/pd-mp.h"
#include "predictor/mp/pd-mp-kind.h"
#include "predictor/options/pd-mp-options.h"
#include "predictor/options/pd-output-options.h"
#include "predictor/options/cmd-progress.h"
#include "predictor/options/pd-timeline-options.h"
#include "reports/analysis/pd-analysis-text.h"
#include "analyse/pd-analysis-timeline.h"
#include "traces/open/pd-trace-folder.h"

#include <string.h>

#define BRIEF_ROWS 5              /* of each ranked table on one screen */
#define NO_PERCENT (-G_MAXDOUBLE) /* not given */
#define NO_TOP     G_MININT64

typedef struct
{
  char *machine;
  char **settings;
  char **ratio_texts;
  PdCpuRatios *ratios; /* (nullable): these, parsed */
  char *single;
  PdOutputOptions output;
  PdTimelineOptions timeline;
  PdConsumers *consumers; /* observers of the run */
  gboolean no_per_process;
  gboolean full;
  gint64 top;
  gboolean measured;
  gboolean pop;
  gboolean compensate;
  gdouble by_cost;
  gdouble by_source;
  gint64 level;
  gboolean strict;
} Options;

static void
options_clear (Options *options)
{
  g_free (options->machine);
  g_strfreev (options->settings);
  g_strfreev (options->ratio_texts);
  pd_cpu_ratios_free (options->ratios);
  g_free (options->single);
  pd_output_options_clear (&options->output);
  pd_timeline_options_clear (&options->timeline);
  pd_consumers_free (options->consumers);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

static const char summary[] =
    "Reports where the time of a measured run of an MPI program went, per interval, rank and\n"
    "call site, and why. With -m, the predicted run on that machine is analysed. For a DVM\n"
    "program, from a trace with a file of each processor or from the statistics of the DVM\n"
    "system: per interval and processor.\n"
    "The spellings of 2005 are understood: -wp, -src NN, -srct NN, and a level at the end.\n\n"
    "Example: predictor analyse app.recorded --top 10";

/* ---- options */

/* Options that the parser would take for several options of one letter. Returns: whether there
 * are any: their users expect the report of 2005. */
static gboolean
modernise (int argc, char **argv)
{
  static const struct
  {
    const char *old;
    const char *name;
  } spellings[] = {
    { "-wp", "--no-per-process" },
    { "-src", "--calls-above" },
    { "-srct", "--calls-above-by-source" },
  };

  gboolean any = FALSE;

  for (int i = 1; i < argc && strcmp (argv[i], "--") != 0; i++)
    for (gsize k = 0; k < G_N_ELEMENTS (spellings); k++)
      if (strcmp (argv[i], spellings[k].old) == 0)
        {
          argv[i] = (char *) spellings[k].name;
          any = TRUE;
        }
  return any;
}

static gboolean
parse_options (Options *options, int *argc, char ***argv, GError **error)
{
  GOptionEntry output[PD_N_OUTPUT_OPTIONS + 1], timeline[PD_N_TIMELINE_OPTIONS + 1];
  const GOptionEntry entries[] = {
    { "full", 'f', 0, G_OPTION_ARG_NONE, &options->full,
      "All figures of each interval, rank and call site in the text (default: off, one screen)",
      NULL },
    { "top", 0, 0, G_OPTION_ARG_INT64, &options->top,
      "Rows of each ranked table of the text; 0: all (default: 5; with --full all)", "N" },
    { "no-per-process", 0, 0, G_OPTION_ARG_NONE, &options->no_per_process,
      "Omit the figures of each rank (default: off)", NULL },
    { "calls-above", 0, 0, G_OPTION_ARG_DOUBLE, &options->by_cost,
      "With --full, by falling time: call sites of at least NN per cent of the interval's "
      "communication (default: 0, all; 100: none)",
      "NN" },
    { "calls-above-by-source", 0, 0, G_OPTION_ARG_DOUBLE, &options->by_source,
      "The same by place in the source (default: 0)", "NN" },
    { "level", 'l', 0, G_OPTION_ARG_INT64, &options->level,
      "Intervals up to that depth; 0: the whole program only (default: all)", "L" },
    { "single", 0, 0, G_OPTION_ARG_FILENAME, &options->single,
      "Compare with a run of the same program on one rank (default: none)", "TRACE" },
    { "machine", 'm', 0, G_OPTION_ARG_STRING, &options->machine,
      "Predict the run on MACHINE, and analyse that (default: the recorded run)", "MACHINE" },
    { "set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->settings,
      "Override an attribute of the machine, may be repeated (default: none)", "PATH=VALUE" },
    { "cpu-ratio", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->ratio_texts,
      "Computation on the machine is RATIO times as fast; with FILE:LINE=RATIO, inside the "
      "intervals that begin there; may be repeated (default: 1)",
      "RATIO" },
    { "measured", 0, 0, G_OPTION_ARG_NONE, &options->measured,
      "Show the waits of a recorded run also if its ranks shared processors, so that the waits "
      "measure the scheduler (default: off)",
      NULL },
    { "pop", 0, 0, G_OPTION_ARG_NONE, &options->pop,
      "Predict the run where communication costs nothing, and report the POP efficiencies: load "
      "balance, serialisation, transfer (default: off)",
      NULL },
    { "compensate", 0, 0, G_OPTION_ARG_NONE, &options->compensate,
      "Subtract the cost of recording, which the trace has, from the times (default: off)", NULL },
    { "strict", 0, 0, G_OPTION_ARG_NONE, &options->strict,
      "Refuse a trace with errors or a cut one, status 1 (default: off)", NULL },
    { .long_name = NULL },
  };

  const GOptionEntry *const tables[] = { entries, output, timeline, NULL };

  options->level = G_MAXINT64;
  options->by_cost = options->by_source = NO_PERCENT;
  options->top = NO_TOP;
  pd_output_options_fill (&options->output, output);
  pd_timeline_options_fill (&options->timeline, timeline);
  gboolean old = modernise (*argc, *argv);
  if (!pd_command_parse_tables (argc, argv, "TRACE [LEVEL]", summary, tables, error))
    return FALSE;
  pd_command_find_recordings (*argv + 1, MIN (*argc - 1, 1));
  options->full |= old || *argc == 3;
  return TRUE;
}

/* A choice of call sites implies the text that lists them. */
static gboolean
check_percent (Options *options, const char *option, gdouble *percent, GError **error)
{
  if (*percent > NO_PERCENT)
    options->full = TRUE;
  else
    *percent = 0;
  if (*percent >= 0 && *percent <= 100)
    return TRUE;
  g_set_error (error, PD_USAGE_ERROR, 0, "%s: expected 0 to 100 per cent", option);
  return FALSE;
}

static gboolean
check_top (Options *options, GError **error)
{
  if (options->top == NO_TOP)
    options->top = options->full ? 0 : BRIEF_ROWS;
  if (options->top >= 0 && options->top <= G_MAXUINT)
    return TRUE;
  g_set_error (error, PD_USAGE_ERROR, 0,
               "--top: '%" G_GINT64_FORMAT "', expected a number of rows, 0 for all", options->top);
  return FALSE;
}

/* Of a predicted run, or of a recorded one. */
static gboolean
check_machine (const Options *options, GError **error)
{
  const struct
  {
    const char *name;
    gboolean is_given, of_prediction;
  } rows[] = {
    { "--set", options->settings != NULL, TRUE },
    { "--cpu-ratio", options->ratio_texts != NULL, TRUE },
    { "--compensate", options->compensate, FALSE },
    { "--measured", options->measured, FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    if (rows[i].is_given && rows[i].of_prediction != (options->machine != NULL))
      return pd_fail (error, PD_USAGE_ERROR, 0,
                      rows[i].of_prediction ? "%s needs -m MACHINE"
                                            : "%s is of recorded runs, and -m predicts one",
                      rows[i].name);
  return TRUE;
}

/* TRACE, and perhaps the level. */
static gboolean
check_options (Options *options, int argc, char **argv, GError **error)
{
  const char *single = options->single != NULL ? options->single : "";
  const char *machine = options->machine != NULL ? options->machine : "";
  const char *const inputs[] = { argc > 1 ? argv[1] : "", single, machine, NULL };

  if (options->level < 0)
    {
      g_set_error (error, PD_USAGE_ERROR, 0, "--level: '%" G_GINT64_FORMAT "', expected 0 or more",
                   options->level);
      return FALSE;
    }
  if (argc == 3)
    {
      if (!g_ascii_string_to_signed (argv[2], 10, 0, G_MAXINT64, &options->level, NULL))
        {
          g_set_error (error, PD_USAGE_ERROR, 0, "'%s' is no level, expected 0 or more", argv[2]);
          return FALSE;
        }
      argc = 2;
    }
  if (!pd_cmd_expect_trace (argc, error))
    return FALSE;
  if (!check_machine (options, error))
    return FALSE;
  options->ratios = pd_cpu_ratios_parse ((const char *const *) options->ratio_texts, error);
  if (options->ratios == NULL)
    return FALSE;
  return check_percent (options, "--calls-above", &options->by_cost, error)
         && check_percent (options, "--calls-above-by-source", &options->by_source, error)
         && check_top (options, error)
         && pd_output_options_check (&options->output, inputs, NULL, error)
         && pd_timeline_options_check (&options->timeline, inputs, &options->output, NULL, error);
}

/* ---- reading and analysing */

static PdMpOptions
prediction (const Options *options, const char *name)
{
  return (PdMpOptions){ .trace = name,
                        .machine = options->machine != NULL ? options->machine : "ideal",
                        .settings = (const char *const *) options->settings,
                        .ratios = options->ratios,
                        .stop = pd_cmd_catch_interrupt () };
}

/* The predicted run as a program with times. */
static PdProgram *
predict (const Options *options, const PdMpTrace *trace, const char *name, PdReport *report,
         GError **error)
{
  PdProgram *replayed = NULL;
  PdMpOptions what = prediction (options, name);
  const PdPredictOptions machine = { .machine = what.machine, .settings = what.settings };

  what.replayed = &replayed;
  what.timeline = pd_consumers_begin (options->consumers);
  if (!pd_cmd_name_machine (&machine, report, NULL, error))
    return NULL;
  PdReportRun *run = pd_mp_predict (&what, trace, error);
  if (run == NULL)
    pd_consumers_end (options->consumers, NULL);
  if (run != NULL)
    pd_messages_add_all (report->messages, run->messages);
  pd_report_run_free (run);
  return replayed;
}

/* For --pop: the same program on a machine without costs of communication, beside the measured run.
 */
static gboolean
add_ideal (const Options *options, const PdMpTrace *trace, const char *name, PdReportRun *run,
           GError **error)
{
  PdMpOptions what = prediction (options, name);
  GError *failure = NULL;

  if (!options->pop)
    return TRUE;
  what.ideal = TRUE;
  PdReportRun *ideal = pd_mp_predict (&what, trace, &failure);
  if (ideal != NULL && options->machine == NULL)
    pd_messages_add (run->messages, PD_SEVERITY_NOTE, "pop-simulated", NULL, NULL,
                     "of the efficiencies, serialisation and transfer rest on a simulation of the "
                     "measured run where communication costs nothing; all else is measured");
  return pd_cmd_set_ideal (run, ideal, failure, error);
}

static PdMpTrace *
read_trace (const char *path, GBytes *bytes, PdReport *report, GError **error)
{
  const PdTraceSource source = { path, bytes };
  g_autoptr (PdMpTrace) trace = pd_mp_read_measured (&source, report->messages, error);

  if (trace == NULL || !pd_cmd_add_trace (report, &source, trace, error))
    return NULL;
  return g_steal_pointer (&trace);
}

/* ---- output */

static void
write_text (const PdReport *report, gconstpointer data, guint width, GString *out)
{
  const Options *options = data;
  const PdAnalysisShow show = { .full = options->full,
                                .top = (guint) options->top,
                                .level = options->level,
                                .per_process = !options->no_per_process,
                                .by_cost = options->by_cost,
                                .by_source = options->by_source };

  pd_report_write_analysis (report, &show, width > 0 ? width : 100, out);
}

/* ---- the whole */

/* The run on one rank, to compare with. */
static PdReport *
analyse_single (const Options *options, PdMpTrace **trace, GError **error)
{
  g_autoptr (PdReport) report = pd_cmd_new_report ();
  const char *path = pd_trace_find_recording (options->single);

  *trace = read_trace (path, NULL, report, error);
  if (*trace == NULL)
    return NULL;
  if (pd_mp_trace_get_n_ranks (*trace) != 1)
    {
      g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_VALUE,
                   "%s: the run is of %u ranks, expected one to compare with", path,
                   pd_mp_trace_get_n_ranks (*trace));
      return NULL;
    }
  PdReportRun *run = pd_mp_analyse ((*trace)->program, path, options->compensate, NULL, error);
  if (run == NULL)
    return NULL;
  pd_report_add_run (report, run);
  return g_steal_pointer (&report);
}

/* With --strict a trace with errors is refused. */
static gboolean
check_trace (const Options *options, const PdMpTrace *trace, const char *name,
             const PdMessages *messages, GError **error)
{
  if (!options->strict || (!trace->incomplete && !pd_cmd_has_warning (messages)))
    return TRUE;
  g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_VALUE, "%s: %s; 'predictor check' says more",
               name, trace->incomplete ? "the trace ends early" : "the trace has errors");
  return FALSE;
}

/* The run that was predicted, and told of, or the recorded one, if @replayed is %NULL. */
static PdReportRun *
analyse_calls (const Options *options, const PdMpTrace *trace, const PdProgram *replayed,
               const char *path, PdProgress *progress, GError **error)
{
  PdReportRun *run = pd_mp_analyse (replayed != NULL ? replayed : trace->program, path,
                                    options->compensate, progress, error);
  PdTimelineFeed *feed =
      run != NULL && replayed == NULL ? pd_consumers_begin (options->consumers) : NULL;

  if (feed != NULL)
    pd_analysis_notify (run->analysis, path, feed);
  if (run != NULL)
    pd_consumers_set_program (options->consumers, replayed != NULL ? replayed : trace->program);
  pd_consumers_add_collectives (options->consumers, trace->program);
  pd_consumers_end (options->consumers, run);
  return run;
}

/* @report gets the analysed run, and the one to compare with. @replayed: (out): the predicted run
 */
static gboolean
analyse (const Options *options, const PdMpTrace *trace, const char *path, PdReport *report,
         PdProgram **replayed, GError **error)
{
  if (options->machine != NULL
      && (*replayed = predict (options, trace, path, report, error)) == NULL)
    return FALSE;
  PdReportRun *run = analyse_calls (options, trace, *replayed, path,
                                    pd_messages_get_progress (report->messages), error);
  if (run == NULL)
    {
      if (options->machine == NULL && !options->compensate
          && !g_error_matches (*error, PD_TRACE_ERROR, PD_TRACE_ERROR_LIMIT))
        g_prefix_error (error, "-m MACHINE is needed, for the predicted run: ");
      return FALSE;
    }
  run->measured = options->measured;
  pd_report_run_set_share (run, pd_mp_trace_get_share (trace));
  pd_report_add_run (report, run);
  return add_ideal (options, trace, path, run, error);
}

static int
run (const Options *options, const char *path, GBytes *bytes, char *command_line, GError **error)
{
  g_autoptr (PdReport) report = pd_cmd_new_report ();
  g_autoptr (PdReport) single = NULL;
  g_autoptr (PdMpTrace) single_trace = NULL;
  g_autoptr (PdProgram) replayed = NULL;
  g_autoptr (GError) local = NULL;
  g_autoptr (PdProgressLine) line = pd_progress_line_new ();

  pd_messages_set_progress (report->messages, pd_progress_line_get (line));
  g_autoptr (PdMpTrace) trace = read_trace (path, bytes, report, error);
  report->command_line = command_line;
  report->per_processor = !options->no_per_process;
  if (trace == NULL || !check_trace (options, trace, path, report->messages, error))
    return PD_EXIT_FAILURE;
  gboolean fine = analyse (options, trace, path, report, &replayed, &local);
  pd_messages_set_progress (report->messages, NULL);
  g_clear_pointer (&line, pd_progress_line_free);
  if (!fine)
    {
      pd_cmd_print_warnings (report->messages);
      int status = pd_cmd_status_of_error (local);
      g_propagate_error (error, g_steal_pointer (&local));
      return status;
    }
  if (options->single != NULL && (single = analyse_single (options, &single_trace, error)) == NULL)
    return PD_EXIT_FAILURE;
  if (single != NULL)
    ((PdReportRun *) report->runs->pdata[0])->single = g_ptr_array_index (single->runs, 0);
  if (!pd_output_options_write (&options->output, report, write_text, options, error)
      || !pd_consumers_write (options->consumers, report->command_line, error))
    return PD_EXIT_FAILURE;
  return pd_cmd_conclude_report (path, report, "; analysed nevertheless", error);
}

/* A DVM program has no call sites, and 'predictor run' predicts it. */
static gboolean
check_dvm_options (const Options *options, GError **error)
{
  const PdRefusedOption refused[] = {
    { "--machine", options->machine != NULL },
    { "--single", options->single != NULL },
    { "--pop", options->pop },
    { "--compensate", options->compensate },
    { "--measured", options->measured },
    { "--calls-above", options->by_cost > 0 },
    { "--calls-above-by-source", options->by_source > 0 },
    { "--top", options->top != (options->full ? 0 : BRIEF_ROWS) },
    { "--level", options->level != G_MAXINT64 },
    { "--timeline", options->timeline.path != NULL },
    { "--matrix", options->timeline.matrix != NULL },
  };

  return pd_options_refuse (refused, G_N_ELEMENTS (refused), "DVM", error);
}

static int
run_dvm (const Options *options, const PdTraceSource *source, char *command_line, GError **error)
{
  const PdAnalyseDvm what = { .output = &options->output,
                              .full = options->full,
                              .per_process = !options->no_per_process,
                              .strict = options->strict,
                              .command_line = command_line };

  if (check_dvm_options (options, error))
    return pd_cmd_analyse_dvm (&what, source, error);
  g_free (command_line);
  return PD_EXIT_USAGE;
}

int
pd_cmd_analyse (int argc, char **argv, GError **error)
{
  g_autofree char *command_line = pd_cmd_join (argc, argv);
  g_auto (Options) options = { 0 };
  g_autoptr (GBytes) bytes = NULL;

  if (!parse_options (&options, &argc, &argv, error)
      || !check_options (&options, argc, argv, error))
    return PD_EXIT_USAGE;
  if (strcmp (argv[1], "-") == 0 && (bytes = pd_cmd_read_stdin (error)) == NULL)
    return PD_EXIT_FAILURE;
  const PdTraceSource source = { argv[1], bytes };
  if (pd_mp_is_dvm_trace (&source) || pd_mp_is_statistics (&source))
    return run_dvm (&options, &source, g_steal_pointer (&command_line), error);
  options.consumers = pd_consumers_new (&options.timeline, &options.output);
  return run (&options, argv[1], bytes, g_steal_pointer (&command_line), error);
}
