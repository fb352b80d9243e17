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

/**
 * pd_machine_noise_is_of_ranks:
 * Returns: whether it disturbs message-passing programs: each rank has its recorded times, so
 *   %PD_NOISE_RECORDED does not.
 */
gboolean pd_machine_noise_is_of_ranks (const PdMachineNoise *noise);

G_END_DECLS

#endif
