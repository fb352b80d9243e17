/* SPDX-License-Identifier: MIT */
#include "predictor/mp/pd-mp-replay.h"
#include "traces/program/pd-action.h"
#include "traces/program/pd-program-builder.h"

struct _PdMpReplay
{
  const PdProgram *program;
  PdProgramBuilder *builder;
  PdTime *ends;     /* (array): of each rank so far */
  guint32 arrivals; /* a string */
};

/* Tables keep their numbers: they have each thing once, in this order. */
static void
copy_tables (PdMpReplay *self)
{
  const PdProgram *program = self->program;

  for (guint32 i = 1; i < pd_program_get_n_comms (program); i++)
    {
      guint32 n;
      const guint32 *ranks = pd_program_get_comm (program, i, &n);
      pd_program_builder_add_comm (self->builder, ranks, n, NULL);
    }
  for (guint32 i = 0; i < pd_program_get_n_counts (program); i++)
    {
      guint32 n;
      const gint64 *values = pd_program_get_counts (program, i, &n);
      pd_program_builder_add_counts (self->builder, values, n);
    }
  for (guint32 i = 0; i < pd_program_get_n_strings (program); i++)
    pd_program_builder_add_string (self->builder, pd_program_get_string (program, i));
  for (guint32 i = 0; i < pd_program_get_n_intervals (program); i++)
    pd_program_builder_add_interval (self->builder, pd_program_get_interval (program, i));
  for (guint32 i = 0; i < pd_program_get_n_sites (program); i++)
    {
      PdProgramSite site = pd_program_get_site (program, i);
      pd_program_builder_add_site (self->builder, &site);
    }
}

PdMpReplay *
pd_mp_replay_new (const PdProgram *program)
{
  PdMpReplay *self = g_new0 (PdMpReplay, 1);
  guint32 n = pd_program_get_n_ranks (program);

  self->program = program;
  self->builder = pd_program_builder_new (n, PD_AMOUNT_TIME);
  self->ends = g_new0 (PdTime, n);
  copy_tables (self);
  self->arrivals = pd_program_builder_add_string (self->builder, "arriving messages");
  return self;
}

void
pd_mp_replay_free (PdMpReplay *self)
{
  if (self == NULL)
    return;
  pd_program_builder_free (self->builder);
  g_free (self->ends);
  g_free (self);
}

/* What has been in one program can be in another one. */
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

void
pd_mp_replay_add (PdMpReplay *self, guint32 rank, const PdProgramCell *cell, PdTime begin,
                  PdTime end, PdTime computed)
{
  PdTime took = pd_time_sub (pd_time_sub (end, begin), computed);
  PdAction action;

  if (begin.ps > self->ends[rank].ps)
    add_gap (self, rank, pd_time_sub (begin, self->ends[rank]));
  self->ends[rank] = end;
  pd_action_read (cell, &action);
  action.amount.time = PD_TIME_ZERO;
  action.recorded = -1;
  if (action.kind == PD_ACT_COMPUTE || action.kind == PD_ACT_DELAY)
    {
      action.amount.time = computed;
      computed = PD_TIME_ZERO;
    }
  else if (took.ps > 0 || (action.kind >= PD_ACT_SEND && action.kind <= PD_ACT_LOCAL))
    action.recorded = took.ps;
  add (self, rank, &action);
  if (computed.ps == 0)
    return;
  pd_action_init (&action, PD_ACT_COMPUTE);
  action.amount.time = computed;
  add (self, rank, &action);
}

PdProgram *
pd_mp_replay_finish (PdMpReplay *self)
{
  for (guint32 rank = 0; rank < pd_program_get_n_ranks (self->program); rank++)
    pd_program_builder_set_recorded_end (self->builder, rank, self->ends[rank]);
  PdProgram *program = pd_program_builder_finish (g_steal_pointer (&self->builder));
  pd_mp_replay_free (self);
  return program;
}
