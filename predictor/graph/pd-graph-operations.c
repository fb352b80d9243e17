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

static PdLane
lane_of (const PdGraphRun *self, const PdGraphOp *op)
{
  return self->has_lanes ? (PdLane){ op->cpu, op->nic } : (PdLane){ 0, 0 };
}

/* The operations that one event made ready, sends first. */
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
          PdLane lane = { 0, 0 };
          if (self->has_lanes)
            {
              PdGraphOp what = pd_graph_cell_decode (&self->cells[r->first + op], self->wide);
              lane = lane_of (self, &what);
            }
          pd_comsys_submit (self->comsys, rank, op, lane, self->ready[r->first + op]);
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

/* The operation that kept a CPU. */
static void
watch_kept (const PdGraphRun *self, const PdKept *kept)
{
  if (kept->until.ps > kept->since.ps)
    PD_WATCH (self->params->watchers, kept, kept);
}

static void
message_received (gpointer data, guint32 rank, guint8 cpu, PdTime since, PdTime until)
{
  const PdGraphRun *self = data;

  watch_kept (self, &(PdKept){ .rank = rank,
                               .kind = PD_GRAPH_RECV,
                               .cpu = cpu,
                               .is_only = self->n_lanes == 1,
                               .since = since,
                               .until = until });
}

/* When the last CPU of @rank is free for good. */
PdTime
pd_graph_operations_end (const PdGraphRun *self, guint32 rank)
{
  PdTime end = PD_TIME_ZERO;

  for (guint32 cpu = 0; cpu < self->n_lanes; cpu++)
    end = pd_time_max (end, pd_comsys_get_processor_free (self->comsys, rank, (guint8) cpu));
  return end;
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

  const PdGraphTotals *totals = pd_graph_get_totals (self->params->graph);
  PdLanes lanes = { 1, 1, FALSE };

  if (pd_comsys_may_have_lanes (self->comsys))
    lanes = (PdLanes){ totals->max_cpu + 1u, totals->max_nic + 1u, totals->sends_any };
  self->has_lanes = lanes.n_cpus > 1 || lanes.n_nics > 1;
  self->n_lanes = lanes.n_cpus;
  self->ready = g_new0 (PdTime, MAX (totals->n_ops, 1));
  pd_comsys_set_operations (self->comsys, &events, &lanes);
}

/* Returns: whether it has started. */
static gboolean
try_op (PdGraphRun *self, guint32 rank, guint32 op, const PdGraphOp *what)
{
  PdLane lane = lane_of (self, what);

  if (what->kind == PD_GRAPH_SEND)
    return pd_comsys_try_send (self->comsys, rank, op, lane, pd_graph_envelope (what));
  if (what->kind == PD_GRAPH_RECV)
    return pd_comsys_try_receive (self->comsys, rank, op, lane, pd_graph_envelope (what));

  PdTime time = pd_graph_get_calc_time (self, rank, op, what->size);
  if (!pd_comsys_try_compute (self->comsys, rank, op, lane, time))
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
  guint8 cpu = lane_of (self, &what).cpu;
  PdTime free = pd_comsys_get_processor_free (self->comsys, turn->rank, cpu);
  self->overflow = self->overflow || free.ps == G_MAXINT64;
  if (what.kind != PD_GRAPH_RECV)
    watch_kept (self, &(PdKept){ .rank = turn->rank,
                                 .kind = what.kind,
                                 .cpu = cpu,
                                 .is_only = self->n_lanes == 1,
                                 .since = turn->when,
                                 .until = free });
}
