/* GOAL in the table of formats.
 * SPDX-License-Identifier: MIT */
#include "traces/goal/pd-goal-binary.h"
#include "traces/goal/pd-goal-format.h"
#include "traces/goal/pd-goal-parts.h"
#include "traces/goal/pd-goal-text.h"
#include "traces/goal/pd-goal-write.h"
#include "base/pd-file.h"

gboolean
pd_trace_goal_matches (const PdTraceProbe *probe)
{
  return pd_goal_is_text (probe->data, probe->size);
}

gboolean
pd_trace_goal_read (const PdTraceSource *source, const PdTraceReadOptions *options,
                    PdMpTrace *trace, PdMessages *messages G_GNUC_UNUSED, GError **error)
{
  trace->graph = pd_goal_read_parts (source, options->n_threads);
  if (trace->graph != NULL)
    return TRUE;
  g_autoptr (PdInput) input = pd_trace_source_open (source, error);
  if (input != NULL)
    trace->graph = pd_goal_read_text (input, pd_trace_source_get_name (source), error);
  return trace->graph != NULL;
}

/* Only graphs can be written; a program is converted to one before. */
static gboolean
check_graph (const PdMpTrace *trace, const char *path, GError **error)
{
  if (trace->graph != NULL)
    return TRUE;
  g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_FORMAT,
               "%s: GOAL is written from a graph of dependencies, not from a program", path);
  return FALSE;
}

gboolean
pd_trace_goal_write (const PdMpTrace *trace, const char *path,
                     const PdTraceWriteOptions *options G_GNUC_UNUSED,
                     PdMessages *messages G_GNUC_UNUSED, GError **error)
{
  g_autoptr (PdOutput) out = check_graph (trace, path, error) ? pd_output_new (path, error) : NULL;

  if (out == NULL)
    return FALSE;
  pd_goal_write_text (trace->graph, out);
  return pd_output_close (out, error);
}

gboolean
pd_trace_goal_binary_matches (const PdTraceProbe *probe)
{
  return pd_goal_is_binary (probe->data, probe->size);
}

/* A plain file is seen through the system's memory; a compressed one is read whole. */
static GBytes *
get_bytes (const PdTraceSource *source, GError **error)
{
  g_autoptr (GMappedFile) file = NULL;
  g_autoptr (PdInput) input = NULL;
  const PdWindow *window;

  if (source->bytes == NULL)
    {
      const char *path = pd_file_resolve (source->path, error);
      if (path == NULL)
        return NULL;
      file = g_mapped_file_new (path, FALSE, NULL);
    }
  if (file != NULL
      && pd_goal_is_binary (g_mapped_file_get_contents (file), g_mapped_file_get_length (file)))
    return g_mapped_file_get_bytes (file);
  input = pd_trace_source_open (source, error);
  if (input == NULL)
    return NULL;
  while (pd_input_fill (input, 0))
    ;
  if (!pd_input_check (input, pd_trace_source_get_name (source), error))
    return NULL;
  window = pd_input_get_window (input);
  return g_bytes_new (window->data, window->size);
}

gboolean
pd_trace_goal_binary_read (const PdTraceSource *source,
                           const PdTraceReadOptions *options G_GNUC_UNUSED, PdMpTrace *trace,
                           PdMessages *messages G_GNUC_UNUSED, GError **error)
{
  g_autoptr (GBytes) bytes = get_bytes (source, error);

  if (bytes == NULL)
    return FALSE;
  trace->graph = pd_goal_read_binary (bytes, pd_trace_source_get_name (source), error);
  return trace->graph != NULL;
}

gboolean
pd_trace_goal_binary_write (const PdMpTrace *trace, const char *path,
                            const PdTraceWriteOptions *options G_GNUC_UNUSED,
                            PdMessages *messages G_GNUC_UNUSED, GError **error)
{
  g_autoptr (PdOutput) out = check_graph (trace, path, error) ? pd_output_new (path, error) : NULL;

  if (out == NULL)
    return FALSE;
  pd_goal_write_binary (trace->graph, out);
  return pd_output_close (out, error);
}
