/* Waits and tests, by what the recorded run has shown: a test that was successful
 * is a wait, one that was not costs its time; Waitany waits for what it got then.
 * With --wildcards simulated Waitany and Waitsome take what comes first; if that is
 * another request than in the recorded run, the two change their slots: the
 * program will wait later for the one that it thinks is left.
 * SPDX-License-Identifier: MIT */
#include "predictor/mp/pd-mp-state.h"
#include "comsys/mpi/pd-wait.h"
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

struct _PdMpAnys
{
  GHashTable *waiting; /* rank + 1 -> PdMpAny */
};

static void
any_free (gpointer data)
{
  PdMpAny *any = data;

  g_free (any->requests);
  g_free (any);
}

PdMpAnys *
pd_mp_anys_new (void)
{
  PdMpAnys *self = g_new0 (PdMpAnys, 1);

  self->waiting = g_hash_table_new_full (NULL, NULL, NULL, any_free);
  return self;
}

void
pd_mp_anys_free (PdMpAnys *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->waiting);
  g_free (self);
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

/* ---- all of some */

/* So many requests are moved to and fro without allocation. */
#define FEW 16

/* Waits for the requests in @action's slots: those of @done, or all. */
static gboolean
wait_for (PdMp *self, guint32 rank, PdMpRank *r, const PdAction *action, gboolean done)
{
  PdCall call = pd_mp_call (rank, r);
  guint32 n = done ? action->n_done : action->n_slots;
  const PdMpSlots slots = { action->slots, done ? action->done : NULL, n };
  g_autofree PdRequest *many = n > FEW ? g_new (PdRequest, n) : NULL;
  PdRequest few[FEW], *requests = many != NULL ? many : few;

  pd_mp_slots_take (&slots, r->slots, requests);
  pd_comsys_waitall (self->comsys, &call, requests, n);
  pd_mp_slots_put_back (&slots, r->slots, requests);
  return pd_mp_return (r, PD_MP_SENDRECV);
}

gboolean
pd_mp_act_waitall (PdMp *self, guint32 rank, PdMpRank *r)
{
  PdAction action;

  if (!pd_mp_may_act (self, rank, r))
    return FALSE;
  r->n_waits++;
  if ((r->cell->kind & PD_CELL_MORE) != 0)
    {
      pd_action_read (r->cell, &action);
      if (action.n_slots > 0)
        return wait_for (self, rank, r, &action, FALSE);
    }
  PdCall call = pd_mp_call (rank, r);
  pd_comsys_waitall (self->comsys, &call, r->slots, pd_program_get_n_slots (self->program, rank));
  return pd_mp_return (r, PD_MP_SENDRECV);
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

static gboolean
simulate_any (PdMp *self, guint32 rank, PdMpRank *r, const PdAction *action)
{
  PdMpAny *any = g_new0 (PdMpAny, 1);

  any->n = action->n_slots;
  any->requests = g_new (PdRequest, any->n);
  any->n_more = action->has_done && action->n_done > 0 ? action->n_done - 1 : 0;
  g_hash_table_insert (self->anys->waiting, GUINT_TO_POINTER (rank + 1), any);
  start_any (self, rank, r, action, any);
  return r->state == PD_MP_READY;
}

gboolean
pd_mp_act_waitany (PdMp *self, guint32 rank, PdMpRank *r)
{
  PdAction action;

  if (!pd_mp_may_act (self, rank, r))
    return FALSE;
  pd_action_read (r->cell, &action);
  r->n_waits++;
  if (action.has_done && !self->options->simulated)
    return wait_for (self, rank, r, &action, TRUE);
  return simulate_any (self, rank, r, &action);
}

/* The k-th of what the recorded run got is what the program now thinks is done. */
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
  PdMpAny *any = g_hash_table_lookup (self->anys->waiting, GUINT_TO_POINTER (rank + 1));
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
      g_hash_table_remove (self->anys->waiting, GUINT_TO_POINTER (rank + 1));
      r->cell = next;
      return;
    }
  /* the next of those that Waitsome got */
  any->n_more--;
  start_any (self, rank, r, &action, any);
}

/* ---- tests */

/* The outcome is not known: what is complete by now is. */
static void
simulate_test (PdMp *self, PdMpRank *r, const PdCall *call, const PdAction *action)
{
  gboolean is_one = action->kind == PD_ACT_TEST;
  guint32 n = is_one ? 1 : action->n_slots;
  const PdMpSlots slots = { is_one ? &action->request : action->slots, NULL, n };
  g_autofree PdRequest *many = n > FEW ? g_new (PdRequest, n) : NULL;
  PdRequest few[FEW], *requests = many != NULL ? many : few;

  pd_mp_slots_take (&slots, r->slots, requests);
  if (action->kind == PD_ACT_TESTANY)
    pd_comsys_testany (self->comsys, call, requests, n);
  else if (action->kind == PD_ACT_TESTSOME)
    pd_comsys_testsome (self->comsys, call, requests, n);
  else
    pd_comsys_testall (self->comsys, call, requests, n);
  pd_mp_slots_put_back (&slots, r->slots, requests);
}

gboolean
pd_mp_act_test (PdMp *self, guint32 rank, PdMpRank *r)
{
  PdAction action;
  PdRequest none = PD_REQUEST_NULL;

  if (!pd_mp_may_act (self, rank, r))
    return FALSE;
  pd_action_read (r->cell, &action);
  r->n_waits++;
  if (action.has_done && action.n_done > 0)
    {
      action.n_slots = action.kind == PD_ACT_TEST ? 1 : action.n_slots;
      action.slots = action.kind == PD_ACT_TEST ? &action.request : action.slots;
      return wait_for (self, rank, r, &action, action.kind != PD_ACT_TESTALL);
    }
  PdCall call = pd_mp_call (rank, r);
  if (action.has_done)
    pd_comsys_test (self->comsys, &call, &none); /* of nothing: only its time */
  else
    simulate_test (self, r, &call, &action);
  return pd_mp_return (r, PD_MP_SENDRECV);
}
