/* What a network does with given transfers when nothing else is under way: a
 * network of the same kind is made, asked, and thrown away.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TRIAL_PRIVATE_H
#define PD_TRIAL_PRIVATE_H

#include "comsys/pd-comsys-private.h"

G_BEGIN_DECLS

/**
 * pd_trial_run:
 * @level: the network is of this one's kind
 * @n_endpoints: that the trial's network has
 * @transfers: (array length=n): all requested at moment 0, in this order
 *
 * Changes nothing; costs a network's creation and @n transfers.
 *
 * Returns: when the last of them is delivered; %PD_TIME_MAX if one never is.
 */
PdTime pd_trial_run (const PdLevel *level, guint32 n_endpoints, const PdTransfer *transfers,
                     guint n);

G_END_DECLS

#endif
