/* Receivers and their messages, for timelines. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DELIVERY_H
#define PD_DELIVERY_H

#include "comsys/state/pd-comsys-types.h"
#include "comsys/state/pd-delivery-types.h"

/**
 * pd_comsys_set_delivery_func:
 * @func: (nullable): called for every message once both its moments are known, in any
 *   order; not for messages of one-sided communication
 *
 * Does not affect results.
 */
void pd_comsys_set_delivery_func (PdComsys *self, PdDeliveryFunc func, gpointer data);

#endif
