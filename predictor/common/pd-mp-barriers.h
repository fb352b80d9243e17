/* What is known of collective operations only when all members have been there: until then each
 * operation that is under way remembers its members' moments. What is remembered is the caller's.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MP_BARRIERS_H
#define PD_MP_BARRIERS_H

#include <glib.h>

typedef struct _PdMpBarriers PdMpBarriers;

/**
 * pd_mp_barriers_new:
 * @n_comms: communicators
 * @size: bytes that an operation needs
 * @per_member: bytes that it needs behind them for each member
 *
 * Returns: (transfer full): no operations.
 */
PdMpBarriers *pd_mp_barriers_new (guint32 n_comms, gsize size, gsize per_member);

/**
 * pd_mp_barriers_free:
 * @self: (nullable): the operations
 */
void pd_mp_barriers_free (PdMpBarriers *self);

/**
 * pd_mp_barriers_enter:
 * @n: members of @comm, always the same
 * @me: one of them
 *
 * Returns: (transfer none): the operation that the member begins, in cache lines of its own;
 *   its first bytes, but not those of members, are 0 for the first who comes.
 */
gpointer pd_mp_barriers_enter (PdMpBarriers *self, guint32 comm, guint32 n, guint32 me);

/**
 * pd_mp_barriers_leave:
 * @is_last: (out): whether all members are through; then what is returned is as it was only
 *   until somebody enters again
 *
 * Returns: (transfer none): the operation that the member has begun last.
 */
gpointer pd_mp_barriers_leave (PdMpBarriers *self, guint32 comm, guint32 me, gboolean *is_last);

#endif
