/* The element "noise" of a machine description. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MACHINE_NOISE_PRIVATE_H
#define PD_MACHINE_NOISE_PRIVATE_H

#include "comsys/description/pd-machine-read.h"

/* @node: a "noise" whose attributes are known ones; @noise is zero before. */
gboolean pd_machine_read_noise (PdMachineReader *self, PdElement *node, PdMachineNoise *noise);

#endif
