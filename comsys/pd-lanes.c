/* Lanes: their life, and whose turn it is.
 * SPDX-License-Identifier: MIT */
#include "comsys/pd-lanes-private.h"

#define RANK_LINES (sizeof (PdLaneRank) / 64)

G_STATIC_ASSERT (sizeof (PdLaneRank) % 64 == 0 && sizeof (PdLaneReq) % 64 == 0
                 && sizeof (PdLaneNetwork) % 64 == 0);

static void
create_queues (PdLanes *self)
{
  self->queues_mask = 1023;
  self->queues = g_new (PdLaneQueue, self->queues_mask + 1);
  for (gsize i = 0; i <= self->queues_mask; i++)
    self->queues[i] = (PdLaneQueue){ .what = G_MAXUINT64 };
  self->n_reqs = 1;
  self->reqs_room = 1024;
  self->reqs = pd_lines_resize (NULL, 0, self->reqs_room * sizeof (PdLaneReq) / 64);
}

PdLanes *
pd_lanes_new (PdComsys *const *comsys, guint k, char **reason)
{
  g_return_val_if_fail (k >= 1 && k <= PD_LANES_N, NULL);

  if (!pd_lanes_compare (comsys, k, reason))
    return NULL;
  PdLanes *self = pd_lines_resize (NULL, 0, (sizeof (PdLanes) + 63) / 64);
  for (guint i = 0; i < PD_LANES_N; i++)
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
  create_queues (self);
  pd_lanes_costs_init (self);
  return self;
}

void
pd_lanes_free (PdLanes *self)
{
  if (self == NULL)
    return;
  pd_lanes_costs_clear (self);
  g_clear_pointer (&self->meetings, g_hash_table_unref);
  pd_lines_free (self->ranks, self->n_ranks * RANK_LINES);
  if (self->plays != NULL)
    pd_lines_free (self->plays, self->n_ranks * sizeof (PdPlay) / 64);
  g_clear_pointer (&self->besides, g_ptr_array_unref);
  pd_lines_free (self->reqs, self->reqs_room * sizeof (PdLaneReq) / 64);
  g_free (self->queues);
  g_free (self->ready);
  pd_lines_free (self, (sizeof (PdLanes) + 63) / 64);
}

PdLaneRank *
pd_lanes_get_rank (PdLanes *self, guint32 rank)
{
  return &self->ranks[rank];
}

void
pd_lanes_ready (PdLanes *self, guint32 rank)
{
  self->ready[(self->ready_first + self->n_ready++) & self->ready_mask] = rank;
}

void
pd_lane_ready (PdLanes *self, PdLaneRank *rank)
{
  PdLaneBeside *beside = (PdLaneBeside *) rank;

  if (!rank->is_beside)
    {
      pd_lanes_ready (self, rank->world);
      return;
    }
  beside->next = self->to_go_on;
  self->to_go_on = beside;
}

/* None is called by another. */
static void
go_on_beside (PdLanes *self)
{
  while (self->to_go_on != NULL)
    {
      PdLaneBeside *beside = self->to_go_on;
      self->to_go_on = beside->next;
      pd_lane_end_wait (self, &beside->rank);
      pd_lane_go_on_beside (self, beside);
    }
}

gboolean
pd_lanes_next (PdLanes *self, guint32 *rank)
{
  go_on_beside (self);
  if (self->n_ready == 0)
    return FALSE;
  *rank = self->ready[self->ready_first++ & self->ready_mask];
  self->n_ready--;
  return TRUE;
}

gboolean
pd_lanes_resume (PdLanes *self, guint32 rank)
{
  PdLaneRank *r = &self->ranks[rank];

  pd_lane_end_wait (self, r);
  return r->play == NULL || pd_lane_play_on (self, r);
}

void
pd_lanes_note_clock (PdLanes *self, guint32 rank)
{
  pd_lane_see (self, &self->ranks[rank].clock);
}

gboolean
pd_lanes_is_sound (const PdLanes *self)
{
  gint64 seen = 0;

  for (guint i = 0; i < PD_LANES_N; i++)
    seen |= self->seen.ps[i];
  return !self->too_large && self->n_unmatched == 0 && seen >= 0 && seen < PD_LANES_END;
}

void
pd_lanes_get_counts (const PdLanes *self, guint64 *n_messages, PdTimeSum *n_bytes)
{
  *n_messages = self->n_messages;
  *n_bytes = self->n_bytes;
}
