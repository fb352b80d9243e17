/* The actions on one machine, whose moments ComSys knows: what pd-mp-actions-template.h asks of
 * an engine, and what only this one does.
 * SPDX-License-Identifier: MIT */
#include "predictor/mp/pd-mp-actions.h"

#include "comsys/mpi/pd-calls.h"
#include "comsys/mpi/pd-collective.h"
#include "comsys/mpi/pd-persistent.h"
#include "comsys/mpi/pd-wait.h"
#include "comsys/queue/pd-lines.h"
#include "predictor/mp/pd-mp-state.h"
#include "predictor/mp/pd-mp-warnings.h"
#include "predictor/mp/pd-mp-windows-private.h"

static gboolean act_fence (PdMp *self, guint32 rank, PdMpRank *r);

typedef PdMp Engine;
typedef PdMpRank Rank;
typedef PdMpRank Account;
typedef PdTime Moment;
typedef PdCall Call;
#define OWN_ACTS                                                                                   \
  [PD_ACT_CANCEL] = pd_mp_act_cancel, [PD_ACT_PROBE] = pd_mp_act_probe,                            \
  [PD_ACT_IPROBE] = pd_mp_act_probe, [PD_ACT_PUT] = pd_mp_act_transfer,                            \
  [PD_ACT_GET] = pd_mp_act_transfer, [PD_ACT_ACCUMULATE] = pd_mp_act_transfer,                     \
  [PD_ACT_GET_ACCUMULATE] = pd_mp_act_transfer, [PD_ACT_RPUT] = pd_mp_act_transfer,                \
  [PD_ACT_RGET] = pd_mp_act_transfer, [PD_ACT_RACCUMULATE] = pd_mp_act_transfer,                   \
  [PD_ACT_RGET_ACCUMULATE] = pd_mp_act_transfer, [PD_ACT_WIN_FENCE] = act_fence,                   \
  [PD_ACT_WIN_LOCK] = pd_mp_act_epoch, [PD_ACT_WIN_UNLOCK] = pd_mp_act_epoch,                      \
  [PD_ACT_WIN_FLUSH] = pd_mp_act_epoch, [PD_ACT_WIN_POST] = pd_mp_act_group,                       \
  [PD_ACT_WIN_START] = pd_mp_act_group, [PD_ACT_WIN_COMPLETE] = pd_mp_act_epoch,                   \
  [PD_ACT_WIN_WAIT] = pd_mp_act_epoch,

#include "predictor/mp/pd-mp-actions-template.h"

/* ---- the engine */

static inline PdMp *
shared (const PdMp *self)
{
  return (PdMp *) self;
}

static inline PdMpBarriers *
barriers_of (const PdMp *self)
{
  return self->barriers;
}

static inline PdMpRank *
account_of (PdMpRank *r)
{
  return r;
}

static inline const PdTime *
clock_of (const PdMpRank *r)
{
  return &r->clock;
}

static inline PdTime
later_of (const PdTime *a, const PdTime *b)
{
  return pd_time_max (*a, *b);
}

static inline void
note (PdMp *self, guint32 rank, const char *id, const char *subject, const char *text)
{
  pd_mp_note (self, rank, id, subject, text);
}

static inline gboolean
may_call (PdMp *self, guint32 rank, PdMpRank *r)
{
  return pd_mp_may_call (self, rank, r);
}

static inline gboolean
may_act (PdMp *self, guint32 rank, PdMpRank *r)
{
  return pd_mp_may_act (self, rank, r);
}

static inline gboolean
may_compute (PdMp *self, guint32 rank, PdMpRank *r)
{
  return !self->is_fifo || pd_comsys_is_due (self->comsys, r->clock) || may_act (self, rank, r);
}

/* It is no record of Dimemas: nothing is queued for it. */
static inline gboolean
may_free (PdMp *self, guint32 rank, PdMpRank *r)
{
  return (self->is_fifo && pd_comsys_is_due (self->comsys, r->clock)) || may_act (self, rank, r);
}

/* ---- time that passes */

static inline void
compute (PdMp *self, guint32 rank, PdMpRank *r, PdAmount amount)
{
  PdTime t = pd_mp_time_of (self->is_flops, amount, r->scale);

  if (self->noise != NULL)
    t = pd_noise_apply (self->noise, rank, pd_mp_get_step (self, rank), 0, t);
  r->clock = pd_time_add (r->clock, t);
  r->cpu = pd_time_add (PD_TIME (r->cpu), t).ps;
}

static inline void
delay (PdMp *self, guint32 rank, PdMpRank *r, PdTime t)
{
  PdTime end = pd_time_add (r->clock, t);

  PD_WATCH (self->watchers, spent, &(PdSpan){ PD_SPAN_DELAY, rank, r->node, r->clock, end });
  r->clock = end;
  r->cpu = pd_time_add (PD_TIME (r->cpu), t).ps;
}

static inline void
pass (PdMp *self, guint32 rank G_GNUC_UNUSED, PdMpRank *r, PdTime t)
{
  t = pd_mp_time_outside (self, t, r->scale);
  r->clock = pd_time_add (r->clock, t);
  r->spent[PD_MP_SYSTEM] = pd_time_add (PD_TIME (r->spent[PD_MP_SYSTEM]), t).ps;
}

static inline void
spend (PdMpRank *r)
{
  r->spent[r->category] += r->ret.ps - r->began.ps;
  r->clock = r->ret;
}

/* ---- calls */

static inline PdCall
begin_call (guint32 rank, PdMpRank *r)
{
  return pd_mp_call (rank, r);
}

static inline gboolean
is_over (const PdCall *call)
{
  return !pd_time_is_pending (*call->ret);
}

static inline gboolean
send_message (PdMp *self, PdCall call, const Message *m)
{
  if (G_LIKELY (m->mode == PD_SEND_STANDARD))
    pd_comsys_send (self->comsys, &call, m->comm, m->envelope);
  else if (m->mode == PD_SEND_BUFFERED)
    pd_comsys_bsend (self->comsys, &call, m->comm, m->envelope);
  else if (m->mode == PD_SEND_SYNCHRONOUS)
    pd_comsys_ssend (self->comsys, &call, m->comm, m->envelope);
  else
    pd_comsys_rsend (self->comsys, &call, m->comm, m->envelope);
  return is_over (&call);
}

static inline gboolean
recv_message (PdMp *self, PdCall call, const Message *m)
{
  pd_comsys_recv (self->comsys, &call, m->comm, m->envelope);
  return is_over (&call);
}

static inline gboolean
exchange (PdMp *self, PdCall call, PdComm *comm, const PdExchange *both)
{
  pd_comsys_sendrecv (self->comsys, &call, comm, both);
  return is_over (&call);
}

static inline gboolean
start_send (PdMp *self, PdCall call, const Message *m, PdRequest *slot)
{
  if (G_LIKELY (m->mode == PD_SEND_STANDARD))
    *slot = pd_comsys_isend (self->comsys, &call, m->comm, m->envelope);
  else if (m->mode == PD_SEND_BUFFERED)
    *slot = pd_comsys_ibsend (self->comsys, &call, m->comm, m->envelope);
  else if (m->mode == PD_SEND_SYNCHRONOUS)
    *slot = pd_comsys_issend (self->comsys, &call, m->comm, m->envelope);
  else
    *slot = pd_comsys_irsend (self->comsys, &call, m->comm, m->envelope);
  return is_over (&call);
}

static inline gboolean
start_recv (PdMp *self, PdCall call, const Message *m, PdRequest *slot)
{
  *slot = pd_comsys_irecv (self->comsys, &call, m->comm, m->envelope);
  return is_over (&call);
}

static inline gboolean
wait_one (PdMp *self, PdCall call, PdRequest *slot)
{
  pd_comsys_wait (self->comsys, &call, slot);
  return is_over (&call);
}

static inline gboolean
wait_all (PdMp *self, PdCall call, PdRequest *requests, guint n)
{
  pd_comsys_waitall (self->comsys, &call, requests, n);
  return is_over (&call);
}

static inline gboolean
test_nothing (PdMp *self, PdCall call)
{
  PdRequest none = PD_REQUEST_NULL;

  pd_comsys_test (self->comsys, &call, &none);
  return is_over (&call);
}

static inline gboolean
start_all (PdMp *self, PdCall call, const PdRequest *requests, guint n)
{
  *call.ret = call.when;
  if (n > 0)
    pd_comsys_startall (self->comsys, &call, requests, n);
  return is_over (&call);
}

static inline gboolean
do_together (PdMp *self, PdCall call, PdComm *comm, const PdCollective *collective)
{
  pd_comsys_collective (self->comsys, &call, comm, collective);
  return is_over (&call);
}

static inline void
start_together (PdMp *self, PdCall call, PdComm *comm, const PdCollective *collective,
                PdRequest *slot)
{
  *slot = pd_comsys_icollective (self->comsys, &call, comm, collective);
}

static gboolean
find_out (PdMp *self, guint32 rank, PdMpRank *r, const PdAction *action)
{
  if (action->kind == PD_ACT_WAITANY || action->kind == PD_ACT_WAITSOME)
    return pd_mp_simulate_any (self, rank, r, action);
  return pd_mp_simulate_test (self, rank, r, action);
}

/* ---- requests */

static inline PdRequest
make_persistent (PdMp *self, guint32 rank, const Message *m, gboolean is_recv)
{
  return is_recv ? pd_comsys_recv_init (self->comsys, rank, m->comm, m->envelope)
                 : pd_comsys_send_init (self->comsys, rank, m->comm, m->envelope, m->mode);
}

static inline gboolean
may_start (const PdMp *self, guint32 rank, PdRequest request, gboolean *is_recv)
{
  return pd_comsys_may_start (self->comsys, rank, request, is_recv);
}

static inline void
free_request (PdMp *self, PdRequest *slot)
{
  pd_comsys_request_free (self->comsys, slot);
}

/* ---- intervals */

static inline void
settle (PdMp *self, guint32 rank, PdMpRank *r G_GNUC_UNUSED)
{
  pd_mp_flush (self, rank);
}

static inline void
move_to (PdMp *self, guint32 rank, PdMpRank *r, guint32 node)
{
  pd_mp_flush (self, rank);
  PD_WATCH (self->watchers, moved, rank, node, r->clock);
  r->node = node;
  r->scale = pd_mp_interval_scale (self, rank, node);
}

static inline void
count_entered (PdMp *self, guint32 rank, PdMpRank *r)
{
  pd_interval_tree_add (self->tree, r->node, PD_Q_EXE_COUNT, rank, PD_TIME (1));
}

static inline void
set_place (PdMp *self, guint32 rank, PdMpRank *r, const char *file, gint64 line)
{
  if (self->has_places)
    r->scale = pd_mp_place_scale (self, rank, r->node, file, line);
}

static inline void
charge_member (PdMp *self, guint32 rank, const Barrier *barrier, const Member *member)
{
  pd_interval_tree_add (self->tree, member->node, PD_Q_SYNCHRONIZATION, rank,
                        pd_time_sub (barrier->latest_begin, member->begin));
  pd_interval_tree_add (self->tree, member->node, PD_Q_TIME_VARIATION, rank,
                        pd_time_sub (barrier->latest_end, member->end));
}

/* ---- for others */

PdMpBarriers *
pd_mp_actions_barriers_new (guint32 n_comms)
{
  return pd_mp_barriers_new (n_comms, sizeof (Barrier), sizeof (Member));
}

PdEnvelope
pd_mp_recorded_envelope (const PdMp *self, const PdAction *action)
{
  PdEnvelope envelope = { action->peer, action->tag, action->bytes };

  if (self->options->simulated)
    return envelope;
  if (envelope.peer == PD_PROGRAM_ANY && action->matched_peer != PD_PROGRAM_ANY)
    envelope.peer = action->matched_peer;
  if (envelope.tag == PD_PROGRAM_ANY && action->matched_tag != PD_PROGRAM_ANY)
    envelope.tag = action->matched_tag;
  return envelope;
}

/* A fence counts as a collective operation. */
static gboolean
act_fence (PdMp *self, guint32 rank, PdMpRank *r)
{
  PdAction action;

  if (!may_act (self, rank, r))
    return FALSE;
  pd_action_read (r->cell, &action);
  gint64 me = pd_comm_get_rank (self->comms[action.comm], rank);
  if (me < 0)
    return act_not_modelled (self, rank, r);
  PdCall call = pd_mp_call (rank, r);
  r->n_collectives += me == 0 ? 1 : 0;
  enter_barrier (self, r, action.comm, (guint32) me);
  pd_comsys_win_fence (self->comsys, &call, pd_mp_window_of (self, action.comm));
  return together_returns (self, rank, r, !pd_time_is_pending (r->ret), PD_MP_COLLECTIVE);
}

gboolean
pd_mp_act_not_modelled (PdMp *self, guint32 rank, PdMpRank *r)
{
  return act_not_modelled (self, rank, r);
}

gboolean
pd_mp_act (PdMp *self, guint32 rank, PdMpRank *r)
{
  return acts[r->cell->kind & ~PD_CELL_MORE](self, rank, r);
}

/* The cells of a line; the rank reads the next line in its next turn, or soon after it. */
#define LINE (64 / sizeof (PdProgramCell))

gboolean
pd_mp_act_on (PdMp *self, guint32 rank, PdMpRank *r)
{
  while (r->cell != r->end)
    if (!acts[r->cell->kind & ~PD_CELL_MORE](self, rank, r))
      {
        pd_prefetch (r->cell + LINE);
        return FALSE;
      }
  return TRUE;
}

void
pd_mp_conclude_call (PdMp *self, guint32 rank, PdMpRank *r)
{
  switch (r->cell->kind & ~PD_CELL_MORE)
    {
    case PD_ACT_COLLECTIVE:
    case PD_ACT_WIN_FENCE:
      conclude_together (self, rank, r);
      break;
    case PD_ACT_WAITANY:
    case PD_ACT_WAITSOME:
      pd_mp_any_returned (self, rank, r);
      break;
    default:
      r->cell = pd_mp_next (r->cell);
    }
}
