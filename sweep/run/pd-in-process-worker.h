/* A worker that is this process itself: for where there are no others.
 * SPDX-License-Identifier: MIT */
#ifndef PD_IN_PROCESS_WORKER_H
#define PD_IN_PROCESS_WORKER_H

#include "sweep/run/pd-transport.h"
#include "sweep/run/pd-worker.h"

/**
 * pd_in_process_worker_new:
 * @study: complete; stays the caller's
 * @class: how points are computed
 *
 * A point that ends its process ends this one.
 *
 * Returns: (transfer full): a transport to one worker, which computes a point each time
 *   that something is received.
 */
PdTransport *pd_in_process_worker_new (const PdStudy *study, const PdPointClass *class);

#endif
