/* The actions of a rank one after the other, as recorded, or with settled completions.
 *
 * Which of several requests MPI_Waitany, MPI_Waitsome and tests find completed, and how many tests
 * are needed, is decided by a race, and differs between recordings. Settled, the requests that such
 * calls complete one behind the other, with nothing but computation between them, are waited for in
 * the order of their numbers, and tests and probes that find nothing are left out.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SCALE_READER_H
#define PD_SCALE_READER_H

#include "traces/program/pd-loops.h"

typedef struct
{
  const PdProgram *program; /* borrowed */
  gboolean settles;
  const PdProgramCell *cell; /* private from here on */
  const PdProgramCell *end;
  PdLoops loops;
  GArray *waits;        /* PdAction: waits, and computations between them, to be handed out; */
  guint n_given;        /* of them */
  GArray *computations; /* PdAction: behind the last wait that is known */
  gboolean has_next;    /* what comes behind them has been read */
  PdAction next;
} PdScaleReader;

/**
 * pd_scale_program_has_races:
 * Returns: whether completions of @program differ when they are settled.
 */
gboolean pd_scale_program_has_races (const PdProgram *program);

/**
 * pd_scale_reader_init:
 * @self: (out caller-allocated): freed with pd_scale_reader_clear()
 * @program: borrowed
 * @settles: whether completions are settled
 */
void pd_scale_reader_init (PdScaleReader *self, const PdProgram *program, guint32 rank,
                           gboolean settles);

/**
 * pd_scale_reader_clear:
 * Frees what @self has.
 */
void pd_scale_reader_clear (PdScaleReader *self);

/**
 * pd_scale_reader_next:
 * @action: (out caller-allocated): the next action, valid until the one after it is read
 *
 * Returns: %FALSE behind the last one.
 */
gboolean pd_scale_reader_next (PdScaleReader *self, PdAction *action);

#endif
