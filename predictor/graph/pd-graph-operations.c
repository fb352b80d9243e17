/* Dependency graphs where messages keep processors: operations that are ready are submitted to
 * ComSys, which has the queues of processors and adapters and says what starts and ends when.
 * Here is what waits for what.
 * SPDX-License-Identifier: MIT */
#include "comsys/mpi/pd-comsys-core.h"
#include "comsys/p2p/pd-operations.h"
#include "predictor/graph/pd-graph-run-private.h"

void
pd_graph_operations_follow (PdGraphRun *self, guint32 rank, guint32 op)
{
  PdTime *ready = &self->ready[self->ranks[rank].first + op];

  *ready = pd_time_max (*ready, self->moment);
  PD_WATCH (self->params->watchers, token, PD_TOKEN_FOLLOW, rank, op);
}

/* What has become ready by one event, sends first. */
static void
submit_batch (gpointer data, guint32 rank)
{
  PdGraphRun *self = data;
  const PdGraphRank *r = &self->ranks[rank];

  for (PdGraphKind kind = 0; kind < PD_GRAPH_N_KINDS; kind++)
    {
      PdGraphList *batch = &self->batch[kind];
      while (batch->head != PD_GRAPH_NONE)
        {
          guint32 op = pd_graph_take_first (self->links + r->first, batch);
          pd_comsys_submit (self->comsys, rank, op, self->ready[r->first + op]);
        }
    }
}

static void
op_started (gpointer data, guint32 rank, guint32 op)
{
  PdGraphRun *self = data;
  const PdGraphRank *r = &self->ranks[rank];

  PD_WATCH (self->params->watchers, is_at,
            &(PdDeed){ .number = op, .rank = rank, .begin = self->clock });
  self->links[r->first + op] = PD_GRAPH_FLYING;
  self->moment = self->clock;
  pd_graph_satisfy_all (self, r, r->first + op, TRUE);
}

static void
op_ended (gpointer data, guint32 rank, guint32 op, PdTime when)
{
  PdGraphRun *self = data;
  PdGraphRank *r = &self->ranks[rank];

  PD_WATCH (self->params->watchers, done, &(PdDeed){ .number = op, .rank = rank, .end = when });
  self->links[r->first + op] = PD_GRAPH_DONE;
  self->n_done++;
  self->moment = when;
  r->end = MAX (r->end, when.ps);
  pd_graph_satisfy_all (self, r, r->first + op, FALSE);
}

/* What kept the one CPU of a rank. */
static void
watch_kept (const PdGraphRun *self, guint32 rank, PdGraphKind kind, PdTime since, PdTime until)
{
  if (until.ps > since.ps)
    PD_WATCH (
        self->params->watchers, kept,
        &(PdKept){ .rank = rank, .kind = kind, .is_only = TRUE, .since = since, .until = until });
}

static void
message_received (gpointer data, guint32 rank, PdTime since, PdTime until)
{
  watch_kept (data, rank, PD_GRAPH_RECV, since, until);
}

void
pd_graph_operations_init (PdGraphRun *self)
{
  const PdOperationEvents events = {
    .data = self,
    .started = op_started,
    .ended = op_ended,
    .told = submit_batch,
    .received = message_received,
  };

  self->ready = g_new0 (PdTime, MAX (pd_graph_get_totals (self->params->graph)->n_ops, 1));
  pd_comsys_set_operations (self->comsys, &events);
}

/* Returns: whether it has started. */
static gboolean
try_op (PdGraphRun *self, guint32 rank, guint32 op, const PdGraphOp *what)
{
  if (what->kind == PD_GRAPH_SEND)
    return pd_comsys_try_send (self->comsys, rank, op, pd_graph_envelope (what));
  if (what->kind == PD_GRAPH_RECV)
    return pd_comsys_try_receive (self->comsys, rank, op, pd_graph_envelope (what));

  PdTime time = pd_graph_get_calc_time (self, rank, op, what->size);
  if (!pd_comsys_try_compute (self->comsys, rank, op, time))
    return FALSE;
  self->ranks[rank].calc = pd_time_add (PD_TIME (self->ranks[rank].calc), time).ps;
  return TRUE;
}

void
pd_graph_operations_turn (PdGraphRun *self, const PdTurn *turn)
{
  const PdGraphRank *r = &self->ranks[turn->rank];

  if (turn->token == PD_GRAPH_TOKEN_BEGIN)
    {
      pd_graph_begin (self, r);
      submit_batch (self, turn->rank);
      return;
    }
  PdGraphOp what = pd_graph_cell_decode (&self->cells[r->first + turn->token], self->wide);
  if (!try_op (self, turn->rank, turn->token, &what))
    return;
  PdTime free = pd_comsys_get_processor_free (self->comsys, turn->rank);
  self->overflow = self->overflow || free.ps == G_MAXINT64;
  if (what.kind != PD_GRAPH_RECV)
    watch_kept (self, turn->rank, what.kind, turn->when, free);
}
