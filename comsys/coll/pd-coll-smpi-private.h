/* What SMPI chooses when it is not told otherwise: the selector "default" of SimGrid
 * 3.32 to 4.1 (src/smpi/colls/smpi_default_selector.cpp and, of Alltoall,
 * smpi_openmpi_selector.cpp, of Reduce_scatter with unequal blocks,
 * smpi_mpich_selector.cpp). Rows: ranks from, to; bytes up to; condition; algorithm;
 * segment. Where SMPI's own pairwise exchange gives up, with ranks that are no power of
 * two, pairs are those of the shift. The limit of Reduce_scatter is one of elements: of
 * 8 bytes here. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_COLL_SMPI_PRIVATE_H
#define PD_COLL_SMPI_PRIVATE_H

#include "comsys/coll/pd-coll-schedule.h"

extern const PdCollectiveTable pd_collectives_smpi;

#endif
