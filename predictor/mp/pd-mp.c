/* One prediction of a message-passing program: all parts put together.
 * SPDX-License-Identifier: MIT */
#include "predictor/mp/pd-mp-state.h"

#include "comsys/import/pd-machine-load.h"
#include "comsys/mpi/pd-comsys-core.h"
#include "comsys/queue/pd-lines.h"
#include "predictor/mp/pd-mp-graph.h"
#include "predictor/common/pd-sensitize.h"
#include "predictor/common/pd-watch-critical.h"
#include "comsys/comm/pd-comm.h"
#include "comsys/critical/pd-critical-path-result.h"
#include "comsys/description/pd-machine-ideal.h"
#include "comsys/description/pd-machine-noise.h"
#include "comsys/machine/pd-machine-place.h"
#include "comsys/p2p/pd-wait-stats.h"
#include "intervals/pd-interval-check.h"
#include "predictor/mp/pd-mp-actions.h"
#include "predictor/mp/pd-mp-intervals.h"
#include "predictor/mp/pd-mp-run.h"
#include "predictor/mp/pd-mp-waits.h"
#include "predictor/mp/pd-mp-warnings.h"
#include "predictor/mp/pd-mp-watchers-private.h"
#include "predictor/mp/pd-mp-windows-private.h"

void
pd_mp_free (PdMp *self)
{
  if (self == NULL)
    return;
  pd_mp_windows_free (self);
  for (guint32 i = 1; i < self->n_comms && self->comms != NULL; i++)
    pd_comm_unref (self->comms[i]);
  g_free (self->comms);
  pd_mp_barriers_free (self->barriers);
  g_clear_pointer (&self->neighbours, g_hash_table_unref);
  pd_mp_warnings_free (self->notes);
  g_clear_pointer (&self->anys, g_hash_table_unref);
  pd_comsys_free (self->comsys);
  pd_watchers_free (self->watchers);
  pd_machine_free (self->machine);
  pd_node_ratios_free (self->ratios);
  pd_noise_free (self->noise);
  g_clear_pointer (&self->alike, g_hash_table_unref);
  g_free (self->placement);
  pd_lines_free (self->ranks, 2 * (gsize) self->n);
  pd_lines_free (self->loops, self->n);
  g_free (self->wait_stats);
  g_free (self->slots);
  g_free (self);
}

static gboolean
load_noise (PdMp *self, GError **error)
{
  const PdMachineNoise *noise = &self->machine->noise;

  if (!pd_machine_noise_is_of_ranks (noise))
    return TRUE;
  g_autofree char *text = pd_machine_noise_describe (noise);
  pd_messages_add (self->messages, PD_SEVERITY_NOTE, "noise", NULL, NULL,
                   "computation is disturbed: %s, seed %" G_GUINT64_FORMAT, text,
                   self->options->seed);
  self->noise = pd_noise_new (noise, self->options->seed, error);
  return self->noise != NULL;
}

/* Without a rate, flops mean nothing: one is assumed, and said. */
static void
choose_rate (PdMp *self)
{
  self->is_flops = pd_program_get_unit (self->program) == PD_AMOUNT_FLOPS;
  self->flops = self->options->flops > 0 ? self->options->flops : PD_MP_DEFAULT_FLOPS;
  if (self->is_flops && !(self->options->flops > 0))
    pd_messages_add (self->messages, PD_SEVERITY_NOTE, "flops-assumed", NULL, NULL,
                     "computation is given in floating-point operations: 1e9 a second are assumed "
                     "for a processor of speed 1 (--flops)");
}

static gboolean
load (PdMp *self, GError **error)
{
  const PdMpOptions *options = self->options;

  self->machine = options->source != NULL
                      ? pd_machine_source_load (options->source, options->settings, self->n, error)
                      : pd_machine_load (options->machine, options->settings, self->n, error);
  if (self->machine == NULL)
    return FALSE;
  if (options->ideal)
    pd_machine_make_ideal (self->machine);
  self->placement = pd_machine_place (self->machine, options->map, self->n, error);
  if (self->placement == NULL)
    return FALSE;
  self->comsys = pd_comsys_new (self->machine, self->placement, self->n, error);
  if (self->comsys == NULL || !load_noise (self, error))
    return FALSE;
  pd_comsys_set_observer (self->comsys, options->observer);
  pd_comsys_set_run_ahead (self->comsys, !options->one_step);
  choose_rate (self);
  return TRUE;
}

static void
create_comms (PdMp *self)
{
  self->n_comms = pd_program_get_n_comms (self->program);
  self->comms = g_new (PdComm *, self->n_comms);
  self->comms[0] = pd_comsys_get_world (self->comsys);
  for (guint32 i = 1; i < self->n_comms; i++)
    {
      guint32 n;
      const guint32 *ranks = pd_program_get_comm (self->program, i, &n);
      self->comms[i] = pd_comm_new (self->comsys, ranks, n);
    }
}

static void
create_ranks (PdMp *self)
{
  gsize n_slots = 0, at = 0;

  for (guint32 rank = 0; rank < self->n; rank++)
    n_slots += pd_program_get_n_slots (self->program, rank);
  self->slots = g_new0 (PdRequest, MAX (n_slots, 1));
  self->ranks = pd_lines_resize (NULL, 0, 2 * (gsize) self->n);
  if (pd_program_has_loops (self->program))
    self->loops = pd_lines_resize (NULL, 0, self->n);
  for (guint32 rank = 0; rank < self->n; rank++)
    {
      PdMpRank *r = &self->ranks[rank];
      r->cell = pd_program_get_cells (self->program, rank, &r->end);
      if (self->loops != NULL)
        self->loops[rank].sample = pd_program_get_samples (self->program, rank);
      r->slots = self->slots + at;
      r->scale = pd_mp_interval_scale (self, rank, PD_INTERVAL_ROOT);
      at += pd_program_get_n_slots (self->program, rank);
    }
}

static void
build (PdMp *self, PdReportRun *run, const PdMp *like)
{
  run->tree = self->tree = pd_interval_tree_new_mpi (self->n);
  self->ratios = pd_node_ratios_new (self->options->ratios, self->machine->regions);
  self->has_places = pd_node_ratios_has_places (self->ratios);
  self->notes = pd_mp_warnings_new ();
  self->anys = pd_mp_anys_new ();
  create_comms (self);
  self->barriers = pd_mp_actions_barriers_new (self->n_comms);
  self->neighbours = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->wait_stats = g_new0 (PdWaitStats, self->n);
  pd_comsys_set_wait_stats (self->comsys, self->wait_stats, TRUE);
  if (like != NULL)
    pd_mp_copy_intervals (self, like);
  else
    pd_mp_make_intervals (self);
  create_ranks (self);
}

/* The requested observers. */
static void
watch (PdMp *self)
{
  const PdMpOptions *options = self->options;
  const PdTimelineRun run = { .feed = options->timeline,
                              .trace = options->trace,
                              .what = self->program,
                              .machine = self->machine,
                              .placement = self->placement,
                              .tree = self->tree,
                              .comsys = self->comsys,
                              .n_ranks = self->n,
                              .n_cpus = 1,
                              .rest = "arriving messages",
                              .rest_state = PD_TL_RECEIVE };

  pd_critical_watch (&self->watchers, self->comsys, self->n, FALSE, options->critical);
  pd_timeline_watch (&self->watchers, &pd_mp_timeline, &run);
  pd_mp_replay_watch (&self->watchers, options->replayed, self->program);
  pd_mp_log_watch (&self->watchers, options->log, self->program, options->trace);
}

static gboolean
simulate (PdMp *self, GError **error)
{
  watch (self);
  if (pd_mp_run (self, error))
    return TRUE;
  pd_watchers_finish (self->watchers, NULL, NULL);
  return FALSE;
}

/* What MPI would have refused. */
static void
tell_truncated (const PdMp *self)
{
  const PdTruncated *truncated = pd_comsys_get_truncated (self->comsys);
  const PdPlace place = { self->options->trace, 0, NULL, -1, truncated->target, TRUE };

  if (truncated->n > 0)
    pd_messages_add (self->messages, PD_SEVERITY_WARNING, "message-truncated", NULL, &place,
                     "a message of %" G_GINT64_FORMAT " bytes from rank %u with tag %d is "
                     "received with room for %" G_GINT64_FORMAT,
                     truncated->bytes, truncated->source, truncated->tag, truncated->room);
}

gboolean
pd_mp_conclude (PdMp *self, PdReportRun *run, GError **error)
{
  const PdComsysCounts *counts = pd_comsys_get_counts (self->comsys);

  run->end_times = g_new (PdTime, self->n);
  for (guint32 i = 0; i < self->n; i++)
    run->end_times[i] = self->ranks[i].clock;
  run->n_messages = counts->n_messages;
  run->n_bytes = counts->n_bytes;
  run->n_events = counts->n_events;
  pd_mp_warnings_tell (self);
  tell_truncated (self);
  if (!pd_watchers_finish (self->watchers, run->end_times, error)
      || !pd_node_ratios_check (self->ratios, error))
    return FALSE;
  pd_range_add_mp (run, self->options->recorded, self->machine);
  return !self->options->check || pd_interval_tree_check (run->tree, run->end_times, FALSE, error);
}

PdMp *
pd_mp_new (const PdMpOptions *options, const PdProgram *program, const PdMp *like, PdReportRun *run,
           GError **error)
{
  g_autoptr (PdMp) self = g_new0 (PdMp, 1);

  self->options = options;
  self->program = program;
  self->n = run->n_processors = pd_program_get_n_ranks (program);
  self->messages = run->messages = pd_messages_new ();
  run->grid = g_strdup_printf ("%u", self->n);
  if (!load (self, error))
    return NULL;
  build (self, run, like);
  return g_steal_pointer (&self);
}

PdMpOptions
pd_mp_options_unobserved (const PdMpOptions *options)
{
  PdMpOptions own = *options;

  own.log = NULL;
  own.observer = NULL;
  own.timeline = NULL;
  own.critical = NULL;
  own.replayed = NULL;
  own.sensitivity = FALSE;
  return own;
}

PdReportRun *
pd_mp_predict_program (const PdMpOptions *options, const PdProgram *program, GError **error)
{
  gint64 begin = g_get_monotonic_time ();
  PdReportRun *run = g_new0 (PdReportRun, 1);
  g_autoptr (PdMp) self = pd_mp_new (options, program, NULL, run, error);

  if (self == NULL || !simulate (self, error) || !pd_mp_conclude (self, run, error))
    {
      pd_report_run_free (run);
      return NULL;
    }
  run->seconds = (gdouble) (g_get_monotonic_time () - begin) / 1e6;
  return run;
}

static PdReportRun *
predict_trace (const PdMpOptions *options, const PdMpTrace *trace, GError **error)
{
  return trace->graph != NULL ? pd_mp_predict_graph (options, trace->graph, error)
                              : pd_mp_predict_program (options, trace->program, error);
}

/* ---- with the sensitivity */

/* The same prediction, repeated. */
typedef struct
{
  const PdMpOptions *options;
  const PdMpTrace *trace;
} Again;

static PdReportRun *
predict_again (gconstpointer data, const char *const *settings, PdCriticalResult **critical,
               GError **error)
{
  const Again *self = data;
  PdMpOptions options = *self->options;

  options.settings = settings;
  options.critical = critical;
  options.log = NULL;
  options.replayed = NULL;
  options.timeline = NULL;
  options.observer = NULL;
  return predict_trace (&options, self->trace, error);
}

static PdReportRun *
predict_sensitively (const PdMpOptions *options, const PdMpTrace *trace, GError **error)
{
  g_autoptr (PdCriticalResult) critical = NULL;
  const Again again = { options, trace };
  PdMpOptions own = *options;

  own.critical = &critical;
  PdReportRun *run = predict_trace (&own, trace, error);
  if (run == NULL || pd_sensitize (run, critical, options->settings, predict_again, &again, error))
    return run;
  pd_report_run_free (run);
  return NULL;
}

PdReportRun *
pd_mp_predict (const PdMpOptions *options, const PdMpTrace *trace, GError **error)
{
  PdMpOptions own = *options;

  own.incomplete = trace->incomplete;
  PdReportRun *run = own.sensitivity ? predict_sensitively (&own, trace, error)
                                     : predict_trace (&own, trace, error);

  if (run != NULL)
    pd_report_run_set_share (run, pd_mp_trace_get_share (trace));
  return run;
}
