/* Where ranks are in their program, for people: looked for only when it is told.
 * SPDX-License-Identifier: MIT */
#include "predictor/mp/pd-mp-state.h"
#include "predictor/mp/pd-mp-place-private.h"
#include "traces/program/pd-action.h"

void
pd_mp_place_go_on (const PdMp *self, PdMpPlace *place, const PdProgramCell *cell)
{
  PdAction action;

  for (; place->cell != cell; place->number++)
    {
      place->cell = pd_action_read (place->cell, &action);
      if (action.kind != PD_ACT_LOCATION)
        continue;
      place->file = pd_program_get_string (self->program, action.name);
      place->line = action.line;
    }
}

PdMpPlace
pd_mp_find_place (const PdMp *self, guint32 rank, const PdProgramCell *cell)
{
  const PdProgramCell *end;
  PdMpPlace place = { .cell = pd_program_get_cells (self->program, rank, &end) };

  pd_mp_place_go_on (self, &place, cell);
  return place;
}
