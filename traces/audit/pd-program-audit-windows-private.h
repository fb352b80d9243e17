/* The check of programs: does each start have its posts, each complete its start, each wait
 * its post? Internal to traces/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PROGRAM_AUDIT_WINDOWS_PRIVATE_H
#define PD_PROGRAM_AUDIT_WINDOWS_PRIVATE_H

#include "traces/audit/pd-program-audit-private.h"

typedef struct _PdAuditWindows PdAuditWindows;

PdAuditWindows *pd_audit_windows_new (PdAudit *audit);
void pd_audit_windows_free (PdAuditWindows *self);
/* An action on a window, of its member @me. */
void pd_audit_windows_add (PdAuditWindows *self, const PdAction *action, guint32 me);
/* The rank's actions are over; the next rank's begin. */
void pd_audit_windows_next (PdAuditWindows *self);
void pd_audit_windows_end (PdAuditWindows *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdAuditWindows, pd_audit_windows_free)

#endif
