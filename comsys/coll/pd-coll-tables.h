/* The sets of algorithms: tables that choose among them. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_COLL_TABLES_H
#define PD_COLL_TABLES_H

#include "comsys/coll/pd-coll-schedule.h"

/* The first is the default, and gives what others lack; ends with %NULL. */
extern const PdCollectiveTable *const pd_collective_tables[];

#endif
