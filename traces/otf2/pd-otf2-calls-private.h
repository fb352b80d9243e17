/* The MPI functions whose regions an OTF2 archive may have.
 * SPDX-License-Identifier: MIT */
#ifndef PD_OTF2_CALLS_PRIVATE_H
#define PD_OTF2_CALLS_PRIVATE_H

#include "traces/otf2/pd-otf2-private.h"

/* The call of @name, an MPI function; NULL for unknown functions. */
const PdOtf2Call *pd_otf2_call_find (const char *name);
/* The kind of a record of @op; for those that create an object: a barrier. */
PdCollKind pd_otf2_coll_of_op (OTF2_CollectiveOp op);

#endif
