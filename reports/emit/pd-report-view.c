/* SPDX-License-Identifier: MIT */
#include "reports/emit/pd-report-view.h"

#include <string.h>

gboolean
pd_report_view_set_interval (PdReportView *self, const char *text)
{
  const char *colon = strrchr (text, ':');
  guint64 line;

  if (colon == NULL || colon == text
      || !g_ascii_string_to_unsigned (colon + 1, 10, 1, G_MAXINT64, &line, NULL))
    return FALSE;
  g_free (self->file);
  self->file = g_strndup (text, (gsize) (colon - text));
  self->line = (gint64) line;
  return TRUE;
}

/* "N", or "A-B". */
static gboolean
parse_range (const char *text, guint32 range[2])
{
  g_auto (GStrv) ends = g_strsplit (text, "-", 3);
  guint n = g_strv_length (ends);
  guint64 values[2];

  if (n < 1 || n > 2)
    return FALSE;
  for (guint i = 0; i < 2; i++)
    if (!g_ascii_string_to_unsigned (ends[MIN (i, n - 1)], 10, 0, G_MAXUINT32, &values[i], NULL))
      return FALSE;
  range[0] = (guint32) values[0];
  range[1] = (guint32) values[1];
  return range[0] <= range[1];
}

gboolean
pd_report_view_set_processors (PdReportView *self, const char *text)
{
  g_auto (GStrv) items = g_strsplit (text, ",", -1);

  g_clear_pointer (&self->processors, g_array_unref);
  self->processors = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint i = 0; items[i] != NULL; i++)
    {
      guint32 range[2];
      if (!parse_range (items[i], range))
        return FALSE;
      g_array_append_vals (self->processors, range, 2);
    }
  return self->processors->len > 0;
}

gboolean
pd_report_view_is_interval (const PdReportView *self, const PdIntervalResult *result)
{
  if (self->file == NULL || result->line != self->line
      || !g_str_has_suffix (result->file, self->file))
    return FALSE;
  gsize before = strlen (result->file) - strlen (self->file);
  return before == 0 || result->file[before - 1] == '/';
}

gboolean
pd_report_view_has_processor (const PdReportView *self, guint32 processor)
{
  for (guint i = 0; self->processors != NULL && i < self->processors->len; i += 2)
    if (processor >= g_array_index (self->processors, guint32, i)
        && processor <= g_array_index (self->processors, guint32, i + 1))
      return TRUE;
  return self->processors == NULL;
}

void
pd_report_view_clear (PdReportView *self)
{
  g_clear_pointer (&self->file, g_free);
  g_clear_pointer (&self->processors, g_array_unref);
}
