/* The element "noise" of a machine description.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MACHINE_NOISE_H
#define PD_MACHINE_NOISE_H

#include "comsys/machine/pd-machine.h"

G_BEGIN_DECLS

/**
 * pd_machine_noise_describe:
 * Returns: (transfer full): "normal, sigma 0.05 of the time", for people;
 *   "none".
 */
char *pd_machine_noise_describe (const PdMachineNoise *noise);

G_END_DECLS

#endif
