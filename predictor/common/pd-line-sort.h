/* Sorts more lines than fit in memory: lines beyond a bound go to a
 * temporary file in sorted runs, which are merged at the end.
 * SPDX-License-Identifier: MIT */
#ifndef PD_LINE_SORT_H
#define PD_LINE_SORT_H

#include <glib.h>

/* Lines are sorted by these, in this order; lines of equal keys leave in the
 * order in which they came. */
typedef struct
{
  guint64 major;
  guint32 minor;
  guint32 part;
} PdLineKey;

typedef struct _PdLineSort PdLineSort;

/* Takes one line; %FALSE with @error set ends the writing. */
typedef gboolean (*PdSortedLineFunc) (gpointer data, const char *text, gsize length,
                                      GError **error);

/**
 * pd_line_sort_new:
 * @folder: where a temporary file is made, if it comes to that; it has no name
 *   there, so nothing of it is left, whatever happens
 * @memory: bytes of lines kept in memory, about
 *
 * Returns: (transfer full): no lines.
 */
PdLineSort *pd_line_sort_new (const char *folder, gsize memory);

/**
 * pd_line_sort_free:
 * @self: (nullable): the lines
 */
void pd_line_sort_free (PdLineSort *self);

/**
 * pd_line_sort_add:
 * @text: (array length=length): one line, with its newline; copied
 *
 * pd_line_sort_write() reports a file that cannot be written; until then
 * further lines are dropped.
 */
void pd_line_sort_add (PdLineSort *self, PdLineKey key, const char *text, gsize length);

/**
 * pd_line_sort_write:
 * @func: gets every line, in order
 * @data: its first argument
 * @error: return location for a %G_FILE_ERROR of the temporary file, or of @func
 *
 * Afterwards there are no lines, whether it went well or not.
 *
 * Returns: %FALSE on an error.
 */
gboolean pd_line_sort_write (PdLineSort *self, PdSortedLineFunc func, gpointer data,
                             GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdLineSort, pd_line_sort_free)

#endif
