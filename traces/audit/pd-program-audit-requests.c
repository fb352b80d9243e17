/* SPDX-License-Identifier: MIT */
#include "traces/audit/pd-program-audit-requests-private.h"

/* The state of the request in a slot. */
typedef enum
{
  FREE,
  ACTIVE,
  INACTIVE, /* a persistent request between its uses */
  MAYBE,    /* it may have ended: a test or wait of unknown outcome was of it */
} SlotState;

struct _PdAuditSlot
{
  PdAction *init; /* (nullable): of a persistent request, the action that MPI_Start starts */
  guint8 state;   /* SlotState */
  guint8 kind;    /* PdActionKind: the action that has begun it */
};

void
pd_audit_requests_init (PdAuditRequests *self, guint32 n)
{
  *self = (PdAuditRequests){ .slots = g_new0 (PdAuditSlot, MAX (n, 1)), .n = n };
}

void
pd_audit_requests_clear (PdAuditRequests *self)
{
  for (guint32 i = 0; i < self->n; i++)
    g_free (self->slots[i].init);
  g_clear_pointer (&self->slots, g_free);
}

/* ---- beginning */

void
pd_audit_requests_make (PdAuditRequests *self, PdAudit *audit)
{
  const PdAction *action = audit->action;
  PdAuditSlot *slot = &self->slots[action->request];
  gboolean persistent = action->kind >= PD_ACT_SEND_INIT && action->kind <= PD_ACT_RECV_INIT;

  if (slot->state == ACTIVE || slot->state == INACTIVE)
    pd_audit_find_here (audit, "request-reused", "request %u is started while it is under way",
                        action->request);
  g_clear_pointer (&slot->init, g_free);
  slot->kind = (guint8) action->kind;
  slot->state = persistent ? INACTIVE : ACTIVE;
  if (persistent)
    {
      slot->init = g_new (PdAction, 1);
      *slot->init = *action;
    }
}

const PdAction *
pd_audit_requests_start (PdAuditRequests *self, PdAudit *audit, guint32 request)
{
  PdAuditSlot *slot = &self->slots[request];

  if (slot->init == NULL || (slot->state != INACTIVE && slot->state != MAYBE))
    {
      pd_audit_find_here (audit, slot->state == FREE ? "request-unknown" : "request-reused",
                          "request %u is not one that can be started", request);
      return NULL;
    }
  slot->state = ACTIVE;
  return slot->init;
}

/* ---- the end */

void
pd_audit_requests_forget (PdAuditRequests *self, guint32 request)
{
  self->slots[request].state = FREE;
}

static inline void
end_slot (PdAuditSlot *slot)
{
  slot->state = slot->init != NULL ? INACTIVE : FREE;
}

static void
end_all (PdAuditRequests *self)
{
  for (guint32 i = 0; i < self->n; i++)
    end_slot (&self->slots[i]);
}

static void
end_request (PdAuditRequests *self, PdAudit *audit, guint32 request)
{
  PdAuditSlot *slot = &self->slots[request];

  if (slot->state == FREE)
    pd_audit_find_here (audit, "request-unknown", "request %u was not started", request);
  end_slot (slot);
}

static void
may_end (PdAuditRequests *self, guint32 request)
{
  PdAuditSlot *slot = &self->slots[request];

  if (slot->state == ACTIVE)
    slot->state = MAYBE;
}

/* One of several, or all: those of an unknown outcome may still be under way. */
void
pd_audit_requests_end (PdAuditRequests *self, PdAudit *audit)
{
  const PdAction *a = audit->action;
  gboolean is_one = a->kind == PD_ACT_WAIT || a->kind == PD_ACT_TEST;
  gboolean all = a->kind == PD_ACT_WAITALL || (a->kind == PD_ACT_TESTALL && a->n_done > 0);

  if (a->kind == PD_ACT_WAITALL && a->n_slots == 0)
    end_all (self);
  else if (a->kind == PD_ACT_WAIT || (is_one && a->n_done > 0))
    end_request (self, audit, a->request);
  else if (is_one && !a->has_done)
    may_end (self, a->request);
  else if (all)
    for (guint32 i = 0; i < a->n_slots; i++)
      end_request (self, audit, a->slots[i]);
  else if (a->has_done)
    for (guint32 i = 0; i < a->n_done && a->slots != NULL; i++)
      end_request (self, audit, a->slots[a->done[i]]);
  else
    for (guint32 i = 0; i < a->n_slots; i++)
      may_end (self, a->slots[i]);
}

/* ---- without decoding */

gboolean
pd_audit_requests_pass (PdAuditRequests *self, const PdProgramCell *cell)
{
  if (cell->kind == PD_ACT_WAITALL)
    {
      end_all (self);
      return TRUE;
    }
  PdAuditSlot *slot = &self->slots[cell->request];
  gboolean is_wait = cell->kind == PD_ACT_WAIT;
  if (slot->state != (is_wait ? ACTIVE : FREE))
    return FALSE;
  if (is_wait)
    {
      end_slot (slot);
      return TRUE;
    }
  slot->kind = cell->kind;
  slot->state = ACTIVE;
  return TRUE;
}

void
pd_audit_requests_report (const PdAuditRequests *self, PdAudit *audit)
{
  for (guint32 i = 0; i < self->n; i++)
    if (self->slots[i].state == ACTIVE)
      pd_audit_find (audit, "request-open", audit->rank, audit->number,
                     pd_action_name (&(PdAction){ .kind = self->slots[i].kind }),
                     "request %u never completes", i);
}
