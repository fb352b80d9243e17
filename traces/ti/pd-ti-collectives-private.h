/* Collective operations of time-independent traces. All are of the world, and all counts
 * are of elements.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TI_COLLECTIVES_PRIVATE_H
#define PD_TI_COLLECTIVES_PRIVATE_H

#include "traces/ti/pd-ti-private.h"

gboolean pd_ti_read_barrier (PdTi *self, PdTiFields *fields, GError **error);
gboolean pd_ti_read_bcast (PdTi *self, PdTiFields *fields, GError **error);
gboolean pd_ti_read_reduce (PdTi *self, PdTiFields *fields, GError **error);
gboolean pd_ti_read_blocks (PdTi *self, PdTiFields *fields, GError **error);
gboolean pd_ti_read_gatherv (PdTi *self, PdTiFields *fields, GError **error);
gboolean pd_ti_read_scatterv (PdTi *self, PdTiFields *fields, GError **error);
gboolean pd_ti_read_alltoallv (PdTi *self, PdTiFields *fields, GError **error);
gboolean pd_ti_read_reduce_scatter (PdTi *self, PdTiFields *fields, GError **error);

#endif
