/* Which known word may have been meant by one that is not known.
 * SPDX-License-Identifier: MIT */
#ifndef PD_NEAREST_H
#define PD_NEAREST_H

#include <glib.h>

G_BEGIN_DECLS

/**
 * pd_nearest_find:
 * @word: the word of the user, in UTF-8 or not
 * @known: (array zero-terminated=1): the accepted words
 *
 * Compares bytes: insertions, deletions, replacements and neighbours in the wrong
 * order count 1 each.
 *
 * Returns: (transfer none) (nullable): the word of @known that needs the fewest of them,
 *   the first if there are several, or the only one that begins with @word; %NULL if more
 *   than a third of @word would be wrong, or if @word has one letter or over 64.
 */
const char *pd_nearest_find (const char *word, const char *const *known);

/**
 * pd_nearest_format:
 * Returns: (transfer full): "; did you mean 'X'?", or "" if nothing is near.
 */
char *pd_nearest_format (const char *word, const char *const *known);

/**
 * pd_nearest_format_joined:
 * @all: the known words, with ", " between them
 *
 * As pd_nearest_format().
 */
char *pd_nearest_format_joined (const char *word, const char *all);

G_END_DECLS

#endif
