/* predictor run: predicts a traced program on a machine.
 * SPDX-License-Identifier: MIT */
#include "predictor/pd-commands.h"
#include "predictor/pd-counts.h"
#include "predictor/pd-predict.h"
#include "predictor/pd-simulation.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

/* The command line, parsed. */
typedef struct
{
  char    *machine;
  char    *counts;
  char    *map;
  char    *startup;
  char   **settings;
  char    *files[6]; /* by index of outputs[] */
  gboolean json;
  gboolean check;
  gboolean per_processor;
  gboolean one_step;
  gboolean no_comm_split;
  gboolean strict;
  gboolean quiet;
  gboolean verbose;
} Options;

static void
options_clear (Options *options)
{
  g_free (options->machine);
  g_free (options->counts);
  g_free (options->map);
  g_free (options->startup);
  g_strfreev (options->settings);
  for (guint i = 0; i < G_N_ELEMENTS (options->files); i++)
    g_free (options->files[i]);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

enum
{
  OUTPUT_TEXT,
  OUTPUT_XML,
  OUTPUT_CSV,
  OUTPUT_HTML,
  N_OUTPUTS,
  OUTPUT_DB = N_OUTPUTS,
};

static void
write_text (const PdReport *report, GString *out)
{
  pd_report_write_text (report, 0, 80, out);
}

/* The forms that are written to a file as a whole. */
static void (*const outputs[N_OUTPUTS]) (const PdReport *report, GString *out) = {
  [OUTPUT_TEXT] = write_text,
  [OUTPUT_XML] = pd_report_write_xml,
  [OUTPUT_CSV] = pd_report_write_csv,
  [OUTPUT_HTML] = pd_report_write_html,
};

static gboolean
parse_options (Options *options, int *argc, char ***argv, GError **error)
{
  const GOptionEntry entries[] = {
    { "machine", 'm', 0, G_OPTION_ARG_STRING, &options->machine,
      "Machine: a file, a name from 'predictor machine list', or TYPE:key=value,… "
      "(default: ideal, which costs nothing)",
      "MACHINE" },
    { "processors", 'n', 0, G_OPTION_ARG_STRING, &options->counts,
      "Processor counts or grids, e.g. 8, 4x2, 1:64:x2, all:12 (default: 1)", "LIST" },
    { "set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->settings,
      "Override an attribute of the machine, e.g. network/startup=2us; may be repeated "
      "(default: none)",
      "PATH=VALUE" },
    { "map", 0, 0, G_OPTION_ARG_STRING, &options->map,
      "Placement: block, cyclic, per-node:N, or a list 0,2,4-7 of processors (default: block)",
      "MAP" },
    { "startup", 0, 0, G_OPTION_ARG_STRING, &options->startup,
      "The first record's start-up time: keep or drop (default: drop)", "WHAT" },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &options->files[OUTPUT_TEXT],
      "Write the text report there (default: standard output)", "FILE" },
    { "xml", 0, 0, G_OPTION_ARG_FILENAME, &options->files[OUTPUT_XML],
      "Write an XML report (default: none)", "FILE" },
    { "db", 0, 0, G_OPTION_ARG_FILENAME, &options->files[OUTPUT_DB],
      "Append the results to an SQLite file (default: none)", "FILE" },
    { "csv", 0, 0, G_OPTION_ARG_FILENAME, &options->files[OUTPUT_CSV],
      "Write a CSV table (default: none)", "FILE" },
    { "html", 0, 0, G_OPTION_ARG_FILENAME, &options->files[OUTPUT_HTML],
      "Write a page (default: none)", "FILE" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &options->json,
      "Print one JSON document instead of text (default: off)", NULL },
    { "per-processor", 0, 0, G_OPTION_ARG_NONE, &options->per_processor,
      "Report the values of each processor too (default: off)", NULL },
    { "check", 0, 0, G_OPTION_ARG_NONE, &options->check,
      "Verify the identities that every result must fulfil (default: off)", NULL },
    { "no-comm-split", 0, 0, G_OPTION_ARG_NONE, &options->no_comm_split,
      "Reductions over replicated loops do not create communicators (default: off)", NULL },
    { "one-step", 0, 0, G_OPTION_ARG_NONE, &options->one_step,
      "Simulate one step at a time: slower, the same result (default: off)", NULL },
    { "strict", 0, 0, G_OPTION_ARG_NONE, &options->strict,
      "An incomplete trace is a failure, status 1 (default: off)", NULL },
    { "verbose", 'v', 0, G_OPTION_ARG_NONE, &options->verbose,
      "Every interval and characteristic (default: off)", NULL },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &options->quiet,
      "No text report (default: off)", NULL },
    { .long_name = NULL },
  };

  return pd_command_parse (argc, argv, "TRACE",
                           "Predicts how long a traced program runs on a machine, and where its "
                           "time goes.\n\nExample: predictor run heat2d.ptr.gz -m mvs1000 -n "
                           "1,2,4,8x8",
                           entries, error);
}

static gboolean
check_options (const Options *options, int argc, GError **error)
{
  if (argc != 2)
    {
      g_set_error (error, PD_USAGE_ERROR, 0, "%s",
                   argc < 2 ? "a trace is expected" : "one trace is expected");
      return FALSE;
    }
  if (options->startup != NULL && strcmp (options->startup, "keep") != 0
      && strcmp (options->startup, "drop") != 0)
    {
      g_set_error (error, PD_USAGE_ERROR, 0, "--startup takes keep or drop, not '%s'",
                   options->startup);
      return FALSE;
    }
  return TRUE;
}

/* ---- the report */

static char *
join_command_line (int argc, char **argv)
{
  GString *text = g_string_new ("predictor");

  for (int i = 0; i < argc; i++)
    {
      gboolean plain = argv[i][0] != '\0'
                       && strspn (argv[i], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                           "0123456789-_./:=,+@%")
                              == strlen (argv[i]);
      g_autofree char *quoted = plain ? g_strdup (argv[i]) : g_shell_quote (argv[i]);
      g_string_append_printf (text, " %s", quoted);
    }
  return g_string_free (text, FALSE);
}

static char *
now (void)
{
  if (g_getenv ("SOURCE_DATE_EPOCH") != NULL)
    return NULL;
  g_autoptr (GDateTime) date = g_date_time_new_now_utc ();
  return g_date_time_format (date, "%Y-%m-%dT%H:%M:%SZ");
}

static PdReport *
start_report (const Options *options, const char *trace, GError **error)
{
  g_autoptr (PdReport) report = pd_report_new ();

  report->date = now ();
  report->per_processor = options->per_processor;
  if (report->messages == NULL)
    report->messages = pd_messages_new ();
  if (!pd_report_add_input (report, trace, error))
    return NULL;
  if (options->machine != NULL && g_file_test (options->machine, G_FILE_TEST_IS_REGULAR)
      && !pd_report_add_input (report, options->machine, error))
    return NULL;
  return g_steal_pointer (&report);
}

static gboolean
predict_all (const Options *options, const char *trace, const GArray *counts, PdReport *report,
             GError **error)
{
  PdPredictOptions predict = {
    .trace = trace,
    .machine = options->machine != NULL ? options->machine : "ideal",
    .settings = (const char *const *) options->settings,
    .map = options->map,
    .dvm = { .keep_startup = g_strcmp0 (options->startup, "keep") == 0,
             .no_comm_split = options->no_comm_split,
             .mpi_reduce = TRUE },
    .one_step = options->one_step,
    .check = options->check,
  };

  for (guint i = 0; i < counts->len; i++)
    {
      const PdCount *count = &g_array_index (counts, PdCount, i);
      g_autofree char *name = NULL;
      PdReportRun *run = pd_predict (&predict, count->rank, count->sizes, &name, error);
      if (run == NULL)
        return FALSE;
      if (report->machine == NULL)
        report->machine = g_strdup (name);
      pd_report_add_run (report, run);
    }
  return TRUE;
}

/* ---- output */

static guint
terminal_width (void)
{
  struct winsize size;

  return isatty (STDOUT_FILENO) && ioctl (STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 60
             ? size.ws_col
             : 80;
}

/* Files first: if one cannot be written, nothing has been printed. */
static gboolean
write_results (const Options *options, const PdReport *report, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < N_OUTPUTS; i++)
    {
      g_autoptr (GString) out = g_string_new (NULL);
      if (options->files[i] == NULL)
        continue;
      if (i == OUTPUT_TEXT)
        pd_report_write_text (report, options->verbose ? 1 : 0, 80, out);
      else
        outputs[i](report, out);
      if (!pd_report_save (options->files[i], out, error))
        return FALSE;
    }
  if (options->files[OUTPUT_DB] != NULL
      && !pd_report_write_db (report, options->files[OUTPUT_DB], error))
    return FALSE;
  if (options->json)
    pd_report_write_json (report, text);
  else if (!options->quiet && options->files[OUTPUT_TEXT] == NULL)
    pd_report_write_text (report, options->verbose ? 1 : 0, terminal_width (), text);
  return text->len == 0 || pd_report_save ("-", text, error);
}

static int
status_of (const Options *options, const PdReport *report)
{
  for (guint i = 0; i < report->runs->len; i++)
    {
      const PdReportRun *run = g_ptr_array_index (report->runs, i);
      if (run->incomplete)
        return options->strict ? PD_EXIT_FAILURE : PD_EXIT_INCOMPLETE;
    }
  return PD_EXIT_OK;
}

/* Wrong grids are the user's, deadlocks the program's. */
static int
status_of_error (const GError *error)
{
  if (g_error_matches (error, PD_SIMULATION_ERROR, PD_SIMULATION_ERROR_DEADLOCK)
      || g_error_matches (error, PD_SIMULATION_ERROR, PD_SIMULATION_ERROR_UNMATCHED))
    return PD_EXIT_DEADLOCK;
  return PD_EXIT_FAILURE;
}

int
pd_cmd_run (int argc, char **argv, GError **error)
{
  g_autofree char *command_line = join_command_line (argc, argv);
  g_auto (Options) options = { NULL };
  g_autoptr (GArray) counts = NULL;
  g_autoptr (PdReport) report = NULL;
  g_autoptr (GError) local = NULL;

  if (!parse_options (&options, &argc, &argv, error) || !check_options (&options, argc, error))
    return PD_EXIT_USAGE;
  counts = pd_counts_parse (options.counts != NULL ? options.counts : "1", error);
  if (counts == NULL)
    return PD_EXIT_USAGE;
  report = start_report (&options, argv[1], error);
  if (report == NULL)
    return PD_EXIT_FAILURE;
  report->command_line = g_steal_pointer (&command_line);
  if (!predict_all (&options, argv[1], counts, report, &local)
      || !write_results (&options, report, &local))
    {
      int status = status_of_error (local);
      g_propagate_error (error, g_steal_pointer (&local));
      return status;
    }
  return status_of (&options, report);
}
