/* The critical path: backwards from the last end, on a rank to where it was let go
 * by another one, and from there on that one. Every moment from the beginning of
 * the first rank on it is on it once.
 * SPDX-License-Identifier: MIT */
#include "analyse/pd-path-private.h"
#include "analyse/pd-waits-private.h"

static gint
compare_intervals (gconstpointer a, gconstpointer b)
{
  const PdPathInterval *x = a, *y = b;

  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  return x->from < y->from ? -1 : x->from > y->from;
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

GArray *
pd_path_find (PdAnalysis *analysis, const PdVector *blocks)
{
  guint32 n = pd_program_get_n_ranks (analysis->program);
  g_autofree gsize *left = g_new (gsize, n); /* blocks that have not been passed */
  GArray *intervals = g_array_new (FALSE, FALSE, sizeof (PdPathInterval));
  gint64 now;
  guint32 rank = find_last (analysis, &now);

  for (guint32 i = 0; i < n; i++)
    left[i] = blocks[i].n;
  analysis->path_end = rank;
  for (;;)
    {
      const PdBlockedCall *block = NULL;
      while (left[rank] > 0 && block == NULL)
        {
          block = &pd_vector_at (&blocks[rank], PdBlock, --left[rank]).call;
          if (block->leave > now)
            block = NULL;
        }
      gint64 from = block != NULL ? block->cause : begin_of (analysis, rank);
      PdPathInterval interval = { rank, MIN (from, now), now };
      g_array_append_val (intervals, interval);
      if (block == NULL)
        break;
      now = interval.from;
      rank = block->rank;
    }
  analysis->path_begin = rank;
  analysis->path_changes = intervals->len - 1;
  g_array_sort (intervals, compare_intervals);
  return intervals;
}
