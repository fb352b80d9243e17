/* Collective operations in traces of Dimemas: what a member sends and receives in
 * all, and who is the root.
 * SPDX-License-Identifier: MIT */
#include "traces/dim/pd-dim-reader-private.h"
#include "traces/dim/pd-dim-collective-private.h"
#include "traces/dim/pd-dim-survey-private.h"
#include "traces/program/pd-action.h"

/* The size of the caller's block or vector, from the sums that it sends and receives. */
static gint64
get_block (PdCollKind op, gint64 sent, gint64 received, guint32 n)
{
  switch (op)
    {
    case PD_COLL_GATHER:
    case PD_COLL_GATHERV:
    case PD_COLL_ALLGATHER:
    case PD_COLL_ALLGATHERV:
      return sent > 0 ? sent : received / n;
    case PD_COLL_SCATTER:
    case PD_COLL_SCATTERV:
    case PD_COLL_REDUCE_SCATTER:
    case PD_COLL_REDUCE_SCATTER_BLOCK:
      return received > 0 ? received : sent / n;
    case PD_COLL_ALLTOALL:
    case PD_COLL_ALLTOALLV:
    case PD_COLL_ALLTOALLW:
      return sent / n + (sent % n > 0 ? 1 : 0);
    default:
      return MAX (sent, received);
    }
}

/* Of the call of @comm that comes next; %FALSE if it has none. */
static gboolean
find_root (const PdDimReader *self, PdDimComm *comm, gint32 *root)
{
  *root = 0;
  if (comm->task != (guint32) self->task + 1)
    comm->n_called = 0;
  comm->task = (guint32) self->task + 1;
  if (comm->n_called >= comm->calls->len)
    return FALSE;
  const PdDimCall *call = &g_array_index (comm->calls, PdDimCall, comm->n_called++);
  if (call->has_root)
    *root = (gint32) pd_dim_comm_get_rank (comm, call->root);
  return call->has_root;
}

static gboolean
is_rooted (PdCollKind op)
{
  return op == PD_COLL_BCAST || op == PD_COLL_REDUCE || op == PD_COLL_GATHER
         || op == PD_COLL_GATHERV || op == PD_COLL_SCATTER || op == PD_COLL_SCATTERV;
}

static gboolean
start_collective (PdDimReader *self, const gint64 *values, gint64 sync, PdDimComm *comm)
{
  PdAction *action = sync == PD_DIM_ASYNC ? &self->icollective : &self->collective;
  PdPlace place = pd_dim_reader_place (self);

  action->op = pd_dim_ops[values[0] % PD_DIM_N_OPS];
  action->comm = comm->index;
  if (!find_root (self, comm, &action->peer) && is_rooted (action->op))
    pd_messages_add (self->messages, PD_SEVERITY_WARNING, "dim-no-root", NULL, &place,
                     "no task says that it is the root of %s; the first one of the "
                     "communicator is taken",
                     pd_action_name (action));
  action->bytes = get_block (action->op, values[4], values[5], comm->n);
  action->sent_bytes = values[4];
  action->recv_bytes = values[5];
  if (sync != PD_DIM_ASYNC)
    return pd_dim_reader_add (self, action);
  PdDimStarted started = { pd_pending_add (&self->pending, PD_DIM_OWN_KEY), comm->index,
                           values[0] };
  action->request = started.slot;
  g_array_append_val (self->started, started);
  return pd_dim_reader_add (self, action);
}

/* For the oldest one of that operation and communicator, else the oldest. */
static gboolean
wait_for_collective (PdDimReader *self, gint64 op, const PdDimComm *comm)
{
  PdPlace place = pd_dim_reader_place (self);
  guint found = 0;

  if (self->started->len == 0)
    {
      pd_messages_add (self->messages, PD_SEVERITY_WARNING, "dim-wait", NULL, &place,
                       "there is nothing to wait for: no collective operation is pending; "
                       "the wait is left out");
      return TRUE;
    }
  for (guint i = self->started->len; i-- > 0;)
    {
      const PdDimStarted *started = &g_array_index (self->started, PdDimStarted, i);
      if (started->comm == comm->index && started->op % PD_DIM_N_OPS == op % PD_DIM_N_OPS)
        found = i;
    }
  self->wait.request = g_array_index (self->started, PdDimStarted, found).slot;
  g_array_remove_index (self->started, found);
  if (!pd_dim_reader_add (self, &self->wait))
    return FALSE;
  pd_pending_remove (&self->pending, self->wait.request);
  return TRUE;
}

/* "10:task:thr:op:comm:is_root:root_thr:sent:recvd[:synch]" */
gboolean
pd_dim_read_collective (PdDimReader *self, const gint64 *values, guint n)
{
  gint64 sync = pd_dim_get_sync (values, n);

  if (values[0] < 0 || values[0] >= 2 * PD_DIM_N_OPS)
    return pd_dim_reader_fail (self, PD_TRACE_ERROR_VALUE,
                               "collective operation %" G_GINT64_FORMAT ", expected 0 to 31",
                               values[0]);
  if (values[4] < 0 || values[5] < 0 || sync < PD_DIM_ASYNC || sync > PD_DIM_ROOT_SYNC)
    return pd_dim_reader_fail (self, PD_TRACE_ERROR_VALUE,
                               "%" G_GINT64_FORMAT " bytes sent, %" G_GINT64_FORMAT
                               " received, synchronisation %" G_GINT64_FORMAT
                               "; expected 0 or more, 0 or more, 0 to 3",
                               values[4], values[5], sync);
  PdDimComm *comm = pd_dim_survey_find_comm (&self->survey, values[1]);
  pd_dim_reader_stop_repeats (self); /* its root is not in its text */
  if (comm == NULL || pd_dim_comm_get_rank (comm, self->task) < 0)
    return pd_dim_reader_fail (
        self, PD_TRACE_ERROR_VALUE, "communicator %" G_GINT64_FORMAT " %s task %" G_GINT64_FORMAT,
        values[1], comm == NULL ? "is not defined, used by" : "is without", self->task);
  return sync == PD_DIM_WAIT ? wait_for_collective (self, values[0], comm)
                             : start_collective (self, values, sync, comm);
}
