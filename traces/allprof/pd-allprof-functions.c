/* The functions of MPI as liballprof writes their arguments: in the order of the
 * C binding, without the request of the result.
 * SPDX-License-Identifier: MIT */
#include "traces/allprof/pd-allprof-private.h"
#include "traces/allprof/pd-allprof-functions-private.h"

#include <string.h>

#define LOCAL(name)                                                                                \
  {                                                                                                \
    name, PD_ALLPROF_LOCAL, NULL, PD_N_ACTS, PD_N_COLLS                                            \
  }
#define SEND(name, action)                                                                         \
  {                                                                                                \
    name, PD_ALLPROF_P2P, "xntpgc", action, PD_N_COLLS                                             \
  }
#define START(name, action)                                                                        \
  {                                                                                                \
    name, PD_ALLPROF_STARTS, "xntpgcq", action, PD_N_COLLS                                         \
  }
#define INIT(name, action)                                                                         \
  {                                                                                                \
    name, PD_ALLPROF_PREPARES, "xntpgcq", action, PD_N_COLLS                                       \
  }
#define WAIT(name, args, action)                                                                   \
  {                                                                                                \
    name, PD_ALLPROF_WAITS, args, action, PD_N_COLLS                                               \
  }
#define TEST(name, args, action)                                                                   \
  {                                                                                                \
    name, PD_ALLPROF_TESTS, args, action, PD_N_COLLS                                               \
  }
#define COLL(name, args, coll)                                                                     \
  {                                                                                                \
    name, PD_ALLPROF_COLL, args, PD_ACT_COLLECTIVE, coll                                           \
  }
#define MAKE(name, args, coll)                                                                     \
  {                                                                                                \
    name, PD_ALLPROF_MAKES, args, PD_ACT_COLLECTIVE, coll                                          \
  }

/* By name, in the order of strcmp(). */
static const PdAllprofFunction functions[] = {
  LOCAL ("MPI_Address"),
  COLL ("MPI_Allgather", "xntxNTc", PD_COLL_ALLGATHER),
  COLL ("MPI_Allgatherv", "xntxUDTc", PD_COLL_ALLGATHERV),
  COLL ("MPI_Allreduce", "xxntxc", PD_COLL_ALLREDUCE),
  COLL ("MPI_Alltoall", "xntxNTc", PD_COLL_ALLTOALL),
  COLL ("MPI_Alltoallv", "xVDtxUDTc", PD_COLL_ALLTOALLV),
  COLL ("MPI_Barrier", "c", PD_COLL_BARRIER),
  COLL ("MPI_Bcast", "xntrc", PD_COLL_BCAST),
  SEND ("MPI_Bsend", PD_ACT_BSEND),
  INIT ("MPI_Bsend_init", PD_ACT_BSEND_INIT),
  LOCAL ("MPI_Buffer_attach"),
  LOCAL ("MPI_Buffer_detach"),
  { "MPI_Cancel", PD_ALLPROF_FREES, "q", PD_ACT_CANCEL, PD_N_COLLS },
  LOCAL ("MPI_Cart_coords"),
  MAKE ("MPI_Cart_create", "cxxxxa", PD_COLL_CART_CREATE),
  LOCAL ("MPI_Cart_get"),
  LOCAL ("MPI_Cart_rank"),
  LOCAL ("MPI_Cart_shift"),
  MAKE ("MPI_Cart_sub", "cxa", PD_COLL_CART_SUB),
  LOCAL ("MPI_Cartdim_get"),
  LOCAL ("MPI_Comm_compare"),
  MAKE ("MPI_Comm_create", "cxa", PD_COLL_COMM_CREATE),
  MAKE ("MPI_Comm_dup", "ca", PD_COLL_COMM_DUP),
  { "MPI_Comm_free", PD_ALLPROF_COMM_FREE, "a", PD_N_ACTS, PD_N_COLLS },
  LOCAL ("MPI_Comm_get_name"),
  LOCAL ("MPI_Comm_group"),
  { "MPI_Comm_rank", PD_ALLPROF_LOCAL, "cx", PD_N_ACTS, PD_N_COLLS },
  LOCAL ("MPI_Comm_set_errhandler"),
  LOCAL ("MPI_Comm_set_name"),
  { "MPI_Comm_size", PD_ALLPROF_LOCAL, "cx", PD_N_ACTS, PD_N_COLLS },
  MAKE ("MPI_Comm_split", "clya", PD_COLL_COMM_SPLIT),
  LOCAL ("MPI_Comm_test_inter"),
  LOCAL ("MPI_Dims_create"),
  LOCAL ("MPI_Errhandler_set"),
  COLL ("MPI_Exscan", "xxntxc", PD_COLL_EXSCAN),
  { "MPI_Finalize", PD_ALLPROF_FINALIZE, NULL, PD_N_ACTS, PD_N_COLLS },
  LOCAL ("MPI_Finalized"),
  COLL ("MPI_Gather", "xntxNTrc", PD_COLL_GATHER),
  COLL ("MPI_Gatherv", "xntxUDTrc", PD_COLL_GATHERV),
  LOCAL ("MPI_Get_address"),
  LOCAL ("MPI_Get_count"),
  LOCAL ("MPI_Get_elements"),
  LOCAL ("MPI_Get_processor_name"),
  LOCAL ("MPI_Get_version"),
  MAKE ("MPI_Graph_create", "cxxxxa", PD_COLL_GRAPH_CREATE),
  LOCAL ("MPI_Group_excl"),
  LOCAL ("MPI_Group_free"),
  LOCAL ("MPI_Group_incl"),
  LOCAL ("MPI_Group_rank"),
  LOCAL ("MPI_Group_size"),
  LOCAL ("MPI_Group_translate_ranks"),
  START ("MPI_Ibsend", PD_ACT_IBSEND),
  { "MPI_Init", PD_ALLPROF_INIT, NULL, PD_N_ACTS, PD_N_COLLS },
  { "MPI_Init_thread", PD_ALLPROF_INIT, NULL, PD_N_ACTS, PD_N_COLLS },
  LOCAL ("MPI_Initialized"),
  { "MPI_Iprobe", PD_ALLPROF_P2P, "pgcxx", PD_ACT_IPROBE, PD_N_COLLS },
  START ("MPI_Irecv", PD_ACT_IRECV),
  START ("MPI_Irsend", PD_ACT_IRSEND),
  START ("MPI_Isend", PD_ACT_ISEND),
  START ("MPI_Issend", PD_ACT_ISSEND),
  LOCAL ("MPI_Op_create"),
  LOCAL ("MPI_Op_free"),
  LOCAL ("MPI_Pack"),
  LOCAL ("MPI_Pack_size"),
  LOCAL ("MPI_Pcontrol"),
  { "MPI_Probe", PD_ALLPROF_P2P, "pgcx", PD_ACT_PROBE, PD_N_COLLS },
  { "MPI_Recv", PD_ALLPROF_P2P, "xntpgcx", PD_ACT_RECV, PD_N_COLLS },
  INIT ("MPI_Recv_init", PD_ACT_RECV_INIT),
  COLL ("MPI_Reduce", "xxntxrc", PD_COLL_REDUCE),
  COLL ("MPI_Reduce_scatter", "xxUTxc", PD_COLL_REDUCE_SCATTER),
  { "MPI_Request_free", PD_ALLPROF_FREES, "q", PD_ACT_REQUEST_FREE, PD_N_COLLS },
  SEND ("MPI_Rsend", PD_ACT_RSEND),
  INIT ("MPI_Rsend_init", PD_ACT_RSEND_INIT),
  COLL ("MPI_Scan", "xxntxc", PD_COLL_SCAN),
  COLL ("MPI_Scatter", "xntxNTrc", PD_COLL_SCATTER),
  COLL ("MPI_Scatterv", "xVDtxNTrc", PD_COLL_SCATTERV),
  SEND ("MPI_Send", PD_ACT_SEND),
  INIT ("MPI_Send_init", PD_ACT_SEND_INIT),
  { "MPI_Sendrecv", PD_ALLPROF_P2P, "xntpgxNTPGcx", PD_ACT_SENDRECV, PD_N_COLLS },
  { "MPI_Sendrecv_replace", PD_ALLPROF_P2P, "xntpgPGcx", PD_ACT_SENDRECV, PD_N_COLLS },
  SEND ("MPI_Ssend", PD_ACT_SSEND),
  INIT ("MPI_Ssend_init", PD_ACT_SSEND_INIT),
  { "MPI_Start", PD_ALLPROF_STARTALL, "q", PD_ACT_START, PD_N_COLLS },
  { "MPI_Startall", PD_ALLPROF_STARTALL, "kq", PD_ACT_START, PD_N_COLLS },
  TEST ("MPI_Test", "qxx", PD_ACT_TEST),
  LOCAL ("MPI_Test_cancelled"),
  TEST ("MPI_Testall", "kqxx", PD_ACT_TESTALL),
  TEST ("MPI_Testany", "kqxxx", PD_ACT_TESTANY),
  TEST ("MPI_Testsome", "kqxxx", PD_ACT_TESTSOME),
  LOCAL ("MPI_Type_commit"),
  LOCAL ("MPI_Type_contiguous"),
  LOCAL ("MPI_Type_extent"),
  LOCAL ("MPI_Type_free"),
  LOCAL ("MPI_Type_hindexed"),
  LOCAL ("MPI_Type_hvector"),
  LOCAL ("MPI_Type_indexed"),
  LOCAL ("MPI_Type_lb"),
  LOCAL ("MPI_Type_size"),
  LOCAL ("MPI_Type_struct"),
  LOCAL ("MPI_Type_ub"),
  LOCAL ("MPI_Type_vector"),
  LOCAL ("MPI_Unpack"),
  WAIT ("MPI_Wait", "qx", PD_ACT_WAIT),
  WAIT ("MPI_Waitall", "kqx", PD_ACT_WAITALL),
  WAIT ("MPI_Waitany", "kqxx", PD_ACT_WAITANY),
  WAIT ("MPI_Waitsome", "kqxxx", PD_ACT_WAITSOME),
  LOCAL ("MPI_Wtick"),
  LOCAL ("MPI_Wtime"),
};

const PdAllprofFunction *
pd_allprof_find (const char *name, gsize length)
{
  gsize low = 0, high = G_N_ELEMENTS (functions);

  while (low < high)
    {
      gsize middle = (low + high) / 2;
      gsize size = strlen (functions[middle].name);
      int order = memcmp (name, functions[middle].name, MIN (length, size));

      if (order == 0 && length == size)
        return &functions[middle];
      if (order == 0)
        order = length > size ? 1 : -1;
      if (order > 0)
        low = middle + 1;
      else
        high = middle;
    }
  return NULL;
}
