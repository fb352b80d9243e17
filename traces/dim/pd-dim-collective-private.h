/* Collective operations in traces of Dimemas: what a member sends and receives in all,
 * and who is the root.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DIM_COLLECTIVE_PRIVATE_H
#define PD_DIM_COLLECTIVE_PRIVATE_H

#include "traces/dim/pd-dim-reader-private.h"

/* A record 10 from its operation on. */
gboolean pd_dim_read_collective (PdDimReader *self, const gint64 *values, guint n);

#endif
