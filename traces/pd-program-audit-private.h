/* The parts of the check of programs. Internal to traces/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PROGRAM_AUDIT_PRIVATE_H
#define PD_PROGRAM_AUDIT_PRIVATE_H

#include "traces/pd-program-audit.h"

G_BEGIN_DECLS

/* Where the check is. */
typedef struct
{
  const PdProgram *program;
  const char *file;
  PdMessages *messages;
  guint n_findings;
  guint32 rank;
  guint64 number; /* of the action */
  const PdAction *action;
} PdAudit;

/* A finding at @rank's action @number, which is called @record. */
void pd_audit_find (PdAudit *self, const char *id, guint32 rank, guint64 number, const char *record,
                    const char *format, ...) G_GNUC_PRINTF (6, 7);

/* ---- pd-program-audit-messages.c */

typedef struct _PdAuditMessages PdAuditMessages;

PdAuditMessages *pd_audit_messages_new (PdAudit *audit);
void pd_audit_messages_free (PdAuditMessages *self);
/* A message is sent or received by @action, which may be the send half of a
 * Sendrecv, or one started by MPI_Start. @me: the rank in the communicator. */
void pd_audit_messages_add (PdAuditMessages *self, const PdAction *action, guint32 me,
                            gboolean is_send);
void pd_audit_messages_end (PdAuditMessages *self);

/* ---- pd-program-audit-collectives.c */

typedef struct _PdAuditCollectives PdAuditCollectives;

PdAuditCollectives *pd_audit_collectives_new (PdAudit *audit);
void pd_audit_collectives_free (PdAuditCollectives *self);
void pd_audit_collectives_add (PdAuditCollectives *self, const PdAction *action);
/* The rank's actions are over; the next rank's begin. */
void pd_audit_collectives_next (PdAuditCollectives *self);
void pd_audit_collectives_end (PdAuditCollectives *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdAuditMessages, pd_audit_messages_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdAuditCollectives, pd_audit_collectives_free)

G_END_DECLS

#endif
