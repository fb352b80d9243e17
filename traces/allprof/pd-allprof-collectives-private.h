/* Collective operations of liballprof traces. A rank's argument for the sizes of other ranks
 * is only read where MPI defines it. MPI_IN_PLACE leaves one side of the arguments without
 * meaning, so the other side is read where there are two.
 * SPDX-License-Identifier: MIT */
#ifndef PD_ALLPROF_COLLECTIVES_PRIVATE_H
#define PD_ALLPROF_COLLECTIVES_PRIVATE_H

#include "traces/allprof/pd-allprof-make-private.h"

gboolean pd_allprof_make_collective (PdAllprofMaker *self, GError **error);

#endif
