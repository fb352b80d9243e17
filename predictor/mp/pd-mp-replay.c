/* SPDX-License-Identifier: MIT */
#include "predictor/mp/pd-mp-watchers-private.h"
#include "traces/program/pd-action.h"
#include "traces/program/pd-program-builder-take.h"

typedef struct
{
  const PdProgram *program;
  PdProgram **replayed;
  PdProgramBuilder *builder; /* (nullable): NULL at the end */
  PdTime *ends;              /* (array): of each rank so far */
  guint32 arrivals;          /* a string, */
  guint32 lost;              /* and PD_PROGRAM_LOST */
} PdMpReplay;

static void
replay_free (gpointer data)
{
  PdMpReplay *self = data;

  pd_program_builder_free (self->builder);
  g_free (self->ends);
  g_free (self);
}

/* A structure used for one program can be used for another one. */
static void
add (PdMpReplay *self, guint32 rank, const PdAction *action)
{
  gboolean added = pd_program_builder_add (self->builder, rank, action, NULL);

  g_return_if_fail (added);
}

static void
add_gap (PdMpReplay *self, guint32 rank, PdTime gap)
{
  PdAction action;

  pd_action_init (&action, PD_ACT_LOCAL);
  action.name = self->arrivals;
  action.recorded = gap.ps;
  add (self, rank, &action);
}

/* Time without a processor belongs to the recording: a prediction has no such action. */
static gboolean
is_lost (const PdMpReplay *self, const PdAction *action)
{
  return action->kind == PD_ACT_LOCAL && action->name == self->lost;
}

/* Time that has passed since the last action was spent on messages that arrived. */
static void
replay (gpointer data, const PdDeed *deed)
{
  PdMpReplay *self = data;
  guint32 rank = deed->rank;
  PdTime computed = deed->computed;
  PdTime took = pd_time_sub (pd_time_sub (deed->end, deed->begin), computed);
  PdAction action;

  if (deed->begin.ps > self->ends[rank].ps)
    add_gap (self, rank, pd_time_sub (deed->begin, self->ends[rank]));
  self->ends[rank] = deed->end;
  pd_action_read (deed->what, &action);
  action.amount.time = PD_TIME_ZERO;
  action.recorded = -1;
  if (action.kind == PD_ACT_COMPUTE || action.kind == PD_ACT_DELAY)
    {
      action.amount.time = computed;
      computed = PD_TIME_ZERO;
    }
  else if (took.ps > 0 || (action.kind >= PD_ACT_SEND && action.kind <= PD_ACT_LOCAL))
    action.recorded = took.ps;
  if (took.ps > 0 || !is_lost (self, &action))
    add (self, rank, &action);
  if (computed.ps == 0)
    return;
  pd_action_init (&action, PD_ACT_COMPUTE);
  action.amount.time = computed;
  add (self, rank, &action);
}

static gboolean
finish (gpointer data, const PdTime *ends, GError **error G_GNUC_UNUSED)
{
  PdMpReplay *self = data;

  if (ends == NULL)
    return TRUE;
  for (guint32 rank = 0; rank < pd_program_get_n_ranks (self->program); rank++)
    {
      pd_program_builder_set_recorded_end (self->builder, rank, self->ends[rank]);
      pd_program_builder_set_recorded_init (self->builder, rank,
                                            pd_program_get_recorded_init (self->program, rank));
      pd_program_builder_set_recorded_finalize (
          self->builder, rank, pd_program_get_recorded_finalize (self->program, rank));
    }
  *self->replayed = pd_program_builder_finish (g_steal_pointer (&self->builder));
  return TRUE;
}

static const PdWatcherClass class = { .done = replay, .finish = finish, .free = replay_free };

void
pd_mp_replay_watch (PdWatcher **watchers, PdProgram **replayed, const PdProgram *program)
{
  if (replayed == NULL)
    return;
  PdMpReplay *self = g_new0 (PdMpReplay, 1);
  guint32 n = pd_program_get_n_ranks (program);

  self->program = program;
  self->replayed = replayed;
  self->builder = pd_program_builder_new (n, PD_AMOUNT_TIME);
  self->ends = g_new0 (PdTime, n);
  pd_program_builder_copy_tables (self->builder, program);
  self->arrivals = pd_program_builder_add_string (self->builder, "arriving messages");
  self->lost = pd_program_builder_add_string (self->builder, PD_PROGRAM_LOST);
  pd_watch (watchers, &class, self);
}
