/* Persistent requests, and what else can be done to requests; probes.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MP_PERSISTENT_PRIVATE_H
#define PD_MP_PERSISTENT_PRIVATE_H

#include "predictor/mp/pd-mp-state.h"

gboolean pd_mp_act_persistent (PdMp *self, guint32 rank, PdMpRank *r);
gboolean pd_mp_act_start (PdMp *self, guint32 rank, PdMpRank *r);
gboolean pd_mp_act_request (PdMp *self, guint32 rank, PdMpRank *r);
gboolean pd_mp_act_probe (PdMp *self, guint32 rank, PdMpRank *r);

#endif
