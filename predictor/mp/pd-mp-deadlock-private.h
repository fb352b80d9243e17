/* Deadlocks of programs: the waiting ranks, their operations, and the cycle.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MP_DEADLOCK_PRIVATE_H
#define PD_MP_DEADLOCK_PRIVATE_H

#include "predictor/mp/pd-mp-state.h"

/* Sets PD_SIMULATION_ERROR_DEADLOCK with the table of who waits for what; its last
 * line names a circle of ranks that wait for each other, or whom a rank waits for
 * that has ended. */
void pd_mp_report_deadlock (const PdMp *self, GError **error);

#endif
