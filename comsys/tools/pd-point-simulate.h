/* The time of a measured point in the model of a machine, simulated by ComSys.
 * SPDX-License-Identifier: MIT */
#ifndef PD_POINT_SIMULATE_H
#define PD_POINT_SIMULATE_H

#include "base/pd-time.h"
#include "comsys/machine/pd-machine.h"

G_BEGIN_DECLS

/**
 * pd_point_simulate:
 * @self: the point
 * @machine: the machine
 * @time: (out): its time there
 * @error: return location for a #PdMachineError
 *
 * Returns: %FALSE with @error set if the machine has too few processors.
 */
gboolean pd_point_simulate (const PdPoint *self, const PdMachine *machine, PdTime *time,
                            GError **error);

G_END_DECLS

#endif
