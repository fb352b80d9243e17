/* Collective operations of liballprof traces. What a rank passes for the sizes of others
 * is only of use where MPI looks at it; MPI_IN_PLACE leaves one side of the arguments
 * without meaning, so the other is taken where there are two.
 * SPDX-License-Identifier: MIT */
#ifndef PD_ALLPROF_COLLECTIVES_PRIVATE_H
#define PD_ALLPROF_COLLECTIVES_PRIVATE_H

#include "traces/allprof/pd-allprof-make-private.h"

gboolean pd_allprof_make_collective (PdAllprofMaker *self, GError **error);

#endif
