/* What becomes of loops and samples of a builder.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PROGRAM_LOOPS_PRIVATE_H
#define PD_PROGRAM_LOOPS_PRIVATE_H

#include "traces/program/pd-program-private.h"

/* @program gets them. */
void pd_program_builder_give_loops (PdProgramBuilder *self, PdProgram *program);

#endif
