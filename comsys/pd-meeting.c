/* What is known only when the last member of a communicator has come: when all
 * may go on, and which communicators are made of it.
 * SPDX-License-Identifier: MIT */
#include "comsys/pd-comsys-private.h"

typedef struct
{
  guint32 n_arrived;
  PdTime latest;
  GArray *waiting; /* guint32 world ranks that are blocked here */
  GArray *joins;   /* Join */
} Meeting;

typedef struct
{
  guint32 world_rank;
  guint32 old_rank;
  gint32 color;
  gint32 key;
  PdComm **result;
} Join;

static void
meeting_free (gpointer data)
{
  Meeting *meeting = data;

  g_array_unref (meeting->waiting);
  g_array_unref (meeting->joins);
  g_free (meeting);
}

static Meeting *
meeting_new (void)
{
  Meeting *meeting = g_new0 (Meeting, 1);

  meeting->waiting = g_array_new (FALSE, FALSE, sizeof (guint32));
  meeting->joins = g_array_new (FALSE, FALSE, sizeof (Join));
  return meeting;
}

/* The meeting that member @me enters next. */
static Meeting *
enter_meeting (PdComm *comm, guint32 me)
{
  if (comm->meetings == NULL)
    {
      comm->meetings = g_ptr_array_new_with_free_func (meeting_free);
      comm->n_met = g_new0 (guint32, comm->n);
    }
  guint32 number = comm->n_met[me]++ - comm->first_open;
  while (comm->meetings->len <= number)
    g_ptr_array_add (comm->meetings, meeting_new ());
  Meeting *meeting = g_ptr_array_index (comm->meetings, number);
  meeting->n_arrived++;
  return meeting;
}

/* The oldest meeting is over: it becomes one that is yet to come. */
static void
leave_meeting (PdComm *comm)
{
  Meeting *meeting = g_ptr_array_steal_index (comm->meetings, 0);

  meeting->n_arrived = 0;
  meeting->latest = PD_TIME_ZERO;
  g_array_set_size (meeting->waiting, 0);
  g_array_set_size (meeting->joins, 0);
  g_ptr_array_add (comm->meetings, meeting);
  comm->first_open++;
}

/* The last member has come: those that wait return their own time later. */
static void
end_meeting (PdComsys *self, PdComm *comm, Meeting *meeting)
{
  for (guint i = 0; i < meeting->waiting->len; i++)
    {
      guint32 rank = g_array_index (meeting->waiting, guint32, i);
      pd_rank_return (self, rank, pd_time_add (meeting->latest, self->ranks[rank].overhead));
    }
  leave_meeting (comm);
}

void
pd_meet (PdComsys *self, const PdCall *call, PdComm *comm, const char *function, PdTime duration)
{
  Meeting *meeting = enter_meeting (comm, (guint32) pd_comm_get_rank (comm, call->rank));

  meeting->latest = pd_time_max (meeting->latest, call->when);
  if (meeting->n_arrived < comm->n)
    {
      g_array_append_val (meeting->waiting, call->rank);
      pd_rank_block (self, call, function);
      self->ranks[call->rank].overhead = duration;
      return;
    }
  *call->ret = pd_time_add (meeting->latest, duration);
  pd_cpu_account (self, *call->ret);
  end_meeting (self, comm, meeting);
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

/* ---- creation of communicators */

static int
compare_joins (gconstpointer a, gconstpointer b)
{
  const Join *x = a, *y = b;

  if (x->color != y->color)
    return x->color < y->color ? -1 : 1;
  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  return x->old_rank < y->old_rank ? -1 : x->old_rank > y->old_rank;
}

/* Everybody has said where it belongs: one communicator per colour. */
static void
create_communicators (PdComsys *self, GArray *joins)
{
  g_autofree guint32 *ranks = g_new (guint32, joins->len);

  g_array_sort (joins, compare_joins);
  for (guint i = 0, end; i < joins->len; i = end)
    {
      gint32 color = g_array_index (joins, Join, i).color;
      for (end = i; end < joins->len && g_array_index (joins, Join, end).color == color; end++)
        ranks[end - i] = g_array_index (joins, Join, end).world_rank;
      PdComm *comm = color < 0 ? NULL : pd_comm_new (self, ranks, end - i);
      for (guint k = i; k < end; k++)
        *g_array_index (joins, Join, k).result = comm == NULL || k == i ? comm : pd_comm_ref (comm);
    }
}

/* Members of @group belong together in its order, the others nowhere. */
static void
follow_group (const PdComm *comm, const PdGroup *group, GArray *joins)
{
  g_autofree gint32 *places = g_new (gint32, comm->n);

  for (guint32 i = 0; i < comm->n; i++)
    places[i] = -1;
  for (guint32 i = 0; i < group->n; i++)
    {
      gint64 rank = pd_comm_get_rank (comm, group->ranks[i]);
      if (rank >= 0)
        places[rank] = (gint32) i;
    }
  for (guint i = 0; i < joins->len; i++)
    {
      Join *join = &g_array_index (joins, Join, i);
      join->color = MIN (places[join->old_rank], 0);
      join->key = places[join->old_rank];
    }
}

/* Says where the caller belongs: by @split or, if not %NULL, by @group. */
static void
join (PdComsys *self, const PdCall *call, PdComm *comm, PdSplit split, const PdGroup *group,
      PdComm **result)
{
  guint32 me = (guint32) pd_comm_get_rank (comm, call->rank);
  Meeting *meeting = enter_meeting (comm, me);
  Join join = { call->rank, me, split.color, split.key, result };

  *result = NULL;
  g_array_append_val (meeting->joins, join);
  if (meeting->n_arrived < comm->n)
    return;
  if (group != NULL)
    follow_group (comm, group, meeting->joins);
  create_communicators (self, meeting->joins);
  leave_meeting (comm);
}

void
pd_comsys_comm_dup (PdComsys *self, const PdCall *call, PdComm *comm, PdComm **result)
{
  g_return_if_fail (pd_comm_get_rank (comm, call->rank) >= 0);

  join (self, call, comm, (PdSplit){ 0, 0 }, NULL, result);
  pd_comsys_collective (self, call, comm, &(PdCollective){ .op = PD_OP_COMM_DUP });
}

void
pd_comsys_comm_create (PdComsys *self, const PdCall *call, PdComm *comm, const PdGroup *group,
                       PdComm **result)
{
  g_return_if_fail (pd_comm_get_rank (comm, call->rank) >= 0);

  join (self, call, comm, (PdSplit){ 0, 0 }, group, result);
  pd_comsys_collective (self, call, comm, &(PdCollective){ .op = PD_OP_COMM_CREATE });
}

void
pd_comsys_comm_split (PdComsys *self, const PdCall *call, PdComm *comm, PdSplit split,
                      PdComm **result)
{
  g_return_if_fail (pd_comm_get_rank (comm, call->rank) >= 0);

  join (self, call, comm, split, NULL, result);
  pd_comsys_collective (self, call, comm, &(PdCollective){ .op = PD_OP_COMM_SPLIT });
}
