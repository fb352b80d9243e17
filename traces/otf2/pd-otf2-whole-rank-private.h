/* OTF2 archives: all that is known of a rank.
 * SPDX-License-Identifier: MIT */
#ifndef PD_OTF2_WHOLE_RANK_PRIVATE_H
#define PD_OTF2_WHOLE_RANK_PRIVATE_H

#include "traces/otf2/pd-otf2-private.h"

/* The actions of one rank. */
gboolean pd_otf2_read_rank (PdOtf2Archive *archive, guint32 rank, GError **error);

#endif
