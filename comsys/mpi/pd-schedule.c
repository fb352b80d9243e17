/* SPDX-License-Identifier: MIT */
#include "comsys/mpi/pd-schedule.h"

#include "comsys/comm/pd-comm.h"
#include "comsys/mpi/pd-coll-steps.h"
#include "comsys/state/pd-comsys-data.h"

struct _PdScheduleWalk
{
  PdComsys *comsys;
  PdExecution exec;
  gboolean plays;
};

PdScheduleWalk *
pd_schedule_walk_new (PdComsys *comsys)
{
  PdScheduleWalk *self = g_new0 (PdScheduleWalk, 1);

  self->comsys = comsys;
  return self;
}

void
pd_schedule_walk_free (PdScheduleWalk *self)
{
  g_free (self);
}

gboolean
pd_schedule_walk_begin (PdScheduleWalk *self, guint32 rank, PdComm *comm,
                        const PdCollective *collective)
{
  gint64 me = pd_comm_get_rank (comm, rank);

  g_return_val_if_fail (collective->op < PD_N_OPS && me >= 0, FALSE);
  self->plays = pd_execution_is_for (self->comsys, collective->op);
  if (self->plays)
    pd_execution_init (self->comsys, &self->exec, rank, comm, collective);
  return self->plays;
}

static guint32
world_rank (const PdComm *comm, guint32 rank)
{
  return comm->ranks != NULL && rank < comm->n ? comm->ranks[rank] : rank;
}

gboolean
pd_schedule_walk_next (PdScheduleWalk *self, PdScheduleStep *step)
{
  static const PdScheduleKind kinds[] = {
    [PD_STEP_SEND] = PD_SCHEDULE_SEND,         [PD_STEP_RECV] = PD_SCHEDULE_RECV,
    [PD_STEP_SENDRECV] = PD_SCHEDULE_SENDRECV, [PD_STEP_ISEND] = PD_SCHEDULE_ISEND,
    [PD_STEP_IRECV] = PD_SCHEDULE_IRECV,       [PD_STEP_WAITALL] = PD_SCHEDULE_WAITALL,
    [PD_STEP_REDUCE] = PD_SCHEDULE_LOCAL,      [PD_STEP_COPY] = PD_SCHEDULE_LOCAL,
  };
  PdStep played;

  self->plays = self->plays && pd_execution_next_step (self->comsys, &self->exec, &played);
  if (!self->plays)
    return FALSE;
  *step = (PdScheduleStep){ .kind = kinds[played.kind],
                            .to = world_rank (self->exec.comm, played.to),
                            .from = world_rank (self->exec.comm, played.from),
                            .send_bytes = played.send_bytes,
                            .recv_bytes = played.recv_bytes };
  return TRUE;
}
