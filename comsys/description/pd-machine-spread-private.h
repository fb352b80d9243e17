/* The elements "spread" of a machine description: which of its values are uncertain.
 * Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MACHINE_SPREAD_PRIVATE_H
#define PD_MACHINE_SPREAD_PRIVATE_H

#include "comsys/description/pd-machine-read.h"

/* All elements "spread" of @root; their paths are tried. */
gboolean pd_machine_read_spreads (PdMachineReader *self, PdElement *root, PdMachine *machine);

#endif
