/* OTF2 archives: the events of a rank, as the library tells them.
 * SPDX-License-Identifier: MIT */
#ifndef PD_OTF2_EVENTS_PRIVATE_H
#define PD_OTF2_EVENTS_PRIVATE_H

#include "traces/otf2/pd-otf2-private.h"

/* The actions of one rank. */
gboolean pd_otf2_read_rank (PdOtf2Archive *archive, guint32 rank, GError **error);

#endif
