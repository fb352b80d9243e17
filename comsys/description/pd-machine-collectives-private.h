/* Reading the element "collectives". Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MACHINE_COLLECTIVES_PRIVATE_H
#define PD_MACHINE_COLLECTIVES_PRIVATE_H

#include "comsys/description/pd-machine-parts.h"
#include "comsys/description/pd-machine-read.h"

/**
 * pd_machine_collective_sets:
 * Returns: (array zero-terminated=1): the sets of collective operations, the default first.
 */
const char *const *pd_machine_collective_sets (void);

/* @node: (nullable): "collectives". */
gboolean pd_machine_read_collectives (PdMachineReader *self, PdElement *node, PdMachine *machine);

#endif
