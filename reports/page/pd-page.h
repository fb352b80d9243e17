/* Pages: one file of HTML that opens offline, whatever it shows. The frame has style,
 * scripts, contents and data of the charts; who writes a page adds sections to it.
 * SPDX-License-Identifier: MIT */
#ifndef PD_PAGE_H
#define PD_PAGE_H

#include <glib.h>

/* Pages are well-formed XML, too. Without scripts they say all that they say in words and
 * tables; charts, folding and sorting are what scripts add (reports/page). */
typedef struct _PdPage PdPage;

/* How many bytes of words and data a page may have besides its frame: with this, pages
 * stay below 5 MB. */
#define PD_PAGE_ROOM 3300000

/**
 * pd_page_append_element:
 * Appends <@tag>@text</@tag> and a newline; @tag may have attributes.
 */
void pd_page_append_element (GString *out, const char *tag, const char *text);

/**
 * pd_page_new:
 * @title: of the document, and its heading
 *
 * Returns: (transfer full): a page without sections.
 */
PdPage *pd_page_new (const char *title);

/**
 * pd_page_free:
 * @self: (nullable): the page
 */
void pd_page_free (PdPage *self);

/**
 * pd_page_get_head:
 * Returns: (transfer none): markup below the title, to be appended to.
 */
GString *pd_page_get_head (PdPage *self);

/**
 * pd_page_get_body:
 * Returns: (transfer none): the markup of the sections, to be appended to.
 */
GString *pd_page_get_body (PdPage *self);

/**
 * pd_page_add_tile:
 * @label: "Execution time"
 * @value: "1.23 s"
 * @note: (nullable): a few words below it
 *
 * A key figure in the head.
 */
void pd_page_add_tile (PdPage *self, const char *label, const char *value, const char *note);

/**
 * pd_page_begin_section:
 * @id: of the element; letters, digits, "-"
 * @heading: of the section, and in the contents
 * @lead: (nullable): a sentence on what one sees
 */
void pd_page_begin_section (PdPage *self, const char *id, const char *heading, const char *lead);

/**
 * pd_page_begin_folded:
 * @is_open: whether it is unfolded at first
 *
 * As pd_page_begin_section(), for one that can be folded.
 */
void pd_page_begin_folded (PdPage *self, const char *id, const char *heading, gboolean is_open);

/**
 * pd_page_end_section:
 * Ends the last one that was begun.
 */
void pd_page_end_section (PdPage *self);

/**
 * pd_page_add_heading:
 * @id: of the element
 * @heading: words
 * @lead: (nullable): a sentence on what one sees
 *
 * A part of a section.
 */
void pd_page_add_heading (PdPage *self, const char *id, const char *heading, const char *lead);

/**
 * pd_page_begin_details:
 * @summary: the text that is shown while it is folded
 */
void pd_page_begin_details (PdPage *self, const char *summary);

/**
 * pd_page_end_details:
 * Ends the last one that was begun.
 */
void pd_page_end_details (PdPage *self);

/**
 * pd_page_add_chart:
 * @kind: a row of the table of charts in reports/page
 * @key: of its data, which the caller adds
 * @caption: what it shows
 */
void pd_page_add_chart (PdPage *self, const char *kind, const char *key, const char *caption);

/**
 * pd_page_set_room:
 * @bytes: how much may be added from now on, in words and data
 *
 * Not beyond what the page as a whole may have.
 */
void pd_page_set_room (PdPage *self, gsize bytes);

/**
 * pd_page_get_room:
 * Returns: how many bytes may still be added to the page as a whole.
 */
gsize pd_page_get_room (const PdPage *self);

/**
 * pd_page_has_room:
 * Returns: whether tables may have another row. One that must end says so with
 *   pd_page_add_cut().
 */
gboolean pd_page_has_room (const PdPage *self);

/**
 * pd_page_add_cut:
 * @n: how many rows are left out; with 0 nothing is said
 * @what: "intervals"
 * @where: where all of them are: "--csv and --db have all"
 */
void pd_page_add_cut (PdPage *self, gsize n, const char *what, const char *where);

/* ---- the whole */

/**
 * pd_page_has_charts:
 * Returns: whether the chart library was there when the program was built.
 */
gboolean pd_page_has_charts (void);

/**
 * pd_page_write:
 * @out: the page is appended
 */
void pd_page_write (const PdPage *self, GString *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdPage, pd_page_free)

#endif
