/* predictor convert IN OUT
 * SPDX-License-Identifier: MIT */
#include "predictor/options/cmd-tools.h"
#include "predictor/cli/pd-commands.h"
#include "predictor/graph/pd-graph-from-program.h"
#include "predictor/mp/pd-mp-kind.h"
#include "predictor/mp/pd-mp.h"
#include "predictor/options/pd-mp-options.h"
#include "predictor/dvm/simulate/pd-simulation.h"
#include "traces/open/pd-trace-read.h"
#include "traces/open/pd-trace-formats.h"

#include <string.h>

#define DEFAULT_COLLECTIVES "mpich1"

static const PdTraceFormat *
refuse_format (const char *format, const char *text, GError **error)
{
  g_autoptr (GString) names = g_string_new (NULL);
  guint n;
  const PdTraceFormat *all = pd_trace_format_get_all (&n);

  for (guint i = 0; i < n; i++)
    if (all[i].write != NULL)
      g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", all[i].name);
  g_set_error (error, PD_USAGE_ERROR, 0, "%s: %s; expected --to one of: %s", format, text,
               names->str);
  return NULL;
}

/* What @to says, or the suffix of @path; text where that says nothing. */
static const PdTraceFormat *
choose_format (const char *to, const char *path, GError **error)
{
  const PdTraceFormat *format;

  if (to == NULL && strcmp (path, "-") == 0)
    return pd_trace_format_find ("text");
  format = to != NULL ? pd_trace_format_find (to) : pd_trace_format_find_by_suffix (path);
  if (format == NULL)
    return refuse_format (to != NULL ? to : path,
                          to != NULL ? "no such format" : "of which format is not clear", error);
  if (format->write == NULL)
    return refuse_format (format->name, "cannot be written", error);
  return format;
}

/* GOAL has graphs: a program becomes one before it is written. */
static gboolean
prepare (PdMpTrace *trace, const PdTraceFormat *format, const PdGraphOptions *options,
         PdMessages *messages, GError **error)
{
  if (!g_str_has_prefix (format->name, "goal") || trace->program == NULL)
    return TRUE;
  trace->graph = pd_graph_from_program (trace->program, options, messages, error);
  g_clear_pointer (&trace->program, pd_program_free);
  return trace->graph != NULL;
}

static gboolean
check_collectives (const char *set, GError **error)
{
  static const char *const sets[] = { "mpich1", "mpich4", "openmpi4", "smpi", NULL };

  if (g_strv_contains (sets, set))
    return TRUE;
  g_set_error (error, PD_USAGE_ERROR, 0,
               "--collectives %s: expected mpich1, mpich4, openmpi4 or smpi", set);
  return FALSE;
}

/* Further files that the trace was read from are not written over, either. */
static gboolean
check_parts (const PdMpTrace *trace, const char *to, GError **error)
{
  for (guint i = 0; trace->parts != NULL && i < trace->parts->len; i++)
    if (!pd_cmd_check_files ((const char *const[]){ trace->parts->pdata[i], NULL }, &to, 1, error))
      return FALSE;
  return TRUE;
}

static int
convert (const PdTraceSource *source, const PdTraceReadOptions *read, const char *to,
         const PdTraceFormat *format, const PdGraphOptions *graph_options, GError **error)
{
  g_autoptr (PdMessages) messages = pd_messages_new ();
  g_autoptr (PdMpTrace) trace = pd_mp_trace_read (source, read, messages, error);
  if (trace != NULL && !check_parts (trace, to, error))
    return PD_EXIT_USAGE;
  gboolean fine = trace != NULL && prepare (trace, format, graph_options, messages, error);
  /* from here on there is something that must not be left behind */
  const PdTraceWriteOptions options = { graph_options->flops, pd_cmd_catch_interrupt () };
  g_autoptr (GError) local = NULL;
  gboolean written = fine && format->write (trace, to, &options, messages, &local);

  pd_cmd_print_messages (messages);
  if (fine && !written && *options.stop != 0)
    {
      g_set_error (error, PD_SIMULATION_ERROR, PD_SIMULATION_ERROR_INTERRUPTED, "interrupted");
      return PD_EXIT_INTERRUPTED;
    }
  if (local != NULL)
    g_propagate_error (error, g_steal_pointer (&local));
  if (!written)
    return PD_EXIT_FAILURE;
  return pd_cmd_conclude (pd_trace_source_get_name (source), messages,
                          pd_mp_trace_get_share (trace), "; converted nevertheless", error);
}

int
pd_cmd_convert (int argc, char **argv, GError **error)
{
  g_autofree char *to = NULL, *flops = NULL, *cache = NULL, *collectives = NULL;
  const GOptionEntry entries[] = {
    { "to", 0, 0, G_OPTION_ARG_STRING, &to,
      "Format to write (default: by the suffix of OUT; text on standard output)", "FORMAT" },
    { "flops", 0, 0, G_OPTION_ARG_STRING, &flops,
      "Operations per second, where times become operations or the reverse (default: 1Gf)",
      "RATE" },
    { "collectives", 0, 0, G_OPTION_ARG_STRING, &collectives,
      "Algorithms of collective operations, which become messages in GOAL: mpich1, mpich4, "
      "openmpi4, smpi (default: " DEFAULT_COLLECTIVES ")",
      "SET" },
    { "cache", 0, 0, G_OPTION_ARG_FILENAME, &cache, PD_CACHE_HELP, "FOLDER" },
    { NULL, 0, 0, 0, NULL, NULL, NULL },
  };
  PdGraphOptions options = { NULL, PD_MP_DEFAULT_FLOPS };
  const PdTraceFormat *format;

  if (!pd_command_parse (&argc, &argv, "IN OUT",
                         "Reads a trace of a message-passing program, in any format, and "
                         "writes it in another one.\n"
                         "Warnings name the information that the written format cannot express.\n"
                         "Example: predictor convert ring.ti.gz ring.pdt",
                         entries, error))
    return PD_EXIT_USAGE;
  pd_command_find_recordings (argv + 1, MIN (argc - 1, 1));
  if (argc != 3)
    {
      g_set_error (error, PD_USAGE_ERROR, 0, "%s",
                   argc < 3 ? "IN and OUT are needed" : "only IN and OUT are expected");
      return PD_EXIT_USAGE;
    }
  if (flops != NULL && !pd_mp_parse_flops (flops, &options.flops, error))
    return PD_EXIT_USAGE;
  format = choose_format (to, argv[2], error);
  if (format == NULL)
    return PD_EXIT_USAGE;
  const char *set = collectives != NULL ? collectives : DEFAULT_COLLECTIVES;
  if (!check_collectives (set, error)
      || !pd_cmd_check_files ((const char *const[]){ argv[1], NULL },
                              (const char *const[]){ argv[2] }, 1, error))
    return PD_EXIT_USAGE;
  options.collectives = set;
  PdTraceSource source = { argv[1], NULL };
  PdTraceReadOptions read = { .recorded = TRUE, .audit = PD_AUDIT_ALL, .cache = cache };
  return convert (&source, &read, argv[2], format, &options, error);
}
