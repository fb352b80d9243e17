/* The folder of parsed programs. A file is named by the SHA-256 of the trace and
 * how it was read; with the program it has the messages, and the names and sums
 * of further files that the trace consists of. Messages and parts name files, so
 * that a program with such is only good for the trace of that name.
 * SPDX-License-Identifier: MIT */
#include "traces/open/pd-trace-cache.h"

#include "base/pd-sha256.h"
#include "traces/program/pd-program-file.h"
#include "traces/open/pd-trace-notes.h"

#include <glib/gstdio.h>

/* ---- sums */

static gboolean
add_file (PdSha256 *sum, const char *path)
{
  g_autoptr (GMappedFile) file = g_mapped_file_new (path, FALSE, NULL);

  if (file != NULL)
    pd_sha256_update (sum, g_mapped_file_get_contents (file), g_mapped_file_get_length (file));
  return file != NULL;
}

static char *
to_hexadecimal (const guint8 *digest)
{
  GString *text = g_string_new (NULL);

  for (gsize i = 0; i < PD_SHA256_SIZE; i++)
    g_string_append_printf (text, "%02x", digest[i]);
  return g_string_free (text, FALSE);
}

static char *
sum_file (const char *path)
{
  guint8 digest[PD_SHA256_SIZE];
  PdSha256 sum;

  pd_sha256_init (&sum);
  if (!add_file (&sum, path))
    return NULL;
  pd_sha256_finish (&sum, digest);
  return to_hexadecimal (digest);
}

static gboolean
make_key (const PdTraceSource *source, const PdTraceReadOptions *options, guint8 *key)
{
  PdSha256 sum;

  G_STATIC_ASSERT (PD_SHA256_SIZE == PD_PROGRAM_KEY_SIZE);
  pd_sha256_init (&sum);
  pd_sha256_update (&sum, PD_TRACE_READERS, sizeof PD_TRACE_READERS);
  pd_sha256_update (&sum, options->recorded ? "r" : "n", 1);
  if (source->bytes != NULL)
    pd_sha256_update (&sum, g_bytes_get_data (source->bytes, NULL),
                      g_bytes_get_size (source->bytes));
  else if (!add_file (&sum, source->path))
    return FALSE;
  pd_sha256_finish (&sum, key);
  return TRUE;
}

/* ---- public */

PdMpTrace *
pd_trace_cache_find (const char *folder, const PdTraceSource *source,
                     const PdTraceReadOptions *options, PdMessages *messages, char **path,
                     guint8 *key)
{
  g_autoptr (GVariant) notes = NULL;
  g_autofree char *hex = NULL, *name = NULL;

  *path = NULL;
  if (!make_key (source, options, key))
    return NULL;
  hex = to_hexadecimal (key);
  name = g_strconcat (hex, ".pdp", NULL);
  *path = g_build_filename (folder, name, NULL);
  g_autoptr (PdMpTrace) trace = g_new0 (PdMpTrace, 1);
  trace->program = pd_program_map (*path, key, &notes, NULL);
  return trace->program != NULL
             ? pd_trace_notes_restore (notes, g_steal_pointer (&trace), source, sum_file, messages)
             : NULL;
}

void
pd_trace_cache_add (const char *path, const guint8 *key, const PdTraceSource *source,
                    const PdMpTrace *trace, PdMessages *messages)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) notes = NULL;
  PdPlace place = { path, 0, NULL, -1, -1, TRUE };

  if (trace->program == NULL)
    return;
  g_mkdir_with_parents (folder, 0777);
  notes = g_variant_ref_sink (pd_trace_notes_make (source, trace, sum_file, messages));
  if (!pd_program_save (trace->program, key, notes, path, &error))
    pd_messages_add (messages, PD_SEVERITY_WARNING, "cache-unwritten", NULL, &place,
                     "the parsed program is not kept: %s", error->message);
}
