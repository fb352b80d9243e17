/* Words and values of the text form.
 * SPDX-License-Identifier: MIT */
#ifndef PD_TEXT_VALUES_PRIVATE_H
#define PD_TEXT_VALUES_PRIVATE_H

#include "traces/text/pd-text-reader-private.h"

/* The next word of @rest, which is then behind it; FALSE at the end of the line
 * or at a comment. A word may have "quoted blanks" in it. */
gboolean pd_text_next (PdTextSpan *rest, PdTextSpan *word);
gboolean pd_text_is (PdTextSpan span, const char *text);
gboolean pd_text_refuse (PdTextSpan span, const char *what, const char *expected, GError **error);
gboolean pd_text_int (PdTextSpan span, const char *what, gint64 min, gint64 *value, GError **error);
gboolean pd_text_bytes (PdTextSpan span, const char *what, gint64 *value, GError **error);
gboolean pd_text_time (PdTextSpan span, PdTime *time, GError **error);
gboolean pd_text_peer (PdTextSpan span, const char *what, gint32 *peer, GError **error);
/* Without quotes and escapes. */
char *pd_text_string (PdTextSpan span, const char *what, GError **error);

#endif
