/* The hierarchy of a machine, for the picture in pages.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MACHINE_PICTURE_H
#define PD_MACHINE_PICTURE_H

#include "comsys/machine/pd-machine.h"
#include "reports/run/pd-report.h"

/**
 * pd_machine_make_picture:
 * @machine: the machine
 *
 * Returns: (transfer full) (element-type PdReportMachinePart): its networks, nodes and
 *   memories, each behind what it hangs on.
 */
GArray *pd_machine_make_picture (const PdMachine *machine);

#endif
