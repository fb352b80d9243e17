/* The actions of a program, one after the other, whatever form they have in memory.
 * SPDX-License-Identifier: MIT */
#ifndef PD_ACTION_READER_H
#define PD_ACTION_READER_H

#include "base/memory/pd-vector.h"
#include "traces/program/pd-loops.h"

/* What actions of a rank have in common that differ in nothing but times, requests and lists; of
 * other forms of programs each action is one of its own. */
typedef struct
{
  PdAction action;  /* the last one of this shape */
  guint64 notes[2]; /* the user's, who finds them again with the next such action; 0 at first */
  guint32 has;      /* the reader's, likewise: */
  guint32 n_sizes;
} PdActionShape;

/* Set to zero, it is cleared. */
typedef struct
{
  const PdProgram *program;
  PdActionShape *shape; /* of the present action */
  /* of the reader itself: */
  const guint8 *at;
  const guint8 *end;
  const PdProgramCell *cell;
  const PdProgramCell *last;
  PdLoops loops;
  PdActionShape *shapes; /* (nullable) */
  PdActionShape own;
  PdActionShape ahead;
  PdVector numbers; /* guint32: lists of the present action */
} PdActionReader;

/**
 * pd_action_reader_init:
 * @program: borrowed
 */
void pd_action_reader_init (PdActionReader *self, const PdProgram *program);

/**
 * pd_action_reader_clear:
 */
void pd_action_reader_clear (PdActionReader *self);

/**
 * pd_action_reader_begin:
 * @rank: whose actions come next, from the first on; notes of shapes are 0
 */
void pd_action_reader_begin (PdActionReader *self, guint32 rank);

/**
 * pd_action_reader_next:
 *
 * Returns: (transfer none) (nullable): the next action of the rank, which may be changed, and is
 *   valid until the one after it; %NULL: there is none. What makes its shape is valid until the
 *   shape changes, at the next rank at the latest.
 */
PdAction *pd_action_reader_next (PdActionReader *self);

/**
 * pd_action_reader_peek:
 *
 * Returns: (transfer none) (nullable): the action that comes next, of which only what makes its
 * shape has a meaning; valid until the next call of the reader. %NULL: there is none.
 */
const PdAction *pd_action_reader_peek (PdActionReader *self);

/**
 * pd_action_reader_set:
 * @bytes: (array length=n): packed actions
 *
 * The next actions are those, of a rank that is being built: for traces/program alone.
 */
void pd_action_reader_set (PdActionReader *self, const guint8 *bytes, gsize n);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PdActionReader, pd_action_reader_clear)

#endif
