/* predictor advise: the best processor counts and grids for a traced program.
 * SPDX-License-Identifier: MIT */
#include "predictor/cli/cmd-advise-private.h"
#include "predictor/options/cmd-tools.h"
#include "predictor/dvm/predict/pd-recorded.h"
#include "predictor/search/pd-advise.h"
#include "predictor/cli/pd-commands.h"
#include "predictor/mp/pd-mp-kind.h"
#include "predictor/scaled/pd-scaled.h"
#include "predictor/options/pd-mp-options.h"
#include "predictor/options/pd-common-options.h"

#include "base/pd-units.h"
#include "reports/advice/pd-advice-data.h"
#include "reports/advice/pd-advice-write.h"
#include "reports/run/pd-report-db.h"
#include "traces/open/pd-dvm-set.h"

#include <string.h>

#define DEFAULT_MIN_EFFICIENCY 0.5
#define MAX_THREADS            1024

typedef PdAdviseCommand Options;

static void
options_clear (Options *options)
{
  char *const texts[] = { options->flops_text, options->counts, options->by,
                          options->deadline,   options->output, options->csv,
                          options->db,         options->price,  options->min_efficiency };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_free (texts[i]);
  g_strfreev (options->machines);
  pd_model_options_clear (&options->model);
  pd_common_options_clear (&options->common);
  pd_alltoall_command_clear (&options->alltoall);
  g_clear_pointer (&options->cleanings, g_ptr_array_unref);
  pd_family_free (options->family);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

/* ---- options */

static const char summary[] =
    "Searches processor counts and grids for a traced program on a machine: least time,\n"
    "least time at a reasonable efficiency, least cost; and gives the reasons. With several "
    "machines,\n"
    "and with --shapes, compares the best grids of each. Several recordings of a message-passing\n"
    "program, in any order, are compared likewise. With --alltoall, without a trace, orders\n"
    "the shapes of a cluster by the time of an All-to-all.\n\n"
    "Example: predictor advise heat2d.ptr.gz -m mvs1000 --max-procs 256";

#define N_OUTPUT_OPTIONS 7

static void
fill_output_options (Options *options, GOptionEntry *entries)
{
  const GOptionEntry table[N_OUTPUT_OPTIONS + 1] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &options->output,
      "Write the text report there (default: standard output)", "FILE" },
    { "db", 0, 0, G_OPTION_ARG_FILENAME, &options->db,
      "Append the predictions to an SQLite file (default: none)", "FILE" },
    { "csv", 0, 0, G_OPTION_ARG_FILENAME, &options->csv,
      "Write a CSV table of the grids (default: none)", "FILE" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &options->json,
      "Print one JSON document instead of text (default: off)", NULL },
    { "strict", 0, 0, G_OPTION_ARG_NONE, &options->strict,
      "An incomplete trace is a failure, status 1 (default: off)", NULL },
    { "verbose", 'v', 0, G_OPTION_ARG_NONE, &options->verbose,
      "Show every grid that was predicted (default: off)", NULL },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &options->quiet, "No text report (default: off)", NULL },
    { .long_name = NULL },
  };

  memcpy (entries, table, sizeof table);
}

static gboolean
parse_options (Options *options, int *argc, char ***argv, GError **error)
{
  const GOptionEntry search[] = {
    { "machine", 'm', 0, G_OPTION_ARG_STRING_ARRAY, &options->machines,
      "Machine: a file, a name from 'predictor machine list', or TYPE:key=value,…; may be "
      "repeated (default: ideal, which costs nothing)",
      "MACHINE" },
    { "shapes", 0, 0, G_OPTION_ARG_NONE, &options->shapes,
      "Compare the shapes of each machine: numbers of ranks on each node (default: off)", NULL },
    { "max-procs", 0, 0, G_OPTION_ARG_INT64, &options->max_processors,
      "Consider counts up to N processors (default: those of the machine; 64 if it is inline)",
      "N" },
    { "processors", 'n', 0, G_OPTION_ARG_STRING, &options->counts,
      "Consider these processor counts or grids only, e.g. 8, 4x2, 1:64:x2, all:12 "
      "(default: every grid up to --max-procs)",
      "LIST" },
    { "by", 0, 0, G_OPTION_ARG_STRING, &options->by,
      "Criteria of the search: time, efficiency, cost (default: time,efficiency,cost)", "LIST" },
    { "min-efficiency", 0, 0, G_OPTION_ARG_STRING, &options->min_efficiency,
      "The least efficiency, 0 to 1, that 'efficiency' accepts (default: 0.5)", "E" },
    { "price", 0, 0, G_OPTION_ARG_STRING, &options->price,
      "Price of an hour of one processor, in any currency (default: cost in processor-seconds)",
      "PRICE" },
    { "deadline", 0, 0, G_OPTION_ARG_STRING, &options->deadline,
      "The longest time that 'cost' accepts, e.g. 90s or 5ms (default: none)", "TIME" },
    { "exhaustive", 0, 0, G_OPTION_ARG_NONE, &options->exhaustive,
      "Predict every grid, even those that cannot be best (default: off)", NULL },
    { "limit", 0, 0, G_OPTION_ARG_INT64, &options->limit,
      "If there are more grids than N, search coarsely first (default: 1000)", "N" },
    { "jobs", 'j', 0, G_OPTION_ARG_INT64, &options->n_threads,
      "Predict N grids at once; the result is the same (default: all cores)", "N" },
    { .long_name = NULL },
  };
  const GOptionEntry computing[] = {
    { "cpu-ratio", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->common.ratio_texts,
      "Computation is RATIO times as fast; also FILE:LINE=RATIO, as in 'predictor run'; may be "
      "repeated (default: 1)",
      "RATIO" },
    { "seed", 0, 0, G_OPTION_ARG_STRING, &options->common.seed_text,
      "Seed of the random numbers of the machine's noise (default: 0)", "N" },
    { "flops", 0, 0, G_OPTION_ARG_STRING, &options->flops_text,
      "Operations per second of a processor of speed 1, for message-passing traces that count "
      "operations (default: 1Gf)",
      "RATE" },
    { .long_name = NULL },
  };
  GOptionEntry model[PD_N_MODEL_OPTIONS + 1], output[N_OUTPUT_OPTIONS + 1];
  GOptionEntry alltoall[PD_N_ALLTOALL_OPTIONS + 1];
  pd_alltoall_command_fill (&options->alltoall, alltoall);
  pd_model_options_fill (&options->model, model);
  fill_output_options (options, output);
  const GOptionEntry *const tables[] = { search, model, computing, alltoall, output, NULL };

  if (!pd_command_parse_tables (argc, argv, "TRACE...", summary, tables, error))
    return FALSE;
  (*argv)[*argc] = NULL; /* the rest is shorter */
  pd_command_find_recordings (*argv + 1, *argc - 1);
  return TRUE;
}

static gboolean
fail (GError **error, const char *text, const char *value)
{
  g_set_error (error, PD_USAGE_ERROR, 0, "%s, not '%s'", text, value);
  return FALSE;
}

static gboolean
fail_number (GError **error, const char *text, gint64 value)
{
  g_autofree char *digits = g_strdup_printf ("%" G_GINT64_FORMAT, value);

  return fail (error, text, digits);
}

static gboolean
check_numbers (const Options *options, GError **error)
{
  if ((options->max_processors != PD_ADVISE_NO_MAX && options->max_processors < 1)
      || options->max_processors > PD_MAX_COUNT)
    return fail_number (error, "--max-procs takes 1 to 16777214 processors",
                        options->max_processors);
  if (options->limit < 1 || options->limit > G_MAXINT32)
    return fail_number (error, "--limit takes a number of grids from 1 on", options->limit);
  if (options->n_threads < 1 || options->n_threads > MAX_THREADS)
    return fail_number (error, "-j takes a number from 1 to 1024", options->n_threads);
  return TRUE;
}

static gboolean
parse_by (const char *text, PdAdviceCriteria *criteria, GError **error)
{
  g_auto (GStrv) words = g_strsplit (text, ",", -1);

  for (guint i = 0; words[i] != NULL || i == 0; i++)
    {
      PdAdviceCriterion c = 0;
      while (words[i] != NULL && c < PD_N_ADVICE
             && strcmp (words[i], pd_advice_criterion_name (c)) != 0)
        c++;
      if (words[i] == NULL || c == PD_N_ADVICE)
        return fail (error, "--by takes some of time,efficiency,cost", text);
      criteria->wanted[c] = TRUE;
    }
  return TRUE;
}

static gboolean
parse_deadline (const char *text, PdAdviceCriteria *criteria, GError **error)
{
  PdNumber number;

  if (pd_units_parse (PD_UNIT_TIME, text, &number, NULL) && number.i > 0)
    {
      criteria->deadline = PD_TIME (number.i);
      return TRUE;
    }
  return fail (error, "--deadline takes a time above 0 with its unit, such as 90s or 5ms", text);
}

static gboolean
parse_criteria (Options *options, GError **error)
{
  PdAdviceCriteria *criteria = &options->criteria;
  PdNumber number;

  if (!parse_by (options->by != NULL ? options->by : "time,efficiency,cost", criteria, error)
      || (options->deadline != NULL && !parse_deadline (options->deadline, criteria, error)))
    return FALSE;
  criteria->min_efficiency = DEFAULT_MIN_EFFICIENCY;
  if (options->min_efficiency != NULL)
    {
      if (!pd_units_parse (PD_UNIT_RATIO, options->min_efficiency, &number, NULL) || number.d > 1)
        return fail (error, "--min-efficiency takes a number from 0 to 1", options->min_efficiency);
      criteria->min_efficiency = number.d;
    }
  criteria->price = -1;
  if (options->price == NULL)
    return TRUE;
  if (!pd_units_parse (PD_UNIT_RATIO, options->price, &number, NULL))
    return fail (error, "--price takes a number from 0 on", options->price);
  criteria->price = number.d;
  return TRUE;
}

static gboolean
check_files (Options *options, char *const *traces, GError **error)
{
  const char *blocks = options->model.blocks_path != NULL ? options->model.blocks_path : "";
  g_autoptr (GPtrArray) inputs = g_ptr_array_new ();
  const char *const written[] = { options->output, options->csv, options->db };

  for (guint i = 0; traces[i] != NULL; i++)
    g_ptr_array_add (inputs, traces[i]);
  g_ptr_array_add (inputs, (gpointer) blocks);
  for (guint i = 0; options->machines != NULL && options->machines[i] != NULL; i++)
    g_ptr_array_add (inputs, options->machines[i]);
  g_ptr_array_add (inputs, NULL);
  return pd_cmd_check_files ((const char *const *) inputs->pdata, written, G_N_ELEMENTS (written),
                             error)
         && pd_cmd_check_stdout (&written[1], 1, options->json, options->db, &options->quiet,
                                 error);
}

static gboolean
check_options (Options *options, int argc, char **argv, GError **error)
{
  if (!pd_cmd_expect_trace (MIN (argc, 2), error) || !check_numbers (options, error)
      || !parse_criteria (options, error) || !pd_model_options_check (&options->model, error)
      || !pd_common_options_check (&options->common, 0, error)
      || (options->flops_text != NULL
          && !pd_mp_parse_flops (options->flops_text, &options->flops, error))
      || !check_files (options, argv + 1, error))
    return FALSE;
  /* whether it is a list at all, before anything is read */
  g_autoptr (GArray) counts =
      options->counts != NULL ? pd_counts_parse (options->counts, 1, error) : NULL;
  return options->counts == NULL || counts != NULL;
}

/* ---- --alltoall */

/* Options of traces and grids have no meaning there. */
static gboolean
check_alltoall (const Options *options, int argc, GError **error)
{
  const PdModelOptions *model = &options->model;
  const gpointer given[] = { options->counts,
                             options->by,
                             options->deadline,
                             options->db,
                             options->price,
                             options->min_efficiency,
                             model->rts,
                             model->map,
                             model->startup,
                             model->blocks_path,
                             options->flops_text,
                             options->common.ratio_texts,
                             options->common.seed_text };
  gboolean any = pd_cmd_advise_is_choice (options) || options->max_processors != PD_ADVISE_NO_MAX
                 || options->exhaustive || options->strict || model->no_comm_split
                 || model->across_tc_known || model->weights_from_speed;

  for (guint i = 0; i < G_N_ELEMENTS (given); i++)
    any |= given[i] != NULL;
  if (argc == 1 && !any)
    return TRUE;
  g_set_error (error, PD_USAGE_ERROR, 0,
               "--alltoall takes no trace, and none of the options for traces and grids");
  return FALSE;
}

static int
advise_alltoall (const Options *options, int argc, const char *command_line, GError **error)
{
  PdAlltoallOutput output = { .machine = options->machine,
                              .settings = (const char *const *) options->model.settings,
                              .output = options->output,
                              .csv = options->csv,
                              .json = options->json,
                              .quiet = options->quiet,
                              .verbose = options->verbose,
                              .command_line = command_line };

  if (!check_alltoall (options, argc, error))
    return PD_EXIT_USAGE;
  return pd_alltoall_command_run (&options->alltoall, &output, error);
}

/* ---- the report */

/* Files first: if one cannot be written, nothing has been printed. */
static gboolean
write_results (const Options *options, const PdAdvice *advice, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GString) json = g_string_new (NULL);
  g_autoptr (GString) csv = g_string_new (NULL);

  pd_advice_write_csv (advice, csv);
  if (options->csv != NULL && !pd_report_save (options->csv, csv, error))
    return FALSE;
  if (options->db != NULL && !pd_report_write_db (advice->report, options->db, error))
    return FALSE;
  pd_advice_write_text (advice, options->verbose ? 1 : 0,
                        options->output != NULL ? 80 : pd_cmd_terminal_width (), text);
  if (options->output != NULL && !pd_report_save (options->output, text, error))
    return FALSE;
  if (options->json)
    {
      pd_advice_write_json (advice, json);
      return pd_report_save ("-", json, error);
    }
  return options->output != NULL || options->quiet || pd_report_save ("-", text, error);
}

/* ---- the work */

static void
show_progress (guint done, guint n, gpointer begin)
{
  pd_cmd_show_progress (done, n, *(const gint64 *) begin);
}

int
pd_cmd_advise_conclude (const Options *options, const char *trace, const PdAdvice *advice,
                        GError **error)
{
  int status =
      options->strict ? pd_cmd_conclude_report (trace, advice->report, NULL, error) : PD_EXIT_OK;

  if (status != PD_EXIT_OK)
    return status;
  if (!write_results (options, advice, error))
    return PD_EXIT_FAILURE;
  if (advice->interrupted)
    {
      g_set_error (error, PD_SIMULATION_ERROR, PD_SIMULATION_ERROR_INTERRUPTED,
                   "interrupted; the grids that were finished are reported");
      return PD_EXIT_INTERRUPTED;
    }
  return pd_cmd_conclude_report (trace, advice->report, "; predicted nevertheless", error);
}

PdAdviseOptions
pd_cmd_advise_get_search (const Options *options, const PdTraceSource *source, gint64 *begin)
{
  return (PdAdviseOptions){
    .predict = { .trace = source->path,
                 .bytes = source->bytes,
                 .machine = options->machine != NULL ? options->machine : "ideal",
                 .ratios = options->common.ratios,
                 .seed = options->common.seed,
                 .range = TRUE,
                 .stop = pd_cmd_catch_interrupt () },
    .criteria = options->criteria,
    .family = options->family,
    .max_processors =
        options->max_processors == PD_ADVISE_NO_MAX ? 0 : (guint32) options->max_processors,
    .limit = (guint) options->limit,
    .exhaustive = options->exhaustive,
    .n_threads = (guint) options->n_threads,
    .progress = show_progress,
    .progress_data = begin,
  };
}

int
pd_cmd_advise_read_facts (Options *options, PdAdviseOptions *what, PdTraceFacts *facts,
                          GArray **counts, GError **error)
{
  PdPredictOptions *predict = &what->predict;

  options->cleanings = pd_recorded_clean (predict->trace, predict->bytes, &predict->clean, error);
  predict->cleanings = options->cleanings;
  if (predict->cleanings == NULL
      || !pd_trace_facts_read (facts, predict->trace, predict->bytes, predict->dvm.keep_startup,
                               g_ptr_array_index (predict->cleanings, 0), error))
    return PD_EXIT_FAILURE;
  what->facts = facts;
  if (options->counts == NULL)
    return PD_EXIT_OK;
  what->counts = *counts = pd_counts_parse (options->counts, facts->rank, error);
  return *counts != NULL ? PD_EXIT_OK : PD_EXIT_USAGE;
}

static int
advise (Options *options, const PdTraceSource *source, PdReport *report, GError **error)
{
  gint64 begin = g_get_monotonic_time ();
  g_autoptr (GArray) counts = NULL;
  PdAdviseOptions what = pd_cmd_advise_get_search (options, source, &begin);
  PdTraceFacts facts;
  if (source->bytes != NULL)
    pd_cmd_add_stdin (report, source->bytes);
  if (!pd_model_options_apply (&options->model, &what.predict, error)
      || !pd_cmd_name_machine (&what.predict, report, NULL, error))
    return PD_EXIT_FAILURE;
  int status = pd_cmd_advise_read_facts (options, &what, &facts, &counts, error);
  if (status != PD_EXIT_OK)
    return status;
  pd_recorded_report (options->cleanings, report->messages);
  g_autoptr (GError) local = NULL;
  g_autoptr (PdAdvice) advice = pd_advise (&what, report, &local);
  if (advice != NULL)
    return pd_cmd_advise_conclude (options, source->path, advice, error);
  status = pd_cmd_status_of_error (local);
  g_propagate_error (error, g_steal_pointer (&local));
  return status;
}

/* Several traces of one program: each an input of the report, and which one @source is. */
static gboolean
open_family (Options *options, char *const *traces, PdTraceSource *source, PdReport *report,
             GError **error)
{
  const char *any = NULL;

  if (!pd_cmd_open_family ((const char *const *) traces, report, &options->family, error))
    return FALSE;
  if (options->family != NULL)
    g_array_unref (pd_family_get_grids (options->family, &any));
  source->path = any != NULL ? any : source->path;
  return TRUE;
}

int
pd_cmd_advise (int argc, char **argv, GError **error)
{
  g_autofree char *command_line = pd_cmd_join (argc, argv);
  g_auto (Options)
      options = { .max_processors = PD_ADVISE_NO_MAX,
                  .alltoall = { .n_ranks = PD_ALLTOALL_NONE, .block = PD_ALLTOALL_NONE },
                  .limit = PD_ADVISE_LIMIT,
                  .n_threads = MIN (g_get_num_processors (), MAX_THREADS) };
  g_autoptr (PdDvmSet) set = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (PdReport) report = NULL;

  if (!parse_options (&options, &argc, &argv, error))
    return PD_EXIT_USAGE;
  options.machine = options.machines != NULL ? options.machines[0] : NULL;
  if (options.alltoall.wanted)
    return advise_alltoall (&options, argc, command_line, error);
  if (!pd_alltoall_command_check_unused (&options.alltoall, error)
      || !check_options (&options, argc, argv, error))
    return PD_EXIT_USAGE;
  if (strcmp (argv[1], "-") == 0 && (bytes = pd_cmd_read_stdin (error)) == NULL)
    return PD_EXIT_FAILURE;
  PdTraceSource source = { argv[1], bytes };
  gboolean is_mp = pd_mp_is_trace (&source) || pd_scaled_is_model (&source);
  if (is_mp && argc > 2 && bytes == NULL && !pd_scaled_is_model (&source))
    options.more = argv + 2;
  else if (argc > 2 && (bytes != NULL || pd_cmd_advise_is_choice (&options) || is_mp))
    {
      pd_cmd_expect_trace (argc, error);
      g_prefix_error (error, "several traces are of a DVM program, in files, on one machine, or of "
                             "a message-passing one: ");
      return PD_EXIT_USAGE;
    }
  if (is_mp)
    return pd_cmd_advise_choose_for_program (&options, &source, command_line, error);
  if (options.flops_text != NULL)
    {
      g_set_error (error, PD_USAGE_ERROR, 0,
                   "--flops: the trace is of a DVM program, which has times");
      return PD_EXIT_USAGE;
    }
  set = pd_dvm_set_new (argv[1], NULL, error);
  if (set == NULL)
    return PD_EXIT_FAILURE;
  pd_cmd_allow_files (pd_dvm_set_get_n (set) * (guint) options.n_threads);
  /* a folder may hold one trace */
  if (pd_dvm_set_get_n (set) == 1)
    source.path = pd_dvm_set_get_path (set, 0);
  if (pd_cmd_advise_is_choice (&options))
    return pd_cmd_advise_choose_for_dvm (&options, &source, set, command_line, error);
  report = pd_cmd_start_report (set, options.machine, options.model.blocks_path, error);
  if (report == NULL)
    return PD_EXIT_FAILURE;
  report->command_line = g_steal_pointer (&command_line);
  if (!open_family (&options, argv + 1, &source, report, error))
    return PD_EXIT_FAILURE;
  return advise (&options, &source, report, error);
}
