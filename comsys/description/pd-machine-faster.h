/* A machine with faster networks or processors.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MACHINE_FASTER_H
#define PD_MACHINE_FASTER_H

#include "comsys/machine/pd-machine.h"

G_BEGIN_DECLS

/**
 * pd_machine_hasten_networks:
 * @self: a machine that nobody uses yet
 * @factor: > 0
 *
 * Divides all times of networks and memories by @factor and multiplies their bandwidths by it:
 * parameters, measured tables, the times of the collective set "simple". The software's overheads
 * stay.
 */
void pd_machine_hasten_networks (PdMachine *self, gdouble factor);

/**
 * pd_machine_hasten_processors:
 * @self: a machine that nobody uses yet
 * @factor: > 0
 *
 * Multiplies the speed of all processors by @factor.
 */
void pd_machine_hasten_processors (PdMachine *self, gdouble factor);

G_END_DECLS

#endif
