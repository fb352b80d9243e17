/* SPDX-License-Identifier: MIT */
#include "timeline/pd-timeline-nodes-private.h"

#include <stdlib.h>
#include <string.h>

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  guint32 x = *(const guint32 *) a, y = *(const guint32 *) b;

  return x < y ? -1 : x > y;
}

PdTimelineNodes *
pd_timeline_nodes_new (const PdTimeline *timeline)
{
  PdTimelineNodes *self = g_new0 (PdTimelineNodes, 1);
  gsize n = timeline->n_ranks;

  self->numbers = g_new (guint32, MAX (1, n));
  self->of_rank = g_new (guint32, MAX (1, n));
  if (n == 0)
    return self;
  memcpy (self->numbers, timeline->node_of, n * sizeof *self->numbers);
  qsort (self->numbers, n, sizeof *self->numbers, compare_numbers);
  for (gsize i = 0; i < n; i++)
    if (i == 0 || self->numbers[i] != self->numbers[self->n - 1])
      self->numbers[self->n++] = self->numbers[i];
  for (gsize rank = 0; rank < n; rank++)
    {
      const guint32 *node = bsearch (&timeline->node_of[rank], self->numbers, self->n,
                                     sizeof *self->numbers, compare_numbers);
      self->of_rank[rank] = (guint32) (node - self->numbers);
    }
  return self;
}

void
pd_timeline_nodes_free (PdTimelineNodes *self)
{
  if (self == NULL)
    return;
  g_free (self->numbers);
  g_free (self->of_rank);
  g_free (self);
}
