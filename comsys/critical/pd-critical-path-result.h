/* The causes of the last moment of a run: the graph of causes is traversed in the order of
 * time.
 * SPDX-License-Identifier: MIT */
#ifndef PD_CRITICAL_PATH_RESULT_H
#define PD_CRITICAL_PATH_RESULT_H

#include "base/pd-time.h"
#include "comsys/critical/pd-critical-path.h"

G_BEGIN_DECLS

/**
 * pd_critical_finish:
 * @comsys: of a run that is over
 * @endpoints: (array length=n_ranks): when the ranks have ended
 *
 * Returns: (transfer full): what the latest of @endpoints follows from.
 */
PdCriticalResult *pd_critical_finish (PdCriticalPath *self, const PdComsys *comsys,
                                      const PdTime *endpoints);

/**
 * pd_critical_result_free:
 * @self: (nullable): the result
 */
void pd_critical_result_free (PdCriticalResult *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdCriticalResult, pd_critical_result_free)

G_END_DECLS

#endif
