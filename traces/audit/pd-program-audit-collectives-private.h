/* The check of programs: do all members of a communicator take part in the same
 * collective operations, in the same order? The first member that takes part in an
 * operation says what it is; the others are compared with that.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PROGRAM_AUDIT_COLLECTIVES_PRIVATE_H
#define PD_PROGRAM_AUDIT_COLLECTIVES_PRIVATE_H

#include "traces/audit/pd-program-audit-private.h"
#include "traces/audit/pd-program-audit-messages-private.h"

typedef struct _PdAuditCollectives PdAuditCollectives;

PdAuditCollectives *pd_audit_collectives_new (PdAudit *audit);
void pd_audit_collectives_free (PdAuditCollectives *self);
void pd_audit_collectives_add (PdAuditCollectives *self, const PdAction *action);
/* The rank's actions are over; the next rank's begin. */
void pd_audit_collectives_next (PdAuditCollectives *self);
void pd_audit_collectives_end (PdAuditCollectives *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdAuditMessages, pd_audit_messages_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdAuditCollectives, pd_audit_collectives_free)

#endif
