/* Time-independent traces of SimGrid: one file of all ranks, or a list that
 * names one such file or a file for each rank.
 * SPDX-License-Identifier: MIT */
#include "traces/io/pd-lines.h"
#include "traces/program/pd-program-builder.h"
#include "traces/ti/pd-ti-actions-private.h"
#include "traces/ti/pd-ti-fields-private.h"
#include "traces/ti/pd-ti-lines-private.h"
#include "traces/ti/pd-ti-parts-private.h"
#include "traces/ti/pd-ti-reader.h"

#include <string.h>

/* A line of a list is a file name. */
#define MAX_PATH_LENGTH 4096

/* ---- one file, or one for each rank */

static PdProgram *
finish (PdTi *self, GError **error)
{
  return pd_ti_finish_ranks (self, error)
             ? pd_program_builder_finish (g_steal_pointer (&self->builder))
             : NULL;
}

/* One line after the other. */
static gboolean
read_lines (const PdTraceSource *source, PdTi *ti, PdMessages *messages, GError **error)
{
  g_autoptr (PdInput) counted = pd_trace_source_open (source, error);
  const char *name = pd_trace_source_get_name (source);
  PdTiCount count;

  if (counted == NULL || !pd_ti_count (counted, name, &count, error)
      || !pd_ti_check_count (&count, name, error))
    return FALSE;
  g_autoptr (PdInput) input = pd_trace_source_open (source, error);
  if (input == NULL)
    return FALSE;
  pd_ti_init (ti, (guint32) count.greatest + 1, messages);
  return pd_ti_read_actions (ti, input, name, -1, error);
}

static gboolean
read_shared (const PdTraceSource *source, guint n_threads, PdMpTrace *trace, PdMessages *messages,
             GError **error)
{
  PdTi ti = { .name = NULL };
  gboolean fine = pd_ti_read_parts (source, n_threads, &ti, messages)
                  || read_lines (source, &ti, messages, error);

  trace->program = fine ? finish (&ti, error) : NULL;
  trace->incomplete = ti.incomplete;
  pd_ti_clear (&ti);
  return trace->program != NULL;
}

static gboolean
read_private_files (GPtrArray *paths, guint n_threads, PdMpTrace *trace, PdMessages *messages,
                    GError **error)
{
  PdTi ti = { .name = NULL };
  gboolean fine = TRUE;

  if (!pd_ti_read_files (paths, n_threads, &ti, messages))
    {
      pd_ti_init (&ti, paths->len, messages);
      for (guint32 rank = 0; fine && rank < paths->len; rank++)
        fine = pd_ti_read_file (&ti, paths, rank, error);
    }
  trace->program = fine ? finish (&ti, error) : NULL;
  trace->incomplete = ti.incomplete;
  pd_ti_clear (&ti);
  return trace->program != NULL;
}

/* ---- lists of files */

/* The file that a list names @line: beside the list, or in the current folder. */
static char *
find_file (const char *list, const char *line)
{
  g_autofree char *folder = g_path_get_dirname (list);
  char *path = g_path_is_absolute (line) ? g_strdup (line) : g_build_filename (folder, line, NULL);

  if (g_file_test (path, G_FILE_TEST_IS_REGULAR))
    return path;
  g_free (path);
  return g_file_test (line, G_FILE_TEST_IS_REGULAR) ? g_strdup (line) : NULL;
}

typedef struct
{
  const char *name; /* of the list */
  gint64 line;
  GPtrArray *paths;
} List;

static gboolean
read_list_line (gpointer data, const char *begin, const char *end, gboolean is_last, GError **error)
{
  List *self = data;
  PdTiFields fields = { begin, end };

  (void) is_last;
  self->line++;
  if (!pd_ti_has_more (&fields))
    return TRUE;
  while (pd_ti_is_blank (end[-1]))
    end--;
  g_autofree char *name = g_strndup (fields.p, MIN ((gsize) (end - fields.p), MAX_PATH_LENGTH));
  char *path = find_file (self->name, name);
  if (path == NULL)
    {
      g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_OPEN,
                   "%s:%" G_GINT64_FORMAT ": no such file: %s", self->name, self->line, name);
      return FALSE;
    }
  g_ptr_array_add (self->paths, path);
  if (self->paths->len <= PD_PROGRAM_MAX_RANKS)
    return TRUE;
  g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_LIMIT, "%s: over %d files", self->name,
               PD_PROGRAM_MAX_RANKS);
  return FALSE;
}

static gboolean
read_list (const PdTraceSource *source, guint n_threads, PdMpTrace *trace, PdMessages *messages,
           GError **error)
{
  g_autoptr (PdInput) input = pd_trace_source_open (source, error);
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  List list = { pd_trace_source_get_name (source), 0, paths };

  trace->parts = paths;
  if (input == NULL || !pd_lines_read (input, list.name, read_list_line, &list, NULL, error))
    return FALSE;
  if (paths->len <= 1)
    {
      PdTraceSource shared = { paths->len == 1 ? paths->pdata[0] : source->path, NULL };
      return read_shared (&shared, n_threads, trace, messages, error);
    }
  return read_private_files (paths, n_threads, trace, messages, error);
}

/* ---- recognising */

/* The first line that is neither empty nor a comment; FALSE if there is none. */
static gboolean
find_first_line (const char *data, gsize size, PdTiFields *line)
{
  const char *p = data, *end = data + size;

  while (p < end)
    {
      const char *lf = memchr (p, '\n', (gsize) (end - p));
      *line = (PdTiFields){ p, lf != NULL ? lf : end };
      if (pd_ti_has_more (line) && *line->p != '#')
        return TRUE;
      p = lf != NULL ? lf + 1 : end;
    }
  return FALSE;
}

/* RANK ACTION, where it may break off if that is all there is. */
static gboolean
is_action (const char *data, gsize size)
{
  PdTiFields line;
  gint64 rank;

  if (!find_first_line (data, size, &line))
    return FALSE;
  line.p = pd_numbers_read_int (line.p, line.end, &rank);
  if (line.p == NULL || rank < 0 || line.p == line.end || !pd_ti_is_blank (*line.p)
      || !pd_ti_has_more (&line))
    return FALSE;
  const char *name = line.p;
  while (line.p < line.end && !pd_ti_is_blank (*line.p))
    line.p++;
  return pd_ti_action_find (name, (gsize) (line.p - name)) != NULL;
}

/* Whether the file at @path begins as a trace of actions. */
static gboolean
file_has_actions (const char *path)
{
  g_autoptr (PdInput) input = pd_input_new_from_file (path, NULL);
  const PdWindow *window;

  if (input == NULL)
    return FALSE;
  window = pd_input_get_window (input);
  pd_input_fill (input, 0);
  return is_action (window->data, window->size);
}

/* Nothing but lines of one word with a dot in it: names of files. */
static gboolean
has_only_names (const PdTraceProbe *probe)
{
  g_autofree char *text = g_strndup (probe->data, probe->size);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *line = g_strstrip (lines[i]);
      if (line[0] != '\0' && (strpbrk (line, " \t") != NULL || strchr (line, '.') == NULL))
        return FALSE;
    }
  return probe->whole;
}

/* The first line names a file that is a trace of actions, or one that is missing. */
static gboolean
is_list (const PdTraceProbe *probe)
{
  PdTiFields line;

  if (!find_first_line (probe->data, probe->size, &line))
    return FALSE;
  while (line.end > line.p && pd_ti_is_blank (line.end[-1]))
    line.end--;
  gsize n = (gsize) (line.end - line.p);
  if (n > MAX_PATH_LENGTH || !g_utf8_validate (line.p, (gssize) n, NULL))
    return FALSE;
  g_autofree char *name = g_strndup (line.p, n);
  g_autofree char *path = find_file (probe->path, name);
  return path != NULL ? file_has_actions (path) : has_only_names (probe);
}

gboolean
pd_trace_ti_matches (const PdTraceProbe *probe)
{
  return is_action (probe->data, probe->size) || is_list (probe);
}

gboolean
pd_trace_ti_read (const PdTraceSource *source, const PdTraceReadOptions *options, PdMpTrace *trace,
                  PdMessages *messages, GError **error)
{
  g_autoptr (PdInput) input = pd_trace_source_open (source, error);
  const PdWindow *window;

  if (input == NULL)
    return FALSE;
  window = pd_input_get_window (input);
  pd_input_fill (input, 0);
  if (is_action (window->data, window->size))
    return read_shared (source, options->n_threads, trace, messages, error);
  return read_list (source, options->n_threads, trace, messages, error);
}
