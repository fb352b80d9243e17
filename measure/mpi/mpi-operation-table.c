/* The collective operations of MPI: what each does, and how each of its forms is called.
 * SPDX-License-Identifier: MIT */
#include "measure/mpi/pd-operation-private.h"
#include "measure/mpi/mpi-operation-table.h"

#include <string.h>

#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif

#if MPI_VERSION >= 4
#define HAS_PERSISTENT      1
#define PERSISTENT_OF(Name) MPI_##Name##_init
#elif defined OMPI_HAVE_MPI_EXT_PCOLLREQ
#define HAS_PERSISTENT      1
#define PERSISTENT_OF(Name) MPIX_##Name##_init
#else
#define HAS_PERSISTENT 0
#endif

/* ---- arguments, but for the communicator and what a form adds behind it */

#define SEND     r->send, r->count, r->setup.datatype,
#define RECV     r->recv, r->count, r->setup.datatype,
#define SENDV    r->send, r->counts, r->displacements, r->setup.datatype,
#define RECVV    r->recv, r->counts, r->displacements, r->setup.datatype,
#define SENDW(d) r->send, r->counts, r->d, r->types,
#define RECVW(d) r->recv, r->counts, r->d, r->types,
#define ROOT     r->setup.root,
#define BOTH     r->send, r->recv,
#define REDUCED  r->setup.datatype, r->setup.op,

#define NO_ARGS
#define BCAST_ARGS              RECV ROOT
#define GATHER_ARGS             SEND RECV ROOT
#define GATHERV_ARGS            SEND RECVV ROOT
#define SCATTER_ARGS            SEND RECV ROOT
#define SCATTERV_ARGS           SENDV RECV ROOT
#define ALLGATHER_ARGS          SEND RECV
#define ALLGATHERV_ARGS         SEND RECVV
#define ALLTOALL_ARGS           SEND RECV
#define ALLTOALLV_ARGS          SENDV RECVV
#define ALLTOALLW_ARGS          SENDW (byte_displacements) RECVW (byte_displacements)
#define NEIGHBOR_ALLTOALLW_ARGS SENDW (addresses) RECVW (addresses)
#define REDUCE_ARGS             BOTH r->count, REDUCED ROOT
#define ALLREDUCE_ARGS          BOTH r->count, REDUCED
#define REDUCE_SCATTER_ARGS     BOTH r->counts, REDUCED

/* As they are listed. */
#define OPERATIONS(X)                                                                              \
  X (Barrier, barrier, NO_ARGS)                                                                    \
  X (Bcast, bcast, BCAST_ARGS)                                                                     \
  X (Gather, gather, GATHER_ARGS)                                                                  \
  X (Gatherv, gatherv, GATHERV_ARGS)                                                               \
  X (Scatter, scatter, SCATTER_ARGS)                                                               \
  X (Scatterv, scatterv, SCATTERV_ARGS)                                                            \
  X (Allgather, allgather, ALLGATHER_ARGS)                                                         \
  X (Allgatherv, allgatherv, ALLGATHERV_ARGS)                                                      \
  X (Alltoall, alltoall, ALLTOALL_ARGS)                                                            \
  X (Alltoallv, alltoallv, ALLTOALLV_ARGS)                                                         \
  X (Alltoallw, alltoallw, ALLTOALLW_ARGS)                                                         \
  X (Reduce, reduce, REDUCE_ARGS)                                                                  \
  X (Allreduce, allreduce, ALLREDUCE_ARGS)                                                         \
  X (Reduce_scatter, reduce_scatter, REDUCE_SCATTER_ARGS)                                          \
  X (Reduce_scatter_block, reduce_scatter_block, ALLREDUCE_ARGS)                                   \
  X (Scan, scan, ALLREDUCE_ARGS)                                                                   \
  X (Exscan, exscan, ALLREDUCE_ARGS)                                                               \
  X (Neighbor_allgather, neighbor_allgather, ALLGATHER_ARGS)                                       \
  X (Neighbor_allgatherv, neighbor_allgatherv, ALLGATHERV_ARGS)                                    \
  X (Neighbor_alltoall, neighbor_alltoall, ALLTOALL_ARGS)                                          \
  X (Neighbor_alltoallv, neighbor_alltoallv, ALLTOALLV_ARGS)                                       \
  X (Neighbor_alltoallw, neighbor_alltoallw, NEIGHBOR_ALLTOALLW_ARGS)

/* ---- the calls */

#define CALL_BLOCKING(Name, name, args)                                                            \
  static void call_##name (PdOperationRun *r)                                                      \
  {                                                                                                \
    MPI_##Name (args r->comm);                                                                     \
  }
OPERATIONS (CALL_BLOCKING)

#define CALL_NONBLOCKING(Name, name, args)                                                         \
  static void call_i##name (PdOperationRun *r)                                                     \
  {                                                                                                \
    MPI_I##name (args r->comm, r->request);                                                        \
  }
OPERATIONS (CALL_NONBLOCKING)

#if HAS_PERSISTENT
#define CALL_PERSISTENT(Name, name, args)                                                          \
  static void call_##name##_init (PdOperationRun *r)                                               \
  {                                                                                                \
    PERSISTENT_OF (Name) (args r->comm, MPI_INFO_NULL, r->request);                                \
  }
OPERATIONS (CALL_PERSISTENT)
#endif

/* ---- where received blocks come from */

static PdOrigin
from_root (const PdOperationRun *run, int k G_GNUC_UNUSED)
{
  return (PdOrigin){ run->setup.root, 0 };
}

static PdOrigin
from_root_own (const PdOperationRun *run, int k G_GNUC_UNUSED)
{
  return (PdOrigin){ run->setup.root, run->rank };
}

static PdOrigin
from_each (const PdOperationRun *run G_GNUC_UNUSED, int k)
{
  return (PdOrigin){ k, 0 };
}

static PdOrigin
from_each_own (const PdOperationRun *run, int k)
{
  return (PdOrigin){ k, run->rank };
}

static PdOrigin
from_neighbour (const PdOperationRun *run, int k)
{
  return (PdOrigin){ run->neighbours[k], 0 };
}

/* Neighbours come in pairs, on either side: for the one on the left this process is on
 * the right. Where the same one is on several sides, MPI before 4.0 leaves it open. */
static PdOrigin
from_neighbour_own (const PdOperationRun *run, int k)
{
  const int *neighbours = run->neighbours;
  int other = k ^ 1;

  if (neighbours[other] == neighbours[k] && neighbours[k ^ run->opposite] == neighbours[k])
    other = k ^ run->opposite;
  return (PdOrigin){ neighbours[k], other };
}

/* ---- what they do */

#define ROOT_SENDS         .has_root = TRUE, .sends_at_root = TRUE
#define ROOT_RECEIVES      .has_root = TRUE, .receives_at_root = TRUE
#define DISPLACED          .has_displacements = TRUE
#define TYPED              .has_types = TRUE
#define NEIGHBOURS         .has_neighbours = TRUE
#define ONE_TO_ALL         .send = PD_BLOCKS_ONE, .recv = PD_BLOCKS_ALL
#define ALL_TO_ONE         .send = PD_BLOCKS_ALL, .recv = PD_BLOCKS_ONE
#define ALL_TO_ALL         .send = PD_BLOCKS_ALL, .recv = PD_BLOCKS_ALL
#define ONE_TO_ONE         .send = PD_BLOCKS_ONE, .recv = PD_BLOCKS_ONE
#define GATHER             ONE_TO_ALL, ROOT_RECEIVES, .in_place = PD_IN_PLACE_ROOT_SEND, .origin = from_each
#define SCATTER            ALL_TO_ONE, ROOT_SENDS, .in_place = PD_IN_PLACE_ROOT_RECV, .origin = from_root_own
#define ALLGATHER          ONE_TO_ALL, .in_place = PD_IN_PLACE_SEND, .origin = from_each
#define ALLTOALL           ALL_TO_ALL, .in_place = PD_IN_PLACE_SEND, .origin = from_each_own
#define ALLREDUCE          ONE_TO_ONE, .in_place = PD_IN_PLACE_SEND, .reduces = PD_REDUCES_ALL
#define REDUCE_SCATTER     ALL_TO_ONE, .in_place = PD_IN_PLACE_SEND, .reduces = PD_REDUCES_ALL
#define NEIGHBOR_ALLGATHER ONE_TO_ALL, NEIGHBOURS, .origin = from_neighbour
#define NEIGHBOR_ALLTOALL  ALL_TO_ALL, NEIGHBOURS, .origin = from_neighbour_own

static const PdTimedCollective does_barrier = { .name = "barrier" };
static const PdTimedCollective does_bcast = {
  .name = "bcast", .recv = PD_BLOCKS_ONE, .has_root = TRUE, .origin = from_root
};
static const PdTimedCollective does_gather = { .name = "gather", GATHER };
static const PdTimedCollective does_gatherv = { .name = "gatherv", GATHER, DISPLACED };
static const PdTimedCollective does_scatter = { .name = "scatter", SCATTER };
static const PdTimedCollective does_scatterv = { .name = "scatterv", SCATTER, DISPLACED };
static const PdTimedCollective does_allgather = { .name = "allgather", ALLGATHER };
static const PdTimedCollective does_allgatherv = { .name = "allgatherv", ALLGATHER, DISPLACED };
static const PdTimedCollective does_alltoall = { .name = "alltoall", ALLTOALL };
static const PdTimedCollective does_alltoallv = { .name = "alltoallv", ALLTOALL, DISPLACED };
static const PdTimedCollective does_alltoallw = { .name = "alltoallw", ALLTOALL, TYPED };
static const PdTimedCollective does_reduce = { .name = "reduce",
                                               ONE_TO_ONE,
                                               ROOT_RECEIVES,
                                               .in_place = PD_IN_PLACE_ROOT_SEND,
                                               .reduces = PD_REDUCES_ALL };
static const PdTimedCollective does_allreduce = { .name = "allreduce", ALLREDUCE };
static const PdTimedCollective does_reduce_scatter = { .name = "reduce_scatter", REDUCE_SCATTER };
static const PdTimedCollective does_reduce_scatter_block = { .name = "reduce_scatter_block",
                                                             REDUCE_SCATTER };
static const PdTimedCollective does_scan = {
  .name = "scan", ONE_TO_ONE, .in_place = PD_IN_PLACE_SEND, .reduces = PD_REDUCES_UP_TO_OWN
};
static const PdTimedCollective does_exscan = {
  .name = "exscan", ONE_TO_ONE, .in_place = PD_IN_PLACE_SEND, .reduces = PD_REDUCES_BEFORE_OWN
};
static const PdTimedCollective does_neighbor_allgather = { .name = "neighbor_allgather",
                                                           NEIGHBOR_ALLGATHER };
static const PdTimedCollective does_neighbor_allgatherv = { .name = "neighbor_allgatherv",
                                                            NEIGHBOR_ALLGATHER,
                                                            DISPLACED };
static const PdTimedCollective does_neighbor_alltoall = { .name = "neighbor_alltoall",
                                                          NEIGHBOR_ALLTOALL };
static const PdTimedCollective does_neighbor_alltoallv = { .name = "neighbor_alltoallv",
                                                           NEIGHBOR_ALLTOALL,
                                                           DISPLACED };
/* displacements are addresses, which no block is beyond */
static const PdTimedCollective does_neighbor_alltoallw = { .name = "neighbor_alltoallw",
                                                           NEIGHBOR_ALLTOALL };

/* ---- the table */

#define ROW_BLOCKING(Name, name, args) { #name, &does_##name, PD_FORM_BLOCKING, call_##name },
#define ROW_NONBLOCKING(Name, name, args)                                                          \
  { "i" #name, &does_##name, PD_FORM_NONBLOCKING, call_i##name },
#define ROW_PERSISTENT(Name, name, args)                                                           \
  { #name "_init", &does_##name, PD_FORM_PERSISTENT, call_##name##_init },

static const PdMpiOperation operations[] = { OPERATIONS (ROW_BLOCKING) OPERATIONS (ROW_NONBLOCKING)
#if HAS_PERSISTENT
                                                 OPERATIONS (ROW_PERSISTENT)
#endif
};

guint
pd_operations_n (void)
{
  return G_N_ELEMENTS (operations);
}

const PdMpiOperation *
pd_operation_at (guint i)
{
  g_return_val_if_fail (i < G_N_ELEMENTS (operations), NULL);
  return &operations[i];
}

const PdMpiOperation *
pd_mpi_operation_find (const char *name, GError **error)
{
  g_autoptr (GString) known = g_string_new (NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (operations); i++)
    {
      if (strcmp (operations[i].name, name) == 0)
        return &operations[i];
      g_string_append_printf (known, "%s%s", i > 0 ? ", " : "", operations[i].name);
    }
  g_set_error (error, PD_MEASURE_ERROR, PD_MEASURE_ERROR_USAGE,
               "this MPI has no operation '%s': expected one of %s", name, known->str);
  return NULL;
}

/* ---- properties of a row */

const char *
pd_operation_name (const PdMpiOperation *operation)
{
  return operation->name;
}

const char *
pd_operation_collective (const PdMpiOperation *operation)
{
  return operation->collective->name;
}

PdForm
pd_operation_form (const PdMpiOperation *operation)
{
  return operation->form;
}

const char *
pd_operation_form_name (PdForm form)
{
  static const char *const names[PD_N_FORMS] = { "blocking", "nonblocking", "persistent" };

  g_return_val_if_fail (form < PD_N_FORMS, NULL);
  return names[form];
}

gboolean
pd_operation_has_size (const PdMpiOperation *operation)
{
  return operation->collective->recv != PD_BLOCKS_NONE;
}

gboolean
pd_operation_has_root (const PdMpiOperation *operation)
{
  return operation->collective->has_root;
}

gboolean
pd_operation_has_op (const PdMpiOperation *operation)
{
  return operation->collective->reduces != PD_REDUCES_NOTHING;
}

gboolean
pd_operation_has_in_place (const PdMpiOperation *operation)
{
  return operation->collective->in_place != PD_IN_PLACE_NEVER;
}

gboolean
pd_operation_has_neighbours (const PdMpiOperation *operation)
{
  return operation->collective->has_neighbours;
}
