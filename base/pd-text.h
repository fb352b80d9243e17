/* Text from outside - names in traces and descriptions, names of files, words of the command
 * line - as it is shown to people. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TEXT_H
#define PD_TEXT_H

#include <glib.h>

/**
 * pd_text_show:
 * @text: (nullable): any bytes; %NULL is ""
 *
 * Letters of all languages stay. Escaped as in C are bytes that are not UTF-8 ("\xff"),
 * control characters ("\n", "\x1b", "\u0081"), characters that are not seen or change the
 * direction of writing ("\u202e"), and codes that are not characters ("\uffff"). Escaped text is
 * not escaped again.
 *
 * Returns: (transfer full): one line of valid UTF-8.
 */
char *pd_text_show (const char *text);

/**
 * pd_text_show_lines:
 * @text: (nullable): as of pd_text_show(), of several lines that are the program's own
 *
 * Returns: (transfer full): the lines, each as pd_text_show() shows it.
 */
char *pd_text_show_lines (const char *text);

/**
 * pd_text_is_hidden:
 * Returns: whether pd_text_show() escapes @c.
 */
gboolean pd_text_is_hidden (gunichar c);

/**
 * pd_text_append_json:
 * @text: (nullable): any bytes; %NULL is ""
 *
 * Appends @text as a string of JSON, in quotes: bytes that are not UTF-8 are U+FFFD, and
 * characters that pd_text_show() escapes are written as "\u001b".
 */
void pd_text_append_json (GString *out, const char *text);

/**
 * pd_text_append_wrapped:
 * @out: the text to append to
 * @first: what the first line begins with
 * @indent: (range 0 1000): blanks that each further line begins with
 * @width: (range 1 1000): the most characters behind that; a longer word has a line of its own
 * @text: any bytes, shown as by pd_text_show()
 *
 * Appends @text, broken into lines at its blanks, but not between a number and its per cent sign;
 * each line ends with a newline.
 */
void pd_text_append_wrapped (GString *out, const char *first, guint indent, gsize width,
                             const char *text);

/**
 * pd_text_find_forbidden:
 * @text: any bytes
 * @length: how many
 *
 * Returns: (transfer none) (nullable): the first byte that cannot be in XML, where text is UTF-8
 *   without control characters but tabs and ends of lines, and without U+FFFE and U+FFFF; %NULL
 *   if there is none.
 */
const char *pd_text_find_forbidden (const char *text, gsize length);

#endif
