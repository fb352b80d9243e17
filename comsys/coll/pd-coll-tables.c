/* The sets of algorithms.
 * SPDX-License-Identifier: MIT */
#include "comsys/coll/pd-coll-tables.h"

#include "comsys/coll/pd-coll-mpich1-table-private.h"
#include "comsys/coll/pd-coll-mpich4-private.h"
#include "comsys/coll/pd-coll-openmpi4-private.h"
#include "comsys/coll/pd-coll-smpi-private.h"

const PdCollectiveTable *const pd_collective_tables[] = {
  &pd_collectives_mpich1,
  &pd_collectives_mpich4,
  &pd_collectives_openmpi4,
  &pd_collectives_smpi,
  NULL,
};
