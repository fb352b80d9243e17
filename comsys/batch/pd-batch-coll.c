/* Collective operations in all lanes at once: the steps of their schedules, as
 * pd-coll-execute.c plays them, or a time after the last arrival, as in pd-barrier-state.c.
 * SPDX-License-Identifier: MIT */
#include "comsys/batch/pd-batch-coll-private.h"

#include "comsys/batch/pd-batch-coll.h"
#include "comsys/batch/pd-batch-costs-private.h"
#include "comsys/batch/pd-batch-p2p-private.h"
#include "comsys/batch/pd-batch-private.h"
#include "comsys/batch/pd-batch.h"
#include "comsys/comm/pd-comm.h"
#include "comsys/mpi/pd-barrier-ring.h"
#include "comsys/mpi/pd-coll-simple.h"
#include "comsys/mpi/pd-coll-steps.h"
#include "comsys/queue/pd-lines.h"
#include "comsys/state/pd-comsys-data.h"
#include "comsys/state/pd-function-costs.h"

/* ---- schedules */

/* A step that needs no other rank. */
static void
work (PdBatch *self, PdBatchRank *r, const PdStep *step)
{
  PdBatchTime time;
  gsize what = step->kind == PD_STEP_REDUCE ? G_STRUCT_OFFSET (PdSoftware, reduction_per_byte)
                                            : G_STRUCT_OFFSET (PdSoftware, copy_per_byte);

  pd_batch_time_of_bytes (self, step->send_bytes, what, &time);
  pd_batch_time_add (&r->ret, &r->ret, &time);
}

/* To be waited for with others. */
static void
keep (PdBatch *self, PdBatchRank *r, guint32 req)
{
  pd_batch_req (self, req)->link = r->bundle;
  r->bundle = req;
}

static gboolean
perform (PdBatch *self, PdBatchRank *r, const PdStep *step)
{
  static const PdBatchSendKind kind = { .collective = TRUE };
  PdComm *comm = r->exec->comm;
  PdEnvelope to = pd_execution_envelope ((guint32) r->tag, step->to, step->send_bytes);
  PdEnvelope from = pd_execution_envelope ((guint32) r->tag, step->from, step->recv_bytes);
  guint32 bundle = r->bundle;

  switch (step->kind)
    {
    case PD_STEP_SEND:
      return pd_batch_p2p_send (self, r, comm, to, &kind);
    case PD_STEP_RECV:
      return pd_batch_p2p_recv (self, r, comm, from, TRUE);
    case PD_STEP_SENDRECV:
      return pd_batch_p2p_sendrecv (self, r, comm, &(PdExchange){ to, from }, TRUE);
    case PD_STEP_ISEND:
      keep (self, r, pd_batch_begin_send (self, r, comm, to, &kind));
      return TRUE;
    case PD_STEP_IRECV:
      keep (self, r, pd_batch_begin_recv (self, r, comm, from, TRUE));
      return TRUE;
    case PD_STEP_WAITALL:
      r->bundle = 0;
      return pd_batch_wait_for_all (self, r, bundle, &self->wait_overhead);
    default:
      work (self, r, step);
      return TRUE;
    }
}

gboolean
pd_batch_continue_collective (PdBatch *self, PdBatchRank *rank)
{
  PdStep step;

  while (pd_execution_next_step (self->comsys[0], rank->exec, &step))
    if (!perform (self, rank, &step))
      return FALSE;
  rank->exec = NULL;
  return TRUE;
}

/* ---- nonblocking operations */

static void
nonblocking_free (gpointer nonblocking)
{
  pd_lines_free (nonblocking, (sizeof (PdBatchNonblocking) + 63) / 64);
}

static PdBatchNonblocking *
take_nonblocking (PdBatch *self, guint32 world)
{
  PdBatchNonblocking *nonblocking = self->free;

  if (nonblocking != NULL)
    self->free = nonblocking->next;
  else
    {
      nonblocking = pd_lines_resize (NULL, 0, (sizeof (PdBatchNonblocking) + 63) / 64);
      if (self->nonblockings == NULL)
        self->nonblockings = g_ptr_array_new_with_free_func (nonblocking_free);
      g_ptr_array_add (self->nonblockings, nonblocking);
    }
  nonblocking->rank = (PdBatchRank){ .world = world, .is_nonblocking = TRUE };
  return nonblocking;
}

/* The request that stands for a whole operation completes. */
static void
end_operation (PdBatch *self, guint32 request, const PdBatchTime *when)
{
  PdBatchReq *r = pd_batch_req (self, request);

  r->done = *when;
  pd_batch_req_complete (self, r);
  pd_batch_req_drop (self, request, PD_HELD_SYSTEM);
}

void
pd_batch_continue_nonblocking (PdBatch *self, PdBatchNonblocking *nonblocking)
{
  if (!pd_batch_continue_collective (self, &nonblocking->rank))
    return;
  end_operation (self, nonblocking->request, &nonblocking->rank.ret);
  nonblocking->next = self->free;
  self->free = nonblocking;
}

/* ---- the set "simple" */

/* On each machine, when the last of those that have come has. */
static PdBatchTime *
latest_of (PdBarrierState *barrier)
{
  if (barrier->latest_each == NULL)
    barrier->latest_each = pd_lines_resize (NULL, 0, sizeof (PdBatchTime) / 64);
  return barrier->latest_each;
}

/* When it is over, in all lanes. */
static void
find_end (PdBatch *self, PdComm *comm, const PdCollective *args, PdBarrierState *barrier)
{
  PdBatchTime time;

  if (comm->n == 1 && !args->is_equal)
    return;
  for (guint i = 0; i < PD_BATCH_SIZE; i++)
    time.ps[i] = pd_phases_get_time (self->comsys[i], comm, barrier->op, &barrier->bytes).ps;
  pd_batch_check_cost (self, &time);
  pd_batch_time_add (latest_of (barrier), latest_of (barrier), &time);
}

static void
let_go (PdBatch *self, PdBarrierState *barrier)
{
  const PdBatchTime *latest = latest_of (barrier);

  for (guint i = 0; i < barrier->waiting->len; i++)
    {
      const PdBarrierWaiting *waiting = &g_array_index (barrier->waiting, PdBarrierWaiting, i);
      PdBatchRank *rank = &self->ranks[waiting->rank];
      if (waiting->request != 0)
        {
          end_operation (self, waiting->request, latest);
          continue;
        }
      rank->ret = *latest;
      rank->first = 0;
      rank->overhead = NULL;
      pd_batch_rank_ready (self, rank);
    }
}

/* As pd_barrier_collective(). */
static gboolean
meet_for (PdBatch *self, guint32 rank, PdComm *comm, const PdCollective *args, guint32 request)
{
  guint32 me = (guint32) pd_comm_get_rank (comm, rank);
  PdBarrierState *barrier = pd_barrier_enter_operation (comm, me, args);
  PdBarrierWaiting own = { rank, request };
  PdBatchRank *r = &self->ranks[rank];

  pd_batch_time_max (latest_of (barrier), latest_of (barrier), &r->ret);
  if (barrier->n_arrived < comm->n || barrier->mismatched)
    {
      g_array_append_val (barrier->waiting, own);
      return FALSE;
    }
  find_end (self, comm, args, barrier);
  if (request == 0)
    r->ret = *latest_of (barrier);
  else
    g_array_append_val (barrier->waiting, own);
  let_go (self, barrier);
  pd_barrier_leave (comm);
  return TRUE;
}

/* ---- calls */

/* The call begins, at the rank's clock, after what @function (PD_N_FUNCTIONS: none) costs. */
static void
begin_call (PdBatch *self, PdBatchRank *r, guint function, gint64 bytes)
{
  PdBatchTime time;

  r->ret = r->clock;
  r->is_exchange = FALSE;
  if (self->overheads == NULL || function == PD_N_FUNCTIONS)
    return;
  for (guint i = 0; i < PD_BATCH_SIZE; i++)
    time.ps[i] = pd_function_time (self->comsys[i], function, bytes).ps;
  pd_batch_check_cost (self, &time);
  pd_batch_time_add (&r->ret, &r->ret, &time);
}

gboolean
pd_batch_collective (PdBatch *self, guint32 rank, PdComm *comm, const PdCollective *collective)
{
  PdComsys *comsys = self->comsys[0];
  PdBatchRank *r = &self->ranks[rank];

  begin_call (self, r, PD_FN_OPS + collective->op, collective->bytes);
  if (!pd_execution_is_for (comsys, collective->op))
    return meet_for (self, rank, comm, collective, 0);
  if (self->execs == NULL)
    self->execs = pd_lines_resize (NULL, 0, self->n_ranks * sizeof (PdExecution) / 64);
  pd_execution_init (comsys, &self->execs[rank], rank, comm, collective);
  r->exec = &self->execs[rank];
  r->tag = 0;
  return pd_batch_continue_collective (self, r);
}

static guint32
whole_request (PdBatch *self, PdBatchRank *rank)
{
  guint32 req = pd_batch_req_new (self, rank);
  PdBatchReq *r = pd_batch_req (self, req);

  r->kind = PD_REQ_COLLECTIVE;
  r->is_null = TRUE; /* waits for it show nothing */
  r->held = PD_HELD_OWNER | PD_HELD_SYSTEM;
  return req;
}

PdRequest
pd_batch_icollective (PdBatch *self, guint32 rank, PdComm *comm, const PdCollective *collective)
{
  PdBatchRank *r = &self->ranks[rank];

  begin_call (self, r,
              collective->op < PD_OP_COMM_DUP ? PD_FN_IOPS + collective->op : PD_N_FUNCTIONS,
              collective->bytes);
  guint32 request = whole_request (self, r);
  if (!pd_execution_is_for (self->comsys[0], collective->op))
    {
      meet_for (self, rank, comm, collective, request);
      return request;
    }
  if (comm->n_nonblocking == NULL)
    comm->n_nonblocking = g_new0 (guint32, comm->n);
  PdBatchNonblocking *nonblocking = take_nonblocking (self, rank);
  pd_execution_init (self->comsys[0], &nonblocking->exec, rank, comm, collective);
  nonblocking->rank.exec = &nonblocking->exec;
  nonblocking->rank.ret = r->ret;
  nonblocking->rank.tag =
      (gint32) (1 + comm->n_nonblocking[nonblocking->exec.rank]++ % (guint32) G_MAXINT32);
  nonblocking->request = request;
  pd_batch_continue_nonblocking (self, nonblocking);
  return request;
}
