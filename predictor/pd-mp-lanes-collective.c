/* Collective operations in several lanes; what is known only when all members have been
 * there as in pd-mp-collective.c.
 * SPDX-License-Identifier: MIT */
#include "comsys/pd-lines.h"
#include "predictor/pd-mp-lanes-private.h"

/* ---- meetings */

typedef struct
{
  PdLaneTime begin;
  PdLaneTime end;
} Times;

/* An operation under way. */
typedef struct
{
  PdLaneTime latest_begin;
  PdLaneTime latest_end;
  Times *members;         /* (array length=size) */
  PdMpAccount **accounts; /* (array length=size): where each member was */
  guint32 n_left;
} Meeting;

/* Those of a communicator. They end in their order: every member goes through
 * them in order. */
typedef struct
{
  Meeting **ring; /* (array length=room): by number */
  guint32 *n_met; /* (nullable) (array length=size): operations each member has begun */
  guint32 room;   /* a power of two, or 0 */
  guint32 first;  /* number of the oldest that is open; older ones in the ring are spare */
  guint32 next;   /* number of the next to begin */
} Meetings;

struct _PdMpLaneMeetings
{
  Meetings *comms;
  guint32 n;
};

PdMpLaneMeetings *
pd_mp_lane_meetings_new (guint32 n_comms)
{
  PdMpLaneMeetings *self = g_new (PdMpLaneMeetings, 1);

  self->comms = g_new0 (Meetings, n_comms);
  self->n = n_comms;
  return self;
}

static void
meeting_free (Meeting *meeting)
{
  if (meeting == NULL)
    return;
  free (meeting->members);
  g_free (meeting->accounts);
  free (meeting);
}

void
pd_mp_lane_meetings_free (PdMpLaneMeetings *self)
{
  if (self == NULL)
    return;
  for (guint32 i = 0; i < self->n; i++)
    {
      for (guint32 k = 0; k < self->comms[i].room; k++)
        meeting_free (self->comms[i].ring[k]);
      g_free (self->comms[i].ring);
      g_free (self->comms[i].n_met);
    }
  g_free (self->comms);
  g_free (self);
}

static gpointer
new_lines (gsize size)
{
  gpointer lines = aligned_alloc (64, (size + 63) / 64 * 64);

  if (lines == NULL)
    g_error ("out of memory: %" G_GSIZE_FORMAT " bytes are needed", size);
  return lines;
}

static Meeting *
meeting_new (guint32 size)
{
  Meeting *meeting = new_lines (sizeof *meeting);

  meeting->members = new_lines (size * sizeof *meeting->members);
  meeting->accounts = g_new (PdMpAccount *, size);
  return meeting;
}

static void
grow (Meetings *meetings)
{
  guint32 room = MAX (2 * meetings->room, 4);
  Meeting **ring = g_new0 (Meeting *, room);

  for (guint32 i = 0; i < meetings->room; i++)
    {
      guint32 number = meetings->first + i;
      ring[number & (room - 1)] = meetings->ring[number & (meetings->room - 1)];
    }
  g_free (meetings->ring);
  meetings->ring = ring;
  meetings->room = room;
}

/* Operation @number, one of those under way or the next one. */
static Meeting *
open_meeting (Meetings *meetings, guint32 number, guint32 size)
{
  if (number - meetings->first >= meetings->room)
    grow (meetings);
  Meeting **at = &meetings->ring[number & (meetings->room - 1)];
  if (*at == NULL)
    *at = meeting_new (size);
  if (number == meetings->next)
    {
      **at = (Meeting){ .members = (*at)->members, .accounts = (*at)->accounts };
      meetings->next++;
    }
  return *at;
}

static void
enter_meeting (PdMpLanes *self, const PdMpLaneRank *r, guint32 comm, guint32 me)
{
  Meetings *meetings = &self->meetings->comms[comm];
  guint32 size = pd_comm_get_size (self->mps[0]->comms[comm]);

  if (meetings->n_met == NULL)
    meetings->n_met = g_new0 (guint32, size);
  Meeting *meeting = open_meeting (meetings, meetings->n_met[me]++, size);
  meeting->members[me].begin = r->calls->clock;
  meeting->accounts[me] = r->account;
  for (guint i = 0; i < PD_LANES_N; i++)
    meeting->latest_begin.ps[i] = MAX (meeting->latest_begin.ps[i], r->calls->clock.ps[i]);
}

/* All members are through. */
static void
conclude (const Meeting *meeting, guint32 size)
{
  for (guint32 m = 0; m < size; m++)
    {
      const Times *member = &meeting->members[m];
      PdMpAccount *account = meeting->accounts[m];
      for (guint i = 0; i < PD_LANES_N; i++)
        account->synchronization.ps[i] += meeting->latest_begin.ps[i] - member->begin.ps[i];
      for (guint i = 0; i < PD_LANES_N; i++)
        account->variation.ps[i] += meeting->latest_end.ps[i] - member->end.ps[i];
    }
}

static void
leave_meeting (PdMpLanes *self, const PdMpLaneRank *r, guint32 comm, guint32 me)
{
  Meetings *meetings = &self->meetings->comms[comm];
  guint32 size = pd_comm_get_size (self->mps[0]->comms[comm]);
  Meeting *meeting = meetings->ring[(meetings->n_met[me] - 1) & (meetings->room - 1)];

  meeting->members[me].end = r->calls->clock;
  for (guint i = 0; i < PD_LANES_N; i++)
    meeting->latest_end.ps[i] = MAX (meeting->latest_end.ps[i], r->calls->clock.ps[i]);
  if (++meeting->n_left < size)
    return;
  conclude (meeting, size);
  meetings->first++;
}

/* ---- calls */

void
pd_mp_lane_collective_returned (PdMpLanes *self, guint32 rank, PdMpLaneRank *r)
{
  PdAction action;
  const PdCell *next = pd_action_read (r->cell, &action);

  if (!pd_mp_collective_is_system (action.op))
    {
      gint64 me = pd_comm_get_rank (self->mps[0]->comms[action.comm], rank);
      leave_meeting (self, r, action.comm, (guint32) me);
    }
  if (action.amount.time.ps != 0)
    pd_mp_lane_compute (self, r, action.amount);
  r->cell = next;
}

gboolean
pd_mp_lane_collective (PdMpLanes *self, guint32 rank, PdMpLaneRank *r)
{
  PdAction action;

  pd_action_read (r->cell, &action);
  PdComm *comm = self->mps[0]->comms[action.comm];
  gint64 me = pd_comm_get_rank (comm, rank);
  if (!pd_mp_collective_is_complete (self->mps[0], &action, me))
    return pd_mp_lane_not_modelled (self, rank, r);

  PdCollective collective = pd_mp_collective_arguments (self->mps[0], &action);
  gboolean is_system = pd_mp_collective_is_system (action.op);
  if (!is_system)
    {
      r->account->n_collectives += me == 0 ? 1 : 0;
      enter_meeting (self, r, action.comm, (guint32) me);
    }
  r->category = is_system ? PD_MP_SYSTEM : PD_MP_COLLECTIVE;
  r->state = PD_MP_CALLED;
  if (!pd_lanes_collective (self->lanes, rank, comm, &collective))
    return FALSE;
  r->state = PD_MP_READY;
  pd_mp_lane_spend (r);
  pd_mp_lane_collective_returned (self, rank, r);
  return TRUE;
}

/* What the reduction computes is computed when the operation starts. */
gboolean
pd_mp_lane_icollective (PdMpLanes *self, guint32 rank, PdMpLaneRank *r)
{
  PdAction action;

  const PdCell *next = pd_action_read (r->cell, &action);
  PdComm *comm = self->mps[0]->comms[action.comm];
  gint64 me = pd_comm_get_rank (comm, rank);
  if (!pd_mp_collective_is_complete (self->mps[0], &action, me))
    return pd_mp_lane_not_modelled (self, rank, r);

  PdCollective collective = pd_mp_collective_arguments (self->mps[0], &action);
  PdRequest *slot = pd_mp_lane_free_slot (self, r, action.request);
  r->account->n_collectives += me == 0 && !pd_mp_collective_is_system (action.op) ? 1 : 0;
  *slot = pd_lanes_icollective (self->lanes, rank, comm, &collective);
  r->category = PD_MP_COLLECTIVE;
  pd_mp_lane_spend (r);
  if (action.amount.time.ps != 0)
    pd_mp_lane_compute (self, r, action.amount);
  r->cell = next;
  return TRUE;
}
