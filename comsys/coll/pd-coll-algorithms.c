/* The algorithms of collective operations, by operation.
 * SPDX-License-Identifier: MIT */
#include "comsys/coll/pd-coll-tools.h"
#include "comsys/coll/pd-coll-algorithms.h"
#include "comsys/coll/pd-coll-schedule.h"

#define PARTS(...) .parts = { __VA_ARGS__ }

const PdAlgorithm pd_algorithms[] = {
  { PD_OP_BARRIER, "hypercube", PARTS (pd_coll_barrier_fold) },
  { PD_OP_BARRIER, "recursive-doubling", PARTS (pd_coll_barrier_fold) },
  { PD_OP_BARRIER, "dissemination", PARTS (pd_coll_barrier_dissemination) },
  { PD_OP_BARRIER, "linear", PARTS (pd_coll_barrier_linear) },
  { PD_OP_BARRIER, "tree", PARTS (pd_coll_reduce_binomial, pd_coll_bcast_binomial) },
  { PD_OP_BARRIER, "double-ring", PARTS (pd_coll_barrier_double_ring) },
  { PD_OP_BARRIER, "two-proc", PARTS (pd_coll_barrier_two), PD_FIT_TWO, "recursive-doubling" },

  { PD_OP_BCAST, "binomial", PARTS (pd_coll_bcast_tree_binomial) },
  { PD_OP_BCAST, "binary", PARTS (pd_coll_bcast_binary) },
  { PD_OP_BCAST, "split-binary", PARTS (pd_coll_bcast_split, pd_coll_bcast_join) },
  { PD_OP_BCAST, "chain", PARTS (pd_coll_bcast_chain) },
  { PD_OP_BCAST, "pipeline", PARTS (pd_coll_bcast_pipeline) },
  { PD_OP_BCAST, "knomial", PARTS (pd_coll_bcast_knomial) },
  { PD_OP_BCAST, "linear", PARTS (pd_coll_bcast_linear) },
  { PD_OP_BCAST, "scatter-doubling", PARTS (pd_coll_scatter_binomial, pd_coll_spread_doubling),
    PD_FIT_POWER, "scatter-ring" },
  { PD_OP_BCAST, "scatter-ring", PARTS (pd_coll_scatter_binomial, pd_coll_spread_ring) },

  { PD_OP_REDUCE, "binomial", PARTS (pd_coll_reduce_tree_binomial) },
  { PD_OP_REDUCE, "binary", PARTS (pd_coll_reduce_binary) },
  { PD_OP_REDUCE, "chain", PARTS (pd_coll_reduce_chain) },
  { PD_OP_REDUCE, "pipeline", PARTS (pd_coll_reduce_pipeline) },
  { PD_OP_REDUCE, "in-order-binary", PARTS (pd_coll_reduce_in_order, pd_coll_reduce_hand_over) },
  { PD_OP_REDUCE, "linear", PARTS (pd_coll_reduce_linear) },
  { PD_OP_REDUCE, "gather", PARTS (pd_coll_reduce_gather) },
  { PD_OP_REDUCE, "rabenseifner", PARTS (pd_coll_reduce_rabenseifner) },

  { PD_OP_ALLREDUCE, "reduce-bcast", PARTS (pd_coll_reduce_binomial, pd_coll_bcast_binomial) },
  { PD_OP_ALLREDUCE, "recursive-doubling", PARTS (pd_coll_allreduce_doubling) },
  { PD_OP_ALLREDUCE, "rabenseifner", PARTS (pd_coll_allreduce_rabenseifner) },
  { PD_OP_ALLREDUCE, "ring", PARTS (pd_coll_reduce_ring, pd_coll_spread_ring) },
  { PD_OP_ALLREDUCE, "segmented-ring", PARTS (pd_coll_reduce_ring_segments, pd_coll_spread_ring) },
  { PD_OP_ALLREDUCE, "linear", PARTS (pd_coll_reduce_linear, pd_coll_bcast_linear) },
  { PD_OP_ALLREDUCE, "gather-bcast", PARTS (pd_coll_reduce_gather, pd_coll_bcast_binomial) },

  { PD_OP_GATHER, "linear", PARTS (pd_coll_gather_linear) },
  { PD_OP_GATHER, "linear-blocking", PARTS (pd_coll_gather_blocking) },
  { PD_OP_GATHER, "binomial", PARTS (pd_coll_gather_binomial) },
  { PD_OP_GATHER, "linear-sync", PARTS (pd_coll_gather_sync) },

  { PD_OP_GATHERV, "linear", PARTS (pd_coll_gather_linear) },
  { PD_OP_GATHERV, "linear-blocking", PARTS (pd_coll_gather_blocking) },

  { PD_OP_SCATTER, "linear", PARTS (pd_coll_scatter_linear) },
  { PD_OP_SCATTER, "linear-blocking", PARTS (pd_coll_scatter_blocking) },
  { PD_OP_SCATTER, "binomial", PARTS (pd_coll_scatter_binomial) },

  { PD_OP_SCATTERV, "linear", PARTS (pd_coll_scatter_linear) },
  { PD_OP_SCATTERV, "linear-blocking", PARTS (pd_coll_scatter_blocking) },

  { PD_OP_ALLGATHER, "ring", PARTS (pd_coll_allgather_ring) },
  { PD_OP_ALLGATHER, "recursive-doubling", PARTS (pd_coll_spread_doubling), PD_FIT_POWER, "bruck" },
  { PD_OP_ALLGATHER, "bruck", PARTS (pd_coll_spread_bruck) },
  { PD_OP_ALLGATHER, "neighbor-exchange", PARTS (pd_coll_spread_neighbors), PD_FIT_EVEN, "ring" },
  { PD_OP_ALLGATHER, "two-proc", PARTS (pd_coll_spread_two), PD_FIT_TWO, "ring" },
  { PD_OP_ALLGATHER, "gather-bcast", PARTS (pd_coll_gather_gathered, pd_coll_bcast_gathered) },
  { PD_OP_ALLGATHER, "linear", PARTS (pd_coll_allgather_linear) },

  { PD_OP_ALLGATHERV, "ring", PARTS (pd_coll_allgather_ring) },
  { PD_OP_ALLGATHERV, "recursive-doubling", PARTS (pd_coll_spread_doubling), PD_FIT_POWER,
    "bruck" },
  { PD_OP_ALLGATHERV, "bruck", PARTS (pd_coll_spread_bruck) },
  { PD_OP_ALLGATHERV, "neighbor-exchange", PARTS (pd_coll_spread_neighbors), PD_FIT_EVEN, "ring" },
  { PD_OP_ALLGATHERV, "two-proc", PARTS (pd_coll_spread_two), PD_FIT_TWO, "ring" },
  { PD_OP_ALLGATHERV, "gather-bcast", PARTS (pd_coll_gather_gathered, pd_coll_bcast_gathered) },
  { PD_OP_ALLGATHERV, "linear", PARTS (pd_coll_allgather_linear) },

  { PD_OP_ALLTOALL, "linear", PARTS (pd_coll_alltoall_linear) },
  { PD_OP_ALLTOALL, "pairwise", PARTS (pd_coll_alltoall_pairwise) },
  { PD_OP_ALLTOALL, "shift", PARTS (pd_coll_alltoall_shift) },
  { PD_OP_ALLTOALL, "block", PARTS (pd_coll_alltoall_block) },
  { PD_OP_ALLTOALL, "scattered", PARTS (pd_coll_alltoall_scattered) },
  { PD_OP_ALLTOALL, "bruck", PARTS (pd_coll_alltoall_bruck) },
  { PD_OP_ALLTOALL, "linear-sync", PARTS (pd_coll_alltoall_sync) },
  { PD_OP_ALLTOALL, "two-proc", PARTS (pd_coll_alltoall_shift), PD_FIT_TWO, "shift" },

  { PD_OP_ALLTOALLV, "linear", PARTS (pd_coll_alltoall_linear) },
  { PD_OP_ALLTOALLV, "pairwise", PARTS (pd_coll_alltoall_pairwise) },
  { PD_OP_ALLTOALLV, "shift", PARTS (pd_coll_alltoall_shift) },
  { PD_OP_ALLTOALLV, "block", PARTS (pd_coll_alltoall_block) },
  { PD_OP_ALLTOALLV, "scattered", PARTS (pd_coll_alltoall_scattered) },
  { PD_OP_ALLTOALLV, "linear-sync", PARTS (pd_coll_alltoall_sync) },
  { PD_OP_ALLTOALLV, "two-proc", PARTS (pd_coll_alltoall_shift), PD_FIT_TWO, "shift" },

  { PD_OP_ALLTOALLW, "linear", PARTS (pd_coll_alltoall_linear) },
  { PD_OP_ALLTOALLW, "pairwise", PARTS (pd_coll_alltoall_pairwise) },
  { PD_OP_ALLTOALLW, "shift", PARTS (pd_coll_alltoall_shift) },
  { PD_OP_ALLTOALLW, "block", PARTS (pd_coll_alltoall_block) },
  { PD_OP_ALLTOALLW, "scattered", PARTS (pd_coll_alltoall_scattered) },
  { PD_OP_ALLTOALLW, "linear-sync", PARTS (pd_coll_alltoall_sync) },
  { PD_OP_ALLTOALLW, "two-proc", PARTS (pd_coll_alltoall_shift), PD_FIT_TWO, "shift" },

  { PD_OP_SCAN, "chain", PARTS (pd_coll_scan_chain) },
  { PD_OP_SCAN, "recursive-doubling", PARTS (pd_coll_scan_doubling) },
  { PD_OP_SCAN, "linear", PARTS (pd_coll_scan_linear) },

  { PD_OP_EXSCAN, "chain", PARTS (pd_coll_exscan_chain) },
  { PD_OP_EXSCAN, "recursive-doubling", PARTS (pd_coll_exscan_doubling) },
  { PD_OP_EXSCAN, "linear", PARTS (pd_coll_exscan_linear) },

  { PD_OP_REDUCE_SCATTER, "reduce-scatter", PARTS (pd_coll_reduce_whole, pd_coll_scatter_result) },
  { PD_OP_REDUCE_SCATTER, "recursive-halving", PARTS (pd_coll_reduce_scatter_halving) },
  { PD_OP_REDUCE_SCATTER, "recursive-doubling", PARTS (pd_coll_reduce_scatter_doubling) },
  { PD_OP_REDUCE_SCATTER, "pairwise", PARTS (pd_coll_reduce_scatter_pairwise) },
  { PD_OP_REDUCE_SCATTER, "ring", PARTS (pd_coll_reduce_ring) },
  { PD_OP_REDUCE_SCATTER, "gather-scatter",
    PARTS (pd_coll_reduce_gather_whole, pd_coll_scatter_result) },
  { PD_OP_REDUCE_SCATTER, "butterfly", PARTS (pd_coll_reduce_scatter_butterfly) },

  { PD_OP_REDUCE_SCATTER_BLOCK, "reduce-scatter",
    PARTS (pd_coll_reduce_whole, pd_coll_scatter_result) },
  { PD_OP_REDUCE_SCATTER_BLOCK, "recursive-halving", PARTS (pd_coll_reduce_scatter_halving) },
  { PD_OP_REDUCE_SCATTER_BLOCK, "recursive-doubling", PARTS (pd_coll_reduce_scatter_doubling) },
  { PD_OP_REDUCE_SCATTER_BLOCK, "pairwise", PARTS (pd_coll_reduce_scatter_pairwise) },
  { PD_OP_REDUCE_SCATTER_BLOCK, "ring", PARTS (pd_coll_reduce_ring) },
  { PD_OP_REDUCE_SCATTER_BLOCK, "gather-scatter",
    PARTS (pd_coll_reduce_gather_whole, pd_coll_scatter_result) },
  { PD_OP_REDUCE_SCATTER_BLOCK, "butterfly", PARTS (pd_coll_reduce_scatter_butterfly) },

  { PD_OP_NEIGHBOR_ALLGATHER, "linear", PARTS (pd_coll_neighbor) },

  { PD_OP_NEIGHBOR_ALLGATHERV, "linear", PARTS (pd_coll_neighbor) },

  { PD_OP_NEIGHBOR_ALLTOALL, "linear", PARTS (pd_coll_neighbor) },

  { PD_OP_NEIGHBOR_ALLTOALLV, "linear", PARTS (pd_coll_neighbor) },

  { PD_OP_NEIGHBOR_ALLTOALLW, "linear", PARTS (pd_coll_neighbor) },

  { .name = NULL },
};
