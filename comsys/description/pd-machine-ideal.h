/* The machine that a program would like to have.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MACHINE_IDEAL_H
#define PD_MACHINE_IDEAL_H

#include "comsys/machine/pd-machine.h"

G_BEGIN_DECLS

/**
 * pd_machine_make_ideal:
 * @self: a machine that is not in use yet
 *
 * Removes all costs of communication: latency, overhead, bandwidth, contention, the
 * library's work on messages. Processors, noise, protocols and the collectives' algorithms
 * stay, and so do waits of ranks for each other.
 */
void pd_machine_make_ideal (PdMachine *self);

G_END_DECLS

#endif
