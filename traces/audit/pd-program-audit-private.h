/* The parts of the check of programs. Internal to traces/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PROGRAM_AUDIT_PRIVATE_H
#define PD_PROGRAM_AUDIT_PRIVATE_H

#include "traces/audit/pd-program-audit.h"
#include "traces/program/pd-action.h"

/* Where the check is. */
typedef struct
{
  const PdProgram *program;
  const char *file;
  PdMessages *messages;
  guint n_findings;
  gboolean has_pauses; /* a part was not recorded: some have no partner */
  guint32 rank;
  guint64 number; /* of the action */
  const PdAction *action;
} PdAudit;

/* A finding at @rank's action @number, which is called @record. */
void pd_audit_find (PdAudit *self, const char *id, guint32 rank, guint64 number, const char *record,
                    const char *format, ...) G_GNUC_PRINTF (6, 7);

/* A finding at the action that @self is at. */
#define pd_audit_find_here(self, id, ...)                                                          \
  pd_audit_find (self, id, (self)->rank, (self)->number, pd_action_name ((self)->action),          \
                 __VA_ARGS__)

#endif
