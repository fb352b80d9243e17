/* SPDX-License-Identifier: MIT */
#include "comsys/queue/pd-lines.h"
#include "predictor/dvm/simulate/pd-simulation-private.h"
#include "comsys/p2p/pd-scheduler.h"
#include "comsys/p2p/pd-wait-stats.h"
#include "comsys/mpi/pd-win.h"
#include "comsys/mpi/pd-comsys-core.h"
#include "comsys/mpi/pd-main-loop.h"
#include "predictor/dvm/simulate/pd-cproc-private.h"

/* Rows of the deadlock table. */
#define MAX_BLOCKED_SHOWN 16

guint64
pd_simulation_get_least_bytes (guint32 n)
{
  return n * sizeof (PdCProc);
}

PdSimulation *
pd_simulation_new (const PdSimulationContext *context)
{
  PdSimulation *self = g_new0 (PdSimulation, 1);

  self->context = *context;
  self->world = pd_comsys_get_world (context->comsys);
  self->procs = pd_lines_resize (NULL, 0, context->n);
  self->waits = g_new0 (PdWaitStats, context->n);
  pd_comsys_set_wait_stats (context->comsys, self->waits, FALSE);
  for (guint32 i = 0; i < context->n; i++)
    {
      self->procs[i].block = pd_data_server_enter (context->server);
      pd_comsys_ready (context->comsys, i, PD_TIME_ZERO);
    }
  return self;
}

void
pd_simulation_free (PdSimulation *self)
{
  if (self == NULL)
    return;
  for (guint32 rank = 0; rank < self->context.n; rank++)
    g_free (self->procs[rank].list);
  g_free (self->messages);
  pd_comsys_set_wait_stats (self->context.comsys, NULL, FALSE);
  g_free (self->waits);
  pd_lines_free (self->procs, self->context.n);
  g_free (self);
}

PdTime
pd_simulation_get_clock (const PdSimulation *self, guint32 processor)
{
  return self->procs[processor].clock;
}

static const PdStepDvm *
current_step (PdSimulation *self, guint32 rank, GError **error)
{
  PdCProc *proc = &self->procs[rank];

  return pd_data_server_get (self->context.server, &proc->block, proc->position, error);
}

/* With an observer no time has been spent before a step. */
static inline void
begin_step (PdSimulation *self, guint32 rank, const PdStepDvm *step)
{
  PdCProc *proc = &self->procs[rank];
  PdTime seq = step->seqs != NULL ? step->seqs[self->context.speed_of[rank]] : step->seq;

  proc->clock = pd_time_add (proc->clock, seq);
  proc->phase = 1;
}

/* The processor acts until it is blocked, queued for later, or finished. */
static gboolean
take_turn (PdSimulation *self, guint32 rank, PdTime when, GError **error)
{
  PdCProc *proc = &self->procs[rank];
  const PdStepDvm *step;
  GError *local = NULL;

  proc->clock = when;
  self->actor = rank;
  while ((step = current_step (self, rank, &local)) != NULL)
    {
      if (proc->phase == 0)
        begin_step (self, rank, step);
      PD_WATCH (self->context.watchers, is_at, &(PdDeed){ .what = step, .rank = rank });
      if (!pd_cproc_perform (self, rank, step))
        return TRUE;
      proc->phase = proc->index = 0;
      proc->position++;
    }
  self->n_finished++;
  if (local == NULL && proc->clock.ps == G_MAXINT64)
    g_set_error (&local, PD_SIMULATION_ERROR, PD_SIMULATION_ERROR_OVERFLOW,
                 "the clock of processor %u runs beyond 106 days", rank);
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, local);
  return FALSE;
}

/* ---- deadlocks */

void
pd_blocked_append (GString *table, guint32 rank, const char *function, const PdBlocked *blocked)
{
  g_string_append_printf (table, "\n%9u  %-18s", rank, function != NULL ? function : "-");
  if (blocked->peer >= 0)
    g_string_append_printf (table, " %9" G_GINT64_FORMAT, blocked->peer);
  else
    g_string_append_printf (table, " %9s", "any");
  if (blocked->tag >= 0)
    g_string_append_printf (table, " %10d", blocked->tag);
  else
    g_string_append_printf (table, " %10s", "any");
  g_string_append_printf (table, " %12" G_GINT64_FORMAT, blocked->bytes);
}

static void
describe_blocked (PdSimulation *self, guint32 rank, GString *table)
{
  const PdStepDvm *step = current_step (self, rank, NULL);
  PdBlocked blocked;

  pd_comsys_get_blocked (self->context.comsys, rank, &blocked);
  pd_blocked_append (table, rank, blocked.function, &blocked);
  if (step != NULL)
    g_string_append_printf (table, "  %s at %s:%" G_GINT64_FORMAT, step->name, step->file,
                            step->line);
}

static void
report_deadlock (PdSimulation *self, GError **error)
{
  g_autoptr (GString) table = g_string_new (NULL);
  guint32 shown = 0, blocked = self->context.n - self->n_finished;

  for (guint32 rank = 0; rank < self->context.n && shown < MAX_BLOCKED_SHOWN; rank++)
    {
      if (current_step (self, rank, NULL) == NULL)
        continue;
      describe_blocked (self, rank, table);
      shown++;
    }
  if (blocked > shown)
    g_string_append_printf (table, "\n… and %u more", blocked - shown);
  g_set_error (error, PD_SIMULATION_ERROR, PD_SIMULATION_ERROR_DEADLOCK,
               "deadlock: %u of %u processors wait for ever\n" PD_BLOCKED_HEADING "%s", blocked,
               self->context.n, table->str);
}

gboolean
pd_simulation_check_matched (const PdComsys *comsys, GError **error)
{
  guint64 n = pd_comsys_finalize (comsys) - pd_comsys_get_n_epochs (comsys);
  PdUnmatched first = { .peer = -1, .tag = -1 };

  if (n == 0)
    return TRUE;
  pd_comsys_find_unmatched (comsys, &first);
  g_autofree char *peer = first.peer < 0 ? g_strdup ("any source")
                                         : g_strdup_printf ("rank %" G_GINT64_FORMAT, first.peer);
  g_autofree char *tag =
      first.tag < 0 ? g_strdup ("any tag") : g_strdup_printf ("tag %d", first.tag);
  g_set_error (error, PD_SIMULATION_ERROR, PD_SIMULATION_ERROR_UNMATCHED,
               "%" G_GUINT64_FORMAT " messages were sent or expected but never matched; the first: "
               "rank %u %s %" G_GINT64_FORMAT " bytes %s %s with %s",
               n, first.rank, first.is_send ? "sends" : "expects", first.bytes,
               first.is_send ? "to" : "from", peer, tag);
  return FALSE;
}

gboolean
pd_simulation_run (PdSimulation *self, GError **error)
{
  guint32 rank;
  PdTime when;

  while (pd_comsys_next (self->context.comsys, &rank, &when))
    {
      self->soon = pd_comsys_peek (self->context.comsys);
      if (self->soon < self->context.n)
        {
          pd_prefetch (&self->procs[self->soon]);
          pd_prefetch (&self->waits[self->soon]);
          pd_prefetch (&self->waits[self->soon].last); /* it may lie in two lines */
        }
      if (!take_turn (self, rank, when, error))
        return FALSE;
      if (self->context.stop != NULL && *self->context.stop != 0)
        {
          g_set_error (error, PD_SIMULATION_ERROR, PD_SIMULATION_ERROR_INTERRUPTED, "interrupted");
          return FALSE;
        }
    }
  if (self->n_finished < self->context.n)
    {
      report_deadlock (self, error);
      return FALSE;
    }
  return pd_simulation_check_matched (self->context.comsys, error);
}
