/* Actions: their names, and their form as cells.
 * SPDX-License-Identifier: MIT */
#ifndef PD_ACTION_PRIVATE_H
#define PD_ACTION_PRIVATE_H

#include "traces/program/pd-program-private.h"

/* Writes @action, lists included; returns the number of cells, at most
 * %PD_ACTION_MAX_CELLS and those of its lists. */
gsize pd_action_write (const PdAction *action, PdProgramCell *cells);
/* The amount of the action at @cell is a sample. */
static inline void
pd_action_make_sampled (PdProgramCell *cell)
{
  cell->request = cell->kind & (PD_CELL_MORE - 1);
  cell->kind = (guint8) (PD_CELL_SAMPLE | (cell->kind & PD_CELL_MORE));
  cell->amount = (PdAmount){ .time = PD_TIME_ZERO };
}

/* Whether the kind has a field: see the table there. */
gboolean pd_action_has_envelope (PdActionKind kind);
gboolean pd_action_may_have_any (PdActionKind kind);
gboolean pd_action_has_request (PdActionKind kind);
/* 1 + the greatest slot that it names; 0 = none. */
guint64 pd_action_get_slots_end (const PdAction *action);

/* Of kind 0, with nothing. It is where the compiler cannot see its zeros: the instruction by which
 * it would clear as many bytes begins slowly, and takes half the time of decoding an action. */
extern const PdAction pd_action_empty;

#endif
