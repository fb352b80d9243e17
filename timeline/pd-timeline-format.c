/* SPDX-License-Identifier: MIT */
#include "timeline/pd-timeline-format.h"

#include "timeline/pd-paraver.h"
#include "timeline/pd-timeline-otf2.h"
#include "timeline/pd-timeline-json.h"

#include <string.h>

/* Longer suffixes before those that they end with. */
static const PdTimelineFormat formats[] = {
  { ".json", "trace events of Chrome and Perfetto", { NULL }, FALSE, pd_timeline_write_json },
  { ".json.gz",
    "trace events of Chrome and Perfetto, compressed",
    { NULL },
    FALSE,
    pd_timeline_write_json },
  { ".prv", "Paraver", { ".pcf", ".row" }, FALSE, pd_paraver_write },
  { ".otf2", "OTF2", { "", ".def" }, TRUE, pd_timeline_otf2_write },
};

const PdTimelineFormat *
pd_timeline_format_find (const char *path, GError **error)
{
  g_autoptr (GString) known = g_string_new (NULL);
  gsize length = strlen (path);

  /* "folder.otf2/" is the same as without the slash */
  while (length > 1 && path[length - 1] == '/')
    length--;
  g_autofree char *own = g_strndup (path, length);
  for (gsize i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      if (g_str_has_suffix (own, formats[i].suffix))
        return &formats[i];
      g_string_append_printf (known, "%s%s", i > 0 ? ", " : "", formats[i].suffix);
    }
  g_set_error (error, PD_TIMELINE_ERROR, PD_TIMELINE_ERROR_FORMAT,
               "'%s': no format of timelines has that suffix, expected one of %s", path,
               known->str);
  return NULL;
}
