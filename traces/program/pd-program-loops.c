/* Programs with loops: building, and asking.
 * SPDX-License-Identifier: MIT */
#include "traces/program/pd-action-private.h"
#include "traces/program/pd-program-builder.h"
#include "traces/program/pd-program-check-private.h"

#include <math.h>

gboolean
pd_program_has_loops (const PdProgram *self)
{
  return self->has_loops;
}

/* ---- loops */

gboolean
pd_program_builder_begin_loop (PdProgramBuilder *self, guint32 rank)
{
  g_return_val_if_fail (rank < self->n_ranks, FALSE);
  g_return_val_if_fail (self->packer == NULL && self->folder == NULL, FALSE);
  g_return_val_if_fail (self->n_loops == 0 || self->loop_rank == rank, FALSE);

  const PdProgramRank *own = &self->ranks[rank];

  if (self->n_loops == PD_LOOPS_DEPTH)
    return FALSE;
  self->loop_rank = rank;
  self->loops[self->n_loops++] = (PdOpenLoop){ own->last, own->last != NULL ? own->last->n : 0,
                                               own->n_actions, own->n_samples, 0 };
  return TRUE;
}

/* Cells since the loop began. */
static guint64
count_cells (const PdProgramRank *own, const PdOpenLoop *loop)
{
  const PdChunk *chunk = loop->chunk != NULL ? loop->chunk : own->first;
  guint64 n = 0;

  for (; chunk != NULL; chunk = chunk->next)
    n += chunk->n;
  return n - loop->n;
}

gboolean
pd_program_builder_end_loop (PdProgramBuilder *self, guint32 count, GError **error)
{
  g_return_val_if_fail (self->n_loops > 0 && count >= 1, FALSE);

  PdProgramRank *own = &self->ranks[self->loop_rank];
  PdOpenLoop *loop = &self->loops[--self->n_loops];
  guint64 n = count_cells (own, loop), n_actions = own->n_actions - loop->n_actions;
  guint64 most = PD_PROGRAM_MAX_ACTIONS - MIN (loop->n_actions, PD_PROGRAM_MAX_ACTIONS);

  if (n_actions > most / count || n > G_MAXINT32)
    {
      g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_LIMIT,
                   "a loop of %" G_GUINT64_FORMAT " actions, repeated %u times, expected at most "
                   "2^40 actions in all",
                   n_actions, count);
      return FALSE;
    }
  if (self->n_loops > 0)
    loop[-1].level = (guint8) MAX (loop[-1].level, loop->level + (count > 1 ? 1 : 0));
  if (count == 1 || n_actions == 0)
    return TRUE;
  own->n_actions = loop->n_actions + n_actions * count;
  own->n_samples = loop->n_samples + (own->n_samples - loop->n_samples) * count;
  self->has_loops = TRUE;
  if (!self->is_outline)
    pd_chunks_add_cell (
        own, (PdProgramCell){
                 .kind = PD_CELL_LOOP, .comm = loop->level, .peer = (gint32) n, .bytes = count });
  return TRUE;
}

/* ---- samples */

gboolean
pd_program_builder_add_samples (PdProgramBuilder *self, const PdAmount *amounts, gsize n,
                                guint64 *first, GError **error)
{
  for (gsize i = 0; i < n; i++)
    if (self->unit == PD_AMOUNT_TIME ? amounts[i].time.ps < 0
                                     : !isfinite (amounts[i].flops) || amounts[i].flops < 0)
      {
        g_set_error_literal (error, PD_TRACE_ERROR, PD_TRACE_ERROR_VALUE,
                             "a sample of a negative or infinite amount");
        return FALSE;
      }
  if (self->samples == NULL)
    self->samples = g_array_new (FALSE, FALSE, sizeof (PdAmount));
  *first = self->samples->len;
  if (n > G_MAXUINT32 / sizeof (PdAmount) - self->samples->len)
    {
      g_set_error_literal (error, PD_TRACE_ERROR, PD_TRACE_ERROR_LIMIT, "too many samples");
      return FALSE;
    }
  if (n > 0)
    g_array_append_vals (self->samples, amounts, (guint) n);
  return TRUE;
}

void
pd_program_builder_set_samples (PdProgramBuilder *self, guint32 rank, guint64 first)
{
  g_return_if_fail (rank < self->n_ranks && self->samples != NULL && first <= self->samples->len);

  if (self->first_sample == NULL)
    self->first_sample = g_new0 (guint64, self->n_ranks);
  self->first_sample[rank] = first;
}

gboolean
pd_program_builder_add_sampled (PdProgramBuilder *self, guint32 rank, const PdAction *action,
                                GError **error)
{
  PdProgramRank *own = &self->ranks[rank];

  g_return_val_if_fail (self->packer == NULL && action->amount.time.ps == 0, FALSE);
  g_return_val_if_fail (action->kind == PD_ACT_COMPUTE || action->kind == PD_ACT_LOCAL, FALSE);

  if (!pd_program_builder_check (self, rank, action, error))
    return FALSE;
  if (!self->is_outline)
    {
      PdProgramCell *cell = pd_chunks_add (own, action);
      cell->kind = (guint8) (PD_CELL_SAMPLE | (cell->kind & PD_CELL_MORE));
      cell->request = (guint16) action->kind;
    }
  self->kinds |= pd_kinds_of (action);
  self->has_loops = TRUE;
  own->n_samples++;
  own->n_actions++;
  return TRUE;
}

/* ---- the end */

void
pd_program_builder_give_loops (PdProgramBuilder *self, PdProgram *program)
{
  g_assert (self->n_loops == 0);
  for (guint32 rank = 0; rank < self->n_ranks; rank++)
    if (self->ranks[rank].n_samples > 0)
      g_assert (self->first_sample != NULL
                && self->first_sample[rank] + self->ranks[rank].n_samples <= self->samples->len);
  program->has_loops = self->has_loops;
  program->samples = g_steal_pointer (&self->samples);
  program->first_sample = g_steal_pointer (&self->first_sample);
}
