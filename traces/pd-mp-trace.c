/* The table of formats of traces.
 * SPDX-License-Identifier: MIT */
#include "traces/pd-mp-trace.h"

#include "traces/pd-allprof.h"
#include "traces/pd-graph.h"
#include "traces/pd-program-file.h"
#include "traces/pd-trace-cache.h"
#include "traces/pd-trace-formats-private.h"
#include "traces/pd-trace-share.h"

#include <string.h>

#define PROBE_SIZE (64 * 1024)

/* What has a magic number stands before text, whose forms are told by their
 * first lines. */
static const char *const goal_suffixes[] = { ".goal", NULL };
static const char *const goal_binary_suffixes[] = { ".bin", NULL };
static const char *const otf2_suffixes[] = { ".otf2", NULL };
static const char *const text_suffixes[] = { ".pdt", ".txt", NULL };
static const char *const ti_suffixes[] = { ".ti", NULL };

static const PdTraceFormat formats[] = {
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

/* The file that tells what a trace is: of one with a file per rank that is named
 * by its folder, or by what the names begin with, the first. */
static PdInput *
open_first (const PdTraceSource *source, GError **error)
{
  gboolean is_file = source->bytes != NULL || strcmp (source->path, "-") == 0
                     || (g_file_test (source->path, G_FILE_TEST_EXISTS)
                         && !g_file_test (source->path, G_FILE_TEST_IS_DIR));
  g_auto (GStrv) files = is_file ? NULL : pd_allprof_find_files (source->path);

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
  if (probe.size == 0 && pd_input_get_problem (input) == PD_INPUT_UNREADABLE)
    g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_OPEN, "%s: cannot read the trace",
                 pd_trace_source_get_name (source));
  else
    g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_FORMAT,
                 probe.size > 0 ? "%s: not a trace of a known form" : "%s: the trace is empty",
                 pd_trace_source_get_name (source));
  return NULL;
}

/* ---- reading */

PdInput *
pd_trace_source_open (const PdTraceSource *source, GError **error)
{
  if (source->bytes != NULL)
    return pd_input_new_from_bytes (source->bytes);
  return pd_input_new_from_file (source->path, error);
}

const char *
pd_trace_source_get_name (const PdTraceSource *source)
{
  return strcmp (source->path, "-") == 0 ? "stdin" : source->path;
}

/* What can be read only once is kept in memory: all readers look at the
 * beginning first, some at the whole twice. */
static gboolean
make_repeatable (PdTraceSource *source, gboolean *incomplete, PdMessages *messages, GError **error)
{
  PdPlace place = { pd_trace_source_get_name (source), 0, NULL, -1, -1, TRUE };
  g_autoptr (PdInput) input = NULL;
  GByteArray *all;
  const PdWindow *window;

  if (source->bytes != NULL || g_file_test (source->path, G_FILE_TEST_IS_DIR)
      || (strcmp (source->path, "-") != 0
          && (g_file_test (source->path, G_FILE_TEST_IS_REGULAR)
              || !g_file_test (source->path, G_FILE_TEST_EXISTS))))
    {
      if (source->bytes != NULL)
        g_bytes_ref (source->bytes);
      return TRUE;
    }
  input = pd_input_new_from_file (source->path, error);
  if (input == NULL)
    return FALSE;
  all = g_byte_array_new ();
  window = pd_input_get_window (input);
  while (pd_input_fill (input, window->size))
    {
      if (all->len + window->size > G_MAXUINT / 2)
        {
          g_byte_array_unref (all);
          g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_LIMIT,
                       "%s: over 2 GB that are in no file", pd_trace_source_get_name (source));
          return FALSE;
        }
      g_byte_array_append (all, (const guint8 *) window->data, (guint) window->size);
    }
  source->bytes = g_byte_array_free_to_bytes (all);
  pd_input_report (input, messages, &place);
  *incomplete = pd_input_get_problem (input) != PD_INPUT_FINE;
  return TRUE;
}

static PdMpTrace *
read_repeatable (const PdTraceSource *source, const PdTraceReadOptions *options,
                 PdMessages *messages, GError **error)
{
  g_autoptr (PdMpTrace) self = g_new0 (PdMpTrace, 1);

  self->format = pd_trace_format_detect (source, error);
  if (self->format == NULL)
    return NULL;
  if (self->format->read == NULL)
    {
      g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_FORMAT,
                   "%s: a %s, not one of message passing", pd_trace_source_get_name (source),
                   self->format->meaning);
      return NULL;
    }
  if (!self->format->read (source, options, self, messages, error))
    return NULL;
  return g_steal_pointer (&self);
}

/* Through the folder of parsed programs. */
static PdMpTrace *
read_cached (const char *folder, const PdTraceSource *source, const PdTraceReadOptions *options,
             PdMessages *messages, GError **error)
{
  g_autoptr (PdMessages) own = pd_messages_new ();
  g_autofree char *path = NULL;
  guint8 key[PD_PROGRAM_KEY_SIZE];
  PdMpTrace *self = pd_trace_cache_find (folder, source, options, messages, &path, key);

  if (self != NULL)
    return self;
  self = read_repeatable (source, options, own, error);
  if (self != NULL && path != NULL)
    pd_trace_cache_add (path, key, source, self, own);
  for (guint i = 0; i < pd_messages_get_n (own); i++)
    pd_messages_add_message (messages, pd_messages_get (own, i));
  return self;
}

PdMpTrace *
pd_mp_trace_read (const PdTraceSource *source, const PdTraceReadOptions *options,
                  PdMessages *messages, GError **error)
{
  PdTraceSource own = *source;
  const char *folder = options->cache != NULL ? options->cache : g_getenv ("PREDICTOR_CACHE");
  gboolean incomplete = FALSE;
  PdMpTrace *self;

  g_return_val_if_fail (source->path != NULL, NULL);
  if ((self = pd_trace_share_find (source, options, messages)) != NULL)
    return self;
  if (!make_repeatable (&own, &incomplete, messages, error))
    return NULL;
  self = folder != NULL && folder[0] != '\0' ? read_cached (folder, &own, options, messages, error)
                                             : read_repeatable (&own, options, messages, error);
  if (self != NULL)
    self->incomplete |= incomplete;
  if (own.bytes != NULL)
    g_bytes_unref (own.bytes);
  return self;
}

guint32
pd_mp_trace_get_n_ranks (const PdMpTrace *self)
{
  return self->graph != NULL ? pd_graph_get_n_ranks (self->graph)
                             : pd_program_get_n_ranks (self->program);
}

void
pd_mp_trace_free (PdMpTrace *self)
{
  if (self == NULL)
    return;
  pd_program_free (self->program);
  pd_graph_free (self->graph);
  g_clear_pointer (&self->parts, g_ptr_array_unref);
  g_free (self);
}
