/* Collective operations: each member plays the steps of its schedule, which an
 * iterator yields one at a time, as point-to-point operations (pd-coll-play.c).
 * The set "simple" plays nothing: every operation takes a time after the last
 * arrival (pd-meeting.c).
 * SPDX-License-Identifier: MIT */
#include "comsys/pd-trail-private.h"

#define ROOTED   .rooted = TRUE
#define SENDS    .send_counts = TRUE
#define RECEIVES .recv_counts = TRUE
#define NEARBY   .neighbors = TRUE
#define MEAN     .measure = PD_MEASURE_MEAN
#define UNKNOWN  .measure = PD_MEASURE_NONE

/* What the creation of communicators and windows is made of: the members tell
 * each other where they belong, and agree upon a new context. */
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

/* That with blocks of one size. */
static PdOp
without_vectors (PdOp op)
{
  static const struct
  {
    PdOp op;
    PdOp equal;
  } pairs[] = {
    { PD_OP_GATHERV, PD_OP_GATHER },       { PD_OP_SCATTERV, PD_OP_SCATTER },
    { PD_OP_ALLGATHERV, PD_OP_ALLGATHER }, { PD_OP_ALLTOALLV, PD_OP_ALLTOALL },
    { PD_OP_ALLTOALLW, PD_OP_ALLTOALL },   { PD_OP_REDUCE_SCATTER, PD_OP_REDUCE_SCATTER_BLOCK },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (pairs); i++)
    if (pairs[i].op == op)
      return pairs[i].equal;
  return op;
}

/* The arguments that the operation names; the others may hold anything. */
static void
take_arguments (PdPlayArgs *args, const PdCollective *collective)
{
  PdOp op = collective->is_equal ? without_vectors (collective->op) : collective->op;
  const PdOpInfo *info = &pd_ops[op];

  args->op = op;
  if (op != PD_OP_BARRIER)
    args->bytes = collective->bytes;
  if (info->rooted)
    args->root = collective->root;
  if (info->send_counts)
    args->send_counts = collective->send_counts;
  if (info->recv_counts)
    args->recv_counts = collective->recv_counts;
  if (!info->neighbors)
    return;
  args->sources = collective->sources;
  args->targets = collective->targets;
  args->n_sources = collective->n_sources;
  args->n_targets = collective->n_targets;
}

gboolean
pd_play_is_for (const PdComsys *self, PdOp op)
{
  /* neighbours are few: that all wait for all would be another operation */
  return !self->set->is_simple || pd_ops[op].neighbors;
}

void
pd_play_init (PdComsys *self, PdPlay *play, guint32 rank, PdComm *comm,
              const PdCollective *collective)
{
  const PdOpInfo *info = &pd_ops[collective->op];

  *play = (PdPlay){ .comm = comm,
                    .total = -1,
                    .n = comm->n,
                    .rank = (guint32) pd_comm_get_rank (comm, rank),
                    .is_ordered = collective->is_ordered != FALSE };
  take_arguments (&play->args, collective);
  play->op = (guint8) play->args.op;
  if (info->n_components > 0)
    {
      play->args.op = info->components[0].op;
      play->args.bytes = info->components[0].bytes;
    }
  pd_collective_choose (self->set, play);
}

/* What both ways of calling begin with. */
static void
enter (PdComsys *self, const PdCall *call, const PdCollective *collective)
{
  pd_comsys_reach (self, call->rank, call->when);
  self->counts.n_collectives++;
  if (self->observer.collective != NULL)
    self->observer.collective (self->observer.data, call->rank, pd_ops[collective->op].name,
                               collective->bytes, call->when);
}

/* Whether the call is one that a program may make. */
static gboolean
is_sound (const PdCall *call, const PdComm *comm, const PdCollective *collective)
{
  return collective->op < PD_N_OPS && pd_comm_get_rank (comm, call->rank) >= 0
         && (!pd_ops[collective->op].rooted || collective->root < comm->n);
}

/* What the operation does begins after what its function costs. */
static PdCall
call_of (const PdComsys *self, const PdCall *call, guint function, const PdCollective *collective)
{
  PdCall later = pd_call_of (self, call, function);

  later.when =
      pd_time_add (later.when, pd_function_time_of_bytes (self, function, collective->bytes));
  return later;
}

void
pd_comsys_collective (PdComsys *self, const PdCall *call, PdComm *comm,
                      const PdCollective *collective)
{
  g_return_if_fail (is_sound (call, comm, collective));

  PdCall later = call_of (self, call, PD_FN_OPS + collective->op, collective);
  enter (self, call, collective);
  if (!pd_play_is_for (self, collective->op))
    {
      pd_meet_for (self, &later, comm, collective, 0);
      return;
    }
  PdPlay *play = pd_play_of_rank (self, call->rank);
  pd_play_init (self, play, call->rank, comm, collective);
  play->ret = call->ret;
  self->ranks[call->rank].play = play;
  self->ranks[call->rank].function = pd_ops[collective->op].function;
  *call->ret = PD_TIME_PENDING;
  if (later.when.ps > call->when.ps)
    pd_comsys_resume (self, call->rank, PD_EVENT_PLAY, later.when);
  else
    pd_play_go_on (self, call->rank, &later.when);
}

/* A request that stands for the whole operation. */
static guint32
whole_request (PdComsys *self, const PdCall *call)
{
  guint32 req = pd_req_new (self, call->rank);
  PdReq *r = pd_req (self, req);

  r->kind = PD_REQ_PLAY;
  r->peer = G_MAXUINT32;
  r->tag = PD_ANY_TAG;
  r->held = PD_HELD_OWNER | PD_HELD_SYSTEM;
  return req;
}

PdRequest
pd_comsys_icollective (PdComsys *self, const PdCall *call, PdComm *comm,
                       const PdCollective *collective)
{
  g_return_val_if_fail (is_sound (call, comm, collective), PD_REQUEST_NULL);

  PdCall later = *call;
  if (collective->op < PD_OP_COMM_DUP)
    later = call_of (self, call, PD_FN_IOPS + collective->op, collective);
  enter (self, call, collective);
  guint32 request = whole_request (self, call);
  *call->ret = later.when;
  if (!pd_play_is_for (self, collective->op))
    {
      pd_meet_for (self, &later, comm, collective, request);
      return request;
    }
  if (comm->n_beside == NULL)
    comm->n_beside = g_new0 (guint32, comm->n);
  PdPlayBeside *beside = pd_play_new_beside (self);
  pd_play_init (self, &beside->play, call->rank, comm, collective);
  beside->request = request;
  beside->tag = 1 + comm->n_beside[beside->play.rank]++ % (guint32) G_MAXINT32;
  beside->world = call->rank;
  if (self->trail != NULL)
    pd_trail_starts_beside (self, beside, later.when);
  if (self->cpus != NULL)
    {
      pd_cpu_play_begin (self, beside, later.when);
      return request;
    }
  gboolean run_ahead = self->run_ahead;
  self->run_ahead = FALSE; /* of its sends: the rank itself acts before they have begun */
  pd_play_start (self, beside, later.when);
  self->run_ahead = run_ahead;
  return request;
}

void
pd_comsys_barrier (PdComsys *self, const PdCall *call, PdComm *comm)
{
  pd_comsys_collective (self, call, comm, &(PdCollective){ .op = PD_OP_BARRIER });
}

void
pd_comsys_bcast (PdComsys *self, const PdCall *call, PdComm *comm, guint32 root, gint64 bytes)
{
  pd_comsys_collective (self, call, comm,
                        &(PdCollective){ .op = PD_OP_BCAST, .root = root, .bytes = bytes });
}

void
pd_comsys_gather (PdComsys *self, const PdCall *call, PdComm *comm, guint32 root, gint64 bytes)
{
  pd_comsys_collective (self, call, comm,
                        &(PdCollective){ .op = PD_OP_GATHER, .root = root, .bytes = bytes });
}

void
pd_comsys_allgather (PdComsys *self, const PdCall *call, PdComm *comm, gint64 bytes)
{
  pd_comsys_collective (self, call, comm, &(PdCollective){ .op = PD_OP_ALLGATHER, .bytes = bytes });
}

void
pd_comsys_allgatherv (PdComsys *self, const PdCall *call, PdComm *comm, const gint64 *counts)
{
  pd_comsys_collective (self, call, comm,
                        &(PdCollective){ .op = PD_OP_ALLGATHERV, .recv_counts = counts });
}

void
pd_comsys_allreduce (PdComsys *self, const PdCall *call, PdComm *comm, gint64 bytes)
{
  pd_comsys_collective (self, call, comm, &(PdCollective){ .op = PD_OP_ALLREDUCE, .bytes = bytes });
}

void
pd_comsys_alltoallv (PdComsys *self, const PdCall *call, PdComm *comm, const gint64 *send_counts,
                     const gint64 *recv_counts)
{
  pd_comsys_collective (self, call, comm,
                        &(PdCollective){ .op = PD_OP_ALLTOALLV,
                                         .send_counts = send_counts,
                                         .recv_counts = recv_counts });
}
