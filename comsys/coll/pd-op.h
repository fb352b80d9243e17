/* Collective operations and their names.
 * SPDX-License-Identifier: MIT */
#ifndef PD_OP_H
#define PD_OP_H

#include <glib.h>

G_BEGIN_DECLS

/* ---- collective operations: every member of the communicator must call */

typedef enum
{
  PD_OP_BARRIER,
  PD_OP_BCAST,                /* root; bytes = the message */
  PD_OP_REDUCE,               /* root; bytes = the vector */
  PD_OP_ALLREDUCE,            /* bytes = the vector */
  PD_OP_GATHER,               /* root; bytes = one rank's block */
  PD_OP_GATHERV,              /* root; bytes = the caller's block; the root's recv_counts */
  PD_OP_SCATTER,              /* root; bytes = one rank's block */
  PD_OP_SCATTERV,             /* root; bytes = the caller's block; the root's send_counts */
  PD_OP_ALLGATHER,            /* bytes = one rank's block */
  PD_OP_ALLGATHERV,           /* recv_counts: every rank's block */
  PD_OP_ALLTOALL,             /* bytes = the block for one rank */
  PD_OP_ALLTOALLV,            /* send_counts, recv_counts: blocks to and from every rank */
  PD_OP_ALLTOALLW,            /* likewise */
  PD_OP_SCAN,                 /* bytes = the vector */
  PD_OP_EXSCAN,               /* bytes = the vector */
  PD_OP_REDUCE_SCATTER,       /* recv_counts: every rank's block of the result; without
                               * them bytes = one rank's block */
  PD_OP_REDUCE_SCATTER_BLOCK, /* bytes = one rank's block of the result */
  PD_OP_NEIGHBOR_ALLGATHER,   /* sources, targets; bytes = the block, of all the same */
  PD_OP_NEIGHBOR_ALLGATHERV,  /* sources, targets; bytes = the caller's block; recv_counts: one
                               * per source */
  PD_OP_NEIGHBOR_ALLTOALL,    /* sources, targets; bytes = the block for one neighbour */
  PD_OP_NEIGHBOR_ALLTOALLV,   /* sources, targets; send_counts: one per target, recv_counts:
                               * one per source */
  PD_OP_NEIGHBOR_ALLTOALLW,   /* likewise */
  PD_OP_COMM_DUP,             /* what the creation of communicators costs */
  PD_OP_COMM_CREATE,
  PD_OP_COMM_SPLIT,
  PD_OP_COMM_SPLIT_TYPE,
  PD_OP_CART_CREATE,
  PD_OP_CART_SUB,
  PD_OP_GRAPH_CREATE,
  PD_OP_DIST_GRAPH_CREATE,
  PD_OP_INTERCOMM_CREATE,
  PD_OP_INTERCOMM_MERGE,
  PD_OP_WIN_CREATE, /* what the creation of windows costs */
  PD_OP_WIN_FREE,
  PD_OP_WIN_FENCE, /* how a fence ends */
  PD_N_OPS,
} PdOp;

/* No neighbour: MPI_PROC_NULL in lists of neighbours. */
#define PD_NO_NEIGHBOR G_MAXUINT32

/**
 * pd_op_get_name:
 * Returns: "allreduce", …
 */
const char *pd_op_get_name (PdOp op);

G_END_DECLS

#endif
