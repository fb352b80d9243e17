/* Collective operations of message-passing programs. How long each rank would have
 * waited at a barrier (Synchronization), and how much earlier than the last one it
 * was through (Time_variation), is known when all members have been there: until
 * then each operation that is under way remembers its members' moments.
 * SPDX-License-Identifier: MIT */
#include "predictor/common/pd-mp-collective-ops.h"
#include "predictor/mp/pd-mp-state.h"
#include "comsys/comm/pd-comm.h"
#include "comsys/mpi/pd-collective.h"
#include "predictor/mp/pd-mp-calls.h"
#include "predictor/mp/pd-mp-collective.h"
#include "predictor/mp/pd-mp-run.h"
#include "traces/program/pd-action.h"

gboolean
pd_mp_collective_is_system (PdCollKind op)
{
  return op >= PD_COLL_COMM_DUP;
}

/* ---- barriers */

typedef struct
{
  PdTime begin;
  PdTime end;
  guint32 node; /* where the member was */
} Member;

/* An operation under way. */
typedef struct
{
  PdTime latest_begin;
  PdTime latest_end;
  guint32 n_left; /* members that are through */
  Member members[];
} Barrier;

/* Those of a communicator. They end in their order: every member goes through
 * them in order, so the last to leave one has left none that came after it. */
typedef struct
{
  Barrier **ring;     /* (array length=room): by number */
  guint32 *n_entered; /* (nullable) (array length=size): operations each member has begun */
  guint32 room;       /* a power of two, or 0 */
  guint32 first_open; /* number of the oldest; older ones in the ring are spare */
  guint32 next;       /* number of the next to begin */
} Barriers;

struct _PdMpBarriers
{
  GHashTable *neighbours; /* list of the program + 1 -> guint32 array */
  Barriers *comms;        /* by communicator */
  guint32 n;
};

PdMpBarriers *
pd_mp_barriers_new (guint32 n_comms)
{
  PdMpBarriers *self = g_new (PdMpBarriers, 1);

  self->comms = g_new0 (Barriers, n_comms);
  self->n = n_comms;
  self->neighbours = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  return self;
}

void
pd_mp_barriers_free (PdMpBarriers *self)
{
  if (self == NULL)
    return;
  for (guint32 i = 0; i < self->n; i++)
    {
      for (guint32 k = 0; k < self->comms[i].room; k++)
        g_free (self->comms[i].ring[k]);
      g_free (self->comms[i].ring);
      g_free (self->comms[i].n_entered);
    }
  g_free (self->comms);
  g_hash_table_unref (self->neighbours);
  g_free (self);
}

static void
grow (Barriers *barriers)
{
  guint32 room = MAX (2 * barriers->room, 4);
  Barrier **ring = g_new0 (Barrier *, room);

  for (guint32 i = 0; i < barriers->room; i++)
    {
      guint32 number = barriers->first_open + i;
      ring[number & (room - 1)] = barriers->ring[number & (barriers->room - 1)];
    }
  g_free (barriers->ring);
  barriers->ring = ring;
  barriers->room = room;
}

static Barrier *
get_barrier (const Barriers *barriers, guint32 number)
{
  return barriers->ring[number & (barriers->room - 1)];
}

/* The place in the ring for operation @number, one of those under way or the
 * next one. */
static Barrier *
open_barrier (Barriers *barriers, guint32 number, gboolean is_new, guint32 size)
{
  if (number - barriers->first_open >= barriers->room)
    grow (barriers);
  Barrier **at = &barriers->ring[number & (barriers->room - 1)];
  if (*at == NULL)
    *at = g_malloc (sizeof (Barrier) + size * sizeof (Member));
  if (is_new)
    **at = (Barrier){ .n_left = 0 };
  return *at;
}

static void
enter_barrier (PdMp *self, guint32 rank, guint32 comm, guint32 me)
{
  Barriers *barriers = &self->barriers->comms[comm];
  guint32 size = pd_comm_get_size (self->comms[comm]);
  PdMpRank *r = &self->ranks[rank];

  if (barriers->n_entered == NULL)
    barriers->n_entered = g_new0 (guint32, size);
  guint32 number = barriers->n_entered[me]++;
  Barrier *barrier = open_barrier (barriers, number, number == barriers->next, size);
  barriers->next += number == barriers->next;
  barrier->members[me].begin = r->began;
  barrier->members[me].node = r->node;
  barrier->latest_begin = pd_time_max (barrier->latest_begin, r->began);
}

/* All members are through. */
static void
conclude (PdMp *self, const Barrier *barrier, guint32 comm)
{
  guint32 n;
  const guint32 *ranks = pd_program_get_comm (self->program, comm, &n);

  for (guint32 i = 0; i < n; i++)
    {
      const Member *m = &barrier->members[i];
      guint32 rank = ranks != NULL ? ranks[i] : i;
      pd_interval_tree_add (self->tree, m->node, PD_Q_SYNCHRONIZATION, rank,
                            pd_time_sub (barrier->latest_begin, m->begin));
      pd_interval_tree_add (self->tree, m->node, PD_Q_TIME_VARIATION, rank,
                            pd_time_sub (barrier->latest_end, m->end));
    }
}

static void
leave_barrier (PdMp *self, guint32 rank, guint32 comm, guint32 me)
{
  Barriers *barriers = &self->barriers->comms[comm];
  Barrier *barrier = get_barrier (barriers, barriers->n_entered[me] - 1);

  barrier->members[me].end = self->ranks[rank].clock;
  barrier->latest_end = pd_time_max (barrier->latest_end, self->ranks[rank].clock);
  if (++barrier->n_left < pd_comm_get_size (self->comms[comm]))
    return;
  conclude (self, barrier, comm);
  barriers->first_open++;
}

/* ---- lists of neighbours */

/* As ComSys takes them; each list of the program is made once. */
static const guint32 *
find_neighbours (PdMp *self, guint32 list, guint32 *n)
{
  GHashTable *known = self->barriers->neighbours;
  const gint64 *ranks = pd_program_get_counts (self->program, list, n);
  guint32 *neighbours = g_hash_table_lookup (known, GUINT_TO_POINTER (list + 1));

  if (neighbours != NULL)
    return neighbours;
  neighbours = g_new (guint32, MAX (*n, 1));
  for (guint32 i = 0; i < *n; i++)
    neighbours[i] = ranks[i] >= 0 ? (guint32) ranks[i] : PD_NO_NEIGHBOR;
  g_hash_table_insert (known, GUINT_TO_POINTER (list + 1), neighbours);
  return neighbours;
}

/* ---- calls */

static const gint64 *
counts_of (const PdMp *self, guint32 counts)
{
  return counts != PD_PROGRAM_NONE ? pd_program_get_counts (self->program, counts, NULL) : NULL;
}

PdCollective
pd_mp_collective_arguments (PdMp *self, const PdAction *action)
{
  PdCollective collective = { .op = pd_mp_get_op (action->op),
                              .root = (guint32) action->peer,
                              .bytes = action->bytes,
                              .is_equal = !pd_program_has_counts (self->program),
                              .is_measured = action->sent_bytes > 0 || action->recv_bytes > 0,
                              .sent_bytes = action->sent_bytes,
                              .recv_bytes = action->recv_bytes,
                              .send_counts = counts_of (self, action->send_counts),
                              .recv_counts = counts_of (self, action->recv_counts) };

  if (action->sources != PD_PROGRAM_NONE)
    collective.sources = find_neighbours (self, action->sources, &collective.n_sources);
  if (action->targets != PD_PROGRAM_NONE)
    collective.targets = find_neighbours (self, action->targets, &collective.n_targets);
  return collective;
}

/* Programs without any vectors of bytes, as those of Dimemas, need none. */
gboolean
pd_mp_collective_is_complete (const PdMp *self, const PdAction *action, gint64 me)
{
  gboolean is_root = me == action->peer;

  if (!pd_program_has_counts (self->program))
    return me >= 0;
  switch (action->op)
    {
    case PD_COLL_GATHERV:
      return me >= 0 && (!is_root || action->recv_counts != PD_PROGRAM_NONE);
    case PD_COLL_SCATTERV:
      return me >= 0 && (!is_root || action->send_counts != PD_PROGRAM_NONE);
    case PD_COLL_ALLGATHERV:
      return me >= 0 && action->recv_counts != PD_PROGRAM_NONE;
    case PD_COLL_NEIGHBOR_ALLGATHERV:
      return me >= 0
             && (action->recv_counts != PD_PROGRAM_NONE || action->sources == PD_PROGRAM_NONE);
    case PD_COLL_ALLTOALLV:
    case PD_COLL_ALLTOALLW:
      return me >= 0 && action->send_counts != PD_PROGRAM_NONE
             && action->recv_counts != PD_PROGRAM_NONE;
    case PD_COLL_NEIGHBOR_ALLTOALLV:
    case PD_COLL_NEIGHBOR_ALLTOALLW:
      return me >= 0
             && (action->recv_counts != PD_PROGRAM_NONE || action->sources == PD_PROGRAM_NONE)
             && (action->send_counts != PD_PROGRAM_NONE || action->targets == PD_PROGRAM_NONE);
    default:
      return me >= 0;
    }
}

/* What is done when a collective operation has returned at the rank's clock. */
static void
conclude_operation (PdMp *self, guint32 rank, const PdAction *action)
{
  gint64 me = pd_comm_get_rank (self->comms[action->comm], rank);

  if (action->kind == PD_ACT_WIN_FENCE || !pd_mp_collective_is_system (action->op))
    leave_barrier (self, rank, action->comm, (guint32) me);
  if (action->amount.time.ps != 0)
    pd_mp_compute (self, rank, action->amount, 0);
}

void
pd_mp_collective_returned (PdMp *self, guint32 rank, PdMpRank *r)
{
  PdAction action;
  const PdProgramCell *next = pd_action_read (r->cell, &action);

  conclude_operation (self, rank, &action);
  r->cell = next;
}

void
pd_mp_collective_called (PdMp *self, guint32 rank, PdMpRank *r, guint32 comm)
{
  guint32 me = (guint32) pd_comm_get_rank (self->comms[comm], rank);

  r->n_collectives += me == 0 ? 1 : 0;
  enter_barrier (self, rank, comm, me);
}

gboolean
pd_mp_collective_waits (PdMp *self, guint32 rank, PdMpRank *r, PdMpCategory category)
{
  r->category = (guint8) category;
  r->state = PD_MP_CALLED;
  if (pd_time_is_pending (r->ret))
    return FALSE;
  r->state = PD_MP_READY;
  r->spent[category] += r->ret.ps - r->began.ps;
  r->clock = r->ret;
  pd_mp_collective_returned (self, rank, r);
  return TRUE;
}

gboolean
pd_mp_act_collective (PdMp *self, guint32 rank, PdMpRank *r)
{
  PdAction action;

  if (!pd_mp_may_act (self, rank, r))
    return FALSE;
  pd_action_read (r->cell, &action);
  PdComm *comm = self->comms[action.comm];
  gint64 me = pd_comm_get_rank (comm, rank);
  if (!pd_mp_collective_is_complete (self, &action, me))
    return pd_mp_act_not_modelled (self, rank, r);

  PdCollective collective = pd_mp_collective_arguments (self, &action);
  PdCall call = pd_mp_call (rank, r);
  if (!pd_mp_collective_is_system (action.op))
    pd_mp_collective_called (self, rank, r, action.comm);
  pd_comsys_collective (self->comsys, &call, comm, &collective);
  return pd_mp_collective_waits (
      self, rank, r, pd_mp_collective_is_system (action.op) ? PD_MP_SYSTEM : PD_MP_COLLECTIVE);
}

/* What the reduction computes is computed when the operation starts: when it ends
 * nobody is there to do it. */
gboolean
pd_mp_act_icollective (PdMp *self, guint32 rank, PdMpRank *r)
{
  PdAction action;

  if (!pd_mp_may_act (self, rank, r))
    return FALSE;
  const PdProgramCell *next = pd_action_read (r->cell, &action);
  PdComm *comm = self->comms[action.comm];
  gint64 me = pd_comm_get_rank (comm, rank);
  if (!pd_mp_collective_is_complete (self, &action, me))
    return pd_mp_act_not_modelled (self, rank, r);

  PdCollective collective = pd_mp_collective_arguments (self, &action);
  PdRequest *slot = pd_mp_free_slot (self, r, action.request);
  PdCall call = pd_mp_call (rank, r);
  r->n_collectives += me == 0 && !pd_mp_collective_is_system (action.op) ? 1 : 0;
  *slot = pd_comsys_icollective (self->comsys, &call, comm, &collective);
  r->spent[PD_MP_COLLECTIVE] += r->ret.ps - r->began.ps;
  r->clock = r->ret;
  if (action.amount.time.ps != 0)
    pd_mp_compute (self, rank, action.amount, 0);
  r->cell = next;
  return TRUE;
}
