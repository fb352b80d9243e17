/* What is known only when the last member of a communicator has come: when all
 * may go on (and which communicators are made of it, see pd-comm-create.c).
 * SPDX-License-Identifier: MIT */
#include "comsys/pd-comm-private.h"
#include "comsys/pd-trail-private.h"

typedef struct
{
  guint32 rank;    /* world rank that is blocked here, */
  guint32 request; /* or does not wait itself: what completes */
} Waiting;

static void
meeting_free (gpointer data)
{
  PdMeeting *meeting = data;

  g_array_unref (meeting->waiting);
  for (guint i = 0; i < meeting->joins->len; i++)
    g_free (g_array_index (meeting->joins, PdJoin, i).neighbors);
  g_array_unref (meeting->joins);
  g_free (meeting);
}

static PdMeeting *
meeting_new (void)
{
  PdMeeting *meeting = g_new0 (PdMeeting, 1);

  meeting->waiting = g_array_new (FALSE, FALSE, sizeof (Waiting));
  meeting->joins = g_array_new (FALSE, FALSE, sizeof (PdJoin));
  return meeting;
}

/* Twice as much room, for as many as a power of two. */
static void
grow (PdComm *comm)
{
  guint32 had = comm->meetings->len, room = MAX (2 * had, 2);
  g_autoptr (GPtrArray) old = comm->meetings;

  comm->meetings = g_ptr_array_new_full (room, meeting_free);
  g_ptr_array_set_size (comm->meetings, (gint) room);
  for (guint32 i = 0; i < room; i++)
    {
      guint32 number = comm->first_open + i;
      comm->meetings->pdata[number & (room - 1)] =
          i < had ? old->pdata[number & (had - 1)] : meeting_new ();
    }
  g_ptr_array_set_free_func (old, NULL);
}

PdMeeting *
pd_meeting_enter (PdComm *comm, guint32 me)
{
  if (comm->meetings == NULL)
    {
      comm->meetings = g_ptr_array_new_with_free_func (meeting_free);
      comm->n_met = g_new0 (guint32, comm->n);
    }
  guint32 number = comm->n_met[me]++;
  while (number - comm->first_open >= comm->meetings->len)
    grow (comm);
  PdMeeting *meeting = comm->meetings->pdata[number & (comm->meetings->len - 1)];
  meeting->n_arrived++;
  return meeting;
}

/* It becomes one that is yet to come. */
void
pd_meeting_leave (PdComm *comm)
{
  PdMeeting *meeting = comm->meetings->pdata[comm->first_open++ & (comm->meetings->len - 1)];

  meeting->n_arrived = 0;
  meeting->latest = PD_TIME_ZERO;
  if (meeting->trail != 0)
    pd_trail_put (comm->comsys->trail, &meeting->trail, 0);
  g_array_set_size (meeting->waiting, 0);
  g_array_set_size (meeting->joins, 0);
}

/* The last member has come: those that wait return their own time later. */
static void
end_meeting (PdComsys *self, PdComm *comm, PdMeeting *meeting)
{
  for (guint i = 0; i < meeting->waiting->len; i++)
    {
      guint32 rank = g_array_index (meeting->waiting, Waiting, i).rank;
      PdTime when = pd_time_add (meeting->latest, self->ranks[rank].overhead);
      if (self->trail != NULL)
        pd_trail_met (self, rank, 0, meeting->trail, when);
      pd_rank_return (self, rank, when);
    }
  pd_meeting_leave (comm);
}

void
pd_meet (PdComsys *self, const PdCall *call, PdComm *comm, const char *function, PdTime duration)
{
  PdMeeting *meeting = pd_meeting_enter (comm, (guint32) pd_comm_get_rank (comm, call->rank));
  Waiting waiting = { call->rank, 0 };

  meeting->latest = pd_time_max (meeting->latest, call->when);
  if (self->trail != NULL)
    pd_trail_meets (self, call, &meeting->trail);
  if (meeting->n_arrived < comm->n)
    {
      g_array_append_val (meeting->waiting, waiting);
      pd_rank_block (self, call, function);
      self->ranks[call->rank].overhead = duration;
      return;
    }
  *call->ret = pd_time_add (meeting->latest, duration);
  if (self->trail != NULL)
    pd_trail_met (self, call->rank, 0, meeting->trail, *call->ret);
  pd_cpu_account (self, *call->ret);
  end_meeting (self, comm, meeting);
}

/* ---- collective operations of the set "simple" */

/* The operation is that of the first who comes. */
static void
compare_operations (PdMeeting *meeting, const PdCollective *args, guint32 root)
{
  if (meeting->n_arrived == 1)
    {
      meeting->op = args->op;
      meeting->root = root;
      meeting->mismatched = FALSE;
    }
  else if (meeting->op != args->op || meeting->root != root)
    meeting->mismatched = TRUE;
}

static void
end_operation (PdComsys *self, const Waiting *waiting, guint32 trail, PdTime when)
{
  if (self->trail != NULL)
    pd_trail_met (self, waiting->rank, waiting->request, trail, when);
  if (waiting->request == 0)
    {
      pd_rank_return (self, waiting->rank, when);
      return;
    }
  pd_p2p_complete (self, waiting->request, when);
  pd_req_drop (self, waiting->request, PD_HELD_SYSTEM);
}

/* Whose bytes count. Dimemas has a root in operations without one, too. */
static guint32
find_root (const PdComm *comm, const PdCollective *args)
{
  return (pd_ops[args->op].rooted || args->is_equal) && args->root < comm->n ? args->root : 0;
}

void
pd_meet_for (PdComsys *self, const PdCall *call, PdComm *comm, const PdCollective *args,
             guint32 request)
{
  guint32 me = (guint32) pd_comm_get_rank (comm, call->rank);
  guint32 root = find_root (comm, args);
  PdMeeting *meeting = pd_meeting_enter (comm, me);
  Waiting own = { call->rank, request };

  compare_operations (meeting, args, root);
  meeting->latest = pd_time_max (meeting->latest, call->when);
  if (self->trail != NULL)
    pd_trail_meets (self, call, &meeting->trail);
  if (me == root)
    meeting->bytes = pd_fans_get_bytes (args, comm);
  if (meeting->n_arrived < comm->n || meeting->mismatched)
    {
      g_array_append_val (meeting->waiting, own);
      if (request == 0)
        pd_rank_block (self, call, pd_ops[args->op].function);
      return;
    }

  PdTime when = meeting->latest; /* alone there is nothing to agree upon, but for Dimemas */
  if (comm->n > 1 || args->is_equal)
    when = pd_time_add (when, pd_fans_get_time (self, comm, meeting->op, &meeting->bytes));
  for (guint i = 0; i < meeting->waiting->len; i++)
    end_operation (self, &g_array_index (meeting->waiting, Waiting, i), meeting->trail, when);
  if (request == 0)
    {
      *call->ret = when;
      if (self->trail != NULL)
        pd_trail_met (self, own.rank, 0, meeting->trail, when);
      pd_cpu_account (self, when);
    }
  else
    end_operation (self, &own, meeting->trail, when);
  pd_meeting_leave (comm);
}

void
pd_comsys_exchange (PdComsys *self, const PdCall *call, PdComm *comm, const PdTraffic *own,
                    PdTime duration)
{
  g_return_if_fail (pd_comm_get_rank (comm, call->rank) >= 0);

  pd_comsys_reach (self, call->rank, call->when);
  self->counts.n_messages += (guint64) own->n_sent;
  self->counts.n_bytes.ps += own->bytes_sent;
  pd_meet (self, call, comm, "an exchange", duration);
}
