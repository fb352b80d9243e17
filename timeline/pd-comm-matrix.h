/* The messages and bytes between ranks, as a matrix.
 * SPDX-License-Identifier: MIT */
#ifndef PD_COMM_MATRIX_H
#define PD_COMM_MATRIX_H

#include "timeline/pd-comm-pairs.h"
#include "timeline/pd-rank-groups.h"
#include "timeline/pd-timeline.h"

/* Rows and columns: of single ranks where there are not more. */
#define PD_COMM_MATRIX_MAX 128

typedef struct
{
  guint64 n_messages;
  PdWide bytes;
} PdCommCell;

typedef struct
{
  PdRankGroups groups;
  PdCommCell *cells; /* (array length=groups.n * groups.n): by sender, then receiver */
  PdCommCell total;
  gboolean with_collectives; /* their bytes are in it */
} PdCommMatrix;

/* The consumer; @self is a #PdCommMatrix. */
extern const PdTimelineClass pd_comm_matrix_class;

/**
 * pd_comm_matrix_new:
 * Returns: (transfer full): for a run that is about to begin.
 */
PdCommMatrix *pd_comm_matrix_new (void);

/**
 * pd_comm_matrix_free:
 * @self: (nullable): the matrix
 */
void pd_comm_matrix_free (PdCommMatrix *self);

/**
 * pd_comm_matrix_add:
 * @self: of a run that has begun
 * @message: between ranks of it, of 0 bytes or more
 */
void pd_comm_matrix_add (PdCommMatrix *self, const PdTimelineMessage *message);

/**
 * pd_comm_matrix_add_collectives:
 * @pairs: (element-type PdCommPair): of the same run
 *
 * Adds the bytes of its collective operations.
 */
void pd_comm_matrix_add_collectives (PdCommMatrix *self, const GArray *pairs);

/**
 * pd_comm_matrix_get:
 * @self: the matrix
 * @from: a group
 * @to: a group
 *
 * Returns: what the ranks of @from send to those of @to.
 */
const PdCommCell *pd_comm_matrix_get (const PdCommMatrix *self, guint32 from, guint32 to);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdCommMatrix, pd_comm_matrix_free)

#endif
