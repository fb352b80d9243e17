/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* st_mtim */
#include "traces/pd-trace-share.h"

#include "base/pd-sha256.h"
#include "traces/pd-dvm-calls.h"
#include "traces/pd-graph-file.h"
#include "traces/pd-program-file.h"
#include "traces/pd-trace-notes.h"

#include <string.h>
#include <sys/stat.h>

/* Set before anyone reads, and not changed then. */
static struct
{
  const PdTraceShareClass *class;
  gpointer self;
} provider;

void
pd_trace_share_set (const PdTraceShareClass *class, gpointer self)
{
  provider.class = class;
  provider.self = self;
}

/* ---- what tells a file from a changed one */

static gint64
to_nanoseconds (struct timespec time)
{
  return (gint64) ((guint64) time.tv_sec * 1000000000 + (guint64) time.tv_nsec);
}

gboolean
pd_file_stamp_get (const char *path, PdFileStamp *stamp)
{
  struct stat status;

  memset (stamp, 0, sizeof *stamp);
  if (stat (path, &status) != 0 || (!S_ISREG (status.st_mode) && !S_ISDIR (status.st_mode)))
    return FALSE;
  stamp->device = status.st_dev;
  stamp->inode = status.st_ino;
  stamp->size = status.st_size;
  stamp->modified = to_nanoseconds (status.st_mtim);
  stamp->changed = to_nanoseconds (status.st_ctim);
  return TRUE;
}

/* A #PdFileMarkFunc. */
static char *
mark_file (const char *path)
{
  PdFileStamp s;

  if (!pd_file_stamp_get (path, &s))
    return NULL;
  return g_strdup_printf ("%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT ":%" G_GINT64_FORMAT
                          ":%" G_GINT64_FORMAT ":%" G_GINT64_FORMAT,
                          s.device, s.inode, s.size, s.modified, s.changed);
}

/* Another version of the readers, or of the file, has another one. */
static void
make_key (const PdSharedQuery *query, guint8 *key)
{
  PdSha256 sum;

  pd_sha256_init (&sum);
  pd_sha256_update (&sum, PD_TRACE_READERS, sizeof PD_TRACE_READERS);
  pd_sha256_update (&sum, query->recorded ? "r" : "n", 1);
  pd_sha256_update (&sum, &query->stamp, sizeof query->stamp);
  pd_sha256_finish (&sum, key);
}

/* ---- finding */

/* What the beginning says decides. */
static PdMpTrace *
restore (GBytes *bytes, const PdSharedQuery *query, const PdTraceSource *source,
         PdMessages *messages)
{
  g_autoptr (PdMpTrace) trace = g_new0 (PdMpTrace, 1);
  g_autoptr (GVariant) notes = NULL;
  guint8 key[PD_PROGRAM_KEY_SIZE];

  make_key (query, key);
  if (pd_graph_is_file (bytes))
    trace->graph = pd_graph_map_bytes (bytes, key, &notes, NULL);
  else
    trace->program = pd_program_map_bytes (bytes, key, &notes, NULL);
  return trace->graph != NULL || trace->program != NULL
             ? pd_trace_notes_restore (notes, g_steal_pointer (&trace), source, mark_file, messages)
             : NULL;
}

/* Whether it can be asked for: "-" is standard input. */
static gboolean
begin_query (PdSharedQuery *query)
{
  return provider.class != NULL && strcmp (query->path, "-") != 0
         && pd_file_stamp_get (query->path, &query->stamp);
}

/* What is out of date, for a part of the trace has changed, is asked for once more. */
PdMpTrace *
pd_trace_share_find (const PdTraceSource *source, const PdTraceReadOptions *options,
                     PdMessages *messages)
{
  PdSharedQuery query = { .path = source->path,
                          .form = PD_SHARED_PROGRAM,
                          .recorded = options->recorded };
  PdMpTrace *trace = NULL;

  if (source->bytes != NULL || !begin_query (&query))
    return NULL;
  for (int i = 0; i < 2 && trace == NULL; i++)
    {
      query.again = i > 0;
      g_autoptr (GBytes) bytes = provider.class->get (provider.self, &query);
      if (bytes == NULL)
        return NULL;
      trace = restore (bytes, &query, source, messages);
    }
  return trace;
}

GBytes *
pd_trace_share_get_calls (const char *path)
{
  PdSharedQuery query = { .path = path, .form = PD_SHARED_CALLS };

  return !begin_query (&query) ? NULL : provider.class->get (provider.self, &query);
}

gboolean
pd_trace_share_check (const PdSharedQuery *query, GBytes *bytes)
{
  guint8 key[PD_PROGRAM_KEY_SIZE];

  make_key (query, key);
  return query->form != PD_SHARED_CALLS || pd_dvm_calls_check (bytes, key, NULL);
}

/* ---- making */

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
  const PdTraceReadOptions options = { query->recorded, NULL };
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
  notes = g_variant_ref_sink (pd_trace_notes_make (&source, trace, mark_file, messages));
  make_key (query, key);
  return trace->graph != NULL ? pd_graph_save_to_fd (trace->graph, key, notes, fd, error)
                              : pd_program_save_to_fd (trace->program, key, notes, fd, error);
}

/* What the reader says has no names of files in it. */
static gboolean
make_calls (const PdSharedQuery *query, int fd, GError **error)
{
  PdInput *input = pd_input_new_from_file (query->path, error);
  guint8 key[PD_PROGRAM_KEY_SIZE];

  make_key (query, key);
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
