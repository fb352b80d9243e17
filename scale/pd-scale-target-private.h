/* How the ranks of a program that is made are arranged.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SCALE_TARGET_PRIVATE_H
#define PD_SCALE_TARGET_PRIVATE_H

#include "scale/pd-scale-grid.h"
#include "scale/pd-scale-model-private.h"

/**
 * pd_scale_target_find_grid:
 * @n: ranks
 * @grid: (nullable): theirs, if it is prescribed
 * @own: (out caller-allocated): theirs
 * @error: return location for %PD_SCALE_ERROR_TARGET: the recordings have grids of another kind
 */
gboolean pd_scale_target_find_grid (const PdScaleModel *self, guint32 n, const PdScaleGrid *grid,
                                    PdScaleGrid *own, GError **error);

/**
 * pd_scale_target_report_grid:
 * @own: of @n ranks, not prescribed
 * @messages: get a warning if the recordings fit another kind of grids, too
 */
void pd_scale_target_report_grid (const PdScaleModel *self, guint32 n, const PdScaleGrid *own,
                                  PdMessages *messages);

#endif
