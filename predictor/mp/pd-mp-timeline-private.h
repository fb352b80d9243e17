/* Where there is one.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MP_TIMELINE_PRIVATE_H
#define PD_MP_TIMELINE_PRIVATE_H

#include "predictor/mp/pd-mp-state.h"

/* The rank has done the action at @cell, and is at its clock; @computed: so much of it, the
 * last, was computation. */
void pd_mp_timeline_action (PdMp *self, guint32 rank, const PdProgramCell *cell, PdTime begin,
                            PdTime computed);
/* All ranks are at their ends. */
void pd_mp_timeline_end (PdMp *self);

#endif
