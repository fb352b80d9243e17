/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* st_mtim */
#include "traces/pd-trace-share.h"

#include "base/pd-sha256.h"
#include "traces/pd-output.h"
#include "traces/pd-program-file.h"
#include "traces/pd-trace-notes.h"

#include <string.h>
#include <sys/stat.h>

/* More text than that is read from its file each time. */
#define MAX_TEXT (G_GINT64_CONSTANT (1) << 30)

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

static PdMpTrace *
restore (GBytes *bytes, const PdSharedQuery *query, const PdTraceSource *source,
         PdMessages *messages)
{
  g_autoptr (GVariant) notes = NULL;
  guint8 key[PD_PROGRAM_KEY_SIZE];

  make_key (query, key);
  PdProgram *program = pd_program_map_bytes (bytes, key, &notes, NULL);
  return program != NULL ? pd_trace_notes_restore (notes, program, source, mark_file, messages)
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
pd_trace_share_get_text (const char *path)
{
  PdSharedQuery query = { .path = path, .form = PD_SHARED_TEXT };

  return !begin_query (&query) ? NULL : provider.class->get (provider.self, &query);
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
  /* graphs are as quick to read as to check */
  if (format->read == NULL || g_str_has_prefix (format->name, "goal"))
    return refuse (query, format->meaning, error);
  g_autoptr (PdMpTrace) trace = pd_mp_trace_read (&source, &options, messages, error);
  if (trace == NULL)
    return FALSE;
  if (trace->program == NULL)
    return refuse (query, "no program", error);
  *names_files = trace->parts != NULL || pd_messages_get_n (messages) > 0;
  notes = g_variant_ref_sink (pd_trace_notes_make (&source, trace, mark_file, messages));
  make_key (query, key);
  return pd_program_save_to_fd (trace->program, key, notes, fd, error);
}

/* Text that begins as compressed bytes do would be decompressed once more. */
static gboolean
make_text (const PdSharedQuery *query, int fd, GError **error)
{
  g_autoptr (PdInput) input = pd_input_new_from_file (query->path, error);
  gint64 total = 0;

  if (input == NULL)
    return FALSE;
  g_autoptr (PdOutput) out = pd_output_new_to_fd (fd, query->path);
  const PdWindow *window = pd_input_get_window (input);
  while (pd_input_fill (input, window->size))
    {
      if (total == 0 && !g_ascii_isprint (window->data[0]) && !g_ascii_isspace (window->data[0]))
        return refuse (query, "no text", error);
      total += (gint64) window->size;
      if (total > MAX_TEXT)
        return refuse (query, "too large", error);
      pd_output_add (out, window->data, window->size);
    }
  if (!pd_input_check (input, query->path, error))
    return FALSE;
  if (total == 0)
    return refuse (query, "nothing is in it", error);
  return pd_output_close (out, error);
}

gboolean
pd_trace_share_make (const PdSharedQuery *query, int fd, gboolean *names_files, GError **error)
{
  *names_files = FALSE;
  return is_current (query, error)
         && (query->form == PD_SHARED_TEXT ? make_text (query, fd, error)
                                           : make_program (query, fd, names_files, error))
         && is_current (query, error);
}
