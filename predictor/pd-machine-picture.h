/* What hangs on what in a machine, for the picture in pages.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MACHINE_PICTURE_H
#define PD_MACHINE_PICTURE_H

#include "comsys/pd-machine.h"
#include "reports/pd-report.h"

G_BEGIN_DECLS

/**
 * pd_machine_make_picture:
 * @machine: the machine
 *
 * Returns: (transfer full) (element-type PdReportMachinePart): its networks, nodes and
 *   memories, each behind what it hangs on.
 */
GArray *pd_machine_make_picture (const PdMachine *machine);

G_END_DECLS

#endif
