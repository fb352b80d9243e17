/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "predictor/options/cmd-tools.h"
#include "scale/pd-scale-model.h"

#include "base/pd-file.h"
#include "base/pd-sha256.h"
#include "base/pd-text.h"
#include "base/pd-verdict.h"
#include "comsys/import/pd-machine-load.h"
#include "predictor/options/pd-command-line.h"
#include "predictor/options/pd-machine-picture.h"
#include "reports/run/pd-efficiency.h"
#include "traces/io/pd-trace-error.h"
#include "traces/open/pd-dvm-set.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

gboolean
pd_cmd_expect_trace (int argc, GError **error)
{
  if (argc == 2)
    return TRUE;
  g_set_error (error, PD_USAGE_ERROR, 0, "%s",
               argc < 2 ? "a trace is expected" : "one trace is expected");
  return FALSE;
}

/* ---- messages */

void
pd_cmd_say (FILE *stream, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_autofree char *text = g_strdup_vprintf (format, args);
  va_end (args);
  g_autofree char *shown = pd_text_show (text);
  fprintf (stream, "%s\n", shown);
}

void
pd_cmd_say_error (const char *who, const GError *error)
{
  gboolean is_table = g_error_matches (error, PD_SIMULATION_ERROR, PD_SIMULATION_ERROR_DEADLOCK);
  g_autofree char *text =
      is_table ? pd_text_show_lines (error->message) : pd_text_show (error->message);

  fprintf (stderr, "%s%s\n", who, text);
}

/* ---- the report */

char *
pd_cmd_join (int argc, char **argv)
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

char *
pd_cmd_format_now (void)
{
  if (g_getenv ("SOURCE_DATE_EPOCH") != NULL)
    return NULL;
  g_autoptr (GDateTime) date = g_date_time_new_now_utc ();
  return g_date_time_format (date, "%Y-%m-%dT%H:%M:%SZ");
}

PdReport *
pd_cmd_new_report (void)
{
  PdReport *report = pd_report_new ();

  report->date = pd_cmd_format_now ();
  return report;
}

PdReport *
pd_cmd_start_report (const PdDvmSet *set, const char *machine, const char *blocks, GError **error)
{
  g_autoptr (PdReport) report = pd_cmd_new_report ();

  for (guint i = 0; i < pd_dvm_set_get_n (set); i++)
    if (strcmp (pd_dvm_set_get_path (set, i), "-") != 0
        && !pd_report_add_input (report, pd_dvm_set_get_path (set, i), error))
      return NULL;
  if (machine != NULL && pd_file_exists (machine) && !pd_report_add_input (report, machine, error))
    return NULL;
  if (blocks != NULL && !pd_report_add_input (report, blocks, error))
    return NULL;
  return g_steal_pointer (&report);
}

gboolean
pd_cmd_open_family (const char *const *traces, PdReport *report, PdFamily **family, GError **error)
{
  *family = NULL;
  for (guint i = 1; traces[i] != NULL; i++)
    if (!pd_report_add_input (report, traces[i], error))
      return FALSE;
  return traces[1] == NULL || (*family = pd_family_new (traces, error)) != NULL;
}

GBytes *
pd_cmd_read_stdin (GError **error)
{
  g_autoptr (GError) local = NULL;
  char *text;
  gsize size;

  if (pd_file_read ("-", &text, &size, &local))
    return g_bytes_new_take (text, size);
  g_set_error (error, PD_DVM_ERROR, PD_DVM_ERROR_OPEN, "cannot read %s", local->message);
  return NULL;
}

void
pd_cmd_add_stdin (PdReport *report, GBytes *bytes)
{
  gsize n;
  const void *data = g_bytes_get_data (bytes, &n);
  PdReportInput input = { g_strdup ("-"), pd_sha256_of (data, n) };
  g_array_append_val (report->inputs, input);
}

gboolean
pd_cmd_add_trace (PdReport *report, const PdTraceSource *source, const PdMpTrace *trace,
                  GError **error)
{
  if (source->bytes != NULL)
    pd_cmd_add_stdin (report, source->bytes);
  else if (pd_trace_source_is_file (source))
    return pd_report_add_input (report, source->path, error);
  for (guint i = 0; trace->parts != NULL && i < trace->parts->len; i++)
    if (!pd_report_add_input (report, g_ptr_array_index (trace->parts, i), error))
      return FALSE;
  return TRUE;
}

/* The first sentence of its description; for an ideal network, which has none, the costs that it
 * leaves out. */
static char *
describe_machine (const PdMachine *machine)
{
  const char *text = machine->description, *end = strstr (text, ". ");

  if (text[0] == '\0' && machine->network->class == pd_network_class_find ("ideal"))
    return g_strdup ("messages cost no time, only waiting remains; -m names a machine");
  return end == NULL ? g_strdup (text) : g_strndup (text, (gsize) (end - text) + 1);
}

gboolean
pd_cmd_name_machine (const PdPredictOptions *predict, PdReport *report, PdMachine **loaded,
                     GError **error)
{
  g_autoptr (PdMachine) machine =
      predict->source != NULL
          ? pd_machine_source_load (predict->source, predict->settings, 1, error)
          : pd_machine_load (predict->machine, predict->settings, 1, error);

  if (machine == NULL)
    return FALSE;
  if (machine->noise.kind == PD_NOISE_TRACE
      && !pd_report_add_input (report, machine->noise.file, error))
    return FALSE;
  report->machine = g_strdup (machine->name);
  report->machine_parts = pd_machine_make_picture (machine);
  report->machine_text = describe_machine (machine);
  if (loaded != NULL)
    *loaded = g_steal_pointer (&machine);
  return TRUE;
}

/* Names that lead to one regular file, or would make one. */
static gboolean
is_same_file (const char *a, const char *b)
{
  struct stat one, other;

  if (strcmp (a, "-") == 0 || strcmp (b, "-") == 0)
    return FALSE;
  if (stat (a, &one) != 0 || stat (b, &other) != 0)
    return strcmp (a, b) == 0;
  return S_ISREG (one.st_mode) && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

gboolean
pd_cmd_check_files (const char *const *inputs, const char *const *outputs, guint n, GError **error)
{
  for (guint i = 0; i < n; i++)
    {
      const char *path = outputs[i];
      gboolean twice = FALSE, read = FALSE;
      if (path == NULL)
        continue;
      for (guint k = 0; k < i; k++)
        twice = twice || (outputs[k] != NULL && is_same_file (outputs[k], path));
      for (guint k = 0; inputs[k] != NULL; k++)
        read = read || (access (inputs[k], F_OK) == 0 && is_same_file (inputs[k], path));
      if (!twice && !read)
        continue;
      g_set_error (error, PD_USAGE_ERROR, 0, "'%s' %s", path,
                   read ? "is both an input and an output" : "would be written twice");
      return FALSE;
    }
  return TRUE;
}

gboolean
pd_cmd_check_stdout (const char *const *documents, guint n, gboolean json, const char *db,
                     gboolean *quiet, GError **error)
{
  guint n_printed = json ? 1 : 0;

  for (guint i = 0; i < n; i++)
    n_printed += g_strcmp0 (documents[i], "-") == 0;
  *quiet = *quiet || n_printed > 0;
  if (n_printed <= 1 && g_strcmp0 (db, "-") != 0)
    return TRUE;
  g_set_error (error, PD_USAGE_ERROR, 0, "%s",
               n_printed > 1 ? "only one document can be written to standard output"
                             : "--db: a database cannot be written to standard output");
  return FALSE;
}

gdouble
pd_cmd_collect_messages (const PdReport *report, PdMessages *all)
{
  gdouble share = 1;

  pd_messages_add_all (all, report->messages);
  for (guint i = 0; i < report->runs->len; i++)
    {
      const PdReportRun *run = g_ptr_array_index (report->runs, i);
      share = MIN (share, pd_report_run_get_share (run));
      pd_messages_add_all (all, run->messages);
    }
  return share;
}

int
pd_cmd_conclude (const char *trace, const PdMessages *messages, gdouble share, const char *done,
                 GError **error)
{
  PdVerdict verdict = pd_messages_judge (messages, share < 1);
  g_autofree char *why = pd_verdict_explain (verdict, share, messages);

  if (verdict == PD_VERDICT_FINE)
    return PD_EXIT_OK;
  g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_TRUNCATED, "%s: %s%s", trace, why,
               done != NULL ? done : "");
  if (verdict == PD_VERDICT_MISFIT)
    return PD_EXIT_DEADLOCK;
  return done != NULL ? PD_EXIT_INCOMPLETE : PD_EXIT_FAILURE;
}

int
pd_cmd_conclude_report (const char *trace, const PdReport *report, const char *done, GError **error)
{
  g_autoptr (PdMessages) all = pd_messages_new ();
  gdouble share = pd_cmd_collect_messages (report, all);

  return pd_cmd_conclude (trace, all, share, done, error);
}

static int
status_of_scale (PdScaleError code)
{
  if (code == PD_SCALE_ERROR_INPUT)
    return PD_EXIT_FAILURE;
  return code == PD_SCALE_ERROR_INTERRUPTED ? PD_EXIT_INTERRUPTED : PD_EXIT_REFUSED;
}

int
pd_cmd_status_of_error (const GError *error)
{
  if (error->domain == PD_SCALE_ERROR)
    return status_of_scale ((PdScaleError) error->code);
  if (error->domain != PD_SIMULATION_ERROR)
    return error->domain == PD_USAGE_ERROR ? PD_EXIT_USAGE : PD_EXIT_FAILURE;
  switch ((PdSimulationError) error->code)
    {
    case PD_SIMULATION_ERROR_DEADLOCK:
    case PD_SIMULATION_ERROR_UNMATCHED:
      return PD_EXIT_DEADLOCK;
    case PD_SIMULATION_ERROR_INTERRUPTED:
      return PD_EXIT_INTERRUPTED;
    case PD_SIMULATION_ERROR_OVERFLOW:
      break;
    }
  return PD_EXIT_FAILURE;
}

void
pd_cmd_allow_files (guint n)
{
  struct rlimit limit;
  rlim_t wanted = (rlim_t) n + 64;

  if (getrlimit (RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted)
    return;
  limit.rlim_cur = MIN (wanted, limit.rlim_max);
  setrlimit (RLIMIT_NOFILE, &limit);
}

/* ---- the terminal */

gboolean
pd_cmd_has_warning (const PdMessages *messages)
{
  for (guint i = 0; i < pd_messages_get_n (messages); i++)
    if (pd_messages_get (messages, i)->severity == PD_SEVERITY_WARNING)
      return TRUE;
  return FALSE;
}

void
pd_cmd_print_messages (const PdMessages *messages)
{
  for (guint i = 0; i < pd_messages_get_n (messages); i++)
    {
      const PdMessage *m = pd_messages_get (messages, i);
      g_autofree char *times =
          m->count > 1 ? g_strdup_printf (", %" G_GUINT64_FORMAT " times", m->count) : NULL;
      pd_cmd_say (stderr, "%s%s%s: %s [%s]%s", m->place, m->place[0] != '\0' ? ": " : "",
                  m->severity == PD_SEVERITY_NOTE ? "note" : "warning", m->text, m->id,
                  times != NULL ? times : "");
    }
}

void
pd_cmd_print_warnings (const PdMessages *messages)
{
  if (pd_messages_judge (messages, FALSE) != PD_VERDICT_FINE)
    pd_cmd_print_messages (messages);
}

static volatile sig_atomic_t interrupted;

static void
on_interrupt (int number)
{
  (void) number;
  interrupted = 1;
}

/* Of those that are ignored, as nohup has it, only SIGINT is caught: shells ignore that for
 * whatever is in the background. */
static const volatile sig_atomic_t *
catch_signals (const int *numbers, gsize n)
{
  struct sigaction action = { .sa_handler = on_interrupt }, before;

  for (gsize i = 0; i < n; i++)
    if (sigaction (numbers[i], NULL, &before) == 0
        && (numbers[i] == SIGINT || before.sa_handler != SIG_IGN))
      sigaction (numbers[i], &action, NULL);
  return &interrupted;
}

const volatile sig_atomic_t *
pd_cmd_catch_interrupt (void)
{
  static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };

  return catch_signals (numbers, G_N_ELEMENTS (numbers));
}

const volatile sig_atomic_t *
pd_cmd_catch_user (void)
{
  static const int numbers[] = { SIGINT };

  return catch_signals (numbers, G_N_ELEMENTS (numbers));
}

void
pd_cmd_show_progress (guint done, guint n, gint64 begin)
{
  gdouble elapsed = (gdouble) (g_get_monotonic_time () - begin) / 1e6;

  if (elapsed < 1 || done == n || !isatty (STDERR_FILENO))
    return;
  fprintf (stderr, "\r%u of %u grids, %.0f s, about %.0f s left ", done, n, elapsed,
           elapsed / done * (n - done));
}

guint
pd_cmd_terminal_width (void)
{
  struct winsize size;

  return isatty (STDOUT_FILENO) && ioctl (STDOUT_FILENO, TIOCGWINSZ, &size) == 0
                 && size.ws_col >= 60
             ? size.ws_col
             : 80;
}

gboolean
pd_cmd_set_ideal (PdReportRun *run, PdReportRun *ideal, GError *failure, GError **error)
{
  if (failure != NULL && pd_cmd_status_of_error (failure) == PD_EXIT_INTERRUPTED)
    {
      g_propagate_error (error, failure);
      return FALSE;
    }
  if (failure != NULL)
    pd_messages_add (run->messages, PD_SEVERITY_WARNING, "pop-unknown", NULL, NULL,
                     "serialisation and transfer are not known, since the program could not be "
                     "predicted without the costs of communication: %s",
                     failure->message);
  g_clear_error (&failure);
  pd_report_run_set_ideal (run, ideal);
  return TRUE;
}

char *
pd_cmd_second_path (const char *csv, const char *name)
{
  if (csv == NULL || strcmp (csv, "-") == 0)
    return NULL;
  gsize length = strlen (csv);
  gsize stem = g_str_has_suffix (csv, ".csv") ? length - strlen (".csv") : length;
  return g_strdup_printf ("%.*s-%s%s", (int) stem, csv, name, csv + stem);
}

gboolean
pd_cmd_save_second_csv (const char *csv, const char *name, GString *table, const GString *second,
                        GError **error)
{
  g_autofree char *path = pd_cmd_second_path (csv, name);

  if (second->len > 0 && path != NULL)
    return pd_report_save (path, second, error);
  if (second->len > 0)
    g_string_append_printf (table, "\r\n%s", second->str);
  return TRUE;
}

gboolean
pd_cmd_save_csv (const char *csv, GString *table, const GString *sensitivity, GError **error)
{
  return pd_cmd_save_second_csv (csv, "sensitivity", table, sensitivity, error)
         && pd_report_save (csv, table, error);
}
