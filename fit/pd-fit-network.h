/* The network of a description, by its type.
 * SPDX-License-Identifier: MIT */
#ifndef PD_FIT_NETWORK_H
#define PD_FIT_NETWORK_H

#include "fit/pd-fit-model.h"

/**
 * pd_fit_network_check:
 * Returns: %FALSE with @error set if there is no such type, or it needs unmeasured values.
 */
gboolean pd_fit_network_check (const PdFitModel *self, GError **error);

/**
 * pd_fit_network_write:
 * @self: the fitted network; overheads are written
 * @out: the element "network" is appended
 */
void pd_fit_network_write (PdFitModel *self, GString *out);

#endif
