/* GOAL schedules: the text and the binary form of LogGOPSim, read into and
 * written from a PdGraph. What is accepted is in man/predictor-goal.5.
 * SPDX-License-Identifier: MIT */
#ifndef PD_GOAL_FILES_H
#define PD_GOAL_FILES_H

#include "traces/graph/pd-graph.h"
#include "traces/io/pd-input.h"
#include "traces/io/pd-output.h"

/* What a binary file begins with, as a little-endian number of 64 bits. */
#define PD_GOAL_MAGIC         4223
#define PD_GOAL_MAGIC_INVALID 2342 /* LogGOPSim has used it up */

#endif
