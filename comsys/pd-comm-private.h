/* What communicators, their meetings and their creation share. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_COMM_PRIVATE_H
#define PD_COMM_PRIVATE_H

#include "comsys/pd-collective-private.h"
#include "comsys/pd-comm.h"

G_BEGIN_DECLS

/* Neighbours of all ranks, in their order. */
struct _PdCommTopology
{
  guint32 n;
  gboolean is_cart;
  PdCart cart;
  guint32 *source_ends; /* (array length=n): of each rank's in sources */
  guint32 *target_ends;
  GArray *sources; /* guint32 */
  GArray *targets;
};

PdCommTopology *pd_comm_topology_new (guint32 n);
PdCommTopology *pd_comm_topology_new_cart (const PdCart *cart);
/* Ranks come in ascending order. */
void pd_comm_topology_add (PdCommTopology *self, guint32 rank, const PdNeighbors *neighbors);

/* Where a member belongs. */
typedef struct
{
  guint32 world_rank;
  guint32 old_rank;
  gint32 color;
  gint32 key;
  guint32 *neighbors; /* (nullable): owned: sources, then targets */
  guint32 n_sources;
  guint32 n_targets;
  PdComm **result;
} PdJoin;

/* What is known only when the last member of a communicator has come. */
typedef struct
{
  guint32 n_arrived;
  PdTime latest;
  GArray *waiting; /* of pd-meeting.c */
  guint32 trail;   /* node of @latest, see pd-trail-private.h */
  GArray *joins;   /* PdJoin */
  /* of a collective operation: */
  PdOp op;
  guint32 root;
  PdFanBytes bytes;    /* of the root */
  gboolean mismatched; /* members called different operations: it never ends */
} PdMeeting;

/* ---- pd-meeting.c */

/* The meeting that member @me enters next. */
PdMeeting *pd_meeting_enter (PdComm *comm, guint32 me);
/* The oldest meeting is over. */
void pd_meeting_leave (PdComm *comm);

G_END_DECLS

#endif
