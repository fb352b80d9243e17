/* GOAL schedules: the text and the binary form of LogGOPSim, read into and
 * written from a PdGraph. man/predictor-goal.5 describes the accepted files.
 * SPDX-License-Identifier: MIT */
#ifndef PD_GOAL_FILES_H
#define PD_GOAL_FILES_H

#include "traces/graph/pd-graph.h"
#include "traces/io/pd-input.h"
#include "traces/io/pd-output.h"

/* The first 8 bytes of a binary file, a little-endian number. */
#define PD_GOAL_MAGIC         4223
#define PD_GOAL_MAGIC_INVALID 2342 /* LogGOPSim has used it up */

#endif
