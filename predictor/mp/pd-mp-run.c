/* The main loop of message-passing programs, and the kinds of action that are
 * most of every program: these are decoded where they lie.
 * SPDX-License-Identifier: MIT */
#include "predictor/mp/pd-mp-state.h"

#include "comsys/mpi/pd-main-loop.h"
#include "predictor/dvm/simulate/pd-simulation.h"
#include "comsys/mpi/pd-calls.h"
#include "comsys/p2p/pd-scheduler.h"
#include "comsys/mpi/pd-wait.h"
#include "predictor/mp/pd-mp-calls.h"
#include "predictor/mp/pd-mp-collective.h"
#include "predictor/mp/pd-mp-deadlock-private.h"
#include "predictor/mp/pd-mp-intervals.h"
#include "predictor/mp/pd-mp-order-private.h"
#include "predictor/mp/pd-mp-persistent-private.h"
#include "predictor/mp/pd-mp-run.h"
#include "predictor/mp/pd-mp-timeline-private.h"
#include "predictor/mp/pd-mp-waits.h"
#include "predictor/mp/pd-mp-windows-private.h"
#include "traces/program/pd-action.h"

/* How often the user's wish to stop is looked at, in turns. */
#define STOP_MASK 1023u

/* ---- computation */

void
pd_mp_compute (PdMp *self, guint32 rank, PdAmount amount, guint32 part)
{
  PdMpRank *r = &self->ranks[rank];
  PdTime t = pd_mp_time_of (self->is_flops, amount, r->scale);

  if (self->noise != NULL)
    {
      const PdProgramCell *end;
      guint64 step = (guint64) (r->cell - pd_program_get_cells (self->program, rank, &end));
      t = pd_noise_apply (self->noise, rank, step, part, t);
    }
  r->clock = pd_time_add (r->clock, t);
  r->cpu = pd_time_add (PD_TIME (r->cpu), t).ps;
}

static gboolean
act_compute (PdMp *self, guint32 rank, PdMpRank *r)
{
  pd_mp_compute (self, rank, r->cell->amount, 0);
  r->cell = pd_mp_next (r->cell);
  return TRUE;
}

static gboolean
act_delay (PdMp *self, guint32 rank, PdMpRank *r)
{
  if (self->critical != NULL)
    pd_critical_delay (self->critical,
                       &(PdCriticalInterval){ rank, r->node, r->clock,
                                              pd_time_add (r->clock, r->cell->amount.time) });
  r->clock = pd_time_add (r->clock, r->cell->amount.time);
  r->cpu = pd_time_add (PD_TIME (r->cpu), r->cell->amount.time).ps;
  r->cell = pd_mp_next (r->cell);
  return TRUE;
}

/* ---- messages */

/* Who the cell's message is with. */
typedef struct
{
  PdComm *comm;
  PdEnvelope envelope;
  guint32 request;
} Message;

static inline Message
read_message (const PdMp *self, const PdProgramCell *cell)
{
  PdAction action;

  if (G_LIKELY ((cell->kind & PD_CELL_MORE) == 0))
    return (
        Message){ self->comms[cell->comm], { cell->peer, cell->tag, cell->bytes }, cell->request };
  pd_action_read (cell, &action);
  return (Message){ self->comms[action.comm], pd_mp_recorded_envelope (self, &action),
                    action.request };
}

static gboolean
act_send (PdMp *self, guint32 rank, PdMpRank *r)
{
  if (!pd_mp_may_call (self, rank, r))
    return FALSE;
  Message m = read_message (self, r->cell);
  PdCall call = pd_mp_call (rank, r);
  r->n_sends++;
  pd_comsys_send (self->comsys, &call, m.comm, m.envelope);
  return pd_mp_return (r, PD_MP_SENDRECV);
}

static gboolean
act_recv (PdMp *self, guint32 rank, PdMpRank *r)
{
  if (!pd_mp_may_call (self, rank, r))
    return FALSE;
  Message m = read_message (self, r->cell);
  PdCall call = pd_mp_call (rank, r);
  r->n_receives++;
  pd_comsys_recv (self->comsys, &call, m.comm, m.envelope);
  return pd_mp_return (r, PD_MP_SENDRECV);
}

static gboolean
act_isend (PdMp *self, guint32 rank, PdMpRank *r)
{
  if (!pd_mp_may_call (self, rank, r))
    return FALSE;
  Message m = read_message (self, r->cell);
  PdRequest *slot = pd_mp_free_slot (self, r, m.request);
  PdCall call = pd_mp_call (rank, r);
  r->n_sends++;
  *slot = pd_comsys_isend (self->comsys, &call, m.comm, m.envelope);
  return pd_mp_return (r, PD_MP_SENDRECV);
}

static gboolean
act_irecv (PdMp *self, guint32 rank, PdMpRank *r)
{
  if (!pd_mp_may_call (self, rank, r))
    return FALSE;
  Message m = read_message (self, r->cell);
  PdRequest *slot = pd_mp_free_slot (self, r, m.request);
  PdCall call = pd_mp_call (rank, r);
  r->n_receives++;
  *slot = pd_comsys_irecv (self->comsys, &call, m.comm, m.envelope);
  return pd_mp_return (r, PD_MP_SENDRECV);
}

static gboolean
act_wait (PdMp *self, guint32 rank, PdMpRank *r)
{
  PdAction action = { .request = r->cell->request };

  if (!pd_mp_may_call (self, rank, r))
    return FALSE;
  if (G_UNLIKELY ((r->cell->kind & PD_CELL_MORE) != 0))
    pd_action_read (r->cell, &action);
  PdCall call = pd_mp_call (rank, r);
  r->n_waits++;
  pd_comsys_wait (self->comsys, &call, &r->slots[action.request]);
  return pd_mp_return (r, PD_MP_SENDRECV);
}

/* ---- all kinds */

static const PdMpAct acts[PD_N_ACTS] = {
  [PD_ACT_COMPUTE] = act_compute,
  [PD_ACT_DELAY] = act_delay,
  [PD_ACT_SEND] = act_send,
  [PD_ACT_BSEND] = pd_mp_act_other_send,
  [PD_ACT_SSEND] = pd_mp_act_other_send,
  [PD_ACT_RSEND] = pd_mp_act_other_send,
  [PD_ACT_ISEND] = act_isend,
  [PD_ACT_IBSEND] = pd_mp_act_other_isend,
  [PD_ACT_ISSEND] = pd_mp_act_other_isend,
  [PD_ACT_IRSEND] = pd_mp_act_other_isend,
  [PD_ACT_RECV] = act_recv,
  [PD_ACT_IRECV] = act_irecv,
  [PD_ACT_SENDRECV] = pd_mp_act_sendrecv,
  [PD_ACT_SEND_INIT] = pd_mp_act_persistent,
  [PD_ACT_BSEND_INIT] = pd_mp_act_persistent,
  [PD_ACT_SSEND_INIT] = pd_mp_act_persistent,
  [PD_ACT_RSEND_INIT] = pd_mp_act_persistent,
  [PD_ACT_RECV_INIT] = pd_mp_act_persistent,
  [PD_ACT_START] = pd_mp_act_start,
  [PD_ACT_REQUEST_FREE] = pd_mp_act_request,
  [PD_ACT_CANCEL] = pd_mp_act_request,
  [PD_ACT_WAIT] = act_wait,
  [PD_ACT_WAITALL] = pd_mp_act_waitall,
  [PD_ACT_WAITANY] = pd_mp_act_waitany,
  [PD_ACT_WAITSOME] = pd_mp_act_waitany,
  [PD_ACT_TEST] = pd_mp_act_test,
  [PD_ACT_TESTALL] = pd_mp_act_test,
  [PD_ACT_TESTANY] = pd_mp_act_test,
  [PD_ACT_TESTSOME] = pd_mp_act_test,
  [PD_ACT_PROBE] = pd_mp_act_probe,
  [PD_ACT_IPROBE] = pd_mp_act_probe,
  [PD_ACT_COLLECTIVE] = pd_mp_act_collective,
  [PD_ACT_ICOLLECTIVE] = pd_mp_act_icollective,
  [PD_ACT_COMM_FREE] = pd_mp_act_comm_free,
  [PD_ACT_PUT] = pd_mp_act_transfer,
  [PD_ACT_GET] = pd_mp_act_transfer,
  [PD_ACT_ACCUMULATE] = pd_mp_act_transfer,
  [PD_ACT_WIN_FENCE] = pd_mp_act_fence,
  [PD_ACT_WIN_LOCK] = pd_mp_act_lock,
  [PD_ACT_WIN_UNLOCK] = pd_mp_act_lock,
  [PD_ACT_OTHER] = pd_mp_act_not_modelled,
  [PD_ACT_LOCAL] = pd_mp_act_local,
  [PD_ACT_ENTER] = pd_mp_act_enter,
  [PD_ACT_LEAVE] = pd_mp_act_leave,
  [PD_ACT_LOCATION] = pd_mp_act_location,
  [PD_ACT_ALIKE_BEGIN] = pd_mp_act_alike,
  [PD_ACT_ALIKE_END] = pd_mp_act_alike,
};

/* ---- the main loop */

/* The rank has done the action at @cell, and is at its clock; @cpu: what it had
 * computed before. */
static void
watch (PdMp *self, guint32 rank, const PdProgramCell *cell, PdTime begin, gint64 cpu)
{
  PdTime end = self->ranks[rank].clock;
  gint64 computed = MAX (self->ranks[rank].cpu - cpu, 0);

  if (self->log != NULL)
    pd_mp_log_action (self->log, rank, cell, begin, end);
  if (self->replay != NULL)
    pd_mp_replay_add (self->replay, rank, cell, begin, end, PD_TIME (computed));
  if (self->timeline != NULL)
    pd_mp_timeline_action (self, rank, cell, begin, PD_TIME (computed));
}

/* What some calls leave to be done when they return. */
static void
conclude_call (PdMp *self, guint32 rank, PdMpRank *r)
{
  switch (r->cell->kind & ~PD_CELL_MORE)
    {
    case PD_ACT_COLLECTIVE:
    case PD_ACT_WIN_FENCE:
      pd_mp_collective_returned (self, rank, r);
      break;
    case PD_ACT_WAITANY:
    case PD_ACT_WAITSOME:
      pd_mp_any_returned (self, rank, r);
      break;
    default:
      r->cell = pd_mp_next (r->cell);
    }
}

/* The rank's call has returned at its clock. */
static void
end_call (PdMp *self, guint32 rank, PdMpRank *r)
{
  const PdProgramCell *cell = r->cell;
  PdTime began = r->began;
  gint64 cpu = r->cpu;

  r->state = PD_MP_READY;
  r->spent[r->category] += r->clock.ps - r->began.ps;
  conclude_call (self, rank, r);
  if (G_UNLIKELY (self->is_watched) && r->cell != cell)
    watch (self, rank, cell, began, cpu);
}

/* Acts until the rank waits; returns whether it is through. */
static gboolean
act_watched (PdMp *self, guint32 rank, PdMpRank *r)
{
  while (r->cell != r->end)
    {
      const PdProgramCell *cell = r->cell;
      PdTime begin = r->clock;
      gint64 cpu = r->cpu;
      if (!acts[cell->kind & ~PD_CELL_MORE](self, rank, r))
        return FALSE;
      if (r->cell != cell)
        watch (self, rank, cell, begin, cpu);
    }
  return TRUE;
}

/* The rank acts until it waits, is queued for later, or has finished. */
static gboolean
take_turn (PdMp *self, guint32 rank, PdTime when, GError **error)
{
  PdMpRank *r = &self->ranks[rank];

  if (r->state == PD_MP_READY) /* messages that arrive may keep its processor busy */
    r->spent[PD_MP_SENDRECV] += when.ps - r->clock.ps;
  self->turn = r->clock = when;
  self->n_ahead = self->is_unordered ? PD_MP_AHEAD : 0;
  if (r->state == PD_MP_CALLED)
    end_call (self, rank, r);
  if (r->state == PD_MP_CALLED) /* again */
    return TRUE;
  if (G_UNLIKELY (self->is_watched) && !act_watched (self, rank, r))
    return TRUE;
  while (r->cell != r->end)
    if (!acts[r->cell->kind & ~PD_CELL_MORE](self, rank, r))
      return TRUE;
  if (r->clock.ps < G_MAXINT64 && !pd_mp_may_act (self, rank, r))
    return TRUE;
  self->n_finished++;
  pd_mp_close_intervals (self, rank);
  if (r->clock.ps < G_MAXINT64)
    return TRUE;
  g_set_error (error, PD_SIMULATION_ERROR, PD_SIMULATION_ERROR_OVERFLOW,
               "the clock of rank %u runs beyond 106 days", rank);
  return FALSE;
}

static gboolean
run_all (PdMp *self, GError **error)
{
  const volatile sig_atomic_t *stop = self->options->stop;
  guint turns = 0;
  guint32 rank;
  PdTime when;

  while (pd_comsys_next (self->comsys, &rank, &when))
    {
      guint32 soon = pd_comsys_peek (self->comsys);
      if (soon < self->n)
        __builtin_prefetch (&self->ranks[soon], 1);
      if (!take_turn (self, rank, when, error))
        return FALSE;
      if ((++turns & STOP_MASK) == 0 && stop != NULL && *stop != 0)
        {
          g_set_error (error, PD_SIMULATION_ERROR, PD_SIMULATION_ERROR_INTERRUPTED, "interrupted");
          return FALSE;
        }
    }
  return TRUE;
}

/* What those that are blocked have called. */
static void
log_blocked (PdMp *self)
{
  for (guint32 rank = 0; self->log != NULL && rank < self->n; rank++)
    {
      const PdMpRank *r = &self->ranks[rank];
      if (r->cell != r->end && r->state == PD_MP_CALLED)
        pd_mp_log_action (self->log, rank, r->cell, r->began, PD_TIME_PENDING);
    }
}

/* The trace is cut: those that wait for what is missing have come as far as they
 * can. */
static void
end_blocked (PdMp *self)
{
  guint32 n = self->n - self->n_finished;

  for (guint32 rank = 0; rank < self->n; rank++)
    if (self->ranks[rank].cell != self->ranks[rank].end)
      pd_mp_flush (self, rank);
  if (n > 0)
    pd_messages_add (self->messages, PD_SEVERITY_WARNING, "ranks-cut", NULL, NULL,
                     "%u of %u ranks wait for what is missing at the end of the trace: they are "
                     "predicted up to there",
                     n, self->n);
}

gboolean
pd_mp_run (PdMp *self, GError **error)
{
  self->is_unordered = pd_mp_is_unordered (self);
  for (guint32 rank = 0; rank < self->n; rank++)
    pd_comsys_ready (self->comsys, rank, PD_TIME_ZERO);
  if (!run_all (self, error))
    return FALSE;
  log_blocked (self);
  if (self->options->incomplete)
    {
      end_blocked (self);
      return TRUE;
    }
  if (self->n_finished < self->n)
    {
      pd_mp_report_deadlock (self, error);
      return FALSE;
    }
  pd_mp_notify_epochs (self);
  return pd_simulation_check_matched (self->comsys, error);
}
