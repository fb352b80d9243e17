/* SPDX-License-Identifier: MIT */
#include "timeline/pd-timeline-bins.h"
#include "timeline/pd-timeline-feed.h"

#include <string.h>

/* Where the bins of @bin begin in sum. */
static PdTimeSum *
row_of (const PdTimelineBins *self, guint32 bin)
{
  return self->sum + (gsize) bin * self->groups.n * PD_TL_N_STATES;
}

static void
set_groups (PdTimelineBins *self, PdRankGroups groups, guint32 n_bins)
{
  self->groups = groups;
  self->sum = g_new0 (PdTimeSum, (gsize) MAX (1, groups.n) * n_bins * PD_TL_N_STATES);
}

/* Makes the bins 2^@times as wide. */
static void
widen (PdTimelineBins *self, guint times)
{
  gsize n = (gsize) self->groups.n * PD_TL_N_STATES;
  guint32 n_bins = times >= 32 ? 1 : 1 + ((self->n_bins - 1) >> times);

  for (guint32 bin = 1; bin < self->n_bins; bin++)
    {
      guint32 target = times >= 32 ? 0 : bin >> times;
      PdTimeSum *to = row_of (self, target), *from = row_of (self, bin);
      if (target == bin)
        continue;
      for (gsize i = 0; i < n; i++)
        to[i].ps += from[i].ps;
      memset (from, 0, n * sizeof *from);
    }
  self->n_bins = MIN (self->n_bins, n_bins);
  self->width.ps <<= times;
}

/* While slices are added, the width is a power of two. */
static guint
get_shift (const PdTimelineBins *self)
{
  return (guint) __builtin_ctzll ((guint64) self->width.ps);
}

/* The bin that has the picosecond before @end, which is > 0. */
static gint64
last_bin (const PdTimelineBins *self, PdTime end)
{
  return (end.ps - 1) >> get_shift (self);
}

static void
extend_to (PdTimelineBins *self, PdTime end)
{
  guint times = 0;

  if (end.ps <= self->end.ps)
    return;
  for (gint64 bin = last_bin (self, end); bin >= PD_TIMELINE_MAX_BINS; bin >>= 1)
    times++;
  if (times > 0)
    widen (self, times);
  self->n_bins = (guint32) last_bin (self, end) + 1;
  self->end = end;
}

static void
keep_exact (PdTimelineBins *self, const PdTimelineSlice *slice)
{
  if (self->exact == NULL)
    return;
  if (self->exact->len < PD_TIMELINE_MAX_EXACT)
    g_array_append_val (self->exact, *slice);
  else
    g_clear_pointer (&self->exact, g_array_unref);
}

void
pd_timeline_bins_add (PdTimelineBins *self, const PdTimelineSlice *slice)
{
  gint64 at = slice->begin.ps, end = slice->end.ps;

  g_return_if_fail (self->sum != NULL && slice->rank < self->groups.n_ranks);
  g_return_if_fail (at >= 0 && at <= end && slice->state < PD_TL_N_STATES);
  if (at == end)
    return;
  keep_exact (self, slice);
  extend_to (self, slice->end);
  gsize place = (gsize) (slice->rank / self->groups.size) * PD_TL_N_STATES + slice->state;
  gint64 mask = self->width.ps - 1;
  for (guint32 bin = (guint32) (at >> get_shift (self)); at < end; bin++)
    {
      gint64 left_in_bin = self->width.ps - (at & mask), left = end - at;
      gint64 here = MIN (left, left_in_bin);
      row_of (self, bin)[place].ps += here;
      at += here;
    }
}

static void
bins_begin (gpointer data, PdTimelineFeed *feed, const PdTimelineHead *head)
{
  PdTimelineBins *self = data;

  g_return_if_fail (self->sum == NULL);
  self->feed = feed;
  self->n_cpus = head->n_cpus;
  if (head->n_cpus > 1)
    g_clear_pointer (&self->exact, g_array_unref);
  set_groups (self, pd_rank_groups (head->n_ranks, PD_TIMELINE_MAX_GROUPS), PD_TIMELINE_MAX_BINS);
}

static void
bins_slice (gpointer self, const PdTimelineSlice *slice)
{
  pd_timeline_bins_add (self, slice);
}

/* The number of @region among those of the exact slices. */
static guint32
own_region (PdTimelineBins *self, GHashTable *numbers, guint32 region)
{
  gpointer number = NULL;

  if (region == PD_TL_NONE
      || g_hash_table_lookup_extended (numbers, GUINT_TO_POINTER (region), NULL, &number))
    return region == PD_TL_NONE ? region : GPOINTER_TO_UINT (number);
  number = GUINT_TO_POINTER (self->regions->len);
  g_hash_table_insert (numbers, GUINT_TO_POINTER (region), number);
  g_ptr_array_add (self->regions, g_strdup (pd_timeline_feed_get_region (self->feed, region)));
  return GPOINTER_TO_UINT (number);
}

static gboolean
bins_end (gpointer data, GError **error G_GNUC_UNUSED)
{
  PdTimelineBins *self = data;
  g_autoptr (GHashTable) numbers = g_hash_table_new (NULL, NULL);

  self->regions = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; self->exact != NULL && i < self->exact->len; i++)
    {
      PdTimelineSlice *slice = &g_array_index (self->exact, PdTimelineSlice, i);
      slice->region = own_region (self, numbers, slice->region);
      slice->interval = own_region (self, numbers, slice->interval);
    }
  self->sum = g_renew (PdTimeSum, self->sum,
                       (gsize) MAX (1, self->n_bins) * self->groups.n * PD_TL_N_STATES);
  self->feed = NULL;
  return TRUE;
}

const PdTimelineClass pd_timeline_bins_class = { .begin = bins_begin,
                                                 .slice = bins_slice,
                                                 .end = bins_end };

PdTimelineBins *
pd_timeline_bins_new (void)
{
  PdTimelineBins *self = g_new0 (PdTimelineBins, 1);

  self->width = PD_TIME (1);
  self->exact = g_array_new (FALSE, FALSE, sizeof (PdTimelineSlice));
  return self;
}

void
pd_timeline_bins_free (PdTimelineBins *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->exact, g_array_unref);
  g_clear_pointer (&self->regions, g_ptr_array_unref);
  g_free (self->sum);
  g_free (self);
}

const PdTimeSum *
pd_timeline_bins_get (const PdTimelineBins *self, guint32 bin, guint32 group)
{
  g_return_val_if_fail (bin < self->n_bins && group < self->groups.n, NULL);
  return row_of (self, bin) + (gsize) group * PD_TL_N_STATES;
}

/* How many neighbours become one for @n to be @most at most. */
static guint32
merged (guint32 n, guint32 most)
{
  return MAX (1, n / most + (n % most != 0));
}

PdTimelineBins *
pd_timeline_bins_coarsen (const PdTimelineBins *self, guint32 n_bins, guint32 n_groups)
{
  PdTimelineBins *coarse = pd_timeline_bins_new ();
  guint32 by = merged (self->n_bins, n_bins), together = merged (self->groups.n, n_groups);
  PdRankGroups groups = { .n_ranks = self->groups.n_ranks,
                          .n = self->groups.n / together + (self->groups.n % together != 0),
                          .size = self->groups.size * together };

  g_clear_pointer (&coarse->exact, g_array_unref);
  coarse->n_cpus = self->n_cpus;
  coarse->n_bins = self->n_bins / by + (self->n_bins % by != 0);
  coarse->width = pd_time_scale (self->width, by, 1);
  coarse->end = self->end;
  set_groups (coarse, groups, coarse->n_bins);
  for (guint32 bin = 0; bin < self->n_bins; bin++)
    for (guint32 group = 0; group < self->groups.n; group++)
      {
        const PdTimeSum *from = pd_timeline_bins_get (self, bin, group);
        PdTimeSum *to = row_of (coarse, bin / by) + (gsize) (group / together) * PD_TL_N_STATES;
        for (guint state = 0; state < PD_TL_N_STATES; state++)
          to[state].ps += from[state].ps;
      }
  return coarse;
}
