/* Calls of message-passing programs that are not hot: other kinds of sends,
 * Sendrecv, what is not modelled.
 * SPDX-License-Identifier: MIT */
#include "predictor/mp/pd-mp-state.h"
#include "comsys/mpi/pd-calls.h"
#include "comsys/mpi/pd-persistent.h"
#include "predictor/mp/pd-mp-calls.h"
#include "predictor/mp/pd-mp-run.h"
#include "predictor/mp/pd-mp-warnings.h"
#include "traces/program/pd-action.h"

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

PdRequest *
pd_mp_free_slot (PdMp *self, PdMpRank *r, guint32 request)
{
  /* a test that was not recorded may have had another outcome */
  if (G_UNLIKELY (r->slots[request] != PD_REQUEST_NULL))
    pd_comsys_request_free (self->comsys, &r->slots[request]);
  return &r->slots[request];
}

static PdEnvelope
envelope_of (const PdAction *action)
{
  return (PdEnvelope){ action->peer, action->tag, action->bytes };
}

/* ---- sends */

gboolean
pd_mp_act_other_send (PdMp *self, guint32 rank, PdMpRank *r)
{
  PdAction action;

  if (!pd_mp_may_act (self, rank, r))
    return FALSE;
  pd_action_read (r->cell, &action);
  PdCall call = pd_mp_call (rank, r);
  PdComm *comm = self->comms[action.comm];
  r->n_sends++;
  if (action.kind == PD_ACT_BSEND)
    pd_comsys_bsend (self->comsys, &call, comm, envelope_of (&action));
  else if (action.kind == PD_ACT_SSEND)
    pd_comsys_ssend (self->comsys, &call, comm, envelope_of (&action));
  else
    pd_comsys_rsend (self->comsys, &call, comm, envelope_of (&action));
  return pd_mp_return (r, PD_MP_SENDRECV);
}

gboolean
pd_mp_act_other_isend (PdMp *self, guint32 rank, PdMpRank *r)
{
  PdAction action;

  if (!pd_mp_may_act (self, rank, r))
    return FALSE;
  pd_action_read (r->cell, &action);
  PdRequest *slot = pd_mp_free_slot (self, r, action.request);
  PdCall call = pd_mp_call (rank, r);
  PdComm *comm = self->comms[action.comm];
  r->n_sends++;
  if (action.kind == PD_ACT_IBSEND)
    *slot = pd_comsys_ibsend (self->comsys, &call, comm, envelope_of (&action));
  else if (action.kind == PD_ACT_ISSEND)
    *slot = pd_comsys_issend (self->comsys, &call, comm, envelope_of (&action));
  else
    *slot = pd_comsys_irsend (self->comsys, &call, comm, envelope_of (&action));
  return pd_mp_return (r, PD_MP_SENDRECV);
}

gboolean
pd_mp_act_sendrecv (PdMp *self, guint32 rank, PdMpRank *r)
{
  PdAction action;

  if (!pd_mp_may_act (self, rank, r))
    return FALSE;
  pd_action_read (r->cell, &action);
  PdCall call = pd_mp_call (rank, r);
  PdAction from = action;
  from.peer = action.recv_peer;
  from.tag = action.recv_tag;
  from.bytes = action.recv_bytes;
  PdExchange exchange = { envelope_of (&action), pd_mp_recorded_envelope (self, &from) };
  r->n_sends++;
  r->n_receives++;
  pd_comsys_sendrecv (self->comsys, &call, self->comms[action.comm], &exchange);
  return pd_mp_return (r, PD_MP_SENDRECV);
}

/* ---- the rest */

gboolean
pd_mp_act_comm_free (PdMp *self G_GNUC_UNUSED, guint32 rank G_GNUC_UNUSED, PdMpRank *r)
{
  r->cell = pd_mp_next (r->cell);
  return TRUE;
}

/* A call that takes @t on the recording machine: as long as computation would. It computes
 * nothing for the program, so where communication costs nothing it is free, too. */
static gboolean
pass (PdMp *self, PdMpRank *r, PdTime t, const PdProgramCell *next)
{
  if (self->options->ideal)
    t = PD_TIME_ZERO;
  else if (!self->is_flops)
    t = pd_time_divide (t, r->scale);
  r->clock = pd_time_add (r->clock, t);
  r->spent[PD_MP_SYSTEM] = pd_time_add (PD_TIME (r->spent[PD_MP_SYSTEM]), t).ps;
  r->cell = next;
  return TRUE;
}

gboolean
pd_mp_act_local (PdMp *self, guint32 rank G_GNUC_UNUSED, PdMpRank *r)
{
  PdAction action;
  const PdProgramCell *next = pd_action_read (r->cell, &action);

  return pass (self, r, action.amount.time, next);
}

gboolean
pd_mp_act_not_modelled (PdMp *self, guint32 rank, PdMpRank *r)
{
  PdAction action;
  PdTime t = PD_TIME_ZERO;

  const PdProgramCell *next = pd_action_read (r->cell, &action);
  const char *name = action.kind == PD_ACT_OTHER
                         ? pd_program_get_string (self->program, action.name)
                         : pd_action_name (&action);
  pd_mp_note (self, rank, "not-modelled", name, PD_MP_NOT_MODELLED);
  if (action.kind == PD_ACT_OTHER)
    t = action.amount.time;
  else if (action.recorded > 0)
    t = PD_TIME (action.recorded);
  return pass (self, r, t, next);
}
