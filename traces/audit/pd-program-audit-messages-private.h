/* The check of programs: does each message have two ends of a size? * Messages over one
 * communicator, from one rank to another with one tag, are a channel: the k-th that is
 * sent there is the k-th that is received. Where the target also receives from anyone,
 * or with any tag, only the numbers of messages can be compared.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PROGRAM_AUDIT_MESSAGES_PRIVATE_H
#define PD_PROGRAM_AUDIT_MESSAGES_PRIVATE_H

#include "traces/audit/pd-program-audit-private.h"

typedef struct _PdAuditMessages PdAuditMessages;

PdAuditMessages *pd_audit_messages_new (PdAudit *audit);
void pd_audit_messages_free (PdAuditMessages *self);
/* A message is sent or received by @action, which may be the send half of a
 * Sendrecv, or one started by MPI_Start. @me: the rank in the communicator. */
void pd_audit_messages_add (PdAuditMessages *self, const PdAction *action, guint32 me,
                            gboolean is_send);
void pd_audit_messages_end (PdAuditMessages *self);

#endif
