/* The choices of the set mpich1: MPICH 1.2.5, as the 2004 thesis describes it; operations that
 * it does not mention have the algorithm nearest in style.
 * SPDX-License-Identifier: MIT */
#include "comsys/coll/pd-coll-schedule.h"
#include "comsys/coll/pd-coll-mpich1-table-private.h"

#define ALWAYS(name)                                                                               \
  {                                                                                                \
    PD_MEASURE_NONE, (const PdAlgorithmRow[]){ { .up_to = G_MAXINT64, .algorithm = name } }, 1     \
  }

const PdCollectiveTable pd_collectives_mpich1 = {
  .name = "mpich1",
  .selections = {
    [PD_OP_BARRIER] = ALWAYS ("hypercube"),
    [PD_OP_BCAST] = ALWAYS ("binomial"),
    [PD_OP_REDUCE] = ALWAYS ("binomial"),
    [PD_OP_ALLREDUCE] = ALWAYS ("reduce-bcast"),
    [PD_OP_GATHER] = ALWAYS ("linear"),
    [PD_OP_GATHERV] = ALWAYS ("linear"),
    [PD_OP_SCATTER] = ALWAYS ("linear"),
    [PD_OP_SCATTERV] = ALWAYS ("linear"),
    [PD_OP_ALLGATHER] = ALWAYS ("ring"),
    [PD_OP_ALLGATHERV] = ALWAYS ("ring"),
    [PD_OP_ALLTOALL] = ALWAYS ("linear"),
    [PD_OP_ALLTOALLV] = ALWAYS ("linear"),
    [PD_OP_ALLTOALLW] = ALWAYS ("linear"),
    [PD_OP_SCAN] = ALWAYS ("chain"),
    [PD_OP_EXSCAN] = ALWAYS ("chain"),
    [PD_OP_REDUCE_SCATTER] = ALWAYS ("reduce-scatter"),
    [PD_OP_REDUCE_SCATTER_BLOCK] = ALWAYS ("reduce-scatter"),
    [PD_OP_NEIGHBOR_ALLGATHER] = ALWAYS ("linear"),
    [PD_OP_NEIGHBOR_ALLGATHERV] = ALWAYS ("linear"),
    [PD_OP_NEIGHBOR_ALLTOALL] = ALWAYS ("linear"),
    [PD_OP_NEIGHBOR_ALLTOALLV] = ALWAYS ("linear"),
    [PD_OP_NEIGHBOR_ALLTOALLW] = ALWAYS ("linear"),
  },
};
