/* Collective operations: each member plays the steps of its schedule, which an
 * iterator yields one at a time, as point-to-point operations (pd-coll-execute.c).
 * The set "simple" plays nothing: every operation takes a time after the last
 * arrival (pd-barrier-state.c).
 * SPDX-License-Identifier: MIT */
#include "comsys/mpi/pd-collective.h"

#include "base/pd-time.h"
#include "comsys/coll/pd-op-info.h"
#include "comsys/comm/pd-comm.h"
#include "comsys/mpi/pd-barrier-state-private.h"
#include "comsys/mpi/pd-coll-execute-private.h"
#include "comsys/mpi/pd-coll-simple.h"
#include "comsys/mpi/pd-coll-steps.h"
#include "comsys/p2p/pd-cpu-order.h"
#include "comsys/p2p/pd-req-pool.h"
#include "comsys/p2p/pd-scheduler-internal.h"
#include "comsys/state/pd-comsys-data.h"
#include "comsys/state/pd-comsys-types.h"
#include "comsys/state/pd-function-costs.h"
#include "comsys/state/pd-lookup.h"
#include "comsys/state/pd-probe.h"
#include "comsys/state/pd-resources.h"

/* The common beginning of both ways of calling. */
static void
enter (PdComsys *self, const PdCall *call, const PdCollective *collective)
{
  pd_comsys_advance_to (self, call->rank, call->when);
  self->counts.n_collectives++;
  if (self->observer.collective != NULL)
    self->observer.collective (self->observer.data, call->rank, pd_ops[collective->op].name,
                               collective->bytes, call->when);
}

/* Whether the call is one that a program may make. */
static gboolean
is_sound (const PdCall *call, const PdComm *comm, const PdCollective *collective)
{
  return collective->op < PD_N_OPS && pd_comm_get_rank (comm, call->rank) >= 0
         && (!pd_ops[collective->op].rooted || collective->root < comm->n);
}

/* The operation begins after the cost of its function. */
static PdCall
call_of (const PdComsys *self, const PdCall *call, guint function, const PdCollective *collective)
{
  PdTime when = pd_time_add (call->when, pd_function_time (self, function, collective->bytes));

  return (PdCall){ call->rank, when, call->ret, call->status };
}

void
pd_comsys_collective (PdComsys *self, const PdCall *call, PdComm *comm,
                      const PdCollective *collective)
{
  g_return_if_fail (is_sound (call, comm, collective));

  PdCall later = call_of (self, call, PD_FN_OPS + collective->op, collective);
  enter (self, call, collective);
  if (!pd_execution_is_for (self, collective->op))
    {
      if (collective->op == PD_OP_REDUCE && pd_comsys_reduces_by_messages (self))
        pd_barrier_reduce (self, &later, comm, collective);
      else
        pd_barrier_collective (self, &later, comm, collective, 0);
      return;
    }
  PdExecution *exec = pd_execution_of_rank (self, call->rank);
  pd_execution_init (self, exec, call->rank, comm, collective);
  exec->ret = call->ret;
  self->ranks[call->rank].exec = exec;
  self->ranks[call->rank].function = pd_ops[collective->op].function;
  *call->ret = PD_TIME_PENDING;
  if (later.when.ps > call->when.ps)
    self->resources->resume (self, call->rank, PD_EVENT_COLLECTIVE, later.when);
  else
    pd_execution_continue (self, call->rank, &later.when);
}

/* A request that stands for the whole operation. */
static guint32
whole_request (PdComsys *self, const PdCall *call)
{
  guint32 req = pd_req_new (self, call->rank);
  PdReq *r = pd_req (self, req);

  r->kind = PD_REQ_COLLECTIVE;
  r->peer = G_MAXUINT32;
  r->tag = PD_ANY_TAG;
  r->held = PD_HELD_OWNER | PD_HELD_SYSTEM;
  return req;
}

/* The start of one of the set "simple", and the wait for it, may cost the processor something. */
static void
begin_beside (PdComsys *self, const PdCall *call, PdComm *comm, PdCall *later, guint32 request)
{
  PdTime latency = pd_phases_get_latency (self, comm, call->rank);

  pd_req (self, request)->bytes = latency.ps;
  later->when = pd_time_add (later->when, latency);
  *call->ret = later->when;
  if (latency.ps == 0)
    return;
  PD_PROBE (self, network_cpu, call, later->when);
  pd_cpu_account (self, later->when);
}

PdRequest
pd_comsys_icollective (PdComsys *self, const PdCall *call, PdComm *comm,
                       const PdCollective *collective)
{
  g_return_val_if_fail (is_sound (call, comm, collective), PD_REQUEST_NULL);

  PdCall later = *call;
  if (collective->op < PD_OP_COMM_DUP)
    later = call_of (self, call, PD_FN_IOPS + collective->op, collective);
  enter (self, call, collective);
  guint32 request = whole_request (self, call);
  if (!pd_execution_is_for (self, collective->op))
    {
      begin_beside (self, call, comm, &later, request);
      pd_barrier_collective (self, &later, comm, collective, request);
      return request;
    }
  *call->ret = later.when;
  if (comm->n_nonblocking == NULL)
    comm->n_nonblocking = g_new0 (guint32, comm->n);
  PdNonblocking *nonblocking = pd_nonblocking_new (self);
  pd_execution_init (self, &nonblocking->exec, call->rank, comm, collective);
  nonblocking->request = request;
  nonblocking->tag = 1 + comm->n_nonblocking[nonblocking->exec.rank]++ % (guint32) G_MAXINT32;
  nonblocking->world = call->rank;
  PD_PROBE (self, nonblocking_start, nonblocking, later.when);
  self->resources->nonblocking_begin (self, nonblocking, later.when);
  return request;
}

void
pd_comsys_barrier (PdComsys *self, const PdCall *call, PdComm *comm)
{
  pd_comsys_collective (self, call, comm, &(PdCollective){ .op = PD_OP_BARRIER });
}

void
pd_comsys_bcast (PdComsys *self, const PdCall *call, PdComm *comm, guint32 root, gint64 bytes)
{
  pd_comsys_collective (self, call, comm,
                        &(PdCollective){ .op = PD_OP_BCAST, .root = root, .bytes = bytes });
}

void
pd_comsys_gather (PdComsys *self, const PdCall *call, PdComm *comm, guint32 root, gint64 bytes)
{
  pd_comsys_collective (self, call, comm,
                        &(PdCollective){ .op = PD_OP_GATHER, .root = root, .bytes = bytes });
}

void
pd_comsys_allgather (PdComsys *self, const PdCall *call, PdComm *comm, gint64 bytes)
{
  pd_comsys_collective (self, call, comm, &(PdCollective){ .op = PD_OP_ALLGATHER, .bytes = bytes });
}

void
pd_comsys_allgatherv (PdComsys *self, const PdCall *call, PdComm *comm, const gint64 *counts)
{
  pd_comsys_collective (self, call, comm,
                        &(PdCollective){ .op = PD_OP_ALLGATHERV, .recv_counts = counts });
}

void
pd_comsys_allreduce (PdComsys *self, const PdCall *call, PdComm *comm, gint64 bytes)
{
  pd_comsys_collective (self, call, comm, &(PdCollective){ .op = PD_OP_ALLREDUCE, .bytes = bytes });
}

void
pd_comsys_alltoallv (PdComsys *self, const PdCall *call, PdComm *comm, const gint64 *send_counts,
                     const gint64 *recv_counts)
{
  pd_comsys_collective (self, call, comm,
                        &(PdCollective){ .op = PD_OP_ALLTOALLV,
                                         .send_counts = send_counts,
                                         .recv_counts = recv_counts });
}
