/* Collective operations in all lanes at once: the steps of their schedules, as
 * pd-coll-play.c plays them, or a time after the last arrival, as in pd-meeting.c.
 * SPDX-License-Identifier: MIT */
#include "comsys/pd-lanes-private.h"

#include <string.h>

/* ---- schedules */

/* A step that needs nobody else. */
static void
work (PdLanes *self, PdLaneRank *r, const PdStep *step)
{
  PdLaneTime time;
  gsize what = step->kind == PD_STEP_REDUCE ? G_STRUCT_OFFSET (PdSoftware, reduction_per_byte)
                                            : G_STRUCT_OFFSET (PdSoftware, copy_per_byte);

  pd_lanes_time_of_bytes (self, step->send_bytes, what, &time);
  pd_lane_add (&r->ret, &r->ret, &time);
}

/* To be waited for with others. */
static void
keep (PdLanes *self, PdLaneRank *r, guint32 req)
{
  pd_lane_req (self, req)->link = r->bundle;
  r->bundle = req;
}

static gboolean
perform (PdLanes *self, PdLaneRank *r, const PdStep *step)
{
  static const PdLaneKind kind = { .collective = TRUE };
  PdComm *comm = r->play->comm;
  PdEnvelope to = pd_play_envelope ((guint32) r->tag, step->to, step->send_bytes);
  PdEnvelope from = pd_play_envelope ((guint32) r->tag, step->from, step->recv_bytes);
  guint32 bundle = r->bundle;

  switch (step->kind)
    {
    case PD_STEP_SEND:
      return pd_lane_send (self, r, comm, to, &kind);
    case PD_STEP_RECV:
      return pd_lane_recv (self, r, comm, from, TRUE);
    case PD_STEP_SENDRECV:
      return pd_lane_sendrecv (self, r, comm, &(PdExchange){ to, from }, TRUE);
    case PD_STEP_ISEND:
      keep (self, r, pd_lane_begin_send (self, r, comm, to, &kind));
      return TRUE;
    case PD_STEP_IRECV:
      keep (self, r, pd_lane_begin_recv (self, r, comm, from, TRUE));
      return TRUE;
    case PD_STEP_WAITALL:
      r->bundle = 0;
      return pd_lane_waitall (self, r, bundle, &self->wait_overhead);
    default:
      work (self, r, step);
      return TRUE;
    }
}

gboolean
pd_lane_play_on (PdLanes *self, PdLaneRank *rank)
{
  PdStep step;

  while (pd_play_next_step (self->comsys[0], rank->play, &step))
    if (!perform (self, rank, &step))
      return FALSE;
  rank->play = NULL;
  return TRUE;
}

/* ---- operations beside their ranks */

static void
beside_free (gpointer beside)
{
  pd_lines_free (beside, (sizeof (PdLaneBeside) + 63) / 64);
}

static PdLaneBeside *
take_beside (PdLanes *self, guint32 world)
{
  PdLaneBeside *beside = self->free;

  if (beside != NULL)
    self->free = beside->next;
  else
    {
      beside = pd_lines_resize (NULL, 0, (sizeof (PdLaneBeside) + 63) / 64);
      if (self->besides == NULL)
        self->besides = g_ptr_array_new_with_free_func (beside_free);
      g_ptr_array_add (self->besides, beside);
    }
  beside->rank = (PdLaneRank){ .world = world, .is_beside = TRUE };
  return beside;
}

/* The request that stands for a whole operation completes. */
static void
end_operation (PdLanes *self, guint32 request, const PdLaneTime *when)
{
  PdLaneReq *r = pd_lane_req (self, request);

  r->done = *when;
  pd_lane_complete (self, r);
  pd_lane_drop (self, request, PD_HELD_SYSTEM);
}

void
pd_lane_go_on_beside (PdLanes *self, PdLaneBeside *beside)
{
  if (!pd_lane_play_on (self, &beside->rank))
    return;
  end_operation (self, beside->request, &beside->rank.ret);
  beside->next = self->free;
  self->free = beside;
}

/* ---- the set "simple" */

static void
meeting_free (gpointer data)
{
  PdLaneMeeting *meeting = data;

  g_array_unref (meeting->waiting);
  pd_lines_free (meeting, (sizeof *meeting + 63) / 64);
}

static PdLaneMeeting *
meeting_new (void)
{
  PdLaneMeeting *meeting = pd_lines_resize (NULL, 0, (sizeof *meeting + 63) / 64);

  meeting->waiting = g_array_new (FALSE, FALSE, sizeof (PdLaneWaiting));
  return meeting;
}

void
pd_lane_meetings_free (gpointer meetings)
{
  PdLaneMeetings *self = meetings;

  g_ptr_array_unref (self->ring);
  g_free (self->n_met);
  g_free (self);
}

static PdLaneMeetings *
meetings_of (PdLanes *self, PdComm *comm)
{
  if (self->meetings == NULL)
    self->meetings = g_hash_table_new_full (NULL, NULL, NULL, pd_lane_meetings_free);
  PdLaneMeetings *meetings = g_hash_table_lookup (self->meetings, comm);
  if (meetings != NULL)
    return meetings;
  meetings = g_new0 (PdLaneMeetings, 1);
  meetings->ring = g_ptr_array_new_with_free_func (meeting_free);
  meetings->n_met = g_new0 (guint32, comm->n);
  g_hash_table_insert (self->meetings, comm, meetings);
  return meetings;
}

/* Twice as much room, for as many as a power of two. */
static void
grow (PdLaneMeetings *self)
{
  guint32 had = self->ring->len, room = MAX (2 * had, 2);
  g_autoptr (GPtrArray) old = self->ring;

  self->ring = g_ptr_array_new_full (room, meeting_free);
  g_ptr_array_set_size (self->ring, (gint) room);
  for (guint32 i = 0; i < room; i++)
    {
      guint32 number = self->first + i;
      self->ring->pdata[number & (room - 1)] =
          i < had ? old->pdata[number & (had - 1)] : meeting_new ();
    }
  g_ptr_array_set_free_func (old, NULL);
}

/* It becomes one that is yet to come. */
static void
leave (PdLaneMeetings *self)
{
  PdLaneMeeting *meeting = self->ring->pdata[self->first++ & (self->ring->len - 1)];
  GArray *waiting = meeting->waiting;

  g_array_set_size (waiting, 0);
  memset (meeting, 0, sizeof *meeting);
  meeting->waiting = waiting;
}

/* The operation is that of the first who comes. */
static void
arrive (PdLaneMeeting *meeting, const PdLaneRank *r, const PdCollective *args, guint32 root)
{
  if (meeting->n_arrived++ == 0)
    {
      meeting->op = args->op;
      meeting->root = root;
    }
  else if (meeting->op != args->op || meeting->root != root)
    meeting->mismatched = TRUE;
  pd_lane_max (&meeting->latest, &meeting->latest, &r->ret);
}

/* When it is over, in all lanes. */
static void
find_end (PdLanes *self, PdComm *comm, const PdCollective *args, PdLaneMeeting *meeting)
{
  PdLaneTime time;

  if (comm->n == 1 && !args->is_equal)
    return;
  for (guint i = 0; i < PD_LANES_N; i++)
    time.ps[i] = pd_fans_get_time (self->comsys[i], comm, meeting->op, &meeting->bytes).ps;
  pd_lanes_check_cost (self, &time);
  pd_lane_add (&meeting->latest, &meeting->latest, &time);
}

static void
let_go (PdLanes *self, const PdLaneMeeting *meeting)
{
  for (guint i = 0; i < meeting->waiting->len; i++)
    {
      const PdLaneWaiting *waiting = &g_array_index (meeting->waiting, PdLaneWaiting, i);
      PdLaneRank *rank = &self->ranks[waiting->rank];
      if (waiting->request != 0)
        {
          end_operation (self, waiting->request, &meeting->latest);
          continue;
        }
      rank->ret = meeting->latest;
      rank->first = 0;
      rank->overhead = NULL;
      pd_lane_ready (self, rank);
    }
}

/* As pd_meet_for(). */
static gboolean
meet_for (PdLanes *self, guint32 rank, PdComm *comm, const PdCollective *args, guint32 request)
{
  PdLaneWaiting own = { rank, request };
  PdLaneMeetings *meetings = meetings_of (self, comm);
  PdLaneRank *r = &self->ranks[rank];
  guint32 me = (guint32) pd_comm_get_rank (comm, rank);
  gboolean has_root = pd_ops[args->op].rooted || args->is_equal;
  guint32 root = has_root && args->root < comm->n ? args->root : 0;
  guint32 number = meetings->n_met[me]++;

  while (number - meetings->first >= meetings->ring->len)
    grow (meetings);
  PdLaneMeeting *meeting = meetings->ring->pdata[number & (meetings->ring->len - 1)];
  arrive (meeting, r, args, root);
  if (me == root)
    meeting->bytes = pd_fans_get_bytes (args, comm);
  if (meeting->n_arrived < comm->n || meeting->mismatched)
    {
      g_array_append_val (meeting->waiting, own);
      return FALSE;
    }
  find_end (self, comm, args, meeting);
  if (request == 0)
    r->ret = meeting->latest;
  else
    g_array_append_val (meeting->waiting, own);
  let_go (self, meeting);
  leave (meetings);
  return TRUE;
}

/* ---- calls */

gboolean
pd_lanes_collective (PdLanes *self, guint32 rank, PdComm *comm, const PdCollective *collective)
{
  PdComsys *comsys = self->comsys[0];
  PdLaneRank *r = &self->ranks[rank];

  r->ret = r->clock;
  r->is_exchange = FALSE;
  if (self->overheads != NULL)
    pd_lane_add (&r->ret, &r->clock, &self->overheads[PD_FN_OPS + collective->op]);
  if (!pd_play_is_for (comsys, collective->op))
    return meet_for (self, rank, comm, collective, 0);
  if (self->plays == NULL)
    self->plays = pd_lines_resize (NULL, 0, self->n_ranks * sizeof (PdPlay) / 64);
  pd_play_init (comsys, &self->plays[rank], rank, comm, collective);
  r->play = &self->plays[rank];
  r->tag = 0;
  return pd_lane_play_on (self, r);
}

static guint32
whole_request (PdLanes *self, PdLaneRank *rank)
{
  guint32 req = pd_lane_new_req (self, rank);
  PdLaneReq *r = pd_lane_req (self, req);

  r->kind = PD_REQ_PLAY;
  r->is_null = TRUE; /* waits for it show nothing */
  r->held = PD_HELD_OWNER | PD_HELD_SYSTEM;
  return req;
}

PdRequest
pd_lanes_icollective (PdLanes *self, guint32 rank, PdComm *comm, const PdCollective *collective)
{
  PdLaneRank *r = &self->ranks[rank];

  r->ret = r->clock;
  r->is_exchange = FALSE;
  if (self->overheads != NULL && collective->op < PD_OP_COMM_DUP)
    pd_lane_add (&r->ret, &r->clock, &self->overheads[PD_FN_IOPS + collective->op]);
  guint32 request = whole_request (self, r);
  if (!pd_play_is_for (self->comsys[0], collective->op))
    {
      meet_for (self, rank, comm, collective, request);
      return request;
    }
  if (comm->n_beside == NULL)
    comm->n_beside = g_new0 (guint32, comm->n);
  PdLaneBeside *beside = take_beside (self, rank);
  pd_play_init (self->comsys[0], &beside->play, rank, comm, collective);
  beside->rank.play = &beside->play;
  beside->rank.ret = r->ret;
  beside->rank.tag = (gint32) (1 + comm->n_beside[beside->play.rank]++ % (guint32) G_MAXINT32);
  beside->request = request;
  pd_lane_go_on_beside (self, beside);
  return request;
}
