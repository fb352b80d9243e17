/* What the model of a machine says to a measured point: it is played by ComSys.
 * SPDX-License-Identifier: MIT */
#ifndef PD_POINT_SIMULATE_H
#define PD_POINT_SIMULATE_H

#include "base/pd-time.h"
#include "comsys/machine/pd-machine.h"

G_BEGIN_DECLS

/**
 * pd_point_simulate:
 * @self: what is to be played
 * @machine: on what; has enough processors
 * @time: (out): what it takes there
 * @error: return location for a #PdMachineError
 *
 * Returns: %FALSE with @error set if the machine has too few processors.
 */
gboolean pd_point_simulate (const PdPoint *self, const PdMachine *machine, PdTime *time,
                            GError **error);

G_END_DECLS

#endif
