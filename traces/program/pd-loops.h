/* Loops in the actions of a rank. A cell of kind %PD_CELL_LOOP stands behind the body that is
 * repeated, and says how often; a computation whose amount differs from one repetition to the next
 * is a cell of kind %PD_CELL_SAMPLE, which takes the next one of the rank's samples. Both exist in
 * cells alone: actions are those of the program written out flat, and so are their numbers and
 * their places.
 *
 * A sample has 1 to 7 bytes: how many follow the first one, in the lowest three bits of that;
 * %PD_SAMPLE_THOUSANDS; and a number, the lowest bits first. One of %PD_SAMPLE_WIDE has its number
 * in the 8 bytes that follow. Numbers are the bits of amounts.
 * SPDX-License-Identifier: MIT */
#ifndef PD_LOOPS_H
#define PD_LOOPS_H

#include "base/memory/pd-bytes.h"
#include "traces/program/pd-program.h"

/* The deepest nest of loops. */
#define PD_LOOPS_DEPTH 8

/* The most actions of a rank that has loops, repetitions included. */
#define PD_PROGRAM_MAX_ACTIONS (G_GUINT64_CONSTANT (1) << 40)

/* Parts of the first byte of a sample. */
enum
{
  PD_SAMPLE_WIDE = 7,           /* in place of a number of bytes */
  PD_SAMPLE_THOUSANDS = 1 << 3, /* the number is of thousands, as measured times are of ns */
  PD_SAMPLE_BITS = 4,           /* the number begins behind these */
  PD_SAMPLE_MAX = 9,            /* bytes */
};

/* Behind samples there are so many bytes more, which they are read with. */
#define PD_SAMPLES_SPARE 8

/* Where a reader of a rank's cells is in its loops; at the first cell all is zero, but @sample is
 * pd_program_get_samples(). One cache line. */
typedef struct
{
  gint64 shift;                   /* of the present cell: what its place is farther from the first
                                   * cell in the flat program than here */
  const guint8 *sample;           /* the next one */
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
 * pd_loops_leave:
 * @cell: likewise
 * @shift: what each repetition adds to that of the reader; that of a body without loops is @cell's
 *   peer
 *
 * Leaves out the repetitions that are left.
 *
 * Returns: the cell behind @cell.
 */
static inline const PdProgramCell *
pd_loops_leave (PdLoops *self, const PdProgramCell *cell, gint64 shift)
{
  guint32 *count = &self->counts[cell->comm];

  self->shift += shift * (cell->bytes - 1 - *count) - 1;
  *count = 0;
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

/**
 * pd_sample_read:
 * @at: (inout): a sample; behind it
 *
 * Returns: the amount.
 */
static inline PdAmount
pd_sample_read (const guint8 **at)
{
  const guint8 *sample = *at;
  guint size = 1 + (*sample & PD_SAMPLE_WIDE);
  guint64 number = pd_bytes_load_low (sample, size) >> PD_SAMPLE_BITS;

  if (G_UNLIKELY (size > PD_SAMPLE_WIDE))
    {
      number = pd_bytes_load (sample + 1);
      size++;
    }
  if ((*sample & PD_SAMPLE_THOUSANDS) != 0)
    number *= 1000;
  *at = sample + size;
  return (PdAmount){ .time = PD_TIME ((gint64) number) };
}

/**
 * pd_loops_read_compute:
 * @cell: the first cell of an action
 * @amount: (out): of it
 *
 * Returns: whether it is computation of one cell, which is not decoded.
 */
static inline gboolean
pd_loops_read_compute (PdLoops *self, const PdProgramCell *cell, PdAmount *amount)
{
  if (cell->kind == PD_ACT_COMPUTE)
    *amount = cell->amount;
  else if (cell->kind == PD_CELL_SAMPLE && cell->request == PD_ACT_COMPUTE)
    *amount = pd_sample_read (&self->sample);
  else
    return FALSE;
  return TRUE;
}

#endif
