/* Collective operations. The sent and received bytes of each are counted as in
 * pd-rec.h; in place, data that stays at its rank is counted like the rest, so that
 * the size of a block is that sum divided by the number of ranks.
 * SPDX-License-Identifier: MIT */
#include "record/wrap/pd-wrap-private.h"
#include "record/life/pd-rec-life.h"
#include "record/stream/pd-rec-stream.h"

/* The ranks sent to and received from, and the role of this rank. */
typedef struct
{
  const PdWrapComm *comm;
  PdWrapSide out;
  PdWrapSide in;
  int is_root;
  int has_part; /* gives to or gets from the root */
} Place;

typedef struct
{
  uint64_t sent;
  uint64_t received;
} Sizes;

/* Whether the @i-th block of a vector is for anybody. */
static int
is_there (const PdWrapSide *side, int i)
{
  return side->ranks == NULL || side->ranks[i] >= 0;
}

static uint64_t
sum (const PdWrapCall *call, const void *counts, const PdWrapSide *side, MPI_Datatype type)
{
  MPI_Count total = 0;

  for (int i = 0; i < side->n_blocks; i++)
    if (is_there (side, i))
      total += pd_value_count (call, counts, i);
  return pd_value_bytes (total, type);
}

static uint64_t
sum_of_types (const PdWrapCall *call, const void *counts, const void *types, const PdWrapSide *side)
{
  uint64_t total = 0;

  for (int i = 0; i < side->n_blocks; i++)
    {
      MPI_Count count = pd_value_count (call, counts, i);

      if (count > 0 && is_there (side, i))
        total += pd_value_bytes (count, pd_value_type (call, types, i));
    }
  return total;
}

static uint64_t
times (int n, uint64_t bytes)
{
  return n > 0 ? (uint64_t) n * bytes : 0;
}

static Sizes
size_barrier (const PdWrapCall *call, const Place *place)
{
  (void) call;
  (void) place;
  return (Sizes){ 0, 0 };
}

static Sizes
size_bcast (const PdWrapCall *call, const Place *place)
{
  uint64_t block = pd_value_bytes (call->count, call->type);

  return (Sizes){ place->is_root ? times (place->out.n, block) : 0, place->has_part ? block : 0 };
}

static Sizes
size_reduce (const PdWrapCall *call, const Place *place)
{
  uint64_t block = pd_value_bytes (call->count, call->type);

  return (Sizes){ place->has_part ? block : 0, place->is_root ? times (place->in.n, block) : 0 };
}

static Sizes
size_gather (const PdWrapCall *call, const Place *place)
{
  Sizes sizes = { 0, 0 };

  if (place->has_part)
    sizes.sent = call->sendbuf == MPI_IN_PLACE ? pd_value_bytes (call->rcount, call->rtype)
                                               : pd_value_bytes (call->count, call->type);
  if (place->is_root)
    sizes.received = times (place->in.n, pd_value_bytes (call->rcount, call->rtype));
  return sizes;
}

static uint64_t
one_of (const PdWrapCall *call, const void *counts, int i, MPI_Datatype type)
{
  return pd_value_bytes (pd_value_count (call, counts, i), type);
}

static Sizes
size_gatherv (const PdWrapCall *call, const Place *place)
{
  Sizes sizes = { 0, 0 };

  if (place->has_part)
    sizes.sent = call->sendbuf == MPI_IN_PLACE
                     ? one_of (call, call->rcounts, place->comm->rank, call->rtype)
                     : pd_value_bytes (call->count, call->type);
  if (place->is_root)
    sizes.received = sum (call, call->rcounts, &place->in, call->rtype);
  return sizes;
}

static Sizes
size_scatter (const PdWrapCall *call, const Place *place)
{
  Sizes sizes = { 0, 0 };

  if (place->has_part)
    sizes.received = call->recvbuf == MPI_IN_PLACE ? pd_value_bytes (call->count, call->type)
                                                   : pd_value_bytes (call->rcount, call->rtype);
  if (place->is_root)
    sizes.sent = times (place->out.n, pd_value_bytes (call->count, call->type));
  return sizes;
}

static Sizes
size_scatterv (const PdWrapCall *call, const Place *place)
{
  Sizes sizes = { 0, 0 };

  if (place->has_part)
    sizes.received = call->recvbuf == MPI_IN_PLACE
                         ? one_of (call, call->counts, place->comm->rank, call->type)
                         : pd_value_bytes (call->rcount, call->rtype);
  if (place->is_root)
    sizes.sent = sum (call, call->counts, &place->out, call->type);
  return sizes;
}

/* Blocks to all from all, whether they are the same ones or not. */
static Sizes
size_blocks (const PdWrapCall *call, const Place *place)
{
  uint64_t received = pd_value_bytes (call->rcount, call->rtype);
  uint64_t sent =
      call->sendbuf == MPI_IN_PLACE ? received : pd_value_bytes (call->count, call->type);

  return (Sizes){ times (place->out.n, sent), times (place->in.n, received) };
}

static Sizes
size_allgatherv (const PdWrapCall *call, const Place *place)
{
  uint64_t sent = call->sendbuf == MPI_IN_PLACE
                      ? one_of (call, call->rcounts, place->comm->rank, call->rtype)
                      : pd_value_bytes (call->count, call->type);

  return (Sizes){ times (place->out.n, sent), sum (call, call->rcounts, &place->in, call->rtype) };
}

static Sizes
size_alltoallv (const PdWrapCall *call, const Place *place)
{
  uint64_t received = sum (call, call->rcounts, &place->in, call->rtype);

  return (Sizes){ call->sendbuf == MPI_IN_PLACE ? received
                                                : sum (call, call->counts, &place->out, call->type),
                  received };
}

static Sizes
size_alltoallw (const PdWrapCall *call, const Place *place)
{
  uint64_t received = sum_of_types (call, call->rcounts, call->rtypes, &place->in);

  return (Sizes){ call->sendbuf == MPI_IN_PLACE
                      ? received
                      : sum_of_types (call, call->counts, call->types, &place->out),
                  received };
}

static Sizes
size_allreduce (const PdWrapCall *call, const Place *place)
{
  uint64_t bytes = times (place->out.n, pd_value_bytes (call->count, call->type));

  return (Sizes){ bytes, bytes };
}

static Sizes
size_reduce_scatter (const PdWrapCall *call, const Place *place)
{
  return (Sizes){
    sum (call, call->rcounts, &(PdWrapSide){ .n_blocks = place->comm->size }, call->type),
    times (place->in.n, one_of (call, call->rcounts, place->comm->rank, call->type)),
  };
}

static Sizes
size_scan (const PdWrapCall *call, const Place *place)
{
  uint64_t block = pd_value_bytes (call->count, call->type);

  return (Sizes){ times (place->comm->size - place->comm->rank, block),
                  times (place->comm->rank + 1, block) };
}

static Sizes
size_exscan (const PdWrapCall *call, const Place *place)
{
  uint64_t block = pd_value_bytes (call->count, call->type);

  return (Sizes){ times (place->comm->size - place->comm->rank - 1, block),
                  times (place->comm->rank, block) };
}

static const struct
{
  Sizes (*size) (const PdWrapCall *call, const Place *place);
  int has_root;
  int synchronises; /* no rank leaves before all have arrived */
} ops[] = {
  [PD_REC_BARRIER] = { size_barrier, 0, 1 },
  [PD_REC_BCAST] = { size_bcast, 1, 0 },
  [PD_REC_GATHER] = { size_gather, 1, 0 },
  [PD_REC_GATHERV] = { size_gatherv, 1, 0 },
  [PD_REC_SCATTER] = { size_scatter, 1, 0 },
  [PD_REC_SCATTERV] = { size_scatterv, 1, 0 },
  [PD_REC_ALLGATHER] = { size_blocks, 0, 1 },
  [PD_REC_ALLGATHERV] = { size_allgatherv, 0, 1 },
  [PD_REC_ALLTOALL] = { size_blocks, 0, 1 },
  [PD_REC_ALLTOALLV] = { size_alltoallv, 0, 1 },
  [PD_REC_ALLTOALLW] = { size_alltoallw, 0, 1 },
  [PD_REC_ALLREDUCE] = { size_allreduce, 0, 1 },
  [PD_REC_REDUCE] = { size_reduce, 1, 0 },
  [PD_REC_REDUCE_SCATTER] = { size_reduce_scatter, 0, 1 },
  [PD_REC_SCAN] = { size_scan, 0, 0 },
  [PD_REC_EXSCAN] = { size_exscan, 0, 0 },
  [PD_REC_REDUCE_SCATTER_BLOCK] = { size_allreduce, 0, 1 },
};

/* ---- calls */

static int32_t
root_of (const PdWrapCall *call, int op)
{
  if (!ops[op].has_root)
    return PD_REC_NO_ROOT;
  if (call->peer == MPI_ROOT)
    return PD_REC_ROOT_SELF;
  return call->peer == MPI_PROC_NULL ? PD_REC_ROOT_NULL : call->peer;
}

static Place
place_of (const PdWrapCall *call, const PdWrapComm *comm, int op)
{
  int is_inter = comm->n_remote > 0;
  int n = is_inter ? comm->n_remote : comm->size;
  PdWrapSide all = { .n = n, .n_blocks = n };
  Place place = { comm, all, all, 0, 1 };

  if (!ops[op].has_root)
    return place;
  place.is_root = is_inter ? call->peer == MPI_ROOT : call->peer == comm->rank;
  if (is_inter)
    place.has_part = call->peer >= 0;
  return place;
}

static PdWrapRequest
request_of (const PdWrapCall *call, int op, const Place *place)
{
  Sizes sizes = ops[op].size (call, place);

  return (PdWrapRequest){
    .kind = PD_WRAP_REQUEST_COLL,
    .is_active = 1,
    .mode = (uint8_t) op,
    .comm = place->comm->number,
    .peer = root_of (call, op),
    .bytes = sizes.sent,
    .received = sizes.received,
    .sources = place->in.group,
    .targets = place->out.group,
  };
}

/* @is_init: a persistent one, which begins later; otherwise with a request or not. */
static void
record (PdWrapCall *call, int op, const Place *place, int has_request, int is_init)
{
  PdWrapRequest request;

  if (!call->is_on && !is_init)
    return;
  request = request_of (call, op, place);
  if (is_init)
    {
      request.is_persistent = 1;
      request.is_active = 0;
    }
  else
    {
      request.number = has_request ? pd_request_new_number () : 0;
      pd_request_record_coll (&request);
    }
  if (has_request)
    pd_request_add (pd_value_request (call, 0), &request);
}

static void
did_any (PdWrapCall *call, int op, int has_request, int is_init)
{
  const PdWrapComm *comm = pd_comm_find (call->comm);
  Place place;

  if (comm == NULL || !pd_rec_is_open ())
    return;
  place = place_of (call, comm, op);
  record (call, op, &place, has_request, is_init);
}

static void
did_neighbour (PdWrapCall *call, int op, int has_request, int is_init)
{
  PdWrapComm *comm = pd_comm_find (call->comm);
  const PdWrapNeighbours *neighbours =
      comm != NULL ? pd_comm_get_neighbours (comm, call->comm) : NULL;
  Place place;

  if (neighbours == NULL)
    return;
  place = (Place){ comm, neighbours->targets, neighbours->sources, 0, 1 };
  record (call, op, &place, has_request, is_init);
}

void
pd_did_coll (PdWrapCall *call, int op)
{
  did_any (call, op, 0, 0);
  if (call->comm == MPI_COMM_WORLD && ops[op].synchronises && pd_wrap_may_synchronise ())
    pd_rec_world_synchronised ();
}

void
pd_did_icoll (PdWrapCall *call, int op)
{
  did_any (call, op, 1, 0);
}

void
pd_did_coll_init (PdWrapCall *call, int op)
{
  did_any (call, op, 1, 1);
}

void
pd_did_neighbour (PdWrapCall *call, int op)
{
  did_neighbour (call, op, 0, 0);
}

void
pd_did_ineighbour (PdWrapCall *call, int op)
{
  did_neighbour (call, op, 1, 0);
}

void
pd_did_neighbour_init (PdWrapCall *call, int op)
{
  did_neighbour (call, op, 1, 1);
}
