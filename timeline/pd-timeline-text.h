/* Text files of timelines being written: buffered, compressed if their name ends in .gz.
 * Times are exact decimal numbers. Internal to timeline/.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TIMELINE_TEXT_H
#define PD_TIMELINE_TEXT_H

#include "base/pd-time.h"

typedef struct _PdTimelineText PdTimelineText;

/**
 * pd_timeline_text_new:
 * @path: of the file; an older one stays until pd_timeline_text_close()
 * @error: return location for %PD_TRACE_ERROR_OPEN
 *
 * Returns: (transfer full) (nullable): it, empty.
 */
PdTimelineText *pd_timeline_text_new (const char *path, GError **error);

/**
 * pd_timeline_text_free:
 * @self: (nullable): one that was not closed leaves nothing behind
 */
void pd_timeline_text_free (PdTimelineText *self);

/**
 * pd_timeline_text_add:
 * @text: what to write
 */
void pd_timeline_text_add (PdTimelineText *self, const char *text);

/**
 * pd_timeline_text_add_int:
 * @value: what to write, in decimal
 */
void pd_timeline_text_add_int (PdTimelineText *self, gint64 value);

/**
 * pd_timeline_text_to_ns:
 * @time: >= 0
 *
 * Rounding preserves the order of moments, so slices whose begin and end are rounded neither
 * overlap nor lose their nesting; a rounded begin and a rounded length would.
 *
 * Returns: the nearest whole nanosecond, half up.
 */
gint64 pd_timeline_text_to_ns (PdTime time);

/**
 * pd_timeline_text_add_microseconds:
 * @time: >= 0, written exactly, without zeros at its end: "12.345"
 */
void pd_timeline_text_add_microseconds (PdTimelineText *self, PdTime time);

/**
 * pd_timeline_text_quote:
 * @text: (nullable): "" if there is none
 *
 * Returns: (transfer full): a string of JSON, with quotes; bytes that are not UTF-8 become U+FFFD.
 */
char *pd_timeline_text_quote (const char *text);

/**
 * pd_timeline_text_close:
 * @error: return location for %PD_TRACE_ERROR_OPEN
 *
 * The file gets its name; only pd_timeline_text_free() may follow.
 *
 * Returns: %FALSE if anything could not be written; then there is no file.
 */
gboolean pd_timeline_text_close (PdTimelineText *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdTimelineText, pd_timeline_text_free)

#endif
