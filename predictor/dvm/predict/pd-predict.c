/* SPDX-License-Identifier: MIT */
#include "predictor/dvm/predict/pd-predict.h"

#include "base/memory/pd-memory.h"
#include "comsys/import/pd-machine-load.h"
#include "comsys/mpi/pd-comsys-core.h"
#include "predictor/common/pd-clean-options.h"
#include "predictor/common/pd-counts.h"
#include "predictor/dvm/predict/pd-recorded.h"
#include "predictor/common/pd-sensitize.h"
#include "predictor/dvm/simulate/pd-simulation.h"
#include "predictor/range/pd-range-dvm.h"
#include "predictor/common/pd-watch-critical.h"
#include "predictor/common/pd-watch-timeline.h"
#include "comsys/critical/pd-critical-path-result.h"
#include "comsys/description/pd-machine-ideal.h"
#include "comsys/description/pd-machine-faster.h"
#include "comsys/description/pd-machine-noise.h"
#include "comsys/machine/pd-machine-place.h"
#include "comsys/machine/pd-topology.h"
#include "intervals/pd-interval-check.h"
#include "predictor/dvm/layout/pd-dvm-layout-grid.h"

/* All that one prediction is made of, released in the order of the fields. */
typedef struct
{
  PdSimulation *simulation;
  PdDataServer *server;
  PdDvm *dvm;
  PdComsys *comsys;
  PdGrid *grid;
  PdRecorded recorded;
  PdDvmRecorderCost recorder_cost;
  GPtrArray *cleanings; /* of @recorded, which uses them */
  PdMachine *machine;
  guint32 *placement;
  GArray *speeds;    /* gdouble: the distinct ones */
  guint16 *speed_of; /* (array): class of each rank */
  PdNodeRatios *ratios;
  PdNoise *noise;      /* (nullable) */
  PdWatcher *watchers; /* (nullable): of the activity of processors */
  guint32 n;
  gboolean own_times; /* the grid is that of a run on several processors */
} Parts;

static void
parts_clear (Parts *parts)
{
  pd_simulation_free (parts->simulation);
  pd_data_server_free (parts->server);
  pd_dvm_free (parts->dvm);
  pd_comsys_free (parts->comsys);
  pd_watchers_free (parts->watchers);
  g_clear_pointer (&parts->grid, pd_grid_unref);
  pd_recorded_clear (&parts->recorded);
  g_clear_pointer (&parts->cleanings, g_ptr_array_unref);
  pd_machine_free (parts->machine);
  g_free (parts->placement);
  g_clear_pointer (&parts->speeds, g_array_unref);
  g_free (parts->speed_of);
  pd_node_ratios_free (parts->ratios);
  pd_noise_free (parts->noise);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Parts, parts_clear)

/* Ranks on processors of equal speed are charged alike, but where each has
 * times of its own. */
static gboolean
classify_speeds (Parts *parts, GError **error)
{
  g_autoptr (GHashTable) classes = g_hash_table_new (g_double_hash, g_double_equal);
  g_autofree gdouble *keys = g_new (gdouble, parts->n);

  parts->speeds = g_array_new (FALSE, FALSE, sizeof (gdouble));
  parts->speed_of = g_new (guint16, parts->n);
  for (guint32 rank = 0; rank < parts->n; rank++)
    {
      gpointer c;
      keys[rank] = pd_machine_get_speed (parts->machine, parts->placement[rank]);
      if (parts->own_times || !g_hash_table_lookup_extended (classes, &keys[rank], NULL, &c))
        {
          c = GUINT_TO_POINTER (parts->speeds->len);
          g_hash_table_insert (classes, &keys[rank], c);
          g_array_append_val (parts->speeds, keys[rank]);
        }
      if (parts->speeds->len > G_MAXUINT16)
        {
          g_set_error (error, PD_MACHINE_ERROR, PD_MACHINE_ERROR_VALUE,
                       "machine '%s' has more than %d different processor speeds",
                       parts->machine->name, G_MAXUINT16);
          return FALSE;
        }
      parts->speed_of[rank] = (guint16) GPOINTER_TO_UINT (c);
    }
  return TRUE;
}

/* The times of a processor alone, and of each of the recorded grid, have their scatter. */
static gboolean
may_scatter (const Parts *parts)
{
  return parts->n > 1 && !parts->own_times;
}

static gboolean
load_noise (Parts *parts, const PdPredictOptions *options, PdReportRun *run, GError **error)
{
  const PdMachineNoise *noise = &parts->machine->noise;

  if (noise->kind == PD_NOISE_NONE || (noise->kind == PD_NOISE_RECORDED && !may_scatter (parts)))
    return TRUE;
  g_autofree char *text = pd_machine_noise_describe (noise);
  pd_messages_add (run->messages, PD_SEVERITY_NOTE, "noise", NULL, NULL,
                   "computation is disturbed: %s, seed %" G_GUINT64_FORMAT, text, options->seed);
  parts->noise = pd_noise_new (noise, options->seed, error);
  return parts->noise != NULL;
}

/* Calls each observer. */
static void
watch (Parts *parts, const PdPredictOptions *options, const PdReportRun *run_of)
{
  g_autofree char *title = g_strdup_printf ("%s on the grid %s", options->trace, run_of->grid);
  const PdTimelineRun run = { .feed = options->timeline,
                              .trace = options->trace,
                              .machine = parts->machine,
                              .placement = parts->placement,
                              .tree = run_of->tree,
                              .comsys = parts->comsys,
                              .n_ranks = parts->n,
                              .n_cpus = 1,
                              .rest = "arriving messages",
                              .rest_state = PD_TL_RECEIVE };

  pd_critical_watch (&parts->watchers, parts->comsys, parts->n, TRUE, options->critical);
  pd_timeline_watch (&parts->watchers, &pd_cproc_timeline, &run);
  pd_log_watch (&parts->watchers, options->log, title, parts->n, run_of->tree);
}

/* Refuses at once a grid whose processors alone are more than the limit of memory. */
static gboolean
check_memory (const Parts *parts, GError **error)
{
  guint64 own = sizeof *parts->placement + sizeof *parts->speed_of;

  return pd_memory_check (parts->n, "processors",
                          pd_comsys_get_least_bytes (parts->n)
                              + pd_simulation_get_least_bytes (parts->n) + parts->n * own,
                          error);
}

static gboolean
load (Parts *parts, const PdPredictOptions *options, PdReportRun *run, GError **error)
{
  parts->machine =
      options->source != NULL
          ? pd_machine_source_load (options->source, options->settings, parts->n, error)
          : pd_machine_load (options->machine, options->settings, parts->n, error);
  if (parts->machine == NULL)
    return FALSE;
  parts->recorder_cost = pd_clean_options_get_cost (&options->clean, &parts->machine->software);
  pd_recorded_set_cost (&parts->recorded, &parts->recorder_cost);
  if (options->ideal)
    pd_machine_make_ideal (parts->machine);
  if (options->network_factor > 0)
    pd_machine_hasten_networks (parts->machine, options->network_factor);
  if (options->processor_factor > 0)
    pd_machine_hasten_processors (parts->machine, options->processor_factor);
  parts->placement = pd_machine_place (parts->machine, options->map, parts->n, error);
  if (parts->placement == NULL || !check_memory (parts, error) || !classify_speeds (parts, error))
    return FALSE;
  parts->comsys = pd_comsys_new (parts->machine, parts->placement, parts->n, error);
  if (parts->comsys == NULL)
    return FALSE;
  if (!load_noise (parts, options, run, error))
    return FALSE;
  pd_comsys_set_observer (parts->comsys, options->observer);
  pd_comsys_set_run_ahead (parts->comsys, !options->one_step);
  run->tree = pd_interval_tree_new (parts->n);
  watch (parts, options, run);
  return TRUE;
}

/* Processors of the grid that share a cache, where most do. */
static guint32
count_sharers (const Parts *parts, const PdPredictOptions *options)
{
  if (options->dvm.loop_curves == NULL && !parts->machine->cache.is_given)
    return 1;
  PdTopology *topology = pd_topology_new (parts->machine);
  g_autofree guint32 *n = g_new0 (guint32, topology->n_nodes);
  guint32 most = 1;

  for (guint32 rank = 0; rank < parts->n; rank++)
    {
      guint32 on_node = ++n[pd_topology_get_node (topology, parts->placement[rank])];
      most = MAX (most, on_node);
    }
  pd_topology_free (topology);
  if (parts->machine->cache.processors > 0)
    most = (guint32) MIN (most, parts->machine->cache.processors);
  return most;
}

/* The interpreter, the data server, and the processors on top of them. */
static void
build (Parts *parts, const PdPredictOptions *options, PdReportRun *run)
{
  const gdouble *speeds = (const gdouble *) (gpointer) parts->speeds->data;
  PdDvmReader *const *readers = (PdDvmReader *const *) parts->recorded.readers->pdata;

  gboolean scatters = parts->noise != NULL && parts->machine->noise.kind == PD_NOISE_RECORDED;
  parts->ratios = pd_node_ratios_new (options->ratios, parts->machine->regions);
  PdDvmContext context = { .reader = readers[0],
                           .messages = run->messages,
                           .comsys = parts->comsys,
                           .tree = run->tree,
                           .grid = parts->grid,
                           .speeds = speeds,
                           .n_speeds = parts->speeds->len,
                           .speed_of = parts->speed_of,
                           .others = readers + 1,
                           .n_others = parts->recorded.readers->len - 1,
                           .own_times = parts->own_times,
                           .ratios = parts->ratios,
                           .models_files = parts->machine->io.is_given,
                           .cache_size = parts->machine->cache.size,
                           .cache_sharing = count_sharers (parts, options),
                           .separate =
                               (parts->noise != NULL && !scatters) || parts->watchers != NULL,
                           .scatters = scatters };
  parts->dvm = pd_dvm_new (&context, &options->dvm);
  if (options->dvm.facts != NULL)
    {
      options->dvm.facts->n_speeds = parts->speeds->len;
      options->dvm.facts->is_recorded_grid = parts->own_times;
    }
  parts->server = pd_data_server_new (pd_dvm_get_class (), parts->dvm,
                                      pd_dvm_get_objects (parts->dvm), parts->n);
  PdSimulationContext simulation = { .server = parts->server,
                                     .comsys = parts->comsys,
                                     .tree = run->tree,
                                     .n = parts->n,
                                     .speeds = speeds,
                                     .speed_of = parts->speed_of,
                                     .software = &parts->machine->software,
                                     .io = &parts->machine->io,
                                     .ratios = parts->ratios,
                                     .noise = parts->noise,
                                     .message_mask = options->dvm.message_mask,
                                     .watchers = parts->watchers,
                                     .stop = options->stop };
  parts->simulation = pd_simulation_new (&simulation);
}

/* How the times of several processors were used. */
static void
note_recorded (const Parts *parts, PdReportRun *run)
{
  guint n = parts->recorded.readers->len;

  if (n == 1)
    return;
  if (parts->own_times)
    pd_messages_add (run->messages, PD_SEVERITY_NOTE, "recorded-grid", NULL, NULL,
                     "on the grid that was recorded each of the %u processors computes as long as "
                     "it did then",
                     n);
  else
    pd_messages_add (run->messages, PD_SEVERITY_NOTE, "other-grid", NULL, NULL,
                     "on a grid other than the recorded one the work of loops is what all %u "
                     "processors did together, and other computation is their mean",
                     n);
}

/* The protocol of a simulation that failed is written too: it says why. */
static gboolean
simulate (const Parts *parts, GError **error)
{
  if (pd_simulation_run (parts->simulation, error))
    return TRUE;
  pd_watchers_finish (parts->watchers, NULL, NULL);
  return FALSE;
}

/* How long the recorded run took, if it is that of the grid: until its last processor was through.
 */
static PdTime
recorded_time (const Parts *parts, const PdPredictOptions *options)
{
  PdTime last = PD_TIME_ZERO;

  if (options->dvm.keep_startup
      || (!parts->own_times && (parts->n > 1 || parts->cleanings->len > 1)))
    return last;
  for (guint i = 0; i < parts->cleanings->len; i++)
    {
      const PdDvmCleaning *cleaning = g_ptr_array_index (parts->cleanings, i);
      PdTime time = { (gint64) MIN (cleaning->share.recorded_time.ps, G_MAXINT64) };
      last = pd_time_max (last, time);
    }
  return last;
}

static gboolean
conclude (const Parts *parts, const PdPredictOptions *options, PdReportRun *run, GError **error)
{
  const PdComsysCounts *counts = pd_comsys_get_counts (parts->comsys);
  PdTime startup = pd_dvm_get_startup (parts->dvm);
  char text[64];

  if (!pd_recorded_finish (&parts->recorded, error))
    return FALSE;
  run->end_times = g_new (PdTime, parts->n);
  for (guint32 i = 0; i < parts->n; i++)
    run->end_times[i] = pd_simulation_get_clock (parts->simulation, i);
  run->n_messages = counts->n_messages;
  run->n_bytes = counts->n_bytes;
  run->n_events = counts->n_events;
  if (!pd_watchers_finish (parts->watchers, run->end_times, error))
    return FALSE;
  run->incomplete = !pd_recorded_is_complete (&parts->recorded);
  run->recorded_time = recorded_time (parts, options);
  note_recorded (parts, run);
  pd_recorded_report_cost (&parts->recorded, &parts->recorder_cost, run->messages);
  pd_comsys_report (parts->comsys, run->messages);
  if (startup.ps > 0)
    pd_messages_add (run->messages, PD_SEVERITY_NOTE, "startup", NULL, NULL,
                     "the first record's start-up time, %s s, is %s",
                     pd_time_format (startup, text),
                     options->dvm.keep_startup ? "counted" : "left out");
  if (options->range)
    {
      pd_report_run_fold (run);
      run->range = pd_range_new_dvm (run, parts->cleanings, parts->machine);
    }
  if (!pd_node_ratios_check (parts->ratios, error))
    return FALSE;
  return !options->check
         || pd_interval_tree_check (run->tree, run->end_times, parts->n == 1, error);
}

static gboolean
open_trace (Parts *parts, const PdPredictOptions *options, PdMessages *messages, GError **error)
{
  parts->cleanings = options->cleanings != NULL ? g_ptr_array_ref (options->cleanings)
                                                : pd_recorded_clean (options->trace, options->bytes,
                                                                     &options->clean, error);
  if (parts->cleanings == NULL
      || !pd_recorded_open (&parts->recorded, options->trace, options->bytes, messages, error))
    return FALSE;
  pd_recorded_apply (&parts->recorded, parts->cleanings);
  return TRUE;
}

static gboolean
predict (Parts *parts, const PdPredictOptions *options, PdReportRun *run, const gint64 *sizes,
         GError **error)
{
  gint64 padded[PD_MAX_GRID_RANK];
  guint rank = run->n_processors; /* still the rank of the grid, see pd_predict() */

  for (guint d = 0; d < rank; d++)
    padded[d] = sizes[d];
  if (!open_trace (parts, options, run->messages, error)
      || !pd_dvm_pad_grid (pd_dvm_reader_get_header (pd_recorded_get (&parts->recorded, 0)), &rank,
                           padded, run->messages, error))
    return FALSE;
  parts->own_times = pd_recorded_is_grid (&parts->recorded, rank, padded);
  parts->grid = pd_grid_new (rank, padded, error);
  if (parts->grid == NULL)
    return FALSE;
  run->n_processors = parts->n = pd_grid_get_n (parts->grid);
  if (!load (parts, options, run, error))
    return FALSE;
  build (parts, options, run);
  return simulate (parts, error) && conclude (parts, options, run, error);
}

static PdReportRun *
predict_once (const PdPredictOptions *options, guint rank, const gint64 *sizes, GError **error)
{
  gint64 begin = g_get_monotonic_time ();
  g_auto (Parts) parts = { .n = 0 };
  PdReportRun *run = g_new0 (PdReportRun, 1);

  run->messages = pd_messages_new ();
  run->grid = pd_sizes_format (sizes, rank);
  run->n_processors = rank;
  if (!predict (&parts, options, run, sizes, error))
    {
      pd_report_run_free (run);
      return NULL;
    }
  run->seconds = (gdouble) (g_get_monotonic_time () - begin) / 1e6;
  return run;
}

/* ---- with the sensitivity */

/* The data of a repeated prediction. */
typedef struct
{
  const PdPredictOptions *options;
  guint rank;
  const gint64 *sizes;
} Again;

static PdReportRun *
predict_again (gconstpointer data, const char *const *settings, PdCriticalResult **critical,
               GError **error)
{
  const Again *self = data;
  PdPredictOptions options = *self->options;

  options.settings = settings;
  options.critical = critical;
  options.log = NULL;
  options.timeline = NULL;
  options.observer = NULL;
  PdReportRun *run = predict_once (&options, self->rank, self->sizes, error);
  if (run != NULL)
    g_clear_pointer (&run->tree, pd_interval_tree_free);
  return run;
}

PdPredictOptions
pd_predict_options_unobserved (const PdPredictOptions *options)
{
  PdPredictOptions own = *options;

  own.log = NULL;
  own.observer = NULL;
  own.timeline = NULL;
  own.critical = NULL;
  own.sensitivity = FALSE;
  return own;
}

PdReportRun *
pd_predict (const PdPredictOptions *options, guint rank, const gint64 *sizes, GError **error)
{
  g_autoptr (PdCriticalResult) critical = NULL;
  const Again again = { options, rank, sizes };
  PdPredictOptions own = *options;

  g_return_val_if_fail (rank >= 1 && rank <= PD_MAX_GRID_RANK, NULL);

  if (!options->sensitivity)
    return predict_once (options, rank, sizes, error);
  own.critical = &critical;
  PdReportRun *run = predict_once (&own, rank, sizes, error);
  if (run == NULL || pd_sensitize (run, critical, options->settings, predict_again, &again, error))
    return run;
  pd_report_run_free (run);
  return NULL;
}
