/* The MPI functions whose regions an OTF2 archive may have.
 * SPDX-License-Identifier: MIT */
#include "traces/otf2/pd-otf2-private.h"
#include "traces/otf2/pd-otf2-calls-private.h"

#include <string.h>

/* In the order of strcmp(). */
static const PdOtf2Call calls[] = {
  { "MPI_Accumulate", PD_OTF2_WIN, PD_ACT_ACCUMULATE, 0 },
  { "MPI_Allgather", PD_OTF2_COLL, 0, PD_COLL_ALLGATHER },
  { "MPI_Allgatherv", PD_OTF2_COLL, 0, PD_COLL_ALLGATHERV },
  { "MPI_Allreduce", PD_OTF2_COLL, 0, PD_COLL_ALLREDUCE },
  { "MPI_Alltoall", PD_OTF2_COLL, 0, PD_COLL_ALLTOALL },
  { "MPI_Alltoallv", PD_OTF2_COLL, 0, PD_COLL_ALLTOALLV },
  { "MPI_Alltoallw", PD_OTF2_COLL, 0, PD_COLL_ALLTOALLW },
  { "MPI_Barrier", PD_OTF2_COLL, 0, PD_COLL_BARRIER },
  { "MPI_Bcast", PD_OTF2_COLL, 0, PD_COLL_BCAST },
  { "MPI_Bsend", PD_OTF2_P2P, PD_ACT_BSEND, 0 },
  { "MPI_Cancel", PD_OTF2_LOCAL, 0, 0 },
  { "MPI_Cart_create", PD_OTF2_COLL, 0, PD_COLL_CART_CREATE },
  { "MPI_Cart_sub", PD_OTF2_COLL, 0, PD_COLL_CART_SUB },
  { "MPI_Comm_create", PD_OTF2_COLL, 0, PD_COLL_COMM_CREATE },
  { "MPI_Comm_dup", PD_OTF2_COLL, 0, PD_COLL_COMM_DUP },
  { "MPI_Comm_dup_with_info", PD_OTF2_COLL, 0, PD_COLL_COMM_DUP },
  { "MPI_Comm_free", PD_OTF2_LOCAL, 0, 0 },
  { "MPI_Comm_idup", PD_OTF2_COLL, 0, PD_COLL_COMM_DUP },
  { "MPI_Comm_idup_with_info", PD_OTF2_COLL, 0, PD_COLL_COMM_DUP },
  { "MPI_Comm_split", PD_OTF2_COLL, 0, PD_COLL_COMM_SPLIT },
  { "MPI_Comm_split_type", PD_OTF2_COLL, 0, PD_COLL_COMM_SPLIT_TYPE },
  { "MPI_Compare_and_swap", PD_OTF2_WIN, PD_ACT_GET_ACCUMULATE, 0 },
  { "MPI_Dist_graph_create", PD_OTF2_COLL, 0, PD_COLL_DIST_GRAPH_CREATE },
  { "MPI_Dist_graph_create_adjacent", PD_OTF2_COLL, 0, PD_COLL_DIST_GRAPH_CREATE },
  { "MPI_Exscan", PD_OTF2_COLL, 0, PD_COLL_EXSCAN },
  { "MPI_Fetch_and_op", PD_OTF2_WIN, PD_ACT_GET_ACCUMULATE, 0 },
  { "MPI_Finalize", PD_OTF2_END, 0, 0 },
  { "MPI_Gather", PD_OTF2_COLL, 0, PD_COLL_GATHER },
  { "MPI_Gatherv", PD_OTF2_COLL, 0, PD_COLL_GATHERV },
  { "MPI_Get", PD_OTF2_WIN, PD_ACT_GET, 0 },
  { "MPI_Get_accumulate", PD_OTF2_WIN, PD_ACT_GET_ACCUMULATE, 0 },
  { "MPI_Graph_create", PD_OTF2_COLL, 0, PD_COLL_GRAPH_CREATE },
  { "MPI_Iallgather", PD_OTF2_COLL, 0, PD_COLL_ALLGATHER },
  { "MPI_Iallgatherv", PD_OTF2_COLL, 0, PD_COLL_ALLGATHERV },
  { "MPI_Iallreduce", PD_OTF2_COLL, 0, PD_COLL_ALLREDUCE },
  { "MPI_Ialltoall", PD_OTF2_COLL, 0, PD_COLL_ALLTOALL },
  { "MPI_Ialltoallv", PD_OTF2_COLL, 0, PD_COLL_ALLTOALLV },
  { "MPI_Ialltoallw", PD_OTF2_COLL, 0, PD_COLL_ALLTOALLW },
  { "MPI_Ibarrier", PD_OTF2_COLL, 0, PD_COLL_BARRIER },
  { "MPI_Ibcast", PD_OTF2_COLL, 0, PD_COLL_BCAST },
  { "MPI_Ibsend", PD_OTF2_P2P, PD_ACT_IBSEND, 0 },
  { "MPI_Iexscan", PD_OTF2_COLL, 0, PD_COLL_EXSCAN },
  { "MPI_Igather", PD_OTF2_COLL, 0, PD_COLL_GATHER },
  { "MPI_Igatherv", PD_OTF2_COLL, 0, PD_COLL_GATHERV },
  { "MPI_Improbe", PD_OTF2_SKIP, 0, 0 },
  { "MPI_Imrecv", PD_OTF2_P2P, PD_ACT_IRECV, 0 },
  { "MPI_Ineighbor_allgather", PD_OTF2_COLL, 0, PD_COLL_NEIGHBOR_ALLGATHER },
  { "MPI_Ineighbor_allgatherv", PD_OTF2_COLL, 0, PD_COLL_NEIGHBOR_ALLGATHERV },
  { "MPI_Ineighbor_alltoall", PD_OTF2_COLL, 0, PD_COLL_NEIGHBOR_ALLTOALL },
  { "MPI_Ineighbor_alltoallv", PD_OTF2_COLL, 0, PD_COLL_NEIGHBOR_ALLTOALLV },
  { "MPI_Ineighbor_alltoallw", PD_OTF2_COLL, 0, PD_COLL_NEIGHBOR_ALLTOALLW },
  { "MPI_Init", PD_OTF2_START, 0, 0 },
  { "MPI_Init_thread", PD_OTF2_START, 0, 0 },
  { "MPI_Intercomm_create", PD_OTF2_COLL, 0, PD_COLL_INTERCOMM_CREATE },
  { "MPI_Intercomm_merge", PD_OTF2_COLL, 0, PD_COLL_INTERCOMM_MERGE },
  { "MPI_Iprobe", PD_OTF2_SKIP, 0, 0 },
  { "MPI_Irecv", PD_OTF2_P2P, PD_ACT_IRECV, 0 },
  { "MPI_Ireduce", PD_OTF2_COLL, 0, PD_COLL_REDUCE },
  { "MPI_Ireduce_scatter", PD_OTF2_COLL, 0, PD_COLL_REDUCE_SCATTER },
  { "MPI_Ireduce_scatter_block", PD_OTF2_COLL, 0, PD_COLL_REDUCE_SCATTER_BLOCK },
  { "MPI_Irsend", PD_OTF2_P2P, PD_ACT_IRSEND, 0 },
  { "MPI_Iscan", PD_OTF2_COLL, 0, PD_COLL_SCAN },
  { "MPI_Iscatter", PD_OTF2_COLL, 0, PD_COLL_SCATTER },
  { "MPI_Iscatterv", PD_OTF2_COLL, 0, PD_COLL_SCATTERV },
  { "MPI_Isend", PD_OTF2_P2P, PD_ACT_ISEND, 0 },
  { "MPI_Isendrecv", PD_OTF2_P2P, PD_ACT_ISEND, 0 },
  { "MPI_Isendrecv_replace", PD_OTF2_P2P, PD_ACT_ISEND, 0 },
  { "MPI_Issend", PD_OTF2_P2P, PD_ACT_ISSEND, 0 },
  { "MPI_Mprobe", PD_OTF2_SKIP, 0, 0 },
  { "MPI_Mrecv", PD_OTF2_P2P, PD_ACT_RECV, 0 },
  { "MPI_Neighbor_allgather", PD_OTF2_COLL, 0, PD_COLL_NEIGHBOR_ALLGATHER },
  { "MPI_Neighbor_allgatherv", PD_OTF2_COLL, 0, PD_COLL_NEIGHBOR_ALLGATHERV },
  { "MPI_Neighbor_alltoall", PD_OTF2_COLL, 0, PD_COLL_NEIGHBOR_ALLTOALL },
  { "MPI_Neighbor_alltoallv", PD_OTF2_COLL, 0, PD_COLL_NEIGHBOR_ALLTOALLV },
  { "MPI_Neighbor_alltoallw", PD_OTF2_COLL, 0, PD_COLL_NEIGHBOR_ALLTOALLW },
  { "MPI_Pcontrol", PD_OTF2_CONTROL, 0, 0 },
  { "MPI_Probe", PD_OTF2_SKIP, 0, 0 },
  { "MPI_Put", PD_OTF2_WIN, PD_ACT_PUT, 0 },
  { "MPI_Raccumulate", PD_OTF2_WIN, PD_ACT_RACCUMULATE, 0 },
  { "MPI_Recv", PD_OTF2_P2P, PD_ACT_RECV, 0 },
  { "MPI_Reduce", PD_OTF2_COLL, 0, PD_COLL_REDUCE },
  { "MPI_Reduce_scatter", PD_OTF2_COLL, 0, PD_COLL_REDUCE_SCATTER },
  { "MPI_Reduce_scatter_block", PD_OTF2_COLL, 0, PD_COLL_REDUCE_SCATTER_BLOCK },
  { "MPI_Rget", PD_OTF2_WIN, PD_ACT_RGET, 0 },
  { "MPI_Rget_accumulate", PD_OTF2_WIN, PD_ACT_RGET_ACCUMULATE, 0 },
  { "MPI_Rput", PD_OTF2_WIN, PD_ACT_RPUT, 0 },
  { "MPI_Rsend", PD_OTF2_P2P, PD_ACT_RSEND, 0 },
  { "MPI_Scan", PD_OTF2_COLL, 0, PD_COLL_SCAN },
  { "MPI_Scatter", PD_OTF2_COLL, 0, PD_COLL_SCATTER },
  { "MPI_Scatterv", PD_OTF2_COLL, 0, PD_COLL_SCATTERV },
  { "MPI_Send", PD_OTF2_P2P, PD_ACT_SEND, 0 },
  { "MPI_Sendrecv", PD_OTF2_P2P, PD_ACT_SENDRECV, 0 },
  { "MPI_Sendrecv_replace", PD_OTF2_P2P, PD_ACT_SENDRECV, 0 },
  { "MPI_Ssend", PD_OTF2_P2P, PD_ACT_SSEND, 0 },
  { "MPI_Start", PD_OTF2_P2P, PD_ACT_ISEND, 0 },
  { "MPI_Startall", PD_OTF2_P2P, PD_ACT_ISEND, 0 },
  { "MPI_Test", PD_OTF2_WAIT, PD_ACT_TEST, 0 },
  { "MPI_Testall", PD_OTF2_WAIT, PD_ACT_TESTALL, 0 },
  { "MPI_Testany", PD_OTF2_WAIT, PD_ACT_TESTANY, 0 },
  { "MPI_Testsome", PD_OTF2_WAIT, PD_ACT_TESTSOME, 0 },
  { "MPI_Wait", PD_OTF2_WAIT, PD_ACT_WAIT, 0 },
  { "MPI_Waitall", PD_OTF2_WAIT, PD_ACT_WAITALL, 0 },
  { "MPI_Waitany", PD_OTF2_WAIT, PD_ACT_WAITANY, 0 },
  { "MPI_Waitsome", PD_OTF2_WAIT, PD_ACT_WAITSOME, 0 },
  { "MPI_Win_allocate", PD_OTF2_COLL, 0, PD_COLL_WIN_CREATE },
  { "MPI_Win_allocate_shared", PD_OTF2_COLL, 0, PD_COLL_WIN_CREATE },
  { "MPI_Win_complete", PD_OTF2_WIN, PD_ACT_WIN_COMPLETE, 0 },
  { "MPI_Win_create", PD_OTF2_COLL, 0, PD_COLL_WIN_CREATE },
  { "MPI_Win_create_dynamic", PD_OTF2_COLL, 0, PD_COLL_WIN_CREATE },
  { "MPI_Win_fence", PD_OTF2_WIN, PD_ACT_WIN_FENCE, 0 },
  { "MPI_Win_flush", PD_OTF2_WIN, PD_ACT_WIN_FLUSH, 0 },
  { "MPI_Win_flush_all", PD_OTF2_WIN, PD_ACT_WIN_FLUSH, 0 },
  { "MPI_Win_flush_local", PD_OTF2_WIN, PD_ACT_WIN_FLUSH, 0 },
  { "MPI_Win_flush_local_all", PD_OTF2_WIN, PD_ACT_WIN_FLUSH, 0 },
  { "MPI_Win_free", PD_OTF2_COLL, 0, PD_COLL_WIN_FREE },
  { "MPI_Win_lock", PD_OTF2_WIN, PD_ACT_WIN_LOCK, 0 },
  { "MPI_Win_lock_all", PD_OTF2_WIN, PD_ACT_WIN_LOCK, 0 },
  { "MPI_Win_post", PD_OTF2_WIN, PD_ACT_WIN_POST, 0 },
  { "MPI_Win_start", PD_OTF2_WIN, PD_ACT_WIN_START, 0 },
  { "MPI_Win_test", PD_OTF2_WAIT, PD_ACT_WIN_WAIT, 0 },
  { "MPI_Win_unlock", PD_OTF2_WIN, PD_ACT_WIN_UNLOCK, 0 },
  { "MPI_Win_unlock_all", PD_OTF2_WIN, PD_ACT_WIN_UNLOCK, 0 },
  { "MPI_Win_wait", PD_OTF2_WIN, PD_ACT_WIN_WAIT, 0 },
};

/* Beginnings of the names of functions that only ask or describe, or whose effect is
 * told elsewhere. */
static const char *const local[] = {
  "MPI_Address",      "MPI_Alloc_mem",
  "MPI_Attr",         "MPI_Buffer",
  "MPI_Cancel",       "MPI_Cart_",
  "MPI_Cartdim_",     "MPI_Comm_",
  "MPI_Dims_create",  "MPI_Dist_graph_neighbors",
  "MPI_Errhandler",   "MPI_Error",
  "MPI_Finalized",    "MPI_Free_mem",
  "MPI_Get_",         "MPI_Graph_",
  "MPI_Graphdims_",   "MPI_Group_",
  "MPI_Info_",        "MPI_Initialized",
  "MPI_Is_thread",    "MPI_Keyval",
  "MPI_Op_",          "MPI_Pack",
  "MPI_Query_thread", "MPI_Request_",
  "MPI_Request_free", "MPI_Request_get",
  "MPI_Status_",      "MPI_Test_cancelled",
  "MPI_Topo_test",    "MPI_Type_",
  "MPI_Unpack",       "MPI_Wtick",
  "MPI_Wtime",        NULL,
};

static const PdCollKind kinds[] = {
  [OTF2_COLLECTIVE_OP_BARRIER] = PD_COLL_BARRIER,
  [OTF2_COLLECTIVE_OP_BCAST] = PD_COLL_BCAST,
  [OTF2_COLLECTIVE_OP_GATHER] = PD_COLL_GATHER,
  [OTF2_COLLECTIVE_OP_GATHERV] = PD_COLL_GATHERV,
  [OTF2_COLLECTIVE_OP_SCATTER] = PD_COLL_SCATTER,
  [OTF2_COLLECTIVE_OP_SCATTERV] = PD_COLL_SCATTERV,
  [OTF2_COLLECTIVE_OP_ALLGATHER] = PD_COLL_ALLGATHER,
  [OTF2_COLLECTIVE_OP_ALLGATHERV] = PD_COLL_ALLGATHERV,
  [OTF2_COLLECTIVE_OP_ALLTOALL] = PD_COLL_ALLTOALL,
  [OTF2_COLLECTIVE_OP_ALLTOALLV] = PD_COLL_ALLTOALLV,
  [OTF2_COLLECTIVE_OP_ALLTOALLW] = PD_COLL_ALLTOALLW,
  [OTF2_COLLECTIVE_OP_ALLREDUCE] = PD_COLL_ALLREDUCE,
  [OTF2_COLLECTIVE_OP_REDUCE] = PD_COLL_REDUCE,
  [OTF2_COLLECTIVE_OP_REDUCE_SCATTER] = PD_COLL_REDUCE_SCATTER,
  [OTF2_COLLECTIVE_OP_SCAN] = PD_COLL_SCAN,
  [OTF2_COLLECTIVE_OP_EXSCAN] = PD_COLL_EXSCAN,
  [OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK] = PD_COLL_REDUCE_SCATTER_BLOCK,
};

static const PdOtf2Call local_call = { "", PD_OTF2_LOCAL, 0, 0 };
static const PdOtf2Call other_call = { "", PD_OTF2_OTHER, 0, 0 };

static int
compare_names (const void *name, const void *call)
{
  return strcmp (name, ((const PdOtf2Call *) call)->name);
}

const PdOtf2Call *
pd_otf2_call_find (const char *name)
{
  const PdOtf2Call *call =
      bsearch (name, calls, G_N_ELEMENTS (calls), sizeof *calls, compare_names);

  if (call != NULL)
    return call;
  for (guint i = 0; local[i] != NULL; i++)
    if (g_str_has_prefix (name, local[i]))
      return &local_call;
  return g_str_has_suffix (name, "_init") ? &local_call : &other_call; /* what MPI_Start begins */
}

PdCollKind
pd_otf2_coll_of_op (OTF2_CollectiveOp op)
{
  return op < G_N_ELEMENTS (kinds) ? kinds[op] : PD_COLL_BARRIER;
}
