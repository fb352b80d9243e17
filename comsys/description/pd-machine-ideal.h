/* The machine that a program would like to have.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MACHINE_IDEAL_H
#define PD_MACHINE_IDEAL_H

#include "comsys/machine/pd-machine.h"

G_BEGIN_DECLS

/**
 * pd_machine_make_ideal:
 * @self: a machine that nobody uses yet
 *
 * Takes away whatever communication costs: latency, overhead, bandwidth, contention, the
 * library's work on messages. Processors, noise, protocols and the collectives' algorithms
 * stay, so it still matters who waits for whom.
 */
void pd_machine_make_ideal (PdMachine *self);

G_END_DECLS

#endif
