/* predictor machine calibrate-recorder: what recording a DVM program costs.
 * SPDX-License-Identifier: MIT */
#include "base/pd-verdict.h"
#include "predictor/cli/cmd-machine-private.h"
#include "predictor/options/cmd-tools.h"
#include "traces/dvm/pd-dvm-recorder-fit.h"
#include "traces/open/pd-dvm-open.h"

#include <stdio.h>

static const GOptionEntry no_entries[] = { { .long_name = NULL } };

/* Costs of a trace that ends early or contradicts itself are not those of the recorder. */
static gboolean
check_whole (const char *trace, const PdMessages *messages, GError **error)
{
  PdVerdict verdict = pd_messages_judge (messages, FALSE);

  if (verdict < PD_VERDICT_INCOMPLETE)
    return TRUE;
  g_autofree char *why = pd_verdict_explain (verdict, 0, messages);
  g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_TRUNCATED, "%s: %s; expected a whole trace",
               trace, why);
  return FALSE;
}

static gboolean
read_traces (PdDvmRecorderFit *fit, char **traces, GError **error)
{
  for (char **trace = traces; *trace != NULL; trace++)
    {
      g_autoptr (PdMessages) messages = pd_messages_new ();
      g_autoptr (PdDvmReader) reader = pd_dvm_open (*trace, messages, error);
      if (reader == NULL || !pd_dvm_recorder_fit_add (fit, reader, error))
        return FALSE;
      if (!check_whole (*trace, messages, error))
        return FALSE;
      pd_cmd_print_warnings (messages);
    }
  return TRUE;
}

static gdouble
in_ns (PdTime time)
{
  return (gdouble) time.ps / PD_PS_PER_NS;
}

static void
show (const PdDvmRecorderFound *found)
{
  pd_cmd_say (stdout,
              "recorder-overhead    %.1f ns: median of %u kinds of calls that follow each "
              "other at once, %.1f to %.1f ns",
              in_ns (found->cost.event), found->n_kinds, in_ns (found->least), in_ns (found->most));
  if (found->n_functions > 0)
    pd_cmd_say (stdout,
                "statistics-overhead  %.1f ns: median of %u functions whose calls were "
                "recorded with and without statistics",
                in_ns (found->cost.statistics), found->n_functions);
  else
    pd_cmd_say (stdout, "statistics-overhead  not known: needs a trace with and one without "
                        "statistics");
  fputs ("in the description of the machine:\n", stdout);
  if (found->n_functions > 0)
    pd_cmd_say (stdout, "  <software recorder-overhead=\"%.1fns\" statistics-overhead=\"%.1fns\"/>",
                in_ns (found->cost.event), in_ns (found->cost.statistics));
  else
    pd_cmd_say (stdout, "  <software recorder-overhead=\"%.1fns\"/>", in_ns (found->cost.event));
}

int
pd_cmd_machine_calibrate_recorder (int argc, char **argv, GError **error)
{
  g_autoptr (PdDvmRecorderFit) fit = pd_dvm_recorder_fit_new ();

  if (!pd_command_parse (&argc, &argv, "TRACE…",
                         "Determines the cost of recording on a machine, from traces of programs "
                         "that call the run-time system of DVM and compute almost nothing.\n"
                         "Example: predictor machine calibrate-recorder calint.ptr calpar.ptr",
                         no_entries, error))
    return PD_EXIT_USAGE;
  if (argc < 2)
    return pd_cmd_machine_usage (error, "calibrate-recorder: expected at least one TRACE");
  pd_command_find_recordings (argv + 1, argc - 1);
  if (!read_traces (fit, argv + 1, error))
    return PD_EXIT_FAILURE;
  PdDvmRecorderFound found = pd_dvm_recorder_fit_find (fit);
  if (found.n_kinds > 0)
    {
      show (&found);
      return PD_EXIT_OK;
    }
  g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_VALUE,
               "calibrate-recorder: no calls follow each other 1000 times at a place; expected "
               "traces of calibration programs");
  return PD_EXIT_FAILURE;
}
