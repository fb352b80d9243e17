/* Ranks that fit together: each message has two ends, and none waits for ever.
 *
 * In an approximated program, calls of two ranks need not be the two ends of the same messages.
 * Senders decide: a receive without a message takes a message without a receive, and has room for
 * it. Ends that remain have the partner MPI_PROC_NULL, so that all calls and requests stay.
 * Collective operations that some members do not come to are left out. Then the program is gone
 * through without times: where ranks wait for each other in a circle, the send or receive that
 * comes first in its rank has the partner MPI_PROC_NULL, too. Sends wait for their receives if
 * recordings show that the program permits it.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SCALE_MEND_H
#define PD_SCALE_MEND_H

#include "traces/program/pd-program.h"

#include <signal.h>

/* A changed call of a rank. */
typedef struct
{
  guint64 call; /* which of the rank's actions other than computation, from 0 */
  gint32 peer;
  gint32 tag;
  gint32 recv_peer;
  gint32 recv_tag;
  gint64 bytes;
  gint64 recv_bytes;
  gboolean is_left_out; /* a collective operation */
} PdScaleMend;

/* The changed calls of a program. */
typedef struct
{
  guint32 n_ranks;
  GArray **ranks; /* (array length=n_ranks) (nullable elements) (element-type PdScaleMend): in the
                   * order of calls */
  guint64 n;      /* messages, and calls of collective operations, of the program */
  guint64 n_redirected; /* of these: received from another rank, or with another tag */
  guint64 n_lost;       /* with the partner MPI_PROC_NULL, or left out */
} PdScaleMends;

/**
 * pd_scale_mends_new:
 * Returns: (transfer full): no changes of a program on @n_ranks.
 */
PdScaleMends *pd_scale_mends_new (guint32 n_ranks);

/**
 * pd_scale_mends_free:
 * @self: (nullable): frees it
 */
void pd_scale_mends_free (PdScaleMends *self);

/**
 * pd_scale_mends_match:
 * @self: of nothing; gets changes with which all messages of @program have two ends, and collective
 *   operations all members. Messages of persistent requests are taken as they are.
 * @stop: (nullable): not 0: stop as soon as possible
 *
 * Returns: %FALSE if it was stopped.
 */
gboolean pd_scale_mends_match (PdScaleMends *self, const PdProgram *program,
                               const volatile sig_atomic_t *stop);

/**
 * pd_scale_mends_execute:
 * @self: changes of @program; gets more, with which its ranks come to their ends
 * @is_buffered: no send waits for its receive; else all do, but for MPI_Bsend
 * @stop: (nullable): not 0: stop as soon as possible
 *
 * Returns: %FALSE if it was stopped.
 */
gboolean pd_scale_mends_execute (PdScaleMends *self, const PdProgram *program, gboolean is_buffered,
                                 const volatile sig_atomic_t *stop);

/**
 * pd_scale_program_is_buffered:
 * Returns: whether ranks of @program would wait for each other if all sends waited for their
 *   receives.
 */
gboolean pd_scale_program_is_buffered (const PdProgram *program);

/**
 * pd_scale_mends_has:
 * Returns: whether calls of @rank change.
 */
gboolean pd_scale_mends_has (const PdScaleMends *self, guint32 rank);

/**
 * pd_scale_mends_apply:
 * @call: of @rank
 * @action: (inout): it; what it becomes
 *
 * Returns: %FALSE if it is left out.
 */
gboolean pd_scale_mends_apply (const PdScaleMends *self, guint32 rank, guint64 call,
                               PdAction *action);

/**
 * pd_scale_mends_add:
 * @call: of @rank
 * @action: what it becomes
 * @is_left_out: whether it is left out, as far as it can be: its request stays
 */
void pd_scale_mends_add (PdScaleMends *self, guint32 rank, guint64 call, const PdAction *action,
                         gboolean is_left_out);

/**
 * pd_scale_mends_counts:
 * Returns: whether actions of @kind have a number among the calls of a rank.
 */
static inline gboolean
pd_scale_mends_counts (PdActionKind kind)
{
  return kind != PD_ACT_COMPUTE && kind != PD_ACT_LOCAL;
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdScaleMends, pd_scale_mends_free)

#endif
