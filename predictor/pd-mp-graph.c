/* Predictions of dependency graphs: on LogGOPS machines of one-processor nodes by
 * the kernel for graphs.
 * SPDX-License-Identifier: MIT */
#include "predictor/pd-mp-graph.h"

#include "comsys/pd-network.h"
#include "predictor/pd-goal.h"
#include "predictor/pd-simulation.h"

#include <string.h>

/* What a prediction is made of. */
typedef struct
{
  PdMachine *machine;
  guint32 *placement;
  gdouble *speeds;
  PdNodeRatios *ratios;
} Parts;

static void
parts_clear (Parts *parts)
{
  pd_machine_free (parts->machine);
  g_free (parts->placement);
  g_free (parts->speeds);
  pd_node_ratios_free (parts->ratios);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Parts, parts_clear)

/* Whether every rank has a node of its own on one LogGOPS network. */
static gboolean
is_loggops (const PdMachineNetwork *network)
{
  if (network == NULL || strcmp (network->class->type, "loggops") != 0)
    return FALSE;
  for (guint i = 0; i < network->children->len; i++)
    {
      const PdMachineNode *node = g_ptr_array_index (network->children, i);
      if (node->network != NULL || node->processors != 1)
        return FALSE;
    }
  return TRUE;
}

/* Where the network's configuration has the parameter @name, which it has. */
static gconstpointer
find_param (const PdMachineNetwork *network, const char *name)
{
  for (const PdParam *param = network->class->params; param->name != NULL; param++)
    if (strcmp (param->name, name) == 0)
      return (const char *) network->config + param->offset;
  g_assert_not_reached ();
}

static PdTime
get_time (const PdMachineNetwork *network, const char *name)
{
  return *(const PdTime *) find_param (network, name);
}

static gdouble
get_double (const PdMachineNetwork *network, const char *name)
{
  return *(const gdouble *) find_param (network, name);
}

static PdGoalParams
params_of (const PdMachineNetwork *network, const gdouble *speeds, const PdMpOptions *options)
{
  return (PdGoalParams){ .latency = get_time (network, "latency"),
                         .overhead = get_time (network, "o"),
                         .gap = get_time (network, "g"),
                         .gap_per_byte = get_double (network, "G"),
                         .overhead_per_byte = get_double (network, "O"),
                         .eager = network->protocol.eager,
                         .compat = *(const guint *) find_param (network, "compat") == 1,
                         .speeds = speeds,
                         .stop = options->stop };
}

/* Speeds of the ranks; stays %NULL if all are 1. */
static void
collect_speeds (Parts *parts, guint32 n)
{
  gdouble ratio = pd_node_ratios_get (parts->ratios, PD_INTERVAL_ROOT);
  gdouble *speeds = g_new (gdouble, n);
  gboolean any = FALSE;

  for (guint32 rank = 0; rank < n; rank++)
    {
      speeds[rank] = ratio * pd_machine_get_speed (parts->machine, parts->placement[rank]);
      any = any || speeds[rank] < 1 || speeds[rank] > 1;
    }
  if (any)
    parts->speeds = speeds;
  else
    g_free (speeds);
}

static gboolean
load (Parts *parts, const PdMpOptions *options, guint32 n, GError **error)
{
  parts->machine = pd_machine_load (options->machine, options->settings, n, error);
  if (parts->machine == NULL)
    return FALSE;
  if (!is_loggops (parts->machine->network))
    {
      g_set_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_VALUE,
                   "machine '%s': a trace of dependencies is predicted on a loggops network of "
                   "one-processor nodes only, as -m loggops:L=2500ns,o=1500ns,g=1000ns,G=6ns",
                   parts->machine->name);
      return FALSE;
    }
  parts->placement = pd_machine_place (parts->machine, options->map, n, error);
  if (parts->placement == NULL)
    return FALSE;
  parts->ratios = pd_node_ratios_new (options->ratios, parts->machine->regions);
  collect_speeds (parts, n);
  return TRUE;
}

/* Computation of several processors of a rank may overlap: its clock is what counts. */
static void
charge (PdReportRun *run, const PdGraph *graph, const PdGoalParams *params,
        const PdGoalResult *result)
{
  g_autofree PdTime *calcs = g_new (PdTime, result->n_ranks);
  g_autofree PdTime *overheads = g_new (PdTime, result->n_ranks);

  pd_goal_sum_work (graph, params, calcs, overheads);
  for (guint32 rank = 0; rank < result->n_ranks; rank++)
    {
      PdTime end = result->ends[rank];
      PdTime cpu = PD_TIME (MIN (calcs[rank].ps, end.ps));
      pd_interval_tree_add (run->tree, PD_INTERVAL_ROOT, PD_Q_CPU_SEQ, rank, cpu);
      pd_interval_tree_add (run->tree, PD_INTERVAL_ROOT, PD_Q_SENDRECV, rank,
                            pd_time_sub (end, cpu));
    }
  run->end_times = g_new (PdTime, result->n_ranks);
  memcpy (run->end_times, result->ends, result->n_ranks * sizeof *result->ends);
  run->n_messages = result->n_messages;
  run->n_bytes = result->n_bytes;
  run->n_events = result->n_events;
}

static gboolean
predict (const PdMpOptions *options, const PdGraph *graph, PdReportRun *run, GError **error)
{
  g_auto (Parts) parts = { .machine = NULL };
  g_auto (PdGoalResult) result = { .n_ranks = 0 };

  if (!load (&parts, options, run->n_processors, error))
    return FALSE;
  if (parts.machine->noise.kind != PD_NOISE_NONE)
    pd_messages_add (run->messages, PD_SEVERITY_WARNING, "noise-ignored", NULL, NULL,
                     "traces of dependencies are predicted without the machine's noise");
  PdGoalParams params = params_of (parts.machine->network, parts.speeds, options);
  if (!pd_goal_simulate (graph, &params, &result, error))
    {
      pd_mp_graph_tell_circle (&result, error);
      return FALSE;
    }
  if (result.n_unmatched > 0 && !options->incomplete)
    {
      g_set_error (error, PD_SIMULATION_ERROR, PD_SIMULATION_ERROR_UNMATCHED,
                   "%" G_GUINT64_FORMAT " messages were sent but never received; the first by rank "
                   "%u, operation %u",
                   result.n_unmatched, result.unmatched.rank, result.unmatched.op);
      return FALSE;
    }
  charge (run, graph, &params, &result);
  return pd_node_ratios_check (parts.ratios, error)
         && (!options->check || pd_interval_tree_check (run->tree, run->end_times, FALSE, error));
}

PdReportRun *
pd_mp_predict_graph (const PdMpOptions *options, const PdGraph *graph, GError **error)
{
  gint64 begin = g_get_monotonic_time ();
  PdReportRun *run = g_new0 (PdReportRun, 1);

  run->n_processors = pd_graph_get_n_ranks (graph);
  run->grid = g_strdup_printf ("%u", run->n_processors);
  run->messages = pd_messages_new ();
  run->tree = pd_interval_tree_new_mpi (run->n_processors);
  if (!predict (options, graph, run, error))
    {
      pd_report_run_free (run);
      return NULL;
    }
  run->seconds = (gdouble) (g_get_monotonic_time () - begin) / 1e6;
  return run;
}
