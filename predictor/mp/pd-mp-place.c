/* The places of ranks in their program, for messages: found only when they are shown.
 * SPDX-License-Identifier: MIT */
#include "predictor/mp/pd-mp-state.h"
#include "predictor/mp/pd-mp-place-private.h"
#include "traces/program/pd-action.h"

void
pd_mp_place_go_on (const PdMp *self, PdMpPlace *place, guint32 rank, guint64 step)
{
  const PdProgramCell *end, *first = pd_program_get_cells (self->program, rank, &end);
  PdAction action;

  while (place->step < step && place->cell != end)
    {
      place->cell = pd_loops_read (&place->loops, place->cell, end, &action);
      place->step = (guint64) (place->cell - first) + (guint64) place->loops.shift;
      place->number++;
      if (action.kind != PD_ACT_LOCATION)
        continue;
      place->file = pd_program_get_string (self->program, action.name);
      place->line = action.line;
    }
}

PdMpPlace
pd_mp_find_place (const PdMp *self, guint32 rank, guint64 step)
{
  const PdProgramCell *end;
  PdMpPlace place = { .cell = pd_program_get_cells (self->program, rank, &end),
                      .loops = { .sample = pd_program_get_samples (self->program, rank) } };

  pd_mp_place_go_on (self, &place, rank, step);
  return place;
}
