/* Predictions of one program on several machines at once: all parts put together.
 * SPDX-License-Identifier: MIT */
#include "comsys/queue/pd-lines.h"
#include "predictor/batch/pd-mp-batch-private.h"
#include "predictor/batch/pd-mp-batch-actions-private.h"
#include "predictor/batch/pd-mp-batch-accounts-private.h"
#include "predictor/mp/pd-mp-run.h"

#define RANK_LINES (sizeof (PdMpBatchRank) / 64)

/* How many actions a rank does before others have their turn, and all together: what
 * has been sent before others receive it takes memory. */
#define BUDGET     256
#define BUDGET_ALL (1u << 20)

/* Of more ranks not even one prediction is small. */
#define MAX_RANKS (1u << 16)

G_STATIC_ASSERT (sizeof (PdMpBatchRank) % 64 == 0);

/* ---- whether it can be done */

static const char *
refuse_options (const PdMpOptions *const *options, guint k, const PdProgram *program)
{
  if (pd_program_get_n_ranks (program) > MAX_RANKS)
    return "of so many ranks several predictions take too much memory";
  for (guint i = 0; i < k; i++)
    {
      const PdMpOptions *o = options[i];
      if (o->log != NULL || o->replayed != NULL || o->timeline != NULL || o->observer != NULL
          || o->one_step || o->sensitivity || o->critical != NULL)
        return "single events are wanted";
      if (o->incomplete)
        return "the trace is cut";
      if (o->simulated != options[0]->simulated)
        return "options differ";
    }
  return NULL;
}

static const char *
refuse_program (const PdMpBatch *self)
{
  const char *found = NULL;

  for (guint32 rank = 0; rank < self->n && found == NULL; rank++)
    {
      const PdProgramCell *end, *cell = pd_program_get_cells (self->program, rank, &end);
      for (; cell != end && found == NULL; cell = pd_mp_next (cell))
        found = pd_mp_batch_refuses (self, cell);
    }
  return found;
}

/* ---- life */

static void
mp_batch_free (PdMpBatch *self)
{
  if (self->ranks != NULL)
    pd_lines_free (self->ranks, self->n * RANK_LINES);
  g_free (self->slots);
  if (self->accounts != NULL)
    pd_mp_batch_accounts_free (self);
  pd_mp_barriers_free (self->barriers);
  pd_batch_free (self->batch);
  for (guint i = 0; i < self->k; i++)
    pd_mp_free (self->mps[i]);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdMpBatch, mp_batch_free)

static gboolean
has_ratios (const PdMp *mp)
{
  return mp->options->ratios != NULL || mp->machine->regions->len > 0;
}

static void
create_ranks (PdMpBatch *self)
{
  gsize n_slots = 0, at = 0;

  for (guint32 rank = 0; rank < self->n; rank++)
    n_slots += pd_program_get_n_slots (self->program, rank);
  self->slots = g_new0 (PdRequest, MAX (n_slots, 1));
  self->ranks = pd_lines_resize (NULL, 0, self->n * RANK_LINES);
  for (guint32 rank = 0; rank < self->n; rank++)
    {
      PdMpBatchRank *r = &self->ranks[rank];
      r->cell = pd_program_get_cells (self->program, rank, &r->end);
      r->slots = self->slots + at;
      r->calls = pd_batch_get_rank (self->batch, rank);
      at += pd_program_get_n_slots (self->program, rank);
      pd_mp_batch_begin (self, rank);
      pd_batch_ready (self->batch, rank);
    }
}

/* The machines of all lanes; @reason is set if that fails. */
static PdMpBatch *
mp_batch_new (const PdMpOptions *const *options, guint k, const PdProgram *program,
              PdReportRun **runs, char **reason)
{
  g_autoptr (PdMpBatch) self = g_new0 (PdMpBatch, 1);
  PdComsys *comsys[PD_BATCH_SIZE];

  self->program = program;
  self->n = pd_program_get_n_ranks (program);
  for (; self->k < k; self->k++)
    {
      PdMp *mp = pd_mp_new (options[self->k], program, self->mps[0], runs[self->k], NULL);
      self->mps[self->k] = mp;
      if (*reason == NULL && (mp == NULL || mp->noise != NULL))
        *reason = g_strdup (mp == NULL ? "a machine cannot be had" : "machines have noise");
      if (mp == NULL)
        return NULL;
      comsys[self->k] = mp->comsys;
      self->has_ratios = self->has_ratios || has_ratios (mp);
    }
  for (guint i = k; i < PD_BATCH_SIZE; i++)
    self->mps[i] = self->mps[0];
  self->is_flops = self->mps[0]->is_flops;
  if (*reason == NULL)
    self->batch = pd_batch_new (comsys, k, reason);
  return self->batch != NULL ? g_steal_pointer (&self) : NULL;
}

/* ---- running */

static gboolean
run_all (PdMpBatch *self)
{
  const volatile sig_atomic_t *stop = self->mps[0]->options->stop;
  guint budget = MIN (BUDGET, BUDGET_ALL / self->n);
  guint32 rank;

  while (pd_batch_next (self->batch, &rank))
    {
      PdMpBatchRank *r = &self->ranks[rank];
      if (stop != NULL && *stop != 0)
        return FALSE;
      if (r->state == PD_MP_CALLED)
        {
          if (!pd_batch_resume (self->batch, rank))
            continue;
          pd_mp_batch_end_call (self, rank);
        }
      gboolean through = pd_mp_batch_continue (self, rank, budget);
      pd_batch_note_clock (self->batch, rank);
      if (!through)
        continue;
      self->n_finished++;
      pd_mp_batch_finish (self, rank);
    }
  return self->n_finished == self->n && pd_batch_is_sound (self->batch);
}

/* All lanes are through: their results. */
static void
conclude (PdMpBatch *self, PdReportRun **runs, GError **errors)
{
  pd_mp_batch_charge_all (self);
  for (guint i = 0; i < self->k; i++)
    {
      if (!pd_mp_conclude (self->mps[i], runs[i], &errors[i]))
        {
          g_clear_pointer (&runs[i], pd_report_run_free);
          continue;
        }
      pd_batch_get_counts (self->batch, &runs[i]->n_messages, &runs[i]->n_bytes);
    }
}

/* Up to %PD_BATCH_SIZE; @reason is set if that was not possible. */
static gboolean
predict_at_once (const PdMpOptions *const *options, guint k, const PdProgram *program,
                 PdReportRun **runs, GError **errors, char **reason)
{
  const char *refused = refuse_options (options, k, program);
  g_autoptr (PdMpBatch) self =
      refused == NULL ? mp_batch_new (options, k, program, runs, reason) : NULL;

  if (self != NULL)
    refused = refuse_program (self);
  if (refused != NULL)
    *reason = g_strdup (refused);
  if (*reason != NULL)
    return FALSE;
  self->accounts = g_ptr_array_new ();
  self->barriers = pd_mp_batch_barriers_new (self->mps[0]->n_comms);
  create_ranks (self);
  if (!run_all (self))
    {
      *reason = g_strdup ("the program does not come to its end");
      return FALSE;
    }
  conclude (self, runs, errors);
  return TRUE;
}

static void
predict_block (const PdMpOptions *const *options, guint k, const PdProgram *program,
               PdReportRun **runs, GError **errors, char **reason)
{
  gint64 begin = g_get_monotonic_time ();

  for (guint i = 0; i < k; i++)
    runs[i] = g_new0 (PdReportRun, 1);
  if (predict_at_once (options, k, program, runs, errors, reason))
    {
      gdouble seconds = (gdouble) (g_get_monotonic_time () - begin) / 1e6;
      for (guint i = 0; i < k; i++)
        if (runs[i] != NULL)
          runs[i]->seconds = seconds / k;
      return;
    }
  for (guint i = 0; i < k; i++)
    {
      pd_report_run_free (runs[i]);
      runs[i] = pd_mp_predict_program (options[i], program, &errors[i]);
    }
}

char *
pd_mp_predict_batch (const PdMpOptions *const *options, guint k, const PdProgram *program,
                     PdReportRun **runs, GError **errors)
{
  g_autofree char *first = NULL;

  for (guint at = 0; at < k; at += PD_BATCH_SIZE)
    {
      g_autofree char *reason = NULL;
      guint n = MIN (PD_BATCH_SIZE, k - at);
      predict_block (options + at, n, program, runs + at, errors + at, &reason);
      if (first == NULL)
        first = g_steal_pointer (&reason);
    }
  return g_steal_pointer (&first);
}
