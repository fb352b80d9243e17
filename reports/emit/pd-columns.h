/* Tables for people, described once: the same columns and rows become text or a page.
 * SPDX-License-Identifier: MIT */
#ifndef PD_COLUMNS_H
#define PD_COLUMNS_H

#include "base/pd-time.h"
#include "reports/emit/pd-table.h"

/* The headings of a column. One that begins with "<" is aligned to the left, without that
 * sign. NULL: that form does not have the column, and its cells are left out. */
typedef struct
{
  const char *text;
  const char *page; /* where there is room for longer words */
} PdColumn;

/* An array of columns, and how many these are. */
#define PD_COLUMNS(columns) (columns), G_N_ELEMENTS (columns)

/* Where tables go, one after another: { .out = out, .width = width }. */
typedef struct
{
  GString *out;
  guint width;         /* columns of the terminal; 0: a page */
  gboolean tree;       /* rows of a page can be folded; they begin with labels */
  guint open;          /* of a tree: how many levels are unfolded at first; 0 = all */
  guint n_rows;        /* of the table under way, */
  guint at;            /* the column of its next cell, */
  GPtrArray *headings; /* char *, owned; NULL: the column is not there */
  PdTable *table;      /* of text */
} PdColumns;

/**
 * pd_columns_begin:
 * Begins the table, unless it is under way: so rows can begin it.
 *
 * Returns: whether it begins here.
 */
gboolean pd_columns_begin (PdColumns *self, const PdColumn *columns, gsize n);

/**
 * pd_columns_add_column:
 * Adds another column, before the first cell.
 */
void pd_columns_add_column (PdColumns *self, const char *text, const char *page);

/**
 * pd_columns_end:
 * Ends the table, if one has begun. A text is written here, a page row by row.
 */
void pd_columns_end (PdColumns *self);

/**
 * pd_columns_clear:
 * Forgets a table that has not ended.
 */
void pd_columns_clear (PdColumns *self);

/* Each of the following adds the next cell; rows fill up from left to right. */

/**
 * pd_columns_add_label:
 * The first cell of a row, which is indented by @depth.
 */
void pd_columns_add_label (PdColumns *self, const char *label, guint depth);

/**
 * pd_columns_add_text:
 * Whatever characters @text has, a terminal and a page get valid ones.
 */
void pd_columns_add_text (PdColumns *self, const char *text);

/**
 * pd_columns_add_markup:
 * @text: of the cell
 * @markup: instead of it in pages: the whole cell, as it is
 */
void pd_columns_add_markup (PdColumns *self, const char *text, const char *markup);

/**
 * pd_columns_add_count:
 * Adds an integer.
 */
void pd_columns_add_count (PdColumns *self, guint64 value);

/**
 * pd_columns_add_fixed:
 * Adds @value with @decimals decimals; NaN is "-".
 */
void pd_columns_add_fixed (PdColumns *self, gdouble value, int decimals);

/**
 * pd_columns_add_share:
 * Adds @part of @whole in per cent. A share of nothing is "-" in text, 0 in pages.
 */
void pd_columns_add_share (PdColumns *self, PdTimeSum part, PdTimeSum whole);

/**
 * pd_columns_add_bar:
 * Adds a bar as long as @value; @most fills the cell.
 */
void pd_columns_add_bar (PdColumns *self, guint value, guint most);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PdColumns, pd_columns_clear)

#endif
