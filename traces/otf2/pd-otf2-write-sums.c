/* OTF2 archives: a collective operation as its records tell it, see
 * pd-otf2-counts.c.
 * SPDX-License-Identifier: MIT */
#include "traces/otf2/pd-otf2-write-private.h"

/* How the sums of bytes sent or received follow from an operation. */
typedef enum
{
  NOTHING,
  BLOCK,         /* bytes */
  BLOCKS,        /* n times bytes */
  ROOT_ALL,      /* at the root n times bytes, or the sum of the vector; else nothing */
  VECTOR,        /* the sum of the vector */
  BLOCKS_OF_OWN, /* n times the rank's own of recv_counts */
  REST,          /* n - rank times bytes */
  BEFORE,        /* rank + 1 times */
  REST_EX,       /* n - rank - 1 times */
  BEFORE_EX,     /* rank times */
} Sum;

static const struct
{
  gboolean known;
  OTF2_CollectiveOp op;
  Sum sent;
  Sum received;
} sums_of[PD_N_COLLS] = {
  [PD_COLL_BARRIER] = { TRUE, OTF2_COLLECTIVE_OP_BARRIER, NOTHING, NOTHING },
  [PD_COLL_BCAST] = { TRUE, OTF2_COLLECTIVE_OP_BCAST, ROOT_ALL, BLOCK },
  [PD_COLL_REDUCE] = { TRUE, OTF2_COLLECTIVE_OP_REDUCE, BLOCK, ROOT_ALL },
  [PD_COLL_ALLREDUCE] = { TRUE, OTF2_COLLECTIVE_OP_ALLREDUCE, BLOCKS, BLOCKS },
  [PD_COLL_GATHER] = { TRUE, OTF2_COLLECTIVE_OP_GATHER, BLOCK, ROOT_ALL },
  [PD_COLL_GATHERV] = { TRUE, OTF2_COLLECTIVE_OP_GATHERV, BLOCK, ROOT_ALL },
  [PD_COLL_SCATTER] = { TRUE, OTF2_COLLECTIVE_OP_SCATTER, ROOT_ALL, BLOCK },
  [PD_COLL_SCATTERV] = { TRUE, OTF2_COLLECTIVE_OP_SCATTERV, ROOT_ALL, BLOCK },
  [PD_COLL_ALLGATHER] = { TRUE, OTF2_COLLECTIVE_OP_ALLGATHER, BLOCKS, BLOCKS },
  [PD_COLL_ALLGATHERV] = { TRUE, OTF2_COLLECTIVE_OP_ALLGATHERV, BLOCKS_OF_OWN, VECTOR },
  [PD_COLL_ALLTOALL] = { TRUE, OTF2_COLLECTIVE_OP_ALLTOALL, BLOCKS, BLOCKS },
  [PD_COLL_ALLTOALLV] = { TRUE, OTF2_COLLECTIVE_OP_ALLTOALLV, VECTOR, VECTOR },
  [PD_COLL_ALLTOALLW] = { TRUE, OTF2_COLLECTIVE_OP_ALLTOALLW, VECTOR, VECTOR },
  [PD_COLL_SCAN] = { TRUE, OTF2_COLLECTIVE_OP_SCAN, REST, BEFORE },
  [PD_COLL_EXSCAN] = { TRUE, OTF2_COLLECTIVE_OP_EXSCAN, REST_EX, BEFORE_EX },
  [PD_COLL_REDUCE_SCATTER] = { TRUE, OTF2_COLLECTIVE_OP_REDUCE_SCATTER, VECTOR, BLOCKS_OF_OWN },
  [PD_COLL_REDUCE_SCATTER_BLOCK] = { TRUE, OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK, BLOCKS,
                                     BLOCKS },
  [PD_COLL_COMM_DUP] = { TRUE, OTF2_COLLECTIVE_OP_CREATE_HANDLE, NOTHING, NOTHING },
  [PD_COLL_COMM_CREATE] = { TRUE, OTF2_COLLECTIVE_OP_CREATE_HANDLE, NOTHING, NOTHING },
  [PD_COLL_COMM_SPLIT] = { TRUE, OTF2_COLLECTIVE_OP_CREATE_HANDLE, NOTHING, NOTHING },
  [PD_COLL_COMM_SPLIT_TYPE] = { TRUE, OTF2_COLLECTIVE_OP_CREATE_HANDLE, NOTHING, NOTHING },
  [PD_COLL_CART_CREATE] = { TRUE, OTF2_COLLECTIVE_OP_CREATE_HANDLE, NOTHING, NOTHING },
  [PD_COLL_CART_SUB] = { TRUE, OTF2_COLLECTIVE_OP_CREATE_HANDLE, NOTHING, NOTHING },
  [PD_COLL_GRAPH_CREATE] = { TRUE, OTF2_COLLECTIVE_OP_CREATE_HANDLE, NOTHING, NOTHING },
  [PD_COLL_DIST_GRAPH_CREATE] = { TRUE, OTF2_COLLECTIVE_OP_CREATE_HANDLE, NOTHING, NOTHING },
  [PD_COLL_INTERCOMM_CREATE] = { TRUE, OTF2_COLLECTIVE_OP_CREATE_HANDLE, NOTHING, NOTHING },
  [PD_COLL_INTERCOMM_MERGE] = { TRUE, OTF2_COLLECTIVE_OP_CREATE_HANDLE, NOTHING, NOTHING },
  [PD_COLL_WIN_CREATE] = { TRUE, OTF2_COLLECTIVE_OP_CREATE_HANDLE, NOTHING, NOTHING },
  [PD_COLL_WIN_FREE] = { TRUE, OTF2_COLLECTIVE_OP_DESTROY_HANDLE, NOTHING, NOTHING },
};

static guint64
sum_vector (const PdProgram *program, guint32 counts, gint64 fallback)
{
  guint32 n;
  guint64 sum = 0;

  if (counts == PD_PROGRAM_NONE)
    return (guint64) fallback;
  const gint64 *values = pd_program_get_counts (program, counts, &n);
  for (guint32 i = 0; i < n; i++)
    sum += (guint64) values[i];
  return sum;
}

/* @counts: the vector of this side. */
static guint64
add_up (const PdProgram *program, const PdAction *action, Sum sum, guint32 counts, guint32 me,
        guint32 n)
{
  guint64 bytes = (guint64) action->bytes;
  gboolean is_root = me == (guint32) action->peer;

  switch (sum)
    {
    case BLOCK:
      return bytes;
    case BLOCKS:
      return n * bytes;
    case ROOT_ALL:
      return is_root ? sum_vector (program, counts, (gint64) (n * bytes)) : 0;
    case VECTOR:
      return sum_vector (program, counts, (gint64) (n * bytes));
    case BLOCKS_OF_OWN:
      return action->recv_counts == PD_PROGRAM_NONE
                 ? n * bytes
                 : n * (guint64) pd_program_get_counts (program, action->recv_counts, NULL)[me];
    case REST:
      return (n - me) * bytes;
    case BEFORE:
      return (me + 1) * bytes;
    case REST_EX:
      return (n - me - 1) * bytes;
    case BEFORE_EX:
      return me * bytes;
    default:
      return 0;
    }
}

gboolean
pd_otf2_sum_up (const PdProgram *program, const PdAction *action, guint32 me, guint32 n,
                PdOtf2Sums *sums)
{
  PdCollKind op = action->op;
  guint32 sent_counts = op == PD_COLL_REDUCE_SCATTER ? action->recv_counts : action->send_counts;

  if (!sums_of[op].known)
    return FALSE;
  gboolean rooted = sums_of[op].sent == ROOT_ALL || sums_of[op].received == ROOT_ALL;
  *sums = (PdOtf2Sums){
    sums_of[op].op,
    rooted ? (guint32) action->peer : OTF2_UNDEFINED_UINT32,
    add_up (program, action, sums_of[op].sent, sent_counts, me, n),
    add_up (program, action, sums_of[op].received, action->recv_counts, me, n),
  };
  return TRUE;
}
