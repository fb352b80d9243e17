/* Data of collective operations that are complete only after the arrival of all members: until then
 * each active operation stores its members' moments. The stored data belong to the caller.
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
 * @is_last: (out): whether all members have left; the returned operation is then valid only
 *   until the next member enters
 *
 * Returns: (transfer none): the operation that the member has begun last.
 */
gpointer pd_mp_barriers_leave (PdMpBarriers *self, guint32 comm, guint32 me, gboolean *is_last);

#endif
