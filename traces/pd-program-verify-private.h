/* The parts of the check of programs. Internal to traces/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PROGRAM_VERIFY_PRIVATE_H
#define PD_PROGRAM_VERIFY_PRIVATE_H

#include "traces/pd-program-verify.h"

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
} PdVerify;

/* A finding at @rank's action @number, which is called @record. */
void pd_verify_find (PdVerify *self, const char *id, guint32 rank, guint64 number,
                     const char *record, const char *format, ...) G_GNUC_PRINTF (6, 7);

/* ---- pd-program-verify-messages.c */

typedef struct _PdVerifyMessages PdVerifyMessages;

PdVerifyMessages *pd_verify_messages_new (PdVerify *verify);
void pd_verify_messages_free (PdVerifyMessages *self);
/* A message is sent or received by @action, which may be the send half of a
 * Sendrecv, or one started by MPI_Start. @me: the rank in the communicator. */
void pd_verify_messages_add (PdVerifyMessages *self, const PdAction *action, guint32 me,
                             gboolean is_send);
void pd_verify_messages_end (PdVerifyMessages *self);

/* ---- pd-program-verify-collectives.c */

typedef struct _PdVerifyCollectives PdVerifyCollectives;

PdVerifyCollectives *pd_verify_collectives_new (PdVerify *verify);
void pd_verify_collectives_free (PdVerifyCollectives *self);
void pd_verify_collectives_add (PdVerifyCollectives *self, const PdAction *action);
/* The rank's actions are over; the next rank's begin. */
void pd_verify_collectives_next (PdVerifyCollectives *self);
void pd_verify_collectives_end (PdVerifyCollectives *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdVerifyMessages, pd_verify_messages_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdVerifyCollectives, pd_verify_collectives_free)

G_END_DECLS

#endif
