/* Reading "software", what calls cost besides the network. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MACHINE_SOFTWARE_PRIVATE_H
#define PD_MACHINE_SOFTWARE_PRIVATE_H

#include "comsys/description/pd-machine-read.h"

/* @software: (nullable): all defaults. */
gboolean pd_machine_read_software (PdMachineReader *self, PdElement *software, PdMachine *machine);

#endif
