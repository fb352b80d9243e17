/* OTF2 archives: the events of a location, as the library tells them.
 * SPDX-License-Identifier: MIT */
#ifndef PD_OTF2_EVENTS_PRIVATE_H
#define PD_OTF2_EVENTS_PRIVATE_H

#include "traces/otf2/pd-otf2-rank-private.h"

/* The rank, or its further thread, goes through the events of @location. */
gboolean pd_otf2_read_rank_events (PdOtf2Rank *self, OTF2_LocationRef location, GError **error);

/* ---- pd-otf2-events-windows.c: the events of one-sided communication, for a PdOtf2Rank */

void pd_otf2_set_window_callbacks (OTF2_EvtReaderCallbacks *c);

#endif
