/* The side of a worker that is a process of this machine.
 * SPDX-License-Identifier: MIT */
#ifndef PD_LOCAL_LINK_H
#define PD_LOCAL_LINK_H

#include "sweep/run/pd-local-workers.h"

/**
 * pd_local_link_new:
 * @fd: of a worker; stays the caller's
 *
 * Returns: (transfer full): its link, for pd_local_link_free().
 */
PdWorkerLink *pd_local_link_new (int fd);

/**
 * pd_local_link_free:
 * @link: (nullable): from pd_local_link_new()
 */
void pd_local_link_free (PdWorkerLink *link);

#endif
