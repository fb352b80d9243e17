/* Only if PdComsys.waited is not NULL.
 * SPDX-License-Identifier: MIT */
#ifndef PD_WAIT_STATS_H
#define PD_WAIT_STATS_H

#include "comsys/state/pd-comsys-types.h"

G_BEGIN_DECLS

/**
 * pd_comsys_set_wait_stats:
 * @waited: (nullable) (array length=n_ranks): all 0; must outlive the last wait
 * @sends: whether waits for sends count, too; without them there is no overlap of sends
 *
 * From now on what waits show is added to @waited.
 */
void pd_comsys_set_wait_stats (PdComsys *self, PdWaitStats *waited, gboolean sends);

G_END_DECLS

#endif
