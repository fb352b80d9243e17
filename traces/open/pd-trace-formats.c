/* The table of formats of traces.
 * SPDX-License-Identifier: MIT */
#include "traces/open/pd-trace-formats.h"

#include "traces/allprof/pd-allprof-files.h"
#include "traces/dim/pd-dim-reader.h"
#include "traces/dvm/pd-dvm-match.h"
#include "traces/goal/pd-goal-format.h"
#include "traces/otf2/pd-otf2-format.h"
#include "traces/pppa/pd-pppa.h"
#include "traces/text/pd-text-reader.h"
#include "traces/text/pd-text-writer.h"
#include "traces/ti/pd-ti-reader.h"
#include "traces/ti/pd-ti-writer.h"

#include <string.h>

#define PROBE_SIZE (64 * 1024)

/* Formats with a magic number come before forms of text, which are detected by their
 * first lines. */
static const char *const goal_suffixes[] = { ".goal", NULL };
static const char *const goal_binary_suffixes[] = { ".bin", NULL };
static const char *const otf2_suffixes[] = { ".otf2", NULL };
static const char *const text_suffixes[] = { ".pdt", ".txt", NULL };
static const char *const ti_suffixes[] = { ".ti", NULL };

static gboolean
is_scale_model (const PdTraceProbe *probe)
{
  return probe->size >= strlen (PD_TRACE_SCALE_MAGIC)
         && memcmp (probe->data, PD_TRACE_SCALE_MAGIC, strlen (PD_TRACE_SCALE_MAGIC)) == 0;
}

static const PdTraceFormat formats[] = {
  { "scale", "model of 'predictor scale'", NULL, is_scale_model, NULL, NULL },
  { "pppa", "statistics file of the DVM system", NULL, pd_trace_pppa_matches, NULL, NULL },
  { "goal-binary", "binary GOAL schedule", goal_binary_suffixes, pd_trace_goal_binary_matches,
    pd_trace_goal_binary_read, pd_trace_goal_binary_write },
  { "goal", "GOAL schedule", goal_suffixes, pd_trace_goal_matches, pd_trace_goal_read,
    pd_trace_goal_write },
  { "allprof", "liballprof trace", NULL, pd_trace_allprof_matches, pd_trace_allprof_read, NULL },
  { "dim", "Dimemas trace", NULL, pd_trace_dim_matches, pd_trace_dim_read, NULL },
  { "dvm", "DVM predictor trace", NULL, pd_trace_dvm_matches, NULL, NULL },
  { "otf2", "OTF2 archive", otf2_suffixes, pd_trace_otf2_matches, pd_trace_otf2_read,
    pd_trace_otf2_write },
  { "text", "text form of Predictor", text_suffixes, pd_trace_text_matches, pd_trace_text_read,
    pd_trace_text_write },
  { "ti", "time-independent trace of SimGrid", ti_suffixes, pd_trace_ti_matches, pd_trace_ti_read,
    pd_trace_ti_write },
};

/* ---- recognising */

const PdTraceFormat *
pd_trace_format_get_all (guint *n)
{
  *n = G_N_ELEMENTS (formats);
  return formats;
}

const PdTraceFormat *
pd_trace_format_find (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (formats); i++)
    if (strcmp (formats[i].name, name) == 0)
      return &formats[i];
  return NULL;
}

const PdTraceFormat *
pd_trace_format_find_by_suffix (const char *path)
{
  for (gsize i = 0; i < G_N_ELEMENTS (formats); i++)
    for (const char *const *s = formats[i].suffixes; s != NULL && *s != NULL; s++)
      if (g_str_has_suffix (path, *s))
        return &formats[i];
  return NULL;
}

static const PdTraceFormat *
find_match (const PdTraceProbe *probe)
{
  for (gsize i = 0; i < G_N_ELEMENTS (formats); i++)
    if (formats[i].matches (probe))
      return &formats[i];
  return NULL;
}

/* Opens the file by which the format is detected. If a trace has one file per rank, and is
 * named by its folder or by the common beginning of the names, this is the first file. */
static PdInput *
open_first (const PdTraceSource *source, GError **error)
{
  g_auto (GStrv) files =
      pd_trace_source_is_file (source) ? NULL : pd_allprof_find_files (source->path);

  return files != NULL ? pd_input_new_from_file (files[0], error)
                       : pd_trace_source_open (source, error);
}

const PdTraceFormat *
pd_trace_format_detect (const PdTraceSource *source, GError **error)
{
  g_autoptr (PdInput) input = open_first (source, error);
  PdTraceProbe probe = { source->path, NULL, 0, FALSE };
  const PdTraceFormat *format;
  const PdWindow *window;

  if (input == NULL)
    return NULL;
  window = pd_input_get_window (input);
  while (window->size < PROBE_SIZE && pd_input_fill (input, 0))
    ;
  probe.whole = window->size < PROBE_SIZE;
  probe.data = window->data;
  probe.size = MIN (window->size, PROBE_SIZE);
  format = find_match (&probe);
  if (format != NULL)
    return format;
  if (probe.size > 0 || pd_input_check (input, pd_trace_source_get_name (source), error))
    g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_FORMAT,
                 probe.size > 0 ? "%s: not a trace of a known form" : "%s: the trace is empty",
                 pd_trace_source_get_name (source));
  return NULL;
}
