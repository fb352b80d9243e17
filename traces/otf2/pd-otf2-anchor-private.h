/* The anchor file of an archive, checked before the library reads it.
 * SPDX-License-Identifier: MIT */
#ifndef PD_OTF2_ANCHOR_PRIVATE_H
#define PD_OTF2_ANCHOR_PRIVATE_H

#include <glib.h>

/* Whether the file holds as many texts as it counts, and ends behind them, and the archive has
 * plain files. @error: TRUNCATED, or FORMAT where files are compressed or in SION containers. */
gboolean pd_otf2_check_anchor (const char *path, GError **error);

#endif
