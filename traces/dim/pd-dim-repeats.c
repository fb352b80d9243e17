/* Records of a task that come again: collective operations and what gives a warning are no part of
 * them.
 * SPDX-License-Identifier: MIT */
#include "traces/dim/pd-dim-reader-private.h"

#include <string.h>

/* Of the first bytes of a record, which are most of it. */
static inline guint64
hash_record (const char *p, const char *end)
{
  guint64 words[2] = { 0, 0 };

  if (end - p >= (gssize) sizeof words)
    memcpy (words, p, sizeof words);
  return (words[0] ^ words[1] * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9))
         * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
}

/* Whether the blocks that are open are those that were open at @mark. */
static gboolean
has_same_blocks (const PdDimReader *self, const PdRepeatsMark *mark)
{
  guint n = self->blocks->len;

  return n == mark->state
         && (n == 0 || g_array_index (self->blocks, PdDimBlock, n - 1).at < mark->at);
}

const char *
pd_dim_reader_repeat (PdDimReader *self, const char *begin, const char *p, const char *end)
{
  PdRepeats *repeats = &self->repeats;
  PdProgramBuilder *builder = self->survey.builder;

  if (pd_repeats_is_idle (repeats))
    return NULL;
  guint64 context = pd_repeats_get_context (repeats, hash_record (p, end));
  PdRepeatsMark *mark = pd_repeats_find (repeats, context);
  gboolean is_open = self->task < 0 || self->pending.n > 0;
  PdLinesDone done;

  if (!is_open && mark->place.chunk != NULL && has_same_blocks (self, mark)
      && pd_repeats_add (repeats, mark, (gint64) self->lines.line, p, (gsize) (p - begin), end,
                         builder, (guint32) self->task, &done))
    {
      self->lines.line += done.n_lines;
      return p + done.n_bytes;
    }
  repeats->context = context;
  mark->place.chunk = NULL;
  if (!is_open)
    pd_repeats_set (repeats, mark, (gint64) self->lines.line, self->blocks->len, builder,
                    (guint32) self->task);
  return NULL;
}
