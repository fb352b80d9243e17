/* Numbers and texts as they are written, of whatever form.
 * SPDX-License-Identifier: MIT */
#ifndef PD_FORMAT_H
#define PD_FORMAT_H

#include "base/pd-time.h"

/**
 * pd_report_append_seconds:
 * Appends @sum in seconds with 12 decimals, exactly.
 */
void pd_report_append_seconds (GString *out, PdTimeSum sum);

/**
 * pd_report_append_double:
 * Appends @value as @format ("%.12g") says, independent of the locale.
 */
void pd_report_append_double (GString *out, const char *format, gdouble value);

/**
 * pd_report_append_wide:
 * Appends the integer @value: lines of traces from outside may be negative.
 */
void pd_report_append_wide (GString *out, PdWide value);

/**
 * pd_report_decimals:
 * Returns: how many decimals show a column of seconds whose largest value is
 *   @largest with 6 significant digits; 0 to 12.
 */
int pd_report_decimals (gdouble largest);

/**
 * pd_report_fixed:
 * Returns: (transfer full): @value with @decimals decimals.
 */
char *pd_report_fixed (gdouble value, int decimals);

/**
 * pd_report_format_bytes:
 * @bytes: >= 0
 *
 * Returns: (transfer full): about three digits and a unit for people: "640 B", "1.50 KiB",
 *   "8 MiB".
 */
char *pd_report_format_bytes (gdouble bytes);

/**
 * pd_report_append_wrapped:
 * Appends @text as pd_text_append_wrapped() does, in lines of at most @width columns, each after
 * @indent, blanks.
 */
void pd_report_append_wrapped (GString *out, const char *text, const char *indent, guint width);

/**
 * pd_report_append_markup:
 * Appends @text, %NULL as "", escaped for XML and HTML, elements and
 * attributes; characters that XML forbids are as pd_text_show() shows them.
 */
void pd_report_append_markup (GString *out, const char *text);

/**
 * pd_report_append_shown:
 * Appends @text, %NULL as "", for pages: as pd_text_show_lines() shows it, and as markup.
 */
void pd_report_append_shown (GString *out, const char *text);

#endif
