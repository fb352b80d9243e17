/* Changes that a programmer could make to a DVM program, made to its trace: calls are interpreted
 * by other handlers, which hold back or move what the program does. A change is a #PdDvmChange of
 * PdDvmOptions; without one nothing differs.
 * SPDX-License-Identifier: MIT */
#ifndef PD_DVM_CHANGE_H
#define PD_DVM_CHANGE_H

#include "predictor/common/pd-dvm-options.h"

/**
 * pd_dvm_change_overlap:
 * The wait for an exchange of shadow edges goes into the next parallel loop, between its interior
 * and its edges, as with imlast_.
 */
extern const PdDvmChange pd_dvm_change_overlap;

/**
 * pd_dvm_change_late_waits:
 * The wait for a reduction goes behind the next parallel loop.
 */
extern const PdDvmChange pd_dvm_change_late_waits;

/**
 * pd_dvm_change_merge:
 * Reductions over the same processors without a loop, an exchange or input and output between them
 * become one of all their variables.
 */
extern const PdDvmChange pd_dvm_change_merge;

#endif
