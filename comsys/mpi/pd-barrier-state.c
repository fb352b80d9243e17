/* What is known only when the last member of a communicator has come: when all
 * may go on (and which communicators are made of it, see pd-comm-create.c).
 * SPDX-License-Identifier: MIT */
#include "comsys/mpi/pd-barrier-state-private.h"

#include "base/pd-time.h"
#include "comsys/coll/pd-op-info.h"
#include "comsys/comm/pd-comm.h"
#include "comsys/mpi/pd-barrier-state.h"
#include "comsys/mpi/pd-coll-simple.h"
#include "comsys/p2p/pd-completion.h"
#include "comsys/p2p/pd-cpu-order.h"
#include "comsys/p2p/pd-req-pool.h"
#include "comsys/p2p/pd-scheduler-internal.h"
#include "comsys/state/pd-comsys-data.h"
#include "comsys/state/pd-probe.h"

/* The last member has come: those that wait return their own time later. */
static void
end_barrier (PdComsys *self, PdComm *comm, PdBarrierState *barrier)
{
  for (guint i = 0; i < barrier->waiting->len; i++)
    {
      guint32 rank = g_array_index (barrier->waiting, PdBarrierWaiting, i).rank;
      PdTime when = pd_time_add (barrier->latest, self->ranks[rank].overhead);
      PD_PROBE (self, barrier_leave, rank, 0, barrier->mark, when);
      pd_rank_return (self, rank, when);
    }
  pd_barrier_leave (comm);
}

void
pd_barrier_wait (PdComsys *self, const PdCall *call, PdComm *comm, const char *function,
                 PdTime duration)
{
  PdBarrierState *barrier = pd_barrier_enter (comm, (guint32) pd_comm_get_rank (comm, call->rank));
  PdBarrierWaiting waiting = { call->rank, 0 };

  barrier->latest = pd_time_max (barrier->latest, call->when);
  PD_PROBE (self, barrier_enter, call, &barrier->mark);
  if (barrier->n_arrived < comm->n)
    {
      g_array_append_val (barrier->waiting, waiting);
      pd_rank_block (self, call, function);
      self->ranks[call->rank].overhead = duration;
      return;
    }
  *call->ret = pd_time_add (barrier->latest, duration);
  PD_PROBE (self, barrier_leave, call->rank, 0, barrier->mark, *call->ret);
  pd_cpu_account (self, *call->ret);
  end_barrier (self, comm, barrier);
}

/* ---- collective operations of the set "simple" */

static void
end_operation (PdComsys *self, const PdBarrierWaiting *waiting, guint32 mark, PdTime when)
{
  PD_PROBE (self, barrier_leave, waiting->rank, waiting->request, mark, when);
  if (waiting->request == 0)
    {
      pd_rank_return (self, waiting->rank, when);
      return;
    }
  pd_req_complete (self, waiting->request, when);
  pd_req_drop (self, waiting->request, PD_HELD_SYSTEM);
}

void
pd_barrier_collective (PdComsys *self, const PdCall *call, PdComm *comm, const PdCollective *args,
                       guint32 request)
{
  guint32 me = (guint32) pd_comm_get_rank (comm, call->rank);
  PdBarrierState *barrier = pd_barrier_enter_operation (comm, me, args);
  PdBarrierWaiting own = { call->rank, request };

  barrier->latest = pd_time_max (barrier->latest, call->when);
  PD_PROBE (self, barrier_enter, call, &barrier->mark);
  if (barrier->n_arrived < comm->n || barrier->mismatched)
    {
      g_array_append_val (barrier->waiting, own);
      if (request == 0)
        pd_rank_block (self, call, pd_ops[args->op].function);
      return;
    }

  PdTime when = barrier->latest; /* alone there is nothing to agree upon, but for Dimemas */
  if (comm->n > 1 || args->is_equal)
    when = pd_time_add (when, pd_phases_get_time (self, comm, barrier->op, &barrier->bytes));
  for (guint i = 0; i < barrier->waiting->len; i++)
    end_operation (self, &g_array_index (barrier->waiting, PdBarrierWaiting, i), barrier->mark,
                   when);
  if (request == 0)
    {
      *call->ret = when;
      PD_PROBE (self, barrier_leave, own.rank, 0, barrier->mark, when);
      pd_cpu_account (self, when);
    }
  else
    end_operation (self, &own, barrier->mark, when);
  pd_barrier_leave (comm);
}

void
pd_comsys_exchange (PdComsys *self, const PdCall *call, PdComm *comm, const PdTraffic *own,
                    PdTime duration)
{
  g_return_if_fail (pd_comm_get_rank (comm, call->rank) >= 0);

  pd_comsys_advance_to (self, call->rank, call->when);
  self->counts.n_messages += (guint64) own->n_sent;
  self->counts.n_bytes.ps += own->bytes_sent;
  pd_barrier_wait (self, call, comm, "an exchange", duration);
}
