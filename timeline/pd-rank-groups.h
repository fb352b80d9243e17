/* Ranks in groups of neighbours, for pictures that have no room for each.
 * SPDX-License-Identifier: MIT */
#ifndef PD_RANK_GROUPS_H
#define PD_RANK_GROUPS_H

#include <glib.h>

/* Group g has the ranks from g * size on; the last one may have fewer. */
typedef struct
{
  guint32 n_ranks;
  guint32 n;    /* groups */
  guint32 size; /* ranks in each, >= 1 */
} PdRankGroups;

/**
 * pd_rank_groups:
 * @n_ranks: ranks
 * @most: groups at most, > 0
 *
 * Returns: groups of the least equal size: of single ranks where there are not more
 *   than @most.
 */
static inline PdRankGroups
pd_rank_groups (guint32 n_ranks, guint32 most)
{
  guint32 size = MAX (1, n_ranks / most + (n_ranks % most != 0));

  return (PdRankGroups){ n_ranks, n_ranks / size + (n_ranks % size != 0), size };
}

/**
 * pd_rank_groups_count:
 * @self: the groups
 * @group: one of them
 *
 * Returns: how many ranks it has.
 */
static inline guint32
pd_rank_groups_count (const PdRankGroups *self, guint32 group)
{
  return MIN (self->size, self->n_ranks - group * self->size);
}

#endif
