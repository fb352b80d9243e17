/* The algorithms of collective operations, by operation.
 * SPDX-License-Identifier: MIT */
#include "comsys/pd-coll-tools-private.h"

#define PARTS(...) .parts = { __VA_ARGS__ }

const PdAlgorithm pd_algorithms[] = {
  { PD_OP_BARRIER, "hypercube", PARTS (pd_coll_barrier_fold) },
  { PD_OP_BARRIER, "recursive-doubling", PARTS (pd_coll_barrier_fold) },

  { PD_OP_BCAST, "binomial", PARTS (pd_coll_bcast_binomial) },

  { PD_OP_REDUCE, "binomial", PARTS (pd_coll_reduce_binomial) },

  { PD_OP_ALLREDUCE, "reduce-bcast", PARTS (pd_coll_reduce_binomial, pd_coll_bcast_binomial) },
  { PD_OP_ALLREDUCE, "recursive-doubling", PARTS (pd_coll_allreduce_doubling) },

  { PD_OP_GATHER, "linear", PARTS (pd_coll_gather_linear) },
  { PD_OP_GATHERV, "linear", PARTS (pd_coll_gather_linear) },
  { PD_OP_SCATTER, "linear", PARTS (pd_coll_scatter_linear) },
  { PD_OP_SCATTERV, "linear", PARTS (pd_coll_scatter_linear) },

  { PD_OP_ALLGATHER, "ring", PARTS (pd_coll_allgather_ring) },
  { PD_OP_ALLGATHERV, "ring", PARTS (pd_coll_allgather_ring) },

  { PD_OP_ALLTOALL, "linear", PARTS (pd_coll_alltoall_linear) },
  { PD_OP_ALLTOALL, "pairwise", PARTS (pd_coll_alltoall_pairwise) },
  { PD_OP_ALLTOALL, "shift", PARTS (pd_coll_alltoall_shift) },
  { PD_OP_ALLTOALLV, "linear", PARTS (pd_coll_alltoall_linear) },
  { PD_OP_ALLTOALLV, "pairwise", PARTS (pd_coll_alltoall_pairwise) },
  { PD_OP_ALLTOALLV, "shift", PARTS (pd_coll_alltoall_shift) },
  { PD_OP_ALLTOALLW, "linear", PARTS (pd_coll_alltoall_linear) },
  { PD_OP_ALLTOALLW, "pairwise", PARTS (pd_coll_alltoall_pairwise) },
  { PD_OP_ALLTOALLW, "shift", PARTS (pd_coll_alltoall_shift) },

  { PD_OP_SCAN, "chain", PARTS (pd_coll_scan_chain) },
  { PD_OP_EXSCAN, "chain", PARTS (pd_coll_scan_chain) },

  { PD_OP_REDUCE_SCATTER, "reduce-scatter", PARTS (pd_coll_reduce_whole, pd_coll_scatter_result) },
  { PD_OP_REDUCE_SCATTER_BLOCK, "reduce-scatter",
    PARTS (pd_coll_reduce_whole, pd_coll_scatter_result) },

  { PD_OP_NEIGHBOR_ALLGATHER, "linear", PARTS (pd_coll_neighbor) },
  { PD_OP_NEIGHBOR_ALLGATHERV, "linear", PARTS (pd_coll_neighbor) },
  { PD_OP_NEIGHBOR_ALLTOALL, "linear", PARTS (pd_coll_neighbor) },
  { PD_OP_NEIGHBOR_ALLTOALLV, "linear", PARTS (pd_coll_neighbor) },
  { PD_OP_NEIGHBOR_ALLTOALLW, "linear", PARTS (pd_coll_neighbor) },

  { .name = NULL },
};
