/* The main loop of message-passing programs.
 * SPDX-License-Identifier: MIT */
#include "predictor/mp/pd-mp-state.h"

#include "comsys/mpi/pd-comsys-core.h"
#include "comsys/mpi/pd-main-loop.h"
#include "predictor/dvm/simulate/pd-simulation.h"
#include "comsys/p2p/pd-scheduler.h"
#include "predictor/mp/pd-mp-actions.h"
#include "predictor/mp/pd-mp-deadlock-private.h"
#include "predictor/mp/pd-mp-intervals.h"
#include "predictor/mp/pd-mp-order-private.h"
#include "predictor/mp/pd-mp-run.h"
#include "predictor/mp/pd-mp-windows-private.h"
#include "comsys/queue/pd-lines.h"

/* How often the user's wish to stop is looked at, in turns. */
#define STOP_MASK 1023u

/* The rank has done the action at @cell, and is at its clock; @cpu: what it had
 * computed before. */
static void
watch (PdMp *self, guint32 rank, const PdProgramCell *cell, PdTime begin, gint64 cpu)
{
  const PdMpRank *r = &self->ranks[rank];
  const PdDeed deed = { .what = cell,
                        .rank = rank,
                        .begin = begin,
                        .end = r->clock,
                        .computed = PD_TIME (MAX (r->cpu - cpu, 0)) };

  PD_WATCH (self->watchers, done, &deed);
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
  pd_mp_conclude_call (self, rank, r);
  if (G_UNLIKELY (self->watchers != NULL) && r->cell != cell)
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
      if (!pd_mp_act (self, rank, r))
        return FALSE;
      if (r->cell != cell && cell->kind != PD_CELL_LOOP)
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
  if (G_UNLIKELY (self->watchers != NULL) && !act_watched (self, rank, r))
    return TRUE;
  if (!pd_mp_act_on (self, rank, r))
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
        pd_prefetch (&self->ranks[soon]);
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

/* The calls of the blocked ranks. */
static void
watch_blocked (PdMp *self)
{
  for (guint32 rank = 0; self->watchers != NULL && rank < self->n; rank++)
    {
      const PdMpRank *r = &self->ranks[rank];
      const PdDeed deed = {
        .what = r->cell, .rank = rank, .begin = r->began, .end = PD_TIME_PENDING
      };
      if (r->cell != r->end && r->state == PD_MP_CALLED)
        PD_WATCH (self->watchers, blocked, &deed);
    }
}

/* The trace is cut: ranks that wait for missing records have come as far as they
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
                     "%u of %u ranks wait for missing messages or operations at the end of the "
                     "trace: they are predicted up to that point",
                     n, self->n);
}

gboolean
pd_mp_run (PdMp *self, GError **error)
{
  self->is_unordered = pd_mp_is_unordered (self);
  self->is_fifo = pd_comsys_set_asks (self->comsys);
  for (guint32 rank = 0; rank < self->n; rank++)
    pd_comsys_ready (self->comsys, rank, PD_TIME_ZERO);
  if (!run_all (self, error))
    return FALSE;
  watch_blocked (self);
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
