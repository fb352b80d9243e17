/* The algorithms of collective operations, by operation. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_COLL_ALGORITHMS_H
#define PD_COLL_ALGORITHMS_H

#include "comsys/coll/pd-coll-schedule.h"

/* pd-coll-algorithms.c: ends with one without a name. */
extern const PdAlgorithm pd_algorithms[];

#endif
