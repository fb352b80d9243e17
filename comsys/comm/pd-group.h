/* Sets of ranks.
 * SPDX-License-Identifier: MIT */
#ifndef PD_GROUP_H
#define PD_GROUP_H

#include "comsys/comm/pd-comm.h"

G_BEGIN_DECLS

/**
 * pd_group_get_rank:
 * @world_rank: a world rank
 *
 * Returns: its rank in @self, -1 if it is no member. O(members).
 */
gint64 pd_group_get_rank (const PdGroup *self, guint32 world_rank);

/**
 * pd_group_union:
 * Returns: (transfer full): MPI_Group_union: the members of @a, then those of @b
 *   that are not in @a.
 */
PdGroup *pd_group_union (const PdGroup *a, const PdGroup *b);

/**
 * pd_group_intersection:
 * Returns: (transfer full): MPI_Group_intersection: the members of @a that are in @b.
 */
PdGroup *pd_group_intersection (const PdGroup *a, const PdGroup *b);

/**
 * pd_group_difference:
 * Returns: (transfer full): MPI_Group_difference: the members of @a that are not in @b.
 */
PdGroup *pd_group_difference (const PdGroup *a, const PdGroup *b);

/**
 * pd_group_excl:
 * @ranks: (array length=n): ranks within @self
 * @n: how many
 *
 * Returns: (transfer full) (nullable): MPI_Group_excl: the others, in order;
 *   %NULL if a rank is out of range.
 */
PdGroup *pd_group_excl (const PdGroup *self, const guint32 *ranks, guint32 n);

/**
 * pd_group_range_incl:
 * @ranges: (array length=n): of ranks within @self
 * @n: how many
 *
 * Returns: (transfer full) (nullable): MPI_Group_range_incl; %NULL if a stride is 0,
 *   or a rank is out of range or named twice.
 */
PdGroup *pd_group_range_incl (const PdGroup *self, const PdRange *ranges, guint32 n);

/**
 * pd_group_range_excl:
 * @ranges: (array length=n): of ranks within @self
 * @n: how many
 *
 * Returns: (transfer full) (nullable): MPI_Group_range_excl; %NULL as for
 *   pd_group_range_incl().
 */
PdGroup *pd_group_range_excl (const PdGroup *self, const PdRange *ranges, guint32 n);

/**
 * pd_group_translate_ranks:
 * @ranks: (array length=n): ranks within @self
 * @n: how many
 * @other: another group
 * @result: (array length=n) (out caller-allocated): their ranks within @other;
 *   -1 (MPI_UNDEFINED) for those that are not in it, or out of range
 *
 * MPI_Group_translate_ranks.
 */
void pd_group_translate_ranks (const PdGroup *self, const guint32 *ranks, guint32 n,
                               const PdGroup *other, gint64 *result);

/**
 * pd_group_compare:
 * Returns: MPI_Group_compare; never CONGRUENT.
 */
PdComparison pd_group_compare (const PdGroup *a, const PdGroup *b);

/**
 * pd_comm_compare:
 * Returns: MPI_Comm_compare.
 */
PdComparison pd_comm_compare (const PdComm *a, const PdComm *b);

G_END_DECLS

#endif
