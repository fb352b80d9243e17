/* OTF2 archives: the events of one-sided communication. Internal to traces/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_OTF2_EVENTS_WINDOWS_PRIVATE_H
#define PD_OTF2_EVENTS_WINDOWS_PRIVATE_H

#include <otf2/otf2.h>

/* Their data is a PdOtf2Rank. */
void pd_otf2_set_window_callbacks (OTF2_EvtReaderCallbacks *c);

#endif
