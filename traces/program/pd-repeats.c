/* Lines of a trace that come again.
 * SPDX-License-Identifier: MIT */
#include "traces/program/pd-repeats.h"

#include <string.h>

/* Bytes that are compared at once. */
#define COMPARED_FIRST 64
/* So many times the bytes read, and so many more, may be compared in vain. */
#define VAIN_MAX   8
#define VAIN_FIRST 65536
/* Bytes that are worth a search of all marks. */
#define WORTH_SEARCH 256

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
count (const char *begin, const char *end, gsize size)
{
  const char *first = begin - size;
  guint32 n = 0;

  if ((gsize) (end - begin) < size || memcmp (first, begin, MIN (size, COMPARED_FIRST)) != 0)
    return 0;
  for (; (gsize) (end - begin) >= size && memcmp (first, begin, size) == 0; begin += size)
    n++;
  return n;
}

/* At least so many of @n bytes are equal. */
static gsize
count_equal (const char *a, const char *b, gsize n)
{
  guint64 x, y;
  gsize i = 0;

  for (; i + sizeof x <= n; i += sizeof x)
    {
      memcpy (&x, a + i, sizeof x);
      memcpy (&y, b + i, sizeof y);
      if (x != y)
        break;
    }
  return i;
}

/* The @size bytes since @mark begin once more at @begin: the last mark up to which they are equal;
 * %NULL: too few are equal for a search. */
static const PdRepeatsMark *
find_end (const PdRepeats *self, const PdRepeatsMark *mark, const char *begin, const char *end,
          gsize size)
{
  const PdRepeatsMark *last = NULL;
  gsize n = count_equal (begin - size, begin, MIN (size - 1, (gsize) (end - begin)));

  for (guint i = 0; n >= WORTH_SEARCH && i < PD_REPEATS_N_MARKS; i++)
    {
      const PdRepeatsMark *m = &self->marks[i];
      if (m->place.chunk != NULL && m->at > mark->at && m->at - mark->at <= n
          && m->state == mark->state && (last == NULL || m->at > last->at))
        last = m;
    }
  return last;
}

gboolean
pd_repeats_add (PdRepeats *self, const PdRepeatsMark *mark, gint64 line, const char *begin,
                gsize before, const char *end, PdProgramBuilder *builder, guint32 rank,
                PdLinesDone *done)
{
  gsize size = (gsize) (self->at - mark->at);

  if (mark->place.chunk == NULL || mark->at < self->whole || size == 0 || size > before
      || self->n_vain > VAIN_MAX * self->at + VAIN_FIRST
      || !pd_program_builder_has_place (builder, rank, &mark->place))
    return FALSE;
  guint32 n = count (begin, end, size);
  const PdRepeatsMark *last = n > 0 ? find_end (self, mark, begin + n * size, end, size) : NULL;
  if (n == 0
      || !pd_program_builder_repeat (builder, rank, &mark->place, n,
                                     last != NULL ? &last->place : NULL))
    {
      self->n_vain += (n + 1) * size;
      return FALSE;
    }
  done->n_bytes = n * size;
  done->n_lines = (guint64) (line - mark->line) * n;
  if (last != NULL)
    {
      done->n_bytes += (gsize) (last->at - mark->at);
      done->n_lines += (guint64) (last->line - mark->line);
    }
  self->n_tried = 0;
  self->pause = PD_REPEATS_TRIES;
  return TRUE;
}
