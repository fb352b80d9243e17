/* OTF2 as one of the formats of traces.
 * SPDX-License-Identifier: MIT */
#include "traces/otf2/pd-otf2-reader.h"
#include "traces/otf2/pd-otf2-writer.h"
#include "traces/otf2/pd-otf2-format.h"

#include <string.h>

/* An anchor file begins with the mark of its byte order and these letters. */
static const char magic[] = "BOTF2";

gboolean
pd_trace_otf2_matches (const PdTraceProbe *probe)
{
  return probe->size > sizeof magic && memcmp (probe->data + 1, magic, sizeof magic - 1) == 0;
}

static gint
compare_paths (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* The further files of an archive: its definitions, and all files of its folder. */
static GPtrArray *
list_parts (const char *path)
{
  GPtrArray *parts = g_ptr_array_new_with_free_func (g_free);
  gsize n = strlen (path) - (g_str_has_suffix (path, ".otf2") ? strlen (".otf2") : 0);
  g_autofree char *folder = g_strndup (path, n);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  g_ptr_array_add (parts, g_strconcat (folder, ".def", NULL));
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    g_ptr_array_add (parts, g_build_filename (folder, name, NULL));
  g_ptr_array_sort (parts, compare_paths);
  return parts;
}

gboolean
pd_trace_otf2_read (const PdTraceSource *source, const PdTraceReadOptions *options,
                    PdMpTrace *trace, PdMessages *messages, GError **error)
{
  if (source->bytes != NULL || !g_file_test (source->path, G_FILE_TEST_IS_REGULAR))
    {
      g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_OPEN,
                   "%s: an OTF2 archive is several files: name its .otf2 file", source->path);
      return FALSE;
    }
  trace->parts = list_parts (source->path);
  trace->program =
      pd_otf2_read (source->path, options->recorded, &trace->incomplete, messages, error);
  return trace->program != NULL;
}

gboolean
pd_trace_otf2_write (const PdMpTrace *trace, const char *path, const PdTraceWriteOptions *options,
                     PdMessages *messages, GError **error)
{
  if (trace->program == NULL)
    {
      g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_FORMAT,
                   "%s: a dependency graph has no order of events, which an archive needs", path);
      return FALSE;
    }
  return pd_otf2_write (trace->program, path, options, messages, error);
}
