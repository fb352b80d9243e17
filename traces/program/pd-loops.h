/* Loops in the actions of a rank. A cell of kind %PD_CELL_LOOP stands behind the body that is
 * repeated, and says how often; a computation whose amount differs from one repetition to the next
 * is a cell of kind %PD_CELL_SAMPLE, which takes the next one of the rank's samples. Both exist in
 * cells alone: actions are those of the program written out flat, and so are their numbers and
 * their places.
 * SPDX-License-Identifier: MIT */
#ifndef PD_LOOPS_H
#define PD_LOOPS_H

#include "traces/program/pd-program.h"

/* The deepest nest of loops. */
#define PD_LOOPS_DEPTH 8

/* The most actions of a rank that has loops, repetitions included. */
#define PD_PROGRAM_MAX_ACTIONS (G_GUINT64_CONSTANT (1) << 40)

/* Where a reader of a rank's cells is in its loops; at the first cell all is zero, but @sample is
 * pd_program_get_samples(). One cache line. */
typedef struct
{
  gint64 shift;                   /* of the present cell: what its place is farther from the first
                                   * cell in the flat program than here */
  const PdAmount *sample;         /* the next one */
  guint32 counts[PD_LOOPS_DEPTH]; /* of each level: repetitions that are over */
  guint32 spare[4];
} PdLoops;

G_STATIC_ASSERT (sizeof (PdLoops) == 64);

/**
 * pd_loops_pass:
 * @cell: of kind %PD_CELL_LOOP: the body before it has been done once more
 *
 * Returns: the cell that comes next: the first of the body, or that behind @cell.
 */
static inline const PdProgramCell *
pd_loops_pass (PdLoops *self, const PdProgramCell *cell)
{
  guint32 *count = &self->counts[cell->comm];

  if (++*count < cell->bytes)
    {
      self->shift += cell->peer;
      return cell - cell->peer;
    }
  *count = 0;
  self->shift--;
  return cell + 1;
}

/**
 * pd_loops_settle:
 * @cell: where the rank has come to
 * @end: behind its last cell
 *
 * Returns: the next cell that is an action, or @end.
 */
static inline const PdProgramCell *
pd_loops_settle (PdLoops *self, const PdProgramCell *cell, const PdProgramCell *end)
{
  while (cell != end && cell->kind == PD_CELL_LOOP)
    cell = pd_loops_pass (self, cell);
  return cell;
}

#endif
