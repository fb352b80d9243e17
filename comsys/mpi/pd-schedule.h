/* The messages of a collective operation, one rank's steps at a time, without
 * playing them: for those who write them down elsewhere.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SCHEDULE_H
#define PD_SCHEDULE_H

#include "comsys/state/pd-comsys-types.h"

G_BEGIN_DECLS

typedef enum
{
  PD_SCHEDULE_SEND,     /* to, send_bytes */
  PD_SCHEDULE_RECV,     /* from, recv_bytes */
  PD_SCHEDULE_SENDRECV, /* both */
  PD_SCHEDULE_ISEND,
  PD_SCHEDULE_IRECV,
  PD_SCHEDULE_WAITALL, /* for all since the last one */
  PD_SCHEDULE_LOCAL,   /* a local reduction or copy of send_bytes */
} PdScheduleKind;

typedef struct
{
  PdScheduleKind kind;
  guint32 to; /* world ranks */
  guint32 from;
  gint64 send_bytes;
  gint64 recv_bytes;
} PdScheduleStep;

typedef struct _PdScheduleWalk PdScheduleWalk;

/**
 * pd_schedule_walk_new:
 * @comsys: whose machine chooses the algorithms; must outlive the walk
 *
 * Returns: (transfer full): a walk through schedules, at none.
 */
PdScheduleWalk *pd_schedule_walk_new (PdComsys *comsys);

/**
 * pd_schedule_walk_free:
 * @self: (nullable): the walk
 */
void pd_schedule_walk_free (PdScheduleWalk *self);

/**
 * pd_schedule_walk_begin:
 * @rank: world rank, a member of @comm
 * @comm: must stay until the last step
 * @collective: likewise its arrays
 *
 * Goes to the first step of @rank in that operation.
 *
 * Returns: %FALSE if the machine has no messages for it: a time takes their
 *   place (set "simple").
 */
gboolean pd_schedule_walk_begin (PdScheduleWalk *self, guint32 rank, PdComm *comm,
                                 const PdCollective *collective);

/**
 * pd_schedule_walk_next:
 * @step: (out): the next step
 *
 * Returns: %FALSE if there is none.
 */
gboolean pd_schedule_walk_next (PdScheduleWalk *self, PdScheduleStep *step);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdScheduleWalk, pd_schedule_walk_free)

G_END_DECLS

#endif
