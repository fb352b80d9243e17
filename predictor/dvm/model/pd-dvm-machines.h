/* Abstract machines: where they are mapped, and which the program has named.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_MACHINES_H
#define PD_DVM_MACHINES_H

#include "predictor/dvm/model/pd-dvm-state.h"

/**
 * pd_dvm_am_new:
 * @team: (nullable): where it is mapped
 *
 * Returns: (transfer full): a machine that is no element of a template.
 */
PdAm *pd_dvm_am_new (PdTeam *team);

/**
 * pd_dvm_map_am:
 * Stores the next version of @old, mapped on @team.
 *
 * Returns: (transfer none): that version.
 */
const PdAm *pd_dvm_map_am (PdDvm *self, gint64 id, const PdAm *old, PdTeam *team);

/**
 * pd_dvm_need_am:
 * Returns: (transfer none) (nullable): the abstract machine with that reference,
 *   mapped where the distribution of its template says so; %NULL with @error set if
 *   there is none.
 */
const PdAm *pd_dvm_need_am (PdDvm *self, gint64 id, GError **error);

/**
 * pd_dvm_machines_new:
 * Returns: (transfer full): a table of abstract machines by the template that they are
 *   elements of.
 */
GHashTable *pd_dvm_machines_new (void);

/**
 * pd_dvm_machines_note:
 * @serial: of the template
 *
 * Notes that the machine @id is an element of the template @view_id.
 */
void pd_dvm_machines_note (PdDvm *self, gint64 view_id, guint64 serial, gint64 id);

/**
 * pd_dvm_machines_get:
 * Returns: (nullable) (element-type gint64): the noted machines of a template.
 */
const GArray *pd_dvm_machines_get (const PdDvm *self, gint64 view_id, guint64 serial);

#endif
