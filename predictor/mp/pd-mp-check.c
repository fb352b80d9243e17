/* The check of message-passing programs: what can be compared, then what a
 * simulation that costs nothing shows.
 * SPDX-License-Identifier: MIT */
#include "predictor/mp/pd-mp-check.h"

#include "base/pd-verdict.h"
#include "predictor/common/pd-errors.h"
#include "traces/graph/pd-graph-check.h"

#include <string.h>

/* Machines that cost nothing, by the kind of trace. */
static const char *const machines[][2] = {
  { "ideal:eager=9000000000GB", "ideal:eager=none" },
  { "loggops:L=0,o=0,g=0,G=0,S=9000000000GB", "loggops:L=0,o=0,g=0,G=0,S=none" },
};

/* The findings of reading the trace, and of a graph. */
static gboolean
judge (const PdMpTrace *trace, const char *name, PdMessages *messages, GError **error)
{
  if (trace->graph != NULL)
    pd_graph_check (trace->graph, name, messages);
  if (pd_messages_judge (messages, trace->incomplete) != PD_VERDICT_MISFIT)
    return TRUE;
  g_autofree char *why = pd_verdict_explain (PD_VERDICT_MISFIT, 1, messages);
  g_set_error (error, PD_SIMULATION_ERROR, PD_SIMULATION_ERROR_UNMATCHED, "%s: %s", name, why);
  return FALSE;
}

/* Runs the program where messages cost nothing. */
static gboolean
simulate (const PdMpTrace *trace, const char *name, gboolean buffered,
          const volatile sig_atomic_t *stop, PdMessages *messages, GError **error)
{
  const PdMpOptions options = { .trace = name,
                                .machine = machines[trace->graph != NULL][buffered ? 0 : 1],
                                .flops = PD_MP_DEFAULT_FLOPS,
                                .stop = stop };
  g_autoptr (GError) local = NULL;
  PdReportRun *run = pd_mp_predict (&options, trace, &local);

  if (run == NULL)
    {
      g_propagate_prefixed_error (error, g_steal_pointer (&local), "%s: ", name);
      return FALSE;
    }
  if (pd_messages_judge (messages, FALSE) == PD_VERDICT_FINE
      && pd_messages_judge (run->messages, FALSE) != PD_VERDICT_FINE)
    pd_messages_add_all (messages, run->messages);
  pd_report_run_free (run);
  return TRUE;
}

/* The last line of a deadlock names the circle. */
static const char *
get_circle (const GError *error)
{
  const char *line = strrchr (error->message, '\n');

  return line != NULL ? line + 1 : error->message;
}

gboolean
pd_mp_check (const PdMpTrace *trace, const char *name, const volatile sig_atomic_t *stop,
             PdMessages *messages, GError **error)
{
  const PdPlace place = { .file = name, .number = -1, .rank = -1, .is_mp = TRUE };
  g_autoptr (GError) local = NULL;

  if (!judge (trace, name, messages, error))
    return FALSE;
  if (trace->incomplete)
    return TRUE;
  if (!simulate (trace, name, TRUE, stop, messages, error))
    return FALSE;
  if (simulate (trace, name, FALSE, stop, messages, &local))
    return TRUE;
  if (!g_error_matches (local, PD_SIMULATION_ERROR, PD_SIMULATION_ERROR_DEADLOCK))
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  pd_messages_add (messages, PD_SEVERITY_WARNING, "relies-on-buffering", NULL, &place,
                   "the program ends only if messages are buffered: without, %s",
                   get_circle (local));
  return TRUE;
}
