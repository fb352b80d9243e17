/* Who was late: for whom others waited, and where that one was.
 * SPDX-License-Identifier: MIT */
#ifndef PD_LATES_PRIVATE_H
#define PD_LATES_PRIVATE_H

#include "analyse/pd-analysis-private.h"
#include "analyse/pd-waits-private.h"

/* Returns: (transfer full): of #PdLate, each with how long. */
GHashTable *pd_lates_new (void);
void pd_lates_add (GHashTable *lates, guint32 node, const PdNeed *late, gint64 waited);
/* Returns: (transfer full): PdLate, by interval, state, rank and site. */
GArray *pd_lates_list (GHashTable *lates);

#endif
