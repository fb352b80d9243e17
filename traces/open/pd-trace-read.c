/* Reading traces: from whatever is there first, the share, the folder of parsed programs,
 * the trace itself.
 * SPDX-License-Identifier: MIT */
#include "traces/open/pd-trace-read.h"

#include "traces/audit/pd-program-audit.h"
#include "traces/program/pd-program-file.h"
#include "traces/open/pd-trace-cache.h"
#include "traces/open/pd-trace-formats.h"
#include "traces/open/pd-trace-share.h"

#include <string.h>

/* Standard input can be read only once, and is kept in memory: all readers look at
 * the beginning first, some at the whole twice. */
static gboolean
make_repeatable (PdTraceSource *source, gboolean *incomplete, PdMessages *messages, GError **error)
{
  PdPlace place = { pd_trace_source_get_name (source), 0, NULL, -1, -1, TRUE };
  g_autoptr (PdInput) input = NULL;
  GByteArray *all;
  const PdWindow *window;

  if (source->bytes != NULL || strcmp (source->path, "-") != 0)
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
  /* what could not be read now can perhaps be read the next time */
  if (self != NULL && path != NULL && pd_messages_count (own, "unreadable") == 0)
    pd_trace_cache_add (path, key, source, self, own);
  pd_messages_add_all (messages, own);
  return self;
}

/* Without the audit. */
static PdMpTrace *
read_trace (const PdTraceSource *source, const PdTraceReadOptions *options, PdMessages *messages,
            GError **error)
{
  PdTraceSource own = *source;
  const char *folder = options->cache != NULL ? options->cache : g_getenv ("PREDICTOR_CACHE");
  gboolean incomplete = FALSE;
  PdMpTrace *self;

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

PdMpTrace *
pd_mp_trace_read (const PdTraceSource *source, const PdTraceReadOptions *options,
                  PdMessages *messages, GError **error)
{
  g_return_val_if_fail (source->path != NULL, NULL);
  PdMpTrace *self = read_trace (source, options, messages, error);

  gboolean wanted = options->audit == PD_AUDIT_ALL
                    || (options->audit == PD_AUDIT_SIMULATED && self != NULL && !self->incomplete);
  if (wanted && self != NULL && self->program != NULL)
    pd_program_audit (self->program, pd_trace_source_get_name (source),
                      options->audit == PD_AUDIT_SIMULATED, messages);
  return self;
}
