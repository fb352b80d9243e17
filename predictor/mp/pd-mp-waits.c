/* Waits, tests and probes where what completes is not known, and cancelling. Waitany and
 * Waitsome take what comes first; if that is another request than in the recorded run, the
 * two change their slots: the program will wait later for the one that it thinks is left.
 * SPDX-License-Identifier: MIT */
#include "predictor/mp/pd-mp-state.h"
#include "comsys/mpi/pd-persistent.h"
#include "comsys/mpi/pd-wait.h"
#include "predictor/mp/pd-mp-actions.h"
#include "predictor/mp/pd-mp-run.h"
#include "predictor/mp/pd-mp-waits.h"
#include "traces/program/pd-action.h"

/* A Waitany that waits: ComSys has the arrays until it returns. */
typedef struct
{
  PdRequest *requests;
  guint n;
  gint index;   /* which, or how many */
  guint n_more; /* completions that a simulated Waitsome still waits for */
} PdMpAny;

static void
any_free (gpointer data)
{
  PdMpAny *any = data;

  g_free (any->requests);
  g_free (any);
}

GHashTable *
pd_mp_anys_new (void)
{
  return g_hash_table_new_full (NULL, NULL, NULL, any_free);
}

/* ---- requests of an action */

static inline PdRequest *
slot_of (const PdMpSlots *self, PdRequest *own, guint32 i)
{
  return &own[self->slots[self->which != NULL ? self->which[i] : i]];
}

void
pd_mp_slots_take (const PdMpSlots *self, PdRequest *own, PdRequest *requests)
{
  for (guint32 i = 0; i < self->n; i++)
    {
      PdRequest *slot = slot_of (self, own, i);
      requests[i] = *slot;
      *slot = PD_REQUEST_NULL;
    }
}

void
pd_mp_slots_put_back (const PdMpSlots *self, PdRequest *own, const PdRequest *requests)
{
  for (guint32 i = 0; i < self->n; i++)
    if (requests[i] != PD_REQUEST_NULL)
      *slot_of (self, own, i) = requests[i];
}

/* ---- any of some */

/* Starts a Waitany, or a Waitsome of unknown outcome, for the requests in @action's
 * slots. */
static void
start_any (PdMp *self, guint32 rank, PdMpRank *r, const PdAction *action, PdMpAny *any)
{
  PdCall call = pd_mp_call (rank, r);

  pd_mp_slots_take (&(PdMpSlots){ action->slots, NULL, any->n }, r->slots, any->requests);
  if (action->kind == PD_ACT_WAITSOME && !action->has_done)
    pd_comsys_waitsome (self->comsys, &call, any->requests, any->n, &any->index);
  else
    pd_comsys_waitany (self->comsys, &call, any->requests, any->n, &any->index);
  r->category = PD_MP_SENDRECV;
  r->state = PD_MP_CALLED;
  if (pd_time_is_pending (r->ret))
    return;
  /* there was nothing to wait for */
  r->state = PD_MP_READY;
  pd_mp_any_returned (self, rank, r);
}

gboolean
pd_mp_simulate_any (PdMp *self, guint32 rank, PdMpRank *r, const PdAction *action)
{
  PdMpAny *any = g_new0 (PdMpAny, 1);

  any->n = action->n_slots;
  any->requests = g_new (PdRequest, any->n);
  any->n_more = action->has_done && action->n_done > 0 ? action->n_done - 1 : 0;
  g_hash_table_insert (self->anys, GUINT_TO_POINTER (rank + 1), any);
  start_any (self, rank, r, action, any);
  return r->state == PD_MP_READY;
}

/* The k-th completed request of the recorded run is the one that the program now completes. */
static void
exchange_slots (PdMpRank *r, const PdAction *action, gint got, guint k)
{
  guint32 was = action->slots[action->done[k]];
  guint32 is = action->slots[got];

  if (is == was)
    return;
  r->slots[is] = r->slots[was];
  r->slots[was] = PD_REQUEST_NULL;
}

void
pd_mp_any_returned (PdMp *self, guint32 rank, PdMpRank *r)
{
  PdMpAny *any = g_hash_table_lookup (self->anys, GUINT_TO_POINTER (rank + 1));
  PdAction action;
  const PdProgramCell *next = pd_action_read (r->cell, &action);

  if (any == NULL) /* it has followed the recorded run */
    {
      r->cell = next;
      return;
    }
  pd_mp_slots_put_back (&(PdMpSlots){ action.slots, NULL, any->n }, r->slots, any->requests);
  if (action.has_done && action.n_done > 0 && any->index >= 0)
    exchange_slots (r, &action, any->index, action.n_done - 1 - any->n_more);
  if (any->n_more == 0 || any->index < 0)
    {
      g_hash_table_remove (self->anys, GUINT_TO_POINTER (rank + 1));
      r->cell = next;
      return;
    }
  /* the next of those that Waitsome got */
  any->n_more--;
  start_any (self, rank, r, &action, any);
}

/* ---- tests, probes, cancelling */

gboolean
pd_mp_simulate_test (PdMp *self, guint32 rank, PdMpRank *r, const PdAction *action)
{
  PdCall call = pd_mp_call (rank, r);
  gboolean is_one = action->kind == PD_ACT_TEST;
  guint32 n = is_one ? 1 : action->n_slots;
  const PdMpSlots slots = { is_one ? &action->request : action->slots, NULL, n };
  g_autofree PdRequest *many = n > PD_MP_FEW ? g_new (PdRequest, n) : NULL;
  PdRequest few[PD_MP_FEW], *requests = many != NULL ? many : few;

  pd_mp_slots_take (&slots, r->slots, requests);
  if (action->kind == PD_ACT_TESTANY)
    pd_comsys_testany (self->comsys, &call, requests, n);
  else if (action->kind == PD_ACT_TESTSOME)
    pd_comsys_testsome (self->comsys, &call, requests, n);
  else
    pd_comsys_testall (self->comsys, &call, requests, n);
  pd_mp_slots_put_back (&slots, r->slots, requests);
  return pd_mp_return (r, PD_MP_SENDRECV);
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

gboolean
pd_mp_act_cancel (PdMp *self, guint32 rank, PdMpRank *r)
{
  PdAction action;

  if (!pd_mp_may_act (self, rank, r))
    return FALSE;
  const PdProgramCell *next = pd_action_read (r->cell, &action);
  pd_comsys_cancel (self->comsys, r->slots[action.request], r->clock);
  r->cell = next;
  return TRUE;
}
