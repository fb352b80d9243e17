/* The behaviour of a network for given transfers without other traffic: a network of the same
 * kind is created, queried, and freed. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DRY_RUN_H
#define PD_DRY_RUN_H

#include "comsys/machine/pd-topology.h"

/**
 * pd_dry_run:
 * @instance: the network is of this one's kind
 * @n_endpoints: that the trial's network has
 * @transfers: (array length=n): all requested at moment 0, in this order
 *
 * Changes nothing; costs a network's creation and @n transfers.
 *
 * Returns: when the last of them is delivered; %PD_TIME_MAX if one never is.
 */
PdTime pd_dry_run (const PdNetworkInstance *instance, guint32 n_endpoints,
                   const PdTransfer *transfers, guint n);

#endif
