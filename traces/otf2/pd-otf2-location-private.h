/* Reading one location of an archive, and what the library complains about.
 * SPDX-License-Identifier: MIT */
#ifndef PD_OTF2_LOCATION_PRIVATE_H
#define PD_OTF2_LOCATION_PRIVATE_H

#include "traces/otf2/pd-otf2-private.h"

/* Reads all events of @location with @callbacks; (transfer full) @callbacks. */
gboolean pd_otf2_read_location (PdOtf2Archive *archive, OTF2_LocationRef location,
                                OTF2_EvtReaderCallbacks *callbacks, gpointer data, GError **error);
/* From now on the library tells its complaints to the next function. */
void pd_otf2_listen (void);
/* Whether it has told any since. */
gboolean pd_otf2_has_complaint (void);
/* What the library last complained about; "" if nothing. */
const char *pd_otf2_get_complaint (void);

#endif
