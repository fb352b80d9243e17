/* The possible words in a place of a command line, for its completion
 * (tools/make-completion).
 * SPDX-License-Identifier: MIT */
#ifndef PD_WORDS_H
#define PD_WORDS_H

#include <glib.h>

/**
 * pd_words_list:
 * @kind: "machines", those that can be named here; "types", networks of inline machines;
 *   "keys", of inline machines; "settings", of --set; "formats", that can be written;
 *   "topics", of help
 *
 * Returns: (transfer full) (array zero-terminated=1) (nullable): the words; %NULL if there
 *   is no such kind.
 */
char **pd_words_list (const char *kind);

#endif
