/* Pieces of markup that pages consist of.
 * SPDX-License-Identifier: MIT */
#ifndef PD_HTML_H
#define PD_HTML_H

#include <glib.h>

/**
 * pd_html_begin_table:
 * @out: gets the head of a table
 * @headings: (array zero-terminated=1): a column whose heading begins with "<" is
 *   aligned to the left; words, no markup
 */
void pd_html_begin_table (GString *out, const char *const *headings);

/**
 * pd_html_begin_tree:
 * @out: gets the head of a table whose rows begin with pd_html_append_branch()
 * @headings: as for pd_html_begin_table()
 * @open: how many levels are unfolded at first; 0 = all
 */
void pd_html_begin_tree (GString *out, const char *const *headings, guint open);

/**
 * pd_html_end_table:
 * Ends either.
 */
void pd_html_end_table (GString *out);

/**
 * pd_html_append_branch:
 * Begins a row of a tree with its first cell.
 */
void pd_html_append_branch (GString *out, const char *label, guint depth);

/**
 * pd_html_append_label:
 * Begins a row of a table with its first cell, which is indented by @depth.
 */
void pd_html_append_label (GString *out, const char *label, guint depth);

/**
 * pd_html_append_cell:
 * Appends a cell that says @text.
 */
void pd_html_append_cell (GString *out, const char *text);

/**
 * pd_html_append_left:
 * Appends a cell of words.
 */
void pd_html_append_left (GString *out, const char *text);

/**
 * pd_html_append_fixed:
 * Appends a cell with @value, of so many decimals.
 */
void pd_html_append_fixed (GString *out, gdouble value, int decimals);

/**
 * pd_html_append_element:
 * Appends <@tag>@text</@tag> and a newline; @tag may have attributes.
 */
void pd_html_append_element (GString *out, const char *tag, const char *text);

#endif
