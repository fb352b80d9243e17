/* A text in parts that several threads read: where it may be cut, and who reads what. Internal to
 * traces/.
 *
 * A reader that meets anything it cannot decide within a part gives up, and the text is read again
 * by one thread: so errors are found where they are in the whole text, and nothing depends on the
 * number of threads.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PARTS_H
#define PD_PARTS_H

#include "base/pd-parallel.h"
#include "traces/io/pd-trace-source.h"

/* So many for each thread: parts do not take the same time. */
#define PD_PARTS_PER_THREAD 4

typedef struct
{
  const PdTraceSource *source;
  guint n;         /* parts */
  guint n_threads; /* that read them */
  guint64 *begins; /* (array length=n + 1): offset of the first byte of each, and the end of all */
} PdParts;

/**
 * PdPartsCut:
 * @source: the text
 * @at: a byte of it
 * @end: its size
 *
 * Returns: the offset of the first line from @at on that may begin a part; @end if none does.
 */
typedef guint64 (*PdPartsCut) (const PdTraceSource *source, guint64 at, guint64 end);

/**
 * PdPartsKey:
 * @begin: a line
 * @end: behind its last byte
 * @key: (out): whose line it is
 *
 * Returns: %FALSE if it is nobody's.
 */
typedef gboolean (*PdPartsKey) (const char *begin, const char *end, gint64 *key);

/**
 * pd_parts_get_n_threads:
 * @wanted: threads; 0: as many as there are processors, at most one for each 256 KiB, and one for
 *   less than 4 MiB
 * @size: bytes of the trace
 *
 * Returns: how many threads shall read it.
 */
guint pd_parts_get_n_threads (guint wanted, guint64 size);

/**
 * pd_parts_init:
 * @self: (out caller-allocated): to be released with pd_parts_clear() in any case
 * @source: the text
 * @n_threads: as of pd_parts_get_n_threads()
 * @cut: where parts may begin
 *
 * Returns: %FALSE if one thread has to read it: it is short, compressed, or cannot be cut.
 */
gboolean pd_parts_init (PdParts *self, const PdTraceSource *source, guint n_threads,
                        PdPartsCut cut);

/**
 * pd_parts_clear:
 * @self: its memory is released
 */
void pd_parts_clear (PdParts *self);

/**
 * pd_parts_open:
 * Returns: (transfer full) (nullable): part @i; %NULL if it cannot be opened.
 */
PdInput *pd_parts_open (const PdParts *self, guint i);

/**
 * pd_parts_find_line:
 * @source: the text
 * @at: a byte of it
 * @end: its size
 * @key: of a line
 * @is: (out): the key, and
 * @line: (out): the offset of the first line from @at on that has one
 *
 * Returns: %FALSE if none has.
 */
gboolean pd_parts_find_line (const PdTraceSource *source, guint64 at, guint64 end, PdPartsKey key,
                             gint64 *is, guint64 *line);

/**
 * pd_parts_find_change:
 * @source: the text
 * @at: a byte of it
 * @end: its size
 * @key: of a line
 *
 * For a #PdPartsCut of texts in which all lines of a key are together: few lines are looked at.
 *
 * Returns: the offset of the first line whose key is another one than that of the first line that
 *   has one from @at on; if lines of a key are not together, that of any line, or @end.
 */
guint64 pd_parts_find_change (const PdTraceSource *source, guint64 at, guint64 end, PdPartsKey key);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PdParts, pd_parts_clear)

#endif
