/* SPDX-License-Identifier: MIT */
#include "base/pd-error.h"

#include <stdarg.h>

/* The message is what @format says, behind @where. */
static void G_GNUC_PRINTF (5, 0) set (GError **error, GQuark domain, gint code, const char *where,
                                      const char *format, va_list args)
{
  g_autofree char *text = g_strdup_vprintf (format, args);

  g_set_error (error, domain, code, "%s%s", where, text);
}

gboolean
pd_fail (GError **error, GQuark domain, gint code, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  set (error, domain, code, "", format, args);
  va_end (args);
  return FALSE;
}

gboolean
pd_fail_in (GError **error, GQuark domain, gint code, const char *where, const char *format, ...)
{
  g_autofree char *prefix = g_strconcat (where, ": ", NULL);
  va_list args;

  va_start (args, format);
  set (error, domain, code, prefix, format, args);
  va_end (args);
  return FALSE;
}

gboolean
pd_fail_at (GError **error, GQuark domain, gint code, const char *file, gint64 line,
            const char *format, ...)
{
  g_autofree char *prefix = g_strdup_printf ("%s:%" G_GINT64_FORMAT ": ", file, line);
  va_list args;

  va_start (args, format);
  set (error, domain, code, prefix, format, args);
  va_end (args);
  return FALSE;
}

gboolean
pd_propagate (GError **error, GError *local)
{
  if (local != NULL)
    g_propagate_error (error, local);
  return local == NULL;
}
