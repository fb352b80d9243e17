/* Communicators of processor systems.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_FAMILIES_H
#define PD_DVM_FAMILIES_H

#include "predictor/dvm/model/pd-dvm-state.h"

/**
 * pd_dvm_get_family:
 * @split: (nullable): by dimension of the grid
 *
 * Returns: (transfer none): the communicators of @team: one, or one per line of the
 *   split dimensions.
 */
PdCommFamily *pd_dvm_get_family (PdDvm *self, PdTeam *team, const gboolean *split);

#endif
