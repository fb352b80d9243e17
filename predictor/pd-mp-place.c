/* Where ranks are in their program, for people: looked for only when it is told.
 * SPDX-License-Identifier: MIT */
#include "predictor/pd-mp-private.h"

#include "predictor/pd-simulation.h"

/* Rows of the deadlock table. */
#define MAX_BLOCKED_SHOWN 16

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

static void
describe_blocked (const PdMp *self, guint32 rank, GString *table)
{
  const PdMpRank *r = &self->ranks[rank];
  PdMpPlace place = pd_mp_find_place (self, rank, r->cell);
  PdBlocked blocked;
  PdAction action;

  pd_action_read (r->cell, &action);
  pd_comsys_get_blocked (self->comsys, rank, &blocked);
  g_string_append_printf (table, "\n%9u  %-18s", rank, pd_action_name (&action));
  if (blocked.peer >= 0)
    g_string_append_printf (table, " %9" G_GINT64_FORMAT, blocked.peer);
  else
    g_string_append_printf (table, " %9s", "any");
  if (blocked.tag >= 0)
    g_string_append_printf (table, " %10d", blocked.tag);
  else
    g_string_append_printf (table, " %10s", "any");
  g_string_append_printf (table, " %12" G_GINT64_FORMAT "  action %" G_GUINT64_FORMAT,
                          blocked.bytes, place.number);
  if (place.file != NULL)
    g_string_append_printf (table, " at %s:%" G_GINT64_FORMAT, place.file, place.line);
}

void
pd_mp_report_deadlock (const PdMp *self, GError **error)
{
  g_autoptr (GString) table = g_string_new (NULL);
  guint32 shown = 0, blocked = self->n - self->n_finished;

  for (guint32 rank = 0; rank < self->n && shown < MAX_BLOCKED_SHOWN; rank++)
    {
      if (self->ranks[rank].cell == self->ranks[rank].end)
        continue;
      describe_blocked (self, rank, table);
      shown++;
    }
  if (blocked > shown)
    g_string_append_printf (table, "\n… and %u more", blocked - shown);
  g_set_error (error, PD_SIMULATION_ERROR, PD_SIMULATION_ERROR_DEADLOCK,
               "deadlock: %u of %u ranks wait for ever\n     rank  function                peer"
               "        tag        bytes  where%s",
               blocked, self->n, table->str);
}
