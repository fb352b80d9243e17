/* The check of programs: do the members of a collective operation with vectors of bytes expect
 * what the others send? Internal to traces/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PROGRAM_AUDIT_COUNTS_PRIVATE_H
#define PD_PROGRAM_AUDIT_COUNTS_PRIVATE_H

#include "traces/audit/pd-program-audit-private.h"

typedef struct _PdAuditCounts PdAuditCounts;

PdAuditCounts *pd_audit_counts_new (PdAudit *audit);
void pd_audit_counts_free (PdAuditCounts *self);

/* The rank, @me in its communicator, takes part in the collective operation @action. */
void pd_audit_counts_add (PdAuditCounts *self, const PdAction *action, guint32 me);

/* The rank's actions are over; the next rank's begin. */
void pd_audit_counts_next (PdAuditCounts *self);

void pd_audit_counts_end (PdAuditCounts *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdAuditCounts, pd_audit_counts_free)

#endif
