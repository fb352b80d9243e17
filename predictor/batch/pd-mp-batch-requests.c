/* What becomes of requests in several lanes: waits and tests as in pd-mp-waits.c, and
 * persistent requests as in pd-mp-persistent.c.
 * SPDX-License-Identifier: MIT */
#include "predictor/batch/pd-mp-batch-private.h"
#include "comsys/batch/pd-batch-calls.h"
#include "predictor/batch/pd-mp-batch-actions-private.h"
#include "predictor/batch/pd-mp-batch-requests-private.h"
#include "predictor/mp/pd-mp-calls.h"
#include "predictor/mp/pd-mp-waits.h"
#include "traces/program/pd-action.h"

/* So many requests are moved to and fro without allocation. */
#define FEW 16

/* ---- waits */

gboolean
pd_mp_batch_wait (PdMpBatch *self, guint32 rank, PdMpBatchRank *r)
{
  PdAction action = { .request = r->cell->request };

  if (G_UNLIKELY ((r->cell->kind & PD_CELL_MORE) != 0))
    pd_action_read (r->cell, &action);
  r->account->n_waits++;
  return pd_mp_batch_return (r, pd_batch_wait (self->batch, rank, &r->slots[action.request]),
                             PD_MP_SENDRECV);
}

/* Waits for the requests in @action's slots: those of @done, or all. */
static gboolean
wait_for (PdMpBatch *self, guint32 rank, PdMpBatchRank *r, const PdAction *action, gboolean done)
{
  guint32 n = done ? action->n_done : action->n_slots;
  const PdMpSlots slots = { action->slots, done ? action->done : NULL, n };
  g_autofree PdRequest *many = n > FEW ? g_new (PdRequest, n) : NULL;
  PdRequest few[FEW], *requests = many != NULL ? many : few;

  pd_mp_slots_take (&slots, r->slots, requests);
  gboolean over = pd_batch_waitall (self->batch, rank, requests, n);
  pd_mp_slots_put_back (&slots, r->slots, requests);
  return pd_mp_batch_return (r, over, PD_MP_SENDRECV);
}

gboolean
pd_mp_batch_waitall (PdMpBatch *self, guint32 rank, PdMpBatchRank *r)
{
  PdAction action = { .n_slots = 0 };

  r->account->n_waits++;
  if ((r->cell->kind & PD_CELL_MORE) != 0)
    pd_action_read (r->cell, &action);
  if (action.n_slots > 0)
    return wait_for (self, rank, r, &action, FALSE);
  return pd_mp_batch_return (r, pd_batch_waitall (self->batch, rank, r->slots, r->n_slots),
                             PD_MP_SENDRECV);
}

/* It waits for what it got in the recorded run. */
gboolean
pd_mp_batch_waitany (PdMpBatch *self, guint32 rank, PdMpBatchRank *r)
{
  PdAction action;

  pd_action_read (r->cell, &action);
  r->account->n_waits++;
  return wait_for (self, rank, r, &action, TRUE);
}

gboolean
pd_mp_batch_test (PdMpBatch *self, guint32 rank, PdMpBatchRank *r)
{
  PdAction action;

  pd_action_read (r->cell, &action);
  r->account->n_waits++;
  if (action.n_done == 0)
    {
      pd_batch_test (self->batch, rank);
      return pd_mp_batch_return (r, TRUE, PD_MP_SENDRECV);
    }
  action.n_slots = action.kind == PD_ACT_TEST ? 1 : action.n_slots;
  action.slots = action.kind == PD_ACT_TEST ? &action.request : action.slots;
  return wait_for (self, rank, r, &action, action.kind != PD_ACT_TESTALL);
}

/* ---- persistent requests */

gboolean
pd_mp_batch_init (PdMpBatch *self, guint32 rank G_GNUC_UNUSED, PdMpBatchRank *r)
{
  PdAction action;
  const PdProgramCell *next = pd_action_read (r->cell, &action);
  PdRequest *slot = pd_mp_batch_free_slot (self, r, action.request);
  PdComm *comm = self->mps[0]->comms[action.comm];
  PdEnvelope envelope = pd_mp_recorded_envelope (self->mps[0], &action);

  *slot = action.kind == PD_ACT_RECV_INIT
              ? pd_batch_recv_init (self->batch, comm, envelope)
              : pd_batch_send_init (self->batch, comm, envelope, pd_mp_batch_mode_of (r->cell));
  r->cell = next;
  return TRUE;
}

/* While they are listed their slots are empty, so that none is twice. */
static guint32
list_startable (PdMpBatch *self, guint32 rank, PdMpBatchRank *r, const PdAction *action,
                PdRequest *requests)
{
  g_autofree guint32 *from = g_new (guint32, MAX (action->n_slots, 1));
  guint32 n = 0;

  for (guint32 i = 0; i < action->n_slots; i++)
    {
      PdRequest *slot = &r->slots[action->slots[i]];
      gboolean is_recv;
      if (!pd_batch_may_start (self->batch, *slot, &is_recv))
        {
          pd_mp_batch_note (self, rank, "not-startable", "MPI_Start",
                            "of a request that is not persistent, or under way: left out");
          continue;
        }
      r->account->n_receives += is_recv ? 1 : 0;
      r->account->n_sends += is_recv ? 0 : 1;
      from[n] = action->slots[i];
      requests[n++] = *slot;
      *slot = PD_REQUEST_NULL;
    }
  for (guint32 i = 0; i < n; i++)
    r->slots[from[i]] = requests[i];
  return n;
}

gboolean
pd_mp_batch_start (PdMpBatch *self, guint32 rank, PdMpBatchRank *r)
{
  PdAction action;

  pd_action_read (r->cell, &action);
  g_autofree PdRequest *requests = g_new (PdRequest, MAX (action.n_slots, 1));
  guint32 n = list_startable (self, rank, r, &action, requests);
  pd_batch_startall (self->batch, rank, requests, n);
  return pd_mp_batch_return (r, TRUE, PD_MP_SENDRECV);
}

gboolean
pd_mp_batch_request_free (PdMpBatch *self, guint32 rank G_GNUC_UNUSED, PdMpBatchRank *r)
{
  PdAction action;
  const PdProgramCell *next = pd_action_read (r->cell, &action);

  if (r->slots[action.request] != PD_REQUEST_NULL)
    pd_batch_request_free (self->batch, &r->slots[action.request]);
  r->cell = next;
  return TRUE;
}
