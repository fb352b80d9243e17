/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* st_mtim */
#include "traces/open/pd-trace-share.h"

#include "base/pd-sha256.h"
#include "traces/graph/pd-graph-file.h"
#include "traces/program/pd-program-file.h"
#include "traces/open/pd-trace-notes.h"
#include "traces/open/pd-trace-share-private.h"
#include "traces/dvm/pd-dvm-calls-check.h"

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

/* ---- recognition of changed files */

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

char *
pd_trace_share_mark_file (const char *path)
{
  PdFileStamp s;

  if (!pd_file_stamp_get (path, &s))
    return NULL;
  return g_strdup_printf ("%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT ":%" G_GINT64_FORMAT
                          ":%" G_GINT64_FORMAT ":%" G_GINT64_FORMAT,
                          s.device, s.inode, s.size, s.modified, s.changed);
}

void
pd_trace_share_make_key (const PdSharedQuery *query, guint8 *key)
{
  PdSha256 sum;

  pd_sha256_init (&sum);
  pd_sha256_update (&sum, PD_TRACE_READERS, sizeof PD_TRACE_READERS);
  pd_sha256_update (&sum, query->recorded ? "r" : "n", 1);
  pd_sha256_update (&sum, &query->stamp, sizeof query->stamp);
  pd_sha256_finish (&sum, key);
}

/* ---- finding */

/* The first bytes decide whether it is a graph or a program. */
static PdMpTrace *
restore (GBytes *bytes, const PdSharedQuery *query, const PdTraceSource *source,
         PdMessages *messages)
{
  g_autoptr (PdMpTrace) trace = g_new0 (PdMpTrace, 1);
  g_autoptr (GVariant) notes = NULL;
  guint8 key[PD_PROGRAM_KEY_SIZE];

  pd_trace_share_make_key (query, key);
  if (pd_graph_is_file (bytes))
    trace->graph = pd_graph_map_bytes (bytes, key, &notes, NULL);
  else
    trace->program = pd_program_map_bytes (bytes, key, &notes, NULL);
  return trace->graph != NULL || trace->program != NULL ? pd_trace_notes_restore (
             notes, g_steal_pointer (&trace), source, pd_trace_share_mark_file, messages)
                                                        : NULL;
}

/* Whether it can be asked for: "-" is standard input. */
static gboolean
begin_query (PdSharedQuery *query)
{
  return provider.class != NULL && strcmp (query->path, "-") != 0
         && pd_file_stamp_get (query->path, &query->stamp);
}

/* If a part of the trace has changed, the shared trace is out of date: requests it once more. */
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

  pd_trace_share_make_key (query, key);
  return query->form != PD_SHARED_CALLS || pd_dvm_calls_check (bytes, key, NULL);
}
