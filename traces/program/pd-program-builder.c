/* Building programs: each rank's cells in chunks that grow, put one behind the
 * other at the end.
 * SPDX-License-Identifier: MIT */
#include "traces/program/pd-program-private.h"
#include "traces/program/pd-action-private.h"
#include "traces/program/pd-action.h"
#include "traces/program/pd-packed-private.h"
#include "traces/program/pd-program-builder.h"

#include "traces/program/pd-program-sharing.h"
#include "traces/program/pd-program-check-private.h"

#include <string.h>

/* ---- runs of values */

static PdRuns
runs_new (guint element_size)
{
  PdRuns runs = { g_array_new (FALSE, FALSE, element_size),
                  g_array_new (FALSE, TRUE, sizeof (guint64)) };

  g_array_set_size (runs.first, 1);
  return runs;
}

static guint32
runs_add (PdRuns *runs, gconstpointer values, guint n)
{
  if (n > 0)
    g_array_append_vals (runs->values, values, n);
  guint64 end = runs->values->len;
  g_array_append_val (runs->first, end);
  return runs->first->len - 2;
}

/* Finds data that is stored once, by its bytes and its kind. Makes the key: the kind, then the
 * bytes. */
static gboolean
find_known (PdProgramBuilder *self, char kind, gconstpointer data, gsize size, GBytes **key,
            guint32 *index)
{
  gpointer value;
  char *copy = g_malloc (size + 1);

  copy[0] = kind;
  if (size > 0)
    memcpy (copy + 1, data, size);
  *key = g_bytes_new_take (copy, size + 1);
  if (!g_hash_table_lookup_extended (self->known, *key, NULL, &value))
    return FALSE;
  *index = GPOINTER_TO_UINT (value);
  g_clear_pointer (key, g_bytes_unref);
  return TRUE;
}

static guint32
add_known (PdProgramBuilder *self, GBytes *key, guint32 index)
{
  g_hash_table_insert (self->known, key, GUINT_TO_POINTER (index));
  return index;
}

/* ---- life */

PdProgramBuilder *
pd_program_builder_new (guint32 n_ranks, PdAmountUnit unit)
{
  g_return_val_if_fail (n_ranks >= 1 && n_ranks <= PD_PROGRAM_MAX_RANKS, NULL);

  PdProgramBuilder *self = g_new0 (PdProgramBuilder, 1);
  self->unit = unit;
  self->comms = runs_new (sizeof (guint32));
  self->counts = runs_new (sizeof (gint64));
  self->strings = runs_new (sizeof (char));
  self->intervals = g_array_new (FALSE, FALSE, sizeof (PdBuiltInterval));
  self->sites = g_array_new (FALSE, FALSE, sizeof (PdBuiltSite));
  self->known =
      g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify) g_bytes_unref, NULL);
  runs_add (&self->comms, NULL, 0);
  self->n_ranks = n_ranks;
  self->recorded_share = 1;
  self->ranks = g_new0 (PdProgramRank, n_ranks);
  return self;
}

void
pd_program_builder_free (PdProgramBuilder *self)
{
  if (self == NULL)
    return;
  for (guint32 rank = 0; self->whole == NULL && rank < self->n_ranks; rank++)
    pd_chunks_free (&self->ranks[rank]);
  if (self->whole == NULL)
    g_free (self->ranks);
  g_free (self->owners);
  pd_vector_clear (&self->claimed);
  pd_vector_clear (&self->samples);
  g_free (self->first_sample);
  pd_packer_free (self->packer);
  pd_folder_free (self->folder);
  g_free (self->spans);
  g_free (self->usages);
  pd_runs_clear (&self->comms);
  pd_runs_clear (&self->counts);
  pd_runs_clear (&self->strings);
  g_clear_pointer (&self->intervals, g_array_unref);
  g_clear_pointer (&self->sites, g_array_unref);
  g_hash_table_unref (self->known);
  g_free (self);
}

static void
need_spans (PdProgramBuilder *self)
{
  if (self->spans != NULL)
    return;
  self->spans = g_new (PdRecordedSpan, self->n_ranks);
  for (guint32 rank = 0; rank < self->n_ranks; rank++)
    self->spans[rank] = (PdRecordedSpan){ .end = PD_TIME_PENDING };
}

guint64
pd_program_builder_get_n_actions (const PdProgramBuilder *self, guint32 rank)
{
  return rank < self->n_ranks ? self->ranks[rank].n_actions : 0;
}

guint32
pd_program_builder_get_comm_size (const PdProgramBuilder *self, guint32 comm)
{
  if (comm == 0)
    return self->n_ranks;
  return (guint32) (g_array_index (self->comms.first, guint64, comm + 1)
                    - g_array_index (self->comms.first, guint64, comm));
}

/* ---- tables */

guint32
pd_program_builder_add_comm (PdProgramBuilder *self, const guint32 *ranks, guint32 n,
                             GError **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  for (guint32 i = 0; i < n; i++)
    if (ranks[i] >= self->n_ranks || !g_hash_table_add (seen, GUINT_TO_POINTER (ranks[i] + 1)))
      {
        g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_VALUE,
                     "communicator with rank %u %s; there are %u ranks", ranks[i],
                     ranks[i] >= self->n_ranks ? "that does not exist" : "twice", self->n_ranks);
        return 0;
      }
  if (n == 0)
    {
      g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_VALUE, "communicator without members");
      return 0;
    }
  return runs_add (&self->comms, ranks, n);
}

guint32
pd_program_builder_add_counts (PdProgramBuilder *self, const gint64 *values, guint32 n)
{
  GBytes *key;
  guint32 index;

  if (find_known (self, 'c', values, n * sizeof *values, &key, &index))
    return index;
  return add_known (self, key, runs_add (&self->counts, values, n));
}

guint32
pd_program_builder_add_string (PdProgramBuilder *self, const char *text)
{
  gsize size = strlen (text) + 1;
  GBytes *key;
  guint32 index;

  if (find_known (self, 's', text, size, &key, &index))
    return index;
  return add_known (self, key, runs_add (&self->strings, text, (guint) size));
}

guint32
pd_program_builder_add_interval (PdProgramBuilder *self, const PdProgramInterval *interval)
{
  PdBuiltInterval own = { pd_program_builder_add_string (self, interval->name),
                          pd_program_builder_add_string (self, interval->file), interval->line,
                          interval->index };
  GBytes *key;
  guint32 index;

  if (find_known (self, 'i', &own, sizeof own, &key, &index))
    return index;
  g_array_append_val (self->intervals, own);
  return add_known (self, key, self->intervals->len - 1);
}

guint32
pd_program_builder_add_site (PdProgramBuilder *self, const PdProgramSite *site)
{
  PdBuiltSite own = { pd_program_builder_add_string (self, site->file),
                      pd_program_builder_add_string (self, site->function), site->line,
                      site->parent, 0 };
  GBytes *key;
  guint32 index;

  g_return_val_if_fail (site->parent == PD_PROGRAM_NONE || site->parent < self->sites->len,
                        PD_PROGRAM_NONE);
  if (find_known (self, 'p', &own, sizeof own, &key, &index))
    return index;
  g_array_append_val (self->sites, own);
  return add_known (self, key, self->sites->len - 1);
}

void
pd_program_builder_set_recorded_begin (PdProgramBuilder *self, guint32 rank, PdTime begin)
{
  g_return_if_fail (rank < self->n_ranks);

  need_spans (self);
  self->spans[rank].begin = begin;
}

void
pd_program_builder_set_recorded_end (PdProgramBuilder *self, guint32 rank, PdTime end)
{
  g_return_if_fail (rank < self->n_ranks);

  need_spans (self);
  self->spans[rank].end = end;
}

void
pd_program_builder_set_recorded_init (PdProgramBuilder *self, guint32 rank, PdTime init)
{
  g_return_if_fail (rank < self->n_ranks && init.ps >= 0);

  need_spans (self);
  self->spans[rank].init = init;
}

void
pd_program_builder_set_recorded_finalize (PdProgramBuilder *self, guint32 rank, PdTime finalize)
{
  g_return_if_fail (rank < self->n_ranks && finalize.ps >= 0);

  need_spans (self);
  self->spans[rank].finalize = finalize;
}

void
pd_program_builder_set_recorded_usage (PdProgramBuilder *self, guint32 rank,
                                       const PdRecordedUsage *usage)
{
  g_return_if_fail (rank < self->n_ranks && usage->n_switches >= -1 && usage->memory >= -1
                    && usage->waited.ps >= -1);

  if (self->usages == NULL)
    {
      self->usages = g_new (PdRecordedUsage, self->n_ranks);
      for (guint32 i = 0; i < self->n_ranks; i++)
        pd_recorded_usage_init (&self->usages[i]);
    }
  self->usages[rank] = *usage;
}

void
pd_program_builder_set_call_cost (PdProgramBuilder *self, PdCallCost kind, PdTime cost)
{
  g_return_if_fail (kind < PD_N_CALL_COSTS && cost.ps >= 0);

  self->call_costs[kind] = cost;
}

void
pd_program_builder_set_recorded_clock (PdProgramBuilder *self, PdRecordedClock clock)
{
  g_return_if_fail (clock < PD_N_CLOCKS);

  self->recorded_clock = clock;
}

void
pd_program_builder_set_recorded_share (PdProgramBuilder *self, gdouble share)
{
  g_return_if_fail (share >= 0 && share <= 1);

  self->recorded_share = share;
}

/* ---- actions */

void
pd_program_builder_make_outline (PdProgramBuilder *self)
{
  self->is_outline = TRUE;
}

void
pd_program_builder_pack (PdProgramBuilder *self)
{
  if (self->packer == NULL)
    self->packer = pd_packer_new ();
}

void
pd_program_builder_fold (PdProgramBuilder *self)
{
  if (self->folder == NULL)
    self->folder = pd_folder_new ();
}

void
pd_program_builder_sample (PdProgramBuilder *self)
{
  g_return_if_fail (self->packer == NULL);

  self->is_sampled = TRUE;
}

/* Whether the amount of @action becomes a sample. */
static inline gboolean
is_sampled (const PdProgramBuilder *self, const PdAction *action)
{
  return self->is_sampled && (action->kind == PD_ACT_COMPUTE || action->kind == PD_ACT_LOCAL);
}

static void
add_sample (PdProgramBuilder *self, PdProgramRank *own, PdAmount amount)
{
  pd_samples_add (&own->samples, amount);
  own->n_samples++;
  self->has_loops = TRUE;
}

static void
add_cells (PdProgramBuilder *self, PdProgramRank *own, const PdAction *action)
{
  gboolean sampled = is_sampled (self, action);

  if (sampled)
    add_sample (self, own, action->amount);
  if (self->folder != NULL)
    self->has_loops |= pd_chunks_fold (own, self->folder, action);
  if (own->follower != NULL && pd_chunks_follow (own, action, sampled))
    return;
  PdProgramCell *cell = pd_chunks_add (own, action);
  if (sampled)
    pd_action_make_sampled (cell);
}

/* Adds @action if the rank follows a loop of which it is the next one: but for its amount it has
 * been checked. */
static gboolean
follow (PdProgramBuilder *self, PdProgramRank *own, const PdAction *action)
{
  gboolean sampled = is_sampled (self, action);

  if (action->kind >= PD_N_ACTS || (sampled && !pd_program_builder_is_sample (self, action->amount))
      || !pd_chunks_follow (own, action, sampled))
    return FALSE;
  if (sampled)
    add_sample (self, own, action->amount);
  own->n_actions++;
  return TRUE;
}

/* Likewise computation whose amount is a sample. */
static inline gboolean
follow_compute (PdProgramBuilder *self, guint32 rank, PdTime amount)
{
  static const PdProgramCell cell = { .kind = PD_CELL_SAMPLE, .request = PD_ACT_COMPUTE };
  PdProgramRank *own = &self->ranks[rank];

  if (own->follower == NULL || amount.ps < 0 || !pd_follower_take (own->follower, &cell, 1))
    return FALSE;
  add_sample (self, own, (PdAmount){ .time = amount });
  own->n_actions++;
  return TRUE;
}

/* Whether an action of a known shape, which is packed, cannot be wrong: so are most. */
static inline gboolean
is_plain (const PdProgramBuilder *self, const PdProgramRank *own, const PdAction *action)
{
  return self->unit == PD_AMOUNT_TIME && action->amount.time.ps >= 0 && action->file_bytes >= 0
         && action->request <= own->n_actions && action->request < G_MAXUINT32
         && action->n_slots == 0 && action->n_done == 0;
}

/* Of what has the shape of another action only the rest is checked. */
static gboolean
check (PdProgramBuilder *self, guint32 rank, const PdAction *action, gboolean is_known,
       GError **error)
{
  if (is_known ? pd_program_builder_check_values (self, rank, action, error)
               : pd_program_builder_check (self, rank, action, error))
    return TRUE;
  if (self->packer != NULL)
    pd_packer_forget (self->packer);
  return FALSE;
}

gboolean
pd_program_builder_add (PdProgramBuilder *self, guint32 rank, const PdAction *action,
                        GError **error)
{
  gboolean is_known = self->packer != NULL && pd_packer_find (self->packer, rank, action);

  if (rank < self->n_ranks && self->ranks[rank].follower != NULL
      && follow (self, &self->ranks[rank], action))
    return TRUE;
  if ((!is_known || !is_plain (self, &self->ranks[rank], action))
      && !check (self, rank, action, is_known, error))
    return FALSE;

  PdProgramRank *own = &self->ranks[rank];
  if (self->packer != NULL)
    pd_chunks_pack (own, self->packer, action, !is_known);
  else if (!self->is_outline)
    add_cells (self, own, action);
  if (!is_known)
    self->kinds |= pd_kinds_of (action);
  own->n_actions++;
  if (action->n_slots > 0)
    own->n_slots = MAX (own->n_slots, (guint32) pd_action_get_slots_end (action));
  else if (pd_action_has_request (action->kind))
    own->n_slots = MAX (own->n_slots, action->request + 1);
  return TRUE;
}

gboolean
pd_program_builder_add_compute (PdProgramBuilder *self, guint32 rank, PdTime amount,
                                gint64 processor, GError **error)
{
  gboolean with_processor = processor >= 0;
  PdAction action;

  if (self->packer != NULL && amount.ps > 0
      && pd_packer_find_compute (self->packer, rank, with_processor))
    {
      pd_chunks_pack_compute (&self->ranks[rank], self->packer, amount, processor);
      self->ranks[rank].n_actions++;
      return TRUE;
    }
  if (self->is_sampled && !with_processor && rank < self->n_ranks
      && follow_compute (self, rank, amount))
    return TRUE;
  pd_action_init (&action, PD_ACT_COMPUTE);
  action.amount.time = amount;
  action.processor = with_processor ? processor : -1;
  if (!pd_program_builder_add (self, rank, &action, error))
    return FALSE;
  if (self->packer != NULL && amount.ps > 0)
    pd_packer_note_compute (self->packer, with_processor);
  return TRUE;
}

/* ---- the end */

static void
move_intervals (PdProgramBuilder *self, PdProgram *program)
{
  program->intervals =
      g_array_sized_new (FALSE, FALSE, sizeof (PdProgramInterval), self->intervals->len);
  for (guint i = 0; i < self->intervals->len; i++)
    {
      const PdBuiltInterval *own = &g_array_index (self->intervals, PdBuiltInterval, i);
      PdProgramInterval interval = { pd_program_get_string (program, own->name),
                                     pd_program_get_string (program, own->file), own->line,
                                     own->index };
      g_array_append_val (program->intervals, interval);
    }
}

/* Of the cells that have been added last. */
static void
fold_rest (PdProgramBuilder *self)
{
  for (guint32 rank = 0; self->folder != NULL && rank < self->n_ranks; rank++)
    self->has_loops |= pd_chunks_fold_rest (&self->ranks[rank], self->folder);
}

PdProgram *
pd_program_builder_finish (PdProgramBuilder *self)
{
  PdProgram *program = g_new0 (PdProgram, 1);

  fold_rest (self);

  program->n_ranks = self->n_ranks;
  program->unit = self->unit;
  program->kinds = self->kinds;
  program->n_actions = g_new (guint64, self->n_ranks);
  program->n_slots = g_new (guint32, self->n_ranks);
  for (guint32 rank = 0; rank < self->n_ranks; rank++)
    {
      program->n_actions[rank] = self->ranks[rank].n_actions;
      program->n_slots[rank] = self->ranks[rank].n_slots;
    }
  if (self->packer != NULL)
    pd_chunks_move_packed (self->ranks, program);
  else
    pd_chunks_move (self->ranks, program, self->n_parts > 0);
  pd_program_builder_give_loops (self, program);
  program->spans = g_steal_pointer (&self->spans);
  program->usages = g_steal_pointer (&self->usages);
  program->recorded_share = self->recorded_share;
  program->recorded_clock = self->recorded_clock;
  memcpy (program->call_costs, self->call_costs, sizeof program->call_costs);
  program->sites = g_steal_pointer (&self->sites);
  program->comms = self->comms;
  program->counts = self->counts;
  program->strings = self->strings;
  self->comms = self->counts = self->strings = (PdRuns){ NULL, NULL };
  move_intervals (self, program);
  pd_program_builder_free (self);
  return program;
}
