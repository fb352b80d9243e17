/* Times of a recorded run that are in none of its totals.
 * SPDX-License-Identifier: MIT */
#include "analyse/pd-outside.h"

#include "traces/program/pd-action-reader.h"
#include "traces/program/pd-action.h"

static const char *const names[PD_N_OUTSIDE] = {
  [PD_OUTSIDE_INIT] = "MPI_Init",
  [PD_OUTSIDE_FINALIZE] = "MPI_Finalize",
  [PD_OUTSIDE_PAUSED] = "paused",
};

static PdTime
find_paused (PdActionReader *reader, guint32 rank)
{
  PdTime paused = PD_TIME_ZERO;
  const PdAction *action;

  if (!pd_program_has (reader->program, PD_ACT_DELAY))
    return paused;
  pd_action_reader_begin (reader, rank);
  while ((action = pd_action_reader_next (reader)) != NULL)
    if (pd_action_is_pause (action))
      paused = pd_time_add (paused, PD_TIME (action->recorded));
  return paused;
}

static void
add (PdSummary *to, guint32 rank, PdTime time)
{
  pd_time_sum_add (&to->sum, time);
  if (rank == 0 || time.ps < to->min.ps)
    {
      to->min = time;
      to->min_at = rank;
    }
  if (rank == 0 || time.ps > to->max.ps)
    {
      to->max = time;
      to->max_at = rank;
    }
}

PdOutside *
pd_outside_new (const PdProgram *program)
{
  g_autofree PdOutside *self = g_new0 (PdOutside, 1);
  g_auto (PdActionReader) reader = { 0 };
  gboolean any = FALSE;

  pd_action_reader_init (&reader, program);
  for (guint32 rank = 0; rank < pd_program_get_n_ranks (program); rank++)
    {
      add (&self->times[PD_OUTSIDE_INIT], rank, pd_program_get_recorded_init (program, rank));
      add (&self->times[PD_OUTSIDE_FINALIZE], rank,
           pd_program_get_recorded_finalize (program, rank));
      add (&self->times[PD_OUTSIDE_PAUSED], rank, find_paused (&reader, rank));
    }
  for (guint i = 0; i < PD_N_OUTSIDE; i++)
    any |= self->times[i].sum.ps > 0;
  return any ? g_steal_pointer (&self) : NULL;
}

const char *
pd_outside_name (PdOutsideKind kind)
{
  return names[kind];
}
