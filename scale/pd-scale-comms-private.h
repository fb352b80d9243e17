/* Communicators of a recording as parts of a grid.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SCALE_COMMS_PRIVATE_H
#define PD_SCALE_COMMS_PRIVATE_H

#include "scale/pd-scale-grid.h"
#include "scale/pd-scale-run.h"

typedef struct
{
  guint masks;       /* a bit for each mask */
  guint32 duplicate; /* how many communicators before it have the same members */
} PdScaleCommKind;

/**
 * pd_scale_comms_find:
 * @grid_kind: less than %PD_SCALE_N_GRIDS
 *
 * Returns: (transfer full) (element-type PdScaleCommKind): of each communicator of the recording.
 */
GArray *pd_scale_comms_find (const PdScaleRun *run, guint grid_kind);

#endif
