/* Predictions of dependency graphs: on LogGOPS machines of one-processor nodes by
 * the kernel for these, on all others through ComSys.
 * SPDX-License-Identifier: MIT */
#include "predictor/mp/pd-mp-graph.h"

#include "comsys/import/pd-machine-load.h"
#include "comsys/mpi/pd-comsys-core.h"
#include "comsys/p2p/pd-operations.h"
#include "comsys/net/pd-network.h"
#include "predictor/common/pd-errors.h"
#include "predictor/graph/pd-graph-run.h"
#include "predictor/common/pd-watch-critical.h"
#include "comsys/description/pd-machine-ideal.h"
#include "comsys/description/pd-machine-noise.h"
#include "comsys/machine/pd-machine-place.h"
#include "intervals/pd-interval-check.h"
#include "predictor/graph/pd-goal-cost.h"
#include "predictor/graph/pd-goal-result.h"
#include "predictor/graph/pd-graph-watchers.h"
#include "predictor/mp/pd-mp-graph-cycle.h"
#include "traces/graph/pd-graph-cells.h"

#include <string.h>

/* The parts of a prediction. */
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

/* Whether every rank has a node of its own on one LogGOPS network, and nothing else
 * costs anything. */
static gboolean
is_loggops (const PdMachine *machine)
{
  const PdMachineNetwork *network = machine->network;

  if (network == NULL || strcmp (network->class->type, "loggops") != 0
      || network->protocol.envelope > 0 || machine->software.send_overhead.ps > 0
      || machine->software.recv_overhead.ps > 0 || machine->functions->len > 0)
    return FALSE;
  for (guint i = 0; i < network->children->len; i++)
    {
      const PdMachineNode *node = g_ptr_array_index (network->children, i);
      if (node->network != NULL || node->processors != 1)
        return FALSE;
    }
  return TRUE;
}

/* The observer that needs single moments; NULL = none. */
static const char *
name_follower (const PdMpOptions *options)
{
  if (options->critical != NULL)
    return "--sensitivity";
  if (options->timeline != NULL && !options->timeline_if_cheap)
    return "--timeline";
  return options->log != NULL ? "--log, -vv" : NULL;
}

/* The kernel for these knows nothing of noise, nor can its moments be followed. */
static gboolean
is_for_kernel (const PdMachine *machine, const PdMpOptions *options)
{
  return is_loggops (machine) && !pd_machine_noise_is_of_ranks (&machine->noise)
         && name_follower (options) == NULL;
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
  parts->machine = options->source != NULL
                       ? pd_machine_source_load (options->source, options->settings, n, error)
                       : pd_machine_load (options->machine, options->settings, n, error);
  if (parts->machine == NULL)
    return FALSE;
  if (options->ideal)
    pd_machine_make_ideal (parts->machine);
  parts->placement = pd_machine_place (parts->machine, options->map, n, error);
  if (parts->placement == NULL)
    return FALSE;
  parts->ratios = pd_node_ratios_new (options->ratios, parts->machine->regions);
  collect_speeds (parts, n);
  return TRUE;
}

/* ---- what can be followed */

/* Whether the general main loop predicts what the kernel does: its clock does not go back, as it
 * does with LogGOPSim's defects: an operation does not wait for the end of one on another CPU, and
 * an empty message takes less than no time. */
static gboolean
check_general (const Parts *parts, const PdMpOptions *options, const PdGraph *graph, GError **error)
{
  const char *who = name_follower (options) != NULL ? name_follower (options) : "noise";
  PdGraphOp op;

  if (!is_loggops (parts->machine))
    return TRUE;
  const PdGoalParams params = params_of (parts->machine->network, NULL, options);
  if (params.compat && pd_graph_get_totals (graph)->max_cpu > 0)
    {
      g_set_error (error, PD_USAGE_ERROR, 0,
                   "%s: not of graphs with several CPUs of a rank where compat=loggopsim lets "
                   "clocks go back",
                   who);
      return FALSE;
    }
  if (!pd_goal_goes_back (&params))
    return TRUE;
  for (guint32 rank = 0; rank < pd_graph_get_n_ranks (graph); rank++)
    for (guint32 i = 0; i < pd_graph_get_n_ops (graph, rank); i++)
      {
        pd_graph_get_op (graph, rank, i, &op);
        if (op.kind != PD_GRAPH_SEND || op.size > 0)
          continue;
        g_set_error (error, PD_USAGE_ERROR, 0,
                     "%s: not of graphs with empty messages (operation %u of rank %u) where "
                     "compat=loggopsim lets clocks go back: G or O is more than o or g",
                     who, i, rank);
        return FALSE;
      }
  return TRUE;
}

/* ---- on LogGOPS */

static gboolean
run_on_loggops (const Parts *parts, const PdMpOptions *options, const PdGraph *graph, PdTime *calcs,
                PdGoalResult *result, GError **error)
{
  PdGoalParams params = params_of (parts->machine->network, parts->speeds, options);

  if (!pd_goal_simulate (graph, &params, result, error))
    return FALSE;
  pd_goal_sum_calcs (graph, &params, calcs);
  return TRUE;
}

/* ---- on any machine */

static gboolean
check_graph (const PdGraph *graph, const Parts *parts, const PdComsys *comsys, GError **error)
{
  if (pd_graph_get_totals (graph)->sends_any && !pd_comsys_may_have_lanes (comsys))
    {
      g_set_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_VALUE,
                   "machine '%s': messages with any tag can only be predicted on a loggops "
                   "network of one-processor nodes",
                   parts->machine->name);
      return FALSE;
    }
  return TRUE;
}

/* Whether ranks have one CPU, whatever operations say. */
static gboolean
has_one_cpu (const PdComsys *comsys)
{
  return pd_comsys_needs_operations (comsys) && !pd_comsys_may_have_lanes (comsys);
}

/* Returns: (transfer full) (nullable): the requested observers. */
static PdWatcher *
watch (const Parts *parts, const PdMpOptions *options, const PdGraph *graph, PdComsys *comsys)
{
  PdWatcher *watchers = NULL;
  const PdTimelineRun run = {
    .feed = options->timeline,
    .trace = options->trace,
    .machine = parts->machine,
    .placement = parts->placement,
    .comsys = comsys,
    .n_ranks = pd_graph_get_n_ranks (graph),
    .n_cpus = has_one_cpu (comsys) ? 1 : pd_graph_get_totals (graph)->max_cpu + 1,
    .rest = "waiting",
    .rest_state = PD_TL_WAIT,
  };

  pd_critical_watch (&watchers, comsys, run.n_ranks, FALSE, options->critical);
  pd_timeline_watch (&watchers, &pd_graph_timeline, &run);
  pd_graph_log_watch (&watchers, options->log, graph, options->trace);
  return watchers;
}

static gboolean
run_on_comsys (const Parts *parts, const PdMpOptions *options, const PdGraph *graph,
               PdReportRun *run, PdTime *calcs, PdGoalResult *result, GError **error)
{
  const PdMachine *machine = parts->machine;
  g_autoptr (PdWatcher) watchers = NULL;
  g_autoptr (PdComsys) comsys = NULL;
  g_autoptr (PdNoise) noise = NULL;

  comsys = pd_comsys_new (machine, parts->placement, run->n_processors, error);
  if (comsys == NULL || !check_graph (graph, parts, comsys, error))
    return FALSE;
  if (pd_graph_get_totals (graph)->max_cpu > 0 && has_one_cpu (comsys))
    pd_messages_add (run->messages, PD_SEVERITY_WARNING, "cpus-merged", NULL, NULL,
                     "operations of several CPUs of a rank are predicted as of one");
  pd_comsys_set_observer (comsys, options->observer);
  if (pd_machine_noise_is_of_ranks (&machine->noise))
    {
      noise = pd_noise_new (&machine->noise, options->seed, error);
      if (noise == NULL)
        return FALSE;
    }
  watchers = watch (parts, options, graph, comsys);
  const PdGraphRunParams params = { .graph = graph,
                                    .comsys = comsys,
                                    .speeds = parts->speeds,
                                    .noise = noise,
                                    .watchers = watchers,
                                    .one_step = options->one_step,
                                    .stop = options->stop };
  gboolean done = pd_graph_run (&params, calcs, result, error);
  done = pd_watchers_finish (watchers, done ? result->ends : NULL, error) && done;
  pd_comsys_report (comsys, run->messages);
  return done;
}

/* ---- either */

static gboolean
check_matched (const PdGoalResult *result, GError **error)
{
  const PdGoalBlocked *first = &result->unmatched;
  g_autofree char *where = NULL;

  if (result->n_unmatched == 0)
    return TRUE;
  if (first->rank == PD_GRAPH_ANY)
    where = g_strdup ("predictor check names them");
  else
    where =
        g_strdup_printf ("the first is operation %u of rank %u, which sends %" G_GINT64_FORMAT
                         " bytes to rank %u with tag %d",
                         first->op, first->rank, first->bytes, first->peer, (gint32) first->tag);
  g_set_error (error, PD_SIMULATION_ERROR, PD_SIMULATION_ERROR_UNMATCHED,
               "%" G_GUINT64_FORMAT " messages were sent but never received; %s",
               result->n_unmatched, where);
  return FALSE;
}

static void
report_noise (const Parts *parts, const PdMpOptions *options, PdReportRun *run)
{
  const PdMachineNoise *noise = &parts->machine->noise;

  if (!pd_machine_noise_is_of_ranks (noise))
    return;
  g_autofree char *text = pd_machine_noise_describe (noise);
  pd_messages_add (run->messages, PD_SEVERITY_NOTE, "noise", NULL, NULL,
                   "computation is disturbed: %s, seed %" G_GUINT64_FORMAT, text, options->seed);
}

static void
charge_counts (PdReportRun *run, const PdGraph *graph)
{
  const PdGraphCells *arrays = pd_graph_get_cells (graph);

  for (guint32 rank = 0; rank < run->n_processors; rank++)
    {
      gint64 n[PD_GRAPH_CELL_KIND + 1] = { 0 };
      for (guint32 i = arrays->first[rank]; i < arrays->first[rank + 1]; i++)
        n[arrays->cells[i].flags & PD_GRAPH_CELL_KIND]++;
      pd_interval_tree_add (run->tree, PD_INTERVAL_ROOT, PD_Q_N_SENDS, rank,
                            PD_TIME (n[PD_GRAPH_SEND]));
      pd_interval_tree_add (run->tree, PD_INTERVAL_ROOT, PD_Q_N_RECEIVES, rank,
                            PD_TIME (n[PD_GRAPH_RECV]));
    }
}

/* Computation of several CPUs of a rank may overlap: its clock is what counts. */
static void
charge (PdReportRun *run, const PdGraph *graph, const PdTime *calcs, PdGoalResult *result)
{
  for (guint32 rank = 0; rank < result->n_ranks; rank++)
    {
      PdTime end = result->ends[rank];
      PdTime cpu = PD_TIME (MIN (calcs[rank].ps, end.ps));
      pd_interval_tree_add (run->tree, PD_INTERVAL_ROOT, PD_Q_CPU_SEQ, rank, cpu);
      pd_interval_tree_add (run->tree, PD_INTERVAL_ROOT, PD_Q_SENDRECV, rank,
                            pd_time_sub (end, cpu));
    }
  charge_counts (run, graph);
  run->end_times = g_steal_pointer (&result->ends);
  run->n_messages = result->n_messages;
  run->n_bytes = result->n_bytes;
  run->n_events = result->n_events;
}

static gboolean
predict (const PdMpOptions *options, const PdGraph *graph, PdReportRun *run, GError **error)
{
  g_auto (Parts) parts = { .machine = NULL };
  g_auto (PdGoalResult) result = { .n_ranks = 0 };
  g_autofree PdTime *calcs = g_new (PdTime, MAX (run->n_processors, 1));

  if (!load (&parts, options, run->n_processors, error))
    return FALSE;
  gboolean loggops = is_for_kernel (parts.machine, options);
  if (!loggops && !check_general (&parts, options, graph, error))
    return FALSE;
  report_noise (&parts, options, run);
  if (!(loggops ? run_on_loggops (&parts, options, graph, calcs, &result, error)
                : run_on_comsys (&parts, options, graph, run, calcs, &result, error)))
    {
      pd_mp_graph_report_cycle (&result, error);
      return FALSE;
    }
  if (!options->incomplete && !check_matched (&result, error))
    return FALSE;
  charge (run, graph, calcs, &result);
  pd_range_add_mp (run, options->recorded, parts.machine);
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
