/* The messages and bytes of every pair of ranks that communicates.
 * SPDX-License-Identifier: MIT */
#ifndef PD_COMM_PAIRS_H
#define PD_COMM_PAIRS_H

#include "timeline/pd-timeline.h"
#include "traces/program/pd-program.h"

typedef struct
{
  guint32 from;
  guint32 to;
  guint64 n_messages; /* point to point and one-sided */
  PdTimeSum bytes;    /* of them (in .ps) */
  PdTimeSum collective_bytes;
} PdCommPair;

typedef struct _PdCommPairs PdCommPairs;

/* The consumer; @self is a #PdCommPairs. */
extern const PdTimelineClass pd_comm_pairs_class;

/**
 * pd_comm_pairs_new:
 * Returns: (transfer full): for a run that is about to begin.
 */
PdCommPairs *pd_comm_pairs_new (void);

/**
 * pd_comm_pairs_free:
 * @self: (nullable): the pairs
 */
void pd_comm_pairs_free (PdCommPairs *self);

/**
 * pd_comm_pairs_add_collectives:
 * @program: what ran
 *
 * Adds the bytes of collective operations, as if each member sent its data for another one
 * directly to that member: of a broadcast, the root to each; of a reduction, each to the root, or
 * to all if all get the result; of a scan, each to those of higher rank. Libraries combine and
 * forward data, so their messages differ. Data that a member keeps is not counted. The time grows
 * with the number of actions, and with that of different operations times members.
 */
void pd_comm_pairs_add_collectives (PdCommPairs *self, const PdProgram *program);

/**
 * pd_comm_pairs_end:
 * @self: (transfer full): the run has ended
 *
 * Returns: (transfer full) (element-type PdCommPair): by sender, then receiver.
 */
GArray *pd_comm_pairs_end (PdCommPairs *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdCommPairs, pd_comm_pairs_free)

#endif
