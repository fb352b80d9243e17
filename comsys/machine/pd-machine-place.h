/* Placement of ranks on processors.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MACHINE_PLACE_H
#define PD_MACHINE_PLACE_H

#include "comsys/machine/pd-machine.h"

G_BEGIN_DECLS

/**
 * pd_machine_place:
 * @self: the machine
 * @map: (nullable): what the machine says, else "block"; "block", "cyclic", "interleaved", "N" per
 * node as "per-node:N", or an explicit list "0,2,4-7" of processors
 * @n_ranks: how many ranks to place
 * @error: return location for %PD_MACHINE_ERROR_MAP or _SIZE
 *
 * Returns: (transfer full) (array length=n_ranks) (nullable): the processor of
 *   each rank, distinct; free with g_free().
 */
guint32 *pd_machine_place (const PdMachine *self, const char *map, guint32 n_ranks, GError **error);

G_END_DECLS

#endif
