/* The files of an archive, checked before the library reads them.
 * SPDX-License-Identifier: MIT */
#ifndef PD_OTF2_CHUNKS_PRIVATE_H
#define PD_OTF2_CHUNKS_PRIVATE_H

#include "traces/otf2/pd-otf2-private.h"

/* Whether the file of all definitions ends where its records say; @error: TRUNCATED or
 * OPEN. So do the next one for the events and the definitions of all ranks. */
gboolean pd_otf2_check_definitions (const PdOtf2Archive *archive, GError **error);
gboolean pd_otf2_check_ranks (const PdOtf2Archive *archive, GError **error);

#endif
