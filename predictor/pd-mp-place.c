/* Where ranks are in their program, for people: looked for only when it is told.
 * SPDX-License-Identifier: MIT */
#include "predictor/pd-mp-private.h"

PdMpPlace
pd_mp_find_place (const PdMp *self, guint32 rank, const PdCell *cell)
{
  PdMpPlace place = { 0 };
  const PdCell *end;
  PdAction action;

  for (const PdCell *at = pd_program_get_cells (self->program, rank, &end); at != cell && at != end;
       place.number++)
    {
      at = pd_action_read (at, &action);
      if (action.kind != PD_ACT_LOCATION)
        continue;
      place.file = pd_program_get_string (self->program, action.name);
      place.line = action.line;
    }
  return place;
}
