/* The MPI functions whose regions an OTF2 archive may have.
 * SPDX-License-Identifier: MIT */
#ifndef PD_OTF2_CALLS_PRIVATE_H
#define PD_OTF2_CALLS_PRIVATE_H

#include "traces/otf2/pd-otf2-private.h"

/* What @name, an MPI function, does; NULL for functions nobody has heard of. */
const PdOtf2Call *pd_otf2_call_find (const char *name);
/* What a record of @op tells; of those that make something: a barrier. */
PdCollKind pd_otf2_coll_of_op (OTF2_CollectiveOp op);

#endif
