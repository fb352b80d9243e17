/* The table of collective operations.
 * SPDX-License-Identifier: MIT */
#include "comsys/coll/pd-op-info.h"
#include "comsys/coll/pd-op.h"

#define ROOTED   .rooted = TRUE
#define SENDS    .send_counts = TRUE
#define RECEIVES .recv_counts = TRUE
#define NEARBY   .neighbors = TRUE
#define MEAN     .measure = PD_MEASURE_MEAN
#define UNKNOWN  .measure = PD_MEASURE_NONE

/* The operations that create communicators and windows: the members exchange their colours
 * and keys, and agree upon a new context. */
#define MADE_OF_1(a)    .n_components = 1, .components = { a }
#define MADE_OF_2(a, b) .n_components = 2, .components = { a, b }
#define ALLREDUCE(bytes)                                                                           \
  {                                                                                                \
    PD_OP_ALLREDUCE, bytes                                                                         \
  }
#define ALLGATHER(bytes)                                                                           \
  {                                                                                                \
    PD_OP_ALLGATHER, bytes                                                                         \
  }
#define BARRIER                                                                                    \
  {                                                                                                \
    PD_OP_BARRIER, 0                                                                               \
  }

const PdOpInfo pd_ops[PD_N_OPS] = {
  [PD_OP_BARRIER] = { .name = "barrier", .function = "MPI_Barrier" },
  [PD_OP_BCAST] = { "bcast", "MPI_Bcast", ROOTED },
  [PD_OP_REDUCE] = { "reduce", "MPI_Reduce", ROOTED },
  [PD_OP_ALLREDUCE] = { .name = "allreduce", .function = "MPI_Allreduce" },
  [PD_OP_GATHER] = { "gather", "MPI_Gather", ROOTED },
  [PD_OP_GATHERV] = { "gatherv", "MPI_Gatherv", ROOTED, RECEIVES, UNKNOWN },
  [PD_OP_SCATTER] = { "scatter", "MPI_Scatter", ROOTED },
  [PD_OP_SCATTERV] = { "scatterv", "MPI_Scatterv", ROOTED, SENDS, UNKNOWN },
  [PD_OP_ALLGATHER] = { .name = "allgather", .function = "MPI_Allgather" },
  [PD_OP_ALLGATHERV] = { "allgatherv", "MPI_Allgatherv", RECEIVES, MEAN },
  [PD_OP_ALLTOALL] = { .name = "alltoall", .function = "MPI_Alltoall" },
  [PD_OP_ALLTOALLV] = { "alltoallv", "MPI_Alltoallv", SENDS, RECEIVES, UNKNOWN },
  [PD_OP_ALLTOALLW] = { "alltoallw", "MPI_Alltoallw", SENDS, RECEIVES, UNKNOWN },
  [PD_OP_SCAN] = { .name = "scan", .function = "MPI_Scan" },
  [PD_OP_EXSCAN] = { .name = "exscan", .function = "MPI_Exscan" },
  [PD_OP_REDUCE_SCATTER] = { "reduce-scatter", "MPI_Reduce_scatter", RECEIVES, MEAN },
  [PD_OP_REDUCE_SCATTER_BLOCK] = { .name = "reduce-scatter-block",
                                   .function = "MPI_Reduce_scatter_block" },
  [PD_OP_NEIGHBOR_ALLGATHER] = { "neighbor-allgather", "MPI_Neighbor_allgather", NEARBY, UNKNOWN },
  [PD_OP_NEIGHBOR_ALLGATHERV] = { "neighbor-allgatherv", "MPI_Neighbor_allgatherv", NEARBY,
                                  RECEIVES, UNKNOWN },
  [PD_OP_NEIGHBOR_ALLTOALL] = { "neighbor-alltoall", "MPI_Neighbor_alltoall", NEARBY, UNKNOWN },
  [PD_OP_NEIGHBOR_ALLTOALLV] = { "neighbor-alltoallv", "MPI_Neighbor_alltoallv", NEARBY, SENDS,
                                 RECEIVES, UNKNOWN },
  [PD_OP_NEIGHBOR_ALLTOALLW] = { "neighbor-alltoallw", "MPI_Neighbor_alltoallw", NEARBY, SENDS,
                                 RECEIVES, UNKNOWN },
  [PD_OP_COMM_DUP] = { "comm_dup", "MPI_Comm_dup", MADE_OF_1 (ALLREDUCE (4)) },
  [PD_OP_COMM_CREATE] = { "comm_create", "MPI_Comm_create", MADE_OF_2 (BARRIER, ALLGATHER (4)) },
  [PD_OP_COMM_SPLIT] = { "comm_split", "MPI_Comm_split", MADE_OF_2 (ALLGATHER (8), ALLREDUCE (4)) },
  [PD_OP_COMM_SPLIT_TYPE] = { "comm_split_type", "MPI_Comm_split_type",
                              MADE_OF_2 (ALLGATHER (8), ALLREDUCE (4)) },
  [PD_OP_CART_CREATE] = { "cart_create", "MPI_Cart_create", MADE_OF_1 (ALLREDUCE (4)) },
  [PD_OP_CART_SUB] = { "cart_sub", "MPI_Cart_sub", MADE_OF_2 (ALLGATHER (8), ALLREDUCE (4)) },
  [PD_OP_GRAPH_CREATE] = { "graph_create", "MPI_Graph_create", MADE_OF_1 (ALLREDUCE (4)) },
  [PD_OP_DIST_GRAPH_CREATE] = { "dist_graph_create", "MPI_Dist_graph_create",
                                MADE_OF_1 (ALLREDUCE (4)) },
  [PD_OP_INTERCOMM_CREATE] = { "intercomm_create", "MPI_Intercomm_create",
                               MADE_OF_1 (ALLREDUCE (4)) },
  [PD_OP_INTERCOMM_MERGE] = { "intercomm_merge", "MPI_Intercomm_merge", MADE_OF_1 (ALLREDUCE (4)) },
  [PD_OP_WIN_CREATE] = { "win_create", "MPI_Win_create",
                         MADE_OF_2 (ALLREDUCE (4), ALLGATHER (32)) },
  [PD_OP_WIN_FREE] = { "win_free", "MPI_Win_free", MADE_OF_1 (BARRIER) },
  [PD_OP_WIN_FENCE] = { "win_fence", "MPI_Win_fence", MADE_OF_1 (BARRIER) },
};

const char *
pd_op_get_name (PdOp op)
{
  return pd_ops[op].name;
}
