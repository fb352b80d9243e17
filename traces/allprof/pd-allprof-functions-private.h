/* The functions of MPI as liballprof writes their arguments: in the order of the C
 * binding, without the request of the result.
 * SPDX-License-Identifier: MIT */
#ifndef PD_ALLPROF_FUNCTIONS_PRIVATE_H
#define PD_ALLPROF_FUNCTIONS_PRIVATE_H

#include "traces/allprof/pd-allprof-private.h"

/* The row of a name, or NULL. */
const PdAllprofFunction *pd_allprof_find (const char *name, gsize length);

#endif
