/* Which ranks and which part of the time, from text.
 * SPDX-License-Identifier: MIT */
#include "timeline/pd-timeline-private.h"

#include "base/pd-units.h"
#include "timeline/pd-timeline-select-private.h"
#include "timeline/pd-timeline-select.h"

#include <string.h>

static gboolean
parse_time (const char *text, gsize n, PdTime *moment, GError **error)
{
  g_autofree char *own = g_strndup (text, n);
  PdNumber number;

  if (*g_strstrip (own) == '\0')
    return TRUE;
  if (!pd_units_parse (PD_UNIT_TIME, own, &number, error))
    return FALSE;
  *moment = PD_TIME (number.i);
  return TRUE;
}

gboolean
pd_timeline_parse_window (const char *text, PdTimelineSelection *selection, GError **error)
{
  const char *middle = strchr (text, ':');
  PdTime begin = PD_TIME_ZERO, end = PD_TIME_MAX;
  g_autoptr (GError) local = NULL;
  gboolean is_parsed = middle != NULL && parse_time (text, (gsize) (middle - text), &begin, &local)
                       && parse_time (middle + 1, strlen (middle + 1), &end, &local);

  if (!is_parsed || begin.ps >= end.ps)
    {
      g_set_error (error, PD_TIMELINE_ERROR, PD_TIMELINE_ERROR_SELECTION,
                   "window '%s': expected two moments with units, the second one later, such as "
                   "1ms:2ms, 1ms: or :2ms%s%s",
                   text, local != NULL ? ": " : "", local != NULL ? local->message : "");
      return FALSE;
    }
  selection->begin = begin;
  selection->end = end;
  return TRUE;
}

static gboolean
parse_range (const char *text, PdTimelineRange *range)
{
  const char *middle = strchr (text, '-');
  g_autofree char *first =
      middle == NULL ? g_strdup (text) : g_strndup (text, (gsize) (middle - text));
  guint64 from, to;

  if (!g_ascii_string_to_unsigned (first, 10, 0, G_MAXUINT32, &from, NULL))
    return FALSE;
  to = from;
  if (middle != NULL && !g_ascii_string_to_unsigned (middle + 1, 10, 0, G_MAXUINT32, &to, NULL))
    return FALSE;
  *range = (PdTimelineRange){ (guint32) from, (guint32) to };
  return from <= to;
}

GArray *
pd_timeline_parse_ranks (const char *text, GError **error)
{
  g_autoptr (GArray) ranges = g_array_new (FALSE, FALSE, sizeof (PdTimelineRange));
  g_auto (GStrv) items = g_strsplit (text, ",", -1);

  for (guint i = 0; items[i] != NULL; i++)
    {
      PdTimelineRange range;
      if (!parse_range (items[i], &range))
        {
          g_set_error (error, PD_TIMELINE_ERROR, PD_TIMELINE_ERROR_SELECTION,
                       "ranks '%s': expected ranks such as 0,4-7", text);
          return NULL;
        }
      g_array_append_val (ranges, range);
    }
  if (ranges->len > 0)
    return g_steal_pointer (&ranges);
  g_set_error (error, PD_TIMELINE_ERROR, PD_TIMELINE_ERROR_SELECTION,
               "ranks '%s': expected ranks such as 0,4-7", text);
  return NULL;
}
