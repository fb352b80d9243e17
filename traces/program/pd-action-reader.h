/* The actions of a program, one after the other, whatever form they have in memory.
 * SPDX-License-Identifier: MIT */
#ifndef PD_ACTION_READER_H
#define PD_ACTION_READER_H

#include "base/memory/pd-bytes.h"
#include "base/memory/pd-vector.h"
#include "traces/program/pd-loops.h"

/* The common part of the actions of a rank that differ only in times, requests and lists; in
 * other forms of programs each action has a shape of its own. */
typedef struct
{
  PdAction action;  /* the last one of this shape */
  guint64 notes[4]; /* the user's, who finds them again with the next such action; 0 at first */
  guint32 has;      /* the reader's, likewise: */
  guint16 n_sizes;
  guint8 n_computes; /* of computation alone, how many values it has: an amount, and perhaps
                      * processor time; 0 = of anything else */
  guint8 n_call;     /* likewise of a call, if that is its recorded time, and perhaps a slot */
  guint8 begins;     /* 1: a request of one message, whose values are these two */
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
 *   valid until the one after it; %NULL: there is none. The fields of its shape are valid until the
 *   shape changes, at the next rank at the latest.
 */
PdAction *pd_action_reader_next (PdActionReader *self);

/**
 * pd_action_reader_look:
 * @at: (out): the values of the next action, for the two functions below
 *
 * Half of all actions of a recorded program are computation, and most others are calls that differ
 * in their time and a slot alone: these two are read in a third of the time.
 *
 * Returns: (transfer none) (nullable): the shape of the next action; %NULL: only
 *   pd_action_reader_next() can read it, or there is none.
 */
static inline PdActionShape *
pd_action_reader_look (const PdActionReader *self, const guint8 **at)
{
  const guint8 *next = self->at;

  if (next == self->end || *next == 0)
    return NULL;
  guint32 number = *next++;
  if (number >= 0x80)
    number = (number & 0x7f) | (guint32) (*next & 0x7f) << 7;
  if (number >= 0x80 && *next++ >= 0x80)
    return NULL;
  *at = next;
  return &self->shapes[number - 1];
}

/**
 * pd_action_reader_take_compute:
 * @shape: of pd_action_reader_look(), of computation alone
 * @at: likewise
 * @amount: (out): of it
 * @processor: (out): likewise; -1 = unknown
 *
 * Reads the action; the @shape of the reader stays that of the one before.
 */
static inline void
pd_action_reader_take_compute (PdActionReader *self, const PdActionShape *shape, const guint8 *at,
                               PdTime *amount, gint64 *processor)
{
  guint sizes = *at++;

  *amount = PD_TIME ((gint64) pd_bytes_load_low (at, sizes & 0xf));
  at += sizes & 0xf;
  *processor = -1;
  if (shape->n_computes > 1)
    {
      guint64 more = pd_bytes_load_low (at, sizes >> 4);
      at += sizes >> 4;
      *processor = (gint64) ((guint64) amount->ps + (more >> 1 ^ -(more & 1)));
    }
  self->at = at;
}

/**
 * pd_action_reader_take_call:
 * @shape: of pd_action_reader_look(), of which @n_call is not 0
 * @at: likewise
 *
 * Reads the action, as pd_action_reader_next() does.
 */
static inline void
pd_action_reader_take_call (PdActionReader *self, PdActionShape *shape, const guint8 *at)
{
  guint sizes = *at++;

  shape->action.recorded = (gint64) pd_bytes_load_low (at, sizes & 0xf);
  at += sizes & 0xf;
  if (shape->n_call > 1)
    {
      shape->action.request = (guint32) pd_bytes_load_low (at, sizes >> 4);
      at += sizes >> 4;
    }
  self->at = at;
  self->shape = shape;
}

/**
 * pd_action_reader_next_compute:
 * @amount: (out): of it
 * @processor: (out): likewise; -1 = unknown
 *
 * Returns: %TRUE if the next action was computation, and has been read; @shape is not of it.
 *   %FALSE: nothing was read, and pd_action_reader_next() says what comes next, which may be
 *   computation nevertheless.
 */
static inline gboolean
pd_action_reader_next_compute (PdActionReader *self, PdTime *amount, gint64 *processor)
{
  const guint8 *at;
  const PdActionShape *shape = pd_action_reader_look (self, &at);

  if (shape == NULL || shape->n_computes == 0)
    return FALSE;
  pd_action_reader_take_compute (self, shape, at, amount, processor);
  return TRUE;
}

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
