/* Groups and communicators beyond the plainest ones: sets of ranks, grids,
 * graphs, nodes. They follow the calling convention of pd-comsys.h.
 * SPDX-License-Identifier: MIT */
#ifndef PD_COMM_H
#define PD_COMM_H

#include "comsys/state/pd-comsys-types.h"

G_BEGIN_DECLS

/* ---- groups */

/* first, first + stride, … up to last. */
typedef struct
{
  gint32 first;
  gint32 last;
  gint32 stride;
} PdRange;

typedef enum
{
  PD_COMPARE_IDENT,     /* the same communicator; of groups, the same members in order */
  PD_COMPARE_CONGRUENT, /* the same members in order */
  PD_COMPARE_SIMILAR,   /* the same members */
  PD_COMPARE_UNEQUAL,
} PdComparison;

/* ---- grids */

#define PD_MAX_DIMS 32

/* A grid of ranks, the last dimension varying fastest. */
typedef struct
{
  guint n_dims; /* at most %PD_MAX_DIMS */
  guint32 dims[PD_MAX_DIMS];
  gboolean periods[PD_MAX_DIMS];
} PdCart;

/* ---- graphs */

/* Whom a rank receives from and sends to. */
typedef struct
{
  const guint32 *sources; /* (array length=n_sources): ranks, or %PD_NO_NEIGHBOR */
  const guint32 *targets; /* (array length=n_targets): likewise */
  guint32 n_sources;
  guint32 n_targets;
} PdNeighbors;

/**
 * pd_group_new:
 * @ranks: (array length=n): world ranks, distinct
 * @n: how many
 *
 * Returns: (transfer full): a group.
 */
PdGroup *pd_group_new (const guint32 *ranks, guint32 n);

/**
 * pd_group_incl:
 * @self: a group
 * @ranks: (array length=n): ranks within @self
 * @n: how many
 *
 * Returns: (transfer full) (nullable): MPI_Group_incl; %NULL if a rank is out of range.
 */
PdGroup *pd_group_incl (const PdGroup *self, const guint32 *ranks, guint32 n);

/**
 * pd_group_free:
 * @self: (nullable): a group
 */
void pd_group_free (PdGroup *self);

/**
 * pd_group_get_size:
 * Returns: the number of members.
 */
guint32 pd_group_get_size (const PdGroup *self);

/**
 * pd_comm_new:
 * @comsys: the communication system
 * @ranks: (array length=n): world ranks of its members, distinct; copied
 * @n: how many
 *
 * A communicator that exists without messages; for callers that model its
 * creation themselves.
 *
 * Returns: (transfer full): the communicator, to release with pd_comm_unref().
 */
PdComm *pd_comm_new (PdComsys *comsys, const guint32 *ranks, guint32 n);

/**
 * pd_comm_ref:
 * Returns: @self.
 */
PdComm *pd_comm_ref (PdComm *self);

/**
 * pd_comm_unref:
 * @self: (nullable): MPI_Comm_free
 */
void pd_comm_unref (PdComm *self);

/**
 * pd_comm_get_size:
 * Returns: MPI_Comm_size.
 */
guint32 pd_comm_get_size (const PdComm *self);

/**
 * pd_comm_get_rank:
 * @world_rank: a world rank
 *
 * Returns: MPI_Comm_rank: its rank in @self, or -1 if it is no member.
 */
gint64 pd_comm_get_rank (const PdComm *self, guint32 world_rank);

/**
 * pd_comm_get_group:
 * Returns: (transfer full): MPI_Comm_group.
 */
PdGroup *pd_comm_get_group (const PdComm *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdComm, pd_comm_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdGroup, pd_group_free)

G_END_DECLS

#endif
