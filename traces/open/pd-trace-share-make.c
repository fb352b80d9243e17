/* The side of the share that parses: a trace made into what readers take.
 * SPDX-License-Identifier: MIT */
#include "traces/open/pd-trace-share-make.h"

#include "traces/dvm/pd-dvm-calls-write.h"
#include "traces/graph/pd-graph-file.h"
#include "traces/program/pd-program-file.h"
#include "traces/open/pd-trace-formats.h"
#include "traces/open/pd-trace-notes.h"
#include "traces/open/pd-trace-read.h"
#include "traces/open/pd-trace-share-private.h"

#include <string.h>

static gboolean
refuse (const PdSharedQuery *query, const char *why, GError **error)
{
  g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_VALUE, "%s: not shared: %s", query->path, why);
  return FALSE;
}

static gboolean
is_current (const PdSharedQuery *query, GError **error)
{
  PdFileStamp now;

  return (pd_file_stamp_get (query->path, &now) && memcmp (&now, &query->stamp, sizeof now) == 0)
         || refuse (query, "the file has changed", error);
}

static gboolean
make_program (const PdSharedQuery *query, int fd, gboolean *names_files, GError **error)
{
  const PdTraceSource source = { query->path, NULL };
  const PdTraceReadOptions options = { .recorded = query->recorded };
  const PdTraceFormat *format = pd_trace_format_detect (&source, error);
  g_autoptr (PdMessages) messages = pd_messages_new ();
  g_autoptr (GVariant) notes = NULL;
  guint8 key[PD_PROGRAM_KEY_SIZE];

  if (format == NULL)
    return FALSE;
  if (format->read == NULL)
    return refuse (query, format->meaning, error);
  g_autoptr (PdMpTrace) trace = pd_mp_trace_read (&source, &options, messages, error);
  if (trace == NULL)
    return FALSE;
  *names_files = trace->parts != NULL || pd_messages_get_n (messages) > 0;
  notes =
      g_variant_ref_sink (pd_trace_notes_make (&source, trace, pd_trace_share_mark_file, messages));
  pd_trace_share_make_key (query, key);
  return trace->graph != NULL ? pd_graph_save_to_fd (trace->graph, key, notes, fd, error)
                              : pd_program_save_to_fd (trace->program, key, notes, fd, error);
}

/* The stored messages of the reader name no files. */
static gboolean
make_calls (const PdSharedQuery *query, int fd, GError **error)
{
  PdInput *input = pd_input_new_from_file (query->path, error);
  guint8 key[PD_PROGRAM_KEY_SIZE];

  pd_trace_share_make_key (query, key);
  return input != NULL && pd_dvm_calls_save (input, query->path, key, fd, error);
}

gboolean
pd_trace_share_make (const PdSharedQuery *query, int fd, gboolean *names_files, GError **error)
{
  *names_files = FALSE;
  return is_current (query, error)
         && (query->form == PD_SHARED_CALLS ? make_calls (query, fd, error)
                                            : make_program (query, fd, names_files, error))
         && is_current (query, error);
}
