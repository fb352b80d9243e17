/* The check of message-passing programs: what can be compared, then what a
 * simulation that costs nothing shows.
 * SPDX-License-Identifier: MIT */
#include "predictor/mp/pd-mp-check.h"

#include "predictor/common/pd-errors.h"
#include "traces/graph/pd-graph-check.h"
#include "traces/program/pd-program-audit.h"

#include <string.h>

/* Findings with which a prediction would hang, or be of another program. */
static const char *const fatal[] = {
  "unmatched-send",     "unmatched-receive", "message-truncated", "collective-mismatch",
  "collective-missing", "not-a-member",      "request-unknown",   "request-reused",
  "graph-cycle",        "graph-unreachable", "graph-unmatched",   "graph-truncated",
};

/* Machines that cost nothing, by the kind of trace. */
static const char *const machines[][2] = {
  { "ideal:eager=9000000000GB", "ideal:eager=none" },
  { "loggops:L=0,o=0,g=0,G=0,S=9000000000GB", "loggops:L=0,o=0,g=0,G=0,S=none" },
};

/* The names of those that were met; NULL: none. */
static char *
list_fatal (const PdMessages *messages)
{
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (fatal); i++)
    if (pd_messages_count (messages, fatal[i]) > 0)
      g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", fatal[i]);
  return g_string_free (names, names->len == 0);
}

static gboolean
compare (const PdMpTrace *trace, const char *name, PdMessages *messages, GError **error)
{
  g_autoptr (PdMessages) found = pd_messages_new ();
  g_autofree char *names = NULL;

  if (trace->graph != NULL)
    pd_graph_check (trace->graph, name, found);
  else
    pd_program_audit (trace->program, name, found);
  for (guint i = 0; i < pd_messages_get_n (found); i++)
    pd_messages_add_message (messages, pd_messages_get (found, i));
  names = list_fatal (found);
  if (names == NULL || trace->incomplete)
    return TRUE;
  g_set_error (error, PD_SIMULATION_ERROR, PD_SIMULATION_ERROR_UNMATCHED,
               "%s: what its ranks do does not fit together (%s)", name, names);
  return FALSE;
}

/* Runs the program where messages cost nothing. */
static gboolean
simulate (const PdMpTrace *trace, const char *name, gboolean buffered,
          const volatile sig_atomic_t *stop, GError **error)
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

  if (!compare (trace, name, messages, error))
    return FALSE;
  if (trace->incomplete)
    return TRUE;
  if (!simulate (trace, name, TRUE, stop, error))
    return FALSE;
  if (simulate (trace, name, FALSE, stop, &local))
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
