/* The analysis as a whole: ranks are processed one by one, and their calls
 * charged.
 * SPDX-License-Identifier: MIT */
#include "analyse/pd-analysis-private.h"
#include "analyse/pd-delays-private.h"
#include "analyse/pd-diagnosis.h"
#include "analyse/pd-matching-private.h"
#include "analyse/pd-nodes-private.h"
#include "analyse/pd-replay-private.h"
#include "analyse/pd-sites-private.h"
#include "analyse/pd-waits-private.h"
#include "base/pd-figures.h"
#include "base/memory/pd-memory.h"
#include "base/memory/pd-vector.h"
#include "traces/program/pd-action.h"
#include "traces/program/pd-program-sharing.h"

#include <math.h>

#define N_RECENT_LATES 256

typedef struct
{
  PdAnalysis *analysis;
  PdMatching *matching;
  PdReplay replay;
  PdNodes nodes;
  PdReasons reasons;
  PdSites sites;
  guint32 site;                         /* of the last call */
  GHashTable *lates;                    /* PdLate */
  PdLate *recent_lates[N_RECENT_LATES]; /* (nullable elements): of these */
  GHashTable *alike;                    /* of each stretch, how many ranks compute it */
  PdCharge charge;                      /* of the present action */
  gint64 sums[PD_N_QUANTITIES];         /* of the rank in the node, which are not in the tree yet */
  GArray *waits;                        /* PdTimeSum: PD_N_WAIT_STATES of each node */
  GArray *busy;                         /* PdBusy of each node itself */
  PdVector *blocks;                     /* (array length=n_ranks): PdBlock */
} Analyser;

/* @matching: (transfer full) */
static void
analyser_init (Analyser *self, PdAnalysis *analysis, PdMatching *matching)
{
  *self = (Analyser){ .analysis = analysis, .matching = matching };
  pd_replay_init (&self->replay, analysis->program, analysis->retiming);
  self->replay.progress = analysis->progress;
  self->nodes =
      (PdNodes){ .tree = analysis->tree, .program = analysis->program, .node = PD_INTERVAL_ROOT };
  pd_waits_init (&self->reasons, self->matching, analysis->program);
  pd_sites_init (&self->sites);
  self->lates = pd_lates_new ();
  self->alike = pd_program_count_alike (analysis->program);
  self->waits = g_array_new (FALSE, TRUE, sizeof (PdTimeSum));
  self->busy = g_array_new (FALSE, TRUE, sizeof (PdBusy));
  self->blocks = g_new0 (PdVector, pd_program_get_n_ranks (analysis->program));
}

static void
analyser_clear (Analyser *self)
{
  pd_matching_free (self->matching);
  pd_replay_clear (&self->replay);
  pd_sites_clear (&self->sites);
  g_hash_table_unref (self->lates);
  g_hash_table_unref (self->alike);
  g_array_unref (self->waits);
  g_array_unref (self->busy);
  for (guint32 rank = 0; rank < pd_program_get_n_ranks (self->analysis->program); rank++)
    pd_vector_clear (&self->blocks[rank]);
  g_free (self->blocks);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Analyser, analyser_clear)

/* ---- charging */

/* Times in a damaged trace may be of any length. */
static inline void
add (Analyser *self, PdQuantity quantity, gint64 value)
{
  if (value != 0 && __builtin_add_overflow (self->sums[quantity], value, &self->sums[quantity]))
    self->sums[quantity] = G_MAXINT64;
}

/* Sums become those of the tree, before the node or the rank changes. */
static void
flush (Analyser *self)
{
  for (guint i = 0; i < PD_N_QUANTITIES; i++)
    if (self->sums[i] != 0)
      {
        pd_interval_tree_add (self->analysis->tree, self->nodes.node, i, self->replay.rank,
                              PD_TIME (self->sums[i]));
        self->sums[i] = 0;
      }
}

static void
add_waits (Analyser *self, const PdCharge *charge)
{
  guint first = self->nodes.node * PD_N_WAIT_STATES;

  if (self->waits->len < first + PD_N_WAIT_STATES)
    g_array_set_size (self->waits, first + PD_N_WAIT_STATES);
  for (guint left = charge->waited; left != 0; left &= left - 1)
    {
      guint i = (guint) __builtin_ctz (left);
      g_array_index (self->waits, PdTimeSum, first + i).ps += charge->waits[i];
    }
}

/* For whom the call waited: found where it was found last. */
static void
add_late (Analyser *self, const PdNeed *late, gint64 waited)
{
  guint32 node = self->nodes.node;
  PdLate **recent = &self->recent_lates[(late->rank * 31 + late->site) % N_RECENT_LATES];

  if (*recent == NULL || (*recent)->node != node || (*recent)->state != late->state
      || (*recent)->rank != late->rank || (*recent)->site != late->site)
    *recent = pd_lates_find (self->lates, node, late);
  (*recent)->waited.ps += waited;
}

static void
add_busy (PdBusy *to, const PdAction *action)
{
  pd_time_sum_add (&to->time, action->amount.time);
  pd_time_sum_add (&to->processor, PD_TIME (action->processor));
}

/* A computation. */
static void
note_busy (Analyser *self, const PdAction *action)
{
  if (action->processor < 0)
    return;
  if (self->busy->len <= self->nodes.node)
    g_array_set_size (self->busy, self->nodes.node + 1);
  add_busy (&g_array_index (self->busy, PdBusy, self->nodes.node), action);
  add_busy (&self->analysis->busy_ranks[self->replay.rank], action);
}

static gboolean
is_call (const PdAction *action)
{
  return action->kind >= PD_ACT_SEND && action->kind <= PD_ACT_LOCAL;
}

static void
charge_call (Analyser *self)
{
  const PdCharge *charge = &self->charge;

  if (!charge->is_gap)
    self->site = pd_sites_find (&self->sites, &self->replay, self->nodes.node, charge->quantity);
  add (self, PD_Q_REAL_SYNC, (gint64) charge->costs.real_sync.ps);
  add (self, PD_Q_SYNCHRONIZATION, (gint64) charge->costs.potential_sync.ps);
  add (self, PD_Q_TIME_VARIATION, (gint64) charge->costs.time_variation.ps);
  add (self, PD_Q_OTHER_OVERLAP, (gint64) MIN (charge->costs.overlap.ps, G_MAXINT64));
  add (self, PD_Q_N_SENDS, charge->n_sends);
  add (self, PD_Q_N_RECEIVES, charge->n_receives);
  add (self, PD_Q_N_WAITS, charge->n_waits);
  add (self, PD_Q_N_COLLECTIVES, charge->n_collectives);
  if (charge->waited != 0)
    add_waits (self, charge);
  pd_sites_add (&self->sites, self->site, &self->replay, charge);
  if (charge->late.when >= 0)
    add_late (self, &charge->late, charge->waits[charge->late.state]);
  if (charge->block.rank != PD_ANALYSIS_NONE)
    pd_blocks_add (&self->blocks[self->replay.rank], self->replay.enter, &charge->block);
}

/* Behind %PD_STEP_BEGUN and no poll: what charge_action() would do. Such a call waits for nobody.
 */
static void
charge_beginning (Analyser *self)
{
  PdReplay *replay = &self->replay;
  gboolean is_recv = replay->action->kind == PD_ACT_IRECV;

  note_busy (self, replay->action);
  pd_channels_follow_begun (self->matching->channels, replay, pd_replay_begin (replay));
  add (self, PD_Q_SENDRECV, replay->leave - replay->enter);
  add (self, is_recv ? PD_Q_N_RECEIVES : PD_Q_N_SENDS, 1);
  self->site = pd_sites_find (&self->sites, replay, self->nodes.node, PD_Q_SENDRECV);
  pd_sites_add_beginning (&self->sites, self->site, replay);
}

/* @n_alike: how many compute it; 0 = this rank alone */
static inline void
charge_computation (Analyser *self, guint n_alike)
{
  gint64 took = self->replay.leave - self->replay.enter;

  note_busy (self, self->replay.action);
  add (self, PD_Q_CPU_SEQ, took);
  if (n_alike > 1)
    add (self, PD_Q_INSUFF_SEQ, pd_time_scale (PD_TIME (took), n_alike - 1, n_alike).ps);
}

/* @n_alike: likewise */
static void
charge_action (Analyser *self, guint *n_alike)
{
  const PdAction *a = self->replay.action;
  PdCharge *charge = &self->charge;

  if (pd_action_is_pause (a))
    {
      PdTime *paused = &self->analysis->paused[self->replay.rank];
      *paused = pd_time_add (*paused, PD_TIME (a->recorded));
      return;
    }
  note_busy (self, a);
  pd_waits_charge (&self->reasons, &self->replay, charge);
  gint64 took = (gint64) charge->costs.time.ps;
  add (self, charge->quantity, took);
  if (a->kind == PD_ACT_ALIKE_BEGIN)
    *n_alike = GPOINTER_TO_UINT (g_hash_table_lookup (self->alike, GINT_TO_POINTER (a->tag)));
  else if (a->kind == PD_ACT_ALIKE_END)
    *n_alike = 0;
  else if (is_call (a) || charge->is_gap)
    charge_call (self);
  else if (charge->quantity == PD_Q_CPU_SEQ && *n_alike > 1)
    add (self, PD_Q_INSUFF_SEQ, pd_time_scale (PD_TIME (took), *n_alike - 1, *n_alike).ps);
}

static void
charge_rank (Analyser *self, guint32 rank)
{
  PdAnalysis *analysis = self->analysis;
  guint n_alike = 0;

  pd_waits_begin_rank (&self->reasons);
  pd_replay_begin_rank (&self->replay, rank);
  for (;;)
    {
      gboolean polls = pd_waits_is_polling (&self->reasons);
      PdReplayStep step = polls ? PD_STEP_NONE : pd_replay_step (&self->replay);
      if (step == PD_STEP_COMPUTED)
        charge_computation (self, n_alike);
      else if (step == PD_STEP_BEGUN)
        charge_beginning (self);
      if (step == PD_STEP_COMPUTED || step == PD_STEP_BEGUN)
        continue;
      if (step == PD_STEP_CALLED)
        pd_replay_act (&self->replay);
      else if (!pd_replay_next (&self->replay))
        break;
      charge_action (self, &n_alike);
      if (self->replay.action->kind == PD_ACT_ENTER || self->replay.action->kind == PD_ACT_LEAVE)
        {
          flush (self);
          pd_nodes_pass (&self->nodes, &self->replay, TRUE);
        }
    }
  flush (self);
  pd_nodes_end_rank (&self->nodes, rank);
  PdTime begin = pd_program_get_recorded_begin (analysis->program, rank);
  PdTime passed = pd_time_sub (PD_TIME (self->replay.leave), begin);
  analysis->end_times[rank] = pd_time_sub (passed, analysis->paused[rank]);
  analysis->makespan = pd_time_max (analysis->makespan, PD_TIME (self->replay.leave));
}

/* ---- the whole */

/* Whether anything says how long calls took. */
static gboolean
is_measured (const PdProgram *program)
{
  g_auto (PdActionReader) reader = { 0 };
  gboolean any_call = FALSE;
  const PdAction *action;

  pd_action_reader_init (&reader, program);
  for (guint32 rank = 0; rank < pd_program_get_n_ranks (program); rank++)
    {
      pd_action_reader_begin (&reader, rank);
      while ((action = pd_action_reader_next (&reader)) != NULL)
        {
          if (action->recorded >= 0)
            return TRUE;
          any_call |= is_call (action) && action->kind < PD_ACT_OTHER;
        }
    }
  return !any_call;
}

static void
notify (const Analyser *self, const char *file, PdMessages *messages)
{
  const PdMatching *m = self->matching;
  PdPlace place = { file, 0, NULL, -1, -1, TRUE };

  PdTimeSum paused = { 0 };

  for (guint32 rank = 0; rank < pd_program_get_n_ranks (self->analysis->program); rank++)
    pd_time_sum_add (&paused, self->analysis->paused[rank]);
  if (paused.ps > 0)
    pd_messages_add (
        messages, PD_SEVERITY_NOTE, "recording-paused", NULL, &place,
        "recording paused for %.6g s, summed over all ranks, which the totals exclude: "
        "messages and collective operations there are not known, and %" G_GUINT64_FORMAT
        " sends, receives and members of collective operations have no partner",
        pd_time_sum_to_seconds (paused), m->n_unmatched + m->n_missing);
  /* those under way when recording stopped are not reported */
  if (m->n_unmatched + m->n_missing > 0 && !m->is_cut && paused.ps == 0)
    pd_messages_add (messages, PD_SEVERITY_WARNING, "matching-incomplete", NULL, &place,
                     "%" G_GUINT64_FORMAT
                     " sends or receives have no partner, and %" G_GUINT64_FORMAT
                     " members of collective operations are missing: figures of "
                     "waiting may be wrong",
                     m->n_unmatched, m->n_missing);
  if (m->n_clock > 0)
    pd_messages_add (messages, PD_SEVERITY_WARNING, "clock-order", NULL, &place,
                     "%" G_GUINT64_FORMAT " messages arrive before they are sent: the clocks of "
                     "ranks differ",
                     m->n_clock);
}

/* @matching: (transfer full) */
static gboolean
analyse (PdAnalysis *analysis, PdMatching *matching, const char *file, PdMessages *messages,
         GError **error)
{
  g_auto (Analyser) self = { 0 };

  analyser_init (&self, analysis, matching);
  self.nodes.file = file;
  self.nodes.messages = messages;
  for (guint32 rank = 0; rank < pd_program_get_n_ranks (analysis->program); rank++)
    charge_rank (&self, rank);
  pd_matching_drop_messages (self.matching);
  pd_memory_trim ();
  analysis->delays = pd_delays_new (analysis, &self.sites, self.blocks, error);
  if (analysis->delays == NULL)
    return FALSE;
  notify (&self, file, messages);
  g_array_set_size (self.waits, pd_interval_tree_get_n_nodes (analysis->tree) * PD_N_WAIT_STATES);
  analysis->waits = (PdTimeSum *) (gpointer) g_array_free (g_steal_pointer (&self.waits), FALSE);
  self.waits = g_array_new (FALSE, TRUE, sizeof (PdTimeSum));
  g_array_set_size (self.busy, pd_interval_tree_get_n_nodes (analysis->tree));
  analysis->busy = (PdBusy *) (gpointer) g_array_free (g_steal_pointer (&self.busy), FALSE);
  self.busy = g_array_new (FALSE, TRUE, sizeof (PdBusy));
  analysis->n_messages = self.matching->n_messages;
  analysis->n_bytes = self.matching->n_bytes;
  analysis->n_unmatched = self.matching->n_unmatched;
  analysis->sites = g_steal_pointer (&self.sites.sites);
  pd_sites_end (analysis->sites, analysis->program);
  analysis->lates = pd_lates_list (self.lates);
  pd_analysis_index (analysis);
  return TRUE;
}

static gboolean
check (const PdProgram *program, const char *file, GError **error)
{
  if (pd_program_get_unit (program) != PD_AMOUNT_TIME || !is_measured (program))
    {
      g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_VALUE,
                   "%s: the trace does not say how long %s took, expected recorded times", file,
                   pd_program_get_unit (program) != PD_AMOUNT_TIME ? "computation" : "calls");
      return FALSE;
    }
  return TRUE;
}

static gsize
count_actions (const PdProgram *program)
{
  gsize n = 0;

  for (guint32 rank = 0; rank < pd_program_get_n_ranks (program); rank++)
    n += pd_program_get_n_actions (program, rank);
  return n;
}

/* Actions are processed three times: for their partners, for what they are charged, and for the
 * path and the causes of waiting. @retiming: (transfer full) (nullable): what does not take the
 * recorded time */
static PdAnalysis *
make (const PdProgram *program, PdRetiming *retiming, const char *file, PdMessages *messages,
      GError **error)
{
  g_autoptr (PdAnalysis) self = g_new0 (PdAnalysis, 1);

  self->program = program;
  self->retiming = retiming;
  self->progress = pd_messages_get_progress (messages);
  pd_progress_begin (self->progress, "analysing", 3 * count_actions (program));
  self->tree = pd_interval_tree_new_mpi (pd_program_get_n_ranks (program));
  self->tails = pd_sites_get_tails (program);
  self->end_times = g_new0 (PdTime, pd_program_get_n_ranks (program));
  self->paused = g_new0 (PdTime, pd_program_get_n_ranks (program));
  self->busy_ranks = g_new0 (PdBusy, pd_program_get_n_ranks (program));
  PdMatching *matching = pd_matching_new (program, retiming, self->progress, error);
  if (matching == NULL || !analyse (self, matching, file, messages, error))
    {
      g_prefix_error (error, "%s: ", file);
      return NULL;
    }
  self->progress = NULL;
  return g_steal_pointer (&self);
}

PdAnalysis *
pd_analysis_new (const PdProgram *program, const char *file, PdMessages *messages, GError **error)
{
  return check (program, file, error) ? make (program, NULL, file, messages, error) : NULL;
}

static void
say_compensated (const PdCompensated *sums, const char *file, PdMessages *messages)
{
  const PdPlace place = { file, 0, NULL, -1, -1, TRUE };
  g_autofree char *computed = pd_figures_time (sums->computed);
  g_autoptr (GString) parts = g_string_new (NULL);
  PdTimeSum all = { 0 };

  for (guint i = 0; i < PD_N_CALL_COSTS; i++)
    {
      g_autofree char *taken = pd_figures_time (sums->taken[i]);
      all.ps += sums->taken[i].ps;
      if (sums->n_calls[i] > 0)
        g_string_append_printf (parts, "%s%s of %" G_GUINT64_FORMAT " %s",
                                parts->len > 0 ? ", " : ": ", taken, sums->n_calls[i],
                                pd_call_cost_name ((PdCallCost) i));
    }
  g_autofree char *taken = pd_figures_time (all);
  pd_messages_add (messages, PD_SEVERITY_NOTE, "overhead-compensated", NULL, &place,
                   "%s that recording took are taken out of %s of computation of all ranks%s%s",
                   taken, computed, parts->str, parts->len > 0 ? " calls" : "");
}

PdAnalysis *
pd_analysis_new_compensated (const PdProgram *program, const char *file, PdMessages *messages,
                             GError **error)
{
  PdCompensated sums;
  gboolean is_known = FALSE;

  for (PdCallCost kind = 0; kind < PD_N_CALL_COSTS; kind++)
    is_known |= pd_program_get_call_cost (program, kind).ps > 0;
  if (!check (program, file, error))
    return NULL;
  if (!is_known)
    {
      g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_VALUE,
                   "%s: the trace does not say what recording calls cost: nothing to compensate",
                   file);
      return NULL;
    }
  PdRetiming *retiming = pd_retiming_new (program, &sums, error);
  if (retiming == NULL)
    {
      g_prefix_error (error, "%s: ", file);
      return NULL;
    }
  if (messages != NULL)
    say_compensated (&sums, file, messages);
  return make (program, retiming, file, messages, error);
}

gdouble
pd_busy_mean (const PdBusy *self)
{
  return self->time.ps > 0 ? (gdouble) self->processor.ps / (gdouble) self->time.ps : NAN;
}

gboolean
pd_analysis_is_shared (const PdAnalysis *self)
{
  PdSharing sharing;

  return pd_program_find_sharing (self->program, &sharing);
}

void
pd_analysis_free (PdAnalysis *self)
{
  if (self == NULL)
    return;
  pd_interval_tree_free (self->tree);
  pd_tails_free (self->tails);
  pd_retiming_free (self->retiming);
  g_clear_pointer (&self->sites, g_array_unref);
  g_clear_pointer (&self->lates, g_array_unref);
  g_free (self->first_site);
  g_free (self->first_child);
  g_free (self->next_sibling);
  g_free (self->waits);
  g_free (self->path);
  g_free (self->all_waits);
  g_free (self->all_path);
  g_free (self->busy);
  g_free (self->busy_ranks);
  pd_delays_free (self->delays);
  g_free (self->end_times);
  g_free (self->paused);
  g_free (self);
}
