/* Processor systems: their speed classes, their members.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_TEAMS_H
#define PD_DVM_TEAMS_H

#include "predictor/dvm/model/pd-dvm-state.h"

/**
 * pd_team_new:
 * @grid: (transfer full): its processors
 *
 * Returns: (transfer full): a processor system, whose members are sorted by speed
 *   class.
 */
PdTeam *pd_team_new (PdDvm *self, PdGrid *grid);

/**
 * pd_dvm_need_team:
 * Returns: (transfer none) (nullable): the processor system that @key of the record
 *   names, 0 being the current one; %NULL with @error set if it does not exist.
 */
PdTeam *pd_dvm_need_team (PdDvm *self, PdDvmKey key, GError **error);

/**
 * pd_team_covers:
 * Returns: whether all processors of @part are of @self.
 */
gboolean pd_team_covers (const PdTeam *self, const PdTeam *part);

/**
 * pd_dvm_need_inside:
 * @team: (nullable): processors that do something together
 *
 * Returns: %FALSE with @error set if some of them are not in the current task: they
 *   will not come to it.
 */
gboolean pd_dvm_need_inside (PdDvm *self, const PdTeam *team, GError **error);

#endif
