/* Times of a recorded run that are in none of its totals: in MPI_Init and MPI_Finalize, and
 * while recording paused.
 * SPDX-License-Identifier: MIT */
#ifndef PD_OUTSIDE_H
#define PD_OUTSIDE_H

#include "intervals/pd-interval.h"
#include "traces/program/pd-program.h"

typedef enum
{
  PD_OUTSIDE_INIT,
  PD_OUTSIDE_FINALIZE,
  PD_OUTSIDE_PAUSED,
  PD_N_OUTSIDE,
} PdOutsideKind;

/* Over all ranks. */
typedef struct
{
  PdSummary times[PD_N_OUTSIDE];
} PdOutside;

/**
 * pd_outside_new:
 * @program: read with recorded times
 *
 * Returns: (transfer full) (nullable): its times outside; %NULL if there are none; g_free() it.
 */
PdOutside *pd_outside_new (const PdProgram *program);

/**
 * pd_outside_name:
 * Returns: "MPI_Init": its name for people; static.
 */
const char *pd_outside_name (PdOutsideKind kind);

#endif
