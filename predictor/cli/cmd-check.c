/* predictor check TRACE…
 * SPDX-License-Identifier: MIT */
#include "predictor/cli/pd-commands.h"
#include "predictor/scaled/pd-scaled.h"
#include "predictor/options/cmd-tools.h"
#include "predictor/mp/pd-mp-check.h"
#include "predictor/mp/pd-mp-kind.h"
#include "predictor/options/pd-mp-options.h"

#include "base/pd-verdict.h"
#include "traces/dvm/pd-dvm-check.h"
#include "traces/open/pd-dvm-set.h"
#include "traces/open/pd-trace-read.h"

#include <stdio.h>
#include <string.h>

static const int statuses[] = {
  [PD_VERDICT_FINE] = PD_EXIT_OK,
  [PD_VERDICT_APPROXIMATE] = PD_EXIT_INCOMPLETE,
  [PD_VERDICT_INCOMPLETE] = PD_EXIT_INCOMPLETE,
  [PD_VERDICT_DOUBTFUL] = PD_EXIT_FAILURE,
  [PD_VERDICT_MISFIT] = PD_EXIT_DEADLOCK,
};

/* The status of a trace that could be read; with @strict every warning is an error. */
static int
judge (const PdMessages *messages, gboolean incomplete, gboolean strict)
{
  int status = statuses[pd_messages_judge (messages, incomplete)];

  return strict && (status != PD_EXIT_OK || pd_cmd_has_warning (messages)) ? PD_EXIT_FAILURE
                                                                           : status;
}

/* Of two files the status of the worse one. */
static int
worse (int a, int b)
{
  static const int order[] = { PD_EXIT_INTERRUPTED, PD_EXIT_FAILURE, PD_EXIT_DEADLOCK,
                               PD_EXIT_INCOMPLETE };

  for (gsize i = 0; i < G_N_ELEMENTS (order); i++)
    if (a == order[i] || b == order[i])
      return order[i];
  return PD_EXIT_OK;
}

/* The one line of each file. @share: see pd_mp_trace_get_share(). Returns @status. */
static int
print_verdict (const char *path, int status, gdouble share)
{
  g_autofree char *part = pd_verdict_describe_part (share);
  gboolean says_part = status == PD_EXIT_INCOMPLETE && share > 0 && share < 1;

  pd_cmd_say (stdout, "%s: %s%s%s", path,
              status == PD_EXIT_OK           ? "ok"
              : status == PD_EXIT_INCOMPLETE ? "incomplete"
                                             : "not ok",
              says_part ? ": " : "", says_part ? part : "");
  return status;
}

/* Errors of a file are shown, not returned: the other files are checked, too.
 * @bytes: (nullable): what standard input held, instead of a file */
static int
check_file (const PdDvmSet *set, guint i, GBytes *bytes, gboolean strict)
{
  g_autoptr (PdMessages) messages = pd_messages_new ();
  g_autoptr (GError) error = NULL;
  const char *path = pd_dvm_set_get_path (set, i);
  g_autoptr (PdDvmReader) reader =
      bytes != NULL ? pd_dvm_reader_new_from_bytes (bytes, "stdin", messages, &error)
                    : pd_dvm_set_open (set, i, messages, &error);
  int status = PD_EXIT_FAILURE;

  if (reader != NULL && pd_dvm_check_reader (reader, messages, &error))
    status = judge (messages, FALSE, strict);
  pd_cmd_print_messages (messages);
  if (error != NULL)
    pd_cmd_say_error ("", error);
  return print_verdict (path, status, 1);
}

/* Checks a message-passing trace by its reader, by comparing the calls of its ranks, and by two
 * simulations. */
static int
check_mp (const PdTraceSource *source, const char *cache, gboolean strict)
{
  const PdTraceReadOptions options = { .audit = PD_AUDIT_ALL, .cache = cache };
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMessages) messages = pd_messages_new ();
  g_autoptr (PdMpTrace) trace = pd_mp_trace_read (source, &options, messages, &error);
  const char *name = pd_trace_source_get_name (source);
  gdouble share = trace != NULL ? pd_mp_trace_get_share (trace) : 1;
  int status;

  if (trace != NULL && pd_mp_check (trace, name, pd_cmd_catch_interrupt (), messages, &error))
    status = judge (messages, trace->incomplete, strict);
  else
    status = pd_cmd_status_of_error (error);
  pd_cmd_print_messages (messages);
  if (error != NULL)
    pd_cmd_say_error ("", error);
  return status == PD_EXIT_INTERRUPTED ? status : print_verdict (source->path, status, share);
}

/* It is made of traces that were checked. */
static int
check_model (const PdTraceSource *source)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PdScaleModel) model = pd_scaled_open (source, &error);

  if (error != NULL)
    pd_cmd_say_error ("", error);
  return print_verdict (source->path, model != NULL ? PD_EXIT_OK : PD_EXIT_FAILURE, 1);
}

static int
check_dvm (const PdTraceSource *source, gboolean strict)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PdMessages) messages = pd_messages_new ();
  g_autoptr (PdDvmSet) set = pd_dvm_set_new (source->path, messages, &error);
  int status = PD_EXIT_OK;

  pd_cmd_print_messages (messages);
  if (set == NULL)
    {
      pd_cmd_say_error ("", error);
      return print_verdict (source->path, PD_EXIT_FAILURE, 1);
    }
  for (guint i = 0; i < pd_dvm_set_get_n (set); i++)
    status = worse (status, check_file (set, i, source->bytes, strict));
  return status;
}

static int
check_trace (const char *path, const char *cache, gboolean strict)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;

  if (strcmp (path, "-") == 0 && (bytes = pd_cmd_read_stdin (&error)) == NULL)
    {
      pd_cmd_say_error ("", error);
      return print_verdict (path, PD_EXIT_FAILURE, 1);
    }
  const PdTraceSource source = { path, bytes };
  if (pd_scaled_is_model (&source))
    return check_model (&source);
  return pd_mp_is_trace (&source) ? check_mp (&source, cache, strict) : check_dvm (&source, strict);
}

int
pd_cmd_check (int argc, char **argv, GError **error)
{
  gboolean strict = FALSE;
  g_autofree char *cache = NULL;
  const GOptionEntry entries[] = {
    { "cache", 0, 0, G_OPTION_ARG_FILENAME, &cache, PD_CACHE_HELP, "FOLDER" },
    { "strict", 0, 0, G_OPTION_ARG_NONE, &strict,
      "Make every warning and an early end an error (default: off)", NULL },
    { NULL, 0, 0, 0, NULL, NULL, NULL },
  };
  int status = PD_EXIT_OK;

  if (!pd_command_parse (
          &argc, &argv, "TRACE…",
          "Verifies traces: grammar, pairing, sums of times, references, and "
          "whether the files of a run belong together;\n"
          "of message-passing programs whether the calls of their ranks are consistent and end.\n"
          "Exit status: 0 valid, 1 invalid, 3 inconsistent calls of ranks, 4 incomplete.\n"
          "Example: predictor check heat2d.ptr.gz",
          entries, error))
    return PD_EXIT_USAGE;
  if (argc < 2)
    {
      g_set_error (error, PD_USAGE_ERROR, 0, "which trace?");
      return PD_EXIT_USAGE;
    }
  pd_command_find_recordings (argv + 1, argc - 1);
  for (int i = 1; i < argc && status != PD_EXIT_INTERRUPTED; i++)
    status = worse (status, check_trace (argv[i], cache, strict));
  return status;
}
