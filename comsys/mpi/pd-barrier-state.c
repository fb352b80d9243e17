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

typedef struct
{
  guint32 rank;    /* world rank that is blocked here, */
  guint32 request; /* or does not wait itself: what completes */
} Waiting;

static void
barrier_free (gpointer data)
{
  PdBarrierState *barrier = data;

  g_array_unref (barrier->waiting);
  for (guint i = 0; i < barrier->joins->len; i++)
    g_free (g_array_index (barrier->joins, PdJoin, i).neighbors);
  g_array_unref (barrier->joins);
  g_free (barrier);
}

static PdBarrierState *
barrier_new (void)
{
  PdBarrierState *barrier = g_new0 (PdBarrierState, 1);

  barrier->waiting = g_array_new (FALSE, FALSE, sizeof (Waiting));
  barrier->joins = g_array_new (FALSE, FALSE, sizeof (PdJoin));
  return barrier;
}

/* Twice as much room, for as many as a power of two. */
static void
grow (PdComm *comm)
{
  guint32 had = comm->barriers->len, room = MAX (2 * had, 2);
  g_autoptr (GPtrArray) old = comm->barriers;

  comm->barriers = g_ptr_array_new_full (room, barrier_free);
  g_ptr_array_set_size (comm->barriers, (gint) room);
  for (guint32 i = 0; i < room; i++)
    {
      guint32 number = comm->first_open + i;
      comm->barriers->pdata[number & (room - 1)] =
          i < had ? old->pdata[number & (had - 1)] : barrier_new ();
    }
  g_ptr_array_set_free_func (old, NULL);
}

PdBarrierState *
pd_barrier_enter (PdComm *comm, guint32 me)
{
  if (comm->barriers == NULL)
    {
      comm->barriers = g_ptr_array_new_with_free_func (barrier_free);
      comm->n_entered = g_new0 (guint32, comm->n);
    }
  guint32 number = comm->n_entered[me]++;
  while (number - comm->first_open >= comm->barriers->len)
    grow (comm);
  PdBarrierState *barrier = comm->barriers->pdata[number & (comm->barriers->len - 1)];
  barrier->n_arrived++;
  return barrier;
}

/* It becomes one that is yet to come. */
void
pd_barrier_leave (PdComm *comm)
{
  PdBarrierState *barrier = comm->barriers->pdata[comm->first_open++ & (comm->barriers->len - 1)];

  barrier->n_arrived = 0;
  barrier->latest = PD_TIME_ZERO;
  PD_PROBE (comm->comsys, barrier_forget, &barrier->mark);
  g_array_set_size (barrier->waiting, 0);
  g_array_set_size (barrier->joins, 0);
}

/* The last member has come: those that wait return their own time later. */
static void
end_barrier (PdComsys *self, PdComm *comm, PdBarrierState *barrier)
{
  for (guint i = 0; i < barrier->waiting->len; i++)
    {
      guint32 rank = g_array_index (barrier->waiting, Waiting, i).rank;
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
  Waiting waiting = { call->rank, 0 };

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

/* The operation is that of the first who comes. */
static void
compare_operations (PdBarrierState *barrier, const PdCollective *args, guint32 root)
{
  if (barrier->n_arrived == 1)
    {
      barrier->op = args->op;
      barrier->root = root;
      barrier->mismatched = FALSE;
    }
  else if (barrier->op != args->op || barrier->root != root)
    barrier->mismatched = TRUE;
}

static void
end_operation (PdComsys *self, const Waiting *waiting, guint32 critical, PdTime when)
{
  PD_PROBE (self, barrier_leave, waiting->rank, waiting->request, critical, when);
  if (waiting->request == 0)
    {
      pd_rank_return (self, waiting->rank, when);
      return;
    }
  pd_req_complete (self, waiting->request, when);
  pd_req_drop (self, waiting->request, PD_HELD_SYSTEM);
}

/* Whose bytes count. Dimemas has a root in operations without one, too. */
static guint32
find_root (const PdComm *comm, const PdCollective *args)
{
  return (pd_ops[args->op].rooted || args->is_equal) && args->root < comm->n ? args->root : 0;
}

void
pd_barrier_collective (PdComsys *self, const PdCall *call, PdComm *comm, const PdCollective *args,
                       guint32 request)
{
  guint32 me = (guint32) pd_comm_get_rank (comm, call->rank);
  guint32 root = find_root (comm, args);
  PdBarrierState *barrier = pd_barrier_enter (comm, me);
  Waiting own = { call->rank, request };

  compare_operations (barrier, args, root);
  barrier->latest = pd_time_max (barrier->latest, call->when);
  PD_PROBE (self, barrier_enter, call, &barrier->mark);
  if (me == root)
    barrier->bytes = pd_phases_get_bytes (args, comm);
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
    end_operation (self, &g_array_index (barrier->waiting, Waiting, i), barrier->mark, when);
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
