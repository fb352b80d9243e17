/* The choices of the set mpich1: MPICH 1.2.5, as the 2004 thesis describes it; operations that
 * it does not mention have the algorithm nearest in style. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_COLL_MPICH1_TABLE_PRIVATE_H
#define PD_COLL_MPICH1_TABLE_PRIVATE_H

#include "comsys/coll/pd-coll-schedule.h"

extern const PdCollectiveTable pd_collectives_mpich1;

#endif
