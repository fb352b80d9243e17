/* Lanes: their life, and whose turn it is.
 * SPDX-License-Identifier: MIT */
#include "comsys/batch/pd-batch-private.h"

#include "comsys/batch/pd-batch-coll-private.h"
#include "comsys/batch/pd-batch-costs-private.h"
#include "comsys/batch/pd-batch-p2p-private.h"
#include "comsys/batch/pd-batch.h"
#include "comsys/queue/pd-lines.h"
#include "comsys/state/pd-comsys-data.h"

#define RANK_LINES (sizeof (PdBatchRank) / 64)

G_STATIC_ASSERT (sizeof (PdBatchRank) % 64 == 0 && sizeof (PdBatchReq) % 64 == 0
                 && sizeof (PdBatchNetwork) % 64 == 0);

PdBatch *
pd_batch_new (PdComsys *const *comsys, guint k, char **reason)
{
  g_return_val_if_fail (k >= 1 && k <= PD_BATCH_SIZE, NULL);

  if (!pd_batch_compare (comsys, k, reason))
    return NULL;
  PdBatch *self = pd_lines_resize (NULL, 0, (sizeof (PdBatch) + 63) / 64);
  for (guint i = 0; i < PD_BATCH_SIZE; i++)
    self->comsys[i] = comsys[i < k ? i : 0];
  self->k = k;
  self->n_ranks = comsys[0]->n_ranks;
  self->ranks = pd_lines_resize (NULL, 0, self->n_ranks * RANK_LINES);
  for (guint32 rank = 0; rank < self->n_ranks; rank++)
    self->ranks[rank].world = rank;
  self->ready_mask = 1;
  while (self->ready_mask < self->n_ranks)
    self->ready_mask = 2 * self->ready_mask + 1;
  self->ready = g_new (guint32, (gsize) self->ready_mask + 1);
  self->n_reqs = 1;
  self->reqs_room = 1024;
  self->reqs = pd_lines_resize (NULL, 0, self->reqs_room * sizeof (PdBatchReq) / 64);
  pd_batch_costs_init (self);
  return self;
}

void
pd_batch_free (PdBatch *self)
{
  if (self == NULL)
    return;
  pd_batch_costs_clear (self);
  pd_lines_free (self->ranks, self->n_ranks * RANK_LINES);
  if (self->execs != NULL)
    pd_lines_free (self->execs, self->n_ranks * sizeof (PdExecution) / 64);
  g_clear_pointer (&self->nonblockings, g_ptr_array_unref);
  pd_lines_free (self->reqs, self->reqs_room * sizeof (PdBatchReq) / 64);
  pd_hash_map_clear (&self->queues);
  g_free (self->ready);
  pd_lines_free (self, (sizeof (PdBatch) + 63) / 64);
}

PdBatchRank *
pd_batch_get_rank (PdBatch *self, guint32 rank)
{
  return &self->ranks[rank];
}

void
pd_batch_ready (PdBatch *self, guint32 rank)
{
  self->ready[(self->ready_first + self->n_ready++) & self->ready_mask] = rank;
}

void
pd_batch_rank_ready (PdBatch *self, PdBatchRank *rank)
{
  PdBatchNonblocking *nonblocking = (PdBatchNonblocking *) rank;

  if (!rank->is_nonblocking)
    {
      pd_batch_ready (self, rank->world);
      return;
    }
  nonblocking->next = self->to_go_on;
  self->to_go_on = nonblocking;
}

/* None is called by another. */
static void
continue_nonblocking (PdBatch *self)
{
  while (self->to_go_on != NULL)
    {
      PdBatchNonblocking *nonblocking = self->to_go_on;
      self->to_go_on = nonblocking->next;
      pd_batch_end_wait (self, &nonblocking->rank);
      pd_batch_continue_nonblocking (self, nonblocking);
    }
}

gboolean
pd_batch_next (PdBatch *self, guint32 *rank)
{
  continue_nonblocking (self);
  if (self->n_ready == 0)
    return FALSE;
  *rank = self->ready[self->ready_first++ & self->ready_mask];
  self->n_ready--;
  return TRUE;
}

gboolean
pd_batch_resume (PdBatch *self, guint32 rank)
{
  PdBatchRank *r = &self->ranks[rank];

  pd_batch_end_wait (self, r);
  return r->exec == NULL || pd_batch_continue_collective (self, r);
}

void
pd_batch_note_clock (PdBatch *self, guint32 rank)
{
  pd_batch_check_clock (self, &self->ranks[rank].clock);
}

gboolean
pd_batch_is_sound (const PdBatch *self)
{
  gint64 seen = 0;

  for (guint i = 0; i < PD_BATCH_SIZE; i++)
    seen |= self->seen.ps[i];
  return !self->too_large && !self->has_truncated && self->n_unmatched == 0 && seen >= 0
         && seen < PD_BATCH_TIME_LIMIT;
}

void
pd_batch_get_counts (const PdBatch *self, guint64 *n_messages, PdTimeSum *n_bytes)
{
  *n_messages = self->n_messages;
  *n_bytes = self->n_bytes;
}
