/* Data that is known only when the last member of a communicator has arrived: the moment when all
 * continue, and the communicators created from it (see pd-comm-create.c).
 * SPDX-License-Identifier: MIT */
#include "comsys/mpi/pd-barrier-state-private.h"

#include "base/pd-time.h"
#include "comsys/coll/pd-op-info.h"
#include "comsys/comm/pd-comm.h"
#include "comsys/mpi/pd-barrier-state.h"
#include "comsys/machine/pd-topology.h"
#include "comsys/mpi/pd-coll-simple.h"
#include "comsys/p2p/pd-completion.h"
#include "comsys/p2p/pd-cpu-order.h"
#include "comsys/p2p/pd-req-pool.h"
#include "comsys/p2p/pd-scheduler-internal.h"
#include "comsys/state/pd-comsys-data.h"
#include "comsys/state/pd-lookup.h"
#include "comsys/state/pd-probe.h"
#include "comsys/state/pd-resources.h"

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

/* ---- those that wait for the network */

/* All members have come to an operation that takes all of a network. */
typedef struct
{
  GArray *members; /* PdBarrierWaiting, by node, of one node as they have come */
  guint32 mark;
  PdTime duration;
} Meeting;

static void
meeting_free (gpointer data)
{
  Meeting *meeting = data;

  if (meeting == NULL)
    return;
  g_array_unref (meeting->members);
  g_free (meeting);
}

void
pd_barriers_free (GPtrArray *meetings)
{
  if (meetings != NULL)
    g_ptr_array_unref (meetings);
}

/* The number of a new one. */
static guint32
meeting_new (PdComsys *self)
{
  Meeting *meeting = g_new0 (Meeting, 1);

  if (self->meetings == NULL)
    self->meetings = g_ptr_array_new_with_free_func (meeting_free);
  guint32 id = 0;
  while (id < self->meetings->len && self->meetings->pdata[id] != NULL)
    id++;
  if (id == self->meetings->len)
    g_ptr_array_add (self->meetings, NULL);
  self->meetings->pdata[id] = meeting;
  return id;
}

static guint32
node_of (const PdComsys *self, const PdBarrierWaiting *waiting)
{
  return pd_topology_get_node (self->topology, pd_p2p_processor (self, waiting->rank));
}

static int
compare_nodes (gconstpointer a, gconstpointer b, gpointer data)
{
  guint32 x = node_of (data, a), y = node_of (data, b);

  return x < y ? -1 : x > y;
}

/* They go on at @end, or what they have started is complete then. */
void
pd_barrier_occupied (PdComsys *self, guint32 id, PdTime end)
{
  Meeting *meeting = self->meetings->pdata[id];

  for (guint i = 0; i < meeting->members->len; i++)
    {
      const PdBarrierWaiting *member = &g_array_index (meeting->members, PdBarrierWaiting, i);
      PD_PROBE (self, barrier_leave, member->rank, member->request, meeting->mark, end);
      if (member->request == 0)
        pd_rank_return (self, member->rank, end);
      else
        pd_comsys_push (self, end, PD_EVENT_COMPLETE, member->rank, member->request);
    }
  self->meetings->pdata[id] = NULL;
  meeting_free (meeting);
}

void
pd_barrier_complete_event (PdComsys *self, guint32 rank G_GNUC_UNUSED, guint32 request)
{
  pd_req_complete (self, request, self->now);
  pd_req_drop (self, request, PD_HELD_SYSTEM);
}

void
pd_barrier_meeting_event (PdComsys *self, guint32 rank G_GNUC_UNUSED, guint32 id)
{
  const Meeting *meeting = self->meetings->pdata[id];
  const PdNetworkLevel *level = &self->levels[0];
  PdTime end = level->class->occupy (level->network, id, meeting->duration, self->now);

  if (!pd_time_is_pending (end))
    pd_barrier_occupied (self, id, end);
}

static gboolean
takes_network (const PdComsys *self)
{
  return self->resources->is_fifo && self->levels[0].class->occupy != NULL;
}

/* All have come, the last one by @call; the root, or else the last one, is the last to go on. */
static void
meet (PdComsys *self, const PdComm *comm, PdBarrierState *barrier, PdTime duration)
{
  guint32 id = meeting_new (self), root = pd_comm_world_rank (comm, barrier->root);
  Meeting *meeting = self->meetings->pdata[id];

  *meeting = (Meeting){ g_array_copy (barrier->waiting), barrier->mark, duration };
  for (guint i = 0; i < meeting->members->len && pd_ops[barrier->op].rooted; i++)
    {
      PdBarrierWaiting member = g_array_index (meeting->members, PdBarrierWaiting, i);
      if (member.rank != root)
        continue;
      g_array_remove_index (meeting->members, i);
      g_array_append_val (meeting->members, member);
      break;
    }
  g_array_sort_with_data (meeting->members, compare_nodes, self);
  pd_comsys_push_next (self, barrier->latest, pd_what (PD_EVENT_MEETING, 0, id));
}

/* All members have come, the last one by @call: all go on at the same moment. */
static void
end_all (PdComsys *self, const PdCall *call, const PdBarrierState *barrier, guint32 request,
         PdTime when)
{
  PdBarrierWaiting own = { call->rank, request };

  for (guint i = 0; i < barrier->waiting->len; i++)
    end_operation (self, &g_array_index (barrier->waiting, PdBarrierWaiting, i), barrier->mark,
                   when);
  if (request != 0)
    {
      end_operation (self, &own, barrier->mark, when);
      return;
    }
  *call->ret = when;
  PD_PROBE (self, barrier_leave, own.rank, 0, barrier->mark, when);
  pd_cpu_account (self, when);
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
  gboolean is_over = barrier->n_arrived == comm->n && !barrier->mismatched;
  if (!is_over || takes_network (self))
    {
      g_array_append_val (barrier->waiting, own);
      if (request == 0)
        pd_rank_block (self, call, pd_ops[args->op].function);
    }
  if (!is_over)
    return;

  PdTime duration = PD_TIME_ZERO; /* alone there is nothing to agree upon, but for Dimemas */
  if (comm->n > 1 || args->is_equal)
    duration = pd_phases_get_time (self, comm, barrier->op, &barrier->bytes);
  if (takes_network (self))
    meet (self, comm, barrier, duration);
  else
    end_all (self, call, barrier, request, pd_time_add (barrier->latest, duration));
  pd_barrier_leave (comm);
}

/* ---- reduce by messages */

/* The part that the caller sends to the root, which has its own. */
static guint32
part_new (PdComsys *self, const PdCall *call, PdComm *comm, const PdCollective *args)
{
  guint32 me = (guint32) pd_comm_get_rank (comm, call->rank),
          message = pd_req_new (self, call->rank);
  PdReq *m = pd_req (self, message);

  m->kind = PD_REQ_TO_ROOT;
  m->comm = pd_comm_ref (comm);
  m->link = comm->n_entered[me] - 1;
  m->peer = pd_comm_world_rank (comm, args->root);
  m->bytes = pd_phases_get_bytes (args, comm).sent;
  m->tag = PD_ANY_TAG;
  m->collective = 1;
  m->held = PD_HELD_SYSTEM;
  return message;
}

void
pd_barrier_reduce (PdComsys *self, const PdCall *call, PdComm *comm, const PdCollective *args)
{
  PdTime when = pd_time_add (call->when, pd_phases_get_latency (self, comm, call->rank));
  PdBarrierState *barrier =
      pd_barrier_enter_operation (comm, (guint32) pd_comm_get_rank (comm, call->rank), args);
  guint32 message = part_new (self, call, comm, args);
  gboolean is_root = pd_req (self, message)->peer == call->rank;
  guint64 what = pd_what (is_root ? PD_EVENT_DELIVERY : PD_EVENT_REQUEST, call->rank, message);

  PD_PROBE (self, barrier_enter, call, &barrier->mark);
  pd_rank_block (self, call, pd_ops[args->op].function);
  if (!is_root)
    {
      self->counts.n_messages++;
      self->counts.n_collective_messages++;
      self->counts.n_bytes.ps += pd_req (self, message)->bytes;
    }
  if (self->resources->is_fifo)
    pd_comsys_push_next (self, when, what);
  else
    pd_queue_push (&self->queue, when, FALSE, call->rank, what);
}

static void
leave_reduce (PdComsys *self, guint32 rank, const PdBarrierState *barrier, PdTime when,
              gboolean has_waited)
{
  PD_PROBE (self, barrier_leave, rank, 0, barrier->mark, when);
  (has_waited ? pd_rank_return_next : pd_rank_go_on) (self, rank, when);
}

/* Those that go on at the same moment do so by node; a root that all others have reached goes on
 * without waiting. */
void
pd_barrier_reached_root (PdComsys *self, guint32 message, PdTime when)
{
  const PdReq *m = pd_req (self, message);
  PdComm *comm = m->comm;
  PdBarrierState *barrier = comm->barriers->pdata[m->link & (comm->barriers->len - 1)];
  PdBarrierWaiting own = { m->rank, 0 }, root = { m->peer, 0 };

  pd_req_drop (self, message, PD_HELD_SYSTEM);
  barrier->latest = pd_time_max (barrier->latest, when);
  gboolean is_over = ++barrier->n_reached == comm->n && !barrier->mismatched;
  gboolean root_first = is_over && node_of (self, &root) <= node_of (self, &own);
  if (root_first)
    leave_reduce (self, root.rank, barrier, barrier->latest, own.rank != root.rank);
  if (own.rank != root.rank)
    leave_reduce (self, own.rank, barrier, when, TRUE);
  if (is_over && !root_first)
    leave_reduce (self, root.rank, barrier, barrier->latest, TRUE);
  if (is_over)
    pd_barrier_leave (comm);
  pd_comm_unref (comm);
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
