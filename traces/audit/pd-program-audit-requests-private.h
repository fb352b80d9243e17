/* The check of programs: is each request that ends under way, does each one end? Internal to
 * traces/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PROGRAM_AUDIT_REQUESTS_PRIVATE_H
#define PD_PROGRAM_AUDIT_REQUESTS_PRIVATE_H

#include "traces/audit/pd-program-audit-private.h"

typedef struct _PdAuditSlot PdAuditSlot;

/* The requests of a rank. */
typedef struct
{
  PdAuditSlot *slots; /* (array length=n) */
  guint32 n;
} PdAuditRequests;

void pd_audit_requests_init (PdAuditRequests *self, guint32 n);
void pd_audit_requests_clear (PdAuditRequests *self);
/* The action that @audit is at makes a request. */
void pd_audit_requests_make (PdAuditRequests *self, PdAudit *audit);
/* It starts the persistent @request. Returns the action that has made this; NULL, and a finding, if
 * it cannot be started. */
const PdAction *pd_audit_requests_start (PdAuditRequests *self, PdAudit *audit, guint32 request);
void pd_audit_requests_forget (PdAuditRequests *self, guint32 request);
/* It waits for requests, or tests them. */
void pd_audit_requests_end (PdAuditRequests *self, PdAudit *audit);
/* @cell, which is the only one of an action, begins a message or waits for one, or for all. Returns
 * FALSE, and does nothing, if there may be a finding. */
gboolean pd_audit_requests_pass (PdAuditRequests *self, const PdProgramCell *cell);
/* Reports requests that are under way when the rank ends. */
void pd_audit_requests_report (const PdAuditRequests *self, PdAudit *audit);

#endif
