/* The files of a liballprof trace, and its row in the table of formats.
 * SPDX-License-Identifier: MIT */
#include "traces/allprof/pd-allprof.h"
#include "traces/allprof/pd-allprof-files.h"

#include <string.h>

/* ---- names */

/* Splits "trace-007.txt" into "trace-", 3 digits and ".txt": the last number,
 * but for one in ".gz" and the like, which have none. FALSE if there is none. */
static gboolean
split_name (const char *path, gsize *begin, gsize *end)
{
  gsize at = strlen (path), first = at;

  while (first > 0 && !G_IS_DIR_SEPARATOR (path[first - 1]))
    first--;
  while (at > first && !g_ascii_isdigit (path[at - 1]))
    at--;
  *end = at;
  while (at > first && g_ascii_isdigit (path[at - 1]))
    at--;
  *begin = at;
  return *begin < *end;
}

/* The file of @rank in the set of @path, if it is there. */
static char *
get_file (const char *path, gsize begin, gsize end, guint32 rank)
{
  for (guint padded = 0; padded < 2; padded++)
    {
      g_autofree char *name =
          g_strdup_printf ("%.*s%0*" G_GUINT32_FORMAT "%s", (int) begin, path,
                           padded ? (int) MIN (end - begin, 10) : 1, rank, path + end);
      if (g_file_test (name, G_FILE_TEST_IS_REGULAR))
        return g_steal_pointer (&name);
    }
  return NULL;
}

/* The first file of rank 0 in @folder whose name begins with @prefix. */
static char *
find_first (const char *folder, const char *prefix)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_autofree char *best = NULL;
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      gsize begin, end;

      if (!g_str_has_prefix (name, prefix) || !split_name (name, &begin, &end)
          || strspn (name + begin, "0") < end - begin || begin < strlen (prefix)
          || (best != NULL && strcmp (name, best) >= 0))
        continue;
      g_free (best);
      best = g_strdup (name);
    }
  return best != NULL ? g_build_filename (folder, best, NULL) : NULL;
}

char **
pd_allprof_find_files (const char *path)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *first = NULL;
  gsize begin, end;

  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    first = find_first (path, "");
  else if (g_file_test (path, G_FILE_TEST_EXISTS))
    first = g_strdup (path);
  else
    {
      g_autofree char *folder = g_path_get_dirname (path), *prefix = g_path_get_basename (path);
      first = find_first (folder, prefix);
    }
  if (first == NULL)
    return NULL;
  if (!split_name (first, &begin, &end))
    g_ptr_array_add (files, g_strdup (first));
  else
    for (guint32 rank = 0; rank < PD_PROGRAM_MAX_RANKS; rank++)
      {
        char *file = get_file (first, begin, end, rank);
        if (file == NULL)
          break;
        g_ptr_array_add (files, file);
      }
  if (files->len == 0)
    return NULL;
  g_ptr_array_add (files, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&files), FALSE);
}

/* ---- the format */

/* The first line that is no comment is a call, with its moment. */
gboolean
pd_trace_allprof_matches (const PdTraceProbe *probe)
{
  const char *at = probe->data, *end = at + probe->size;

  while (at < end && (*at == '#' || *at == '\n' || *at == '\r'))
    {
      const char *line = memchr (at, '\n', (gsize) (end - at));
      if (line == NULL)
        return FALSE;
      at = line + 1;
    }
  if (end - at < 6 || strncmp (at, "MPI_", 4) != 0)
    return FALSE;
  while (at < end && (g_ascii_isalnum (*at) || *at == '_'))
    at++;
  return end - at >= 2 && at[0] == ':' && (at[1] == '-' || g_ascii_isdigit (at[1]));
}

gboolean
pd_trace_allprof_read (const PdTraceSource *source, const PdTraceReadOptions *options,
                       PdMpTrace *trace, PdMessages *messages, GError **error)
{
  g_auto (GStrv) names = source->bytes == NULL ? pd_allprof_find_files (source->path) : NULL;
  guint n = names != NULL ? g_strv_length (names) : 1;
  g_autofree PdTraceSource *files = NULL;

  if (names == NULL && source->bytes == NULL)
    {
      g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_OPEN,
                   "%s: there is no file of rank 0, whose name has 0 for its last number",
                   source->path);
      return FALSE;
    }
  files = g_new0 (PdTraceSource, n);
  for (guint i = 0; i < n; i++)
    files[i] = names != NULL ? (PdTraceSource){ names[i], NULL } : *source;
  for (guint i = 0; names != NULL && i < n; i++)
    if (strcmp (names[i], source->path) != 0)
      {
        if (trace->parts == NULL)
          trace->parts = g_ptr_array_new_with_free_func (g_free);
        g_ptr_array_add (trace->parts, g_strdup (names[i]));
      }
  trace->program = pd_allprof_read (files, n, options, &trace->incomplete, messages, error);
  return trace->program != NULL;
}
