/* The elements "source" of a machine description: where its values come from.
 * Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MACHINE_SOURCE_PRIVATE_H
#define PD_MACHINE_SOURCE_PRIVATE_H

#include "comsys/description/pd-machine-read.h"

/* All elements "source" of @root, whatever their paths are. */
gboolean pd_machine_read_sources (PdMachineReader *self, PdElement *root, PdMachine *machine);

#endif
