/* The main loop of dependency graphs on machines of any kind.
 *
 * The operations of a rank are in lists through one array of links: operations that have
 * just become ready, by kind; behind these, in the order of LogGOPSim, operations that have
 * not asked for a CPU yet; and operations that wait for a busy CPU. An operation is in one
 * of them at most, so nothing is allocated. While no other operation of a rank is under way
 * it continues without the queue as long as no other rank comes before. Where messages keep
 * processors, all this is ComSys's: see pd-graph-operations.c.
 * SPDX-License-Identifier: MIT */
#include "predictor/graph/pd-graph-run-private.h"
#include "predictor/common/pd-errors.h"
#include "comsys/mpi/pd-calls.h"
#include "comsys/p2p/pd-operations.h"
#include "comsys/mpi/pd-persistent.h"
#include "comsys/p2p/pd-scheduler.h"
#include "comsys/mpi/pd-comsys-core.h"
#include "comsys/mpi/pd-main-loop.h"
#include "comsys/state/pd-comsys-types.h"
#include "predictor/graph/pd-goal-result.h"
#include "predictor/graph/pd-graph-run-init-private.h"
#include "comsys/queue/pd-lines.h"

/* How often the user's wish to stop is looked at, in turns. */
#define STOP_MASK 1023u

/* Operations made ready by one event are behind those that were ready before. */
static inline void
flush_batch (PdGraphRun *self, PdGraphRank *r)
{
  for (guint kind = 0; kind < PD_GRAPH_N_KINDS; kind++)
    {
      PdGraphList *batch = &self->batch[kind];
      if (batch->head == PD_GRAPH_NONE)
        continue;
      if (r->ready.head == PD_GRAPH_NONE)
        r->ready = *batch;
      else
        {
          self->links[r->first + r->ready.tail] = batch->head;
          r->ready.tail = batch->tail;
        }
      *batch = PD_GRAPH_EMPTY;
    }
}

static void
end_op (PdGraphRun *self, PdGraphRank *r, guint32 op)
{
  PD_WATCH (self->params->watchers, done,
            &(PdDeed){ .number = op, .rank = (guint32) (r - self->ranks), .end = self->clock });
  self->links[r->first + op] = PD_GRAPH_DONE;
  self->n_done++;
  r->end = MAX (r->end, self->clock.ps);
  pd_graph_satisfy_all (self, r, r->first + op, FALSE);
}

/* ---- CPUs */

static PdGraphCpu *
find_cpu (const PdGraphRun *self, const PdGraphRank *r, guint32 op)
{
  PdGraphCpu *cpus = &self->cpus[r->cpus];

  if (r->n_cpus == 1)
    return cpus;
  guint32 number = pd_graph_cell_decode (&self->cells[r->first + op], self->wide).cpu;
  guint32 low = 0, high = r->n_cpus;
  if (number < high && cpus[number].number == number)
    return &cpus[number];
  while (low + 1 < high)
    {
      guint32 middle = (low + high) / 2;
      if (cpus[middle].number <= number)
        low = middle;
      else
        high = middle;
    }
  return &cpus[low];
}

/* The CPU does @op until the rank's call returns. */
static void
watch_kept (const PdGraphRun *self, guint32 rank, const PdGraphCpu *cpu, guint32 op)
{
  const PdGraphRank *r = &self->ranks[rank];

  PD_WATCH (self->params->watchers, kept,
            &(PdKept){ .rank = rank,
                       .kind = pd_graph_cell_decode (&self->cells[r->first + op], self->wide).kind,
                       .cpu = cpu->number,
                       .is_only = r->n_cpus == 1,
                       .since = self->clock,
                       .until = r->ret });
}

/* The same; @ends: that is the end of the operation. */
static void
keep_cpu (PdGraphRun *self, guint32 rank, PdGraphCpu *cpu, guint32 op, gboolean ends)
{
  PdGraphRank *r = &self->ranks[rank];
  PdTime until = r->ret;

  cpu->op = op;
  cpu->ends = ends;
  if (until.ps == G_MAXINT64)
    self->overflow = TRUE;
  watch_kept (self, rank, cpu, op);
  if (self->own_clock && r->n_flying == 0 && pd_comsys_may_go_on (self->comsys, rank, until))
    {
      PD_WATCH (self->params->watchers, go_on, rank);
      self->clock = until;
      cpu->op = PD_GRAPH_NONE;
      r->end = MAX (r->end, until.ps);
      flush_batch (self, r);
      if (ends)
        end_op (self, r, op);
      return;
    }
  r->n_flying++;
  guint32 token = PD_GRAPH_TOKEN_CPU + (guint32) (cpu - &self->cpus[r->cpus]);
  PD_WATCH (self->params->watchers, token, PD_TOKEN_KEEP, rank, token);
  pd_comsys_ready_token (self->comsys, rank, until, token);
}

/* ---- operations */

static void
start_calc (PdGraphRun *self, guint32 rank, PdGraphCpu *cpu, guint32 op, gint64 ns)
{
  PdGraphRank *r = &self->ranks[rank];
  PdTime time = pd_graph_get_calc_time (self, rank, op, ns);

  if (time.ps == 0)
    {
      end_op (self, r, op);
      return;
    }
  r->calc = pd_time_add (PD_TIME (r->calc), time).ps;
  r->ret = pd_time_add (self->clock, time);
  PD_WATCH (self->params->watchers, spent,
            &(PdSpan){ PD_SPAN_COMPUTE, rank, 0, self->clock, r->ret });
  keep_cpu (self, rank, cpu, op, TRUE);
}

/* The call of a message has been made. */
static void
called (PdGraphRun *self, guint32 rank, PdGraphCpu *cpu, guint32 op, PdRequest request)
{
  PdGraphRank *r = &self->ranks[rank];
  PdTime done = pd_comsys_notify_unless_known (self->comsys, request, op);
  gboolean keeps = r->ret.ps != self->clock.ps, ends = done.ps == r->ret.ps && keeps;

  if (!pd_time_is_pending (done) && (ends || done.ps <= self->clock.ps))
    PD_WATCH (self->params->watchers, token, PD_TOKEN_JOIN, rank, op);
  if (pd_time_is_pending (done))
    {
      r->n_flying++;
      ends = FALSE;
    }
  else if (done.ps <= self->clock.ps)
    end_op (self, r, op);
  else if (!ends)
    {
      r->n_flying++;
      pd_comsys_ready_token (self->comsys, rank, done, op);
    }
  if (keeps)
    keep_cpu (self, rank, cpu, op, ends);
  else
    watch_kept (self, rank, cpu, op);
}

static void
start_message (PdGraphRun *self, guint32 rank, PdGraphCpu *cpu, guint32 op, const PdGraphOp *what)
{
  PdCall call = { rank, self->clock, &self->ranks[rank].ret, NULL };
  PdEnvelope envelope = pd_graph_envelope (what);
  PdRequest request = what->kind == PD_GRAPH_SEND
                          ? pd_comsys_isend (self->comsys, &call, self->world, envelope)
                          : pd_comsys_irecv (self->comsys, &call, self->world, envelope);

  called (self, rank, cpu, op, request);
}

/* The CPU is free. */
static void
start_op (PdGraphRun *self, guint32 rank, PdGraphCpu *cpu, guint32 op)
{
  PdGraphRank *r = &self->ranks[rank];
  PdGraphOp what = pd_graph_cell_decode (&self->cells[r->first + op], self->wide);

  PD_WATCH (self->params->watchers, is_at,
            &(PdDeed){ .number = op, .rank = rank, .begin = self->clock });
  self->links[r->first + op] = PD_GRAPH_FLYING;
  pd_graph_satisfy_all (self, r, r->first + op, TRUE);
  if (what.kind == PD_GRAPH_CALC)
    start_calc (self, rank, cpu, op, what.size);
  else
    start_message (self, rank, cpu, op, &what);
  flush_batch (self, r);
}

/* ---- turns */

/* Everything that can start now does, what @cpu (nullable) was waited for by first. */
static void
go_on (PdGraphRun *self, guint32 rank, PdGraphCpu *cpu)
{
  PdGraphRank *r = &self->ranks[rank];
  guint32 *links = self->links + r->first;

  for (;;)
    if (cpu != NULL && cpu->op == PD_GRAPH_NONE && cpu->waiting.head != PD_GRAPH_NONE)
      start_op (self, rank, cpu, pd_graph_take_first (links, &cpu->waiting));
    else if (r->ready.head != PD_GRAPH_NONE)
      {
        guint32 op = pd_graph_take_first (links, &r->ready);
        PdGraphCpu *own = find_cpu (self, r, op);
        if (own->op == PD_GRAPH_NONE)
          start_op (self, rank, own, op);
        else
          pd_graph_append (links, &own->waiting, op);
      }
    else
      return;
}

static void
take_turn (PdGraphRun *self, const PdTurn *turn)
{
  PdGraphRank *r = &self->ranks[turn->rank];
  PdGraphCpu *cpu = NULL;

  PD_WATCH (self->params->watchers, turn, turn);
  r->n_flying--;
  if (turn->token == PD_GRAPH_TOKEN_BEGIN)
    pd_graph_begin (self, r);
  else if (turn->token < PD_GRAPH_TOKEN_CPU)
    end_op (self, r, turn->token);
  else
    {
      cpu = &self->cpus[r->cpus + turn->token - PD_GRAPH_TOKEN_CPU];
      guint32 op = cpu->op;
      cpu->op = PD_GRAPH_NONE;
      r->end = MAX (r->end, turn->when.ps);
      if (cpu->ends)
        end_op (self, r, op);
    }
  flush_batch (self, r);
  go_on (self, turn->rank, r->n_cpus == 1 ? &self->cpus[r->cpus] : cpu);
}

static gboolean
run_all (PdGraphRun *self, GError **error)
{
  const volatile sig_atomic_t *stop = self->params->stop;
  guint turns = 0;
  PdTurn turn;

  while (pd_comsys_next_event (self->comsys, &turn))
    {
      guint32 soon = pd_comsys_peek (self->comsys);
      if (soon < self->n_ranks)
        {
          const PdGraphRank *r = &self->ranks[soon];
          pd_prefetch (r);
          pd_prefetch (&self->cpus[r->cpus]);
        }
      self->clock = turn.when;
      self->overflow = turn.when.ps == G_MAXINT64;
      if (self->ready != NULL)
        pd_graph_operations_turn (self, &turn);
      else
        take_turn (self, &turn);
      if (G_UNLIKELY (self->overflow))
        {
          g_set_error (error, PD_SIMULATION_ERROR, PD_SIMULATION_ERROR_OVERFLOW,
                       "the clock of rank %u runs beyond 106 days", turn.rank);
          return FALSE;
        }
      if ((++turns & STOP_MASK) == 0 && stop != NULL && *stop != 0)
        {
          g_set_error (error, PD_SIMULATION_ERROR, PD_SIMULATION_ERROR_INTERRUPTED, "interrupted");
          return FALSE;
        }
    }
  return TRUE;
}

/* ---- the end */

/* The first operation of each rank that has started and is not over. */
static GArray *
collect_flying (const PdGraphRun *self, guint32 n_ranks)
{
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (PdGoalBlocked));

  for (guint32 rank = 0; rank < n_ranks; rank++)
    for (guint32 i = self->ranks[rank].first; i < self->ranks[rank + 1].first; i++)
      if (self->links[i] == PD_GRAPH_FLYING)
        {
          PdGraphOp op = pd_graph_cell_decode (&self->cells[i], self->wide);
          PdGoalBlocked row = { .rank = rank,
                                .op = i - self->ranks[rank].first,
                                .kind = op.kind,
                                .peer = op.peer,
                                .tag = op.tag,
                                .bytes = op.size };
          g_array_append_val (rows, row);
          break;
        }
  return rows;
}

static gboolean
conclude (PdGraphRun *self, PdTime *calcs, PdGoalResult *result, GError **error)
{
  const PdGraphTotals *totals = pd_graph_get_totals (self->params->graph);

  result->ends = g_new (PdTime, result->n_ranks);
  for (guint32 rank = 0; rank < result->n_ranks; rank++)
    {
      result->ends[rank] = PD_TIME (self->ranks[rank].end);
      if (self->ready != NULL)
        result->ends[rank] = pd_time_max (result->ends[rank], pd_graph_operations_end (self, rank));
      result->end = pd_time_max (result->end, result->ends[rank]);
      calcs[rank] = PD_TIME (self->ranks[rank].calc);
    }
  result->n_messages = totals->n_of[PD_GRAPH_SEND];
  result->n_bytes = totals->n_sent;
  result->n_events = totals->n_ops + result->n_messages;
  result->n_unmatched = pd_comsys_finalize (self->comsys);
  result->unmatched.rank = PD_GRAPH_ANY;
  if (self->n_done == totals->n_ops)
    return TRUE;
  g_autoptr (GArray) rows = collect_flying (self, result->n_ranks);
  pd_goal_set_deadlock (self->params->graph, rows, result, error);
  return FALSE;
}

gboolean
pd_graph_run (const PdGraphRunParams *params, PdTime *calcs, PdGoalResult *result, GError **error)
{
  PdGraphRun self;

  *result = (PdGoalResult){ .n_ranks = pd_graph_get_n_ranks (params->graph),
                            .blocked = g_array_new (FALSE, FALSE, sizeof (PdGoalBlocked)) };
  pd_graph_run_init (&self, params);
  gboolean done = run_all (&self, error) && conclude (&self, calcs, result, error);
  pd_graph_run_clear (&self);
  return done;
}
