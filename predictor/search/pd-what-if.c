/* SPDX-License-Identifier: MIT */
#include "predictor/search/pd-what-if.h"

#include "predictor/dvm/change/pd-dvm-change.h"
#include "predictor/search/pd-what-if-vary-private.h"
#include "reports/run/pd-report-common.h"

/* ---- single changes */

static void
merge (PdPredictOptions *options)
{
  options->dvm.change = &pd_dvm_change_merge;
}

static void
wait_later (PdPredictOptions *options)
{
  options->dvm.change = &pd_dvm_change_late_waits;
  options->dvm.nonblocking_reductions = TRUE;
}

static void
overlap (PdPredictOptions *options)
{
  options->dvm.change = &pd_dvm_change_overlap;
}

static void
divide_evenly (PdPredictOptions *options)
{
  options->dvm.even_loops = TRUE;
}

static void
weigh_speeds (PdPredictOptions *options)
{
  options->dvm.weights_from_speed = TRUE;
}

static void
hasten_networks (PdPredictOptions *options)
{
  options->network_factor = 2;
}

static void
hasten_processors (PdPredictOptions *options)
{
  options->processor_factor = 2;
}

/* Each is tried where the run has some of @loss. */
static const struct
{
  const char *id;
  PdCharacteristic loss;
  void (*set) (PdPredictOptions *options);
  const char *change;
  const char *how; /* behind the number of changed operations, if the program is changed */
} changes[] = {
  { "reductions-merged", PD_C_WAIT_REDUCTION, merge,
    "merge reductions that no loop separates into one.",
    "reductions are done together with the one before them, those of one type and function in one "
    "MPI_Allreduce." },
  { "reductions-late-wait", PD_C_WAIT_REDUCTION, wait_later,
    "start reductions asynchronously, and wait for them behind the next parallel loop.",
    "reductions start where they did (MPI_Iallreduce, which takes none of the processors' time, or "
    "the run-time's own messages) and are waited for at the end of the next parallel loop, if the "
    "program can do without their results so long." },
  { "shadow-overlap", PD_C_WAIT_SHADOW, overlap,
    "exchange shadow edges while the interior of the next loop is computed.",
    "exchanges are waited for inside the loop behind them, between its interior and its edges, as "
    "imlast_ does it." },
  { "loops-even", PD_C_LOAD_IMBALANCE, divide_evenly,
    "divide loops evenly, by weights of their elements.",
    "each processor of a parallel loop executes an equal part of its iterations, and messages stay "
    "as they are: weights cannot gain more." },
  { "weights-from-speed", PD_C_LOAD_IMBALANCE, weigh_speeds,
    "give faster processors larger blocks.", "as with --weights-from-speed." },
  { "network-2", PD_C_COMMUNICATION, hasten_networks, "a network twice as fast.",
    "all times of networks and memories are halved, and bandwidths doubled; overheads of the "
    "software stay." },
  { "processors-2", PD_C_CPU_TIME, hasten_processors, "processors twice as fast.",
    "the speed of all processors is doubled; input and output and the network stay." },
};

static gboolean
try_change (PdWhatIfSearch *self, guint i, GError **error)
{
  PdPredictOptions own = pd_what_if_options (self);
  PdTime time;

  if (pd_report_result (self->run, 0)->values[changes[i].loss].sum.ps == 0
      || (changes[i].set == weigh_speeds && self->n_speeds < 2))
    return TRUE;
  changes[i].set (&own);
  if (!pd_what_if_run (self, &own, self->count, &time, error))
    return FALSE;
  if (pd_time_is_pending (time) || (own.dvm.change != NULL && self->facts.n_changed == 0))
    return TRUE;
  char *how = own.dvm.change != NULL ? g_strdup_printf ("%" G_GUINT64_FORMAT " %s",
                                                        self->facts.n_changed, changes[i].how)
                                     : g_strdup (changes[i].how);
  pd_what_if_add (self, (PdWhatIf){ .id = changes[i].id,
                                    .change = g_strdup (changes[i].change),
                                    .how = how,
                                    .time = time });
  return TRUE;
}

gboolean
pd_what_if_predict (const PdPredictOptions *predict, const PdCount *count, PdReportRun *run,
                    GError **error)
{
  g_autoptr (GArray) what_ifs = pd_what_ifs_new ();
  PdWhatIfSearch self = { .predict = predict, .count = count, .run = run, .what_ifs = what_ifs };
  PdPredictOptions plain = pd_what_if_options (&self);

  if (!pd_what_if_run (&self, &plain, count, &self.time, error))
    return FALSE;
  self.portions = self.facts.portions;
  self.n_speeds = self.facts.n_speeds;
  self.is_recorded_grid = self.facts.is_recorded_grid;
  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    if (!try_change (&self, i, error))
      return FALSE;
  if (!pd_what_if_vary_portions (&self, error) || !pd_what_if_vary_grid (&self, error))
    return FALSE;
  pd_what_ifs_sort (what_ifs);
  run->what_ifs = g_steal_pointer (&what_ifs);
  return TRUE;
}
