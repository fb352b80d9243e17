/* Reading one location of an archive, and what the library complains about.
 * SPDX-License-Identifier: MIT */
#ifndef PD_OTF2_LOCATION_PRIVATE_H
#define PD_OTF2_LOCATION_PRIVATE_H

#include "traces/otf2/pd-otf2-decode-private.h"
#include "traces/otf2/pd-otf2-private.h"

/* Calls @handlers with @data for all events of @location. They are decoded here if all can be, else
 * by the library. */
gboolean pd_otf2_read_location (PdOtf2Archive *archive, OTF2_LocationRef location,
                                const PdOtf2Handlers *handlers, gpointer data, GError **error);
/* From now on the library tells its complaints to the next function. */
void pd_otf2_listen (void);
/* Whether it has told any since. */
gboolean pd_otf2_has_complaint (void);
/* The last error message of the library; "" if none. */
const char *pd_otf2_get_complaint (void);

#endif
