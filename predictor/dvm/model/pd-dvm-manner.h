/* How functions are interpreted, by the table of handlers.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_MANNER_H
#define PD_DVM_MANNER_H

#include "predictor/dvm/model/pd-dvm-state.h"

/**
 * pd_dvm_get_manner:
 * @handle: (out) (nullable): its handler
 *
 * Returns: how @function is interpreted.
 */
PdDvmManner pd_dvm_get_manner (const PdDvmHandlers *handlers, PdDvmFunction function,
                               PdDvmHandler *handle);

/**
 * pd_dvm_is_ordinary:
 * Returns: whether only the times of @function count, and nothing is known to be lost.
 */
gboolean pd_dvm_is_ordinary (const PdDvmHandlers *handlers, PdDvmFunction function);

/**
 * pd_dvm_is_simulated:
 * Returns: whether what @function does between processors, if anything, is modelled.
 */
gboolean pd_dvm_is_simulated (const PdDvmHandlers *handlers, PdDvmFunction function);

#endif
