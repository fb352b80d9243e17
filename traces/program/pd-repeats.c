/* Lines of a trace that come again.
 * SPDX-License-Identifier: MIT */
#include "traces/program/pd-repeats.h"

#include <string.h>

/* Bytes that are compared at once, and times those read so far. */
#define COMPARED_FIRST 64
#define COMPARED_MAX   8

void
pd_repeats_init (PdRepeats *self)
{
  *self =
      (PdRepeats){ .marks = g_new0 (PdRepeatsMark, PD_REPEATS_N_MARKS), .pause = PD_REPEATS_TRIES };
}

void
pd_repeats_clear (PdRepeats *self)
{
  g_clear_pointer (&self->marks, g_free);
}

/* How often the @size bytes before @begin are there again from @begin on. */
static guint32
count (PdRepeats *self, const char *begin, const char *end, gsize size)
{
  const char *first = begin - size;
  guint32 n = 0;

  if ((gsize) (end - begin) < size || memcmp (first, begin, MIN (size, COMPARED_FIRST)) != 0)
    return 0;
  for (; (gsize) (end - begin) >= size && self->n_compared < COMPARED_MAX * self->at; begin += size)
    {
      self->n_compared += size;
      if (memcmp (first, begin, size) != 0)
        break;
      n++;
    }
  return n;
}

guint32
pd_repeats_add (PdRepeats *self, const PdRepeatsMark *mark, const char *begin, gsize before,
                const char *end, PdProgramBuilder *builder, guint32 rank)
{
  gsize size = (gsize) (self->at - mark->at);

  if (mark->place.chunk == NULL || mark->at < self->whole || size == 0 || size > before)
    return 0;
  guint32 n = count (self, begin, end, size);
  if (n == 0 || !pd_program_builder_repeat (builder, rank, &mark->place, n))
    return 0;
  self->n_tried = 0;
  self->pause = PD_REPEATS_TRIES;
  return n;
}
