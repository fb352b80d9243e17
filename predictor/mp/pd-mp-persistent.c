/* Persistent requests, and what else can be done to requests; probes.
 * SPDX-License-Identifier: MIT */
#include "predictor/mp/pd-mp-state.h"
#include "comsys/mpi/pd-persistent.h"
#include "comsys/mpi/pd-wait.h"
#include "predictor/mp/pd-mp-calls.h"
#include "predictor/mp/pd-mp-persistent-private.h"
#include "predictor/mp/pd-mp-run.h"
#include "predictor/mp/pd-mp-warnings.h"
#include "traces/program/pd-action.h"

gboolean
pd_mp_act_persistent (PdMp *self, guint32 rank, PdMpRank *r)
{
  static const PdSendMode modes[PD_N_ACTS] = { [PD_ACT_SEND_INIT] = PD_SEND_STANDARD,
                                               [PD_ACT_BSEND_INIT] = PD_SEND_BUFFERED,
                                               [PD_ACT_SSEND_INIT] = PD_SEND_SYNCHRONOUS,
                                               [PD_ACT_RSEND_INIT] = PD_SEND_READY };
  PdAction action;
  const PdProgramCell *next = pd_action_read (r->cell, &action);
  PdRequest *slot = pd_mp_free_slot (self, r, action.request);
  PdComm *comm = self->comms[action.comm];
  PdEnvelope envelope = pd_mp_recorded_envelope (self, &action);

  *slot = action.kind == PD_ACT_RECV_INIT
              ? pd_comsys_recv_init (self->comsys, rank, comm, envelope)
              : pd_comsys_send_init (self->comsys, rank, comm, envelope, modes[action.kind]);
  r->cell = next;
  return TRUE;
}

/* Only those that can be started are; what is left out is said. While they are listed
 * their slots are empty, so that none is twice. */
static guint32
list_startable (PdMp *self, guint32 rank, PdMpRank *r, const PdAction *action, PdRequest *requests)
{
  g_autofree guint32 *from = g_new (guint32, MAX (action->n_slots, 1));
  guint32 n = 0;

  for (guint32 i = 0; i < action->n_slots; i++)
    {
      PdRequest *slot = &r->slots[action->slots[i]];
      gboolean is_recv;
      if (!pd_comsys_may_start (self->comsys, rank, *slot, &is_recv))
        {
          pd_mp_note (self, rank, "not-startable", "MPI_Start",
                      "of a request that is not persistent, or under way: left out");
          continue;
        }
      r->n_receives += is_recv ? 1 : 0;
      r->n_sends += is_recv ? 0 : 1;
      from[n] = action->slots[i];
      requests[n++] = *slot;
      *slot = PD_REQUEST_NULL;
    }
  for (guint32 i = 0; i < n; i++)
    r->slots[from[i]] = requests[i];
  return n;
}

gboolean
pd_mp_act_start (PdMp *self, guint32 rank, PdMpRank *r)
{
  PdAction action;

  if (!pd_mp_may_act (self, rank, r))
    return FALSE;
  pd_action_read (r->cell, &action);
  g_autofree PdRequest *requests = g_new (PdRequest, MAX (action.n_slots, 1));
  guint32 n = list_startable (self, rank, r, &action, requests);
  PdCall call = pd_mp_call (rank, r);
  r->ret = r->clock;
  if (n > 0)
    pd_comsys_startall (self->comsys, &call, requests, n);
  return pd_mp_return (r, PD_MP_SENDRECV);
}

gboolean
pd_mp_act_request (PdMp *self, guint32 rank, PdMpRank *r)
{
  PdAction action;

  if (!pd_mp_may_act (self, rank, r))
    return FALSE;
  const PdProgramCell *next = pd_action_read (r->cell, &action);
  PdRequest *slot = &r->slots[action.request];
  if (action.kind == PD_ACT_REQUEST_FREE)
    pd_comsys_request_free (self->comsys, slot);
  else
    pd_comsys_cancel (self->comsys, *slot, r->clock);
  r->cell = next;
  return TRUE;
}

/* An Iprobe whose outcome was recorded is a Probe, or only costs its time. */
gboolean
pd_mp_act_probe (PdMp *self, guint32 rank, PdMpRank *r)
{
  PdAction action;
  PdRequest none = PD_REQUEST_NULL;

  if (!pd_mp_may_act (self, rank, r))
    return FALSE;
  pd_action_read (r->cell, &action);
  PdComm *comm = self->comms[action.comm];
  PdEnvelope envelope = pd_mp_recorded_envelope (self, &action);
  PdCall call = pd_mp_call (rank, r);
  r->n_waits++;
  if (action.kind == PD_ACT_PROBE || action.n_done > 0)
    pd_comsys_probe (self->comsys, &call, comm, envelope);
  else if (action.has_done)
    pd_comsys_test (self->comsys, &call, &none); /* of nothing: only its time */
  else
    pd_comsys_iprobe (self->comsys, &call, comm, envelope);
  return pd_mp_return (r, PD_MP_SENDRECV);
}
