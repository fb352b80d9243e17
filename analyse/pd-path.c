/* The critical path: backwards from the last end, on a rank to where it was let go
 * by another one, and from there on that one. Every moment from the beginning of
 * the first rank on it is on it once.
 * SPDX-License-Identifier: MIT */
#include "analyse/pd-path-private.h"
#include "analyse/pd-waits-private.h"
#include "traces/program/pd-action.h"

void
pd_blocks_add (PdVector *blocks, gint64 enter, const PdBlockedCall *call)
{
  gint64 after = call->leave - call->cause;
  gboolean is_long = after >= G_MAXUINT32;
  PdBlock *own = pd_vector_extend (blocks, sizeof *own);

  *own = (PdBlock){ enter, call->cause, call->rank, is_long ? G_MAXUINT32 : (guint32) after };
  if (is_long)
    pd_vector_append (blocks, PdBlock) = (PdBlock){ call->leave, 0, PD_ANALYSIS_NONE, 0 };
}

const PdBlock *
pd_blocks_before (const PdVector *blocks, gsize *n, gint64 *leave)
{
  const PdBlock *block = &pd_vector_at (blocks, PdBlock, --*n);

  if (block->rank != PD_ANALYSIS_NONE)
    {
      *leave = block->cause + block->after;
      return block;
    }
  *leave = block->enter;
  return &pd_vector_at (blocks, PdBlock, --*n);
}

gboolean
pd_blocks_can_number (const PdVector *blocks, guint32 n_ranks, GError **error)
{
  guint64 n = 0;

  for (guint32 rank = 0; rank < n_ranks; rank++)
    n += blocks[rank].n;
  return pd_analysis_can_number (n, "calls that waited", error);
}

static gint64
begin_of (const PdAnalysis *analysis, guint32 rank)
{
  return pd_program_get_recorded_begin (analysis->program, rank).ps;
}

/* The rank that ends last, the lowest of several. */
static guint32
find_last (const PdAnalysis *analysis, gint64 *end)
{
  guint32 last = 0;

  *end = -1;
  for (guint32 rank = 0; rank < pd_program_get_n_ranks (analysis->program); rank++)
    {
      gint64 own =
          begin_of (analysis, rank) + analysis->end_times[rank].ps + analysis->paused[rank].ps;
      if (own > *end)
        {
          *end = own;
          last = rank;
        }
    }
  return last;
}

/* From the order of the path, in which times descend, to that of rank and time; of a rank's that
 * begin at one moment, in the order of the path. */
static PdVector
order_intervals (const PdVector *path, guint32 n_ranks)
{
  PdVector ordered = { 0 };
  g_autofree guint *end = g_new0 (guint, n_ranks + 1); /* of each rank: intervals to place yet */
  PdPathInterval *to = pd_vector_set_size (&ordered, path->n, sizeof *to);
  guint first = 0;

  for (guint i = 0; i < path->n; i++)
    end[pd_vector_at (path, PdPathInterval, i).rank]++;
  for (guint32 rank = 0; rank < n_ranks; rank++)
    first = end[rank] += first;
  for (guint i = 0; i < path->n; i++)
    {
      const PdPathInterval *interval = &pd_vector_at (path, PdPathInterval, i);
      to[--end[interval->rank]] = *interval;
    }
  for (guint i = 0, k; i < path->n; i = k)
    {
      for (k = i + 1; k < path->n && to[k].rank == to[i].rank && to[k].from == to[i].from; k++)
        ;
      for (guint a = i, b = k - 1; a < b; a++, b--)
        {
          PdPathInterval other = to[a];
          to[a] = to[b];
          to[b] = other;
        }
    }
  return ordered;
}

/* The stretches, by rank and time. */
static PdVector
find (PdAnalysis *analysis, const PdVector *blocks)
{
  guint32 n = pd_program_get_n_ranks (analysis->program);
  g_autofree gsize *left = g_new (gsize, n); /* blocks that have not been passed */
  PdVector intervals = { 0 };
  gint64 now;
  guint32 rank = find_last (analysis, &now);

  for (guint32 i = 0; i < n; i++)
    left[i] = blocks[i].n;
  analysis->path_end = rank;
  for (;;)
    {
      const PdBlock *block = NULL;
      gint64 leave;
      while (left[rank] > 0 && block == NULL)
        {
          block = pd_blocks_before (&blocks[rank], &left[rank], &leave);
          if (leave > now)
            block = NULL;
        }
      gint64 from = block != NULL ? block->cause : begin_of (analysis, rank);
      PdPathInterval interval = { rank, MIN (from, now), now };
      pd_vector_append (&intervals, PdPathInterval) = interval;
      if (block == NULL)
        break;
      now = interval.from;
      rank = block->rank;
    }
  analysis->path_begin = rank;
  analysis->path_changes = (guint) intervals.n - 1;
  PdVector ordered = order_intervals (&intervals, n);
  pd_vector_clear (&intervals);
  return ordered;
}

void
pd_path_init (PdPath *self, PdAnalysis *analysis, const PdVector *blocks)
{
  *self = (PdPath){ .analysis = analysis, .intervals = find (analysis, blocks) };
  analysis->path = g_new0 (PdPathShare, pd_interval_tree_get_n_nodes (analysis->tree));
}

void
pd_path_clear (PdPath *self)
{
  pd_vector_clear (&self->intervals);
}

/* ---- sharing */

/* Actions of @rank that end before the next stretch need not be asked for it. */
static void
set_from (PdPath *self, guint32 rank)
{
  const PdPathInterval *next = &pd_vector_at (&self->intervals, PdPathInterval, self->next);

  gboolean is_own = self->next < self->intervals.n && next->rank == rank;

  self->from = is_own ? next->from : G_MAXINT64;
  self->to = is_own ? next->to : G_MAXINT64;
}

void
pd_path_begin_rank (PdPath *self, guint32 rank)
{
  while (self->next < self->intervals.n
         && pd_vector_at (&self->intervals, PdPathInterval, self->next).rank < rank)
    self->next++;
  set_from (self, rank);
}

gint64
pd_path_find_share (PdPath *self, const PdReplay *replay)
{
  gint64 share = 0;

  for (guint i = self->next; i < self->intervals.n; i++)
    {
      const PdPathInterval *interval = &pd_vector_at (&self->intervals, PdPathInterval, i);
      if (interval->rank != replay->rank || interval->from >= replay->leave)
        break;
      share += MAX (MIN (interval->to, replay->leave) - MAX (interval->from, replay->enter), 0);
      if (interval->to <= replay->leave)
        self->next = i + 1;
    }
  set_from (self, replay->rank);
  return share;
}

void
pd_path_share_on (PdPath *self, const PdReplay *replay, guint32 node, PdCallSite *site,
                  gint64 share)
{
  PdAnalysis *analysis = self->analysis;

  if (share == 0)
    return;
  if (pd_action_is_pause (replay->action))
    analysis->makespan.ps -= share;
  else if (site == NULL)
    analysis->path[node].computation.ps += share;
  else
    {
      analysis->path[node].communication.ps += share;
      site->on_path.ps += share;
    }
}
