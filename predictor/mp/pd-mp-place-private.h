/* For people.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MP_PLACE_PRIVATE_H
#define PD_MP_PLACE_PRIVATE_H

#include "predictor/mp/pd-mp-state.h"

/* Where a rank is in its program. */
typedef struct
{
  guint64 step; /* see pd_mp_get_step() */
  const PdProgramCell *cell;
  PdLoops loops;
  guint64 number;   /* of the action, from 0 */
  const char *file; /* (nullable): of the last location before it */
  gint64 line;
} PdMpPlace;

/* @step: of an action of the rank, or its end */
PdMpPlace pd_mp_find_place (const PdMp *self, guint32 rank, guint64 step);
/* @place, of that rank, becomes that of @step, which is not before it. */
void pd_mp_place_go_on (const PdMp *self, PdMpPlace *place, guint32 rank, guint64 step);

#endif
