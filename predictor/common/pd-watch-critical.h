/* The critical path watches.
 * SPDX-License-Identifier: MIT */
#ifndef PD_WATCH_CRITICAL_H
#define PD_WATCH_CRITICAL_H

#include "comsys/critical/pd-critical-path.h"
#include "predictor/common/pd-watcher.h"

/**
 * pd_critical_watch:
 * @watchers: (inout): get one more, unless @result is %NULL; they outlive @comsys
 * @comsys: of @n_ranks ranks, in which nothing has happened
 * @is_explicit: see pd_critical_set_explicit_work()
 * @result: (nullable) (out): at the end, unless the prediction fails
 */
void pd_critical_watch (PdWatcher **watchers, PdComsys *comsys, guint32 n_ranks,
                        gboolean is_explicit, PdCriticalResult **result);

#endif
