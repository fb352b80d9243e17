/* The choices of Open MPI: the fixed decisions of its component coll/tuned, of the
 * releases 4.1.0 to 5.0.9 (ompi/mca/coll/tuned/coll_tuned_decision_fixed.c; the two were
 * compared). Rows: ranks from, to; bytes up to; condition; algorithm; segment. In those
 * decisions no algorithm has segments, the k-nomial tree has radix 4, chains are 4
 * (coll_tuned_bcast_decision.c). Scan, Exscan, Gatherv, Scatterv and Alltoallw are those
 * of coll/basic. Some algorithms give way to another where a vector has fewer elements
 * than there are ranks, or than the power of two below (coll_base_allreduce.c,
 * coll_base_reduce.c): elements of 8 bytes are assumed. Differences: hierarchical
 * components (coll/han, coll/sm) are not modelled; the parts of "reduce-bcast" and
 * "gather-bcast" are binomial trees. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_COLL_OPENMPI4_PRIVATE_H
#define PD_COLL_OPENMPI4_PRIVATE_H

#include "comsys/coll/pd-coll-schedule.h"

extern const PdCollectiveTable pd_collectives_openmpi4;

#endif
