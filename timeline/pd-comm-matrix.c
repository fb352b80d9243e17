/* SPDX-License-Identifier: MIT */
#include "timeline/pd-comm-matrix.h"

static void
count (PdCommCell *cell, gint64 bytes)
{
  cell->n_messages++;
  cell->bytes += bytes;
}

void
pd_comm_matrix_add (PdCommMatrix *self, const PdTimelineMessage *message)
{
  const PdRankGroups *groups = &self->groups;

  g_return_if_fail (message->from < groups->n_ranks && message->to < groups->n_ranks);
  g_return_if_fail (message->bytes >= 0);
  count (&self->cells[message->from / groups->size * groups->n + message->to / groups->size],
         message->bytes);
  count (&self->total, message->bytes);
}

void
pd_comm_matrix_add_collectives (PdCommMatrix *self, const GArray *pairs)
{
  const PdRankGroups *groups = &self->groups;

  for (guint i = 0; i < pairs->len; i++)
    {
      const PdCommPair *pair = &g_array_index (pairs, PdCommPair, i);
      self->cells[pair->from / groups->size * groups->n + pair->to / groups->size].bytes +=
          pair->collective_bytes.ps;
      self->total.bytes += pair->collective_bytes.ps;
    }
  self->with_collectives = TRUE;
}

static void
matrix_begin (gpointer data, PdTimelineFeed *feed G_GNUC_UNUSED, const PdTimelineHead *head)
{
  PdCommMatrix *self = data;

  g_return_if_fail (self->cells == NULL);
  self->groups = pd_rank_groups (head->n_ranks, PD_COMM_MATRIX_MAX);
  self->cells = g_new0 (PdCommCell, MAX (1, (gsize) self->groups.n * self->groups.n));
}

static void
matrix_message (gpointer self, const PdTimelineMessage *message)
{
  pd_comm_matrix_add (self, message);
}

const PdTimelineClass pd_comm_matrix_class = { .begin = matrix_begin, .message = matrix_message };

PdCommMatrix *
pd_comm_matrix_new (void)
{
  return g_new0 (PdCommMatrix, 1);
}

void
pd_comm_matrix_free (PdCommMatrix *self)
{
  if (self == NULL)
    return;
  g_free (self->cells);
  g_free (self);
}

const PdCommCell *
pd_comm_matrix_get (const PdCommMatrix *self, guint32 from, guint32 to)
{
  g_return_val_if_fail (from < self->groups.n && to < self->groups.n, NULL);
  return &self->cells[from * self->groups.n + to];
}
