/* How much of a run an archive has. Internal to traces/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_OTF2_EXTENT_PRIVATE_H
#define PD_OTF2_EXTENT_PRIVATE_H

#include "traces/otf2/pd-otf2-private.h"

/* Reads the property in which the recorder says until when all ranks were recorded; a
 * value that makes no sense is ignored, with a note. */
void pd_otf2_read_extent (PdOtf2Archive *archive);

/* Says what of the run is there, if it is not all. @first: when the first rank began, since
 * the archive's origin. Returns: whether something is missing. */
gboolean pd_otf2_report_extent (PdOtf2Archive *archive, PdTime first);

#endif
