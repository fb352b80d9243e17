/* OTF2 archives: the actions of a rank become events.
 * SPDX-License-Identifier: MIT */
#ifndef PD_OTF2_WRITE_RANK_PRIVATE_H
#define PD_OTF2_WRITE_RANK_PRIVATE_H

#include "traces/otf2/pd-otf2-write-private.h"

/* Writes the events of @rank; FALSE if the library refuses. */
gboolean pd_otf2_write_rank (PdOtf2Writer *writer, guint32 rank);

#endif
