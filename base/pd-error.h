/* Errors with a message that is formatted, and with the place in a file that is read.
 * Readers have macros of their own over these, which know their domain and their place.
 * Not installed.
 * SPDX-License-Identifier: MIT */
#ifndef PD_ERROR_H
#define PD_ERROR_H

#include <glib.h>

/**
 * pd_fail:
 * @format: as in printf
 *
 * Sets @error, as g_set_error() does. Returns: %FALSE.
 */
gboolean pd_fail (GError **error, GQuark domain, gint code, const char *format, ...)
    G_GNUC_PRINTF (4, 5);

/**
 * pd_fail_in:
 * Likewise, with @where and a colon before the message. Returns: %FALSE.
 */
gboolean pd_fail_in (GError **error, GQuark domain, gint code, const char *where,
                     const char *format, ...) G_GNUC_PRINTF (5, 6);

/**
 * pd_fail_at:
 * Likewise, with "FILE:LINE: " before the message. Returns: %FALSE.
 */
gboolean pd_fail_at (GError **error, GQuark domain, gint code, const char *file, gint64 line,
                     const char *format, ...) G_GNUC_PRINTF (6, 7);

/**
 * pd_propagate:
 * @local: (transfer full) (nullable): the error of a called function
 *
 * Returns: whether there is none; otherwise it is in @error.
 */
gboolean pd_propagate (GError **error, GError *local);

#endif
