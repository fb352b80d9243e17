/* Programs with loops: building, and asking.
 * SPDX-License-Identifier: MIT */
#include "traces/program/pd-action-private.h"
#include "traces/program/pd-action.h"
#include "traces/program/pd-program-builder.h"
#include "traces/program/pd-program-check-private.h"

#include <math.h>
#include <string.h>

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
  g_return_val_if_fail (self->packer == NULL && self->folder == NULL && !self->is_sampled, FALSE);
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

/* ---- repetitions */

/* A body of fewer cells, times repetitions, is not worth a loop. */
#define MIN_REPEATED 4

void
pd_program_builder_get_place (const PdProgramBuilder *self, guint32 rank, PdProgramPlace *place)
{
  const PdProgramRank *own = &self->ranks[rank];

  place->chunk = own->follower == NULL ? own->last : NULL;
  if (place->chunk == NULL)
    return;
  place->n = own->last->n;
  place->n_actions = own->n_actions;
  place->n_moves = own->n_moves;
}

/* The cells from @place to @until, or to the last one where that is %NULL: how many they are, and
 * the level of a loop of them. FALSE: there cannot be such a loop, as it would have a part of
 * another one, or be too deep; or @until is not behind @place. */
static gboolean
measure (const PdProgramPlace *place, const PdProgramPlace *until, guint64 *n, guint8 *level)
{
  gsize first = place->n;
  gboolean is_end = FALSE;

  *n = *level = 0;
  for (const PdChunk *chunk = place->chunk; chunk != NULL && !is_end;
       chunk = chunk->next, first = 0)
    {
      is_end = until != NULL && chunk == until->chunk;
      const PdProgramCell *cell = chunk->cells + first;
      const PdProgramCell *end = chunk->cells + (is_end ? until->n : chunk->n);
      if (cell > end)
        return FALSE;
      for (const PdProgramCell *next; cell != end; *n += (guint64) (next - cell), cell = next)
        {
          gboolean is_loop = cell->kind == PD_CELL_LOOP;
          if (is_loop && *n < (guint64) cell->peer)
            return FALSE;
          if (is_loop)
            *level = MAX (*level, (guint8) (cell->comm + 1));
          next = is_loop ? cell + 1 : pd_action_skip (cell);
        }
    }
  return *level < PD_LOOPS_DEPTH && (until == NULL || is_end);
}

/* Whether nothing has moved since the rank was at @place. */
static gboolean
is_valid (const PdProgramRank *own, const PdProgramPlace *place)
{
  return place->chunk != NULL && place->n_moves == own->n_moves && own->follower == NULL;
}

gboolean
pd_program_builder_has_place (const PdProgramBuilder *self, guint32 rank,
                              const PdProgramPlace *place)
{
  return is_valid (&self->ranks[rank], place);
}

/* @n cells since @place become a loop, the first @n_more of which come once more behind it. */
static void
add_loop (PdProgramRank *own, const PdProgramPlace *place, PdProgramCell loop, gsize n_more)
{
  pd_chunks_gather (own, place->chunk, place->n);
  pd_chunks_add_cell (own, loop);
  own->last->folded = own->last->n;
  if (n_more == 0)
    return;
  pd_chunks_add_cells (own, own->last->cells + own->last->n - 1 - loop.peer, n_more);
  own->last->folded = own->last->n;
}

gboolean
pd_program_builder_repeat (PdProgramBuilder *self, guint32 rank, const PdProgramPlace *place,
                           guint32 times, const PdProgramPlace *end)
{
  g_return_val_if_fail (self->packer == NULL && !self->is_sampled && self->n_loops == 0, FALSE);

  PdProgramRank *own = &self->ranks[rank];
  guint64 n_actions = own->n_actions - place->n_actions;
  guint64 n, n_more = 0;
  guint8 level, level_more;

  if (!is_valid (own, place) || n_actions == 0 || times >= G_MAXUINT32 - 1
      || n_actions
             > (PD_PROGRAM_MAX_ACTIONS - MIN (own->n_actions, PD_PROGRAM_MAX_ACTIONS)) / (times + 1)
      || !measure (place, NULL, &n, &level) || n > G_MAXINT32 || n * times < MIN_REPEATED
      || (end != NULL && (!is_valid (own, end) || !measure (place, end, &n_more, &level_more))))
    return FALSE;
  add_loop (own, place,
            (PdProgramCell){
                .kind = PD_CELL_LOOP, .comm = level, .peer = (gint32) n, .bytes = times + 1 },
            n_more);
  if (self->folder != NULL)
    pd_folder_forget (self->folder);
  own->n_actions += n_actions * times + (end != NULL ? end->n_actions - place->n_actions : 0);
  self->has_loops = TRUE;
  return TRUE;
}

/* ---- samples */

void
pd_samples_add (PdVector *samples, PdAmount amount)
{
  guint64 number = (guint64) amount.time.ps;
  guint first = number % 1000 == 0 ? PD_SAMPLE_THOUSANDS : 0;

  if (samples->room - samples->n < PD_SAMPLE_MAX + PD_SAMPLES_SPARE)
    pd_vector_reserve (samples, samples->n + samples->n / 2 + 64, 1);
  if (first != 0)
    number /= 1000;
  guint8 *to = (guint8 *) samples->data + samples->n;
  gboolean is_wide = number >> (8 * PD_SAMPLE_WIDE - PD_SAMPLE_BITS) != 0;
  guint64 word = (is_wide ? 0 : number << PD_SAMPLE_BITS) | first;
  guint more = is_wide ? PD_SAMPLE_WIDE : (63 - (guint) __builtin_clzll (word | 1)) / 8;
  word = GUINT64_TO_LE (word | more);
  memcpy (to, &word, sizeof word);
  number = GUINT64_TO_LE (number);
  if (is_wide)
    memcpy (to + 1, &number, sizeof number);
  samples->n += 1 + more + (is_wide ? 1 : 0);
}

gboolean
pd_program_builder_is_sample (const PdProgramBuilder *self, PdAmount amount)
{
  return self->unit == PD_AMOUNT_TIME ? amount.time.ps >= 0
                                      : isfinite (amount.flops) && amount.flops >= 0;
}

gboolean
pd_program_builder_add_samples (PdProgramBuilder *self, const PdAmount *amounts, gsize n,
                                guint64 *first, GError **error)
{
  for (gsize i = 0; i < n; i++)
    if (!pd_program_builder_is_sample (self, amounts[i]))
      {
        g_set_error_literal (error, PD_TRACE_ERROR, PD_TRACE_ERROR_VALUE,
                             "a sample of a negative or infinite amount");
        return FALSE;
      }
  *first = self->samples.n;
  for (gsize i = 0; i < n; i++)
    pd_samples_add (&self->samples, amounts[i]);
  return TRUE;
}

void
pd_program_builder_set_samples (PdProgramBuilder *self, guint32 rank, guint64 first)
{
  g_return_if_fail (rank < self->n_ranks && first <= self->samples.n);

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
    pd_action_make_sampled (pd_chunks_add (own, action));
  self->kinds |= pd_kinds_of (action);
  self->has_loops = TRUE;
  own->n_samples++;
  own->n_actions++;
  return TRUE;
}

/* ---- the end */

/* Moves the samples that ranks have for themselves behind those that they share. */
static void
move_samples (PdProgramBuilder *self)
{
  gsize size = self->samples.n;

  for (guint32 rank = 0; rank < self->n_ranks; rank++)
    size += self->ranks[rank].samples.n;
  if (size == 0)
    return;
  pd_vector_reserve (&self->samples, size + PD_SAMPLES_SPARE, 1);
  for (guint32 rank = 0; self->is_sampled && rank < self->n_ranks; rank++)
    {
      PdVector *own = &self->ranks[rank].samples;
      pd_program_builder_set_samples (self, rank, self->samples.n);
      if (own->n > 0)
        memcpy ((guint8 *) self->samples.data + self->samples.n, own->data, own->n);
      self->samples.n += own->n;
      pd_vector_clear (own);
    }
  memset ((guint8 *) self->samples.data + self->samples.n, 0, PD_SAMPLES_SPARE);
  self->samples.n += PD_SAMPLES_SPARE;
}

void
pd_program_builder_give_loops (PdProgramBuilder *self, PdProgram *program)
{
  g_assert (self->n_loops == 0);
  if (self->packer == NULL)
    move_samples (self);
  for (guint32 rank = 0; rank < self->n_ranks; rank++)
    if (self->ranks[rank].n_samples > 0)
      g_assert (self->first_sample != NULL
                && self->first_sample[rank] + self->ranks[rank].n_samples <= self->samples.n);
  program->has_loops = self->has_loops;
  program->samples = self->samples;
  self->samples = (PdVector){ .data = NULL };
  program->first_sample = g_steal_pointer (&self->first_sample);
}
