/* The actions of message-passing programs in several lanes: as pd-mp-run.c,
 * pd-mp-calls.c, pd-mp-waits.c and pd-mp-persistent.c do them in one.
 * SPDX-License-Identifier: MIT */
#include "predictor/batch/pd-mp-batch-private.h"
#include "comsys/batch/pd-batch-calls.h"
#include "predictor/batch/pd-mp-batch-actions-private.h"
#include "predictor/batch/pd-mp-batch-collective-private.h"
#include "predictor/batch/pd-mp-batch-intervals-private.h"
#include "predictor/batch/pd-mp-batch-requests-private.h"
#include "predictor/mp/pd-mp-calls.h"
#include "predictor/mp/pd-mp-run.h"
#include "predictor/mp/pd-mp-warnings.h"
#include "traces/program/pd-action.h"

/* ---- time */

static inline void
advance (PdBatchTime *clock, PdBatchTime *account, const gint64 *ps)
{
  for (guint i = 0; i < PD_BATCH_SIZE; i++)
    {
      clock->ps[i] = (gint64) ((guint64) clock->ps[i] + (guint64) ps[i]);
      account->ps[i] = (gint64) ((guint64) account->ps[i] + (guint64) ps[i]);
    }
}

/* The same in all lanes. */
static inline void
advance_all (PdBatchTime *clock, PdBatchTime *account, gint64 ps)
{
  for (guint i = 0; i < PD_BATCH_SIZE; i++)
    {
      clock->ps[i] = (gint64) ((guint64) clock->ps[i] + (guint64) ps);
      account->ps[i] = (gint64) ((guint64) account->ps[i] + (guint64) ps);
    }
}

/* What is too long ends the attempt, see pd_batch_is_sound(). */
static inline gint64
bound (PdTime t)
{
  return MIN (t.ps, PD_BATCH_TIME_LIMIT);
}

void
pd_mp_batch_compute (PdMpBatch *self, PdMpBatchRank *r, PdAmount amount)
{
  gint64 ps[PD_BATCH_SIZE];

  if (r->has_one_scale)
    {
      advance_all (&r->calls->clock, &r->account->cpu,
                   bound (pd_mp_time_of (self->is_flops, amount, r->scales[0])));
      return;
    }
  for (guint i = 0; i < PD_BATCH_SIZE; i++)
    ps[i] = bound (pd_mp_time_of (self->is_flops, amount, r->scales[i]));
  advance (&r->calls->clock, &r->account->cpu, ps);
}

static gboolean
act_compute (PdMpBatch *self, guint32 rank, PdMpBatchRank *r)
{
  pd_mp_batch_compute (self, r, r->cell->amount);
  pd_batch_note_clock (self->batch, rank);
  r->cell = pd_mp_next (r->cell);
  return TRUE;
}

static gboolean
act_delay (PdMpBatch *self, guint32 rank, PdMpBatchRank *r)
{
  advance_all (&r->calls->clock, &r->account->cpu, bound (r->cell->amount.time));
  pd_batch_note_clock (self->batch, rank);
  r->cell = pd_mp_next (r->cell);
  return TRUE;
}

/* A call that takes @t on the recording machine: as long as computation would. */
static gboolean
pass (PdMpBatch *self, guint32 rank, PdMpBatchRank *r, PdTime t, const PdProgramCell *next)
{
  gint64 ps[PD_BATCH_SIZE];

  for (guint i = 0; i < PD_BATCH_SIZE; i++)
    ps[i] = bound (self->is_flops ? t : pd_time_divide (t, r->scales[i]));
  advance (&r->calls->clock, &r->account->spent[PD_MP_SYSTEM], ps);
  pd_batch_note_clock (self->batch, rank);
  r->cell = next;
  return TRUE;
}

/* ---- returning */

void
pd_mp_batch_spend (PdMpBatchRank *r)
{
  PdBatchRank *calls = r->calls;
  PdBatchTime *spent = &r->account->spent[r->category];

  for (guint i = 0; i < PD_BATCH_SIZE; i++)
    spent->ps[i] += (gint64) ((guint64) calls->ret.ps[i] - (guint64) calls->clock.ps[i]);
  calls->clock = calls->ret;
}

gboolean
pd_mp_batch_return (PdMpBatchRank *r, gboolean over, PdMpCategory category)
{
  r->category = (guint8) category;
  if (!over)
    {
      r->state = PD_MP_CALLED;
      return FALSE;
    }
  pd_mp_batch_spend (r);
  r->cell = pd_mp_next (r->cell);
  return TRUE;
}

void
pd_mp_batch_end_call (PdMpBatch *self, guint32 rank)
{
  PdMpBatchRank *r = &self->ranks[rank];

  r->state = PD_MP_READY;
  pd_mp_batch_spend (r);
  if ((r->cell->kind & ~PD_CELL_MORE) == PD_ACT_COLLECTIVE)
    pd_mp_batch_collective_returned (self, rank, r);
  else
    r->cell = pd_mp_next (r->cell);
}

void
pd_mp_batch_note (PdMpBatch *self, guint32 rank, const char *id, const char *subject,
                  const char *text)
{
  for (guint i = 0; i < self->k; i++)
    {
      self->mps[i]->ranks[rank].cell = self->ranks[rank].cell;
      pd_mp_note (self->mps[i], rank, id, subject, text);
    }
}

/* ---- messages */

typedef struct
{
  PdComm *comm;
  PdEnvelope envelope;
  guint32 request;
} Message;

static inline Message
read_message (const PdMpBatch *self, const PdProgramCell *cell)
{
  const PdMp *mp = self->mps[0];
  PdAction action;

  if (G_LIKELY ((cell->kind & PD_CELL_MORE) == 0))
    return (
        Message){ mp->comms[cell->comm], { cell->peer, cell->tag, cell->bytes }, cell->request };
  pd_action_read (cell, &action);
  return (Message){ mp->comms[action.comm], pd_mp_recorded_envelope (mp, &action), action.request };
}

PdSendMode
pd_mp_batch_mode_of (const PdProgramCell *cell)
{
  static const PdSendMode modes[PD_N_ACTS] = {
    [PD_ACT_BSEND] = PD_SEND_BUFFERED,      [PD_ACT_IBSEND] = PD_SEND_BUFFERED,
    [PD_ACT_BSEND_INIT] = PD_SEND_BUFFERED, [PD_ACT_SSEND] = PD_SEND_SYNCHRONOUS,
    [PD_ACT_ISSEND] = PD_SEND_SYNCHRONOUS,  [PD_ACT_SSEND_INIT] = PD_SEND_SYNCHRONOUS,
    [PD_ACT_RSEND] = PD_SEND_READY,         [PD_ACT_IRSEND] = PD_SEND_READY,
    [PD_ACT_RSEND_INIT] = PD_SEND_READY,
  };

  return modes[cell->kind & ~PD_CELL_MORE];
}

PdRequest *
pd_mp_batch_free_slot (PdMpBatch *self, PdMpBatchRank *r, guint32 request)
{
  if (G_UNLIKELY (r->slots[request] != PD_REQUEST_NULL))
    pd_batch_request_free (self->batch, &r->slots[request]);
  return &r->slots[request];
}

static gboolean
act_send (PdMpBatch *self, guint32 rank, PdMpBatchRank *r)
{
  Message m = read_message (self, r->cell);

  r->account->n_sends++;
  return pd_mp_batch_return (
      r, pd_batch_send (self->batch, rank, m.comm, m.envelope, pd_mp_batch_mode_of (r->cell)),
      PD_MP_SENDRECV);
}

static gboolean
act_recv (PdMpBatch *self, guint32 rank, PdMpBatchRank *r)
{
  Message m = read_message (self, r->cell);

  r->account->n_receives++;
  return pd_mp_batch_return (r, pd_batch_recv (self->batch, rank, m.comm, m.envelope),
                             PD_MP_SENDRECV);
}

static gboolean
act_isend (PdMpBatch *self, guint32 rank, PdMpBatchRank *r)
{
  Message m = read_message (self, r->cell);
  PdRequest *slot = pd_mp_batch_free_slot (self, r, m.request);

  r->account->n_sends++;
  *slot = pd_batch_isend (self->batch, rank, m.comm, m.envelope, pd_mp_batch_mode_of (r->cell));
  return pd_mp_batch_return (r, TRUE, PD_MP_SENDRECV);
}

static gboolean
act_irecv (PdMpBatch *self, guint32 rank, PdMpBatchRank *r)
{
  Message m = read_message (self, r->cell);
  PdRequest *slot = pd_mp_batch_free_slot (self, r, m.request);

  r->account->n_receives++;
  *slot = pd_batch_irecv (self->batch, rank, m.comm, m.envelope);
  return pd_mp_batch_return (r, TRUE, PD_MP_SENDRECV);
}

static gboolean
act_sendrecv (PdMpBatch *self, guint32 rank, PdMpBatchRank *r)
{
  const PdMp *mp = self->mps[0];
  PdAction action;

  pd_action_read (r->cell, &action);
  PdAction from = action;
  from.peer = action.recv_peer;
  from.tag = action.recv_tag;
  from.bytes = action.recv_bytes;
  PdExchange exchange = { { action.peer, action.tag, action.bytes },
                          pd_mp_recorded_envelope (mp, &from) };
  r->account->n_sends++;
  r->account->n_receives++;
  return pd_mp_batch_return (
      r, pd_batch_sendrecv (self->batch, rank, mp->comms[action.comm], &exchange), PD_MP_SENDRECV);
}

/* ---- the rest */

static gboolean
act_comm_free (PdMpBatch *self G_GNUC_UNUSED, guint32 rank G_GNUC_UNUSED, PdMpBatchRank *r)
{
  r->cell = pd_mp_next (r->cell);
  return TRUE;
}

static gboolean
act_local (PdMpBatch *self, guint32 rank, PdMpBatchRank *r)
{
  PdAction action;
  const PdProgramCell *next = pd_action_read (r->cell, &action);

  return pass (self, rank, r, action.amount.time, next);
}

gboolean
pd_mp_batch_not_modelled (PdMpBatch *self, guint32 rank, PdMpBatchRank *r)
{
  PdAction action;
  PdTime t = PD_TIME_ZERO;
  const PdProgramCell *next = pd_action_read (r->cell, &action);
  const char *name = action.kind == PD_ACT_OTHER
                         ? pd_program_get_string (self->program, action.name)
                         : pd_action_name (&action);

  pd_mp_batch_note (self, rank, "not-modelled", name, PD_MP_NOT_MODELLED);
  if (action.kind == PD_ACT_OTHER)
    t = action.amount.time;
  else if (action.recorded > 0)
    t = PD_TIME (action.recorded);
  return pass (self, rank, r, t, next);
}

/* ---- all kinds */

static const PdMpBatchAct acts[PD_N_ACTS] = {
  [PD_ACT_COMPUTE] = act_compute,
  [PD_ACT_DELAY] = act_delay,
  [PD_ACT_SEND] = act_send,
  [PD_ACT_BSEND] = act_send,
  [PD_ACT_SSEND] = act_send,
  [PD_ACT_RSEND] = act_send,
  [PD_ACT_ISEND] = act_isend,
  [PD_ACT_IBSEND] = act_isend,
  [PD_ACT_ISSEND] = act_isend,
  [PD_ACT_IRSEND] = act_isend,
  [PD_ACT_RECV] = act_recv,
  [PD_ACT_IRECV] = act_irecv,
  [PD_ACT_SENDRECV] = act_sendrecv,
  [PD_ACT_SEND_INIT] = pd_mp_batch_init,
  [PD_ACT_BSEND_INIT] = pd_mp_batch_init,
  [PD_ACT_SSEND_INIT] = pd_mp_batch_init,
  [PD_ACT_RSEND_INIT] = pd_mp_batch_init,
  [PD_ACT_RECV_INIT] = pd_mp_batch_init,
  [PD_ACT_START] = pd_mp_batch_start,
  [PD_ACT_REQUEST_FREE] = pd_mp_batch_request_free,
  [PD_ACT_WAIT] = pd_mp_batch_wait,
  [PD_ACT_WAITALL] = pd_mp_batch_waitall,
  [PD_ACT_WAITANY] = pd_mp_batch_waitany,
  [PD_ACT_WAITSOME] = pd_mp_batch_waitany,
  [PD_ACT_TEST] = pd_mp_batch_test,
  [PD_ACT_TESTALL] = pd_mp_batch_test,
  [PD_ACT_TESTANY] = pd_mp_batch_test,
  [PD_ACT_TESTSOME] = pd_mp_batch_test,
  [PD_ACT_COLLECTIVE] = pd_mp_batch_collective,
  [PD_ACT_ICOLLECTIVE] = pd_mp_batch_icollective,
  [PD_ACT_COMM_FREE] = act_comm_free,
  [PD_ACT_OTHER] = pd_mp_batch_not_modelled,
  [PD_ACT_LOCAL] = act_local,
  [PD_ACT_ENTER] = pd_mp_batch_enter,
  [PD_ACT_LEAVE] = pd_mp_batch_leave,
  [PD_ACT_LOCATION] = pd_mp_batch_location,
  [PD_ACT_ALIKE_BEGIN] = pd_mp_batch_alike,
  [PD_ACT_ALIKE_END] = pd_mp_batch_alike,
};

static const char *
refuse_envelope (PdEnvelope envelope)
{
  gboolean is_named = envelope.peer == PD_PROC_NULL
                      || (envelope.peer != PD_ANY_SOURCE && envelope.tag != PD_ANY_TAG);

  return is_named ? NULL : "the program receives with wildcards";
}

const char *
pd_mp_batch_refuses (const PdMpBatch *self, const PdProgramCell *cell)
{
  guint kind = cell->kind & ~(guint) PD_CELL_MORE;
  const PdMp *mp = self->mps[0];
  PdAction action;

  if (kind == PD_ACT_COMPUTE)
    return NULL;
  if (acts[kind] == NULL)
    return "the program has calls whose outcome depends on time";
  switch (kind)
    {
    case PD_ACT_RECV:
    case PD_ACT_IRECV:
    case PD_ACT_RECV_INIT:
      return refuse_envelope (read_message (self, cell).envelope);
    case PD_ACT_SENDRECV:
      pd_action_read (cell, &action);
      action.peer = action.recv_peer;
      action.tag = action.recv_tag;
      return refuse_envelope (pd_mp_recorded_envelope (mp, &action));
    case PD_ACT_WAITANY:
    case PD_ACT_WAITSOME:
    case PD_ACT_TEST:
    case PD_ACT_TESTALL:
    case PD_ACT_TESTANY:
    case PD_ACT_TESTSOME:
      pd_action_read (cell, &action);
      return action.has_done && !mp->options->simulated ? NULL
                                                        : "the program asks what has completed";
    default:
      return NULL;
    }
}

gboolean
pd_mp_batch_continue (PdMpBatch *self, guint32 rank, guint budget)
{
  PdMpBatchRank *r = &self->ranks[rank];

  while (r->cell != r->end && budget-- > 0)
    if (!acts[r->cell->kind & ~PD_CELL_MORE](self, rank, r))
      return FALSE;
  if (r->cell != r->end)
    {
      pd_batch_ready (self->batch, rank);
      return FALSE;
    }
  return TRUE;
}
