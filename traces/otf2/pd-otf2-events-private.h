/* OTF2 archives: the events of a location, as the library tells them.
 * SPDX-License-Identifier: MIT */
#ifndef PD_OTF2_EVENTS_PRIVATE_H
#define PD_OTF2_EVENTS_PRIVATE_H

#include "traces/otf2/pd-otf2-private.h"

/* (transfer full): for a PdOtf2Rank. */
OTF2_EvtReaderCallbacks *pd_otf2_rank_callbacks (void);

#endif
