/* Numbers from outside, read strictly: decimal digits with a point and an exponent, nothing
 * before and nothing behind. No hexadecimal numbers, no "inf" and "nan", no blanks, whatever
 * strtod() takes. Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_NUMBER_H
#define PD_NUMBER_H

#include <glib.h>

/**
 * pd_number_end:
 * @text: text
 *
 * Returns: behind the number that @text begins with, which may have a sign; @text itself if
 *   there is none.
 */
const char *pd_number_end (const char *text);

/**
 * pd_number_parse_real:
 * @text: text
 * @value: (out): the nearest double; written only on success
 *
 * Returns: whether all of @text is one number, of finite value.
 */
gboolean pd_number_parse_real (const char *text, gdouble *value);

/**
 * pd_number_parse_real_before:
 * @text: text
 * @end: (out): behind the number
 * @value: (out): as of pd_number_parse_real()
 *
 * Returns: whether @text begins with a number of finite value.
 */
gboolean pd_number_parse_real_before (const char *text, const char **end, gdouble *value);

#endif
