/* predictor compare: two runs, measured or predicted, interval by interval.
 * SPDX-License-Identifier: MIT */
#include "base/pd-number.h"
#include "predictor/options/cmd-tools.h"
#include "predictor/cli/pd-commands.h"
#include "predictor/dvm/measured/pd-dvm-measured.h"
#include "predictor/dvm/measured/pd-dvm-statistics.h"
#include "predictor/mp/pd-mp-analyse.h"
#include "predictor/mp/pd-mp-kind.h"
#include "reports/compare/pd-compare.h"
#include "reports/compare/pd-compare-runs.h"
#include "reports/results/pd-results-read.h"
#include "intervals/pd-interval-rows.h"
#include "reports/compare/pd-compare-write.h"
#include "reports/page/pd-page-compare.h"
#include "reports/results/pd-results-xml.h"
#include "base/pd-file.h"

#include <stdio.h>
#include <string.h>

enum
{
  OUTPUT_CSV,
  OUTPUT_HTML,
  OUTPUT_TEXT,
  N_FILES,
};

typedef struct
{
  gint64 runs[2]; /* 0 = not given */
  char *tolerance;
  char *characteristics;
  char *files[N_FILES];
  gboolean json;
  gboolean quiet;
  PdCompareOptions what;
} Options;

static void
options_clear (Options *options)
{
  g_free (options->tolerance);
  g_free (options->characteristics);
  for (guint i = 0; i < N_FILES; i++)
    g_free (options->files[i]);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

static const char summary[] =
    "Compares two runs interval by interval, and explains the difference; for more than two,\n"
    "compares their times, speed-ups and efficiencies. Each is a\n"
    "trace with recorded times, a results database of 'run --db' or 'analyse --db', of which\n"
    "FILE:ID names one run, or an XML report.\n\n"
    "Example: predictor compare app/traces.otf2 predicted.sqlite --tolerance 5";

/* ---- options */

static gboolean
parse_options (Options *options, int *argc, char ***argv, GError **error)
{
  const GOptionEntry entries[] = {
    { "all", 'a', 0, G_OPTION_ARG_NONE, &options->what.all,
      "Compare every characteristic of each interval (default: off)", NULL },
    { "characteristics", 'c', 0, G_OPTION_ARG_STRING, &options->characteristics,
      "Compare these, separated by commas (default: execution_time)", "LIST" },
    { "level", 'l', 0, G_OPTION_ARG_INT64, &options->what.level,
      "Intervals up to that depth; 0: the whole program only (default: all)", "L" },
    { "run-a", 0, 0, G_OPTION_ARG_INT64, &options->runs[0], "The run of A (default: the last)",
      "ID" },
    { "run-b", 0, 0, G_OPTION_ARG_INT64, &options->runs[1], "The run of B (default: the last)",
      "ID" },
    { "tolerance", 't', 0, G_OPTION_ARG_STRING, &options->tolerance,
      "Exit with status 5 if values differ by more than PERCENT of A's (default: none)",
      "PERCENT" },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &options->files[OUTPUT_TEXT],
      "Write the text there (default: standard output)", "FILE" },
    { "csv", 0, 0, G_OPTION_ARG_FILENAME, &options->files[OUTPUT_CSV],
      "Write a CSV table (default: none)", "FILE" },
    { "html", 0, 0, G_OPTION_ARG_FILENAME, &options->files[OUTPUT_HTML],
      "Write a page, the largest differences first (default: none)", "FILE" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &options->json,
      "Print one JSON document instead of text (default: off)", NULL },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &options->quiet, "No text (default: off)", NULL },
    { .long_name = NULL },
  };

  options->what.level = G_MAXINT64;
  options->what.tolerance = -1;
  if (!pd_command_parse (argc, argv, "A B [C...]", summary, entries, error))
    return FALSE;
  pd_command_find_recordings (*argv + 1, *argc - 1);
  return TRUE;
}

static gboolean
choose (Options *options, const char *name, GError **error)
{
  for (PdCharacteristic c = 0; c < PD_N_CHARACTERISTICS; c++)
    if (g_ascii_strcasecmp (name, pd_characteristic_row (c)->id) == 0
        || g_ascii_strcasecmp (name, pd_characteristic_row (c)->name) == 0)
      {
        options->what.wanted[c] = TRUE;
        return TRUE;
      }
  g_set_error (error, PD_USAGE_ERROR, 0,
               "--characteristics: '%s' is none; predictor-results(5) lists them", name);
  return FALSE;
}

static gboolean
choose_all (Options *options, GError **error)
{
  g_auto (GStrv) names = NULL;

  options->what.chosen = options->what.all || options->characteristics != NULL;
  if (!options->what.chosen)
    options->what.wanted[PD_C_EXECUTION_TIME] = TRUE;
  for (PdCharacteristic c = 0; options->what.all && c < PD_N_CHARACTERISTICS; c++)
    options->what.wanted[c] = TRUE;
  if (options->characteristics == NULL)
    return TRUE;
  names = g_strsplit (options->characteristics, ",", -1);
  for (guint i = 0; names[i] != NULL; i++)
    if (!choose (options, g_strstrip (names[i]), error))
      return FALSE;
  return TRUE;
}

static gboolean
read_tolerance (Options *options, GError **error)
{
  if (options->tolerance == NULL
      || (pd_number_parse_real (options->tolerance, &options->what.tolerance)
          && options->what.tolerance >= 0))
    return TRUE;
  g_set_error (error, PD_USAGE_ERROR, 0, "--tolerance: '%s', expected 0 per cent or more",
               options->tolerance);
  return FALSE;
}

/* Of those options that are not of outputs none was given. */
static gboolean
has_only_outputs (const Options *options)
{
  return options->tolerance == NULL && options->characteristics == NULL && !options->what.all
         && options->what.level == G_MAXINT64 && options->runs[0] == 0 && options->runs[1] == 0
         && options->files[OUTPUT_CSV] == NULL && options->files[OUTPUT_HTML] == NULL;
}

static gboolean
check_options (Options *options, int argc, char **argv, GError **error)
{
  const char *const *inputs = (const char *const *) argv + 1;

  if (argc < 3)
    g_set_error_literal (error, PD_USAGE_ERROR, 0, "expected two runs, A and B, or more");
  else if (argc > 3 && !has_only_outputs (options))
    g_set_error_literal (error, PD_USAGE_ERROR, 0,
                         "of more than two runs only totals are compared: expected no option "
                         "but --json, -o and -q");
  else if (options->what.level < 0)
    g_set_error (error, PD_USAGE_ERROR, 0, "--level: '%" G_GINT64_FORMAT "', expected 0 or more",
                 options->what.level);
  else if (options->runs[0] < 0 || options->runs[1] < 0)
    g_set_error_literal (error, PD_USAGE_ERROR, 0, "runs are numbered from 1");
  else
    return read_tolerance (options, error) && choose_all (options, error)
           && pd_cmd_check_stdout ((const char *const *) options->files, OUTPUT_TEXT, options->json,
                                   NULL, &options->quiet, error)
           && pd_cmd_check_files (inputs, (const char *const *) options->files, N_FILES, error);
  return FALSE;
}

/* ---- reading A and B */

/* "results.sqlite:3" is run 3, unless there is a file of that name. */
static char *
split_name (const char *name, gint64 *id)
{
  const char *colon = strrchr (name, ':');
  gint64 number;

  if (colon == NULL || g_file_test (name, G_FILE_TEST_EXISTS)
      || !g_ascii_string_to_signed (colon + 1, 10, 1, G_MAXINT64, &number, NULL))
    return g_strdup (name);
  *id = number;
  return g_strndup (name, (gsize) (colon - name));
}

/* Whether @path begins with @magic. */
static gboolean
begins_with (const char *path, const char *magic)
{
  char head[16] = "";
  FILE *file = fopen (path, "rb");
  gsize n = file != NULL ? fread (head, 1, sizeof head, file) : 0;

  if (file != NULL)
    fclose (file);
  return n >= strlen (magic) && memcmp (head, magic, strlen (magic)) == 0;
}

/* The measured run of a DVM program, which has no call sites. */
static gboolean
read_dvm (const char *path, PdCompareSide *side, GError **error)
{
  g_autoptr (PdDvmSet) set = pd_dvm_set_new (path, NULL, error);

  if (set == NULL)
    return FALSE;
  guint n = pd_dvm_set_get_n (set);
  pd_cmd_allow_files (n);
  /* a folder may hold one trace */
  side->run = pd_dvm_measure (n == 1 ? pd_dvm_set_get_path (set, 0) : path, NULL, error);
  return side->run != NULL;
}

static gboolean
read_measured (const PdTraceSource *source, PdMessages *messages, PdCompareSide *side,
               GError **error)
{
  if (pd_mp_is_statistics (source))
    side->run = pd_dvm_measure_statistics (source, error);
  else if (!read_dvm (source->path, side, error))
    return FALSE;
  if (side->run == NULL)
    return FALSE;
  pd_report_run_compact (side->run);
  pd_messages_add_all (messages, side->run->messages);
  side->machine = g_strdup ("");
  return TRUE;
}

static gboolean
read_trace (const char *path, PdMessages *messages, PdCompareSide *side, GError **error)
{
  const PdTraceSource source = { path, NULL };

  /* standard input can be read only once */
  if (strcmp (path, "-") != 0 && (pd_mp_is_dvm_trace (&source) || pd_mp_is_statistics (&source)))
    return read_measured (&source, messages, side, error);
  g_autoptr (PdMpTrace) trace = pd_mp_read_measured (&source, messages, error);
  PdReportRun *run =
      trace != NULL ? pd_mp_analyse (trace->program, path, FALSE, NULL, error) : NULL;

  if (run == NULL)
    return FALSE;
  side->calls = pd_run_calls_new (run);
  pd_report_run_compact (run);
  pd_report_run_set_share (run, pd_mp_trace_get_share (trace));
  pd_messages_add_all (messages, run->messages);
  side->run = run;
  side->machine = g_strdup ("");
  return TRUE;
}

/* Warnings of a stored run are repeated: they decided its status when it was made. */
static void
repeat_warnings (const char *name, const PdMessages *messages)
{
  for (guint i = 0; i < pd_messages_get_n (messages); i++)
    {
      const PdMessage *m = pd_messages_get (messages, i);
      if (m->severity == PD_SEVERITY_WARNING)
        pd_cmd_say (stderr, "%s: warning: %s [%s]", name, m->text, m->id);
    }
}

/* Moves to @side the parts of @stored that a comparison needs. */
static void
take_stored (PdStoredRun *stored, PdCompareSide *side)
{
  g_autofree char *name = g_strdup_printf ("%s, run %" G_GINT64_FORMAT, side->name, stored->id);

  repeat_warnings (name, stored->inputs);
  repeat_warnings (name, stored->run->messages);
  side->run = g_steal_pointer (&stored->run);
  side->machine = stored->machine != NULL ? g_steal_pointer (&stored->machine) : g_strdup ("");
  side->id = stored->id;
}

static gboolean
read_side (const char *name, gint64 id, PdMessages *messages, PdCompareSide *side, GError **error)
{
  static const struct
  {
    const char *magic;
    gboolean (*read) (const char *path, gint64 id, PdStoredRun *stored, GError **error);
  } kinds[] = {
    { "SQLite format 3", pd_results_read_run },
    { "<?xml", pd_results_read_xml },
  };
  g_autofree char *path = split_name (name, &id);

  side->name = g_strdup (path);
  const char *file = pd_file_resolve (path, error);
  if (file == NULL)
    return FALSE;
  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (begins_with (file, kinds[i].magic))
      {
        g_auto (PdStoredRun) stored = { 0 };
        if (!kinds[i].read (path, id, &stored, error))
          return FALSE;
        take_stored (&stored, side);
        return TRUE;
      }
  if (id != 0)
    {
      g_set_error (error, PD_REPORT_ERROR, PD_REPORT_ERROR_READ,
                   "%s: no result file, which would have run %" G_GINT64_FORMAT, path, id);
      return FALSE;
    }
  return read_trace (path, messages, side, error);
}

/* ---- output */

static guint
text_width (const Options *options)
{
  return options->files[OUTPUT_TEXT] != NULL ? 100 : pd_cmd_terminal_width ();
}

/* To where each was asked for. */
static gboolean
save (const Options *options, const GString *text, const GString *json, GError **error)
{
  const char *path = options->files[OUTPUT_TEXT];

  if (path != NULL && !pd_report_save (path, text, error))
    return FALSE;
  if (options->json)
    return pd_report_save ("-", json, error);
  return path != NULL || options->quiet || pd_report_save ("-", text, error);
}

static gboolean
write_all (const Options *options, const PdCompare *compare, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL), json = g_string_new (NULL);
  g_autoptr (GString) csv = g_string_new (NULL), html = g_string_new (NULL);

  pd_compare_write_csv (compare, csv);
  if (options->files[OUTPUT_HTML] != NULL)
    pd_compare_write_html (compare, html);
  if (options->files[OUTPUT_CSV] != NULL
      && !pd_report_save (options->files[OUTPUT_CSV], csv, error))
    return FALSE;
  if (options->files[OUTPUT_HTML] != NULL
      && !pd_report_save (options->files[OUTPUT_HTML], html, error))
    return FALSE;
  pd_compare_write_text (compare, text_width (options), text);
  if (options->json)
    pd_compare_write_json (compare, json);
  return save (options, text, json, error);
}

/* Of stored runs it was said when they were made. @messages: of the traces */
static int
judge (const PdCompareSide *sides, guint n, const PdMessages *messages, GError **error)
{
  const char *name = NULL;
  gdouble share = 1;

  for (guint i = 0; i < n; i++)
    {
      const PdCompareSide *side = &sides[i];
      if (side->id != 0)
        continue;
      name = name == NULL || side->run->incomplete ? side->name : name;
      share = MIN (share, pd_report_run_get_share (side->run));
    }
  return name == NULL ? PD_EXIT_OK
                      : pd_cmd_conclude (name, messages, share, "; compared nevertheless", error);
}

static int
run (const Options *options, char **argv, char *command_line, GError **error)
{
  g_auto (PdCompareSide) a = { 0 }, b = { 0 };
  g_autoptr (PdMessages) messages = pd_messages_new ();

  gboolean fine = read_side (argv[1], options->runs[0], messages, &a, error)
                  && read_side (argv[2], options->runs[1], messages, &b, error);
  g_autoptr (PdCompare) compare = fine ? pd_compare_new (&a, &b, &options->what) : NULL;
  if (compare == NULL)
    {
      g_free (command_line);
      return PD_EXIT_FAILURE;
    }
  compare->command_line = command_line;
  /* they may explain more than the figures do */
  pd_cmd_print_messages (messages);
  if (!write_all (options, compare, error))
    return PD_EXIT_FAILURE;
  if (compare->n_beyond > 0)
    return PD_EXIT_BEYOND;
  return judge (compare->sides, 2, messages, error);
}

/* More than two: their totals. */
static int
run_several (const Options *options, char **names, guint n, const char *command_line,
             GError **error)
{
  g_autoptr (GArray) sides = g_array_sized_new (FALSE, TRUE, sizeof (PdCompareSide), n);
  g_autoptr (PdMessages) messages = pd_messages_new ();
  g_autoptr (GString) text = g_string_new (NULL), json = g_string_new (NULL);

  g_array_set_clear_func (sides, (GDestroyNotify) pd_compare_side_clear);
  for (guint i = 0; i < n; i++)
    {
      g_array_set_size (sides, i + 1);
      if (!read_side (names[i], 0, messages, &g_array_index (sides, PdCompareSide, i), error))
        return PD_EXIT_FAILURE;
    }
  const PdCompareSide *all = (const PdCompareSide *) (gconstpointer) sides->data;
  pd_cmd_print_messages (messages);
  pd_compare_runs_write_text (all, n, text_width (options), text);
  pd_compare_runs_write_json (all, n, command_line, json);
  if (!save (options, text, json, error))
    return PD_EXIT_FAILURE;
  return judge (all, n, messages, error);
}

int
pd_cmd_compare (int argc, char **argv, GError **error)
{
  g_autofree char *command_line = pd_cmd_join (argc, argv);
  g_auto (Options) options = { 0 };

  if (!parse_options (&options, &argc, &argv, error)
      || !check_options (&options, argc, argv, error))
    return PD_EXIT_USAGE;
  if (argc > 3)
    return run_several (&options, argv + 1, (guint) argc - 1, command_line, error);
  return run (&options, argv, g_steal_pointer (&command_line), error);
}
