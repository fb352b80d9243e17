/* Collective operations as time-independent traces have them.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TI_WRITE_COLLECTIVE_PRIVATE_H
#define PD_TI_WRITE_COLLECTIVE_PRIVATE_H

#include "traces/ti/pd-ti-write-private.h"

void pd_ti_write_collective (PdTiWriter *self, const PdAction *action, const char *word);

#endif
