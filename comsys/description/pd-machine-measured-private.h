/* Reading "measured", what a description has been fitted to. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MACHINE_MEASURED_PRIVATE_H
#define PD_MACHINE_MEASURED_PRIVATE_H

#include "comsys/description/pd-machine-read.h"

/* @node: (nullable): "measured". */
gboolean pd_machine_read_measured (PdMachineReader *self, PdElement *node, PdMachine *machine);

#endif
