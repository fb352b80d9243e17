/* Lines of a trace that come again: where the text since an earlier line follows once more, its
 * actions are added as a loop, and its lines need not be read.
 * SPDX-License-Identifier: MIT */
#ifndef PD_REPEATS_H
#define PD_REPEATS_H

#include "traces/io/pd-lines.h"
#include "traces/program/pd-program-builder.h"

/* Where a line was read. */
typedef struct
{
  guint64 at;  /* see PdRepeats */
  gint64 line; /* its number */
  PdProgramPlace place;
  guint64 state; /* of the reader, then */
} PdRepeatsMark;

#define PD_REPEATS_N_MARKS 256

/* All zero: no marks yet. */
typedef struct
{
  PdRepeatsMark *marks; /* (array length=PD_REPEATS_N_MARKS): by a hash of @context */
  guint64 context;      /* hashes of the last lines, of 16 bits each */
  guint64 at;           /* bytes of the trace before the present line; the reader adds each line */
  guint64 whole;        /* lines before that cannot be parts of repetitions; the reader's */
  guint64 n_vain;       /* bytes that were compared in vain */
  guint32 n_tried;      /* lines since the last repetition, or pause */
  guint32 n_idle;       /* lines that are left of a pause */
  guint32 pause;        /* how many the next one has */
} PdRepeats;

/**
 * pd_repeats_init:
 * Nothing was read yet; to be freed with pd_repeats_clear().
 */
void pd_repeats_init (PdRepeats *self);

/**
 * pd_repeats_clear:
 * Gives back the memory.
 */
void pd_repeats_clear (PdRepeats *self);

/* Lines that are looked at without success before a pause, and the longest pause. */
#define PD_REPEATS_TRIES     4096
#define PD_REPEATS_MAX_PAUSE 65536

/**
 * pd_repeats_is_idle:
 * Returns: whether the present line is to be read without a look at marks: repetitions may be rare,
 *   and each pause without any makes the next one longer.
 */
static inline gboolean
pd_repeats_is_idle (PdRepeats *self)
{
  if (self->n_idle > 0)
    {
      self->n_idle--;
      return TRUE;
    }
  if (++self->n_tried < PD_REPEATS_TRIES)
    return FALSE;
  self->n_tried = 0;
  self->n_idle = self->pause;
  self->pause = MIN (2 * self->pause, PD_REPEATS_MAX_PAUSE);
  return FALSE;
}

/**
 * pd_repeats_get_context:
 * @hash: of the present line's text; its highest 16 bits are used
 *
 * Returns: the context of the line, which the reader keeps as the last one if the line is no
 *   repetition.
 */
static inline guint64
pd_repeats_get_context (const PdRepeats *self, guint64 hash)
{
  return self->context << 16 | hash >> 48;
}

/**
 * pd_repeats_find:
 * Returns: (transfer none): the mark of the last line with this @context, or with another one of
 * the same hash.
 */
static inline PdRepeatsMark *
pd_repeats_find (const PdRepeats *self, guint64 context)
{
  guint64 hash = context * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  return &self->marks[(hash >> 32) % PD_REPEATS_N_MARKS];
}

/**
 * pd_repeats_set:
 * @line: the number of the present line
 * @state: of the reader
 * @rank: whose line it is
 *
 * Marks the present line, before which nothing is open that a later line ends, but what @state
 * tells.
 */
static inline void
pd_repeats_set (const PdRepeats *self, PdRepeatsMark *mark, gint64 line, guint64 state,
                const PdProgramBuilder *builder, guint32 rank)
{
  mark->at = self->at;
  mark->line = line;
  mark->state = state;
  pd_program_builder_get_place (builder, rank, &mark->place);
}

/**
 * pd_repeats_add:
 * @mark: of the line before which the reader was in the same state
 * @line: the number of the present line
 * @begin: its text
 * @before: how many bytes before it can be read
 * @end: behind the last byte that can be read
 * @builder: gets the actions of @rank
 * @done: (out): the present line, too, and those behind it, whose actions were added
 *
 * Compares the text since @mark with the text from @begin on, as often as it is there again; the
 * last repetition may end at any mark with the same state. Comparisons in vain look at some eight
 * times the bytes that were read, all together.
 *
 * Returns: %FALSE if nothing was added: the line is to be read.
 */
gboolean pd_repeats_add (PdRepeats *self, const PdRepeatsMark *mark, gint64 line, const char *begin,
                         gsize before, const char *end, PdProgramBuilder *builder, guint32 rank,
                         PdLinesDone *done);

#endif
